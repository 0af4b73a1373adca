"""The nulls of the battery: against enumeration of small decks, the figures of fairness.md, and simulation."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from shufflers import fair

from engine.audit import DiceRun, Summary, WallSummary, order
from engine.audit.openings import parts
from engine.cards import card_deck, kind_of, tile_deck
from viewer.batch.walls import Counts, count, no_walls
from viewer.estimate import betting, contrasts, dice, family, marginals, power, walls
from viewer.estimate.statistic import Row, Statistic

TILES = tile_deck(flowers=True)
KINDS = kind_of(TILES)
SMALL = 5


def all_walls() -> Counts:
    rows = np.array(list(permutations(range(SMALL))), np.uint8)
    none = no_walls(len(rows), SMALL)
    return count(rows, none, none, np.zeros(SMALL, np.uint8))


@pytest.mark.parametrize("name", ["inversions", "ascents", "ascents of the inverse", "cycles"])
def test_means_and_variances_equal_those_of_all_permutations(name: str) -> None:
    counts = all_walls().walls
    found = [walls.inversions(counts), *walls.ascents(counts), *walls.fixed_and_cycles(counts)]
    statistic = next(each for each in found if each.name == name)
    plain = {
        "inversions": order.inversions,
        "ascents": order.ascents,
        "ascents of the inverse": lambda wall: order.ascents(order.inverse(wall)),
        "cycles": order.cycles,
    }[name]
    values = [plain(wall) for wall in permutations(range(SMALL))]
    assert statistic.value == pytest.approx(np.mean(values))
    assert statistic.expected == pytest.approx(np.mean(values))
    assert statistic.sd is not None
    assert statistic.sd**2 * len(values) == pytest.approx(np.var(values))


def test_adjacent_kinds_have_the_exact_mean() -> None:
    kinds = (0, 0, 1, 1, 1)
    values = [order.adjacent_equal([kinds[index] for index in wall]) for wall in permutations(range(SMALL))]
    rows = np.array(list(permutations(range(SMALL))), np.uint8)
    none = no_walls(len(rows), SMALL)
    statistic = walls.adjacent(count(rows, none, none, np.array(kinds, np.uint8)).walls, kinds)
    assert statistic.expected == pytest.approx(np.mean(values))
    assert statistic.value == pytest.approx(np.mean(values))


def test_spearman_has_variance_one_over_n_less_one() -> None:
    first = tuple(range(SMALL))
    every = list(permutations(range(SMALL)))
    values = [walls.correlation("r", 1, order.product(first, wall), SMALL).value for wall in every]
    assert np.mean(values) == pytest.approx(0, abs=1e-12)
    assert np.var(values) == pytest.approx(1 / (SMALL - 1))
    same = walls.correlation("r", 1, order.product(first, first), SMALL)
    assert same.value == pytest.approx(1)
    plain = stats.spearmanr(first, every[17]).statistic
    assert values[17] == pytest.approx(plain)


def test_q_has_the_mean_and_variance_of_its_chi_square() -> None:
    rng = np.random.default_rng(8)
    n, deals, runs = 12, 300, 600
    found = []
    for _ in range(runs):
        rows = fair(rng, deals, n)
        cells = np.zeros((n, n), np.int64)
        for position in range(n):
            cells[:, position] = np.bincount(rows[:, position], minlength=n)
        found.append(walls.total_q(cells, np.ones(n, np.int64), deals))
    df = (n - 1) ** 2
    assert np.mean(found) == pytest.approx(df, abs=4 * (2 * df / runs) ** 0.5)
    assert np.var(found) == pytest.approx(2 * df, rel=0.25)


def test_a_log_that_is_too_even_is_a_finding() -> None:
    n = 52
    shifts = np.array([[(start + step) % n for step in range(n)] for start in range(n)], np.uint8)
    rows = np.tile(shifts, (40, 1))
    none = no_walls(len(rows), n)
    found = walls.rows(count(rows, none, none, np.arange(n, dtype=np.uint8) % 13), [index % 13 for index in range(n)])
    family.adjust(found)
    assert {row.id for row in family.too_even(found)} == {"T1", "T2"}
    assert {"T1", "T2"} <= {row.id for row in family.rejected(found, 0.01)}


def test_the_exact_tail_of_a_cell_is_the_binomials() -> None:
    assert walls.tails(np.array([[3]]), 10, 0.1)[0, 0] == pytest.approx(2 * stats.binom.sf(2, 10, 0.1))
    assert walls.tails(np.array([[1]]), 10, 0.1)[0, 0] == 1.0


def test_holm_and_q_are_those_of_the_definition() -> None:
    raw = [0.001, 0.02, 0.03, 0.5]
    rows = [Row(f"T{place}", "", 1, 1, [Statistic("", 0, p, "")]) for place, p in enumerate(raw)]
    family.adjust(rows)
    assert [row.holm for row in rows] == pytest.approx([0.004, 0.06, 0.06, 0.5])
    assert [row.q for row in rows] == pytest.approx([0.004, 0.04, 0.04, 0.5])


def test_a_row_of_several_statistics_pays_for_each() -> None:
    row = Row("T5", "", 1, 1, [Statistic("", 0, p, "") for p in (0.02, 0.4, 0.9)])
    assert row.p == pytest.approx(0.06)
    row.statistics.append(Statistic("", 0, 0.9, ""))
    assert row.p == pytest.approx(0.08)


def test_rows_are_not_used_below_their_least_number() -> None:
    rows = walls.rows(Counts.none(144), KINDS)
    assert all(row.p is None and row.why == f"0 of at least {row.least} needed" for row in rows)


def test_a_log_of_kinds_skips_what_needs_ids() -> None:
    rows = fair(np.random.default_rng(2), 1100)
    none = no_walls(len(rows), 144)
    earlier = np.concatenate((none[:1], rows[:-1]))
    found = walls.rows(count(rows, earlier, earlier, np.array(KINDS, np.uint8)), KINDS, ids=False)
    assert {row.id for row in found if not row.statistics} == {"T2", "T3", "T6", "T10"}
    assert all("copies" in row.why for row in found if not row.statistics)


@pytest.mark.parametrize(
    ("df", "expected"),
    [(5, 22.0), (35, 41.4), (119, 67.0), (612, 138), (663, 143), (2601, 272), (4455, 352), (5863, 402), (18225, 701),
     (20449, 741)],
)  # fmt: skip
def test_noncentralities_are_those_of_the_page(df: int, expected: float) -> None:
    assert power.ncp(df, 0.01) == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize(
    ("shuffle", "by_id", "by_kind"),
    [("naive swap r % n", 397, 225), ("naive swap, random(n-1)", 401, 227), ("Sattolo", 741, 1_400),
     ("byte % k", 476, 272), ("15-bit % k", 6.8e6, 3.8e6), ("16-bit % k", 2.7e7, 1.5e7), ("32-bit % k", 1.2e17, 7e16)],
)  # fmt: skip
def test_deals_that_show_a_shuffle_are_those_of_the_page(shuffle: str, by_id: float, by_kind: float) -> None:
    chances = marginals.swapped(144, marginals.SHUFFLES[shuffle])
    assert power.ncp(20_449, 0.01) / marginals.noncentrality(chances) == pytest.approx(by_id, rel=0.04)
    kinds = np.array(KINDS, np.int64)
    assert power.ncp(5_863, 0.01) / marginals.noncentrality(chances, kinds) == pytest.approx(by_kind, rel=0.05)


def test_marginals_equal_enumeration_of_all_draws() -> None:
    from itertools import product

    n = 4
    for name, partners in (("naive swap r % n", [range(n)] * n), ("Sattolo", [range(3), range(2), range(1)])):
        counted = np.zeros((n, n))
        for draws in product(*partners):
            wall = list(range(n))
            places = range(n) if name.startswith("naive") else range(n - 1, 0, -1)
            for i, j in zip(places, draws, strict=True):
                wall[i], wall[j] = wall[j], wall[i]
            for position, index in enumerate(wall):
                counted[index, position] += 1
        expected = marginals.swapped(n, marginals.SHUFFLES[name])
        assert np.allclose(counted / counted[0].sum(), expected)


@pytest.mark.parametrize(("bits", "deals"), [(8, 4), (10, 65), (15, 6.6e4), (16, 2.6e5), (32, 1e15)])
def test_short_sort_keys_show_as_on_the_page(bits: int, deals: float) -> None:
    assert power.sort_deals(144, 2.0**bits, 0.01) == pytest.approx(deals, rel=0.11)


@pytest.mark.parametrize(("bits", "deals"), [(31, 9.9e4), (32, 1.41e5), (48, 3.6e7)])
def test_birthdays_are_those_of_the_page(bits: int, deals: float) -> None:
    assert power.birthday(2.0**bits) == pytest.approx(deals, rel=5e-3)


def test_what_a_sample_shows_is_what_the_page_says() -> None:
    found = {
        (each.question, each.test): each.detectable
        for each in power.questions(KINDS, parts(TILES, "C"), walls=100_000, hands=100_000, alpha=0.01, dice=10_000)
    }
    expected = {
        "one pre-named id-position cell": 0.146,
        "any of 20736 id-position cells": 0.239,
        "any kind-position cell (42 x 144)": 0.114,
        "one bad cell, by the omnibus": 1.03,
        "wild: 4 of 144 in the dealer's 14": 0.018,
        "orders of five tiles, rms": 0.0049,
        "one face of a die": 0.105,
    }
    for question, value in expected.items():
        assert [size for (name, _), size in found.items() if name == question] == [pytest.approx(value, rel=0.03)]
    by_kind = found["bias spread over all cells, rms", "kind x position (df 5863)"]
    assert by_kind == pytest.approx(0.0053, rel=0.01)


def test_fair_dice_pass_and_loaded_dice_do_not() -> None:
    rng = np.random.default_rng(4)
    fair_run, loaded, sticky = DiceRun(), DiceRun(), DiceRun()
    last = 1
    for throw in rng.integers(1, 7, (20_000, 2)).tolist():
        fair_run.throw(throw)
        loaded.throw([6 if face == 1 and rng.random() < 0.2 else face for face in throw])
        again = []
        for face in throw:
            last = last if rng.random() < 0.05 else face
            again.append(last)
        sticky.throw(again)
    assert dice.row(fair_run).p > 0.01  # type: ignore[operator]
    assert len(dice.row(fair_run).statistics) == 4
    assert dice.row(loaded).p < 1e-9  # type: ignore[operator]
    assert dice.row(sticky).p < 1e-9  # type: ignore[operator]


def test_no_dice_is_said() -> None:
    assert dice.row(DiceRun()).why == "no dice in these logs"


# --- T13 ---------------------------------------------------------------------------------------------------------


def seated(hands: int, favour: float, seed: int) -> contrasts.Contrasts:
    """Hands of which one account of a class gets a better one now and then."""
    rng = np.random.default_rng(seed)
    found = contrasts.Contrasts(4, ("wild", "honours"))
    for hand in range(hands):
        tiles = rng.permutation(144)[:52].reshape(4, 13)
        new = hand // 8 % 4
        worth = np.stack([(tiles < 4).sum(axis=1), (tiles < 32).sum(axis=1)], axis=1)
        if rng.random() < favour:
            worth[new] += 1
        labels = ["new" if seat == new else "paying" for seat in range(4)]
        found.take(worth, {"seat": ["0", "1", "2", "3"], "class": labels})
    return found


def test_seats_dealt_alike_are_no_finding() -> None:
    row = contrasts.row(seated(2_000, 0.0, 1), seed=1)
    assert {each.name.split(":")[0] for each in row.statistics} == {"seat", "class"}
    assert row.p > 0.02  # type: ignore[operator]


def test_a_favoured_account_class_is_found() -> None:
    row = contrasts.row(seated(2_000, 0.15, 2), seed=1)
    by_class = next(each for each in row.statistics if each.name.startswith("class"))
    assert by_class.p == pytest.approx(1e-4)
    assert contrasts.row(seated(2_000, 0.15, 2), seed=1) == row  # the seed is logged, so it can be done again


def test_a_class_that_everybody_has_is_no_contrast() -> None:
    found = contrasts.Contrasts(2, ("wild",))
    for hand in range(2_000):
        found.take(np.array([[hand % 3], [hand % 2]]), {"class": ["human", "human"]})
    assert contrasts.row(found, 1).why == "every seat wears the same labels"


@pytest.mark.long
def test_the_permutation_p_is_uniform() -> None:
    found = [each.p for seed in range(60) for each in contrasts.row(seated(2_000, 0.0, 100 + seed), seed).statistics]
    assert stats.kstest(found, "uniform").pvalue > 0.001


# --- T15 ---------------------------------------------------------------------------------------------------------


def test_an_e_value_has_mean_one_where_the_null_holds() -> None:
    """Exactly, by enumeration: the expectation over all sequences of three throws is one."""
    from itertools import product
    from math import exp

    total = 0.0
    for throws in product(range(3), repeat=5):
        stream = betting.Categories("x", (0.5, 0.3, 0.2))
        chance = 1.0
        for face in throws:
            stream.take(face)
            chance *= stream.chances[face]
        total += chance * exp(stream.value)
    assert total == pytest.approx(1.0)


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.1])
def test_a_rate_within_its_bound_has_mean_one_at_most(rate: float) -> None:
    from itertools import product
    from math import exp

    total = 0.0
    for hits in product((False, True), repeat=8):
        stream = betting.Rate("x", 0.1)
        chance = 1.0
        for hit in hits:
            stream.take(hit=hit)
            chance *= rate if hit else 1 - rate
        total += chance * exp(stream.value)
    assert total == pytest.approx(1.0) if rate == 0.1 else total < 1.0


def first_alarm(bias: float, seed: int, limit: int) -> int:
    chances = np.full(6, (1 - (1 + bias) / 6) / 5)
    chances[0] = (1 + bias) / 6
    stream = betting.Categories("dice", (1 / 6,) * 6)
    for number, face in enumerate(np.random.default_rng(seed).choice(6, limit, p=chances).tolist(), 1):
        stream.take(face)
        if stream.value >= np.log(betting.REVIEW):
            return number
    return 0


def test_a_loaded_die_alarms_when_the_page_says_and_a_fair_one_does_not() -> None:
    found = sorted(first_alarm(0.2, seed, 20_000) for seed in range(15))
    assert 4_000 < found[7] < 9_000  # median 6,000 at 20 %
    assert not any(first_alarm(0.0, seed, 20_000) for seed in range(20))


def test_sprt_decides_both_ways() -> None:
    null, other = (1 / 6,) * 6, (0.2, 0.16, 0.16, 0.16, 0.16, 0.16)
    for chances, verdict in ((null, "null"), (other, "alternative")):
        test = betting.Sprt(null, other)
        for face in np.random.default_rng(3).choice(6, 20_000, p=chances).tolist():
            if test.take(face):
                break
        assert test.verdict == verdict
        assert 100 < test.n < 6_000


def test_alarms_by_level_and_e_bh() -> None:
    stream = betting.Rate("void", 0.01)
    for _ in range(6):
        stream.take(hit=True)
    assert betting.alarm(stream).level == "page"
    assert betting.level_of(150.0) == "review"
    assert betting.level_of(99.0) == ""
    assert betting.average([stream, betting.Rate("none", 0.5)]) == pytest.approx((betting.alarm(stream).e + 1) / 2)
    assert betting.e_bh({"a": 500.0, "b": 80.0, "c": 1.0}, 0.05) == ["a", "b"]
    assert betting.e_bh({"a": 10.0, "b": 1.0}, 0.05) == []


def test_an_empty_summary_has_a_digest() -> None:
    assert Summary().digest() != (Summary() + Summary(WallSummary(deals=1))).digest()


def test_cards_have_ranks_as_kinds() -> None:
    from viewer.fairness.deck import Deck

    deck = Deck.of(card_deck(jokers=True))
    assert len(deck.names) == 15
    assert deck.kinds.count(0) == 4
    assert len(Deck.of(card_deck(jokers=False)).names) == 13  # df 612 of the page: 12 x 51
