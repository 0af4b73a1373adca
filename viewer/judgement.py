"""What the engine says of one whole game, as a case or a signed verdict records it (ledger.md 3; events.md, Cases)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import Final, Protocol

import orjson

from engine.errors import EventError
from engine.events import Record, load
from ledger.findings import Finding, Unchecked
from ledger.verify_games import GameAudit
from viewer.signed import CommandVerdict

ENGINE: Final = f"paipu/{version('paipu')}"


class Said(Protocol):
    """What a judge of one game's events gives; see `verdict.GameVerdict`."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What replay found."""
        ...

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """What it could not check."""
        ...

    @property
    def closed(self) -> bool:
        """Whether the game came to its end."""
        ...

    @property
    def commands(self) -> CommandVerdict:
        """What the signed commands come to."""
        ...


Judge = Callable[[Sequence[bytes], str, int | None, bool], Said]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The engine's word on one game: findings of levels 4, 5 and 7, what it could not check, the rules by digest."""

    outcome: str
    findings: tuple[Finding, ...]
    unchecked: tuple[Unchecked, ...]
    rules: str

    def body(self) -> Record:
        """Return the body of a case's `verdict`."""
        return {"type": "verdict", "engine": ENGINE, "rules": self.rules, "outcome": self.outcome,
                "findings": digest(self.findings)}  # fmt: skip


def digest(findings: Sequence[Finding]) -> str:
    """Return the digest of a findings array, as in a `verdict` entry (ledger.md 3)."""
    return sha256(orjson.dumps([each.as_json() for each in findings], option=orjson.OPT_SORT_KEYS)).hexdigest()


def weigh(audit: GameAudit, judge: Judge, *, wall_root: bool = True) -> Judgement:
    """Judge a game read at level 4: `failed` with a finding, `not_checkable` while it is not closed."""
    rules = _rules(audit.events)
    if audit.findings or not audit.events:
        return Judgement("failed" if audit.findings else "not_checkable", tuple(audit.findings), (), rules)
    said = judge(audit.events, audit.game, audit.gno, wall_root)
    findings = (*said.commands.findings, *said.findings)
    outcome = "failed" if findings else "holds" if said.closed else "not_checkable"
    return Judgement(outcome, findings, (*said.commands.unchecked, *said.unchecked), rules)


def _rules(lines: Sequence[bytes]) -> str:
    try:
        return str(load(lines[0])["rules"]["digest"])
    except (EventError, IndexError, KeyError, TypeError):
        return "unknown"
