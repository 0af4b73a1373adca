"""The audit of a case's stream: order and form, its clock, its game, each verdict against the engine's own.

A stream that is open longer than the log's `close_within_ms` is a finding (ledger.md 1). A case may not be held to that
from its opening: it is open by design until its jurisdiction's clock runs out, days later, and only its first event,
which the ledger does not read, says when (`due`; events.md, Cases). So level 3 passes cases over, and here the same
bound counts from `due` on, judged as there by the newest entry's `at`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from engine.case_stream import CLAUSE, DUE, Case, judge
from engine.events import Record, load
from engine.family import Fault
from ledger.entries import read_entry
from ledger.errors import LedgerError
from ledger.store import Reader
from ledger.verify_games import audit_game
from viewer.judgement import ENGINE, Judge, weigh

ENDS = frozenset({"close", "abort"})


@dataclass(slots=True)
class CaseAudit:
    """What an audit of one case says: faults with their seq, what could not be checked, how many events are lawful."""

    case: Case
    faults: list[tuple[Fault, int]] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def audit_case(lines: Sequence[bytes], reader: Reader, judge_game: Judge, *, wall_root: bool = True) -> CaseAudit:
    """Judge a case's events; `judge_game` is asked again what a recorded verdict says, where that can be compared."""
    audit = CaseAudit(judge(lines))
    case = audit.case
    if case.fault is not None:
        audit.faults.append((case.fault, case.size))
    if case.opened is None:
        return audit
    fault = _overdue(case, reader)
    if fault is not None:
        audit.faults.append((fault, case.size - 1))
    game = case.opened.subject.game
    row = reader.stream(game)
    if row is None or row.stream != "game":
        audit.unchecked.append(f"its game {game} is not in this ledger")
        return audit
    for seq in range(case.size):
        record = load(lines[seq])
        if record["type"] == "verdict":
            why = _incomparable(record, game, reader)
            if why:
                audit.unchecked.append(f"event {seq}: {why}")
                continue
            fault = _differing(record, game, reader, judge_game, wall_root)
            if fault is not None:
                audit.faults.append((fault, seq))
    return audit


def _overdue(case: Case, reader: Reader) -> Fault | None:
    """Judge a case that is still open by its own clock; None where the main log is not at hand."""
    assert case.opened is not None
    head, first = reader.head(), next(reader.entries(0, 1), None)
    if head is None or first is None or ended_at(reader, case.id) is not None:
        return None
    within = read_entry(first.data).record["close_within_ms"]
    assert isinstance(within, int)
    latest = case.opened.due + within
    if head.at <= latest:
        return None
    return Fault("unpaired", DUE, f"a close or abort until {latest}", f"none until {head.at}")


def _incomparable(record: Record, game: str, reader: Reader) -> str:
    """Say why a recorded verdict cannot be compared with ours, "" where it can."""
    if record["engine"] != ENGINE:
        return f"the verdict of {record['engine']}, this is {ENGINE}"
    ended = ended_at(reader, game)
    return f"a verdict on {game} before its end" if ended is None or ended > record["at"] else ""


def _differing(record: Record, game: str, reader: Reader, judge_game: Judge, wall_root: bool) -> Fault | None:
    said = weigh(audit_game(reader, game), judge_game, wall_root=wall_root).body()
    found = {name: record[name] for name in said}
    return None if said == found else Fault("verdict", CLAUSE, _words(said), _words(found))


def _words(verdict: Record) -> str:
    return f"{verdict['outcome']} (findings {verdict['findings']}, rules {verdict['rules']})"


def ended_at(reader: Reader, game: str) -> int | None:
    """Return when a stream ended in the ledger (ms UTC by its entry), None while it runs."""
    try:
        for row in reader.entries_of(game):
            if row.kind in ENDS:
                return int(orjson.loads(row.data)["at"])
    except (LedgerError, ValueError, KeyError, TypeError):
        return None
    return None
