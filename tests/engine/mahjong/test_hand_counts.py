"""Exhaustive counts of mahjong.md 5.3: every hand there is, counted through the engine's own tables.

Suits are independent but for the pair, so the whole space (326,520,504,500 multisets of fourteen tiles) is counted by
adding up classes of suit patterns: (tiles, N, E) of each, joined four times.
"""

import importlib.util
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest

from engine.mahjong import suit_table
from engine.mahjong.hand import MOST_WILDS, _unpack, complete, complete_capped, shortfall, waits
from engine.mahjong.reading import suit_readings

Class = tuple[int, int, int]  # tiles, fewest wilds as melds only, fewest as melds + pair
Classes = Counter[Class]

NEVER = 15


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    path = Path(__file__).parents[2] / "generate" / "suit_table.py"
    spec = importlib.util.spec_from_file_location("generate_suit_table", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def digits(kinds: int) -> npt.NDArray[np.int8]:
    """All patterns of so many kinds, one a row, in the order of their keys."""
    places = 5 ** np.arange(kinds - 1, -1, -1)
    return (np.arange(5**kinds)[:, None] // places % 5).astype(np.int8)


@cache
def lacks(kinds: int, *, fifth: bool) -> npt.NDArray[np.int64]:
    """The engine's (N, E) of every pattern."""
    table = np.frombuffer(_unpack(suit_table.SUIT if kinds == 9 else suit_table.HONOURS), np.uint8)
    return np.array(suit_table.CLASSES)[table][:, :2] if fifth else np.array(suit_table.CLASSES)[table][:, 2:]


def classes(
    kinds: int, without: tuple[int, ...] = (), *, fifth: bool = True, by_tiles: bool = False, even: int = 0
) -> Classes:
    """Count the patterns of each class: `without` some kinds, by physical tiles, or of pairs (2) and quads (4) only."""
    rows = digits(kinds)
    size = rows.sum(axis=1)
    kept = (size <= 14) & (rows[:, list(without)] == 0).all(axis=1)
    if even:
        kept &= ((rows % 2 == 0) & (rows <= even)).all(axis=1)
    weight = np.array([1, 4, 6, 4, 1])[rows].prod(axis=1) if by_tiles else np.ones(len(rows), np.int64)
    none, pair = lacks(kinds, fifth=fifth)[kept].T
    code = size[kept] * 256 + none * 16 + pair
    total = np.zeros(15 * 256, np.int64)
    np.add.at(total, code, weight[kept])
    return Counter({(c >> 8, c >> 4 & 15, c & 15): int(total[c]) for c in np.flatnonzero(total).tolist()})


def join(first: Classes, second: Classes) -> Classes:
    """Join two groups of kinds: melds in both, the pair in either."""
    joined: Classes = Counter()
    for (size, none, pair), many in first.items():
        for (more, none_2, pair_2), times in second.items():
            if size + more <= 14:
                both = (min(none + none_2, NEVER), min(none + pair_2, pair + none_2, NEVER))
                joined[size + more, *both] += many * times
    return joined


def winning(classes_: Classes, tiles: int, wilds: int) -> int:
    return sum(many for (size, _, pair), many in classes_.items() if size == tiles - wilds and pair <= wilds)


@cache
def world(fifth: bool, rank: int | None = None, honours_out: tuple[int, ...] = ()) -> Classes:
    """All hands of 34 kinds, or without one rank of one suit, or without some honours."""
    plain = classes(9, fifth=fifth)
    suit = plain if rank is None else classes(9, (rank - 1,), fifth=fifth)
    return join(join(plain, plain), join(suit, classes(7, honours_out, fifth=fifth)))


def test_the_tables_are_what_the_generator_finds(generator: ModuleType) -> None:
    suit, honours = generator.classes_of(9, chows=True), generator.classes_of(7, chows=False)
    known = np.array([((a * 16 + b) * 16 + c) * 16 + d for a, b, c, d in suit_table.CLASSES])
    assert (known[np.frombuffer(_unpack(suit_table.SUIT), np.uint8)] == suit).all()
    assert (known[np.frombuffer(_unpack(suit_table.HONOURS), np.uint8)] == honours).all()
    assert f'DIGEST = "{suit_table.DIGEST}"' in generator.module()


def test_the_lemma_that_one_number_is_enough() -> None:
    for kinds in (9, 7):
        none, pair = lacks(kinds, fifth=True).T
        assert set(np.unique(none - pair).tolist()) == {1, -2}
    rows = digits(9)
    assert int((rows.sum(axis=1) <= 14).sum()) == 405_350
    assert not set(np.unique(np.subtract(*lacks(9, fifth=False)[rows.sum(axis=1) <= 14].T)).tolist()) <= {1, -2}


def test_an_honour_kind_by_its_tiles() -> None:
    assert [shortfall(3, count) for count in range(5)] == [(0, 2), (2, 1), (1, 0), (0, 2), (2, 1)]
    assert tuple(lacks(7, fifth=False)[4]) == (NEVER, NEVER)  # four equal honours: impossible


@pytest.mark.parametrize(
    ("tiles", "patterns"),
    [(2, 9), (3, 16), (5, 135), (6, 127), (8, 996), (9, 627), (11, 4_475), (12, 2_098), (14, 13_259)],
)
def test_complete_patterns_of_one_suit(tiles: int, patterns: int) -> None:
    rows = np.flatnonzero(digits(9).sum(axis=1) == tiles).tolist()
    if tiles % 3 == 2:
        assert sum(complete(key, 0, 0, 0) for key in rows) == patterns
        assert sum(complete_capped(0, key, 0, 0) for key in rows) == patterns
    assert sum(bool(suit_readings(2, key)) for key in rows) == patterns


def test_ready_hands_of_one_suit_by_number_of_waits() -> None:
    rows = digits(9)[digits(9).sum(axis=1) == 13]
    by_waits = Counter(len(waits([*row, *[0] * 25])) for row in rows.tolist())
    del by_waits[0]
    assert sum(by_waits.values()) == 40_070
    assert [by_waits[n] for n in range(1, 10)] == [14_067, 14_493, 6_739, 2_948, 1_335, 392, 79, 16, 1]


@pytest.mark.parametrize(
    ("column", "sizes"),
    [
        (0, [2_868, 11_771, 19_443, 18_517, 12_234, 6_522, 3_087, 1_323, 504]),
        (1, [18_874, 56_321, 72_380, 59_038, 38_657, 22_942, 12_708, 6_534, 3_087]),
    ],
)
def test_suit_tables_with_wilds(column: int, sizes: list[int]) -> None:
    # Patterns of at most fourteen tiles with their wilds, the empty one not counted.
    size = digits(9).sum(axis=1)
    fewest = lacks(9, fifth=True)[:, column]
    for wilds, expected in enumerate(sizes):
        fits = (size > 0) & (size + wilds <= 14) & ((size + wilds) % 3 == 2 * column) & (fewest <= wilds)
        assert int(fits.sum()) == expected, wilds


def test_three_suits_without_honours() -> None:
    suit = classes(9)
    assert winning(join(join(suit, suit), suit), 14, 0) == 5_237_550


def test_34_kinds_by_size() -> None:
    counted = {tiles: winning(world(fifth=True), tiles, 0) for tiles in (2, 5, 8, 11, 14)}
    assert counted == {2: 34, 5: 1_836, 8: 49_332, 11: 875_418, 14: 11_498_658}


def test_all_multisets() -> None:
    by_size: Counter[int] = Counter()
    for (size, _, _), many in world(fifth=True).items():
        by_size[size] += many
    assert by_size[13] == 98_521_596_000
    assert by_size[14] == 326_520_504_500


def test_weighted_by_physical_tiles() -> None:
    suit = classes(9, by_tiles=True)
    three = join(join(suit, suit), suit)
    assert winning(three, 14, 0) == 7_140_498_565_560
    everything = join(three, classes(7, by_tiles=True))
    assert winning(everything, 14, 0) == 11_353_128_141_498
    assert sum(many for (size, _, _), many in everything.items() if size == 14) == comb(136, 14)


WITH_WILDS: list[tuple[str, bool, Callable[[bool], Classes], list[int]]] = [
    ("jokers", True, world, [11_498_658, 55_386_588, 118_319_049, 151_127_361, 130_788_695]),
    ("jokers", False, world, [11_498_658, 54_747_045, 116_635_221, 149_237_634, 129_423_867]),
    (
        "red",
        True,
        lambda fifth: world(fifth, honours_out=(4,)),
        [10_355_541, 50_028_288, 106_819_704, 135_777_537, 116_461_191],
    ),
    (
        "red",
        False,
        lambda fifth: world(fifth, honours_out=(4,)),
        [10_355_541, 49_451_400, 105_314_994, 134_143_482, 115_337_715],
    ),
    ("rank 1", True, lambda fifth: world(fifth, 1), [9_565_948, 45_797_662, 97_399_190, 124_173_557, 107_584_334]),
    ("rank 9", False, lambda fifth: world(fifth, 9), [9_565_948, 45_247_231, 95_952_144, 122_535_944, 106_380_289]),
    ("rank 2", True, lambda fifth: world(fifth, 2), [8_821_820, 42_508_961, 91_121_575, 117_290_662, 102_734_981]),
    ("rank 7", True, lambda fifth: world(fifth, 7), [8_121_414, 39_406_249, 85_224_005, 110_876_440, 98_258_514]),
    ("rank 4", True, lambda fifth: world(fifth, 4), [8_128_426, 39_557_555, 85_736_575, 111_658_645, 98_944_518]),
    ("rank 5", True, lambda fifth: world(fifth, 5), [8_129_995, 39_597_567, 85_911_519, 111_977_300, 99_256_529]),
    ("rank 5", False, lambda fifth: world(fifth, 5), [8_129_995, 39_101_369, 84_595_188, 110_465_049, 98_122_172]),
    (
        "red, no winds",
        True,
        lambda fifth: world(fifth, honours_out=(0, 1, 2, 3, 4)),
        [6_646_778, 32_451_383, 69_003_769, 85_671_471, 70_407_179],
    ),
]


@pytest.mark.parametrize(
    ("fifth", "hands", "expected"),
    [row[1:] for row in WITH_WILDS],
    ids=[f"{name}-{'fifth' if fifth else 'capped'}" for name, fifth, _, _ in WITH_WILDS],
)
def test_winning_multisets_with_wilds(fifth: bool, hands: Callable[[bool], Classes], expected: list[int]) -> None:
    assert [winning(hands(fifth), 14, wilds) for wilds in range(MOST_WILDS + 1)] == expected


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        (11, [803_484, 3_197_580, 5_384_946, 5_140_593, 3_135_762]),
        (8, [46_131, 141_261, 168_932, 103_383, 35_436]),
        (5, [1_749, 3_624, 2_391, 561, 33]),
        (2, [33, 33, 1]),
    ],
)
def test_smaller_hands_with_red_wild(tiles: int, expected: list[int]) -> None:
    hands = world(fifth=True, honours_out=(4,))
    assert [winning(hands, tiles, wilds) for wilds in range(len(expected))] == expected


