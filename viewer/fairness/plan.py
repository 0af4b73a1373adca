"""The plan of a battery: what is tested, at which level, on which games; fixed before the results are seen.

Its digest stands in every result. A result is registered where a plan file was handed in and the sample is the one
that the file names; everything else is exploratory, and says so.
"""

import json
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from typing import Any, Final

from ledger.errors import Malformed
from viewer.fairness.profiles import PROFILES
from viewer.plain import check_depth

ROWS: Final = tuple(f"T{number}" for number in range(16))
FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """All choices that a result depends on. `deals`: the sample size announced, 0 for whatever there is."""

    format: int = FORMAT
    profile: str = "certificate"
    tests: tuple[str, ...] = ROWS
    alpha: float = 0.01
    deals: int = 0
    rules: str = ""
    table: str = ""
    since: int = 0
    until: int = 0
    """ms UTC; 0: no limit."""
    wild: str = "C"
    layout: str = ""
    classes: str = ""
    """SHA-256 of the file of account classes."""
    seed: int = 1
    """Of the permutations (T13) and of broken ties."""
    seed_seconds: int = 86_400
    seed_ms: int = 10_000
    seed_below: int = 4_096
    seed_walls: int = 1

    def text(self) -> str:
        """Return the plan as a file: sorted JSON, a line."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False) + "\n"

    def digest(self) -> str:
        """Return SHA-256 of the plan's text."""
        return sha256(self.text().encode()).hexdigest()

    def chosen(self, row: str) -> bool:
        """Tell whether a row is on the list."""
        return row in self.tests

    @property
    def filters(self) -> dict[str, object]:
        """Return what games are chosen by."""
        return {name: getattr(self, name) for name in ("rules", "table", "since", "until") if getattr(self, name)}


def read_plan(data: bytes, target: str) -> Plan:
    """Read a plan file; Malformed where it is none of this format."""
    try:
        check_depth(data)
        found: Any = json.loads(data)
    except UnicodeDecodeError as error:
        raise Malformed(target, "not UTF-8", error.start) from None
    except RecursionError:
        raise Malformed(target, "nested too deeply", 0) from None
    except ValueError as error:
        raise Malformed(target, f"not JSON: {error}", 0) from None
    known = {each.name: each.type for each in fields(Plan)}
    if not isinstance(found, dict) or set(found) - set(known):
        raise Malformed(target, f"not a plan: its fields are {', '.join(known)}", 0)
    defaults = asdict(Plan())
    for name, value in found.items():
        wanted = type(defaults[name])
        if name == "tests":
            good = isinstance(value, list) and bool(value) and all(row in ROWS for row in value)
        else:
            good = type(value) is wanted or (wanted is float and type(value) is int)
        if not good:
            raise Malformed(target, f"{name}: not a value of a plan", 0)
    plan = Plan(**{**found, "tests": tuple(found.get("tests", ROWS))})
    if plan.format != FORMAT or plan.profile not in PROFILES or not 0 < plan.alpha < 1:
        raise Malformed(target, "format, profile or alpha are not known here", 0)
    return plan
