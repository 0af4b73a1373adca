"""Targets of the battery: ledgers, exported games, records of other systems, deck files; read once, in order.

A ledger is verified first (levels 1 to 4 of ledger.md 6): completeness before statistics. Files say nothing of what is
missing between them; a game given twice is counted once.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from engine.formats.riichi import RiichiRecord
from ledger.errors import Unavailable
from ledger.log import now_ms
from ledger.store import open_reader
from ledger.verify import Audit
from ledger.verify_games import GameAudit
from viewer import foreign
from viewer.batch import in_order
from viewer.fairness import measured
from viewer.fairness.deck_files import Block, blocks, is_deck_file, read_deck
from viewer.fairness.gather import JOBS, Gathering
from viewer.fairness.measured import Measured
from viewer.fairness.plan import Plan
from viewer.plain import read_bytes, read_exported
from viewer.targets import beside, ledger_url

if TYPE_CHECKING:
    from io import BufferedReader

Played = tuple[tuple[str, int, int], ...]
"""Kind, seat and tile of each act of a hand."""
TOLD = 24
"""Two games of one seed part within so many acts: other players choose otherwise."""
STDIN = "-"
FILES = "files: nothing says that no game is missing between them"


@dataclass(slots=True)
class Source:
    """What the targets say of their completeness, and the games that were given twice."""

    status: str = "holds"
    why: str = ""
    twice: list[str] = field(default_factory=list)
    ledgers: int = 0

    def lower(self, status: str, why: str) -> None:
        """Take the worse of two answers; the first reason stands."""
        order = ("holds", "not_checkable", "failed")
        if order.index(status) > order.index(self.status):
            self.status, self.why = status, why


Watch = Callable[[Iterable[GameAudit], int], Iterable[GameAudit]]


def gather(
    targets: Iterable[str],
    plan: Plan,
    gathering: Gathering,
    *,
    executor: Executor | None = None,
    policy: str | None = None,
    at: int | None = None,
    watch: Watch | None = None,
) -> Source:
    """Read every target into `gathering`. `at`: ms UTC of the deals of deck files, for the seed attack.

    Raises a LedgerError or EventError where a target cannot be read.
    """
    source = Source()
    files = _Files(plan, gathering, source, executor)
    for target in targets:
        url = ledger_url(target) if target != STDIN else None
        if url is not None:
            files.flush()
            _ledger(url, plan, gathering, source, executor=executor, policy=policy, watch=watch)
        elif _is_decks(target):
            files.flush()
            with _opened(target) as file:
                _decks(file, target, plan, gathering, source, executor=executor, at=at)
        else:
            files.take(target)
    files.flush()
    gathering.finish()
    return source


def wanted(plan: Plan, found: Measured) -> bool:
    """Tell whether the plan's filter takes a game."""
    seen = found.seen
    return (
        (not plan.rules or seen.rules == plan.rules)
        and (not plan.table or seen.table.rpartition(" / ")[2] == plan.table)
        and (not plan.since or seen.at >= plan.since)
        and (not plan.until or seen.at < plan.until)
    )


def _ledger(
    url: str,
    plan: Plan,
    gathering: Gathering,
    source: Source,
    *,
    executor: Executor | None,
    policy: str | None,
    watch: Watch | None,
) -> None:
    reader = open_reader(url)
    try:
        files = beside(url, policy)
        pinned = read_bytes(str(files.policy)) if policy or files.policy.exists() else None
        run = Audit(reader, policy=pinned, now_ms=now_ms())
        games: Iterable[GameAudit] = run.games()
        if watch is not None:
            head = reader.head()
            games = watch(games, head.gno if head is not None else 0)

        def jobs() -> Iterator[tuple[list[bytes], str, str]]:
            for game in games:
                if run.sound and not game.findings and game.stream == "game":
                    yield game.events, game.game, plan.wild

        for found in in_order(measured.measure_lines, jobs(), executor):
            if wanted(plan, found):
                gathering.take(found, plan.wild)
    finally:
        reader.close()
    source.ledgers += 1
    if run.findings:
        first = run.findings[0]
        source.lower(
            "failed", f"{url}: {len(run.findings)} findings at levels 1 to 4, first {first.code}: {first.text.en}"
        )
    elif run.unsealed:
        source.lower("not_checkable", f"{url}: {run.unsealed} events are not sealed yet")
    elif pinned is None:
        source.lower("not_checkable", f"{url}: no pinned policy, so the log's own key vouches for it")


