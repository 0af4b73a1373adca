"""Declaring while the cards are drawn, and the kitty that decides where nobody did (`cards.md`, Declaring)."""

from collections.abc import Sequence

from engine.tricks.order import RANK_OF, SUIT_OF, SUITS
from engine.tricks.rules import LevelRules
from engine.tricks.state import NONE, SEATS, Hand, team


def may_call(hand: Hand, rules: LevelRules, seat: int) -> bool:
    """Tell whether a seat is asked after its own draw: it holds the trump rank and nobody has called.

    With `declarers_first` the attackers wait, except in a first hand, where nobody is a declarer yet.
    """
    if hand.called != NONE or not hand.held[seat] & hand.ranked:
        return False
    return rules.who_may_declare == "anyone" or hand.opening or seat in hand.declarers


def late_callers(hand: Hand, rules: LevelRules) -> list[int]:
    """Return the attackers who are asked after the last card, in order from the starter (`declarers_first`)."""
    if rules.who_may_declare == "anyone" or hand.opening or hand.called != NONE:
        return []
    seats = [(hand.dealer + step) % SEATS for step in range(SEATS)]
    return [seat for seat in seats if seat not in hand.declarers and hand.held[seat] & hand.ranked]


def turned(cards: Sequence[int], ranked: int) -> str:
    """Return the suit that the turned kitty decides: the first card of the trump rank, else the highest, ace high.

    Cards are turned from the first on; jokers have no suit; of equal cards the earliest decides.
    """
    for card in cards:
        if ranked >> card & 1:
            return SUITS[SUIT_OF[card]]
    suited = [card for card in cards if SUIT_OF[card] != NONE]
    return SUITS[SUIT_OF[max(suited, key=lambda card: RANK_OF[card])]]


def settle_starter(hand: Hand) -> None:
    """Set who takes the kitty and who declares, once the drawing is over.

    First hand: the caller, or the dealer where nobody called (`first_starter = dealer`), and his team.
    """
    hand.starter = hand.dealer
    if hand.opening:
        if hand.caller != NONE:
            hand.starter = hand.caller
        hand.declarers = team(hand.starter)
