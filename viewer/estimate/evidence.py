"""Pieces of evidence on play: exact tails where the counts allow, q-values over everything that was looked at."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests

EXACT = 4_000
"""Up to so many trials the tail of a sum of unequal chances is computed exactly."""


@dataclass(slots=True)
class Evidence:
    """One comparison. `who`: one account, or two in the order of the signal; `effect` as the signal says."""

    signal: str
    who: tuple[str, ...]
    n: int
    observed: float
    expected: float
    effect: float
    p: float
    q: float = 1.0
    examples: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Return the evidence as an object."""
        return {
            "signal": self.signal,
            "who": list(self.who),
            "n": self.n,
            "observed": self.observed,
            "expected": self.expected,
            "effect": self.effect,
            "p": self.p,
            "q": self.q,
            "examples": self.examples,
        }


def ranked(found: Iterable[Evidence]) -> list[Evidence]:
    """Fill in q-values over all comparisons (Benjamini-Hochberg) and return them, the strongest first."""
    every = list(found)
    if every:
        adjusted = multipletests([each.p for each in every], method="fdr_bh")[1]
        for each, q in zip(every, adjusted, strict=True):
            each.q = float(q)
    return sorted(every, key=lambda each: (each.q, each.p, -abs(each.effect), each.signal, each.who))


def upper_tail(chances: Sequence[float], hits: int) -> float:
    """Return the probability of so many hits or more among independent trials of unequal chances."""
    if hits <= 0:
        return 1.0
    if len(chances) > EXACT:
        mean = sum(chances)
        sd = sqrt(sum(chance * (1 - chance) for chance in chances))
        return float(stats.norm.sf((hits - 0.5 - mean) / sd)) if sd else float(mean >= hits)
    spread = np.zeros(len(chances) + 1)
    spread[0] = 1.0
    for done, chance in enumerate(chances, 1):
        spread[1 : done + 1] = spread[1 : done + 1] * (1 - chance) + spread[:done] * chance
        spread[0] *= 1 - chance
    return float(min(1.0, spread[hits:].sum()))


def sign_flip(values: Sequence[float]) -> float:
    """Return the two-sided p of a sum whose terms would as well have the other sign (normal limit)."""
    squares = sum(value * value for value in values)
    return float(2 * stats.norm.sf(abs(sum(values)) / sqrt(squares))) if squares else 1.0


def welch(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the two-sided p of a difference of means, variances unequal; 1 where nothing varies."""
    if min(len(one), len(other)) < 2 or (np.ptp(one) == 0 and np.ptp(other) == 0):
        return 1.0
    return float(stats.ttest_ind(one, other, equal_var=False).pvalue)


def rate_shift(hits: float, exposure: float, others: float, others_exposure: float, dispersion: float) -> float:
    """Return the two-sided p of a rate against everybody else's, the counts more spread than Poisson's by a factor."""
    rate = others / others_exposure if others_exposure else 0.0
    expected = rate * exposure
    if expected <= 0:
        return 1.0
    sd = sqrt(dispersion * expected * (1 + exposure / others_exposure))
    return float(2 * stats.norm.sf(abs(hits - expected) / sd))


def dispersion(hits: Sequence[float], exposures: Sequence[float]) -> float:
    """Return how much more counts of many accounts vary than Poisson's would: at least 1."""
    total = sum(exposures)
    if len(hits) < 2 or not total or not sum(hits):
        return 1.0
    rate = sum(hits) / total
    pearson = sum(
        (hit - rate * exposure) ** 2 / (rate * exposure)
        for hit, exposure in zip(hits, exposures, strict=True)
        if exposure
    )
    return max(1.0, pearson / (len(hits) - 1))