def _is_decks(path: str) -> bool:
    try:
        if path == STDIN:
            return is_deck_file(cast("BufferedReader", sys.stdin.buffer).peek(2)[:2])
        with Path(path).open("rb") as file:
            return is_deck_file(file.read(2))
    except OSError as error:
        raise Unavailable(path, f"cannot be read: {error.strerror}") from None


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path == STDIN:
        yield sys.stdin.buffer
        return
    with Path(path).open("rb") as file:
        yield file


def _decks(
    file: BinaryIO,
    path: str,
    plan: Plan,
    gathering: Gathering,
    source: Source,
    *,
    executor: Executor | None,
    at: int | None,
) -> None:
    source.lower("not_checkable", "a deck file: nothing says that no deal is missing")
    deck = read_deck(file, path, layout=plan.layout or None, wild=plan.wild)
    tally = gathering.tally(deck)

    def jobs() -> Iterator[tuple[Any, ...]]:
        before: Block | None = None
        for block in blocks(file, path):
            yield deck, plan.seed, block, before, plan.seed_walls
            start = block.data.rfind(b"\n", 0, -1) + 1
            before = Block(block.data[start:], block.first + block.data.count(b"\n") - 1)

    for counted in in_order(measured.count_block, jobs(), executor):
        gathering.take_block(tally, path, counted, at)


class _Files:
    """Exported games and foreign records: read here, measured on the executor."""

    def __init__(self, plan: Plan, gathering: Gathering, source: Source, executor: Executor | None) -> None:
        self._plan, self._gathering, self._source, self._executor = plan, gathering, source, executor
        self._waiting: deque[tuple[Callable[..., Measured], tuple[Any, ...]]] = deque()
        self._games: set[bytes] = set()
        self._records: dict[str, list[Played]] = {}

    def take(self, path: str) -> None:
        """Read a file; Unavailable where it is none of the known kinds."""
        self._source.lower("not_checkable", FILES)
        other = foreign.read(path)
        if other is not None:
            self._foreign(other)
        else:
            game, lines = read_exported(path)
            mark = sha256(lines[0]).digest()
            if mark in self._games:
                self._source.twice.append(game)
                return
            self._games.add(mark)
            self._waiting.append((measured.measure_lines, (lines, game, self._plan.wild)))
        if len(self._waiting) >= JOBS:
            self.flush()

    def _foreign(self, other: foreign.Foreign) -> None:
        record = other.record
        played = [_played(record, number) for number in range(len(record.hands))]
        known = self._records.setdefault(record.seed, []) if record.seed else []
        rest = 0
        if known and same_game(known, played):
            # Another cut or version of a game that is counted already: only what it has more.
            rest = len(known)
            self._source.twice.append(other.game + parted(known, played))
            if rest >= len(played):
                return
        known += played[len(known) :]
        self._waiting.append((measured.measure_record, (record, other.game, self._plan.wild, rest)))

    def flush(self) -> None:
        """Measure what waits."""
        waiting, self._waiting = self._waiting, deque()
        jobs = ((work, arguments) for work, arguments in waiting)
        for found in in_order(_call, jobs, self._executor):
            if wanted(self._plan, found):
                self._gathering.take(found, self._plan.wild)


def _call(work: Callable[..., Measured], arguments: tuple[Any, ...]) -> Measured:
    return work(*arguments)


def _played(record: RiichiRecord, number: int) -> Played:
    """Return what was played in a hand, to tell a second copy of a game from a second game of the same seed."""
    hand = record.hands[number]
    return tuple((act.kind, act.seat, act.tile) for act in hand.acts)


def same_game(one: Sequence[Played], other: Sequence[Played]) -> bool:
    """Tell whether two records of one seed are of one game: their first acts agree, as far as both go."""
    first, second = (tuple(act for hand in hands for act in hand)[:TOLD] for hands in (one, other))
    return first[: len(second)] == second[: len(first)]


def parted(one: Sequence[Played], other: Sequence[Played]) -> str:
    """Say where two versions of a game part, "" where one is a cut of the other."""
    for number, (mine, its) in enumerate(zip(one, other, strict=False)):
        for place, (left, right) in enumerate(zip(mine, its, strict=False)):
            if left != right:
                return f", in a version that parts from the other in hand {number} after {place} acts,"
    return ""
