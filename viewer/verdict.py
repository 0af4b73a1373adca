"""The verdict: the ledger's levels, then players' signatures and the engine's replay of every sound game (ledger.md 6).

A report says of each level whether it holds, failed, is not checkable (and why) or was not reached; it never says
"fair". Nothing unauthenticated reaches the engine: a game with a finding at level 4 or 5 is not replayed, and after one
at levels 1 to 3 no game is.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cryptography.x509 import Certificate

from engine.case_stream import is_case
from engine.case_stream import judge as judge_case
from engine.errors import EventError
from engine.events import load
from engine.formats.riichi_walls import seeded
from ledger.errors import Unavailable
from ledger.findings import Finding, Level, Unchecked, sort_findings
from ledger.log import now_ms
from ledger.notefile import KeptNote, NoteFile
from ledger.policy import parse_policy
from ledger.published import TreeReader
from ledger.store import Reader, open_reader, without_password
from ledger.verify import Audit
from ledger.verify_file import audit_file
from ledger.verify_games import GameAudit
from ledger.verify_receipts import Held, Mirrored, audit_mirror, audit_receipts
from ledger.verify_time import check_time
from viewer import foreign
from viewer.deal_checks import PUBLISHED, Check, DealChecks, summary
from viewer.plain import read_bytes
from viewer.replays import COMMANDS, REPLAY, GameVerdict, Replays, as_finding, judge
from viewer.targets import Beside, beside, beside_tree, ledger_url, published, read_tsa

__all__ = ["REPLAY", "Asked", "GameVerdict", "Report", "as_finding", "audit", "audit_lines", "judge"]

RECEIPTS = 8
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was given: policy, the head seen before, receipts, mirrors, clock, ages, authorities' roots."""

    policy: bytes | None = None
    seen: bytes | None = None
    held: Sequence[Held] = ()
    now_ms: int = 0
    max_age_ms: int | None = None
    roots: Sequence[Certificate] | None = None
    mirrors: Sequence[Mirrored] = ()


@dataclass(slots=True)
class Report:
    """The whole verdict on a target."""

    target: str
    levels: list[Level]
    origin: str = ""
    size: int | None = None
    root: str = ""
    games: int = 0
    hands: int = 0
    events: int = 0
    unsealed: int = 0
    findings: list[Finding] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    deal_checks: list[Check] = field(default_factory=list)
    """V1 to V18 of fairness.md 1.10, one by one."""
    deal_figures: dict[str, int] = field(default_factory=dict)
    """V15: counts, no accusation."""
    deals: DealChecks | None = None
    related: dict[tuple[str | None, int | None, str], str] = field(default_factory=dict)
    """See `Replays.related`."""
    sources: list[tuple[Finding, Held | Mirrored]] = field(default_factory=list)
    """The findings of level 8, and what somebody holds that shows them."""
    strict: bool = False

    def take(self, replays: Replays) -> None:
        """Take over what levels 5 and 7 say; their `Level`s are the report's own."""
        self.findings += replays.findings
        self.unchecked += replays.unchecked
        self.hands, self.deals, self.related = replays.hands, replays.deals, replays.related

    @property
    def exit(self) -> int:
        """Return the exit code: 1 with any finding, under --strict also where something was not checkable."""
        if self.findings:
            return 1
        lacking = bool(self.unchecked) or any(level.status == "not_checkable" for level in self.levels)
        return 1 if self.strict and lacking else 0

    def as_json(self) -> dict[str, object]:
        """Return the object that `verify --json` prints."""
        found: dict[str, object] = {"format": FORMAT, "paipu": version("paipu"), "target": self.target}
        if self.origin:
            found["origin"] = self.origin
        if self.size is not None:
            found["size"] = self.size
        if self.root:
            found["root"] = self.root
        return found | {
            "games": self.games,
            "hands": self.hands,
            "events": self.events,
            "unsealed": self.unsealed,
            "exit": self.exit,
            "levels": [level.as_json() for level in self.levels],
            "not_checkable": [each.as_json() for each in self.unchecked],
            "findings": [each.as_json() for each in self.findings],
            "deal": {"checks": [each.as_json() for each in self.deal_checks], "figures": self.deal_figures},
        }


