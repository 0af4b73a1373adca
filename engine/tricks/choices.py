"""What a seat may decide now: every option in a fixed order, the time-out's choice, and the option a record names.

Legality has one source here and in `faults`, which says why something is no option; a test holds the two together.
"""

from collections.abc import Sequence

from engine.cards import CARD_INDEX, CARDS
from engine.events import Body, Record
from engine.tricks import auction
from engine.tricks.burying import Burials
from engine.tricks.order import SUIT_OF, SUITS, followers, members
from engine.tricks.rules import AuctionRules
from engine.tricks.state import NONE, Hand


def options(hand: Hand) -> Sequence[Body]:
    """Return every decision that may come next, in a fixed order."""
    maker = OPTIONS.get(hand.phase)
    return maker(hand) if maker else []


def _bids(hand: Hand) -> list[Body]:
    assert isinstance(hand.rules, AuctionRules)
    return [{"type": "bid", "seat": hand.turn, "bid": bid} for bid in auction.open_bids(hand, hand.rules)]


def _calls(hand: Hand) -> list[Body]:
    head = {"type": "called", "seat": hand.turn}
    shown = members(hand.held[hand.turn] & hand.ranked)
    return [*({**head, "card": CARDS[card]} for card in shown), head]


def _burials(hand: Hand) -> Sequence[Body]:
    return Burials(hand.turn, hand.held[hand.turn], hand.rules.most_buried)


def _suits(hand: Hand) -> list[Body]:
    return [{"type": "trump", "seat": hand.turn, "suit": suit} for suit in SUITS]


def _plays(hand: Hand) -> list[Body]:
    return [{"type": "played", "seat": hand.turn, "card": CARDS[card]} for card in members(playable(hand))]


def playable(hand: Hand) -> int:
    """Return which cards the seat in turn may play."""
    held = hand.held[hand.turn]
    if not hand.trick:
        return held
    assert hand.trumps is not None
    return followers(hand.trumps, held, hand.trumps.group[hand.trick[0]])


OPTIONS = {"bid": _bids, "call": _calls, "bury": _burials, "trump": _suits, "play": _plays}


def timeout(hand: Hand, seat: int) -> Body | None:
    """Return what the seat's time-out chooses now, None where nothing is asked of it.

    Bid 0, no card shown, the suit held most (first in S H C D); cards to bury or play: the lawful ones that come
    first in deck order.
    """
    if hand.turn != seat or hand.phase not in OPTIONS:
        return None
    if hand.phase == "call":
        return {"type": "called", "seat": seat}
    if hand.phase == "trump":
        counts = [0] * (len(SUITS) + 1)
        for card in members(hand.held[seat]):
            counts[SUIT_OF[card]] += 1
        return {"type": "trump", "seat": seat, "suit": SUITS[counts.index(max(counts[: len(SUITS)]))]}
    return dict(options(hand)[0])


def chosen(hand: Hand, record: Record) -> Body | None:
    """Return the body of the lawful option that a record names; None for what `fault` must judge.

    The fast way of replay: the caller compares its bytes with the recorded ones, so that nothing of the record is
    trusted but the choice itself.
    """
    kind = record.get("type")
    card = record.get("card")
    index = CARD_INDEX.get(card, NONE) if type(card) is str else NONE
    if kind == "played" and hand.phase == "play":
        if index == NONE or not playable(hand) >> index & 1:
            return None
        return {"type": "played", "seat": hand.turn, "card": card}
    if kind == "called" and hand.phase == "call":
        if "card" not in record:
            return {"type": "called", "seat": hand.turn}
        if index == NONE or not (hand.held[hand.turn] & hand.ranked) >> index & 1:
            return None
        return {"type": "called", "seat": hand.turn, "card": card}
    if kind == "bid" and hand.phase == "bid":
        return next((body for body in _bids(hand) if body["bid"] == record.get("bid")), None)
    return None
