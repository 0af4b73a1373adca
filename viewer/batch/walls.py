"""Walls by the thousand: the counts of `engine.audit` with integer arrays, tested equal to that definition.

A matrix of walls has a row a deal: `walls[deal, position]` is a deck index, uint8.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.audit import LinkSummary, Summary, WallSummary
from engine.audit.order import BLOCK, BLOCK_ORDERS

Walls = NDArray[np.uint8]
Ints = NDArray[np.int64]
STRIP = 1024
"""Deals that are compared at once: their columns stay in the cache."""
LANES = 256


@dataclass(slots=True)
class WallCounts:
    """`WallSummary` as arrays; `cells[index, position]`."""

    deals: int
    cells: Ints
    inversions: int
    ascents: int
    inverse_ascents: int
    fixed: int
    cycles: int
    adjacent: int
    adjacent_squares: int
    blocks: Ints

    @classmethod
    def none(cls, n: int) -> "WallCounts":
        """Return the counts of no deal."""
        blocks = np.zeros(BLOCK_ORDERS, np.int64)
        return cls(0, np.zeros((n, n), np.int64), 0, 0, 0, 0, 0, 0, 0, blocks)

    def __iadd__(self, other: Self) -> Self:
        self.deals += other.deals
        self.cells += other.cells
        self.inversions += other.inversions
        self.ascents += other.ascents
        self.inverse_ascents += other.inverse_ascents
        self.fixed += other.fixed
        self.cycles += other.cycles
        self.adjacent += other.adjacent
        self.adjacent_squares += other.adjacent_squares
        self.blocks += other.blocks
        return self

    def summary(self) -> WallSummary:
        """Return the plain summary."""
        return WallSummary(
            self.deals,
            tuple(self.cells.ravel().tolist()) if self.deals else (),
            self.inversions,
            self.ascents,
            self.inverse_ascents,
            self.fixed,
            self.cycles,
            self.adjacent,
            self.adjacent_squares,
            tuple(self.blocks.tolist()) if self.deals else (),
        )


@dataclass(slots=True)
class Counts:
    """`Summary` as arrays."""

    walls: WallCounts
    composed: WallCounts
    table_pairs: int = 0
    table_products: int = 0
    log_pairs: int = 0
    log_products: int = 0

    @classmethod
    def none(cls, n: int) -> "Counts":
        """Return the counts of no deal of a deck of n."""
        return cls(WallCounts.none(n), WallCounts.none(n))

    def __iadd__(self, other: Self) -> Self:
        self.walls += other.walls
        self.composed += other.composed
        self.table_pairs += other.table_pairs
        self.table_products += other.table_products
        self.log_pairs += other.log_pairs
        self.log_products += other.log_products
        return self

    def summary(self) -> Summary:
        """Return the plain summary."""
        return Summary(
            self.walls.summary(),
            self.composed.summary(),
            LinkSummary(self.table_pairs, self.table_products),
            LinkSummary(self.log_pairs, self.log_products),
        )


def inverses(walls: Walls) -> Walls:
    """Return each wall's inverse."""
    deals, n = walls.shape
    found = np.empty(deals * n, np.uint8)
    found[flat(walls)] = np.broadcast_to(np.arange(n, dtype=np.uint8), walls.shape).ravel()
    return found.reshape(deals, n)


def composed(earlier: Walls, later: Walls) -> Walls:
    """Return each earlier wall inverted, then the later one."""
    return later.ravel()[flat(inverses(earlier))].reshape(later.shape)


def flat(rows: Walls) -> NDArray[np.intp]:
    """Return indices into the flattened matrix for indices within each row."""
    deals, n = rows.shape
    found: NDArray[np.intp] = (rows + (np.arange(deals, dtype=np.intp) * n)[:, None]).ravel()
    return found


def cells(walls: Walls) -> Ints:
    """Count deck index by position."""
    n = walls.shape[1]
    numbered = walls + (np.arange(n, dtype=np.uint32) * n).astype(np.uint16 if n <= 256 else np.uint32)
    counted = np.bincount(numbered.ravel(), minlength=n * n).reshape(n, n)
    return np.ascontiguousarray(counted.T).astype(np.int64)


