"""Many games and deck files gathered into one tally a deck, in the order of the log.

Measuring and counting run on an executor, a bounded number of jobs in flight; what must see the log in order (dice,
predecessors of walls, streaks, e-values) stays here. Memory grows with the number of tables, not of deals.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from engine.audit import FEATURES, DiceRun, OpeningSummary
from viewer.batch.walls import Counts
from viewer.estimate.betting import Categories, Rate
from viewer.estimate.contrasts import Contrasts
from viewer.fairness.deck import Deck
from viewer.fairness.measured import HEAD, BlockCounts, Measured, count_rows, features_of
from viewer.fairness.observed import HandSeen, Seen
from viewer.fairness.seeds import Sample
from viewer.fairness.spool import Spool

ROWS: Final = 2048
"""Walls counted in one job."""
JOBS: Final = 16
TABLES: Final = 1 << 16
"""Tables whose last wall is remembered; beyond, the one seen longest ago is forgotten."""
VOID_BOUND: Final = 0.01
"""Void hands up to this rate are no alarm (T15)."""
WINNER_MARGIN: Final = 0.05
"""A seat may win so much more than its share, by being dealer or by skill, without an alarm (T15)."""
FEW_TILES: Final = 10
"""Fewer dealt tiles could agree by chance in a large log."""
FAULTS: Final = 100
"""Faults of each sort that are kept with their places; all are counted."""


@dataclass(slots=True)
class Fault:
    """An exact fault (T0): its code, where, and what."""

    code: str
    where: str
    what: str

    def as_json(self) -> dict[str, str]:
        """Return the fault as an object."""
        return {"code": self.code, "where": self.where, "what": self.what}


@dataclass(slots=True)
class Tally:
    """All that is counted of one deck."""

    deck: Deck
    counts: Counts
    openings: OpeningSummary = field(default_factory=OpeningSummary)
    dice: DiceRun = field(default_factory=DiceRun)
    contrasts: dict[int, Contrasts] = field(default_factory=dict)
    """By number of seats."""
    hands: int = 0
    walls: int = 0
    tables: set[int] = field(default_factory=set)
    samples: list[Sample] = field(default_factory=list)
    faces: Categories = field(default_factory=lambda: Categories("dice faces", (1 / 6,) * 6))
    wilds: dict[int, Categories] = field(default_factory=dict)
    seats: dict[tuple[int, int], Rate] = field(default_factory=dict)
    voids: Rate = field(default_factory=lambda: Rate("void hands", VOID_BOUND))


class Gathering:
    """Takes games and blocks; `finish` waits for the last counts."""

    def __init__(self, executor: Executor | None, *, classes: Mapping[str, str], samples: int) -> None:
        self.tallies: dict[tuple[Any, ...], Tally] = {}
        self.walls, self.heads, self.values = Spool(), Spool(), Spool()
        self.faults: list[Fault] = []
        self.fault_counts: Counter[str] = Counter()
        self.unchecked: Counter[str] = Counter()
        self.games = 0
        self.gaps: list[str] = []
        """Hands that are missing within games."""
        self._executor = executor
        self._classes = classes
        self._samples = samples
        self._waiting: deque[tuple[Tally, Future[Counts]]] = deque()
        self._rows: dict[int, _Rows] = {}

    def close(self) -> None:
        """Remove the temporary files."""
        for spool in (self.walls, self.heads, self.values):
            spool.close()

    def fault(self, code: str, where: str, what: str) -> None:
        """Note an exact fault."""
        self.fault_counts[code] += 1
        if self.fault_counts[code] <= FAULTS:
            self.faults.append(Fault(code, where, what))

    def tally(self, deck: Deck) -> Tally:
        """Return the tally of a deck."""
        key = (deck.ids, deck.copies, deck.layout)
        found = self.tallies.get(key)
        if found is None:
            found = self.tallies[key] = Tally(deck, Counts.none(deck.n))
        return found

    # --- games ---------------------------------------------------------------------------------------------------

    def take(self, game: Measured, wild: str) -> None:
        """Add a measured game."""
        seen = game.seen
        self.games += 1
        for what, value, seq in seen.uses:
            self.values.add(what.encode() + b"\x00" + value, f"{seen.game} event {seq} ({what})")
        if seen.why:
            self.unchecked[f"no walls of some games: {seen.why}"] += 1
        if not seen.deck or not seen.hands:
            return
        tally = self.tally(Deck.of(seen.deck, layout=seen.layout, wild=wild))
        tally.openings += game.openings
        tally.tables.add(hash(seen.table))
        numbers = [hand.hand for hand in seen.hands]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))) or (numbers[0] and seen.uses):
            self.gaps.append(f"{seen.game}: hands {numbers[:20]}")
        streaks = [0] * len(seen.players)
        for hand, worth, surplus in zip(seen.hands, game.worth, game.surplus, strict=True):
            self._hand(tally, seen, hand, surplus)
            if worth:
                self._contrast(tally, seen, hand, worth, streaks)
                self._watch_wilds(tally, worth)
            self._watch(tally, seen, hand)
            _follow(streaks, hand)

    def _hand(self, tally: Tally, seen: Seen, hand: HandSeen, surplus: str) -> None:
        where = f"{seen.game} hand {hand.hand}"
        tally.hands += 1
        if hand.fault:
            self.fault("not_the_wall", where, hand.fault)
        if surplus:
            self.fault("surplus_tile", where, f"more {surplus} were dealt than the deck has")
        for throw in hand.throws:
            tally.dice.throw(throw)
        if hand.wall is None:
            codes = [tile for tiles in hand.opening for tile in tiles]
            if len(codes) >= FEW_TILES:
                self.heads.add(" ".join(codes).encode(), f"{where} (dealt tiles)")
            return
        if sorted(hand.wall) != list(range(tally.deck.n)):
            self.fault("not_the_deck", where, "the wall is not the deck")
            return
        self.walls.add(hand.wall, where)
        if tally.deck.n > HEAD:
            self.heads.add(hand.wall[:HEAD], f"{where} (first {HEAD} tiles)")
        if len(tally.samples) < self._samples and (not tally.samples or hand.hand == 0):
            tally.samples.append(Sample(where, tuple(hand.wall), hand.at or None))
        self._wall(tally, hand.wall, seen.table)

    def _wall(self, tally: Tally, wall: bytes, table: str) -> None:
        rows = self._rows.get(id(tally))
        if rows is None:
            rows = self._rows[id(tally)] = _Rows(tally.deck.n)
        rows.add(wall, table)
        tally.walls += 1
        if len(rows.walls) >= ROWS:
            self._count(tally, rows)

    def _count(self, tally: Tally, rows: "_Rows") -> None:
        walls, at_table, in_log = rows.taken()
        if self._executor is None:
            tally.counts += count_rows(tally.deck, walls, at_table, in_log)
            return
        self._waiting.append((tally, self._executor.submit(count_rows, tally.deck, walls, at_table, in_log)))
        while len(self._waiting) > JOBS:
            self._collect()

    def _collect(self) -> None:
        tally, counted = self._waiting.popleft()
        tally.counts += counted.result()

    def finish(self) -> None:
        """Count what is left and wait for it."""
        for tally in self.tallies.values():
            rows = self._rows.get(id(tally))
            if rows is not None and rows.walls:
                self._count(tally, rows)
        while self._waiting:
            self._collect()

    def _contrast(self, tally: Tally, seen: Seen, hand: HandSeen, worth: list[list[int]], streaks: list[int]) -> None:
        players = len(worth)
        contrasts = tally.contrasts.get(players)
        if contrasts is None:
            contrasts = tally.contrasts[players] = Contrasts(players, features_of(tally.deck))
        by_seat = [worth[(seat - hand.dealer) % players] for seat in range(players)]
        worn = {
            "seat": [str(seat) for seat in range(players)],
            "class": [self._classes.get(player, kind) for player, kind in zip(seen.players, seen.kinds, strict=True)],
            "streak": [_streak_name(streak) for streak in streaks],
        }
        contrasts.take(np.array(by_seat, np.int64), worn)

    def _watch_wilds(self, tally: Tally, worth: list[list[int]]) -> None:
        deck = tally.deck
        marked = deck.groups.get("wild")
        if marked is None or not any(marked):
            return
        assert deck.layout is not None
        for place, values in enumerate(worth):
            stream = tally.wilds.get(place)
            if stream is None:
                ways = FEATURES[0].ways(marked, deck.layout.least)
                total = sum(ways.values())
                chances = tuple(count / total for count in ways.values())
                stream = tally.wilds[place] = Categories(f"wild tiles, place {place} from the dealer", chances)
            stream.take(values[0])

    def _watch(self, tally: Tally, seen: Seen, hand: HandSeen) -> None:
        for throw in hand.throws:
            for face in throw:
                tally.faces.take(face - 1)
        tally.voids.take(hit=hand.voided)
        players = len(seen.players)
        if hand.voided or not hand.payments:
            return
        for seat in range(players):
            stream = tally.seats.get((players, seat))
            if stream is None:
                bound = 1 / players + WINNER_MARGIN
                stream = tally.seats[players, seat] = Rate(f"wins of seat {seat} of {players}", bound)
            stream.take(hit=bool(hand.winners) and hand.winners[0] == seat)

    # --- deck files ----------------------------------------------------------------------------------------------

    def take_block(self, tally: Tally, name: str, block: BlockCounts, at: int | None) -> None:
        """Add a counted block of a deck file."""
        for line, why in block.faults:
            self.fault("not_the_deck", f"{name} line {line}", why)
        tally.hands += block.deals
        tally.walls += block.deals
        tally.tables.add(hash(name))
        tally.counts += block.counts
        tally.openings += block.openings
        self.walls.add_lines(block.digests, name, block.lines)
        if block.heads:
            self.heads.add_lines(block.heads, name, block.lines)
        for line, wall in block.sample:
            if len(tally.samples) < self._samples:
                tally.samples.append(Sample(f"{name} line {line}", tuple(wall), at))


class _Rows:
    """Walls waiting to be counted, with their predecessors."""

    def __init__(self, n: int) -> None:
        self.walls: list[bytes] = []
        self._at_table: list[bytes] = []
        self._in_log: list[bytes] = []
        self._none = bytes(n)
        self._before = self._none
        self._last: OrderedDict[str, bytes] = OrderedDict()

    def add(self, wall: bytes, table: str) -> None:
        """Add the next wall of the log."""
        self.walls.append(wall)
        self._in_log.append(self._before)
        self._at_table.append(self._last.get(table, self._none))
        self._before = self._last[table] = wall
        self._last.move_to_end(table)
        if len(self._last) > TABLES:
            self._last.popitem(last=False)

    def taken(self) -> tuple[bytes, bytes, bytes]:
        """Return the waiting rows and forget them."""
        found = b"".join(self.walls), b"".join(self._at_table), b"".join(self._in_log)
        self.walls, self._at_table, self._in_log = [], [], []
        return found


def _follow(streaks: list[int], hand: HandSeen) -> None:
    """Count wins and losses in a row for each seat: what the next hand is dealt after."""
    for seat in range(len(streaks)):
        paid = hand.payments.get(seat, 0)
        if paid > 0:
            streaks[seat] = max(streaks[seat], 0) + 1
        elif paid < 0:
            streaks[seat] = min(streaks[seat], 0) - 1


def _streak_name(streak: int) -> str:
    if not streak:
        return ""
    word = "win" if streak > 0 else "loss"
    return f"after a {word}" if abs(streak) == 1 else f"after {word} streak"
