"""The distance beside the plain definition: the fewest tiles by which the hand differs from any finished one."""

import random
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import parse_hand
from engine.mahjong.distance import distance
from engine.mahjong.hand import complete, keys, waits


def counted(text: str) -> list[int]:
    kinds = parse_hand(text)
    return [kinds.count(kind) for kind in range(34)]


def finished(sets: int) -> npt.NDArray[np.int64]:
    """All hands of so many melds and a pair, of any number of copies, one a row."""
    blocks = [[3 * (at == kind) for at in range(34)] for kind in range(34)]
    blocks += [[int(kind <= at < kind + 3) for at in range(34)] for kind in range(27) if kind % 9 < 7]
    chosen = [np.zeros(34, np.int64)]
    if sets:
        rows = np.array(blocks)
        chosen = [rows[list(some)].sum(axis=0) for some in combinations_with_replacement(range(len(rows)), sets)]
    return (np.array(chosen)[:, None] + 2 * np.eye(34, dtype=np.int64)).reshape(-1, 34)


def dealt(rng: random.Random, tiles: int) -> list[int]:
    kinds = rng.choice((list(range(34)), list(range(9)), [*range(5), *range(27, 31)]))
    drawn = rng.sample([kind for kind in kinds for _ in range(4)], tiles)
    return [drawn.count(kind) for kind in range(34)]


@pytest.mark.parametrize(("sets", "hands"), [(0, 60), (1, 300), (2, 60)])
def test_distance_is_the_nearest_finished_hand(sets: int, hands: int) -> None:
    rng = random.Random(f"distance {sets}")
    targets = finished(sets)
    seen: Counter[int] = Counter()
    for _ in range(hands):
        tiles = 3 * sets + rng.choice((1, 2))
        wilds = rng.choice((0, 0, 1, min(3, tiles - 1)))
        hand = dealt(rng, tiles - wilds)
        kept = int(np.minimum(targets, hand).sum(axis=1).max())
        found = distance(*keys(hand), sets=sets, wilds=wilds)
        assert found == max(3 * sets + 2 - kept - wilds, 3 * sets + 2 - tiles), hand
        seen[found] += 1
    assert len(seen) > sets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123m 456p 789s EEE SS", 0),
        ("123m 456p 789s EEE S", 1),
        ("123m 456p 789s EE SS", 1),
        ("123m 456p 789s EE SW", 2),
        ("123m 456p 79s EE SSC", 2),
        ("1122m 3344p 5566s EE", 4),  # partial melds: no standard hand is near
        ("147m 258p 369s ESWNC", 9),
        ("19m 19p 19s ESWNCFP E", 8),
    ],
)
def test_named_hands(text: str, expected: int) -> None:
    assert distance(*keys(counted(text))) == expected


def deals(most: int) -> st.SearchStrategy[list[int]]:
    tiles = st.lists(st.integers(0, 135), unique=True, min_size=most, max_size=most)
    return tiles.map(lambda drawn: [sum(tile // 4 == kind for tile in drawn) for kind in range(34)])


@given(st.integers(0, 4), st.integers(0, 2), st.data())
def test_zero_is_complete_and_one_is_ready(sets: int, wilds: int, data: st.DataObject) -> None:
    hand = data.draw(deals(3 * sets + 2 - wilds))
    assert (distance(*keys(hand), sets=sets, wilds=wilds) == 0) == complete(*keys(hand), wilds)
    if not any(hand):
        return
    hand[next(kind for kind in range(34) if hand[kind])] -= 1
    ready = distance(*keys(hand), sets=sets, wilds=wilds) == 1
    assert ready == complete(*keys(hand), wilds + 1)
    if waits(hand, wilds):
        assert ready


@given(deals(13), st.integers(0, 33), st.integers(0, 33))
def test_one_tile_changes_the_distance_by_one_at_most(hand: list[int], drawn: int, thrown: int) -> None:
    before = distance(*keys(hand))
    if hand[drawn] < 4:
        hand[drawn] += 1
        assert distance(*keys(hand)) in (before - 1, before)
        if hand[thrown]:
            hand[thrown] -= 1
            assert abs(distance(*keys(hand)) - before) <= 1
