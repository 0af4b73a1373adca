"""Exact marginals of swap shuffles: the chance of each tile at each position, by multiplying transition matrices (4.1).

What a faulty shuffle would look like without simulating it; from that the number of deals that shows it.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Chances = NDArray[np.float64]
Steps = Callable[[int], list[tuple[int, Chances]]]
"""n -> (position, chances of its partner), step by step."""


def swapped(n: int, steps: Steps) -> Chances:
    """Return `p[index, position]` after steps that each swap position i with a random one.

    `steps` gives for each step its position and the chances of its partner (n of them).
    """
    found = np.eye(n)
    for position, partner in steps(n):
        # column j after the swap: kept where neither is chosen, exchanged with `position` where j is the partner
        moved = found * (1 - partner)
        moved += found[:, [position]] * partner
        stay = partner[position]
        moved[:, position] = found @ np.where(np.arange(n) == position, 0.0, partner) + found[:, position] * stay
        found = moved
    return found


def _uniform(n: int, start: int, stop: int) -> Chances:
    found = np.zeros(n)
    found[start:stop] = 1 / (stop - start)
    return found


def _modulo(words: int, n: int, stop: int) -> Chances:
    """Return the chances of word % stop for words 0..words-1."""
    found = np.zeros(n)
    found[:stop] = words // stop
    found[: words % stop] += 1
    return found / words


def naive(n: int) -> list[tuple[int, Chances]]:
    """Swap each position with any of all."""
    return [(i, _uniform(n, 0, n)) for i in range(n)]


def short_naive(n: int) -> list[tuple[int, Chances]]:
    """Swap each position with any but the last (ASF, PlanetPoker)."""
    return [(i, _uniform(n, 0, n - 1)) for i in range(n)]


def sattolo(n: int) -> list[tuple[int, Chances]]:
    """Descend, never swapping a position with itself."""
    return [(i, _uniform(n, 0, i)) for i in range(n - 1, 0, -1)]


def modulo(bits: int) -> Steps:
    """Descend, drawing with a word of so many bits modulo k."""
    return lambda n: [(i, _modulo(1 << bits, n, i + 1)) for i in range(n - 1, 0, -1)]


SHUFFLES: Final[dict[str, Steps]] = {
    "naive swap r % n": naive,
    "naive swap, random(n-1)": short_naive,
    "Sattolo": sattolo,
    "byte % k": modulo(8),
    "15-bit % k": modulo(15),
    "16-bit % k": modulo(16),
    "24-bit % k": modulo(24),
    "32-bit % k": modulo(32),
}


def noncentrality(chances: Chances, kinds: NDArray[np.int64] | None = None) -> float:
    """Return lambda per deal of the omnibus: (n-1) Σ (p_kp - m_k/n)² / m_k; without `kinds` each id is its own."""
    n = len(chances)
    if kinds is None:
        return float((n - 1) * ((chances - 1 / n) ** 2).sum())
    total = 0.0
    for kind in set(kinds.tolist()):
        rows = chances[kinds == kind]
        total += float(((rows.sum(axis=0) - len(rows) / n) ** 2).sum()) / len(rows)
    return (n - 1) * total
