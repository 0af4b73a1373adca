"""The evidence of a case, frozen: everything its game says, gathered once, and written as one SQLite file.

The file opens in any tool that reads SQLite, Datasette among them; it needs no code of ours. Tables:

    facts      key, value: who made it, the log (origin, size, root), the case, the engine's verdict
    case_events, texts            the case as logged; salt and words behind its commitments, unless left out
    events     seq, hand, type, at, seat, en, zh, raw (the bytes as stored), leaf (RFC 6962 hash of them)
    frames     seq, hand, frame: the table after the event as JSON, what the replay draws
    payments   hand, seq, payer, payee, amount, reason, clause
    findings, not_checkable       of this game, levels 4, 5 and 7
    proofs     name, kind, data: receipt of the game, checkpoint note, policy, proofs of single tiles
    clauses    id, en, zh, source: all that the game's rules and these findings cite
    search     full text over events, clauses and findings (trigrams, so that Chinese is found, too)

The same ledger gives the same bytes: nothing here asks the clock. Every hidden tile is in it, so it is for those who
may see the whole game.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlite_utils

from engine.case_stream import Case
from engine.errors import EventError
from engine.events import Record, load
from ledger.errors import LedgerError
from ledger.merkle import leaf
from ledger.receipt import make_receipt
from ledger.store import Reader
from ledger.texts import find_text
from ledger.verify_games import audit_game
from viewer import cases, clauses, frames, tile_proofs
from viewer.games import stored
from viewer.judgement import ENGINE, Judgement, weigh
from viewer.targets import beside
from viewer.verdict import judge
from viewer.views import Picture

FORMAT = "paipu/case/1"


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that a bundle and a report are made from."""

    case: Case
    case_lines: list[bytes]
    texts: dict[str, tuple[str, str]]
    """Commitment to salt (hex) and words; without those erased or left out."""
    lines: list[bytes]
    picture: Picture
    judgement: Judgement
    facts: dict[str, str]
    proofs: list[tuple[str, str, bytes]]
    """Name, kind, data."""

    @property
    def hands(self) -> list[int]:
        """Return, event by event, the hand it stands in."""
        found = [frame["hand"] for frame in self.picture["frames"]]
        return found + [found[-1] if found else -1] * (len(self.lines) - len(found))


def gather(reader: Reader, case_id: str, *, words: bool = True) -> Gathered:
    """Read a case and its game; Refused where there is no such case, or its game is gone."""
    case = cases.read_case(reader, case_id)
    assert case.opened is not None
    game = case.opened.subject.game
    lines = stored(reader, game)
    judgement = weigh(audit_game(reader, game), judge)
    return Gathered(
        case=case,
        case_lines=stored(reader, case_id),
        texts=dict(_texts(reader, case)) if words else {},
        lines=lines,
        picture=frames.picture(lines, clause_text=clauses.text),
        judgement=judgement,
        facts=_facts(reader, case, judgement),
        proofs=list(_proofs(reader, game, lines)),
    )


def _texts(reader: Reader, case: Case) -> Iterator[tuple[str, tuple[str, str]]]:
    assert case.opened is not None
    for commitment in (case.opened.claim, *(each.reason for each in case.decisions)):
        row = find_text(reader, commitment)
        if row is not None:
            yield commitment, (row.salt.hex(), row.text)


def _facts(reader: Reader, case: Case, judgement: Judgement) -> dict[str, str]:
    assert case.opened is not None
    subject = case.opened.subject
    head, signed = reader.head(), reader.checkpoint()
    found = {
        "format": FORMAT,
        "engine": ENGINE,
        "rules": judgement.rules,
        "verdict": judgement.outcome,
        "case": case.id,
        "case_size": str(case.size),
        "game": subject.game,
    }
    if subject.hand is not None:
        found["hand"] = str(subject.hand)
    if subject.seq is not None:
        found["seq"] = str(subject.seq)
    if head is not None:
        found |= {"log_size": str(head.size), "log_root": head.root.hex()}
    if signed is not None:
        found["log_origin"] = signed.note.decode(errors="replace").partition("\n")[0]
    return found


def _proofs(reader: Reader, game: str, lines: Sequence[bytes]) -> Iterator[tuple[str, str, bytes]]:
    signed = reader.checkpoint()
    if signed is not None:
        yield "checkpoint.note", "checkpoint", signed.note
    try:
        made = make_receipt(reader, game)
        yield f"game-{game}.tlog-proof", "receipt", made.proof.format()
    except LedgerError as error:
        yield f"game-{game}.tlog-proof", "missing", str(error).encode()
    with suppress(LedgerError, OSError):
        yield "policy", "policy", beside(reader.target).policy.read_bytes()
    try:
        for proof in tile_proofs.proofs(lines):
            name = f"tile-{proof['seq']}-{proof['position']}.json"
            yield name, "tile", json.dumps(proof, sort_keys=True).encode()
    except EventError as error:
        yield "tiles", "missing", str(error).encode()


