"""One statistic with its null, and a row of the battery: the statistics of one test id as one p (fairness.md 4)."""

from dataclasses import dataclass, field

from scipy import stats


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number found, what the null says of it, and how likely the null makes as much or more.

    `null` in words, `df` where it is a chi-square; `expected` and `sd` where it is a mean.
    """

    name: str
    value: float
    p: float
    null: str
    expected: float | None = None
    sd: float | None = None
    df: int | None = None
    n: int = 0
    """What was counted: deals, throws, pairs."""
    low: float | None = None
    """Of an omnibus: the probability of as little or less (a log that is too even); `p` takes both tails."""

    def as_json(self) -> dict[str, object]:
        """Return the statistic as an object; absent fields are left out."""
        row: dict[str, object] = {"name": self.name, "n": self.n, "value": self.value, "null": self.null, "p": self.p}
        for name in ("df", "expected", "sd", "low"):
            if getattr(self, name) is not None:
                row[name] = getattr(self, name)
        return row


@dataclass(slots=True)
class Row:
    """One test id. Without statistics it was not checkable, and `why` says so."""

    id: str
    name: str
    n: int
    least: int
    statistics: list[Statistic] = field(default_factory=list)
    why: str = ""
    holm: float | None = None
    """Adjusted over the family."""
    q: float | None = None
    """Benjamini-Hochberg's, for dashboards."""

    @property
    def p(self) -> float | None:
        """Return min(1, s min p) over the s statistics; None where none was computed."""
        if not self.statistics:
            return None
        return min(1.0, len(self.statistics) * min(each.p for each in self.statistics))

    def as_json(self) -> dict[str, object]:
        """Return the row as an object."""
        row: dict[str, object] = {"id": self.id, "name": self.name, "n": self.n, "least": self.least}
        if not self.statistics:
            return row | {"status": "not_checkable", "why": self.why}
        return row | {
            "status": "tested",
            "p": self.p,
            "holm": self.holm,
            "q": self.q,
            "statistics": [each.as_json() for each in self.statistics],
        }


def two_sided(z: float) -> float:
    """Return the two-sided p of a standard normal value."""
    return float(2 * stats.norm.sf(abs(z)))


def normal(name: str, total: int, n: int, *, mean: float, variance: float, null: str = "normal") -> Statistic:
    """Judge the total of n independent numbers with known mean and variance."""
    sd = (variance / n) ** 0.5
    found = total / n
    z = (found - mean) / sd if sd > 0 else (0.0 if found == mean else float("inf"))
    return Statistic(name, found, two_sided(z), null, expected=mean, sd=sd, n=n)


def chi_square(name: str, value: float, df: int, n: int) -> Statistic:
    """Judge a chi-square value by its upper tail."""
    return Statistic(name, value, float(stats.chi2.sf(value, df)), "chi-square", df=df, n=n)


def omnibus(name: str, value: float, df: int, n: int) -> Statistic:
    """Judge the chi-square of a whole table by both tails: what fits too well was curated or de-duplicated (4.4)."""
    high, low = float(stats.chi2.sf(value, df)), float(stats.chi2.cdf(value, df))
    return Statistic(name, value, min(1.0, 2 * min(high, low)), "chi-square, both tails", df=df, n=n, low=low)
