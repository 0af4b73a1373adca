"""Power: what a sample of this size could see, and which faulty shuffles it would have shown (4.2, 4.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log, sqrt
from typing import Final

import numpy as np
from scipy import stats
from statsmodels.stats.power import GofChisquarePower

from engine.audit import FEATURES
from engine.audit.order import BLOCK, BLOCK_ORDERS
from viewer.estimate.marginals import SHUFFLES, noncentrality, swapped

POWER: Final = 0.9
RATES: Final = (500, 1_000, 5_000)
"""Games of one account, for its win rate."""
MEASURED_TILES: Final = 144
MEASURED: Final = {
    "naive swap r % n": (31.0, "inversions"),
    "byte % k": (60.0, "inversions"),
    "15-bit % k": (7e5, "inversions"),
    "Sattolo": (6.0, "fixed points"),
}
"""What simulation found better than the omnibus (4.3)."""
EXACT_PILES: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class Question:
    """A bias and the least relative size that a sample shows with power 0.9."""

    question: str
    test: str
    n: int
    detectable: float
    """Relative (0.05 = 5 %), or for a rate in absolute points / 100."""

    def as_json(self) -> dict[str, object]:
        """Return the question as an object."""
        return {"question": self.question, "test": self.test, "n": self.n, "detectable": self.detectable}


@dataclass(frozen=True, slots=True)
class Fault:
    """A faulty shuffle and how many deals show it; `seen` at the sample at hand, None: no statistic of a deal can."""

    fault: str
    test: str
    deals: float
    seen: bool

    def as_json(self) -> dict[str, object]:
        """Return the fault as an object."""
        return {"fault": self.fault, "test": self.test, "n90": self.deals, "seen": self.seen}


@cache
def ncp(df: int, alpha: float, power: float = POWER) -> float:
    """Return the noncentrality that a chi-square of `df` shows with this power."""
    effect = GofChisquarePower().solve_power(effect_size=None, nobs=1e6, alpha=alpha, power=power, n_bins=df + 1)
    return float(1e6 * np.squeeze(effect) ** 2)


def quantile(alpha: float, power: float = POWER) -> float:
    """Return the shift, in standard errors, that a two-sided normal test shows."""
    return float(stats.norm.isf(alpha / 2) + stats.norm.isf(1 - power))


def questions(
    kinds: Sequence[int],
    groups: Mapping[str, Sequence[int]],
    *,
    walls: int,
    hands: int,
    alpha: float,
    size: int = 14,
    dice: int = 0,
) -> list[Question]:
    """Return what so many whole walls, opening hands and dice could show; `size`: tiles of the dealer's hand."""
    tiles = len(kinds)
    found = _of_walls(kinds, walls, alpha) if walls else []
    marked = {feature.name: sum(groups[feature.part]) for feature in FEATURES[:3] if feature.part in groups}
    found += [
        Question(
            f"{name}: {many} of {tiles} in the dealer's {size}",
            "z",
            hands,
            quantile(alpha) * spread(many, tiles, size, hands),
        )
        for name, many in marked.items()
        if many and hands
    ]
    if dice:
        found.append(Question("one face of a die", "chi-square (df 5)", dice, sqrt(5 * ncp(5, alpha) / dice)))
    found += [
        Question(
            f"win rate 25 % of one account in {games} games, points",
            "binomial",
            games,
            quantile(alpha) * sqrt(0.1875 / games),
        )
        for games in RATES
    ]
    return found


