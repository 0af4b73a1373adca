"""The state of one hand of Niuniu, and the plan of phases that its banker mode walks (`cards.md`, "Order of play")."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.banker.hand import HAND, Value
from engine.banker.rules import BankerRules
from engine.banker.stakes import amounts, can_bank
from engine.cards import CARDS
from engine.events import Body
from engine.family import Setting
from engine.shuffle import Deal, HandKeys

NONE: Final = -1

_DEALER_KEEPS: Final = ("banker", "bet", "deal", "show", "settlement", "ended")
_BIDS_FIRST: Final = ("bid", *_DEALER_KEEPS)
_CARDS_FIRST: Final = ("deal", *_BIDS_FIRST)
PLANS: Final[dict[str, tuple[str, ...]]] = {
    "asked": _BIDS_FIRST,
    "free_bid": _BIDS_FIRST,
    "fixed_owner": _DEALER_KEEPS,
    "rotate": _DEALER_KEEPS,
    "bull_takes": _DEALER_KEEPS,
    "see3_bid": _CARDS_FIRST,
    "see4_bid": _CARDS_FIRST,
    "none": ("deal", "show", "settlement", "ended"),
}
"""The phases of a hand by banker mode."""
SEEN: Final[dict[str, int]] = {"see3_bid": 3, "see4_bid": 4}
"""Cards dealt before the bids."""


@dataclass(slots=True)
class Hand:
    """One hand in play. Lists are by seat; cards are deck positions."""

    rules: BankerRules
    players: int
    dealer: int
    order: tuple[int, ...] | None
    """The cards in dealing order, or None where no seed is known."""
    keys: HandKeys | None
    """The hand's streams, of which `bid` draws the banker; None where no seed is known."""
    able: list[bool]
    """Who may take the bank (solvency)."""
    allowed: list[tuple[int, ...]]
    """The bets that each seat may place, ascending."""
    pushers: tuple[int, ...]
    """Who may push in this hand (推注)."""
    plan: tuple[str, ...]
    place: int = 0
    phase: str = ""
    cards: list[list[int]] = field(default_factory=list)
    dealt: int = 0
    """`dealt` events so far in this round of dealing."""
    size: int = HAND
    """Cards a seat gets in this round of dealing."""
    bids: dict[int, int] = field(default_factory=dict)
    banker: int = NONE
    bid: int = 1
    """The bid that counts."""
    bets: dict[int, int] = field(default_factory=dict)
    escaped: list[int] = field(default_factory=list)
    """Who escaped, in order of escape; the banker last, where he did."""
    values: list[Value] = field(default_factory=list)
    """The hands measured, once all cards are dealt."""
    shown: int = 0
    """`shown` events so far."""
    payments: Sequence[int] = ()
    settlement: Body | None = None

    @property
    def fled(self) -> bool:
        """Tell whether the banker escaped: no hands are compared."""
        return self.banker in self.escaped

    def from_dealer(self) -> list[int]:
        """Return the seats in order from the dealer."""
        return [(self.dealer + step) % self.players for step in range(self.players)]

    def advance(self) -> None:
        """Go on to the next phase of the plan."""
        self.place += 1
        self.phase = self.plan[self.place]


def start(rules: BankerRules, dealer: int, deal: Deal | None, setting: Setting, pushers: tuple[int, ...]) -> Hand:
    """Return a hand before its first event."""
    n = setting.players
    plan = PLANS[rules.banker]
    capped = rules.cap_by_balance and setting.start_points != 0
    able = [can_bank(rules, score, n) for score in setting.scores] if capped else [True] * n
    if capped or pushers:
        allowed = [
            amounts(rules, score if capped else None, push=seat in pushers) for seat, score in enumerate(setting.scores)
        ]
    else:
        allowed = [amounts(rules, None, push=False)] * n
    return Hand(
        rules=rules,
        players=n,
        dealer=dealer,
        order=deal.wall[: n * HAND] if deal is not None else None,
        keys=deal.keys if deal is not None else None,
        able=able,
        allowed=allowed,
        pushers=pushers,
        plan=plan,
        phase=plan[0],
        cards=[[] for _ in range(n)],
        size=SEEN.get(rules.banker, HAND),
    )


def given_codes(hand: Hand, seat: int) -> list[str] | None:
    """Return the cards that a seat gets in this round of dealing; None where no seed is known.

    Card k of the shuffled deck goes to seat (dealer + k) mod n, one at a time.
    """
    if hand.order is None:
        return None
    first = len(hand.cards[seat])
    place = (seat - hand.dealer) % hand.players
    return [CARDS[card] for card in hand.order[place :: hand.players][first : first + hand.size]]
