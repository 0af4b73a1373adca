"""Levels 5 and 7: players' signatures and the engine's replay of streams whose bytes are authenticated (ledger.md 6).

`judge` looks at one game by itself, in any process. `Replays` goes over the streams of a log and adds what only several
of them show: a value of the deal that another game has used, a beacon that its chain did not sign, a stream that the
ledger closed and the game did not, a case against the game it is about.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Final

from engine.family import Fault
from engine.formats.riichi_events import is_riichi
from engine.formats.riichi_walls import seeded
from engine.replay import Replay, steps
from ledger.findings import Finding, Level, Text, Unchecked
from ledger.store import Reader
from ledger.verify_games import GameAudit, read_events
from viewer import foreign
from viewer.batch import in_order
from viewer.case_audit import audit_case
from viewer.clauses import find as find_clause
from viewer.deal_checks import PUBLISHED, DealChecks
from viewer.deals import TAKERS, DealFacts, DealFold, facts
from viewer.signed import CommandVerdict, judge_commands
from viewer.translate import bilingual

COMMANDS: Final = 5
REPLAY: Final = 7


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """What replay says of one game: findings, what could not be checked, hands and lawful events.

    `commands` is what level 5 says of it; with a finding there nothing is said of the replay. `unread` are findings of
    level 4, and nothing else is said then.
    """

    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    hands: int = 0
    prefix: int = 0
    closed: bool = False
    deals: DealFacts | None = None
    commands: CommandVerdict = field(default_factory=CommandVerdict)
    unread: tuple[Finding, ...] = ()

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found, at any of the levels."""
        return not (self.unread or self.commands.findings or self.findings)


def judge(lines: Sequence[bytes], game: str, gno: int | None, wall_root: bool) -> GameVerdict:
    """Replay one game's events, whose bytes hold the chain, and check its signed commands.

    The replay may find bytes that level 4 has not read: whatever it has not derived byte for byte is read after it, and
    a finding there, or at the commands, stands alone.
    """
    if lines and is_riichi(lines[0]):
        unread = read_events(game, gno, lines, range(len(lines)))
        return GameVerdict(unread=tuple(unread)) if unread else _judge_riichi(lines, game, gno)
    result, fold = Replay(), DealFold()
    for _, record in steps(lines, result, wall_root=wall_root):
        if record["type"] in TAKERS:  # few: asked here, of every event
            fold.take(record)
    unread = read_events(game, gno, lines, sorted({*result.judged, *range(result.prefix, len(lines))}))
    if unread:
        return GameVerdict(unread=tuple(unread))
    commands = judge_commands(lines, game, gno)
    if commands.findings:
        return GameVerdict(commands=commands)
    return GameVerdict(
        findings=tuple(as_finding(each.fault, game, gno, each.hand, each.seq) for each in result.findings),
        unchecked=tuple(unchecked(result, game)),
        hands=result.hands,
        prefix=result.prefix,
        closed=result.closed,
        deals=fold.end() if result.prefix == len(lines) else facts(lines),
        commands=commands,
    )


def _judge_riichi(lines: Sequence[bytes], game: str, gno: int | None) -> GameVerdict:
    """Judge an imported riichi record, which no family plays."""
    record, verdict = foreign.judge_lines(list(lines))
    found = facts(lines)
    found.protocol = PUBLISHED if seeded(record) else ""
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
    if hand >= 0:
        where = bilingual("{game}, hand {hand}, event {seq}", game=game, hand=str(hand), seq=str(seq))
    else:
        where = bilingual("{game}, event {seq}", game=game, seq=str(seq))
    text = Text(**bilingual("{place}: {what}", place=where, what={"en": clause["en"], "zh": clause["zh"]}))
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


