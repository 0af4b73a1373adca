"""What the battery reads off one permutation (fairness.md 4, T4-T8): plain definitions, integers only.

A permutation is a sequence of 0..n-1: `wall[position]` is the deck index that lies there.
"""

from collections.abc import Sequence
from itertools import pairwise

BLOCK = 5
"""Tiles of a block of T8."""
BLOCK_ORDERS = 120
"""Orders of five tiles."""


def inverse(wall: Sequence[int]) -> tuple[int, ...]:
    """Return the position of each deck index."""
    places = [0] * len(wall)
    for position, index in enumerate(wall):
        places[index] = position
    return tuple(places)


def compose(earlier: Sequence[int], later: Sequence[int]) -> tuple[int, ...]:
    """Return `earlier` inverted, then `later`: for each deck index, what lies now where it lay before (T10)."""
    return tuple([later[position] for position in inverse(earlier)])


def inversions(wall: Sequence[int]) -> int:
    """Return how many pairs stand in the wrong order (T4)."""
    return sum(wall[j] < wall[i] for i in range(len(wall)) for j in range(i + 1, len(wall)))


def ascents(wall: Sequence[int]) -> int:
    """Return how many neighbours ascend (T5); of the inverse: one less than n minus the rising sequences."""
    return sum(left < right for left, right in pairwise(wall))


def fixed_points(wall: Sequence[int]) -> int:
    """Return how many tiles lie where the deck had them (T6)."""
    return sum(position == index for position, index in enumerate(wall))


def cycles(wall: Sequence[int]) -> int:
    """Return the number of cycles, fixed points included (T6)."""
    seen = bytearray(len(wall))
    count = 0
    for start in range(len(wall)):
        if seen[start]:
            continue
        count += 1
        at = start
        while not seen[at]:
            seen[at] = 1
            at = wall[at]
    return count


def adjacent_equal(kinds: Sequence[int]) -> int:
    """Return how many neighbours are of one kind (T7)."""
    return sum(left == right for left, right in pairwise(kinds))


def lehmer(five: Sequence[int]) -> int:
    """Return the number 0..119 of the order of five different values: 0 ascending, 119 descending (T8)."""
    index = 0
    for place, weight in enumerate((24, 6, 2, 1)):
        index += weight * sum(later < five[place] for later in five[place + 1 :])
    return index


def blocks(wall: Sequence[int]) -> tuple[int, ...]:
    """Return the order of each whole block of five, from position 0 on (T8)."""
    return tuple([lehmer(wall[at : at + BLOCK]) for at in range(0, len(wall) - BLOCK + 1, BLOCK)])


def product(earlier: Sequence[int], later: Sequence[int]) -> int:
    """Return the sum over positions of the product of both deck indices: all that Spearman's rank needs (T9)."""
    return sum(one * other for one, other in zip(earlier, later, strict=True))
