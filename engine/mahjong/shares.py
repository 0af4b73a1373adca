"""Payments of every seat with every other, with a factor for the dealer (rules of hu counting, "Settlement").

Each non-winner pays a winner's score; the non-winners pay each other the difference of theirs. Winners pay each
other nothing.
"""

from engine.mahjong.hu import losing
from engine.mahjong.liability import liable, shared
from engine.mahjong.state import Hand, Win
from engine.mahjong.worth import Score
from engine.settlement import Line

PAY = {"self_draw": "pay.self_draw", "discard": "pay.discard", "robbed": "pay.robbed"}
"""Clause keys by the way of the win."""


def factored(hand: Hand, seat: int, other: int, amount: int) -> int:
    """Return what is paid between two seats: halved between two non-dealers, a half point up, or as the option says."""
    rule = hand.rules.dealer_factor
    dealing = hand.dealer in {seat, other}
    if rule == "xian_half" and not dealing:
        return (amount + 1) // 2
    return 2 * amount if rule == "zhuang_double" and dealing else amount


def losers(hand: Hand, first: int) -> list[int]:
    """Return the seats that did not win, in order after `first`."""
    winners = {win.seat for win in hand.wins}
    return [seat for seat in hand.others(first) if seat not in winners]


def to_winner(hand: Hand, win: Win, its: Score) -> list[Line]:
    """Let every non-winner pay the score; the discarder alone, his own share or all, by option (`win_payment`).

    A self-draw is paid by all; where 包牌 binds seats to the winner (`bao`), they pay all shares in equal parts.
    """
    rules = hand.rules
    shares = [(seat, factored(hand, seat, win.seat, its.points)) for seat in losers(hand, win.seat)]
    if win.by == "self_draw":
        bound = liable(hand, win.seat) if rules.bao == "three_melds" else []
        if bound:
            return shared(bound, win.seat, sum(amount for _, amount in shares), "liability", "pay.liability")
    elif rules.win_payment == "discarder_alone":
        shares = [(seat, amount) for seat, amount in shares if seat == win.source]
    elif rules.win_payment == "discarder_pays_three_shares":
        shares = [(win.source, amount) for _, amount in shares]
    return [Line(seat, win.seat, amount, win.by, PAY[win.by]) for seat, amount in shares if amount]


def among_losers(hand: Hand, winners: list[tuple[Win, Score]]) -> list[Line]:
    """Let each pair of non-winners settle the difference of their scores, once a hand (`losers_settle`)."""
    if not winners or not hand.rules.losers_settle:
        return []
    seats = losers(hand, winners[0][0].seat)
    points = {seat: losing(hand, seat).points for seat in seats}
    lines = []
    for place, seat in enumerate(seats):
        for other in seats[place + 1 :]:
            low, high = sorted((seat, other), key=lambda each: points[each])
            amount = factored(hand, low, high, points[high] - points[low])
            if amount:
                lines.append(Line(low, high, amount, "difference", "pay.difference"))
    return lines
