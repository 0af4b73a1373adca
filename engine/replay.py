"""Replay: a fold over an event stream that returns the lawful prefix and the first fault.

Nothing is ever invented or repaired. Each consequence is derived anew and compared byte for byte with the recorded
one; each decision is asked for its fault before it is applied. On request the fold goes on after a wrong consequence
from the state that should have been, and marks the faults found there as following.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from orjson import OPT_SORT_KEYS, OPT_STRICT_INTEGER, JSONDecodeError, dumps, loads

from engine import frame, verbs
from engine.errors import EventError
from engine.events import LIMIT, VERSION, Body, Record, check, load
from engine.family import GIVEN, Fault
from engine.game import Game
from engine.premise import Premise
from engine.shuffle import NARROW, Commitment, check_hand_seed


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault at its place: position in the stream, hand (-1 before the first)."""

    seq: int
    hand: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class Note:
    """Something that cannot be checked, and why; no accusation. `hand` -1: the whole game."""

    hand: int
    code: str
    why: str


@dataclass(slots=True)
class Replay:
    """What a replay says. `prefix`: how many events, from the first on, are lawful."""

    prefix: int = 0
    game: Game | None = None
    finding: Finding | None = None
    later: list[Finding] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    hands: int = 0
    """Hands begun in the prefix."""
    closed: bool = False
    judged: list[int] = field(default_factory=list)
    """Events of the prefix whose bytes were not derived anew: they were taken as given, and judged."""

    @property
    def findings(self) -> list[Finding]:
        """Return all findings, the first fault first."""
        return [self.finding, *self.later] if self.finding else list(self.later)


def known_seeds(premise: Premise, lines: Sequence[bytes]) -> tuple[Commitment | None, bytes | None, dict[int, bytes]]:
    """Return what the log itself opens: the whole commitment and root seed, or the seeds of single hands.

    Seeds that do not open their commitment are left out here; they are faults at their own event.
    """
    context = premise.context
    seeds: dict[int, bytes] = {}
    if context is None:
        return None, None, seeds
    for line in reversed(lines):
        if b'"type":"closed"' in line or b'"type":"revealed"' in line:
            try:
                record = load(line)
                check(line, record)
            except EventError:
                continue
            if record["type"] == "closed" and "root_seed" in record:
                root_seed = bytes.fromhex(record["root_seed"])
                commitment = Commitment.open(context, root_seed) if context.protocol == NARROW else None
                if commitment is not None and commitment.root == premise.root:
                    return commitment, root_seed, seeds
            elif record["type"] == "revealed":
                seed = bytes.fromhex(record["seed"])
                path = [bytes.fromhex(each) for each in record["path"]]
                if check_hand_seed(context, premise.root, record["hand"], seed, path) is None:
                    seeds[record["hand"]] = seed
    return None, None, seeds


def read(game: Game, line: bytes) -> tuple[Record, Fault | None]:
    """Return the record of a line and its fault in this state; raise EventError where it is no event."""
    record = derived(game, line)
    return (record, None) if record is not None else judged(game, line)


def judged(game: Game, line: bytes) -> tuple[Record, Fault | None]:
    """Do what `read` does, the slow way: by its schema, then by `verbs.judge`."""
    record = load(line)
    check(line, record)
    return record, verbs.judge(game, record)


def derived(game: Game, line: bytes) -> Record | None:
    """Return the consequence that is due, or the lawful option that a line names, where it is these very bytes.

    Equal bytes are canonical, of the schema, and right. None says nothing but that `judged` must look: the two ways
    decide the same.
    """
    hand = game.hand
    if game.phase != "hand" or game.dissolved or hand.phase == "ended":
        return _between(game, line)
    maker = game.family.DUE.get(hand.phase)
    if maker is not None:
        return _placed(game, maker(hand), line)
    try:
        record = loads(line)
    except JSONDecodeError:
        return None
    body = game.family.chosen(hand, record) if type(record) is dict else None
    if body is None or type(record.get("at")) is not int:
        return None
    return _placed(game, body, line, record["at"])


def _between(game: Game, line: bytes) -> Record | None:
    """Do what `derived` does before, between and after hands."""
    body = frame.due(game)
    if body is None or body["type"] in GUARDED:
        return None
    if body.get("wall_root") is GIVEN:  # left out on request (V11): any is as good, and as written
        told = TOLD_ROOT.search(line)
        body["wall_root"] = told[1].decode() if told else GIVEN
    record = _placed(game, body, line)
    if record is not None and record["type"] == "revealed" and verbs.reveal_fault(game, record) is not None:
        return None  # right, but too late
    return record


