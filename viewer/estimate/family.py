"""One family of rows: Holm for a certificate, Benjamini-Hochberg for a dashboard, and what is too even (4.4)."""

from collections.abc import Iterable, Sequence
from typing import Final

from statsmodels.stats.multitest import multipletests

from viewer.estimate.statistic import Row

TOO_EVEN: Final = 0.005
"""An omnibus that fits better than all but so many fair logs: half of its two-sided level of 0.01."""
REVIEW_Q: Final = 0.05


def adjust(rows: Iterable[Row]) -> None:
    """Fill in each tested row's `holm` and `q`."""
    tested = [row for row in rows if row.p is not None]
    if not tested:
        return
    raw = [row.p for row in tested]
    holm = multipletests(raw, method="holm")[1]
    review = multipletests(raw, method="fdr_bh")[1]
    for row, one, other in zip(tested, holm, review, strict=True):
        row.holm, row.q = float(one), float(other)


def rejected(rows: Iterable[Row], alpha: float) -> list[Row]:
    """Return the rows whose adjusted p is at most alpha."""
    return [row for row in rows if row.holm is not None and row.holm <= alpha]


def too_even(rows: Sequence[Row]) -> list[Row]:
    """Return the omnibus rows (T1, T2) that fit too well; Holm, as everywhere, decides whether that is a finding."""
    whole = [row for row in rows if row.id in {"T1", "T2"} and row.statistics]
    return [row for row in whole if row.statistics[0].low is not None and row.statistics[0].low < TOO_EVEN]