def test_unions_with_the_special_shapes() -> None:
    both = {}
    for even in (2, 4):
        suit = classes(9, even=even)
        both[even] = winning(join(join(suit, suit), join(suit, classes(7, even=even))), 14, 0)
    assert both == {2: 4_668, 4: 7_938}
    standard = winning(world(fifth=True), 14, 0)
    distinct, with_quads = comb(34, 7), sum(comb(34, quads) * comb(34 - quads, 7 - 2 * quads) for quads in range(4))
    assert (distinct, with_quads) == (5_379_616, 16_417_104)
    assert standard + distinct - both[2] + 13 == 16_873_619
    assert standard + with_quads - both[4] + 13 == 27_907_837


@pytest.mark.parametrize("fifth", [True, False])
def test_joining_two_suits_is_what_the_key_look_ups_do(fifth: bool) -> None:
    """The counts above trust `join`; here the public look-ups themselves run over all two-suit classes."""
    look_up = complete if fifth else complete_capped
    some: dict[int, dict[Class, int]] = {}
    for kinds in (9, 7):
        size = digits(kinds).sum(axis=1)
        some[kinds] = {
            (n, none, pair): key
            for key, (n, (none, pair)) in enumerate(zip(size.tolist(), lacks(kinds, fifth=fifth).tolist(), strict=True))
            if n <= 14
        }
    for first, m in some[9].items():
        for second, z in some[7].items():
            if first[0] + second[0] > 14:
                continue
            ((size, _, pair),) = join(Counter([first]), Counter([second]))
            for wilds in range(MOST_WILDS + 1):
                wins = (size + wilds) % 3 == 2 and pair <= wilds
                assert look_up(m, 0, 0, z, wilds) == look_up(0, 0, m, z, wilds) == wins


