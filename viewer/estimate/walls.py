"""T1 to T10: what counts over walls say, each against its closed null (fairness.md 4, 4.1)."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.audit.order import BLOCK, BLOCK_ORDERS
from viewer.batch.walls import Counts, Ints, WallCounts
from viewer.estimate.statistic import Row, Statistic, chi_square, normal, omnibus

Floats = NDArray[np.float64]
NAMES: Final = {
    "T1": "kind x position",
    "T2": "id x position",
    "T3": "largest cell",
    "T4": "inversions",
    "T5": "runs and rising sequences",
    "T6": "fixed points and cycles",
    "T7": "adjacent equal kinds",
    "T8": "permutations of five",
    "T9": "serial rank correlation",
    "T10": "composition of consecutive walls",
}
LEAST: Final = {
    "T1": 200, "T2": 1000, "T3": 1000, "T4": 30, "T5": 30, "T6": 6, "T7": 1000, "T8": 100, "T9": 100, "T10": 1000,
}  # fmt: skip
"""Deals from which on a row is used."""
NEEDS_IDS: Final = frozenset({"T2", "T3", "T6", "T10"})
"""Rows about single ids: a log of kinds cannot say which copy lay where."""


def kind_cells(cells: Ints, kinds: Sequence[int]) -> tuple[Ints, Ints]:
    """Return counts of kind x position and each kind's multiplicity, in order of the kinds' numbers."""
    names = sorted(set(kinds))
    found = np.zeros((len(names), cells.shape[1]), np.int64)
    np.add.at(found, [names.index(kind) for kind in kinds], cells)
    copies = np.array([list(kinds).count(kind) for kind in names], np.int64)
    return found, copies


def total_q(cells: Ints, copies: Ints, deals: int) -> float:
    """Return Q = (n-1)/n Σ (O - N m/n)² / (N m/n): the cells' covariance is 1/(n-1) P (x) P (4.1)."""
    n = int(copies.sum())
    expected = (deals * copies / n)[:, None]
    return float((n - 1) / n * ((cells - expected) ** 2 / expected).sum())


def kind_by_position(counts: WallCounts, kinds: Sequence[int]) -> Statistic:
    """T1."""
    cells, copies = kind_cells(counts.cells, kinds)
    n = len(kinds)
    q = total_q(cells, copies, counts.deals)
    return omnibus("kind x position", q, (len(copies) - 1) * (n - 1), counts.deals)


def id_by_position(counts: WallCounts) -> Statistic:
    """T2."""
    n = len(counts.cells)
    q = total_q(counts.cells, np.ones(n, np.int64), counts.deals)
    return omnibus("id x position", q, (n - 1) ** 2, counts.deals)


def tails(cells: Ints, deals: int, chances: Floats | float) -> Floats:
    """Return the exact two-sided binomial p of every cell."""
    low = stats.binom.cdf(cells, deals, chances)
    high = stats.binom.sf(cells - 1, deals, chances)
    found: Floats = np.minimum(1.0, 2 * np.minimum(low, high))
    return found


def largest_cell(counts: WallCounts) -> Statistic:
    """T3: the least p of any cell, times their number."""
    n = len(counts.cells)
    each = tails(counts.cells, counts.deals, 1 / n)
    index, position = np.unravel_index(int(each.argmin()), each.shape)
    found = int(counts.cells[index, position])
    p = min(1.0, float(each.min()) * n * n)
    name = f"deck index {index} at position {position}"
    return Statistic(name, found, p, f"exact binomial, x {n * n} cells", expected=counts.deals / n, n=counts.deals)


def inversions(counts: WallCounts) -> Statistic:
    """T4."""
    n = len(counts.cells)
    variance = n * (n - 1) * (2 * n + 5) / 72
    return normal("inversions", counts.inversions, counts.deals, mean=n * (n - 1) / 4, variance=variance)


def ascents(counts: WallCounts) -> list[Statistic]:
    """T5: of the wall (runs) and of its inverse (rising sequences)."""
    n = len(counts.cells)
    mean, variance = (n - 1) / 2, (n + 1) / 12
    return [
        normal("ascents", counts.ascents, counts.deals, mean=mean, variance=variance),
        normal("ascents of the inverse", counts.inverse_ascents, counts.deals, mean=mean, variance=variance),
    ]


