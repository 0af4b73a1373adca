"""The settlement of a mahjong hand: each winner's score, and the lines of the rules' payments (`mahjong.md` 0.8)."""

from typing import NamedTuple

from engine.events import Body
from engine.mahjong.payments import PAYMENTS
from engine.mahjong.score import Score, score
from engine.mahjong.state import Hand, Win
from engine.settlement import Line, settled


class Settlement(NamedTuple):
    """Winners with their scores in order, lines winner by winner, and the body of `settled`."""

    winners: list[tuple[Win, Score]]
    lines: list[Line]
    body: Body


def settle(hand: Hand) -> Settlement:
    """Return what the hand pays. Law: the payments sum to zero."""
    winners = [(win, score(hand, win)) for win in hand.wins]
    lines = [
        line for win, its in winners for name in hand.rules.payments for line in PAYMENTS[name](hand, win, its.points)
    ]
    told = [_winner(win, its) for win, its in winners]
    return Settlement(winners, lines, settled(hand.rules, told, lines, hand.players))


def _winner(win: Win, its: Score) -> Body:
    return {
        "seat": win.seat,
        "patterns": [{"id": name, "tai": tai} for name, tai in its.patterns],
        "tai": its.tai,
        "points": its.points,
    }