def audit(
    target: str,
    *,
    policy: str | None = None,
    state: str | None = None,
    max_age_ms: int | None = None,
    wall_root: bool = True,
    strict: bool = False,
    executor: Executor | None = None,
    watch: Callable[[Iterable[GameAudit], int], Iterable[GameAudit]] | None = None,
    held: Sequence[Held] = (),
    mirrors: Sequence[str] = (),
    tsa: str | None = None,
    keep: Callable[[Report, Reader, Asked], None] | None = None,
) -> Report:
    """Verify a ledger (URL or path), a published log (folder or URL) or an exported game.

    `policy` is the pinned policy file (default: `<db>.policy` where it exists), `state` keeps the largest checkpoint
    seen (default: `<policy>.seen`, kept only with a policy). `executor` spreads the replays; `watch` shows progress;
    `held` are receipts and `mirrors` published logs to compare with; `tsa` names the root certificates of time-stamping
    authorities (default: `<db>.tsa.pem`); `keep` writes evidence while the log is open.
    Raises a LedgerError where nothing can be judged.
    """
    source = published(target)
    url = None if source is not None else ledger_url(target)
    if url is None and source is None:
        if policy or state or tsa or held or mirrors or max_age_ms is not None:
            raise Unavailable(
                target, "a bare file has no log to judge by a policy, state, age, token, receipt or mirror"
            )
        return _audit_file(target, wall_root=wall_root, strict=strict)
    reader: Reader = TreeReader(source) if source is not None else open_reader(str(url))
    try:
        files = beside_tree(target, policy) if url is None else beside(url, policy)
        pinned, seen = _pinned(files, policy, state)
        roots = read_tsa(files.tsa, tsa)
        theirs = [_mirror(each) for each in mirrors]
        asked = Asked(pinned, None if seen is None else seen.load(), held, now_ms(), max_age_ms, roots, theirs)
        withheld = reader.withheld if isinstance(reader, TreeReader) else ()
        run = Audit(reader, pinned, seen, now_ms=asked.now_ms, max_age_ms=max_age_ms, withheld=withheld, read=False)
        report = Report(without_password(target), run.levels, strict=strict)
        head = reader.head()
        games: Iterable[GameAudit] = check_time(run, run.games(), roots)
        if watch is not None:
            games = watch(games, head.gno if head is not None else 0)
        replays = Replays(run.levels[COMMANDS - 1], run.levels[REPLAY - 1])
        authentic = (game for game in games if run.sound and game.events and not game.findings)
        replays.run(authentic, reader, wall_root=wall_root, executor=executor)
        run.add(replays.unread)
        if run.sound:
            replays.close()
        report.take(replays)
        _compare(report, run, reader, asked)
        report.origin, report.size, report.root = run.origin, run.size, run.root.hex()
        report.games, report.events, report.unsealed = run.opened, run.events, run.unsealed
        report.findings = sort_findings([*run.findings, *report.findings])
        report.unchecked = [*run.unchecked, *report.unchecked]
        if keep is not None:
            keep(report, reader, asked)
    finally:
        reader.close()
    _told_deals(report)
    return report


def _mirror(target: str) -> Mirrored:
    source = published(target)
    if source is None:
        raise Unavailable(target, "not a mirror: a folder or URL of a published log was expected")
    return TreeReader(source)


def _compare(report: Report, run: Audit, reader: Reader, asked: Asked) -> None:
    """Level 8: compare what others hold with a log that is sound so far."""
    if not run.sound or not (asked.held or asked.mirrors):
        return
    level = run.levels[RECEIPTS - 1]
    if asked.policy is None:
        level.why = "receipts and mirrors are judged by a pinned policy, and there is none"
        return
    policy = parse_policy(asked.policy)
    parts = [audit_receipts(reader, policy, asked.held)] if asked.held else []
    for finding, source in zip(parts[0].findings, parts[0].sources, strict=True) if parts else ():
        report.sources.append((finding, asked.held[source]))
    for mirror in asked.mirrors:
        parts.append(audit_mirror(reader, policy, mirror))
        report.sources += [(finding, mirror) for finding in parts[-1].findings]
    for part in parts:
        report.findings += part.findings
        report.unchecked += part.unchecked
        level.checked += part.checked
        level.findings += len(part.findings)
    level.status, level.why = ("failed" if level.findings else "holds"), ""
    if not level.checked and not level.findings:
        level.status, level.why = "not_checkable", "no receipt or mirror that itself holds"


