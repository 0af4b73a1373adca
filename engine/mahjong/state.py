"""The state of one hand: seats, melds, windows. Private to the fold; a snapshot is a deep copy."""

from dataclasses import dataclass, field
from typing import NamedTuple

from engine.cards import FLOWERS
from engine.mahjong.hand import POWER, SUIT, need
from engine.mahjong.rules import MahjongRules
from engine.mahjong.wall import Wall

NONE = -1
"""No tile, no seat."""
MOST_SEATS = 4
RED = 31
THROWS = 2
"""Throws of the dice before a hand (0.4)."""


class Meld(NamedTuple):
    """A set on the table. `tiles` came from the hand, `claimed` from seat `source` (NONE for a concealed kong)."""

    kind: str
    tiles: tuple[int, ...]
    claimed: int = NONE
    source: int = NONE

    @property
    def whole(self) -> tuple[int, ...]:
        """Return all tiles of the set, ascending."""
        return tuple(sorted((*self.tiles, self.claimed))) if self.claimed != NONE else self.tiles

    @property
    def is_kong(self) -> bool:
        """Tell whether the set has four tiles."""
        return self.kind in {"direct_kong", "added_kong", "concealed_kong"}


class Discard(NamedTuple):
    """A tile on the table: as drawn or from the hand, and who claimed it (NONE: nobody)."""

    tile: int
    drawn: bool
    claimed_by: int = NONE


@dataclass(slots=True)
class Side:
    """One seat's tiles. `counts` and `keys` are the concealed tiles without flowers; `held` unexposed flowers."""

    counts: list[int] = field(default_factory=lambda: [0] * FLOWERS)
    keys: list[int] = field(default_factory=lambda: [0] * 4)
    held: list[int] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    melds: list[Meld] = field(default_factory=list)
    discards: list[Discard] = field(default_factory=list)
    draws: int = 0
    pung_locks: set[int] = field(default_factory=set)
    win_lock: bool = False
    win_locks: set[int] = field(default_factory=set)
    """Kinds that alone are locked, with `pass_win_lock = same_tile`."""
    wild: int = NONE
    """The wild kind; `counts` hold wild tiles, `keys` do not."""
    wilds: int = 0
    """How many wild tiles are concealed."""
    odd: int = 0
    """Bit k: the number of natural concealed tiles of kind k is odd (kept by `Versatile` alone)."""
    lacking: int = NONE
    """What `lack` last said, NONE once the tiles have changed."""

    def add(self, tile: int) -> None:
        """Take a tile into the hand."""
        if tile >= FLOWERS:
            self.held.append(tile)
            return
        self.counts[tile] += 1
        self.keys[SUIT[tile]] += POWER[tile]
        self.lacking = NONE

    def remove(self, tile: int) -> None:
        """Take a tile, not a flower, out of the hand."""
        self.counts[tile] -= 1
        self.keys[SUIT[tile]] -= POWER[tile]
        self.lacking = NONE

    def lack(self) -> int:
        """Return how many wilds would complete the concealed tiles, none being among them; 1 is a hand that waits."""
        m, p, s, z = self.keys
        self.lacking = lacking = need(m, p, s, z)
        return lacking

    def unlock(self) -> None:
        """End what a declined claim has locked (2.3)."""
        self.win_lock = False
        if self.pung_locks:
            self.pung_locks.clear()
        if self.win_locks:
            self.win_locks.clear()

    def size(self) -> int:
        """Return how many tiles are concealed, flowers among them."""
        return sum(self.counts) + len(self.held)


class Versatile(Side):
    """A side that may be complete with wild tiles or in another shape than four melds and a pair."""

    __slots__ = ()

    def add(self, tile: int) -> None:
        """Take a tile into the hand."""
        if tile >= FLOWERS:
            self.held.append(tile)
            return
        self.counts[tile] += 1
        if tile == self.wild:
            self.wilds += 1
            return
        self.keys[SUIT[tile]] += POWER[tile]
        self.odd ^= 1 << tile

    def remove(self, tile: int) -> None:
        """Take a tile, not a flower, out of the hand."""
        self.counts[tile] -= 1
        if tile == self.wild:
            self.wilds -= 1
            return
        self.keys[SUIT[tile]] -= POWER[tile]
        self.odd ^= 1 << tile


class Options(NamedTuple):
    """What a seat may answer in a window, beside pass; chows are pairs of kinds from the hand."""

    win: bool
    kong: bool
    pung: bool
    chows: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Window:
    """A claim window: the tile, who played it, where in the log, and the answers so far."""

    tile: int
    source: int
    to: int
    robbing: bool
    last: bool
    """The discard after which nothing can be drawn."""
    options: dict[int, Options]
    answers: dict[int, tuple[str, tuple[int, ...]]] = field(default_factory=dict)


class Win(NamedTuple):
    """A win as settlement sees it. `counts` are the concealed tiles with the winning tile."""

    seat: int
    tile: int
    by: str
    source: int
    occasion: str
    counts: tuple[int, ...]
    kong: str = ""
    """Kind of the kong whose replacement won (kong_bloom, or a flower that was one)."""
    kong_source: int = NONE
    last: bool = False
    """Whether nothing could be drawn any more when the winning tile was played or drawn."""


