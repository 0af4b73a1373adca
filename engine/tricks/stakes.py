"""What a hand of one against three is worth: threshold, last trick, multiplier (`cards.md`, Result and Stake)."""

from collections.abc import Callable
from typing import NamedTuple

from engine.settlement import Line
from engine.tricks.rules import AuctionRules
from engine.tricks.state import SEATS


class Result(NamedTuple):
    """How the contract ended. `points`: the defenders', with the kitty's where it counts."""

    points: int
    need: int
    made: bool
    koudi: bool
    multiplier: int
    key: str
    """Key of the clause that sets the multiplier."""


def sd_d(points: int, need: int, *, koudi: bool) -> tuple[int, str]:
    """Return multiplier and clause key by SD-D, the default table."""
    if koudi:
        if points == 50:
            return 4, "pay.koudi_even"
        return (3, "pay.koudi_reached") if points >= need else (2, "pay.koudi")
    if points < need:
        return (1, "pay.made") if points else (3, "pay.clean")
    return (2, "pay.even") if points == 50 else (1, "pay.reached")


def sd_g(points: int, need: int, *, koudi: bool) -> tuple[int, str]:
    """Return multiplier and clause key by SD-G: more than half above the need pays double, an even split nothing."""
    if koudi:
        if points == 50:
            return 4, "pay.koudi_even"
        return (4, "pay.koudi_reached") if points >= need else (2, "pay.koudi")
    if points < need:
        return (1, "pay.made") if points else (3, "pay.clean")
    return (2, "pay.far") if 2 * points > 3 * need else (1, "pay.reached")


MULTIPLIERS: dict[str, Callable[..., tuple[int, str]]] = {"sd_d": sd_d, "sd_g": sd_g}
"""The tables of `multiplier_table`."""


def result(rules: AuctionRules, bid: int, points: int, *, last_defender: bool, buried: int) -> Result:
    """Return how a contract ended, from the defenders' trick points, who took the last trick, the buried points."""
    need = (105 if rules.defenders_need == "105_minus_bid" else 100) - bid
    koudi = last_defender and rules.koudi != "off"
    if koudi:
        points += rules.kitty_points_on_koudi * buried
    table = MULTIPLIERS[rules.multiplier_table]
    if rules.koudi == "multiplier_only":
        multiplier, key = table(points, need, koudi=False)
        if koudi:
            multiplier, key = 2 * multiplier, "pay.koudi"
        return Result(points, need, points < need, koudi, multiplier, key)
    multiplier, key = table(points, need, koudi=koudi)
    return Result(points, need, points < need and not koudi, koudi, multiplier, key)


def stake(rules: AuctionRules, bid: int) -> int:
    """Return the stake of a bid in points: 1 to 5 for 60 to 80, times the room's base."""
    return rules.base * ((bid - 55) // 5)


def lines(declarer: int, amount: int, *, made: bool, key: str) -> list[Line]:
    """Return what each defender pays the declarer, or gets from him, by seat from the declarer's next on.

    The reason of a line is the last word of its clause key.
    """
    reason = key.partition(".")[2]
    others = [(declarer + step) % SEATS for step in range(1, SEATS)]
    if made:
        return [Line(seat, declarer, amount, reason, key) for seat in others]
    return [Line(declarer, seat, amount, reason, key) for seat in others]
