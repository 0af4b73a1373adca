"""The worth of one win: the one way to count that its rules name, and what a win must be worth to be allowed."""

from collections.abc import Callable

from engine.mahjong import hu, multiplier, tai
from engine.mahjong.state import Hand, Win
from engine.mahjong.worth import Score

COUNTINGS: dict[str, Callable[[Hand, Win], Score]] = {
    "tai": tai.count,
    "multiplier": multiplier.count,
    "hu": hu.count,
}
"""Every way to count by the name that rules state (`counting`)."""


def score(hand: Hand, win: Win) -> Score:
    """Return the score of a win whose shape is complete."""
    return COUNTINGS[hand.rules.counting](hand, win)


def forbids(hand: Hand, win: Win) -> str:
    """Return "" where the rules allow a complete hand to win so, else the key of the clause that asks for more."""
    rules = hand.rules
    if rules.min_tai and score(hand, win).worth < rules.min_tai:
        return "min_tai"
    if multiplier.needs_fan(rules, win) and not multiplier.has_fan(hand, win):
        return "fan"
    return ""
