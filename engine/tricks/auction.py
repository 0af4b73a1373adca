"""The auction of one against three: who bids first, what may be bid, what all passes lead to (`cards.md`, Bidding)."""

from engine.cards import CARD_INDEX
from engine.tricks.order import BIG, SMALL, bits, of_rank
from engine.tricks.rules import AuctionRules
from engine.tricks.state import NONE, SEATS, Hand

BIDS = (60, 65, 70, 75, 80)
COMMON = of_rank("2") | bits((BIG, SMALL))
"""The cards that are trump whatever the suit: jokers and twos."""


def first_bidder(hand: Hand, rules: AuctionRules) -> int:
    """Return who bids first; NONE where the hand is dealt anew (`d3_in_kitty = redeal`).

    First hand: the holder of 3D; where it lies in the kitty, `d3_in_kitty` says who. Later hands: the dealer, who
    was the last declarer or, without one, the last first bidder.
    """
    if not hand.opening:
        return hand.dealer
    holder = _holder(hand, "3D")
    if holder == NONE and rules.d3_in_kitty == "redeal":
        return NONE
    if holder == NONE and rules.d3_in_kitty == "d4_holder":
        holder = _holder(hand, "4D")
    return 0 if holder == NONE else holder


def _holder(hand: Hand, code: str) -> int:
    card = 1 << CARD_INDEX[code]
    return next((seat for seat in range(SEATS) if hand.held[seat] & card), NONE)


def highest(hand: Hand) -> int:
    """Return the highest bid so far, 0 where all passed."""
    return max(hand.bids, default=0)


def lowest(hand: Hand, rules: AuctionRules) -> int:
    """Return the least bid that may be made now: above the highest, and never below the late minimums.

    With `late_minimums` the third bids at least 65 after two passes, the fourth at least 70 after three.
    """
    high = highest(hand)
    if high:
        return high + 5
    return 55 + 5 * len(hand.bids) if rules.late_minimums and len(hand.bids) >= 2 else BIDS[0]


def open_bids(hand: Hand, rules: AuctionRules) -> list[int]:
    """Return what the seat in turn may bid, 0 (pass) first."""
    least = lowest(hand, rules)
    return [0, *(bid for bid in BIDS if bid >= least)]


def over(hand: Hand) -> bool:
    """Tell whether the auction has ended: everybody acted once, or somebody bid 80."""
    return len(hand.bids) == SEATS or hand.bids[-1] == BIDS[-1]


def bid_fault(hand: Hand, rules: AuctionRules, bid: int) -> str:
    """Return the clause key against a bid of the seat in turn, "" where it is lawful."""
    if bid == 0:
        return ""
    if bid not in BIDS:
        return "bid.steps"
    if bid <= highest(hand):
        return "bid.higher"
    return "bid.late" if bid < lowest(hand, rules) else ""


def declarer(hand: Hand) -> int:
    """Return who bid highest."""
    return (hand.first_bidder + hand.bids.index(highest(hand))) % SEATS


def most_trumps(hand: Hand) -> tuple[int, int]:
    """Return who holds the most jokers and twos, and how many; equal counts: the nearest from the first bidder on."""
    seats = [(hand.first_bidder + step) % SEATS for step in range(SEATS)]
    counts = {seat: (hand.held[seat] & COMMON).bit_count() for seat in seats}
    seat = max(seats, key=lambda each: counts[each])
    return seat, counts[seat]


def bid_worth(count: int) -> int:
    """Return the bid that a count of jokers and twos stands for: up to 2 is 60, 3 is 65 … 6 is 80 (SD-G)."""
    return 60 + 5 * (min(max(count, 2), 6) - 2)