@dataclass(slots=True)
class Replays:
    """Levels 5 and 7 of the streams of a log, in order of `gno`; `close` says what the levels come to.

    `related` names, for a finding (by game, seq and code), the other stream that it takes to show it.
    """

    commands: Level = field(default_factory=lambda: Level(COMMANDS))
    replay: Level = field(default_factory=lambda: Level(REPLAY))
    findings: list[Finding] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    hands: int = 0
    deals: DealChecks = field(default_factory=DealChecks)
    related: dict[tuple[str | None, int | None, str], str] = field(default_factory=dict)
    unread: list[Finding] = field(default_factory=list)
    """Findings of level 4."""

    def run(
        self, games: Iterable[GameAudit], reader: Reader, *, wall_root: bool = True, executor: Executor | None = None
    ) -> None:
        """Judge these streams, none of which has a finding at levels 1 to 4; `executor` spreads the games."""
        waiting: deque[tuple[str, int | None, int | None]] = deque()

        def jobs() -> Iterator[tuple[list[bytes], str, int | None, bool]]:
            for game in games:
                if game.stream == "case":
                    self._case(game, reader, wall_root=wall_root)
                elif game.stream == "game":
                    waiting.append((game.game, game.gno, game.size - 1 if game.ended == "close" else None))
                    yield game.events, game.game, game.gno, wall_root
                else:
                    why = f"no replay of {game.stream} streams yet"
                    self.unchecked.append(Unchecked(REPLAY, game.game, "stream", why))

        for verdict in in_order(judge, jobs(), executor):
            self.add(verdict, *waiting.popleft())

    def add(self, verdict: GameVerdict, game: str, gno: int | None, closed_at: int | None = None) -> None:
        """Add one game's verdict, and what it shows beside those before it.

        `closed_at` is the seq of its last event where the ledger closed it.
        """
        self.unread += verdict.unread
        if verdict.unread:
            return
        self._commands(verdict.commands)
        if verdict.commands.findings:
            return
        later = []
        for spot in [] if verdict.deals is None else self.deals.add(verdict.deals):
            later.append(as_finding(spot.fault, game, gno, spot.hand, spot.seq))
            if spot.other:
                self.related[game, spot.seq, spot.fault.code] = spot.other
        if closed_at is not None and verdict.holds and not verdict.closed:
            unresolved = Fault("V14", "fairness.1.10.V14", "closed, as the ledger closed the stream", "no end")
            later.append(as_finding(unresolved, game, gno, verdict.hands - 1, closed_at))
        self.findings += [*verdict.findings, *later]
        self.unchecked += verdict.unchecked
        self.hands += verdict.hands
        self.replay.checked += verdict.prefix
        self.replay.findings += len(verdict.findings) + len(later)

    def _commands(self, commands: CommandVerdict) -> None:
        self.findings += commands.findings
        self.unchecked += commands.unchecked
        self.commands.checked += commands.checked
        self.commands.findings += len(commands.findings)

    def _case(self, game: GameAudit, reader: Reader, *, wall_root: bool) -> None:
        """Add what replay says of a case (events.md, Cases)."""
        said = audit_case(game.events, reader, judge, wall_root=wall_root)
        for fault, seq in said.faults:
            self.findings.append(as_finding(fault, game.game, game.gno, -1, seq))
            if said.case.opened is not None:
                self.related[game.game, seq, fault.code] = said.case.opened.subject.game
        self.unchecked += [Unchecked(REPLAY, game.game, "verdict", why) for why in said.unchecked]
        self.replay.checked += said.case.size
        self.replay.findings += len(said.faults)

    def close(self) -> None:
        """Say what the two levels come to, where those before them hold."""
        self.unchecked += [Unchecked(REPLAY, game, "V8", why) for game, why in self.deals.unverified]
        if self.commands.findings or self.commands.checked:
            self.commands.status, self.commands.why = ("failed" if self.commands.findings else "holds"), ""
        else:
            self.commands.status, self.commands.why = "not_checkable", "no signed command"
        self.replay.status, self.replay.why = ("failed" if self.replay.findings else "holds"), ""
        if self.replay.checked == 0 and not self.replay.findings:
            self.replay.status, self.replay.why = "not_checkable", "no game that could be replayed"
