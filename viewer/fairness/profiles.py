"""What kinds of regulators ask for, as lists of our rows under the names they use (fairness.md 5, paraphrased).

The names are ours for what is asked; clause numbers stand in the primary texts and are not printed. A profile sets
the family-wise alpha and says which rows answer which demand, and which demands this battery does not answer.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Profile:
    """One list of demands. `demands`: (name of the test asked for, our rows; empty: not in this battery)."""

    id: str
    title: str
    alpha: float
    demands: tuple[tuple[str, tuple[str, ...]], ...]
    deals: int = 0
    """Deals usually asked for; 0: not stated."""
    review_only: bool = False
    """Rows are for review by their q-value, never findings: many tables and days are looked at (4.4)."""

    def as_json(self) -> dict[str, object]:
        """Return the profile as an object."""
        return {
            "id": self.id,
            "title": self.title,
            "alpha": self.alpha,
            "deals": self.deals,
            "demands": [{"asked": asked, "rows": list(rows)} for asked, rows in self.demands],
        }


_COMMON: Final = (
    ("total distribution (chi-square)", ("T1", "T2", "T3")),
    ("runs", ("T4", "T5")),
    ("serial correlation", ("T9", "T12")),
)

PROFILES: Final[dict[str, Profile]] = {
    profile.id: profile
    for profile in (
        Profile("certificate", "fixed sample, 99 % family-wise", 0.01, (
            *_COMMON,
            ("permutations of five", ("T8",)),
            ("adjacency", ("T7",)),
            ("duplicates", ("T0",)),
            ("opening hands", ("T11",)),
        )),
        Profile("gli-19", "laboratory standard for interactive gaming, 99 % together", 0.01, (
            *_COMMON,
            ("overlaps and adjacency", ("T7",)),
            ("coupon collector", ("T12",)),
            ("interplay correlation", ("T10",)),
            ("duplicates", ("T0",)),
            ("independence of earlier draws and of play", ("T10", "T13")),
            ("no seed from time alone", ("T14",)),
        ), 100_000),
        Profile("25-cfr-547", "US federal rules for class II games, 99 %", 0.01, (
            *_COMMON,
            ("gap", ("T12",)),
            ("coupon collector", ("T12",)),
            ("permutation", ("T8",)),
            ("poker", ("T11",)),
            ("no two instances alike", ("T0",)),
            ("spectral, subsequence (raw words)", ()),
        )),
        Profile("pa-810a", "Pennsylvania, 95 %, named tests", 0.05, (
            *_COMMON,
            ("permutation", ("T8",)),
            ("adjacency", ("T7",)),
            ("order statistic", ("T3", "T6")),
            ("Poisson", ("T6",)),
            ("interplay correlation", ("T10",)),
            ("coupon collector", ("T12",)),
            ("duplicates", ("T0",)),
            ("Kolmogorov-Smirnov (raw words)", ()),
        )),
        Profile("new-mexico", "New Mexico and West Virginia, 99 %", 0.01, (
            *_COMMON,
            ("correlation", ("T9", "T10")),
        )),
        Profile("agco", "Ontario: positions, patterns within and across decks", 0.01, (
            ("position in the deck independent", ("T1", "T2", "T3")),
            ("no patterns within a deck", ("T4", "T5", "T6", "T7", "T8")),
            ("no patterns across decks", ("T9", "T10")),
            ("duplicated deals", ("T0",)),
            ("independent of play", ("T13",)),
        )),
        Profile("ukgc", "Great Britain: acceptably random, nothing adaptive", 0.01, (
            ("scaled and shuffled output", ("T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8")),
            ("no adaptive behaviour", ("T13", "T15")),
            ("instances not synchronised", ("T0", "T9")),
            ("seeding adds no predictability", ("T14",)),
            ("raw output (export raw)", ()),
        )),
        Profile("dashboard", "many tables and days, Benjamini-Hochberg at 0.05, for review only", 0.05, (
            *_COMMON,
            ("live e-processes", ("T15",)),
        ), review_only=True),
    )
}  # fmt: skip
