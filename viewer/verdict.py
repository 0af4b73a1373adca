"""The verdict: the ledger's levels, then players' signatures and the engine's replay of every sound game (ledger.md 6).

A report says of each level whether it holds, failed, is not checkable (and why) or was not reached; it never says
"fair". Nothing unauthenticated reaches the engine: a game with a finding at level 4 or 5 is not replayed, and after one
at levels 1 to 3 no game is.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from engine.case_stream import is_case
from engine.case_stream import judge as judge_case
from engine.family import Fault
from engine.formats.riichi_events import is_riichi
from engine.replay import Replay, replay
from ledger.errors import Unavailable
from ledger.findings import Finding, Level, Text, Unchecked, sort_findings
from ledger.log import now_ms
from ledger.notefile import KeptNote, NoteFile
from ledger.policy import parse_policy
from ledger.published import TreeReader
from ledger.store import Reader, open_reader, without_password
from ledger.verify import Audit
from ledger.verify_file import audit_file
from ledger.verify_games import GameAudit
from ledger.verify_receipts import Held, audit_mirror, audit_receipts
from ledger.verify_time import check_time
from viewer import foreign
from viewer.batch import in_order
from viewer.case_audit import audit_case
from viewer.clauses import find as find_clause
from viewer.deal_checks import PUBLISHED, Check, DealChecks, Spot, summary
from viewer.deals import DealFacts, facts
from viewer.plain import read_bytes
from viewer.signed import CommandVerdict, judge_commands
from viewer.targets import Beside, beside, beside_tree, ledger_url, published, read_tsa

COMMANDS = 5
REPLAY = 7
RECEIPTS = 8
FORMAT = 1


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """What replay says of one game: findings, what could not be checked, hands and lawful events.

    `commands` is what level 5 says of it; with a finding there it was not replayed.
    """

    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    hands: int = 0
    prefix: int = 0
    closed: bool = False
    deals: DealFacts | None = None
    commands: CommandVerdict = field(default_factory=CommandVerdict)

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was given: policy, the head seen before, receipts, the clock and the ages it judged by."""

    policy: bytes | None = None
    seen: bytes | None = None
    held: Sequence[Held] = ()
    now_ms: int = 0
    max_age_ms: int | None = None


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
    strict: bool = False

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


def judge(lines: Sequence[bytes], game: str, gno: int | None, wall_root: bool) -> GameVerdict:
    """Check the signed commands of one game's authenticated events, and replay them where those hold."""
    if lines and is_riichi(lines[0]):
        return _judge_riichi(lines, game, gno)
    commands = judge_commands(lines, game, gno)
    if commands.findings:
        return GameVerdict(commands=commands)
    result = replay(lines, wall_root=wall_root)
    return GameVerdict(
        findings=tuple(as_finding(each.fault, game, gno, each.hand, each.seq) for each in result.findings),
        unchecked=tuple(unchecked(result, game)),
        hands=result.hands,
        prefix=result.prefix,
        closed=result.closed,
        deals=facts(lines),
        commands=commands,
    )


def _judge_riichi(lines: Sequence[bytes], game: str, gno: int | None) -> GameVerdict:
    """Judge an imported riichi record, which no family plays."""
    record, verdict = foreign.judge_lines(list(lines))
    found = facts(lines)
    found.protocol = PUBLISHED if record.seed else ""
    return GameVerdict(
        findings=tuple(as_finding(each.fault, game, gno, each.hand, each.place) for each in verdict.findings),
        unchecked=tuple(Unchecked(REPLAY, game, code, why, None if hand < 0 else hand)
                        for hand, code, why in verdict.unchecked),
        hands=verdict.hands,
        prefix=verdict.findings[0].place if verdict.findings else len(lines),
        closed=True,  # where the source is cut off, that is listed as not checkable
        deals=found,
    )  # fmt: skip


def unchecked(result: Replay, game: str) -> Iterator[Unchecked]:
    """Yield what replay could not check, with the reason."""
    for note in result.notes:
        yield Unchecked(REPLAY, game, note.code, note.why, None if note.hand < 0 else note.hand)
    if not result.closed and not result.findings:
        yield Unchecked(REPLAY, game, "V14", "the game is not closed: its end and unused hands are still open")


def as_finding(fault: Fault, game: str, gno: int | None, hand: int, seq: int) -> Finding:
    """Return an engine's fault as a finding of level 7, with the clause's text in both languages."""
    clause = find_clause(fault.clause) or {"en": fault.clause, "zh": fault.clause}
    where_en = f"{game}, hand {hand}, event {seq}" if hand >= 0 else f"{game}, event {seq}"
    where_zh = f"{game} 第 {hand} 局第 {seq} 号事件" if hand >= 0 else f"{game} 第 {seq} 号事件"
    text = Text(f"{where_en}: {clause['en']}", f"{where_zh}：{clause['zh']}")
    return Finding(
        level=REPLAY,
        code=fault.code,
        clause=fault.clause,
        text=text,
        game=game,
        gno=gno,
        hand=hand if hand >= 0 else None,
        seq=seq,
        expected=fault.expected,
        found=fault.found,
    )


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
        asked = Asked(pinned, None if seen is None else seen.load(), held, now_ms(), max_age_ms)
        withheld = reader.withheld if isinstance(reader, TreeReader) else ()
        run = Audit(reader, pinned, seen, now_ms=asked.now_ms, max_age_ms=max_age_ms, withheld=withheld)
        report = Report(without_password(target), run.levels, strict=strict)
        head = reader.head()
        games: Iterable[GameAudit] = check_time(run, run.games(), read_tsa(files.tsa, tsa))
        if watch is not None:
            games = watch(games, head.gno if head is not None else 0)
        _replay(report, run, games, wall_root=wall_root, executor=executor)
        _compare(report, run, reader, asked, mirrors)
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


