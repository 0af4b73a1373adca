"""What a hand without a winner pays (`mahjong.md` 2.6)."""

from engine.mahjong.points import share
from engine.mahjong.state import Hand, Win
from engine.mahjong.worth import Score
from engine.settlement import Line


def dealer_pays(hand: Hand, winners: list[tuple[Win, Score]]) -> list[Line]:
    """Let the dealer pay each other player the share of 0 tai on a drawn hand, where the option says so (DH-34)."""
    if winners or hand.rules.drawn_hand_payment != "U0":
        return []
    amount = share(hand.rules, 0, drawn=False)
    others = hand.others(hand.dealer) if amount else []
    return [Line(hand.dealer, seat, amount, "drawn_hand", "pay.drawn_hand") for seat in others]
