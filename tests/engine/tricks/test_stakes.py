"""Threshold, 抠底, multipliers and lines of one against three, against the page's table written down."""

from itertools import product

import pytest

from engine.settlement import payments_of
from engine.tricks import stakes
from engine.tricks.auction import BIDS
from engine.tricks.rules import AuctionRules
from engine.variants import find


def rules(**options: object) -> AuctionRules:
    found = find("three_one", options)
    assert isinstance(found, AuctionRules)
    return found


TABLE = {
    # (last trick a defender's, reached, exactly 50, nothing): SD-D, SD-G
    "made": (1, 1),
    "clean": (3, 3),
    "reached": (1, 1),
    "even": (2, None),
    "koudi": (2, 2),
    "koudi reached": (3, 4),
    "koudi even": (4, 4),
}


def plainly(bid: int, points: int, *, last: bool, table: str) -> tuple[bool, int]:
    """Tell whether the declarer wins, and the multiplier, by the page's table with `koudi = wins_outright`."""
    need = 105 - bid
    column = 0 if table == "sd_d" else 1
    if last:
        row = "koudi even" if points == 50 else "koudi reached" if points >= need else "koudi"
        return False, TABLE[row][column] or 0
    if points < need:
        return True, TABLE["clean" if points == 0 else "made"][column] or 0
    if table == "sd_g":
        return False, 2 if points > 1.5 * need else 1
    return False, TABLE["even" if points == 50 else "reached"][column] or 0


@pytest.mark.parametrize("table", ["sd_d", "sd_g"])
def test_every_outcome_by_the_table(table: str) -> None:
    these = rules(multiplier_table=table)
    for bid, points, last in product(BIDS, range(0, 101, 5), [False, True]):
        its = stakes.result(these, bid, points, last_defender=last, buried=0)
        assert (its.made, its.multiplier) == plainly(bid, points, last=last, table=table), (bid, points, last)
        assert its.koudi == last


@pytest.mark.parametrize(("bid", "need"), [(60, 45), (65, 40), (70, 35), (75, 30), (80, 25)])
def test_thresholds(bid: int, need: int) -> None:
    for option, least in (("105_minus_bid", need), ("100_minus_bid", need - 5)):
        these = rules(defenders_need=option)
        assert stakes.result(these, bid, least - 5, last_defender=False, buried=0).made
        assert not stakes.result(these, bid, least, last_defender=False, buried=0).made


@pytest.mark.parametrize(("bid", "base"), [(60, 1), (65, 2), (70, 3), (75, 4), (80, 5)])
def test_stakes(bid: int, base: int) -> None:
    assert stakes.stake(rules(), bid) == base
    assert stakes.stake(rules(base=20), bid) == 20 * base


def test_koudi_multiplier_only_doubles_either_sides_win() -> None:
    these = rules(koudi="multiplier_only")
    made = stakes.result(these, 60, 40, last_defender=True, buried=0)
    assert (made.made, made.koudi, made.multiplier) == (True, True, 2)
    lost = stakes.result(these, 60, 45, last_defender=True, buried=0)
    assert (lost.made, lost.koudi, lost.multiplier) == (False, True, 2)
    even = stakes.result(these, 60, 50, last_defender=True, buried=0)
    assert (even.made, even.multiplier) == (False, 4)
    plain = stakes.result(these, 60, 40, last_defender=False, buried=0)
    assert (plain.made, plain.koudi, plain.multiplier) == (True, False, 1)


def test_koudi_off_looks_at_the_points_alone() -> None:
    these = rules(koudi="off", kitty_points_on_koudi=2)
    its = stakes.result(these, 60, 40, last_defender=True, buried=10)
    assert (its.points, its.made, its.koudi, its.multiplier) == (40, True, False, 1)


@pytest.mark.parametrize(("times", "points", "multiplier"), [(0, 35, 2), (1, 45, 3), (2, 55, 3)])
def test_kitty_points_on_koudi(times: int, points: int, multiplier: int) -> None:
    these = rules(kitty_points_on_koudi=times)
    its = stakes.result(these, 60, 35, last_defender=True, buried=10)
    assert (its.points, its.multiplier, its.made) == (points, multiplier, False)
    assert stakes.result(these, 60, 35, last_defender=False, buried=10).points == 35


def test_an_even_split_is_looked_at_after_the_kitty() -> None:
    its = stakes.result(rules(kitty_points_on_koudi=1), 60, 40, last_defender=True, buried=10)
    assert (its.points, its.multiplier) == (50, 4)


@pytest.mark.parametrize("declarer", range(4))
@pytest.mark.parametrize("made", [True, False])
def test_each_defender_pays_or_gets_the_same(declarer: int, made: bool) -> None:
    lines = stakes.lines(declarer, 4, made=made, key="pay.made")
    payments = payments_of(lines, 4)
    sign = 1 if made else -1
    assert payments == [12 * sign if seat == declarer else -4 * sign for seat in range(4)]
