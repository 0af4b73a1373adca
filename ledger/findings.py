"""Findings: what an audit says, as values, and the levels it says it at (ledger.md 6).

Codes of levels 1 to 4: `weak_key note signature quorum stale rollback fork canonical tile root key gno unpaired
after_close seq chain segment time`; of level 5 `command equivocation`, of 6 `time`, of 8 `receipt mirror`. `clause` is
the section of the ledger's specification that demands the check.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final, Literal, NamedTuple

from ledger.canonical import Value  # noqa: TC001  one rule for all imports of the package

LEVELS: Final = ("policy", "checkpoint", "log", "games", "commands", "time", "replay", "receipts")
Status = Literal["holds", "failed", "not_checkable", "not_reached"]


class Text(NamedTuple):
    """One sentence in two languages."""

    en: str
    zh: str


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong; a field that does not apply is None.

    `entry` is the index of a main-log entry, or for a checkpoint its size; `hand` is filled in by whoever knows hands;
    `expected` and `found` are text or the JSON value concerned.
    """

    level: int
    code: str
    clause: str
    text: Text
    game: str | None = None
    gno: int | None = None
    hand: int | None = None
    seq: int | None = None
    entry: int | None = None
    expected: "Value | None" = None
    found: "Value | None" = None
    evidence: str | None = None

    def as_json(self) -> dict[str, object]:
        """Give the object that `verify --json` prints: keys that do not apply are absent."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        found["text"] = self.text._asdict()
        return {name: value for name, value in found.items() if value is not None}

    def order(self) -> tuple[int, int, int, int]:
        """Give the sort key: level, gno (streams without one last), seq, entry."""
        last = 1 << 62
        gno = last if self.gno is None and self.game is not None else self.gno
        return (self.level, -1 if gno is None else gno, _or(self.seq, -1), _or(self.entry, -1))


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


@dataclass(frozen=True)
class Unchecked:
    """What one game lacks for a check, though the level holds for the rest: no finding."""

    level: int
    game: str
    code: str
    why: str
    hand: int | None = None

    def as_json(self) -> dict[str, object]:
        """Give the object that `verify --json` lists under `not_checkable`."""
        hand = {} if self.hand is None else {"hand": self.hand}
        return {"level": self.level, "game": self.game, **hand, "code": self.code, "why": self.why}


@dataclass
class Level:
    """One level's outcome; `checked` counts what was looked at (keys, checkpoints, entries, events)."""

    level: int
    status: Status = "not_reached"
    checked: int = 0
    findings: int = 0
    why: str = ""

    @property
    def name(self) -> str:
        """The level's name."""
        return LEVELS[self.level - 1]

    def as_json(self) -> dict[str, object]:
        """Give the object that `verify --json` lists under `levels`."""
        found: dict[str, object] = {
            "level": self.level,
            "name": self.name,
            "status": self.status,
            "checked": self.checked,
            "findings": self.findings,
        }
        if self.why:
            found["why"] = self.why
        return found


def sort_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by level, gno, seq and entry."""
    return sorted(findings, key=Finding.order)


def printable(value: object, limit: int = 80) -> str:
    """Show a damaged value in one line of text that any encoder accepts."""
    if isinstance(value, bytes):
        text = value.decode("utf-8", "backslashreplace")
    else:
        text = value if isinstance(value, str) else repr(value)
    text = "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in text[: limit + 1])
    return text if len(text) <= limit else text[:limit] + "…"
