"""The events of card games: Niuniu and the trick games."""

from typing import Annotated, Literal

from engine.vocabulary.base import Card, Count, Decision, Envelope, Name, Present, Seat


class Bid(Decision):
    """A bid; 0 is a pass (Niuniu, three-against-one)."""

    type: Literal["bid"] = "bid"
    seat: Seat
    bid: Count


class Banker(Envelope):
    """Who holds the bank (Niuniu)."""

    type: Literal["banker"] = "banker"
    seat: Seat
    bid: Count


class Bet(Decision):
    """A stake against the bank (Niuniu)."""

    type: Literal["bet"] = "bet"
    seat: Seat
    amount: Count


class Shown(Envelope):
    """A hand shown with its bull (Niuniu)."""

    type: Literal["shown"] = "shown"
    seat: Seat
    cards: tuple[Card, ...]
    bull: Name


class Escaped(Decision):
    """A seat left during a hand (Niuniu)."""

    type: Literal["escaped"] = "escaped"
    seat: Seat


class Called(Decision):
    """A declaration while drawing; without a card a pass (forty)."""

    type: Literal["called"] = "called"
    seat: Seat
    card: Annotated[Card | None, Present] = None


class Kitty(Envelope):
    """The kitty goes to a seat; `suit` where the turned card decides the trump."""

    type: Literal["kitty"] = "kitty"
    seat: Seat
    cards: tuple[Card, ...]
    suit: Annotated[Literal["S", "H", "C", "D"] | None, Present] = None


class Buried(Decision):
    """Cards put away from the hand."""

    type: Literal["buried"] = "buried"
    seat: Seat
    cards: tuple[Card, ...]


class Trump(Decision):
    """The trump suit."""

    type: Literal["trump"] = "trump"
    seat: Seat
    suit: Literal["S", "H", "C", "D"]


class Played(Decision):
    """A card played to a trick."""

    type: Literal["played"] = "played"
    seat: Seat
    card: Card


class Trick(Envelope):
    """Who took the trick, and its points."""

    type: Literal["trick"] = "trick"
    winner: Seat
    points: Count
