"""What is seen of a card game's state: cards in hand, the trick on the table, roles, bids and bets.

Part of the reducer (`frames`), for the families `tricks` and `banker`.
"""

from collections.abc import Sequence

from engine.banker.hand import BULLS, codes, split
from engine.banker.state import Hand as BankerHand
from engine.cards import CARDS
from engine.tricks.state import NONE
from engine.tricks.state import Hand as TrickHand
from viewer import words
from viewer.translate import Text, bilingual, pbilingual
from viewer.views import DiscardView, SeatView

SUITS = "SHCD"
RANKS = "AKQJT98765432"


def in_order(codes: list[str]) -> list[str]:
    """Return cards as one holds them: jokers, then suit by suit, the highest first."""
    return sorted(codes, key=lambda code: (-1, code) if code[1] == "J" and code[0] in "BS" else _place(code))


def _place(code: str) -> tuple[int, str]:
    return SUITS.index(code[1]), chr(ord("a") + RANKS.index(code[0]))


def trick_seat(hand: TrickHand, number: int) -> SeatView:
    """Return a seat of a trick game: its cards, its card in the trick on the table, its role and points taken."""
    held = [code for position, code in enumerate(CARDS) if hand.held[number] >> position & 1]
    view: SeatView = {"wind": "", "hand": in_order(held), "melds": [], "flowers": [], "discards": _trick(hand, number)}
    note = _role(hand, number)
    if hand.points[number]:
        taken = bilingual("{points} taken", points=hand.points[number])
        note = _joined([note, taken]) if note else taken
    if note:
        view["note"] = note
    return view


def _role(hand: TrickHand, number: int) -> Text | None:
    if number == hand.starter or number in hand.declarers:
        return bilingual("declarer")
    return None


def _trick(hand: TrickHand, number: int) -> list[DiscardView]:
    """Return the seat's card in the trick being played, else in the one just taken."""
    count = len(hand.held)
    if hand.trick:
        cards, leader, winner = tuple(hand.trick), hand.leader, NONE
    elif hand.tricks:
        last = hand.tricks[-1]
        cards, leader, winner = last.cards, last.leader, last.winner
    else:
        return []
    at = (number - leader) % count
    if at >= len(cards):
        return []
    view: DiscardView = {"tile": CARDS[cards[at]]}
    if number == winner:
        view["won"] = True
    return [view]


def contract(hand: TrickHand) -> Text | None:
    """Return trump, bid and levels as far as they are known."""
    parts: list[Text] = []
    if hand.suit:
        parts.append(bilingual("trump {suit}", suit=words.term("suits", hand.suit)))
    if hand.bid:
        parts.append(bilingual("bid {bid}", bid=hand.bid))
    if hand.level:
        parts.append(pbilingual("rank of trumps", "level {level}", level=hand.level))
    return _joined(parts) if parts else None


def _joined(parts: Sequence[Text]) -> Text:
    return {"en": " · ".join(part["en"] for part in parts), "zh": " · ".join(part["zh"] for part in parts)}


def banker_seat(hand: BankerHand, number: int) -> SeatView:
    """Return a seat of a banker game: its cards, whether it holds the bank, its bid and bet."""
    view: SeatView = {
        "wind": "",
        "hand": [CARDS[card] for card in hand.cards[number]],
        "melds": [],
        "flowers": [],
        "discards": [],
    }
    if hand.phase in {"settlement", "ended"} and hand.values:
        view["note"] = _measured(hand, number)
    elif number == hand.banker:
        view["note"] = bilingual("banker ×{bid}", bid=hand.bid)
    elif number in hand.escaped:
        view["note"] = words.term("bulls", "escaped")
    elif number in hand.bets:
        view["note"] = bilingual("bet {amount}", amount=hand.bets[number])
    elif number in hand.bids and hand.banker == NONE:
        view["note"] = pbilingual("for the bank", "bid {bid}", bid=hand.bids[number])
    return view


def _measured(hand: BankerHand, number: int) -> Text:
    """Return what a hand shown is worth, and the three cards that make its bull."""
    value = hand.values[number]
    name = words.term("bulls", value.kind)
    parts = split(value.cards) if value.kind in BULLS else None
    three = f" {' '.join(codes(parts[0]))}" if parts is not None else ""
    worth = bilingual("{bull} ×{factor}{cards}", bull=name, factor=value.multiplier, cards=three)
    return bilingual("bank: {worth}", worth=worth) if number == hand.banker else worth