def _pinned(files: Beside, policy: str | None, state: str | None) -> tuple[bytes | None, KeptNote | None]:
    """Return the pinned policy's bytes and where the largest checkpoint is kept."""
    if policy is None and not files.policy.exists():
        return None, NoteFile(Path(state)) if state else None
    return read_bytes(str(files.policy)), NoteFile(Path(state) if state else files.seen)


def _told_deals(report: Report) -> None:
    """Say what each check of the deals comes to."""
    deals = report.deals or DealChecks()
    report.deal_checks = summary(report.levels, report.findings, report.unchecked, deals)
    report.deal_figures = deals.figures.as_json()


def _bare(path: str, why: str, **fields: Any) -> Report:  # noqa: ANN401  fields of Report
    """Return the report on a single file, whose log is not there."""
    levels = [Level(number) for number in range(1, 9)]
    for number in (1, 2, 3, 5, 6, 8):
        levels[number - 1].status, levels[number - 1].why = "not_checkable", why
    return Report(path, levels, games=1, **fields)


def _audit_file(path: str, *, wall_root: bool, strict: bool) -> Report:
    """Verify an exported game (levels 4 and 7, the others need the ledger it came from), or a foreign record."""
    other = foreign.read(path)
    if other is not None:
        return _audit_foreign(path, other, strict=strict)
    game = audit_file(Path(path))
    report = _bare(
        path, "a bare exported file has no log", events=game.size, findings=list(game.findings), strict=strict
    )
    level = report.levels[3]
    level.checked, level.findings = game.size, len(game.findings)
    level.status = "failed" if game.findings else "holds"
    if not game.findings and is_case(game.events):
        said = judge_case(game.events)
        level = report.levels[REPLAY - 1]
        level.checked, level.status = said.size, "failed" if said.fault else "holds"
        if said.fault is not None:
            level.findings = 1
            report.findings.append(as_finding(said.fault, game.game, None, -1, said.size))
    elif not game.findings:
        replays = Replays(report.levels[COMMANDS - 1], report.levels[REPLAY - 1])
        replays.add(judge(game.events, game.game, None, wall_root), game.game, None)
        replays.close()
        if replays.commands.findings:
            replays.replay.status, replays.replay.why = "not_reached", ""
        report.take(replays)
    _told_deals(report)
    return report


def _audit_foreign(path: str, other: foreign.Foreign, *, strict: bool) -> Report:
    """Verify a record of another system: level 7 alone, there is nothing signed."""
    verdict = foreign.judge(other.record)
    acts = sum(len(hand.acts) for hand in other.record.hands)
    report = _bare(path, f"a {other.format.name} file is not signed and has no log", events=acts, strict=strict)
    report.levels[3].status, report.levels[3].why = "not_checkable", report.levels[0].why
    level = report.levels[REPLAY - 1]
    level.checked, level.findings = acts, len(verdict.findings)
    level.status = "failed" if verdict.findings else "holds" if verdict.hands else "not_checkable"
    level.why = "" if level.status != "not_checkable" else "no hand that could be checked"
    report.hands = verdict.hands
    report.findings = [as_finding(each.fault, other.game, None, each.hand, each.place) for each in verdict.findings]
    report.unchecked = list(foreign.unchecked(other, verdict, REPLAY))
    report.deals = DealChecks(protocols={PUBLISHED} if seeded(other.record) else set())
    _told_deals(report)
    return report


def audit_lines(lines: Sequence[bytes], *, wall_root: bool = True) -> GameVerdict:
    """Return the verdict on one game's events by themselves: `findings` are those of levels 4, 5 and 7 there.

    All of them must be of the game that the first one names.
    """
    said = judge(lines, _game_of(lines), None, wall_root)
    return replace(said, findings=(*said.unread, *said.commands.findings, *said.findings))


def _game_of(lines: Sequence[bytes]) -> str:
    """Return the game that the first event names; empty where it is no event, which is then a finding."""
    try:
        return str(load(lines[0]).get("game", "")) if lines else ""
    except EventError:
        return ""
