"""What a hand of two teams comes to: the level table, who starts next, the end past the ace (`cards.md`, Score)."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.settlement import Line
from engine.tricks.order import RANKS
from engine.tricks.rules import LevelRules
from engine.tricks.state import SEATS

TAKE_OVER = 40
"""Attackers' points that make them declarers."""


class Result(NamedTuple):
    """How a hand ended. `points`: the attackers', with the kitty's; `gain`: levels of the side that declares next."""

    points: int
    stayed: bool
    gain: int


def result(rules: LevelRules, points: int, *, last_attacker: bool, buried: int) -> Result:
    """Return the table's verdict from the attackers' trick points, who took the last trick, the buried points.

    0: declarers +3; to 15: +2; to 35: +1; from 40 on the attackers take over, with +1 for each further 20.
    """
    if last_attacker:
        points += rules.kitty_multiplier * buried
    if points >= TAKE_OVER:
        return Result(points, stayed=False, gain=(points - TAKE_OVER) // 20)
    return Result(points, stayed=True, gain=3 if points == 0 else 2 if points < 20 else 1)


def advance(rules: LevelRules, level: str, gain: int) -> str:
    """Return a level after a gain, "" past the ace; an advance stops at the first of `must_play` it would pass."""
    at = RANKS.index(level)
    passed = RANKS[at + 1 : at + gain]
    for rank in passed:
        if rank in rules.stops:
            return rank
    return RANKS[at + gain] if at + gain < len(RANKS) else ""


def next_starter(rules: LevelRules, starter: int, last: int, *, stayed: bool) -> int:
    """Return who starts the next hand; NONE where the last trick's winner decides and is not known.

    `partner_or_right`: the starter's partner where the declarers stayed, else the seat at his right.
    """
    if rules.next_starter == "partner_or_right":
        return (starter + (2 if stayed else 1)) % SEATS
    return starter if stayed else last


def lines(rules: LevelRules, winners: Sequence[int], gain: int) -> list[Line]:
    """Return what the losers pay with `stake = per_hand`: each one the next seat, base × max(1, levels gained)."""
    if rules.stake == "levels_only":
        return []
    amount = rules.base * max(1, gain)
    losers = [seat for seat in range(SEATS) if seat not in winners]
    return [Line(seat, (seat + 1) % SEATS, amount, "hand", "pay.hand") for seat in losers]
