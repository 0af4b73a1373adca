"""T11: opening hands by place against all hands that the deck could give (exact numbers of ways)."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from engine.audit import FEATURES, OpeningSummary
from engine.audit.openings import BULL_HAND, bull_ways
from viewer.estimate.statistic import Row, Statistic, chi_square, normal
from viewer.estimate.walls import too_few

LEAST: Final = 500
POOL: Final = 5
"""Cells of a histogram are joined until each is expected so often."""
HISTOGRAMS: Final = frozenset({"wild", "honours", "high", "pairs", "longest"})


def pooled(found: Sequence[float], expected: Sequence[float]) -> tuple[list[float], list[float]]:
    """Join neighbouring cells, from the first on, until each is expected at least `POOL` times."""
    cells: list[float] = []
    means: list[float] = []
    many = mean = 0.0
    for one, its in zip(found, expected, strict=True):
        many += one
        mean += its
        if mean >= POOL:
            cells.append(many)
            means.append(mean)
            many = mean = 0.0
    if cells:
        cells[-1] += many
        means[-1] += mean
    return cells, means


def histogram(name: str, found: Sequence[float], expected: Sequence[float], n: int) -> Statistic | None:
    """Judge a histogram by chi-square, cells pooled; None where fewer than two are left."""
    cells, means = pooled(found, expected)
    if len(cells) < 2:
        return None
    value = sum((one - mean) ** 2 / mean for one, mean in zip(cells, means, strict=True))
    return chi_square(name, value, len(cells) - 1, n)


def row(summary: OpeningSummary, deck: Mapping[str, tuple[int, ...]], places: Sequence[str]) -> Row:
    """Return the row T11. `deck`: the groups of every deck index; `places`: what each place is called."""
    hands = {(place, size): count for (place, size, what, _), count in summary.counts.items() if what == "hands"}
    many = max(hands.values(), default=0)
    found = Row("T11", "opening hands by seat", many, LEAST)
    for (place, size), count in sorted(hands.items()):
        if count >= LEAST:
            where = places[place] if place < len(places) else f"place {place}"
            found.statistics += _of_place(summary, deck, place, size, f"{where}, {size}")
    if not found.statistics:
        found.why = too_few(many, LEAST)
    return found


def _of_place(
    summary: OpeningSummary, deck: Mapping[str, tuple[int, ...]], place: int, size: int, where: str
) -> list[Statistic]:
    n = summary.counts[place, size, "hands", 0]
    found: list[Statistic] = []
    for feature in FEATURES:
        if feature.part not in deck or (feature.name == "wild" and not any(deck["wild"])):
            continue
        ways = feature.ways(deck[feature.part], size)
        total = sum(ways.values())
        chances = {value: count / total for value, count in ways.items()}
        seen = {value: summary.counts[place, size, feature.name, value] for value in ways}
        mean = sum(value * chance for value, chance in chances.items())
        variance = sum((value - mean) ** 2 * chance for value, chance in chances.items())
        name = f"{feature.name} ({where})"
        found.append(normal(f"mean {name}", sum(value * count for value, count in seen.items()), n, mean=mean,
                            variance=variance, null="exact enumeration"))  # fmt: skip
        shape = histogram(f"{name} as distributed", list(seen.values()), [n * chance for chance in chances.values()], n)
        if shape is not None:
            found.append(shape)
    found.append(suits(summary, deck["suit"], place, size, where))
    if size == BULL_HAND and "high" in deck:
        counted = bull_ways(deck["kind"])
        expected = [n * count / sum(counted) for count in counted]
        classes = histogram(
            f"bull ({where})", [summary.counts[place, size, "bull", number] for number in range(11)], expected, n
        )
        if classes is not None:
            found.append(classes)
    return found


def suits(summary: OpeningSummary, deck: Sequence[int], place: int, size: int, where: str) -> Statistic:
    """Judge the tiles of each suit together: multivariate hypergeometric means and covariances."""
    n, tiles = summary.counts[place, size, "hands", 0], len(deck)
    groups = sorted(set(deck))
    shares = np.array([list(deck).count(group) / tiles for group in groups])
    found = np.array([summary.counts[place, size, f"suit.{group}", 0] for group in groups], float)
    scale = n * size * (tiles - size) / (tiles - 1)
    # The last group follows from the others, and the covariance scale * (diag(p) - p p') of these can be inverted.
    covariance = scale * (np.diag(shares) - np.outer(shares, shares))[:-1, :-1]
    off = (found - n * size * shares)[:-1]
    value = float(off @ np.linalg.solve(covariance, off))
    return chi_square(f"suits ({where})", value, len(groups) - 1, n)
