"""The settlement of a mahjong hand: each winner's score, and the lines of the rules' payments (`mahjong.md` 0.8)."""

from typing import NamedTuple

from engine.events import Body
from engine.mahjong.payments import HAND_PAYMENTS, PAYMENTS
from engine.mahjong.score import score
from engine.mahjong.state import Hand, Win
from engine.mahjong.worth import Score
from engine.settlement import Line, settled


class Settlement(NamedTuple):
    """Winners with their scores in order, lines winner by winner and then of the hand, and the body of `settled`."""

    winners: list[tuple[Win, Score]]
    lines: list[Line]
    body: Body


def settle(hand: Hand) -> Settlement:
    """Return what the hand pays. Law: the payments sum to zero."""
    rules = hand.rules
    winners = [(win, score(hand, win)) for win in hand.wins]
    lines = [line for win, its in winners for name in rules.payments for line in PAYMENTS[name](hand, win, its)]
    lines += [line for name in rules.hand_payments for line in HAND_PAYMENTS[name](hand, winners)]
    told = [_winner(win, its) for win, its in winners]
    return Settlement(winners, lines, settled(rules, told, lines, hand.players))


def _winner(win: Win, its: Score) -> Body:
    return {
        "seat": win.seat,
        "patterns": [{"id": name, unit: value} if unit else {"id": name} for name, unit, value in its.patterns],
        its.measure: its.worth,
        "points": its.points,
    }
