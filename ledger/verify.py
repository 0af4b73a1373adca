"""Verification, levels 1 to 4: policy, checkpoint, main log, streams (ledger.md 6).

    audit = Audit(open_reader(url), policy=policy_bytes, seen=NoteFile(path), now_ms=now)
    for game in audit.games():          # levels 1 to 3 run first, then one stream at a time, by gno
        if audit.sound and not game.findings:
            …replay(game.events)        # level 7: only bytes that were authenticated
    audit.levels, sort_findings(audit.findings), audit.size, audit.root, …

Everything within a level is collected. A finding at level 1 ends the run. After one at 2 or 3 the streams are still
looked at, to say where, but `sound` is false and nothing may be replayed. Without a pinned policy level 1 is
`not_checkable` and the keys are those the ledger itself tells. When levels 1 to 3 hold, `seen` keeps the checkpoint.

The functions behind it are pure over a `Reader` and may be used alone: `check_policy`, `check_checkpoint`, `audit_log`,
`audit_game`. None of them raises on damaged records: those are findings.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ledger.checkpoint import Checkpoint, open_checkpoint
from ledger.entries import read_entry
from ledger.errors import LedgerError, Malformed, Unavailable, Untrusted
from ledger.findings import Finding, Level, Text, Unchecked, printable
from ledger.keys import Verifier, parse_vkey
from ledger.notefile import KeptNote, kept_checkpoint
from ledger.policy import Policy, parse_policy
from ledger.store import Reader
from ledger.verify_games import GameAudit, audit_games, audit_strays
from ledger.verify_log import LogAudit, audit_log

DEFAULT_MAX_AGE_MS: Final = 86_400_000

_NO_POLICY: Final = "no pinned policy: the keys are the ledger's own"
_LATER: Final = {
    5: "no signed command",
    6: "no time token",
    7: "no rules here",
    8: "no receipt given",
}


def check_policy(data: bytes) -> tuple[Policy | None, list[Finding]]:
    """Level 1: read the pinned policy; a key of low order is a finding.

    Malformed where the file is no policy at all: nothing can be judged by it.
    """
    try:
        return parse_policy(data), []
    except Untrusted as error:
        text = Text(f"the policy pins a weak key: {error.reason}", f"策略文件含弱密钥：{error.reason}")
        return None, [Finding(1, error.code, "ledger.md 3", text, found=error.evidence.hex())]


def check_checkpoint(
    reader: Reader,
    verifiers: Sequence[Verifier],
    policy: Policy | None = None,
    seen: Checkpoint | None = None,
    *,
    now_ms: int = 0,
    max_age_ms: int | None = None,
) -> tuple[Checkpoint | None, bytes, list[Finding]]:
    """Level 2: the newest checkpoint; give it, its note and the findings (consistency with `seen` is `audit_log`'s).

    Age is judged by the cosignatures that make the quorum, and only where the policy asks for one; `max_age_ms` is then
    24 h unless another is given.
    """
    findings: list[Finding] = []

    def say(
        code: str, clause: str, text: Text, expected: str | int | None = None, found: str | int | None = None
    ) -> None:
        findings.append(Finding(2, code, clause, text, expected=expected, found=found))

    try:
        row = reader.checkpoint()
    except Unavailable as error:
        say("note", "ledger.md 4", Text(f"no checkpoint can be read: {error}", f"无法读取检查点：{error}"))
        return None, b"", findings
    if row is None or type(row.note) is not bytes:
        found = "nothing" if row is None else printable(row.note)
        say("note", "ledger.md 2", Text("there is no checkpoint", "没有检查点"), "a signed checkpoint", found)
        return None, b"", findings
    note = row.note
    try:
        checkpoint, opened = open_checkpoint(note, verifiers)
    except (Malformed, Untrusted) as error:
        code = error.code if isinstance(error, Untrusted) else "note"
        say(code, "ledger.md 2", Text(f"the checkpoint: {error}", f"检查点：{error}"), found=printable(note, 400))
        return None, note, findings
    if policy is not None and policy.quorum:
        times = policy.cosigned(opened)
        oldest = now_ms - (DEFAULT_MAX_AGE_MS if max_age_ms is None else max_age_ms)
        if not policy.met(times):
            quorum = printable(policy.quorum)
            text = Text(f"the cosignatures do not make the quorum {quorum}", f"联署未达到法定数 {quorum}")
            say("quorum", "ledger.md 2", text, quorum, printable(", ".join(times)) or "nobody")
        elif not policy.met(name for name, second in times.items() if second * 1000 >= oldest):
            text = Text("the cosignatures that make the quorum are too old", "达到法定数的联署已过期")
            say("stale", "ledger.md 2", text, oldest // 1000, max(times.values()))
    if seen is not None and checkpoint.size < seen.size:
        text = Text(
            f"size {checkpoint.size}, but size {seen.size} was seen before",
            f"长度 {checkpoint.size}，但曾见过长度 {seen.size}",
        )
        say("rollback", "ledger.md 6", text, seen.size, checkpoint.size)
    return checkpoint, note, findings


def own_keys(reader: Reader) -> list[Verifier]:
    """Give the log keys that the ledger's own entries add, signed or not: what there is without a pinned policy."""
    found: list[Verifier] = []
    try:
        for row in reader.entries_of_kind("key-add"):
            try:
                record = read_entry(row.data).record
                if record.get("role") == "log":
                    found.append(parse_vkey(str(record["vkey"])))
            except LedgerError:
                continue  # a finding of level 3
    except Unavailable:
        pass  # level 3 says so
    return list(dict.fromkeys(found))


@dataclass
class Audit:
    """One run over one ledger. `games()` drives it; the rest is filled in as it goes.

    `policy` is the pinned file's bytes (None: there is none), `seen` keeps the largest checkpoint ever seen, `now_ms`
    and `max_age_ms` serve freshness, `withheld` names streams whose events are not published. With `read` False the
    events of games are not read (see `verify_games`): the caller, who replays them while the log is `sound`, `add`s
    what reading them shows. `size` and `root` are those of the checkpoint; `opened`, `events` and `unsealed` count
    streams and events.
    """

    reader: Reader
    policy: bytes | None = None
    seen: KeptNote | None = None
    now_ms: int = 0
    max_age_ms: int | None = None
    withheld: Collection[str] = ()
    read: bool = True
    levels: list[Level] = field(default_factory=lambda: [Level(number) for number in range(1, 9)])
    findings: list[Finding] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    checkpoint: Checkpoint | None = None
    log: LogAudit | None = None
    origin: str = ""
    size: int = 0
    root: bytes = b""
    opened: int = 0
    events: int = 0
    unsealed: int = 0

    @property
    def sound(self) -> bool:
        """Whether levels 1 to 3 ran and none failed: only then may a game without findings be replayed."""
        return all(level.status in {"holds", "not_checkable"} for level in self.levels[:3])

    def games(self) -> Iterator[GameAudit]:
        """Run levels 1 to 3, then give every stream as level 4 finds it; `levels` are complete at the end."""
        if not self.head():
            return
        covered = self.checkpoint.size if self.checkpoint is not None else 0
        level = self.levels[3]
        for game in self._all(covered):
            self.opened += 1
            self.events += game.size
            self.unsealed += game.unsealed
            self.findings += game.findings
            self.unchecked += game.unchecked
            level.checked += game.size
            level.findings += len(game.findings)
            yield game
        level.status = "failed" if level.findings else "holds"
        self._later()

    def add(self, findings: Sequence[Finding]) -> None:
        """Add findings of level 4 that reading a game's events has shown."""
        if findings:
            self.findings += findings
            self.levels[3].findings += len(findings)
            self.levels[3].status = "failed"

    def head(self) -> bool:
        """Run levels 1 to 3; tell whether level 4 may follow. `games` does it itself."""
        verifiers, policy = self._policy()
        if verifiers is None:
            return False
        seen = kept_checkpoint(self.seen, "the largest checkpoint seen") if self.seen is not None else None
        checkpoint, note, found = check_checkpoint(
            self.reader, verifiers, policy, seen, now_ms=self.now_ms, max_age_ms=self.max_age_ms
        )
        if checkpoint is not None:
            self.checkpoint = checkpoint
            self.origin, self.size, self.root = checkpoint.origin, checkpoint.size, checkpoint.root
            if seen is not None and seen.origin != checkpoint.origin:
                raise Unavailable(self.reader.target, f"the state kept is of {seen.origin}, not of {checkpoint.origin}")
        log = audit_log(self.reader, verifiers, seen, newest=checkpoint, judged=note)
        self.log = log
        self.origin = self.origin or log.origin
        self._close(2, max(log.checkpoints, 1), found + [each for each in log.findings if each.level == 2])
        self._close(3, log.size, [each for each in log.findings if each.level == 3])
        if self.sound and self.seen is not None and (seen is None or seen.size < self.size):
            self.seen.save(note)
        return True

    def _policy(self) -> tuple[Sequence[Verifier] | None, Policy | None]:
        level = self.levels[0]
        if self.policy is None:
            level.status, level.why = "not_checkable", _NO_POLICY
            return own_keys(self.reader), None
        policy, found = check_policy(self.policy)
        self._close(1, len(policy.verifiers()) if policy else 0, found)
        return (policy.verifiers() if policy else None), policy

    def _all(self, covered: int) -> Iterator[GameAudit]:
        try:
            yield from audit_games(self.reader, covered, withheld=self.withheld, read=self.read or not self.sound)
            yield from audit_strays(self.reader, covered)
        except Unavailable as error:
            text = Text(f"the list of streams cannot be read: {error}", f"无法读取牌局列表：{error}")
            finding = Finding(4, "canonical", "ledger.md 4", text)
            self.findings.append(finding)
            self.levels[3].findings += 1

    def _close(self, number: int, checked: int, findings: Sequence[Finding]) -> None:
        level = self.levels[number - 1]
        level.checked, level.findings = checked, len(findings)
        level.status = "failed" if findings else "holds"
        self.findings += findings

    def _later(self) -> None:
        for number, why in _LATER.items():
            level = self.levels[number - 1]
            if self.sound:
                level.status, level.why = "not_checkable", why
