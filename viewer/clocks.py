"""Clocks of a dispute by jurisdiction: until when it must be decided, how long its evidence is kept (fairness.md 5).

The limits are data, each with the source that this page of the specification paraphrases; the primary text decides.
Where a jurisdiction names none the house's default of three days stands. A day is 24 hours from the opening.
"""

from dataclasses import dataclass
from typing import Final

from ledger.entries import DAY_MS
from ledger.errors import Refused
from viewer.translate import N_


@dataclass(frozen=True, slots=True)
class Clock:
    """What a jurisdiction asks: days until a decision, days that evidence is kept (0: none named)."""

    id: str
    title: str
    days: int
    keep_days: int
    source: str

    def due(self, opened: int) -> int:
        """Return when a case opened at `opened` is due, both ms UTC."""
        return opened + self.days * DAY_MS


CLOCKS: Final = {
    clock.id: clock
    for clock in (
        Clock("default", N_("House rules: three days"), 3, 365, "house default"),
        Clock("nj", N_("New Jersey: three calendar days, evidence one year"), 3, 365,
              "N.J.A.C. 13:69O-3.1(d), 13:69E-1.31"),
        Clock("pa", N_("Pennsylvania: house limit, records ten years"), 3, 3650,
              "58 Pa. Code 811a.7"),
        Clock("agco", N_("Ontario: house limit, timely investigation"), 3, 0, "AGCO 4.02"),
        Clock("mga", N_("Malta: house limit, six months of history"), 3, 183,
              "MGA Player Protection Directive"),
        Clock("gli-19", N_("GLI-19: house limit, recall by the player"), 3, 0,
              "GLI-19 4.14.1"),
    )
}  # fmt: skip


def clock(jurisdiction: str) -> Clock:
    """Return a jurisdiction's clock; Refused where there is none of that name."""
    if jurisdiction not in CLOCKS:
        raise Refused(jurisdiction, f"no such jurisdiction; known: {', '.join(CLOCKS)}")
    return CLOCKS[jurisdiction]
