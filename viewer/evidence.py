"""Evidence files: one artefact for each finding, a SQLite bundle of them all, and the check that shows them again.

`DIR/0001.json`, … as `ledger.evidence` says; `DIR/evidence.db` holds the same as tables that any tool opens. To
re-check an artefact is to run the level's own check over its excerpt: nobody's word is needed, and the ledger is not.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sqlite_utils

from ledger.checkpoint import open_checkpoint, read_checkpoint
from ledger.errors import LedgerError, Malformed
from ledger.evidence import (
    FORMAT,
    Excerpt,
    check_entries,
    game_excerpt,
    log_excerpt,
    octets,
    prove_entries,
)
from ledger.findings import Finding, Text
from ledger.notefile import MemoryNote
from ledger.policy import parse_policy
from ledger.publish import replace_file
from ledger.store import Reader
from ledger.verify import Audit, own_keys
from ledger.verify_games import GameAudit, audit_game
from ledger.verify_receipts import Held, audit_receipts
from ledger.witness import HeadConflict
from viewer.plain import check_depth
from viewer.verdict import Asked, Report, judge

TIME = 6
BY_GAME = frozenset({4, 5, 7})
"""Levels whose finding one game's rows show; the others need the main log."""


def write_evidence(folder: Path, report: Report, reader: Reader, asked: Asked) -> None:
    """Write an artefact for every finding of a report and name it there."""
    made: list[tuple[str, dict[str, Any]]] = []
    whole = _once(lambda: log_excerpt(reader))
    excerpts: dict[str, dict[str, Any]] = {}
    for number, finding in enumerate(report.findings, 1):
        name = f"{number:04}.json"
        game = finding.game if finding.level in BY_GAME else None
        artefact: dict[str, Any] = {
            "format": FORMAT,
            "verdict": finding.text._asdict(),
            "finding": finding.as_json(),
            "policy": None if asked.policy is None else asked.policy.decode(errors="replace"),
            "notes": _notes(reader, asked),
            "asked": {"now_ms": asked.now_ms, "max_age_ms": asked.max_age_ms},
        }
        if game is not None:
            excerpts.setdefault(game, _of_game(reader, game, report.size or 0))
            artefact |= excerpts[game]
        else:
            artefact["log"] = whole()
        if finding.level == 8:
            artefact |= _of_receipt(finding, asked, reader)
        replace_file(folder / name, json.dumps(artefact, ensure_ascii=True).encode())
        report.findings[number - 1] = replace(finding, evidence=str(folder / name))
        made.append((name, artefact))
    _bundle(folder / "evidence.db", made)


def fork_artefact(conflict: HeadConflict, policy: bytes) -> bytes:
    """Return the artefact of a conflict that a witness kept: both signed heads, and nothing else is needed."""
    size = read_checkpoint(conflict.refused).size
    artefact = {
        "format": FORMAT,
        "verdict": {"en": f"{conflict.origin}: {conflict.reason}", "zh": f"{conflict.origin}：日志签过两份不同的历史"},
        "finding": {"level": 2, "code": "fork", "entry": size},
        "policy": policy.decode(errors="replace"),
        "notes": [conflict.cosigned.decode(), conflict.refused.decode()],
        "proof": [b64encode(step).decode() for step in conflict.proof],
    }
    return json.dumps(artefact, ensure_ascii=True).encode()


def _forked(artefact: dict[str, Any], policy: bytes | None) -> Iterator[Finding]:
    """Judge two heads alone: two roots of one size, both signed, prove a fork; of two sizes they prove nothing."""
    verifiers = parse_policy(policy).verifiers() if policy is not None else ()
    try:
        first, second = (open_checkpoint(note.encode(), verifiers)[0] for note in artefact["notes"])
    except LedgerError:
        return
    if (first.origin, first.size) == (second.origin, second.size) and first.root != second.root:
        expected, found = first.root.hex(), second.root.hex()
        text = Text("two signed roots of one size", "同一长度有两个已签名的根")
        yield Finding(2, "fork", "ledger.md 2", text, entry=second.size, expected=expected, found=found)


