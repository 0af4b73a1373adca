"""Cases: disputes over a game, each a stream of its own in the ledger (spec `events.md`, Cases).

Written through a `Log`, read through a `Reader`, which sees the ledger as it stood at its first look: what writes takes
the ledger's URL and looks anew. Words are kept as salted texts (ledger.md 1) and found again by the
commitment in the event; once erased they are gone and the case is as valid as before. The verdict of a case speaks of
the whole game of its subject: levels 4, 5 and 7, what one game's events alone can show.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

from engine.case_stream import Case, build, judge
from engine.errors import EventError
from engine.events import Record, load
from ledger.errors import Refused
from ledger.log import Log
from ledger.store import Reader, Tables
from ledger.texts import find_text, new_salt
from ledger.verify_games import audit_game
from viewer import verdict
from viewer.clocks import clock
from viewer.games import stored
from viewer.judgement import Judgement, weigh
from viewer.targets import read_ledger


@dataclass(frozen=True, slots=True)
class Subject:
    """What a dispute is about: a game, a hand of it, an event."""

    game: str
    hand: int | None = None
    seq: int | None = None

    def body(self) -> Record:
        """Return the field of `case_opened`."""
        found: Record = {"game": self.game, "hand": self.hand, "seq": self.seq}
        return {name: value for name, value in found.items() if value is not None}


def judged(reader: Reader, game: str) -> Judgement:
    """Judge a game by its own events: `failed` with a finding, `not_checkable` while it is not closed."""
    return weigh(audit_game(reader, game), verdict.judge)


def case_ids(reader: Tables, start: int = 0, count: int | None = None) -> list[str]:
    """Return the ids of all cases, or of `count` of them from the place `start` on, in order of their opening."""
    return [str(row.game) for row in reader.streams("case", start=start, count=count)]


def read_case(reader: Reader, case: str) -> Case:
    """Read a case; Refused where there is none of that id, or where what is stored is not lawful."""
    row = reader.stream(case)
    if row is None or row.stream != "case":
        raise Refused(case, "there is no such case")
    found = judge(stored(reader, case))
    if found.fault is not None:
        raise Refused(case, f"its event {found.size} is not lawful: verify names it")
    return found


def cases(reader: Tables, start: int = 0, count: int | None = None) -> Iterator[Case]:
    """Yield every case, or a page of them, as far as each is lawful, a fault among its fields."""
    for case in case_ids(reader, start, count):
        yield judge([data for _, data, _ in reader.events(case)])


def words(reader: Reader, commitment: str) -> str | None:
    """Return the words behind a commitment, None where they were erased."""
    row = find_text(reader, commitment)
    return None if row is None else row.text


def check_subject(reader: Reader, subject: Subject) -> Subject:
    """Return the subject with the hand that its event stands in; Refused where the game has no such hand or event."""
    row = reader.stream(subject.game)
    if row is None or row.stream != "game":
        raise Refused(subject.game, f"no such game in {reader.target}")
    hands: list[int] = []
    for line in stored(reader, subject.game):
        try:
            record = load(line)
        except EventError:
            record = {}
        started = record.get("hand") if record.get("type") == "hand_started" else None
        hands.append(started if isinstance(started, int) else hands[-1] if hands else -1)
    if subject.seq is not None:
        if subject.seq >= len(hands):
            raise Refused(subject.game, f"there is no event {subject.seq}: it has {len(hands)}")
        hand = hands[subject.seq]
        if subject.hand is not None and subject.hand != hand:
            raise Refused(subject.game, f"event {subject.seq} stands in hand {hand}, not {subject.hand}")
        return Subject(subject.game, hand if hand >= 0 else None, subject.seq)
    if subject.hand is not None and subject.hand not in hands:
        raise Refused(subject.game, f"there is no hand {subject.hand}")
    return subject


@contextmanager
def reading(url: str) -> Iterator[Tables]:
    """Read a ledger as it stands now."""
    reader = read_ledger(url)
    try:
        yield reader
    finally:
        reader.close()


def open_case(
    log: Log, url: str, case: str, subject: Subject, *, by: str, claim: str, jurisdiction: str, at: int
) -> Case:
    """Open a case with the engine's verdict on its game; `at` ms UTC. Refused where the subject does not exist."""
    due = clock(jurisdiction).due(at)
    with reading(url) as reader:
        subject = check_subject(reader, subject)
        if reader.stream(case) is not None:
            raise Refused(case, "there is a stream of that id already")
        said = judged(reader, subject.game)
    commitment = log.keep_text(claim, new_salt())
    opened: Record = {"type": "case_opened", "by": by, "subject": subject.body(), "claim": commitment,
                      "jurisdiction": jurisdiction, "due": due}  # fmt: skip
    lines = [build(opened, at=at, case=case, seq=0), build(said.body(), at=at, case=case, seq=1)]
    log.append(case, 0, lines, stream="case", seal=True)
    return judge(lines)


def attach(log: Log, url: str, case: str, *, by: str, name: str, data: bytes, at: int, seen: int | None = None) -> Case:
    """Freeze a file as evidence: its digest and size enter the case, the file is for its keeper."""
    body = {"type": "evidence", "by": by, "name": name, "sha256": sha256(data).hexdigest(), "size": len(data)}
    return add(log, url, case, body, at=at, seen=seen)


def decide(
    log: Log, url: str, case: str, *, by: str, outcome: str, reason: str, at: int, seen: int | None = None
) -> Case:
    """Decide a case with the reason in words: upheld, rejected, settled or referred."""
    with reading(url) as reader:
        if _as_seen(read_case(reader, case), seen).closed is not None:
            raise Refused(case, "it is closed; a new doubt opens a new case")
    body = {"type": "decided", "by": by, "outcome": outcome, "reason": log.keep_text(reason, new_salt())}
    return add(log, url, case, body, at=at, seen=seen)


def close_case(log: Log, url: str, case: str, *, by: str, at: int, seen: int | None = None) -> Case:
    """Close a decided case; nothing follows."""
    return add(log, url, case, {"type": "case_closed", "by": by}, at=at, close=True, seen=seen)


def _as_seen(case: Case, seen: int | None) -> Case:
    if seen is not None and case.size != seen:
        raise Refused(case.id, f"it has grown to {case.size} events since it was read at {seen}: look at it again")
    return case


def add(log: Log, url: str, case: str, body: Record, *, at: int, close: bool = False, seen: int | None = None) -> Case:
    """Append one event to a case; Refused where it may not stand there, Conflict where another came first.

    Where `seen` is given the case must still have that many events: what others added meanwhile has to be read first.
    """
    with reading(url) as reader:
        before = _as_seen(read_case(reader, case), seen)
        known = stored(reader, case)
    line = build(body, at=max(at, before.at), case=case, seq=before.size)
    after = judge([*known, line])
    if after.fault is not None:
        raise Refused(case, f"{after.fault.found}: {after.fault.expected} was expected")
    log.append(case, before.size, [line], seal=True, close=close)
    return after