def inversions(walls: Walls) -> int:
    """Count the pairs in the wrong order, over all deals."""
    n = walls.shape[1]
    total = 0
    for start in range(0, len(walls), STRIP):
        columns = np.ascontiguousarray(walls[start : start + STRIP].T)
        wrong = np.empty(columns.shape, np.bool_)
        for i in range(n - 1):
            total += int(np.count_nonzero(np.less(columns[i + 1 :], columns[i], out=wrong[i + 1 :])))
    return total


def cycles(walls: Walls) -> int:
    """Count the cycles of all deals: the least index of each, spread over it by doubling the steps."""
    n = walls.shape[1]
    total = 0
    for start in range(0, len(walls), LANES):
        step = flat(walls[start : start + LANES])
        own = np.arange(step.size)
        least = own
        reached = 1
        while reached < n:
            least = np.minimum(least, least[step])
            step = step[step]
            reached *= 2
        total += int(np.count_nonzero(least == own))
    return total


def blocks(walls: Walls) -> Ints:
    """Count the orders of whole blocks of five."""
    deals, n = walls.shape
    many = n // BLOCK
    rows = np.ascontiguousarray(walls[:, : many * BLOCK].reshape(deals * many, BLOCK).T)
    numbers = np.zeros(deals * many, np.uint8)
    for place, weight in enumerate((24, 6, 2, 1)):
        smaller = np.zeros(deals * many, np.uint8)
        for later in range(place + 1, BLOCK):
            smaller += rows[later] < rows[place]
        numbers += smaller * np.uint8(weight)
    return np.bincount(numbers, minlength=BLOCK_ORDERS).astype(np.int64)


def count_walls(walls: Walls, kinds: Walls) -> WallCounts:
    """Return the counts over walls; `kinds`: the kind of each deck index."""
    deals, n = walls.shape
    if not deals:
        return WallCounts.none(n)
    of_kind = kinds[walls]
    equal = np.count_nonzero(of_kind[:, 1:] == of_kind[:, :-1], axis=1)
    back = inverses(walls)
    return WallCounts(
        deals,
        cells(walls),
        inversions(walls),
        ascents(walls),
        ascents(back),
        int(np.count_nonzero(walls == np.arange(n, dtype=np.uint8))),
        cycles(walls),
        int(equal.sum()),
        int((equal * equal).sum()),
        blocks(walls),
    )


def ascents(walls: Walls) -> int:
    """Count the neighbours that ascend."""
    return int(np.count_nonzero(walls[:, 1:] > walls[:, :-1]))


def products(earlier: Walls, later: Walls) -> int:
    """Return the sum of all products of deck indices at the same position."""
    return int((earlier.astype(np.uint16) * later).sum(dtype=np.int64))


def count(walls: Walls, table_before: Walls, log_before: Walls, kinds: Walls) -> Counts:
    """Count deals with their predecessors.

    `table_before`, `log_before`: the wall before each deal's, at its table and in the log; a row that begins with two
    equal indices (`NO_WALL`) stands for none.
    """
    at_table = has_wall(table_before)
    in_log = has_wall(log_before)
    earlier, later = table_before[at_table], walls[at_table]
    return Counts(
        count_walls(walls, kinds),
        count_walls(composed(earlier, later), kinds),
        len(earlier),
        products(earlier, later),
        int(np.count_nonzero(in_log)),
        products(log_before[in_log], walls[in_log]),
    )


def no_walls(deals: int, n: int) -> Walls:
    """Return rows that stand for no wall."""
    return np.zeros((deals, n), np.uint8)


def has_wall(rows: Walls) -> Any:  # noqa: ANN401  a mask of rows
    """Tell which rows are walls: in a permutation the first two indices differ."""
    return rows[:, 0] != rows[:, 1] if rows.shape[1] > 1 else np.ones(len(rows), np.bool_)