def _once(make: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    kept: list[dict[str, Any]] = []

    def get() -> dict[str, Any]:
        if not kept:
            kept.append(make())
        return kept[0]

    return get


def _of_game(reader: Reader, game: str, size: int) -> dict[str, Any]:
    try:
        return {"game": game_excerpt(reader, game), "proofs": prove_entries(reader, game, size)}
    except LedgerError as error:
        return {"game": {"game": game}, "unreadable": str(error)}


def _notes(reader: Reader, asked: Asked) -> list[str]:
    try:
        row = reader.checkpoint()
    except LedgerError:
        row = None
    found = [row.note] if row is not None and type(row.note) is bytes else [b""]
    return [note.decode(errors="replace") for note in (*found, *([asked.seen] if asked.seen else []))]


def _of_receipt(finding: Finding, asked: Asked, reader: Reader) -> dict[str, Any]:
    named = [held for held in asked.held if held.name in finding.text.en]
    found: dict[str, Any] = {}
    if named:
        held = named[0]
        bundle = None if held.bundle is None else b64encode(held.bundle).decode()
        found["receipt"] = {"name": held.name, "file": b64encode(held.data).decode(), "bundle": bundle}
    if finding.game is not None:
        found["game"] = game_excerpt(reader, finding.game)
    return found


def _bundle(path: Path, made: Sequence[tuple[str, dict[str, Any]]]) -> None:
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


@dataclass(frozen=True, slots=True)
class Recheck:
    """What a re-check comes to: whether the finding shows again, and how far its excerpt is proven to be the log's."""

    finding: dict[str, Any]
    again: bool
    proven: int
    why: str = ""


def recheck(data: bytes, policy: bytes | None = None) -> Recheck:
    """Run the check of an artefact again, by the policy given or else its own; Malformed where it is none."""
    try:
        check_depth(data)
        artefact = json.loads(data)
        finding = artefact["finding"]
        place = tuple(finding.get(key) for key in ("level", "code", "game", "seq", "entry"))
        if artefact["format"] != FORMAT:
            raise Malformed("evidence", "another format")
        pinned = policy if policy is not None else (artefact.get("policy") or "").encode() or None
        found = list(_again(artefact, finding["level"], pinned))
        again = any((each.level, each.code, each.game, each.seq, each.entry) == place for each in found)
        proven, why = _proven(artefact, pinned)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise Malformed("evidence", f"not an artefact of this format ({type(error).__name__})") from None
    return Recheck(finding, again, proven, why)


def _proven(artefact: dict[str, Any], policy: bytes | None) -> tuple[int, str]:
    if artefact["finding"]["level"] == TIME:
        return 0, "times are judged by the authority's roots and the whole log: verify again"
    if not artefact.get("proofs"):
        return 0, "the excerpt has no inclusion proofs"
    try:
        verifiers = parse_policy(policy).verifiers() if policy is not None else own_keys(Excerpt(artefact))
        return check_entries(artefact, verifiers), ""
    except LedgerError as error:
        return 0, str(error)


def _again(artefact: dict[str, Any], level: int, policy: bytes | None) -> Iterator[Finding]:
    """Run the level's own check over the excerpt."""
    reader = Excerpt(artefact)
    if "asked" not in artefact:
        yield from _forked(artefact, policy)
        return
    if level in BY_GAME:
        game = audit_game(reader, artefact["finding"]["game"])
        yield from game.findings if level == 4 else _judged(game)
        return
    if level == 8:
        if policy is None or "receipt" not in artefact:
            return
        part = artefact["receipt"]
        bundle = None if part["bundle"] is None else octets(part["bundle"])
        held = Held(part["name"], octets(part["file"]), bundle)
        yield from audit_receipts(reader, parse_policy(policy), [held]).findings
        return
    seen = MemoryNote()
    seen.note = artefact["notes"][1].encode() if len(artefact["notes"]) > 1 else None
    ages = artefact["asked"]
    run = Audit(reader, policy=policy, seen=seen, now_ms=ages["now_ms"], max_age_ms=ages["max_age_ms"])
    run.head()
    yield from run.findings


def _judged(game: GameAudit) -> Iterator[Finding]:
    if not game.findings:
        verdict = judge(game.events, game.game, game.gno, wall_root=True)
        yield from verdict.commands.findings
        yield from verdict.findings