def _compare(report: Report, run: Audit, reader: Reader, asked: Asked, mirrors: Sequence[str]) -> None:
    """Level 8: compare what others hold with a log that is sound so far."""
    if not run.sound or not (asked.held or mirrors):
        return
    level = run.levels[RECEIPTS - 1]
    if asked.policy is None:
        level.why = "receipts and mirrors are judged by a pinned policy, and there is none"
        return
    policy = parse_policy(asked.policy)
    parts = [audit_receipts(reader, policy, asked.held)] if asked.held else []
    for mirror in mirrors:
        source = published(mirror)
        if source is None:
            raise Unavailable(mirror, "not a mirror: a folder or URL of a published log was expected")
        parts.append(audit_mirror(reader, policy, TreeReader(source)))
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


def _replay(
    report: Report, run: Audit, games: Iterable[GameAudit], *, wall_root: bool, executor: Executor | None
) -> None:
    level = run.levels[REPLAY - 1]
    sealed: deque[tuple[str, int | None, bool, int]] = deque()

    def jobs() -> Iterator[tuple[list[bytes], str, int | None, bool]]:
        for game in games:
            if not run.sound or game.findings or not game.events:
                continue
            if game.stream == "case":
                _add_case(report, level, game, run.reader, wall_root=wall_root)
                continue
            if game.stream != "game":
                why = f"no replay of {game.stream} streams yet"
                report.unchecked.append(Unchecked(REPLAY, game.game, "stream", why))
                continue
            sealed.append((game.game, game.gno, game.ended == "close", game.size))
            yield game.events, game.game, game.gno, wall_root

    deals = DealChecks()
    for verdict in in_order(judge, jobs(), executor):
        game, gno, ended, size = sealed.popleft()
        _add_commands(report, run.levels[COMMANDS - 1], verdict.commands)
        if verdict.commands.findings:
            continue
        later = [as_finding(each.fault, game, gno, each.hand, each.seq) for each in _across(deals, verdict)]
        if ended and verdict.holds and not verdict.closed:
            unresolved = Fault("V14", "fairness.1.10.V14", "closed, as the ledger closed the stream", "no end")
            later.append(as_finding(unresolved, game, gno, verdict.hands - 1, size - 1))
        report.findings += [*verdict.findings, *later]
        report.unchecked += verdict.unchecked
        report.hands += verdict.hands
        level.checked += verdict.prefix
        level.findings += len(verdict.findings) + len(later)
    report.unchecked += [Unchecked(REPLAY, game, "V8", why) for game, why in deals.unverified]
    if run.sound:
        _close_commands(run.levels[COMMANDS - 1])
        level.status = "failed" if level.findings else "holds"
        level.why = ""
        if level.checked == 0 and not level.findings:
            level.status, level.why = "not_checkable", "no game that could be replayed"
    report.deals = deals


def _add_case(report: Report, level: Level, game: GameAudit, reader: Reader, *, wall_root: bool) -> None:
    """Add what replay says of a case (events.md, Cases)."""
    said = audit_case(game.events, reader, judge, wall_root=wall_root)
    report.findings += [as_finding(fault, game.game, game.gno, -1, seq) for fault, seq in said.faults]
    report.unchecked += [Unchecked(REPLAY, game.game, "verdict", why) for why in said.unchecked]
    level.checked += said.case.size
    level.findings += len(said.faults)


def _add_commands(report: Report, level: Level, commands: CommandVerdict) -> None:
    """Add what level 5 says of one game."""
    report.findings += commands.findings
    report.unchecked += commands.unchecked
    level.checked += commands.checked
    level.findings += len(commands.findings)


def _close_commands(level: Level) -> None:
    """Say what level 5 comes to."""
    if level.findings or level.checked:
        level.status, level.why = ("failed" if level.findings else "holds"), ""
    else:
        level.status, level.why = "not_checkable", "no signed command"


def _across(deals: DealChecks, verdict: GameVerdict) -> list[Spot]:
    """Add a game's deals to those of the others; return what only the others show."""
    return [] if verdict.deals is None else deals.add(verdict.deals)


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
        verdict = judge(game.events, game.game, None, wall_root)
        _add_commands(report, report.levels[COMMANDS - 1], verdict.commands)
        _close_commands(report.levels[COMMANDS - 1])
        deals = report.deals = DealChecks()
        later = [as_finding(each.fault, game.game, None, each.hand, each.seq) for each in _across(deals, verdict)]
        level = report.levels[REPLAY - 1]
        level.checked, level.findings = verdict.prefix, len(verdict.findings) + len(later)
        level.status = "failed" if level.findings else "not_reached" if verdict.commands.findings else "holds"
        report.hands = verdict.hands
        report.findings += [*verdict.findings, *later]
        report.unchecked += verdict.unchecked
        report.unchecked += [Unchecked(REPLAY, name, "V8", why) for name, why in deals.unverified]
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
    report.deals = DealChecks(protocols={PUBLISHED} if other.record.seed else set())
    _told_deals(report)
    return report


def audit_lines(lines: Sequence[bytes], *, wall_root: bool = True) -> GameVerdict:
    """Return the replay's verdict on one game's events."""
    return judge(lines, "", None, wall_root)
