"""The verdict: levels 1 to 4 of the ledger, then the engine's replay of every sound game, as one report (ledger.md 6).

A report says of each level whether it holds, failed, is not checkable (and why) or was not reached; it never says
"fair". Nothing unauthenticated reaches the engine: a game with a finding at level 4 is not replayed, and after one at
levels 1 to 3 no game is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from engine.family import Fault
from engine.replay import Replay, replay
from ledger.findings import Finding, Level, Text, Unchecked, sort_findings
from ledger.log import now_ms
from ledger.notefile import KeptNote, NoteFile
from ledger.store import open_reader
from ledger.verify import Audit
from ledger.verify_file import audit_file
from ledger.verify_games import GameAudit
from viewer.batch import in_order
from viewer.clauses import find as find_clause
from viewer.plain import read_bytes
from viewer.targets import Beside, beside, ledger_url

REPLAY = 7
FORMAT = 1


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """What replay says of one game: findings, what could not be checked, hands and lawful events."""

    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    hands: int = 0
    prefix: int = 0

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings


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
        }


def judge(lines: Sequence[bytes], game: str, gno: int | None, wall_root: bool) -> GameVerdict:
    """Replay one game's authenticated events."""
    result = replay(lines, wall_root=wall_root)
    return GameVerdict(
        findings=tuple(as_finding(each.fault, game, gno, each.hand, each.seq) for each in result.findings),
        unchecked=tuple(unchecked(result, game)),
        hands=result.hands,
        prefix=result.prefix,
    )


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
) -> Report:
    """Verify a ledger (URL or path) or an exported game.

    `policy` is the pinned policy file (default: `<db>.policy` where it exists), `state` keeps the largest checkpoint
    seen (default: `<policy>.seen`, kept only with a policy). `executor` spreads the replays; `watch` shows progress.
    Raises a LedgerError where nothing can be judged.
    """
    url = ledger_url(target)
    if url is None:
        return _audit_file(target, wall_root=wall_root, strict=strict)
    reader = open_reader(url)
    try:
        pinned, seen = _pinned(beside(url, policy), policy, state)
        run = Audit(reader, policy=pinned, seen=seen, now_ms=now_ms(), max_age_ms=max_age_ms)
        report = Report(target, run.levels, strict=strict)
        head = reader.head()
        games: Iterable[GameAudit] = run.games()
        if watch is not None:
            games = watch(games, head.gno if head is not None else 0)
        _replay(report, run, games, wall_root=wall_root, executor=executor)
    finally:
        reader.close()
    report.origin, report.size, report.root = run.origin, run.size, run.root.hex()
    report.games, report.events, report.unsealed = run.opened, run.events, run.unsealed
    report.findings = sort_findings([*run.findings, *report.findings])
    report.unchecked = [*run.unchecked, *report.unchecked]
    return report


def _pinned(files: Beside, policy: str | None, state: str | None) -> tuple[bytes | None, KeptNote | None]:
    """Return the pinned policy's bytes and where the largest checkpoint is kept."""
    if policy is None and not files.policy.exists():
        return None, NoteFile(Path(state)) if state else None
    return read_bytes(str(files.policy)), NoteFile(Path(state) if state else files.seen)


def _replay(
    report: Report, run: Audit, games: Iterable[GameAudit], *, wall_root: bool, executor: Executor | None
) -> None:
    level = run.levels[REPLAY - 1]

    def jobs() -> Iterator[tuple[list[bytes], str, int | None, bool]]:
        for game in games:
            if not run.sound or game.findings:
                continue
            if game.stream != "game":
                why = f"no replay of {game.stream} streams yet"
                report.unchecked.append(Unchecked(REPLAY, game.game, "stream", why))
                continue
            yield game.events, game.game, game.gno, wall_root

    for verdict in in_order(judge, jobs(), executor):
        report.findings += verdict.findings
        report.unchecked += verdict.unchecked
        report.hands += verdict.hands
        level.checked += verdict.prefix
        level.findings += len(verdict.findings)
    if run.sound:
        level.status = "failed" if level.findings else "holds"
        level.why = ""
        if level.checked == 0 and not level.findings:
            level.status, level.why = "not_checkable", "no game that could be replayed"


def _audit_file(path: str, *, wall_root: bool, strict: bool) -> Report:
    """Verify an exported game: levels 4 and 7, the others need the ledger it came from."""
    game = audit_file(Path(path))
    levels = [Level(number) for number in range(1, 9)]
    for number in (1, 2, 3, 5, 6, 8):
        levels[number - 1].status, levels[number - 1].why = "not_checkable", "a bare exported file has no log"
    levels[3].checked, levels[3].findings = game.size, len(game.findings)
    levels[3].status = "failed" if game.findings else "holds"
    report = Report(path, levels, games=1, events=game.size, findings=list(game.findings), strict=strict)
    if not game.findings:
        verdict = judge(game.events, game.game, None, wall_root)
        level = levels[REPLAY - 1]
        level.checked, level.findings = verdict.prefix, len(verdict.findings)
        level.status = "failed" if verdict.findings else "holds"
        report.hands = verdict.hands
        report.findings += verdict.findings
        report.unchecked += verdict.unchecked
    return report


def audit_lines(lines: Sequence[bytes], *, wall_root: bool = True) -> GameVerdict:
    """Return the replay's verdict on one game's events."""
    return judge(lines, "", None, wall_root)
