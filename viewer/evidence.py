"""Evidence files: one artefact for each finding, and a SQLite bundle of them all (ledger.md 6).

`DIR/0001.json`, … as `ledger.evidence` says; `DIR/evidence.db` holds the same as tables that any tool opens. `PARTS`
says for every kind of finding which parts of the ledger show it again; `viewer.recheck` is the mirror of this module.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import sqlite_utils
from cryptography.hazmat.primitives.serialization import Encoding

from ledger.checkpoint import read_checkpoint
from ledger.errors import LedgerError, Unavailable
from ledger.evidence import FORMAT, Json, game_excerpt, log_excerpt, prove_entries
from ledger.findings import Finding, printable
from ledger.publish import replace_file
from ledger.store import Reader
from ledger.stream import GAME_ID
from ledger.verify import own_keys
from ledger.verify_receipts import Held
from viewer.verdict import Asked, Report

_LOG: Final = ("log",)
_GAME: Final = ("game", "proofs")
_GAMES: Final = ("game", "others", "proofs")
PARTS: Final[Mapping[tuple[int, str], tuple[str, ...]]] = {
    (1, "weak_key"): _LOG,
    **{(2, code): _LOG for code in ("note", "signature", "quorum", "stale", "rollback", "fork")},
    **{(3, code): _LOG for code in ("canonical", "tile", "root", "key", "gno", "unpaired", "after_close", "time")},
    **{(4, code): _GAME for code in ("canonical", "seq", "chain", "segment", "after_close", "unpaired", "gno")},
    (5, "command"): _GAME,
    (5, "equivocation"): _GAME,
    (6, "time"): ("log", "game", "roots"),
    (7, "V3"): _GAMES,
    (7, "V8"): _GAME,
    (7, "V14"): _GAME,
    (7, "verdict"): _GAMES,
    (7, "unpaired"): ("log", "game"),
    (8, "receipt"): ("log", "game", "receipt"),
    (8, "mirror"): ("log", "game", "mirror"),
}
"""Which parts of an artefact show a finding of this level and code again."""
OF_REPLAY: Final = _GAME
"""The parts for the engine's faults (level 7), which know one stream only."""


def parts_of(level: int, code: str) -> tuple[str, ...]:
    """Return the parts that show a finding of this kind again; KeyError where nobody said."""
    return PARTS.get((level, code), OF_REPLAY) if level == 7 else PARTS[level, code]


def write_evidence(folder: Path, report: Report, reader: Reader, asked: Asked) -> None:
    """Write an artefact for every finding of a report and name it there."""
    writer = _Writer(report, reader, asked)
    made: list[tuple[str, Json]] = []
    for number, finding in enumerate(report.findings, 1):
        name = f"{number:04}.json"
        artefact = writer.artefact(finding)
        replace_file(folder / name, json.dumps(artefact, ensure_ascii=True).encode())
        report.findings[number - 1] = replace(finding, evidence=str(folder / name))
        made.append((name, artefact))
    _bundle(folder / "evidence.db", made)


