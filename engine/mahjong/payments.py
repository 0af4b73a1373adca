"""Payments: who pays whom, each a named function that a variant lists (`mahjong.md` 1.7, 2.6, 3.9, 4.1).

A payment of a win takes the hand, the win and its score; what a hand pays once, winner or not, takes the hand and all
its wins. Both return lines: amounts are integers in points, and each names the key of the clause that demands it.
"""

from collections.abc import Callable

from engine.mahjong import drawn, edges, feeding, liability, shares
from engine.mahjong.state import Hand, Win
from engine.mahjong.worth import Score
from engine.settlement import Line

Payment = Callable[[Hand, Win, Score], list[Line]]
HandPayment = Callable[[Hand, list[tuple[Win, Score]]], list[Line]]

PAYMENTS: dict[str, Payment] = {
    "discard": liability.on_discard,
    "self_draw": liability.on_self_draw,
    "discard_or_robbed": feeding.on_discard,
    "self_draw_or_bloom": feeding.on_self_draw,
    "feeding": feeding.on_feeding,
    "shares": shares.to_winner,
    "edges": edges.win_by_edges,
}
"""Every payment of a win by the name that rules list (`payments`)."""

HAND_PAYMENTS: dict[str, HandPayment] = {
    "drawn_hand": drawn.dealer_pays,
    "differences": shares.among_losers,
    "kongs_by_edges": edges.kongs_by_edges,
    "flowers_by_edges": edges.flowers_by_edges,
}
"""Every payment of a hand by the name that rules list (`hand_payments`), called once, after those of the winners."""
