"""The eighteen verifier checks of fairness.md 1.10 over a whole log: what only many games show, and one line for each.

V1 and V18 are levels 1 to 4, V2 to V14 and V17 findings of replay; here are V3 across games, the signature of V8, the
figures of V15, and what each check comes to: holds, failed, figure, or not checkable, and why. Never "fair".
"""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from engine.family import Fault
from engine.shuffle import Single
from ledger.findings import Finding, Level, Unchecked
from viewer import drand
from viewer.deals import BeaconUse, DealFacts, Figures, Used

CHECKS: Final = tuple(f"V{number}" for number in range(1, 19))
NAMES: Final = {Single.ROOT: "root_s", Single.COMMIT: "commit", Single.REVEAL: "reveal", Single.SEED: "seed",
                Single.WALL: "wall_root"}  # fmt: skip
GAPS: Final = frozenset({"gno", "unpaired"})
"""Codes of the ledger's levels that say a game is missing."""
PUBLISHED: Final = "a seed published after the game"
"""Stands for a protocol where a foreign log publishes its seed: deal and draws are recomputed, nothing is committed."""
OF_PUBLISHED: Final = frozenset({"V5", "V9", "V12"})
Standing = Literal["holds", "failed", "figure", "not_checkable"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A fault of a game at a place, not yet in words; `other` is the game that it takes to show it, if any."""

    fault: Fault
    seq: int
    hand: int
    other: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """What one check comes to."""

    code: str
    status: Standing
    findings: int = 0
    not_checkable: int = 0
    """Games or hands for which it could not be done, though it holds for the rest."""
    why: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the object that `verify --json` lists under `deal`."""
        found: dict[str, object] = {"code": self.code, "status": self.status, "findings": self.findings}
        if self.not_checkable:
            found["not_checkable"] = self.not_checkable
        if self.why:
            found["why"] = self.why
        return found


class Once:
    """Where each value was first seen, in a temporary file: constant memory whatever the number of games.

    Says the same as `engine.shuffle.Uniqueness`, which keeps everything in memory.
    """

    def __init__(self) -> None:
        self._base = sqlite3.connect("", isolation_level=None)
        self._base.execute("PRAGMA journal_mode = OFF")
        self._base.execute("CREATE TABLE seen (value BLOB PRIMARY KEY, place TEXT) WITHOUT ROWID")
        self._base.execute("BEGIN")

    def add(self, kind: Single, value: bytes, place: str) -> str:
        """Note a value at a place; return the place that has it already, "" where none has."""
        key = kind.value.encode() + b":" + value
        done = self._base.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, place))
        if done.rowcount == 1:
            return ""
        first: str = self._base.execute("SELECT place FROM seen WHERE value = ?", (key,)).fetchone()[0]
        return "" if first == place else first

    def add_new(self, uses: Iterable[tuple[Single, bytes, str]]) -> bool:
        """Note values at their places; tell whether each was seen for the first time."""
        rows = [(kind.value.encode() + b":" + value, place) for kind, value, place in uses]
        before = self._base.total_changes
        self._base.executemany("INSERT OR IGNORE INTO seen VALUES (?, ?)", rows)
        return self._base.total_changes - before == len(rows)

    def close(self) -> None:
        """Drop the temporary file."""
        self._base.close()


@dataclass(slots=True)
class DealChecks:
    """Adds up the deals of a log, game by game in the order given."""

    once: Once = field(default_factory=Once)
    figures: Figures = field(default_factory=Figures)
    protocols: set[str] = field(default_factory=set)
    unverified: list[tuple[str, str]] = field(default_factory=list)
    """Games whose beacon signature could not be verified, and why."""

    def add(self, found: DealFacts) -> list[Spot]:
        """Add a game; return what only now can be seen of it."""
        self.figures += found.figures
        if found.protocol:
            self.protocols.add(found.protocol)
        return [*self._repeated(found), *self._signed(found)]

    def _repeated(self, found: DealFacts) -> Iterator[Spot]:
        if self.once.add_new((use.kind, use.value, f"{found.game}, event {use.seq}") for use in found.uses):
            return  # as of almost every game
        for use in found.uses:
            first = self.once.add(use.kind, use.value, f"{found.game}, event {use.seq}")
            if first:
                yield Spot(_v3(use, first), use.seq, use.hand, first.rpartition(", event ")[0])

    def _signed(self, found: DealFacts) -> Iterator[Spot]:
        for beacon in found.beacons:
            why = drand.why_not(beacon.chain)
            if why:
                self.unverified.append((found.game, why))
            elif not drand.holds(beacon.chain, beacon.round, beacon.signature):
                yield Spot(_v8(beacon), beacon.seq, -1)


def _v3(use: Used, first: str) -> Fault:
    expected = f"a {NAMES[use.kind]} of its own"
    return Fault("V3", "fairness.1.10.V3", expected, f"{use.value.hex()[:64]}, that of {first}")


def _v8(beacon: BeaconUse) -> Fault:
    expected = f"a signature of the chain over round {beacon.round}"
    return Fault("V8", "fairness.1.10.V8", expected, beacon.signature.hex())


def summary(
    levels: Iterable[Level], findings: Iterable[Finding], unchecked: Iterable[Unchecked], deals: DealChecks
) -> list[Check]:
    """Return what each of the eighteen checks comes to."""
    found, lacking = list(findings), list(unchecked)
    by_level = {level.level: level for level in levels}
    return [_check(code, by_level, found, lacking, deals) for code in CHECKS]


def _check(
    code: str, levels: dict[int, Level], findings: list[Finding], unchecked: list[Unchecked], deals: DealChecks
) -> Check:  # fmt: skip
    if code in {"V1", "V18"}:
        return _of_log(code, levels, findings)
    if code == "V15":
        return Check(code, "figure")
    if code == "V16":
        return Check(code, "not_checkable", why="no list of approved software manifests is given")
    count = sum(each.code == code for each in findings)
    lacking = sum(each.code == code for each in unchecked)
    if count:
        return Check(code, "failed", count, lacking)
    if levels[7].status in {"not_reached", "not_checkable"}:
        return Check(code, "not_checkable", why="no game was replayed")
    if not deals.protocols and code != "V5":
        return Check(code, "not_checkable", why="no deal follows a protocol that can be recomputed")
    if deals.protocols == {PUBLISHED} and code not in OF_PUBLISHED:
        return Check(code, "not_checkable", why="the foreign log holds nothing of the kind")
    if code == "V8" and not deals.figures.beacons:
        return Check(code, "not_checkable", why="no game names a beacon")
    if code == "V17" and deals.protocols == {"paipu-fair/1w"}:
        return Check(code, "not_checkable", why="the wide profile has no root seed")
    return Check(code, "holds", 0, lacking)


def _of_log(code: str, levels: dict[int, Level], findings: list[Finding]) -> Check:
    gaps = code == "V18"
    count = sum(each.level <= 4 and (each.code in GAPS) == gaps for each in findings)
    if count:
        return Check(code, "failed", count)
    needed = (3,) if gaps else (2, 3, 4)
    lacking = [levels[number] for number in needed if levels[number].status in {"not_checkable", "not_reached"}]
    if lacking:
        return Check(code, "not_checkable", why=f"level {lacking[0].level}: {lacking[0].why or lacking[0].status}")
    return Check(code, "holds")