def _of_walls(kinds: Sequence[int], n: int, alpha: float) -> list[Question]:
    tiles, many = len(kinds), len(set(kinds))
    copies = list(kinds).count(kinds[0])
    ids, of_kinds = (tiles - 1) ** 2, (many - 1) * (tiles - 1)
    of_ids, of_table = f"id x position (df {ids})", f"kind x position (df {of_kinds})"
    blocks = n * (tiles // BLOCK)
    found = [
        _cell("one pre-named id-position cell", "exact binomial", 1 / tiles, n, quantile(alpha)),
        _cell(f"any of {tiles**2} id-position cells", "max cell", 1 / tiles, n, quantile(alpha / tiles**2)),
        Question("one bad cell, by the omnibus", of_ids, n, sqrt(ncp(ids, alpha) / n * (tiles - 1))),
        Question("bias spread over all cells, rms", of_ids, n, sqrt(ncp(ids, alpha) / (tiles - 1) / n)),
    ]
    if many < tiles:
        cell = f"any kind-position cell ({many} x {tiles})"
        shift = quantile(alpha / (many * tiles))
        found.insert(2, _cell(cell, "max cell", copies / tiles, n, shift))
    if many > 1:
        by_kind = sqrt(ncp(of_kinds, alpha) / (tiles - 1) / n)
        found.append(Question("bias spread over all cells, rms", of_table, n, by_kind))
    if blocks:
        df = BLOCK_ORDERS - 1
        five = sqrt(ncp(df, alpha) / blocks)
        found.append(Question("orders of five tiles, rms", f"permutations of five (df {df})", n, five))
    return found


def _cell(question: str, test: str, chance: float, n: int, shift: float) -> Question:
    return Question(question, test, n, shift * sqrt((1 - chance) / (chance * n)))


def spread(marked: int, tiles: int, size: int, n: int) -> float:
    """Return the relative standard error of a count of marked tiles over n hands (hypergeometric)."""
    mean = size * marked / tiles
    variance = mean * (1 - marked / tiles) * (tiles - size) / (tiles - 1)
    return sqrt(variance / n) / mean


def faults(kinds: Sequence[int], n: int, alpha: float) -> list[Fault]:
    """Return the faulty shuffles of 4.3 that a closed form covers, with the deals that show each."""
    tiles = len(kinds)
    table = np.array(kinds, np.int64)
    ids, of_kinds = (tiles - 1) ** 2, (len(set(kinds)) - 1) * (tiles - 1)
    found = []
    for name in SHUFFLES:
        by_id, by_kind = _omnibus(name, tiles, tuple(table.tolist()))
        choices = [(ncp(ids, alpha) / by_id, "id x position"), (ncp(of_kinds, alpha) / by_kind, "kind x position")]
        if tiles == MEASURED_TILES and name in MEASURED:
            choices.append(MEASURED[name])
        deals, test = min(choices)
        found.append(Fault(name, test, deals, n >= deals))
    for bits in (8, 10, 15, 16, 32):
        deals = sort_deals(tiles, 2.0**bits, alpha)
        found.append(Fault(f"sort by {bits}-bit keys", "ascents", deals, n >= deals))
    for riffles in (5, 7, 10):
        deals = sort_deals(tiles, 2.0**riffles, alpha)
        found.append(Fault(f"{riffles} riffles", "ascents of the inverse", deals, n >= deals))
    for bits in (26, 31, 32, 48):
        deals = birthday(2.0**bits)
        found.append(Fault(f"{bits}-bit seed", "duplicate walls", deals, n >= deals))
    return found


@cache
def _omnibus(name: str, tiles: int, kinds: tuple[int, ...]) -> tuple[float, float]:
    chances = swapped(tiles, SHUFFLES[name])
    return noncentrality(chances), noncentrality(chances, np.array(kinds, np.int64))


def sort_deals(tiles: int, piles: float, alpha: float) -> float:
    """Return the deals that show a stable sort by keys of so many values, or riffles into so many piles (2^k).

    Both are the a-shuffle: a - (n+1) Σ (r/a)^n rising sequences in the mean, for large a (n+1)/2 - n(n+1)/(12a).
    """
    short = tiles * (tiles + 1) / (12 * piles)
    if piles < EXACT_PILES:
        short = (tiles + 1) / 2 - piles + (tiles + 1) * sum((r / piles) ** tiles for r in range(int(piles)))
    return max(1.0, quantile(alpha) ** 2 * (tiles + 1) / 12 / short**2)


def birthday(seeds: float, chance: float = POWER) -> float:
    """Return the deals among which two have the same seed with this chance."""
    return sqrt(-2 * seeds * log(1 - chance))