def write_database(gathered: Gathered) -> bytes:
    """Return the SQLite file of a bundle; the same gathered values give the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.db"
        database = sqlite_utils.Database(path)
        try:
            _fill(database, gathered)
            database.vacuum()
        finally:
            database.close()
        return path.read_bytes()


def _fill(database: Any, gathered: Gathered) -> None:  # noqa: ANN401  sqlite-utils has no types
    def put(name: str, rows: Sequence[Record], columns: dict[str, type], key: str | None = None) -> None:
        database.table(name).create(columns, pk=key)
        database.table(name).insert_all(rows)

    put("facts", [{"key": key, "value": value} for key, value in gathered.facts.items()],
        {"key": str, "value": str}, "key")  # fmt: skip
    put("case_events", [_event(line) for line in gathered.case_lines],
        {"seq": int, "type": str, "at": int, "raw": str, "leaf": str}, "seq")  # fmt: skip
    put("texts", [{"commitment": name, "salt": salt, "text": text} for name, (salt, text) in gathered.texts.items()],
        {"commitment": str, "salt": str, "text": str}, "commitment")  # fmt: skip
    put("events", events(gathered), {"seq": int, "hand": int, "type": str, "at": int, "seat": int, "en": str,
        "zh": str, "raw": str, "leaf": str}, "seq")  # fmt: skip
    put("frames", [{"seq": place, "hand": frame["hand"], "frame": json.dumps(frame, ensure_ascii=False)}
                   for place, frame in enumerate(gathered.picture["frames"])],
        {"seq": int, "hand": int, "frame": str}, "seq")  # fmt: skip
    put("payments", list(payments(gathered.picture)), {"hand": int, "seq": int, "payer": int, "payee": int,
        "amount": int, "reason": str, "clause": str})  # fmt: skip
    put("findings", [_finding(each.as_json()) for each in gathered.judgement.findings],
        {"level": int, "code": str, "clause": str, "hand": int, "seq": int, "expected": str, "found": str,
         "en": str, "zh": str})  # fmt: skip
    put("not_checkable", [each.as_json() for each in gathered.judgement.unchecked],
        {"level": int, "game": str, "hand": int, "code": str, "why": str})  # fmt: skip
    put("proofs", [{"name": name, "kind": kind, "data": data} for name, kind, data in gathered.proofs],
        {"name": str, "kind": str, "data": bytes})  # fmt: skip
    put("clauses", list(cited(gathered)), {"id": str, "en": str, "zh": str, "source": str}, "id")
    search = [{"place": f"event {row['seq']}", "en": row["en"], "zh": row["zh"], "raw": row["raw"]}
              for row in events(gathered)]  # fmt: skip
    search += [{"place": f"clause {row['id']}", "en": row["en"], "zh": row["zh"], "raw": row["source"]}
               for row in cited(gathered)]  # fmt: skip
    search += [{"place": f"finding {each.code}", "en": each.text.en, "zh": each.text.zh, "raw": f"{each.clause}"}
               for each in gathered.judgement.findings]  # fmt: skip
    put("search", search, {"place": str, "en": str, "zh": str, "raw": str})
    database.table("search").enable_fts(["en", "zh", "raw"], tokenize="trigram")


def _event(line: bytes) -> Record:
    record = load(line)
    return {"seq": record["seq"], "type": record["type"], "at": record["at"], "raw": line.decode(),
            "leaf": leaf(line).hex()}  # fmt: skip


def events(gathered: Gathered) -> list[Record]:
    """Return the game's events as rows; a line that cannot be read has its bytes and nothing else."""
    found = []
    for seq, (line, hand) in enumerate(zip(gathered.lines, gathered.hands, strict=True)):
        try:
            record = load(line)
        except EventError:
            record = {}
        drawn = gathered.picture["frames"][seq : seq + 1]
        said = drawn[0]["words"] if drawn else {"en": "", "zh": ""}
        seat = record.get("seat")
        found.append(
            {
                "seq": seq,
                "hand": hand,
                "type": str(record.get("type", "")),
                "at": record.get("at") if isinstance(record.get("at"), int) else None,
                "seat": seat if isinstance(seat, int) else None,
                "en": said["en"],
                "zh": said["zh"],
                "raw": line.decode(errors="replace"),
                "leaf": leaf(line).hex(),
            }
        )
    return found


def payments(picture: Picture) -> Iterator[Record]:
    """Yield every payment of a game with its clause."""
    for frame in picture["frames"]:
        if "settlement" in frame:
            for line in frame["settlement"]["lines"]:
                yield {"hand": frame["hand"], "seq": frame["seq"], "payer": line["payer"], "payee": line["payee"],
                       "amount": line["amount"], "reason": line["reason"]["en"], "clause": line["clause"]}  # fmt: skip


def _finding(found: Record) -> Record:
    text = found["text"]
    told = {name: json.dumps(found[name], ensure_ascii=False) for name in ("expected", "found") if name in found}
    kept = {name: found.get(name) for name in ("level", "code", "clause", "hand", "seq")}
    return {**kept, "expected": told.get("expected"), "found": told.get("found"), "en": text["en"], "zh": text["zh"]}


def cited(gathered: Gathered) -> Iterator[Record]:
    """Yield the clauses of the game's variant, of all games, and those that the findings cite."""
    rules = gathered.picture["rules"].partition(".")[0]
    named = {each.clause for each in gathered.judgement.findings} | set(gathered.picture["clauses"])
    for name, entry in clauses.clauses().items():
        if name in named or name.startswith((f"{rules}.", "events.")):
            yield {"id": name, "en": entry["en"], "zh": entry["zh"], "source": entry["source"]}