def fixed_and_cycles(counts: WallCounts) -> list[Statistic]:
    """T6: the total of fixed points is close to Poisson(N); cycles have mean H_n, variance H_n - H_n^(2)."""
    n, deals = len(counts.cells), counts.deals
    tail = min(stats.poisson.cdf(counts.fixed, deals), stats.poisson.sf(counts.fixed - 1, deals))
    fixed = Statistic(
        "fixed points", counts.fixed, min(1.0, 2 * float(tail)), "Poisson", expected=float(deals), n=deals
    )
    harmonic = sum(1 / k for k in range(1, n + 1))
    squares = sum(1 / k**2 for k in range(1, n + 1))
    return [fixed, normal("cycles", counts.cycles, deals, mean=harmonic, variance=harmonic - squares)]


def adjacent(counts: WallCounts, kinds: Sequence[int]) -> Statistic:
    """T7: exact mean, the variance as found."""
    n, deals = len(kinds), counts.deals
    mean = sum(list(kinds).count(kind) * (list(kinds).count(kind) - 1) for kind in set(kinds)) / n
    found = counts.adjacent / deals
    variance = (counts.adjacent_squares - deals * found**2) / (deals - 1)
    return normal(
        "adjacent equal kinds", counts.adjacent, deals, mean=mean, variance=variance, null="normal, variance as found"
    )


def blocks(counts: WallCounts) -> Statistic:
    """T8."""
    many = counts.deals * (len(counts.cells) // BLOCK)
    expected = many / BLOCK_ORDERS
    value = float(((counts.blocks - expected) ** 2 / expected).sum())
    return chi_square("orders of five", value, BLOCK_ORDERS - 1, many)


def correlation(name: str, pairs: int, products: int, n: int) -> Statistic:
    """T9: the mean of Spearman's rank correlation of consecutive walls; its variance is 1/(n-1)."""
    squares = (n - 1) * n * (2 * n - 1) / 6
    centre = n * ((n - 1) / 2) ** 2
    mean = (products / pairs - centre) / (squares - centre)
    sd = (1 / (n - 1) / pairs) ** 0.5
    p = float(2 * stats.norm.sf(abs(mean) / sd))
    return Statistic(name, mean, p, "normal", expected=0.0, sd=sd, n=pairs)


def composition(counts: WallCounts, kinds: Sequence[int]) -> list[Statistic]:
    """T10: a wall inverted and then the next is uniform as well; T1 to T6 of it."""
    return [
        kind_by_position(counts, kinds),
        id_by_position(counts),
        largest_cell(counts),
        inversions(counts),
        *ascents(counts),
        *fixed_and_cycles(counts),
    ]


def rows(counts: Counts, kinds: Sequence[int], *, ids: bool = True) -> list[Row]:
    """Return the rows T1 to T10; `ids`: the log tells copies of a kind apart."""
    walls = counts.walls
    n, deals = len(kinds), walls.deals
    several = len(set(kinds)) < n
    found = [
        _row("T1", deals, lambda: [kind_by_position(walls, kinds)]),
        _row("T2", deals, lambda: [id_by_position(walls)]),
        _row("T3", deals, lambda: [largest_cell(walls)]),
        _row("T4", deals, lambda: [inversions(walls)]),
        _row("T5", deals, lambda: ascents(walls)),
        _row("T6", deals, lambda: fixed_and_cycles(walls)),
        _row("T7", deals, lambda: [adjacent(walls, kinds)] if several else []),
        _row("T8", deals, lambda: [blocks(walls)]),
        _serial(counts, n),
        _row("T10", counts.composed.deals, lambda: composition(counts.composed, kinds)),
    ]
    if not several:
        found[6].why = "no two cards of one kind"
    if not ids:
        for row in found:
            if row.id in NEEDS_IDS:
                row.statistics, row.why = [], "the log does not tell the copies of a kind apart"
    return found


def _serial(counts: Counts, n: int) -> Row:
    pairs = max(counts.table_pairs, counts.log_pairs)
    row = Row("T9", NAMES["T9"], pairs, LEAST["T9"])
    same = (counts.table_pairs, counts.table_products) == (counts.log_pairs, counts.log_products)
    if counts.table_pairs >= row.least:
        row.statistics.append(correlation("at the same table", counts.table_pairs, counts.table_products, n))
    if counts.log_pairs >= row.least and not same:
        row.statistics.append(correlation("in the order of the log", counts.log_pairs, counts.log_products, n))
    if not row.statistics:
        row.why = too_few(pairs, row.least)
    return row


def _row(key: str, deals: int, make: Callable[[], list[Statistic]]) -> Row:
    row = Row(key, NAMES[key], deals, LEAST[key])
    if deals < row.least:
        row.why = too_few(deals, row.least)
    else:
        row.statistics = make()
    return row


def too_few(found: int, least: int) -> str:
    """Say that there are too few to use a row."""
    return f"{found} of at least {least} needed"
