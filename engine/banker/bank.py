"""Who holds the bank (`cards.md`, option `banker`): the seats it lies between, and the lot among them."""

from engine.banker.hand import BULL_BULL
from engine.banker.state import Hand


def candidates(hand: Hand) -> tuple[list[int], int]:
    """Return the seats between which the bank lies, in order from the dealer, and the bid that counts.

    More than one seat: the lot decides. The bid is 1 where none counts.
    """
    rules = hand.rules
    order = hand.from_dealer()
    if not hand.bids:
        return [hand.dealer], 1  # fixed_owner, rotate, bull_takes: the dealer is the banker
    top = max(hand.bids.values())
    if top:
        return [seat for seat in order if hand.bids.get(seat) == top], top
    if rules.banker != "asked" or rules.all_decline == "random":
        return order, 1
    return [order[0] if rules.all_decline == "first_forced" else order[-1]], 1


def drawn(hand: Hand, seats: list[int]) -> int | None:
    """Return the seat that the bid stream of the deal gives; None where no seed is known."""
    if len(seats) == 1:
        return seats[0]
    if hand.keys is None:
        return None
    return seats[hand.keys.stream("bid").below(len(seats))]


def next_dealer(hand: Hand) -> int:
    """Return where the next hand starts: the seat after, unless the mode says otherwise."""
    rules = hand.rules
    if rules.banker == "fixed_owner":
        return hand.dealer
    if rules.banker == "bull_takes":
        return _taker(hand)
    if rules.banker == "asked" and rules.all_decline == "last_forced":
        return (hand.banker + 1) % hand.players
    return (hand.dealer + 1) % hand.players


def _taker(hand: Hand) -> int:
    """Return the seat with the best 牛牛, special hands left aside; the dealer where nobody has one."""
    if hand.fled:
        return hand.dealer
    by_all = hand.rules.tie == "all_ranks_then_suits"
    best, taker = None, hand.dealer
    for seat, value in enumerate(hand.values):
        if value.kind != BULL_BULL or seat in hand.escaped:
            continue
        key = value.all_ranks if by_all else ((value.high,), ())
        if best is None or key > best:
            best, taker = key, seat
    return taker
