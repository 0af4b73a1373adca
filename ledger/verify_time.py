"""Level 6: time tokens bracket checkpoints, and `at` lies inside the brackets (ledger.md 3, 6).

A `time` entry at index i holds a token over the checkpoint of some size s <= i, made at T. So the entries below s, and
the events they cover, were there at T; whatever was logged from index i on was logged after T:

    entry j         first(T) <= at     for every token logged at an index <= j
                    at <= last(T)      for every token over a size > j
    events          at <= last(T)      for every token over the entry that covers them
                    first(T) <= at     for every token logged before their stream's entry before that one (before their
                                       own `open`, for its first events); recorded live, they cannot be older

Clocks may differ from the authority's, and an event may wait for its entry: `ALLOWED_MS` is granted on both sides. A
stream whose events claim to be older was recorded late or back-dated; which of them cannot be told, and either way the
times it shows are not those of the log. Within a stream `at` must not decrease.

The level is not checkable without a token, without a pinned root of the authority, or without the extra `[time]`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Final, cast

from cryptography.x509 import Certificate

from ledger.canonical import Record
from ledger.entries import Entry, read_entry
from ledger.errors import LedgerError, Malformed
from ledger.findings import Finding, Text
from ledger.head import Checkpoint
from ledger.merkle import Frontier, leaf
from ledger.store import Reader
from ledger.timetoken import Interval, available, check_token, read_token
from ledger.verify import Audit
from ledger.verify_games import GameAudit

LEVEL: Final = 6
ALLOWED_MS: Final = 2_000
_CLAUSE: Final = "ledger.md 6"
_NEVER: Final = 1 << 62
_LATE: Final = Text(
    "claim to be older than the log was when they were recorded: recorded late, or back-dated",
    "自称早于记入时日志已证明的时间：迟记或倒填",
)


@dataclass(frozen=True)
class Stamp:
    """A token that holds: logged at `index`, over the checkpoint of `size`."""

    index: int
    size: int
    made: Interval


class Brackets:
    """Between which times the entries of a log can have been logged, by the tokens that hold."""

    def __init__(self, held: Sequence[Stamp]) -> None:
        logged = sorted(held, key=lambda each: each.index)
        over = sorted(held, key=lambda each: each.size)
        self._indexes = [each.index for each in logged]
        self._floors = [0, *accumulate((each.made.first for each in logged), max)]
        self._sizes = [each.size for each in over]
        self._ceilings = [*accumulate((each.made.last for each in reversed(over)), min, initial=_NEVER)][::-1]

    def floor(self, index: int) -> int:
        """Give the earliest time (ms) at which the entry of an index can have been logged."""
        return self._floors[bisect_right(self._indexes, index)]

    def ceiling(self, index: int) -> int:
        """Give the latest time (ms) at which it can have been."""
        return self._ceilings[bisect_right(self._sizes, index)]


@dataclass
class Stamps:
    """The tokens of a log; `entries` counts the `time` entries, whether they hold or not."""

    entries: int = 0
    held: list[Stamp] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @cached_property
    def brackets(self) -> Brackets:
        """What the tokens that hold say of the entries."""
        return Brackets(self.held)

    def say(self, text: Text, entry: int, expected: int | str | None = None, found: int | str | None = None) -> None:
        """Add a finding about an entry."""
        self.findings.append(Finding(LEVEL, "time", _CLAUSE, text, entry=entry, expected=expected, found=found))


def read_stamps(reader: Reader, roots: Sequence[Certificate] | None) -> Stamps:
    """Read and verify every token of a log; with no roots given, their form and what they are over only.

    The text that a token must be over is made from the entries themselves, so that a mirror needs no old checkpoint.
    """
    found: list[tuple[int, Entry]] = []
    stamps = Stamps()
    for row in reader.entries_of_kind("time"):
        stamps.entries += 1
        try:
            found.append((row.idx, read_entry(row.data)))
        except Malformed:
            continue  # a finding of level 3
    texts = _texts(reader, {_size(entry) for _, entry in found})
    for idx, entry in found:
        size, token = _size(entry), entry.octets("token")
        if size > idx or size not in texts:
            text = Text(
                f"entry {idx} stamps size {size}, which the log did not have then",
                f"第 {idx} 条时间戳所指的长度 {size} 当时并不存在",
            )
            stamps.say(text, idx, f"<= {idx}", size)
            continue
        try:
            made = read_token(token, texts[size]) if roots is None else check_token(token, texts[size], roots)
        except LedgerError as error:
            text = Text(f"entry {idx}: {error}", f"第 {idx} 条时间戳无效：{error}")
            stamps.say(text, idx, found=str(error))
            continue
        stamps.held.append(Stamp(idx, size, made))
    return stamps


def _size(entry: Entry) -> int:
    return cast("int", entry.record["size"])


def _texts(reader: Reader, sizes: set[int]) -> dict[int, bytes]:
    """Make the text of the head of each of these sizes, in one pass over the entries."""
    texts: dict[int, bytes] = {}
    tree = Frontier()
    origin = ""
    for row in reader.entries(0, max(sizes, default=0)):
        if not tree.size:
            with suppress(Malformed):  # a finding of level 3
                origin = str(read_entry(row.data).record.get("origin", ""))
        tree.append(leaf(row.data) if type(row.data) is bytes else b"")
        if tree.size in sizes and origin:
            texts[tree.size] = Checkpoint(origin, tree.size, tree.root()).format()
    return texts


def check_time(run: Audit, games: Iterator[GameAudit], roots: Sequence[Certificate] | None) -> Iterator[GameAudit]:
    """Pass a run's games on, checking level 6 on the way; the run's level and findings are complete at the end.

    `roots` are the pinned roots of time-stamping authorities, None where there are none.
    """
    stamps: Stamps | None = None
    for game in games:
        if stamps is None and run.sound:
            stamps = _stamps(run, roots)
        if stamps is not None and stamps.held and not game.findings:
            check_game(run.reader, stamps, game)
        yield game
    if not run.sound:
        return
    stamps = _stamps(run, roots) if stamps is None else stamps
    if not stamps.entries:
        return  # the level says so already
    level = run.levels[LEVEL - 1]
    if roots is None or not available():
        level.why = "no root of a time-stamping authority is pinned" if available() else "the extra [time] is missing"
        return
    check_entries(run.reader, stamps)
    run.findings += stamps.findings
    level.checked, level.findings = stamps.entries, len(stamps.findings)
    level.status, level.why = ("failed" if stamps.findings else "holds"), ""


def _stamps(run: Audit, roots: Sequence[Certificate] | None) -> Stamps:
    if roots is None or not available():
        return Stamps(sum(1 for _ in run.reader.entries_of_kind("time")))
    return read_stamps(run.reader, roots)


def check_entries(reader: Reader, stamps: Stamps) -> None:
    """Check `at` of every entry that can be read."""
    for row in reader.entries() if stamps.held else ():
        try:
            at = read_entry(row.data).at
        except Malformed:
            continue  # a finding of level 3
        floor, ceiling = stamps.brackets.floor(row.idx), stamps.brackets.ceiling(row.idx)
        if not floor - ALLOWED_MS <= at <= ceiling + ALLOWED_MS:
            _outside(stamps, row.idx, at, floor, ceiling)


def _outside(stamps: Stamps, idx: int, at: int, floor: int, ceiling: int) -> None:
    if at < floor:
        text = Text(
            f"entry {idx} says it is older than a time token logged before it",
            f"第 {idx} 条日志条目自称早于其前已记入的时间戳",
        )
        stamps.say(text, idx, f">= {floor}", at)
    else:
        text = Text(
            f"entry {idx} says it is newer than a time token over it", f"第 {idx} 条日志条目自称晚于覆盖它的时间戳"
        )
        stamps.say(text, idx, f"<= {ceiling}", at)


def check_game(reader: Reader, stamps: Stamps, game: GameAudit, records: Iterable[Record] | None = None) -> None:
    """Check `at` of a stream's events: at most one finding of a kind, at the first event concerned.

    `records` are its events by place, empty where one is missing or cannot be read; those of the audit by default.
    """
    entries = _entries(reader, game.game)
    if not entries:
        return  # events without an open: a finding of level 4
    late, early, back = _Count(), _Count(), _Count()
    before = 0
    place, floor, ceiling = 0, -1, -1
    for seq, record in enumerate(game.records if records is None else records):
        at = record.get("at")
        if type(at) is not int:
            continue  # the engine's to say
        while place < len(entries) and entries[place][1].size <= seq:
            place, floor = place + 1, -1
        if floor < 0:
            floor = stamps.brackets.floor(entries[max(place - 1, 0)][0])
            ceiling = stamps.brackets.ceiling(entries[place][0]) if place < len(entries) else _NEVER
        if at > ceiling + ALLOWED_MS:
            late.add(seq, at, f"<= {ceiling}")
        if at < floor - ALLOWED_MS:
            early.add(seq, at, f">= {floor}")
        if at < before:
            back.add(seq, at, f">= {before}")
        before = max(before, at)
    _tell(stamps, game, late, Text("claim to be newer than a time token over them", "自称晚于覆盖它们的时间戳"))
    _tell(stamps, game, early, _LATE)
    _tell(stamps, game, back, Text("are older than an event before them", "早于其前的事件"))


@dataclass
class _Count:
    """How many events are at fault, and the first of them."""

    count: int = 0
    seq: int = 0
    at: int = 0
    bound: str = ""

    def add(self, seq: int, at: int, bound: str) -> None:
        if not self.count:
            self.seq, self.at, self.bound = seq, at, bound
        self.count += 1


def _tell(stamps: Stamps, game: GameAudit, found: _Count, words: Text) -> None:
    if found.count:
        name, gno, seq = game.game, game.gno, found.seq
        text = Text(
            f"{found.count} events of {name}, from {seq} on, {words.en}",
            f"{name} 自第 {seq} 号起有 {found.count} 条事件{words.zh}",
        )
        finding = Finding(LEVEL, "time", _CLAUSE, text, name, gno, seq=seq, expected=found.bound, found=found.at)
        stamps.findings.append(finding)


def _entries(reader: Reader, game: str) -> list[tuple[int, Entry]]:
    found = []
    for row in reader.entries_of(game):
        try:
            found.append((row.idx, read_entry(row.data)))
        except Malformed:
            continue  # a finding of level 3
    return found
