"""Payments against the score table of the rule books, worked out by hand: liability, counters, draws, placing."""

import pytest

from engine.formats.riichi_pay import Payer, exact_results, exhausted, nagashi, results, shares, value, won, worth

TABLE = [
    # han, fu, seat, dealer, discard value, what the others pay for a self-draw (dealer's share first where not dealer)
    (1, 30, 1, 0, 1000, [500, 300]),
    (1, 40, 1, 0, 1300, [700, 400]),
    (2, 30, 1, 0, 2000, [1000, 500]),
    (3, 30, 1, 0, 3900, [2000, 1000]),
    (4, 30, 1, 0, 7700, [3900, 2000]),
    (2, 25, 1, 0, 1600, [800, 400]),
    (4, 25, 1, 0, 6400, [3200, 1600]),
    (3, 70, 1, 0, 8000, [4000, 2000]),
    (5, 30, 1, 0, 8000, [4000, 2000]),
    (7, 30, 1, 0, 12000, [6000, 3000]),
    (10, 30, 1, 0, 16000, [8000, 4000]),
    (12, 30, 1, 0, 24000, [12000, 6000]),
    (13, 30, 1, 0, 32000, [16000, 8000]),
    (1, 30, 0, 0, 1500, [500]),
    (3, 30, 0, 0, 5800, [2000]),
    (4, 30, 0, 0, 11600, [3900]),
    (4, 40, 0, 0, 12000, [4000]),
    (6, 30, 0, 0, 18000, [6000]),
    (13, 30, 0, 0, 48000, [16000]),
]


@pytest.mark.parametrize("row", TABLE)
def test_values_of_the_score_table(row: tuple[int, int, int, int, int, list[int]]) -> None:
    han, fu, seat, dealer, discard, drawn = row
    base = value(han, fu).base
    assert worth(base, Payer(seat, 3, dealer, 0, 0)) == discard
    paid = shares(base, seat, dealer)
    assert paid[seat] == 0
    if seat == dealer:
        assert paid[1:] == drawn * 3
    else:
        assert paid == [drawn[0], 0, drawn[1], drawn[1]]
    assert worth(base, Payer(seat, seat, dealer, 0, 0)) == sum(paid)


@pytest.mark.parametrize(("han", "fu", "yakuman", "limit"), [
    (4, 30, 0, 0), (4, 40, 0, 1), (3, 70, 0, 1), (3, 60, 0, 0), (5, 20, 0, 1), (6, 20, 0, 2), (8, 20, 0, 3),
    (11, 20, 0, 4), (13, 20, 0, 5), (0, 30, 1, 5),
])  # fmt: skip
def test_limits(han: int, fu: int, yakuman: int, limit: int) -> None:
    assert value(han, fu, yakuman).limit == limit


def test_counters_and_deposits() -> None:
    # two counters, three deposits on the table; 3,900 from the discarder
    assert won(value(3, 30).base, Payer(1, 3, 0, 2, 3)) == [0, 3900 + 600 + 3000, 0, -4500]
    assert won(value(3, 30).base, Payer(1, 1, 0, 2, 3)) == [-2200, 4000 + 600 + 3000, -1200, -1200]


def test_a_liable_seat_pays_a_self_drawn_yakuman_alone() -> None:
    assert won(8000, Payer(1, 1, 0, 1, 0, liable=2, liable_base=8000)) == [0, 32_300, -32_300, 0]


def test_a_liable_seat_shares_a_discard_and_pays_the_counters() -> None:
    assert won(8000, Payer(1, 3, 0, 1, 0, liable=2, liable_base=8000)) == [0, 32_300, -16_300, -16_000]
    assert won(8000, Payer(1, 2, 0, 1, 0, liable=2, liable_base=8000)) == [0, 32_300, -32_300, 0]


def test_liability_covers_its_own_yakuman_alone() -> None:
    # big three dragons and all honours, the first alone fed: 32,000 for the liable seat, 32,000 as usual
    assert won(16_000, Payer(1, 1, 0, 0, 0, liable=2, liable_base=8000)) == [-16_000, 64_000, -40_000, -8000]
    assert won(16_000, Payer(1, 3, 0, 0, 0, liable=2, liable_base=8000)) == [0, 64_000, -16_000, -48_000]


@pytest.mark.parametrize(("those", "changes"), [
    (set(), [0, 0, 0, 0]), ({1}, [-1000, 3000, -1000, -1000]), ({0, 3}, [1500, -1500, -1500, 1500]),
    ({0, 1, 2}, [1000, 1000, 1000, -3000]), ({0, 1, 2, 3}, [0, 0, 0, 0]),
])  # fmt: skip
def test_a_used_up_wall(those: set[int], changes: list[int]) -> None:
    assert exhausted(those) == changes


def test_discards_of_terminals_alone() -> None:
    assert nagashi([0], 0) == [12_000, -4000, -4000, -4000]
    assert nagashi([1], 0) == [-4000, 8000, -2000, -2000]
    assert nagashi([0, 1], 0) == [12_000 - 4000, 8000 - 4000, -6000, -6000]


def test_placing() -> None:
    assert results([26_000, 32_200, -24_200, 66_000]) == [-140, 120, -740, 760]
    assert results([24_500, 29_300, 15_800, 30_400]) == [-150, 90, -340, 400]  # 24,500 counts as 25,000
    assert exact_results([24_500, 29_300, 15_800, 30_400]) == [-155, 93, -342, 404]
    # equal scores: nearer to the first dealer comes first; -5 + 10, -5 - 10, -5 - 20, the rest to the first
    assert results([25_000] * 4) == [350, 50, -150, -250]
