"""T15: e-processes, for logs that are watched while they grow (fairness.md 4.4).

An e-value starts at 1 and, where the null holds, has expectation at most 1 at whatever moment one stops: so an alarm
at e >= 1/alpha is false with probability alpha at most, however often one looks. Values are kept as logarithms.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import Final

from scipy.special import betainc, betaln

REVIEW: Final = 100.0
PAGE: Final = 10_000.0
PRIOR: Final = 0.5
"""Krichevsky and Trofimov's: a Dirichlet with half a count in each category."""


@dataclass(slots=True)
class Categories:
    """Bets on categories of known chances: the mixture over all other chances against the null's."""

    name: str
    chances: tuple[float, ...]
    counts: list[int] = field(default_factory=list)
    value: float = 0.0
    """log e now."""
    highest: float = 0.0
    """log e at its highest."""

    def take(self, category: int) -> None:
        """Add one observation."""
        if not self.counts:
            self.counts = [0] * len(self.chances)
        n = sum(self.counts)
        predicted = (self.counts[category] + PRIOR) / (n + PRIOR * len(self.chances))
        self.value += log(predicted / self.chances[category])
        self.counts[category] += 1
        self.highest = max(self.highest, self.value)

    @property
    def n(self) -> int:
        """Return the number of observations."""
        return sum(self.counts)


@dataclass(slots=True)
class Rate:
    """Bets that a rate exceeds a bound: all rates above it, uniformly, against the bound itself.

    For every rate up to the bound the expectation is at most 1 as well.
    """

    name: str
    bound: float
    hits: int = 0
    n: int = 0
    value: float = 0.0
    highest: float = 0.0

    def take(self, *, hit: bool) -> None:
        """Add one observation."""
        self.hits += hit
        self.n += 1
        a, b = self.hits + 1, self.n - self.hits + 1
        above = 1 - float(betainc(a, b, self.bound))
        if above <= 0:
            self.value = float("-inf")
            return
        mixed = float(betaln(a, b)) + log(above) - log(1 - self.bound)
        self.value = mixed - self.hits * log(self.bound) - (self.n - self.hits) * log(1 - self.bound)
        self.highest = max(self.highest, self.value)


@dataclass(slots=True)
class Sprt:
    """Wald's test of one named alternative: log likelihood ratio against two bounds."""

    null: tuple[float, ...]
    alternative: tuple[float, ...]
    alpha: float = 0.01
    beta: float = 0.1
    value: float = 0.0
    n: int = 0
    verdict: str = ""

    def take(self, category: int) -> str:
        """Add one observation; return alternative, null, or "" for going on."""
        if not self.verdict:
            self.n += 1
            self.value += log(self.alternative[category] / self.null[category])
            if self.value >= log((1 - self.beta) / self.alpha):
                self.verdict = "alternative"
            elif self.value <= log(self.beta / (1 - self.alpha)):
                self.verdict = "null"
        return self.verdict


@dataclass(frozen=True, slots=True)
class Alarm:
    """One stream's e-value now and at its highest, capped for printing. `level`: "", review, page."""

    name: str
    n: int
    e: float
    highest: float
    level: str

    def as_json(self) -> dict[str, object]:
        """Return the alarm as an object."""
        return {"name": self.name, "n": self.n, "e": self.e, "highest": self.highest, "level": self.level}


def alarm(stream: Categories | Rate) -> Alarm:
    """Return how loudly a stream calls."""
    highest = _shown(stream.highest)
    return Alarm(stream.name, stream.n, _shown(stream.value), highest, level_of(highest))


def level_of(e: float) -> str:
    """Return what an e-value asks for."""
    return "page" if e >= PAGE else "review" if e >= REVIEW else ""


def _shown(value: float) -> float:
    return exp(min(value, 300.0))


def average(streams: Sequence[Categories | Rate]) -> float:
    """Return the mean of the e-values of several streams: an e-value itself."""
    return sum(_shown(stream.value) for stream in streams) / len(streams) if streams else 1.0


def e_bh(values: Mapping[str, float], alpha: float) -> list[str]:
    """Return the streams that the e-BH procedure names at a false discovery rate alpha, whatever their dependence."""
    ranked = sorted(values, key=lambda name: -values[name])
    many = len(ranked)
    last = max((place for place, name in enumerate(ranked, 1) if values[name] >= many / (alpha * place)), default=0)
    return ranked[:last]