def blocks_of(kinds: int) -> list[list[int]]:
    """All pungs and chows of one suit, or the pungs of the honours, as rows of counts."""
    pungs = [[3 * (at == kind) for at in range(kinds)] for kind in range(kinds)]
    chows = [[int(kind <= at < kind + 3) for at in range(kinds)] for kind in range(7)]
    return pungs + (chows if kinds == 9 else [])


@pytest.mark.parametrize("kinds", [9, 7])
def test_every_pattern_without_fifth_copies_beside_a_second_search(kinds: int) -> None:
    """All patterns of up to four copies, all costs: the complete ones by adding blocks, then tile after tile taken."""
    grid = np.zeros((5,) * kinds, bool)
    grid[(0,) * kinds] = True
    for block in blocks_of(kinds):
        at, beyond = tuple(slice(0, 5 - n) for n in block), tuple(slice(n, 5) for n in block)
        for _ in range(4):
            grid[beyond] |= grid[at].copy()
    paired = np.zeros_like(grid)
    for kind in range(kinds):
        with_pair, without = np.moveaxis(paired, kind, 0), np.moveaxis(grid, kind, 0)
        with_pair[2:] |= without[:-2]
    for column, finished in enumerate((grid, paired)):
        cost = np.where(finished, 0, 99).astype(np.int8)
        for kind in range(kinds):
            by_count = np.moveaxis(cost, kind, 0)
            for held in (3, 2, 1, 0):
                np.minimum(by_count[held], by_count[held + 1] + 1, out=by_count[held])
        assert (np.minimum(cost.ravel(), NEVER) == lacks(kinds, fifth=False)[:, column]).all()


