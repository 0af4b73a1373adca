"""One model for records of riichi mahjong, whatever format they came in.

Tiles are ids 0..135: id // 4 is the kind in Tenhou's order (1-9 characters, circles, bamboos, E S W N, white, green,
red), id % 4 the copy; copy 0 of a five is red where the rules have reds. A format that does not tell copies apart
gets them in order of appearance. Amounts are points. `place` is the line or tag of the source, for findings.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

SEATS = 4
CODES = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)), "E", "S", "W", "N", "P", "F", "C",
)  # fmt: skip
"""Tile codes of ours by Tenhou's kind: the order of the dragons differs from our own."""
KIND = {code: kind for kind, code in enumerate(CODES)}
RED = {16: "0m", 52: "0p", 88: "0s"}
RED_ID = {code: tile for tile, code in RED.items()}
HANCHAN, NO_RED, NO_OPEN_TANYAO, THREE = 0x08, 0x02, 0x04, 0x10
START = 25_000
STARTS = {3: 35_000, 4: START}
"""Points to begin with, by the number of players."""
NORTH = 30
"""The kind that a table of three sets aside, for a dora each."""

Kind = Literal["draw", "discard", "chow", "pung", "direct_kong", "concealed_kong", "added_kong", "north", "riichi",
               "deposit", "dora", "away", "back"]  # fmt: skip
CALLS = frozenset({"chow", "pung", "direct_kong"})
KONGS = frozenset({"direct_kong", "concealed_kong", "added_kong"})


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that happened. `tiles`: a meld's tiles, all of them, ascending; `claimed` the one called or added."""

    kind: Kind
    seat: int = -1
    tile: int = -1
    tiles: tuple[int, ...] = ()
    claimed: int = -1
    source: int = -1
    """Who discarded what was claimed (of an added kong: of its pung)."""
    scores: tuple[int, ...] = ()
    """After a deposit; empty where the format does not say."""
    place: int = 0


@dataclass(frozen=True, slots=True)
class Win:
    """One winner as recorded. What a format does not say is None (or empty where noted)."""

    seat: int
    source: int
    """The discarder, or the winner himself."""
    deltas: tuple[int, ...]
    """Empty where the format gives only the sum of all winners (`RiichiHand.payments`)."""
    tile: int | None = None
    fu: int | None = None
    points: int | None = None
    limit: int | None = None
    """0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman."""
    yaku: tuple[tuple[int, int], ...] | None = None
    """Tenhou's number of each pattern with its han; dora 52, inside dora 53, red 54."""
    yakuman: tuple[int, ...] = ()
    dora: tuple[int, ...] | None = None
    ura: tuple[int, ...] | None = None
    hand: tuple[int, ...] | None = None
    """The concealed tiles with the winning one, ascending."""
    melds: tuple[Act, ...] | None = None
    liable: int | None = None
    counters: tuple[int, int] | None = None
    """Honba and deposits that this winner takes."""
    before: tuple[int, ...] | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """A hand without a winner.

    `reason`: exhausted, nagashi, nine_terminals, four_winds, four_riichi, four_kongs, three_rons, "" where the format
    does not say; `shown`: hands shown, None where it does not say.
    """

    reason: str
    deltas: tuple[int, ...]
    shown: dict[int, tuple[int, ...]] | None = None
    counters: tuple[int, int] | None = None
    before: tuple[int, ...] | None = None
    place: int = 0


@dataclass(slots=True)
class RiichiHand:
    """One hand: how it started, what happened, how it ended (neither: the record is cut off)."""

    round: int
    """0-3 East, 4-7 South, 8-11 West."""
    honba: int
    deposits: int
    dealer: int
    scores: tuple[int, ...]
    dora: int
    hands: tuple[tuple[int, ...], ...]
    """Each seat's 13 tiles."""
    dice: tuple[int, int] | None = None
    """0..5 each."""
    shuffle: str = ""
    """The hand's own seed, as Tenhou wrote it until 2009."""
    acts: list[Act] = field(default_factory=list)
    wins: list[Win] = field(default_factory=list)
    drawn: Drawn | None = None
    payments: tuple[int, ...] | None = None
    """What all winners' changes add up to, where the format does not give each one's."""
    ended_scores: tuple[int, ...] | None = None
    """Scores after the hand, where the format states them here."""
    after: list[Act] = field(default_factory=list)
    """Who went away or came back between this hand and the next."""
    next: dict[str, Any] | None = None
    """What the format says here of the next hand: dealer, round_wind, streak."""
    place: int = 0

    def changes(self) -> tuple[int, ...]:
        """Return what the end of the hand changes, deposits taken included."""
        if self.payments is not None:
            return self.payments
        if self.drawn is not None:
            return self.drawn.deltas
        return tuple(sum(win.deltas[seat] for win in self.wins) for seat in range(len(self.scores)))


@dataclass(frozen=True, slots=True)
class Problem:
    """What a reader could not take: tag or line, its text, and why."""

    place: int
    text: str
    why: str


@dataclass(slots=True)
class RiichiRecord:
    """A whole game (or the first part of one)."""

    names: tuple[str, ...]
    type: int = 0x09
    """Tenhou's bits: 8 hanchan, 2 no reds, 4 no open tanyao, 16 three players; the others are room and speed."""
    seed: str = ""
    lobby: str | None = None
    before: list[Act] = field(default_factory=list)
    """Who went away or came back before the first hand."""
    hands: list[RiichiHand] = field(default_factory=list)
    final: tuple[int, ...] | None = None
    """Scores at the end, leftover deposits paid out."""
    results: tuple[int, ...] | None = None
    """Final results in tenths, placing bonus included."""
    ended: bool | None = False
    """The record says that the game is over; None: its format does not say."""
    about: dict[str, dict[str, str]] = field(default_factory=dict)
    """What the source says of the players and the table and nobody can check, by tag."""
    problems: list[Problem] = field(default_factory=list)

    @property
    def seats(self) -> int:
        """Return how many play: a table of three has three names."""
        return 3 if self.type & THREE and len(self.names) == SEATS - 1 else SEATS

    @property
    def reds(self) -> bool:
        """Tell whether copy 0 of a five is red."""
        return not self.type & NO_RED


def code_of(tile: int, *, reds: bool) -> str:
    """Return a tile's code, `0m` and so on for a red five."""
    return RED[tile] if reds and tile in RED else CODES[tile // 4]
