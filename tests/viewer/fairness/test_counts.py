"""The counts by arrays equal the plain definitions of `engine.audit`, and sums equal counts of the whole."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shufflers import fair

from engine.audit import LAYOUTS, DiceRun, OpeningSummary, Summary, order, summarise
from engine.audit.dice import run_ways
from engine.audit.openings import FEATURES, bull_ways, choose, parts
from engine.banker.hand import bull
from engine.cards import card_deck, tile_deck
from viewer.batch import walls as by_arrays
from viewer.batch.openings import bulls, count_openings
from viewer.fairness.deck import Deck

DECKS = [
    Deck.of(tile_deck(flowers=True)),
    Deck.of(tile_deck(flowers=False)),
    Deck.of(card_deck(jokers=True)),
    Deck.of(card_deck(jokers=False), layout="niuniu5"),
    Deck.of(tuple(f"x{number}" for number in range(7))),
]


def plainly(walls: by_arrays.Walls, tables: list[str], deck: Deck) -> Summary:
    return summarise([tuple(row) for row in walls.tolist()], tables, deck.kinds)


def counted(walls: by_arrays.Walls, tables: list[str], deck: Deck) -> Summary:
    at_table = by_arrays.no_walls(len(walls), deck.n)
    in_log = by_arrays.no_walls(len(walls), deck.n)
    last: dict[str, int] = {}
    for row, table in enumerate(tables):
        if table in last:
            at_table[row] = walls[last[table]]
        if row:
            in_log[row] = walls[row - 1]
        last[table] = row
    return by_arrays.count(walls, at_table, in_log, deck.kind_array).summary()


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: f"{deck.n}")
def test_walls_counted_by_arrays_equal_the_definition(deck: Deck) -> None:
    walls = fair(np.random.default_rng(deck.n), 24, deck.n)
    tables = [f"t{row * row % 5}" for row in range(24)]
    assert counted(walls, tables, deck) == plainly(walls, tables, deck)
    assert counted(walls, tables, deck).digest() == plainly(walls, tables, deck).digest()


def test_summaries_add() -> None:
    deck = DECKS[3]
    walls = fair(np.random.default_rng(5), 10, deck.n)
    tables = ["a"] * 6 + ["b"] * 4
    parts_ = [plainly(walls[:6], tables[:6], deck), plainly(walls[6:], tables[6:], deck)]
    joined = parts_[0] + parts_[1]
    whole = plainly(walls, tables, deck)
    assert joined.walls == whole.walls
    assert joined.composed == whole.composed
    assert joined.table_links == whole.table_links
    assert joined + Summary() == joined
    assert joined.digest() != whole.digest()  # the pair across the border is the log's


def test_no_wall_counts_nothing() -> None:
    empty = by_arrays.count(*[by_arrays.no_walls(0, 52)] * 3, DECKS[3].kind_array)
    assert empty.summary() == Summary()


def test_statistics_of_one_wall_by_hand() -> None:
    wall = (2, 0, 1, 4, 3)
    assert order.inverse(wall) == (1, 2, 0, 4, 3)
    assert order.inversions(wall) == 3
    assert order.ascents(wall) == 2
    assert order.fixed_points(wall) == 0
    assert order.cycles(wall) == 2
    assert order.blocks(wall) == (24 * 2 + 0 + 0 + 1,)
    assert order.compose(wall, wall) == (0, 1, 2, 3, 4)
    assert order.adjacent_equal([1, 1, 2, 2, 2]) == 3


def test_lehmer_numbers_all_orders_of_five_once_in_order() -> None:
    assert [order.lehmer(five) for five in permutations(range(5))] == list(range(120))


@pytest.mark.parametrize("deck", DECKS[:4], ids=lambda deck: f"{deck.n}")
@pytest.mark.parametrize("layout", ["mahjong", "mahjong3", "riichi", "cards13", "niuniu5"])
def test_openings_counted_by_arrays_equal_the_definition(deck: Deck, layout: str) -> None:
    hands = LAYOUTS[layout].hands
    if LAYOUTS[layout].dealt > deck.n:
        pytest.skip("the deck is smaller than the layout")
    walls = fair(np.random.default_rng(3), 60, deck.n)
    plain = OpeningSummary()
    for wall in walls.tolist():
        for place, positions in enumerate(hands):
            plain.take(place, [wall[position] for position in positions], deck.groups)
    assert count_openings(walls, hands, deck.groups).counts == plain.counts


def test_every_five_card_hand_of_ranks_has_its_bull() -> None:
    rng = np.random.default_rng(1)
    kinds = np.array([rng.permutation(DECKS[2].kind_array)[:5] for _ in range(2_000)], np.uint8)
    expected = [bull([kind if kind < 13 else kind + 39 for kind in hand]) for hand in kinds.tolist()]
    assert bulls(kinds).tolist() == expected


def test_ways_count_every_hand() -> None:
    for deck in DECKS[:4]:
        for feature in FEATURES:
            if feature.part in deck.groups:
                for size in (5, 13, 14):
                    ways = feature.ways(deck.groups[feature.part], size)
                    assert sum(ways.values()) == choose(deck.n, size), feature.name
    assert sum(bull_ways(DECKS[2].groups["kind"])) == choose(54, 5)
    assert sum(bull_ways(DECKS[3].groups["kind"])) == 2_598_960


def test_ways_equal_enumeration_of_a_small_deck() -> None:
    from collections import Counter
    from itertools import combinations

    groups = (0, 0, 0, 1, 1, 2, 2, 2, 3)
    for feature in FEATURES:
        found = Counter(feature.of(hand) for hand in combinations(groups, 4))
        assert feature.ways(groups, 4) == dict(sorted(found.items())), feature.name


def test_wild_tiles_of_the_dealer_are_hypergeometric() -> None:
    ways = FEATURES[0].ways(parts(tile_deck(flowers=True), "C")["wild"], 14)
    total = sum(ways.values())
    mean = sum(value * count for value, count in ways.items()) / total
    assert mean == pytest.approx(14 * 4 / 144)
    variance = sum((value - mean) ** 2 * count for value, count in ways.items()) / total
    assert variance**0.5 == pytest.approx(0.586, abs=5e-4)  # fairness.md 4.2


def test_dice_by_hand() -> None:
    run = DiceRun()
    for throw in ((1, 2), (3, 4), (5, 6), (1, 1), (2, 2)):
        run.throw(throw)
    assert run.dice == 10
    assert run.throws == 5
    assert run.faces == [3, 3, 1, 1, 1, 1]
    assert run.gaps[5] == 1  # 2 3 4 5 6 between the first two ones
    assert run.gaps[0] == 1
    assert sum(run.gaps) == 2
    assert run.runs[0] == 1  # 1 2 3 4 5 6
    assert run.length == 4
    assert sum(run.neighbours) == 9


def test_coupon_runs_are_as_likely_as_counted() -> None:
    ways = run_ways(10)
    assert ways[0] == 720  # 6!
    from itertools import product

    seven = sum(len(set(run)) == 6 and len(set(run[:-1])) == 5 for run in product(range(6), repeat=7))
    assert ways[1] == seven
    chance = sum(count / 6**length for length, count in enumerate(run_ways(400), 6))
    assert chance == pytest.approx(1.0)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(9)), st.permutations(range(9)))
def test_composition_and_inverse_are_inverse_to_each_other(one: list[int], other: list[int]) -> None:
    composed = order.compose(one, other)
    assert tuple(composed[index] for index in one) == tuple(other)
    walls = np.array([one, other], np.uint8)
    assert tuple(by_arrays.composed(walls[:1], walls[1:])[0]) == composed
    assert by_arrays.inversions(walls) == order.inversions(one) + order.inversions(other)
    assert by_arrays.cycles(walls) == order.cycles(one) + order.cycles(other)