@pytest.mark.long
@pytest.mark.parametrize("column", [0, 1])
def test_every_pattern_with_fifth_copies_beside_a_second_search(column: int) -> None:
    """All 405,350 suit patterns with up to four wilds: what complete patterns become when so many tiles are taken."""
    layer = np.zeros((1, 9), np.int64)
    layers = [layer]
    for _ in range(6 - column):
        layer = np.unique((layer[:, None] + np.array(blocks_of(9))).reshape(-1, 9), axis=0)
        layers.append(layer)
    targets = np.concatenate(layers)
    if column:
        targets = (targets[:, None] + 2 * np.eye(9, dtype=np.int64)).reshape(-1, 9)
    targets = np.unique(targets[np.maximum(targets - 4, 0).sum(axis=1) <= MOST_WILDS], axis=0)
    fewest = np.full(5**9, NEVER)
    for wilds in reversed(range(MOST_WILDS + 1)):
        for taken in combinations_with_replacement(range(9), wilds):
            left = targets - np.bincount(taken, minlength=9)
            lawful = left[(left.min(axis=1) >= 0) & (left.max(axis=1) <= 4)]
            fewest[lawful @ 5 ** np.arange(8, -1, -1)] = wilds
    small = digits(9).sum(axis=1) <= 14
    table = lacks(9, fifth=True)[small, column]
    assert (np.where(table > MOST_WILDS, NEVER, table) == fewest[small]).all()