class _Writer:
    """Makes artefacts; excerpts that several of them need are made once."""

    def __init__(self, report: Report, reader: Reader, asked: Asked) -> None:
        self._report, self._reader, self._asked = report, reader, asked
        self._kept: dict[tuple[str, ...], Any] = {}
        self._make: dict[str, Callable[[Finding], Json]] = {
            "log": self._log,
            "game": self._game,
            "others": self._others,
            "proofs": self._proofs,
            "roots": self._roots,
            "receipt": self._receipt,
            "mirror": self._mirror,
        }
        policy = asked.policy
        self._head: Json = {
            "policy": None if policy is None else policy.decode(errors="replace"),
            "notes": self._notes(),
            "asked": {"now_ms": asked.now_ms, "max_age_ms": asked.max_age_ms},
        }
        if policy is None:
            self._head["keys"] = [key.format() for key in own_keys(reader)]

    def artefact(self, finding: Finding) -> Json:
        """Make the artefact of one finding."""
        found: Json = {"format": FORMAT, "verdict": finding.text._asdict(), "finding": finding.as_json(), **self._head}
        for part in parts_of(finding.level, finding.code):
            found |= self._make[part](finding)
        return found

    def _once(self, key: tuple[str, ...], make: Callable[[], Any]) -> Any:  # noqa: ANN401  an excerpt or a name
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _notes(self) -> list[str]:
        try:
            row = self._reader.checkpoint()
        except LedgerError:
            row = None
        note = row.note if row is not None and type(row.note) is bytes else b""
        seen = [self._asked.seen] if self._asked.seen else []
        return [each.decode(errors="replace") for each in (note, *seen)]

    def _log(self, _: Finding) -> Json:
        return {"log": self._once(("log",), lambda: log_excerpt(self._reader))}

    def _game(self, finding: Finding) -> Json:
        if finding.game is None:
            return self._log(finding) | self._listing() if finding.level == 4 else {}
        game = self._filed(finding.game)
        withheld = game in getattr(self._reader, "withheld", ())
        return {"game": self._excerpt(game)} | ({"withheld": True} if withheld else {})

    def _others(self, finding: Finding) -> Json:
        other = self._other(finding)
        return {"others": [self._excerpt(other)]} if other else {}

    def _other(self, finding: Finding) -> str:
        return self._report.related.get((finding.game, finding.seq, finding.code), "")

    def _excerpt(self, game: str) -> Json:
        found: Json = self._once(("game", game), lambda: game_excerpt(self._reader, game))
        return found

    def _filed(self, shown: str) -> str:
        """Return the id under which events are filed, of which a finding shows the printable form."""
        if GAME_ID.fullmatch(shown):
            return shown
        found: str = self._once(
            ("filed", shown), lambda: next((game for game in self._reader.games() if printable(game) == shown), shown)
        )
        return found

    def _listing(self) -> Json:
        """Say why the list of streams cannot be read: only its reader knows."""
        try:
            for _ in self._reader.games():
                pass
        except Unavailable as error:
            log = self._log_copy()
            log["unreadable"] = {**log.get("unreadable", {}), "games": error.reason}
            return {"log": log}
        return {}

    def _log_copy(self) -> Json:
        return dict(self._once(("log",), lambda: log_excerpt(self._reader)))

    def _proofs(self, finding: Finding) -> Json:
        if finding.game is None:
            return {}
        games = tuple(filter(None, (self._filed(finding.game), self._other(finding))))
        size = self._report.size or 0
        return {"proofs": self._once(("proofs", *games), lambda: prove_entries(self._reader, games, size))}

    def _roots(self, _: Finding) -> Json:
        roots = self._asked.roots or ()
        return {"roots": b"".join(root.public_bytes(Encoding.PEM) for root in roots).decode("ascii")}

    def _source(self, finding: Finding) -> object:
        return next((source for found, source in self._report.sources if found is finding), None)

    def _receipt(self, finding: Finding) -> Json:
        held = self._source(finding)
        assert isinstance(held, Held)
        bundle = None if held.bundle is None else b64encode(held.bundle).decode()
        return {"receipt": {"name": held.name, "file": b64encode(held.data).decode(), "bundle": bundle}}

    def _mirror(self, finding: Finding) -> Json:
        mirror: Any = self._source(finding)
        head = read_checkpoint(mirror.note)
        log = self._once(("mirror", mirror.target), lambda: log_excerpt(mirror)["entries"][: head.size])
        found: Json = {"name": mirror.target, "note": mirror.note.decode(), "log": {"entries": log}}
        if finding.game is not None:
            found["game"] = game_excerpt(mirror, finding.game)
        return {"mirror": found}


def _bundle(path: Path, made: Sequence[tuple[str, Json]]) -> None:
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite_utils.Database(path)
    try:
        database.table("artefacts").insert_all(
            {
                "name": name,
                **{key: artefact["finding"].get(key) for key in ("level", "code", "game", "seq", "entry", "clause")},
                "en": artefact["verdict"]["en"],
                "zh": artefact["verdict"]["zh"],
                "artefact": json.dumps(artefact),
            }
            for name, artefact in made
        )
    finally:
        database.close()
