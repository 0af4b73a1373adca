"""The state of a riichi hand as it is followed: each seat's tiles and standing, the wall's counts, what is owed.

Mutable and private to the one who follows a hand (`riichi_hand`) and to those who judge its end (`riichi_end`).
"""

from dataclasses import dataclass, field

from engine.family import Fault
from engine.formats.riichi import KONGS, Act, RiichiHand, code_of
from engine.formats.tenhou_wall import LAYOUTS, Wall

WINDS = frozenset(range(27, 31))
MOST_KONGS = 4


@dataclass(slots=True)
class Side:
    """One seat of a hand in play."""

    tiles: set[int]
    melds: list[Act] = field(default_factory=list)
    river: list[int] = field(default_factory=list)
    norths: list[int] = field(default_factory=list)
    """Set aside, at a table of three."""
    called_from: bool = False
    """One of his discards was claimed."""
    riichi: int = 0
    """0 none, 1 riichi, 2 double riichi; counted once it is declared."""
    accepted: bool = False
    at_first: bool = False
    """Declared riichi in the first go-around, norths disregarded."""
    ippatsu: bool = False
    unbroken: bool = False
    """`ippatsu`, norths disregarded."""
    missed: bool = False
    """Let a winning tile pass since his last discard (for good once in riichi)."""

    @property
    def closed(self) -> bool:
        """Tell whether nothing was claimed."""
        return all(meld.kind == "concealed_kong" for meld in self.melds)


@dataclass(slots=True)
class Course:
    """A hand in play, and what was found. `phase`: draw, act, call, discarded, konged, replacement.

    A north set aside is `konged` too: it may be won like a robbed kong, else a replacement follows.
    """

    hand: RiichiHand
    wall: Wall | None
    reds: bool
    sides: list[Side]
    scores: list[int]
    turn: int
    phase: str = "draw"
    drawn: int = -1
    last: int = -1
    """The tile that may be claimed or robbed."""
    last_seat: int = -1
    draws: int = 0
    replaced: int = 0
    dora: list[int] = field(default_factory=list)
    owed_now: int = 0
    owed_later: int = 0
    """Indicators to be turned before the next draw, or before the next discard."""
    undisturbed: bool = True
    """No call and no kong yet, no north set aside."""
    uncalled: bool = True
    """The same, norths disregarded."""
    from_replacement: bool = False
    barred: frozenset[int] = frozenset()
    declaring: int = -1
    """The seat that declared riichi and has not discarded."""
    pending: int = -1
    """The seat whose riichi awaits its deposit."""
    deposits: int = 0
    first_winds: list[int] = field(default_factory=list)
    fault: Fault | None = None
    fault_place: int = 0

    def code(self, tile: int) -> str:
        """Return a tile's code."""
        return code_of(tile, reds=self.reds)

    @property
    def seats(self) -> int:
        """Return how many play."""
        return len(self.sides)

    @property
    def north_out(self) -> bool:
        """Tell whether a north was just set aside: nobody has won it yet, its replacement is not drawn."""
        return self.phase == "konged" and self.last in self.sides[self.last_seat].norths

    def kongs(self) -> list[int]:
        """Return the seat of every kong made."""
        return [seat for seat, side in enumerate(self.sides) for meld in side.melds if meld.kind in KONGS]

    @property
    def taken(self) -> int:
        """Return how many tiles were drawn, replacements included."""
        return self.draws + self.replaced

    @property
    def live(self) -> int:
        """Return how many tiles may still be drawn: 70, with three players 55."""
        return LAYOUTS[self.seats].live - self.taken
