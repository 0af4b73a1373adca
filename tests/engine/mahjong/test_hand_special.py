"""Seven pairs and thirteen orphans beside substitution and the counts of mahjong.md 5.3."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from math import comb

import pytest

from engine.cards import parse_hand
from engine.mahjong.special import (
    ORPHANS,
    SevenPairs,
    is_seven_pairs,
    is_thirteen_orphans,
    most_quads,
    natural_quads,
    seven_pairs,
    thirteen_orphans,
)

E, C = 27, 31


def counted(text: str) -> list[int]:
    kinds = parse_hand(text)
    return [kinds.count(kind) for kind in range(34)]


def substitutions(hand: list[int], wilds: int) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    for kinds in combinations_with_replacement(range(34), wilds):
        whole = hand.copy()
        for kind in kinds:
            whole[kind] += 1
        yield kinds, whole


def is_pairs(whole: list[int], *, quads: bool, fifth: bool) -> bool:
    most = (14 if fifth else 4) if quads else 2
    return sum(whole) == 14 and all(count % 2 == 0 and count <= most for count in whole)


def nearly_pairs(rng: random.Random, wilds: int) -> list[int]:
    hand = [0] * 34
    while sum(hand) < 14:
        kind = rng.randrange(rng.choice((6, 34)))
        if hand[kind] < 4:
            hand[kind] += 2
    for _ in range(wilds):
        hand[rng.choice([kind for kind in range(34) if hand[kind]])] -= 1
    if rng.random() < 0.4:
        hand[rng.choice([kind for kind in range(34) if hand[kind]])] -= 1
        hand[rng.choice([kind for kind in range(34) if hand[kind] < 4])] += 1
    return hand


@pytest.mark.parametrize("quads", [True, False])
@pytest.mark.parametrize(("wilds", "hands"), [(0, 2000), (1, 600), (2, 120), (3, 15)])
def test_seven_pairs_are_every_substitution(wilds: int, hands: int, quads: bool) -> None:
    rng = random.Random(f"seven pairs {wilds}")
    seen: Counter[bool] = Counter()
    for _ in range(hands):
        hand = nearly_pairs(rng, wilds)
        for fifth in (True, False):
            expected = {
                kinds: whole
                for kinds, whole in substitutions(hand, wilds)
                if is_pairs(whole, quads=quads, fifth=fifth or not quads)
            }
            found = seven_pairs(hand, wilds, quads=quads, fifth=fifth)
            assert {reading.became for reading in found} == set(expected)
            assert len(found) == len(expected)
            for reading in found:
                assert [2 * reading.pairs.count(kind) for kind in range(34)] == expected[reading.became]
                assert reading.quads == sum(count // 4 for count in expected[reading.became])
            seen[bool(found)] += 1
            assert is_seven_pairs(hand, wilds, quads=quads) == bool(found)
        if quads:
            readings = seven_pairs(hand, wilds)
            assert most_quads(hand, wilds) == max((reading.quads for reading in readings), default=0)
    assert seen[True] > hands // 10
    assert seen[False] > hands // 10


def test_four_wilds_make_the_most_quads() -> None:
    rng = random.Random("four wilds")
    for _ in range(300):
        hand = nearly_pairs(rng, 4)
        assert most_quads(hand, 4) == max((reading.quads for reading in seven_pairs(hand, 4)), default=0)
    hand = counted("1133557799m")
    assert most_quads(hand, 4) == 2
    assert len(seven_pairs(hand, 4)) == comb(35, 2)
    assert len(seven_pairs(hand, 4, quads=False)) == comb(29, 2)
    triplets = counted("111222333m E")
    assert most_quads(triplets, 4) == 3
    assert natural_quads(triplets) == 0
    assert seven_pairs(triplets, 4) == [SevenPairs((0, 0, 1, 1, 2, 2, E), (0, 1, 2, E))]
    assert not is_seven_pairs(triplets, 4, quads=False)
    assert natural_quads(counted("1111m EEEE 22p")) == 2
    assert most_quads(counted("1111m EEEE 22p"), 4) == 3
    assert most_quads(counted("1111m EEEE 222p"), 3) == 3
    # Six copies of one kind are three pairs, one quad: only where fifth copies are allowed.
    six = [reading for reading in seven_pairs(counted("1111m 22335566p"), 2) if reading.pairs.count(0) == 3]
    assert [reading.quads for reading in six] == [1]
    assert not [r for r in seven_pairs(counted("1111m 22335566p"), 2, fifth=False) if r.pairs.count(0) == 3]


def test_a_wild_may_be_its_own_face() -> None:
    found = seven_pairs(counted("1133557799m EE"), 2)
    assert len(found) == 34
    assert Counter(reading.posing(C) for reading in found) == {2: 33, 0: 1}
    found = seven_pairs(counted("1133557799m C E"), 2)  # a claimed C counts as itself
    assert [reading.posing(C) for reading in found] == [1]


@pytest.mark.parametrize(
    ("wilds", "expected"),
    list(enumerate([13_454_496, 82_298_304, 216_655_032, 320_395_416, 291_620_472])),
)
def test_seven_pairs_of_33_kinds_with_one_kind_wild(wilds: int, expected: int) -> None:
    """The check decides every honour hand; of the other kinds only tiles and lone tiles matter."""
    for pattern in product(range(5), repeat=6):
        spare = 14 - wilds - sum(pattern)
        if spare >= 0 and spare % 2 == 0:
            hand = [2 * (kind < spare // 2) for kind in range(27)] + [*pattern, 0]
            assert is_seven_pairs(hand, wilds) == (sum(count % 2 for count in pattern) <= wilds)
    total: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for _ in range(33):
        added: Counter[tuple[int, int]] = Counter()
        for (tiles, lone), many in total.items():
            for count in range(min(4, 14 - tiles) + 1):
                added[tiles + count, lone + count % 2] += many
        total = added
    assert sum(many for (tiles, lone), many in total.items() if tiles == 14 - wilds and lone <= wilds) == expected


def orphan_hands(kinds: tuple[int, ...], tiles: int) -> Iterator[list[int]]:
    """All hands of the kinds with no kind more than twice and at most two kinds twice."""
    for twice in range(3):
        for distinct in combinations(kinds, tiles - twice) if tiles >= twice else ():
            for doubled in combinations(distinct, twice):
                yield [(kind in distinct) + (kind in doubled) for kind in range(34)]


@pytest.mark.parametrize(
    ("wild", "expected"),
    [(4, [13, 157, 871, 2_938, 6_721]), (C, [0, 12, 133, 672, 2_046]), (0, [0, 12, 133, 672, 2_046])],
)
def test_thirteen_orphans_with_one_kind_wild(wild: int, expected: list[int]) -> None:
    kinds = tuple(kind for kind in ORPHANS if kind != wild)
    for wilds, many in enumerate(expected):
        won = 0
        for hand in orphan_hands(kinds, 14 - wilds):
            found = thirteen_orphans(hand, wilds)
            won += is_thirteen_orphans(hand, wilds)
            assert bool(found) == is_thirteen_orphans(hand, wilds)
            for reading in found:
                whole = [hand[kind] + reading.became.count(kind) for kind in range(34)]
                assert whole == [(kind in ORPHANS) + (kind == reading.pair) for kind in range(34)]
        assert won == many


def test_thirteen_orphans_of_two_wilds_are_every_substitution() -> None:
    target = {tuple((kind in ORPHANS) + (kind == pair) for kind in range(34)) for pair in ORPHANS}
    for text in (
        "19m 19p 19s ESWNCF",
        "19m 19p 19s ESWNC E",
        "19m 19p 19s ESWN EE",
        "199m 19p 19s ESWNC",
        "159m 19p 19s ESWNC",
    ):
        hand = counted(text)
        expected = {kinds for kinds, whole in substitutions(hand, 2) if tuple(whole) in target}
        assert {reading.became for reading in thirteen_orphans(hand, 2)} == expected


def test_thirteen_orphans_wait_for_thirteen() -> None:
    hand = counted("19m 19p 19s ESWNCFP")
    assert [reading.pair for reading in thirteen_orphans(hand, 1)] == list(ORPHANS)
    # HN-16: with red wild no natural C exists; a wild is the C, and poses as nothing.
    (reading,) = thirteen_orphans(counted("199m 19p 19s ESWNFP"), 1)
    assert reading == (8, (C,))
    assert reading.posing(C) == 0
    assert reading.posing(E) == 1


def test_special_shapes_need_fourteen_tiles() -> None:
    assert not is_seven_pairs(counted("1133557799m EE"))
    assert not is_thirteen_orphans(counted("19m 19p 19s ESWNCF"), 1)
    assert most_quads(counted("1111m EEEE 22p")) == 0
    assert seven_pairs(counted("1111m"), 4) == []
    assert thirteen_orphans(counted("1111m"), 4) == []
