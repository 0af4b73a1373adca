"""Clocks of a dispute by jurisdiction: until when it must be decided, how long its evidence is kept (fairness.md 5).

The limits are data, each with the source that this page of the specification paraphrases; the primary text decides.
Where a jurisdiction names none the house's default of three days stands. A day is 24 hours from the opening.
"""

from dataclasses import dataclass
from typing import Final

from ledger.entries import DAY_MS
from ledger.errors import Refused


@dataclass(frozen=True, slots=True)
class Clock:
    """What a jurisdiction asks: days until a decision, days that evidence is kept (0: none named)."""

    id: str
    en: str
    zh: str
    days: int
    keep_days: int
    source: str

    def due(self, opened: int) -> int:
        """Return when a case opened at `opened` is due, both ms UTC."""
        return opened + self.days * DAY_MS


CLOCKS: Final = {
    clock.id: clock
    for clock in (
        Clock("default", "House rules: three days", "平台默认：三日", 3, 365, "house default"),
        Clock("nj", "New Jersey: three calendar days, evidence one year", "新泽西：三个日历日，证据保存一年", 3, 365,
              "N.J.A.C. 13:69O-3.1(d), 13:69E-1.31"),
        Clock("pa", "Pennsylvania: house limit, records ten years", "宾夕法尼亚：平台期限，记录保存十年", 3, 3650,
              "58 Pa. Code 811a.7"),
        Clock("agco", "Ontario: house limit, timely investigation", "安大略：平台期限，及时调查", 3, 0, "AGCO 4.02"),
        Clock("mga", "Malta: house limit, six months of history", "马耳他：平台期限，保留六个月历史", 3, 183,
              "MGA Player Protection Directive"),
        Clock("gli-19", "GLI-19: house limit, recall by the player", "GLI-19：平台期限，玩家可回看", 3, 0,
              "GLI-19 4.14.1"),
    )
}  # fmt: skip


def clock(jurisdiction: str) -> Clock:
    """Return a jurisdiction's clock; Refused where there is none of that name."""
    if jurisdiction not in CLOCKS:
        raise Refused(jurisdiction, f"no such jurisdiction; known: {', '.join(CLOCKS)}")
    return CLOCKS[jurisdiction]
