"""The state of one hand of a trick game: private to the fold, changed in place by `flow.step`."""

from dataclasses import dataclass, field
from typing import NamedTuple

from engine.events import Body
from engine.tricks.order import Trumps
from engine.tricks.rules import TrickRules

NONE = -1
SEATS = 4
EACH = 12
"""Cards of a hand, and tricks of one."""
DEALT = SEATS * EACH
KITTY = 6


class Taken(NamedTuple):
    """A finished trick: leader, cards in playing order, who took it, its points."""

    leader: int
    cards: tuple[int, ...]
    winner: int
    points: int


@dataclass(slots=True)
class Hand:
    """One hand in play.

    `phase`: deal, bid (auction); draw, call (levels); then kitty, bury, trump, play, trick; redeal; settlement,
    ended.
    """

    rules: TrickRules
    dealer: int
    opening: bool
    """Nobody is known yet: the first bidder, or the declarers, come out of this hand's own cards."""
    order: tuple[int, ...] | None
    """Cards in dealing order; None where no seed is known."""
    phase: str
    levels: tuple[str, ...] = ()
    """Levels of the teams 0+2 and 1+3."""
    level: str = ""
    """Trump rank; "" where there are no levels."""
    ranked: int = 0
    """The cards of the trump rank."""
    held: list[int] = field(default_factory=lambda: [0] * SEATS)
    """Cards in hand, a set a seat."""
    dealt: int = 0
    """Cards out of the deck, the kitty apart."""
    turn: int = NONE
    """Who is asked, or takes the kitty."""
    first_bidder: int = NONE
    bids: list[int] = field(default_factory=list)
    """In the order made, from the first bidder on."""
    bid: int = 0
    """The bid that won the auction; 0: none."""
    caller: int = NONE
    called: int = NONE
    """The card that was shown."""
    waiting: list[int] = field(default_factory=list)
    """Seats still to be asked after the last draw (`declarers_first`)."""
    starter: int = NONE
    """Who takes the kitty, buries and leads."""
    declarers: tuple[int, ...] = ()
    suit: str = ""
    kitty: tuple[int, ...] = ()
    buried: int = 0
    todo: list[str] = field(default_factory=list)
    """What the starter still does before he leads."""
    trumps: Trumps | None = None
    trick: list[int] = field(default_factory=list)
    leader: int = NONE
    tricks: list[Taken] = field(default_factory=list)
    points: list[int] = field(default_factory=lambda: [0] * SEATS)
    """Card points taken, a seat."""
    redealt: bool = False
    settlement: Body | None = None
    payments: list[int] = field(default_factory=list)

    @property
    def last(self) -> int:
        """Return who took the last trick."""
        return self.tricks[-1].winner


def team(seat: int) -> tuple[int, ...]:
    """Return the seats of a seat's team, 0+2 or 1+3."""
    return (0, 2) if seat % 2 == 0 else (1, 3)