def _placed(game: Game, body: Body, line: bytes, at: int = -1) -> Record | None:
    """Return the record of a body in its place in the stream where it is this line; `at` is the line's own."""
    try:
        if at < 0:
            at = int(line[6 : line.find(b",")])  # behind {"at": with which every consequence begins
        if not game.at <= at <= LIMIT:
            return None
        body["at"] = at
        body["game"] = game.premise.game
        body["seq"] = game.seq
        body["v"] = VERSION
        return body if dumps(body, option=WRITTEN) == line else None
    except (ValueError, TypeError):  # no number there; GIVEN stands in the body, or a number that no event may have
        return None


WRITTEN = OPT_SORT_KEYS | OPT_STRICT_INTEGER
"""How an event is written, integers within the profile of ledger.md 1."""
TOLD_ROOT = re.compile(rb'"wall_root":"([0-9a-f]{64})"')
GUARDED = frozenset({"closed"})
"""Consequences that another event of their type may stand for."""


def replay(lines: Sequence[bytes], *, go_on: bool = False, wall_root: bool = True) -> Replay:
    """Replay one game's events, canonical bytes in seq order.

    `wall_root=False` leaves out the wall roots (V11), which is then a note. Bytes that are no event of the
    vocabulary are a fault of code `schema`.
    """
    result = Replay()
    for _ in steps(lines, result, go_on=go_on, wall_root=wall_root):
        pass
    return result


def steps(lines: Sequence[bytes], result: Replay, *, go_on: bool = False,
          wall_root: bool = True) -> Iterator[tuple[Game, Record]]:  # fmt: skip
    """Yield state and record after each lawful event, filling `result` on the way.

    The state is the fold's own: a caller that keeps it takes a copy.
    """
    game = _open(lines, result, wall_root=wall_root)
    if game is None:
        return
    yield game, result_record(lines[0])
    follows = False
    for line in lines[1:]:
        fault = None
        record = derived(game, line)
        if record is None:
            result.judged.append(game.seq)
            try:
                record, fault = judged(game, line)
            except EventError as error:
                schema = Fault("schema", "events.vocabulary", "an event", str(error))
                result.finding = result.finding or _at(game, schema)
                return
        if fault is not None:
            overdue = fault.code == "V14" and record["type"] == "revealed"
            found = _at(
                game, fault if not follows else Fault(fault.code, fault.clause, fault.expected, fault.found, follows)
            )
            if result.finding is None:
                result.finding = found
            else:
                result.later.append(found)
            if not overdue:
                repaired = _expected(game, record) if go_on else None
                if repaired is None:
                    return
                record, follows = repaired, True
        if record["type"] == "hand_started":
            result.hands += 1
            _note_seed(game, result)
        frame.step(game, record)
        if result.finding is None:
            result.prefix += 1
        yield game, record
    result.closed = game.phase == "over"


def result_record(line: bytes) -> Record:
    """Return the record of a line already judged."""
    return load(line)


def _open(lines: Sequence[bytes], result: Replay, *, wall_root: bool) -> Game | None:
    if not lines:
        result.finding = Finding(0, -1, Fault("order", "events.order", "opened", "no event"))
        return None
    try:
        record = load(lines[0])
        check(lines[0], record)
    except EventError as error:
        result.finding = Finding(0, -1, Fault("schema", "events.vocabulary", "an event", str(error)))
        return None
    if record["type"] != "opened":
        result.finding = Finding(0, -1, Fault("order", "events.order", "opened", record["type"]))
        return None
    premise = verbs.premise_of(record)
    if isinstance(premise, Fault):
        result.finding = Finding(0, -1, premise)
        return None
    commitment, root_seed, seeds = known_seeds(premise, lines)
    game = frame.begin(
        premise,
        verbs.family_of(premise.rules),
        at=record["at"],
        seeds=seeds,
        commitment=commitment,
        root_seed=root_seed,
        wall_root=wall_root,
    )
    result.game = game
    result.prefix = 1
    result.judged.append(0)
    if premise.context is None:
        result.notes.append(Note(-1, "V9", "the deal follows no committed seed (protocol none): draws taken as given"))
    elif not premise.open_seeds:
        result.notes.append(Note(-1, "V9", "the seeds are revealed to the auditor only"))
    elif not wall_root:
        result.notes.append(Note(-1, "V11", "wall roots left out on request"))
    return game


def _note_seed(game: Game, result: Replay) -> None:
    premise = game.premise
    if premise.context is not None and premise.open_seeds and frame.hand_deal(game) is None:
        result.notes.append(Note(game.hand_number, "V9", f"seed of hand {game.hand_number} not revealed"))


def _at(game: Game, fault: Fault) -> Finding:
    hand = game.hand_number if game.hand is not None else game.hand_number - 1
    return Finding(game.seq, hand, fault)


def _expected(game: Game, record: Record) -> Record | None:
    """Return the consequence that should have stood here, where the log has one of its type."""
    due = frame.due(game)
    if due is None or due["type"] != record["type"]:
        return None
    whole = verbs.filled(due, record)
    return {**whole, "at": max(record["at"], game.at), "game": record["game"],
            "seq": game.seq, "v": 1}  # fmt: skip