@dataclass(slots=True)
class Opening:
    """Where the opening flower rounds stand (2.2): whose turn, what he still exposes in this pass."""

    step: int = 0
    queue: list[int] = field(default_factory=list)
    started: bool = False
    filled: int = NONE
    """The tile that the dealer drew last in place of a flower."""


@dataclass(slots=True)
class Hand:
    """One hand in play."""

    rules: MahjongRules
    dealer: int
    round_wind: int
    """Kind of the round wind."""
    order: tuple[int, ...] | None
    """Kinds in the order of the shuffled deck, or None where no seed is known."""
    dice: tuple[int, ...] | None
    """The values the deal protocol gives, all throws in a row; None where no seed is known."""
    sides: list[Side]
    fed: list[list[int]]
    """fed[claimer][feeder]: chows, pungs and direct kongs taken in this hand."""
    wall: Wall
    phase: str = "dice"
    thrown: list[tuple[int, ...]] = field(default_factory=list)
    dealt: int = 0
    opening: Opening = field(default_factory=Opening)
    turn: int = NONE
    drawn: int = NONE
    """Tile of the last `drawn` in this turn; NONE before one, and in the dealer's first turn."""
    fresh: bool = False
    """Whether a tile was drawn in this turn (true in the dealer's first)."""
    source: str = "head"
    """Where the last tile came from: deal, head, flower, kong."""
    kong: str = ""
    kong_source: int = NONE
    kongs: int = 0
    replaced: int = 0
    """Flowers replaced so far."""
    pending_kong: int = NONE
    """Tile of an added kong that may still be robbed."""
    claimed_any: bool = False
    kong_any: bool = False
    fed_runs: list[list[int]] = field(default_factory=lambda: [[0] * MOST_SEATS for _ in range(MOST_SEATS)])
    """The chows among `fed`."""
    established: list[tuple[int, int]] = field(default_factory=list)
    """Pairs (claimer, feeder) in the order in which their claims reached the liability threshold."""
    banned: frozenset[int] = frozenset()
    """Kinds that may not be discarded now (swap ban)."""
    window: Window | None = None
    claim: tuple[int, str, tuple[int, ...]] | None = None
    wins: list[Win] = field(default_factory=list)
    announced: int = 0
    drawn_reason: str = ""
    payments: list[int] = field(default_factory=list)
    settlement: object = None
    wide: bool = False
    """Whether sides are `Versatile`."""
    special: tuple[str, ...] = ()
    """Names of the winning shapes beside the standard one."""
    wild: int = NONE
    """The wild kind, once it is known."""
    wild_drawn: int | None = None
    """The number that the deal protocol's wild stream gives; None where rules draw none or no seed is known."""
    indicator: int = NONE
    """The tile turned up and taken out of the wall, NONE where there is none."""
    streak: int = 0
    """How many hands the dealer has kept the deal before this one (3.9)."""
    ga: list[int] = field(default_factory=list)
    """Ga of each seat, NONE before it has chosen."""
    least_ga: tuple[int, ...] = ()
    """What each seat must choose at least (3.2)."""

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return len(self.sides)

    def others(self, seat: int) -> list[int]:
        """Return the other seats, from the next one on."""
        return [(seat + step) % len(self.sides) for step in range(1, len(self.sides))]


def reserved(hand: Hand) -> int:
    """Return how many tiles of the wall are never drawn, as things stand (0.6)."""
    rules = hand.rules
    floor = rules.reserve
    if hand.kongs:
        floor += (rules.reserve_per_kong + rules.kong_extends_dead_wall) * hand.kongs
    return floor + hand.replaced if rules.reserve_per_flower else floor


def can_draw(hand: Hand) -> bool:
    """Tell whether a draw, a flower's replacement or a kong is possible now (0.6, LH-11 to LH-14)."""
    if not hand.kongs and not hand.replaced:
        return hand.wall.left > hand.rules.reserve  # `reserved`, of most draws
    return hand.wall.left > reserved(hand)


def start(
    rules: MahjongRules,
    dealer: int,
    round_wind: int,
    order: tuple[int, ...] | None,
    dice: tuple[int, ...] | None,
) -> Hand:
    """Return a hand before its first event."""
    n = rules.players
    hand = Hand(
        rules=rules,
        dealer=dealer,
        round_wind=round_wind,
        order=order,
        dice=dice,
        sides=[Versatile() if rules.wide else Side() for _ in range(n)],
        fed=[[0] * n for _ in range(n)],
        wall=Wall(None, rules.size, rules.wall_tail_order),
        ga=[NONE if rules.ga else 0] * n,
        least_ga=(0,) * n,
        wide=rules.wide,
        special=rules.special_shapes,
    )
    if rules.wild == "red":
        turn_wild(hand, RED)
    hand.phase = next_phase(hand)
    return hand


def turn_wild(hand: Hand, wild: int) -> None:
    """Make a kind wild, before any tile is dealt."""
    hand.wild = wild
    for side in hand.sides:
        side.wild = wild


def next_phase(hand: Hand) -> str:
    """Return what comes next before the deal: ga, dice, wild, then the deal itself (events.md, Order)."""
    rules = hand.rules
    if NONE in hand.ga:
        return "ga"
    if rules.wall_break == "dice" and len(hand.thrown) < THROWS:
        return "dice"
    return "wild" if rules.wild == "random" and hand.wild == NONE else "deal"
