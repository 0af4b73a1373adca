"""Checking a whole database: everything recomputed from raw bytes, every finding listed (ledger.md 6).

    check = fsck(open_reader(url), policy=policy_bytes, kept={"the last signed checkpoint": note})
    check.findings, check.counted

Where `ledger.verify` stops at a level that failed and compares commitments only up to a game's first finding, this goes
on through everything: levels 1 to 4, the signed commands (level 5, by a judge that whoever knows games gives) and the
times (level 6) of every stream, its damaged ones too. Beside them it looks at what an audit has no use for: the
backend's own account of its files, the checkpoints kept outside, and the side tables (`ledger.fsck_tables`). Trees and
chains are computed anew from the bytes as they stand, taking no stored hash for granted, and compared with every
commitment and every signed root. Replay (level 7) is not of bytes and stays with `verify`'s own code.

A table that cannot be read to its end is a finding, and the next one is looked at. Nothing is repaired.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from cryptography.x509 import Certificate

from ledger.canonical import Record, decode
from ledger.checkpoint import Checkpoint, read_checkpoint
from ledger.entries import OF_STREAMS, Entry, read_entry
from ledger.errors import LedgerError, Malformed, Unavailable
from ledger.findings import Finding, Text, printable, sort_findings
from ledger.fsck_tables import check_commands, check_counts, check_streams, check_texts
from ledger.keys import Verifier
from ledger.merkle import Frontier, leaf
from ledger.policy import Policy
from ledger.store import Tables
from ledger.stream import GAME_ID, StreamTree
from ledger.timetoken import available
from ledger.verify import check_checkpoint, check_policy, own_keys
from ledger.verify_games import GameAudit, audit_game, audit_strays
from ledger.verify_log import audit_log
from ledger.verify_time import Stamps, check_entries, check_game, read_stamps

_ORDER: Final = "ledger.md 6"
Placed = tuple[int, Entry]
"""An entry of a stream and its index."""
Wanted = tuple[str, bytes, bytes | None]
"""What signs a root, the root, and the frontier stored with it, if any."""
_CHECKPOINT: Final = "the checkpoint"
CommandJudge = Callable[[Sequence[bytes], str, int | None], Iterable[Finding]]
"""Level 5 of one stream: its events by place (empty where one is missing), its id and gno."""


@dataclass
class Check:
    """What was looked at and found; `counted` says how many rows of each table were read, by its name."""

    findings: list[Finding] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)
    origin: str = ""
    _said: set[tuple[object, ...]] = field(default_factory=set)

    def add(self, found: list[Finding]) -> None:
        """Add findings, but for those that say again of the same place what was said."""
        self.findings += [each for each in found if _place(each) not in self._said]
        self._said.update(map(_place, found))

    def unreadable(self, what: str, error: Unavailable, *, game: str | None = None) -> None:
        """Add that something cannot be read."""
        text = Text(f"{what} cannot be read: {error}", f"无法读取 {what}：{error}")
        self.add([Finding(4, "canonical", "ledger.md 4", text, game, found=what)])


def _place(finding: Finding) -> tuple[object, ...]:
    if finding.seq is None and finding.entry is None:
        return (finding.code, finding.game, finding.text.en)
    return (finding.code, finding.game, finding.seq if finding.entry is None else None, finding.entry)


def fsck(
    store: Tables,
    policy: bytes | None = None,
    kept: Mapping[str, bytes] | None = None,
    *,
    now_ms: int = 0,
    max_age_ms: int | None = None,
    roots: Sequence[Certificate] | None = None,
    commands: CommandJudge | None = None,
) -> Check:
    """Check everything in a ledger's database.

    `kept` are checkpoint notes kept outside, by what they are: each must be a head of this log. `roots` are those of
    time-stamping authorities; without them a token's form and what it is over are looked at, and no time is believed.
    `commands` judges signed commands. Malformed where the policy is none.
    """
    check = Check()
    try:
        for fault in store.faults():
            text = Text(f"the database: {printable(fault, 200)}", f"数据库：{printable(fault, 200)}")
            check.add([Finding(4, "canonical", "ledger.md 4", text, found=printable(fault, 200))])
    except Unavailable as error:
        check.unreadable("the database's own check", error)
    verifiers, pinned = _keys(store, check, policy)
    checkpoint, note, found = check_checkpoint(store, verifiers, pinned, None, now_ms=now_ms, max_age_ms=max_age_ms)
    check.add(found)
    log = audit_log(store, verifiers, newest=checkpoint, judged=note)
    check.add(log.findings)
    check.origin = log.origin
    entries = _recompute_log(store, check, _heads(check, kept or {}))
    stamps = read_stamps(store, roots) if available() else Stamps()
    if roots is None:
        stamps.held.clear()
    _check_games(store, check, entries, stamps, commands)
    check_streams(store, check, entries)
    check_commands(store, check, entries)
    check_texts(store, check)
    check_counts(store, check)
    if stamps.held:
        check_entries(store, stamps)
    check.add(stamps.findings)
    check.findings = sort_findings(check.findings)
    return check


def _keys(store: Tables, check: Check, policy: bytes | None) -> tuple[list[Verifier], Policy | None]:
    """Give the keys to believe: the pinned ones, or where the policy is at fault the ledger's own."""
    if policy is not None:
        pinned, found = check_policy(policy)
        check.add(found)
        if pinned is not None:
            return list(pinned.verifiers()), pinned
    return own_keys(store), None


def _heads(check: Check, kept: Mapping[str, bytes]) -> dict[str, Checkpoint]:
    """Read the notes that are kept outside."""
    heads = {}
    for what, data in kept.items():
        try:
            heads[what] = head = read_checkpoint(data)
        except Malformed as error:
            raise Unavailable(what, f"damaged ({error})") from None
        if check.origin and head.origin != check.origin:
            text = Text(f"{what} is of {head.origin}, not of {check.origin}", f"{what} 属于 {head.origin}")
            check.add([Finding(2, "rollback", "ledger.md 4", text, expected=head.origin, found=check.origin)])
    return heads


def _recompute_log(store: Tables, check: Check, heads: Mapping[str, Checkpoint]) -> dict[str, list[Placed]]:
    """Hash every entry as it stands; compare the tree with each checkpoint and each head kept outside.

    Gives the entries of each stream, streams in the order they first appear.
    """
    entries: dict[str, list[Placed]] = {}
    wanted = _wanted(store, check)
    for what, head in heads.items():
        wanted.setdefault(head.size, []).append((what, head.root, None))
    tree = Frontier()
    count = 0
    try:
        for stored in store.entries():
            count += 1
            data = stored.data if type(stored.data) is bytes else b""
            tree.append(leaf(data))
            with suppress(Malformed):  # said by level 3
                entry = read_entry(data)
                if entry.kind in OF_STREAMS:
                    entries.setdefault(entry.game, []).append((stored.idx, entry))
            _compare_root(check, tree, wanted.pop(tree.size, []))
    except Unavailable as error:
        check.unreadable(f"the table of entries from {count} on", error)
    check.counted["entries"] = count
    for size, lost in wanted.items():
        for what, root, _ in lost if size else ():
            text = Text(f"{what} of size {size} counts entries that are not here", f"{what}（长度 {size}）所记条目缺失")
            code = "root" if what == _CHECKPOINT else "rollback"
            check.add([Finding(2, code, _ORDER, text, entry=size, expected=root.hex(), found=count)])
    return entries


def _wanted(store: Tables, check: Check) -> dict[int, list[Wanted]]:
    """Read the roots that stored checkpoints sign, by size."""
    wanted: dict[int, list[Wanted]] = {}
    count = 0
    try:
        for row in store.checkpoints():
            count += 1
            try:
                signed = read_checkpoint(row.note)
            except (LedgerError, TypeError, AttributeError):
                continue  # said by level 2
            wanted.setdefault(signed.size, []).append((_CHECKPOINT, signed.root, row.frontier))
    except Unavailable as error:
        check.unreadable("the table of checkpoints", error)
    check.counted["checkpoints"] = count
    return wanted


def _compare_root(check: Check, tree: Frontier, wanted: list[Wanted]) -> None:
    size, root = tree.size, tree.root()
    for what, signed, frontier in wanted:
        if signed != root:
            text = Text(
                f"the first {size} entries as they stand do not give the root of {what}",
                f"现有前 {size} 条日志的根与{what}不符",
            )
            code = "root" if frontier is not None else "fork"
            level = 3 if frontier is not None else 2
            check.add([Finding(level, code, _ORDER, text, entry=size, expected=signed.hex(), found=root.hex())])
        elif frontier is not None and frontier != tree.encode():
            text = Text(f"the frontier stored with the checkpoint of size {size} is damaged", "检查点所附前沿哈希损坏")
            check.add([Finding(3, "tile", "ledger.md 4", text, entry=size, expected=tree.encode().hex())])


def _check_games(
    store: Tables,
    check: Check,
    entries: Mapping[str, list[Placed]],
    stamps: Stamps,
    commands: CommandJudge | None,
) -> None:
    """Level 4 of every stream that any table names, then its commitments, commands and times anew."""
    audits: dict[str, GameAudit] = {}
    for game in entries:
        audit = audit_game(store, game)
        audit.events.clear()
        audits[game] = audit
        check.add(audit.findings)
    try:
        for stray in audit_strays(store):
            if stray.game not in entries:
                check.add(stray.findings)
    except Unavailable as error:
        check.unreadable("the table of events", error)
    events = 0
    for game in _ids(store, check, entries):
        lines = _recompute_game(store, check, game, entries.get(game, []))
        events += len(lines)
        placed = _by_place(lines)
        audit = audits.get(game) or GameAudit(printable(game))
        if commands is not None and audit.stream != "case":
            check.add(list(commands(placed, audit.game, audit.gno)))
        if stamps.held:
            check_game(store, stamps, audit, map(_record, placed))
    check.counted["events"] = events


def _ids(store: Tables, check: Check, entries: Mapping[str, list[Placed]]) -> Iterator[str]:
    yield from entries
    try:
        for game in store.games():
            if game not in entries:
                yield game
    except Unavailable as error:
        check.unreadable("the list of streams", error)


def _recompute_game(store: Tables, check: Check, game: str, entries: Sequence[Placed]) -> list[tuple[int, bytes]]:
    """Hash a stream's events as they stand; compare with every entry that commits to them. Give seq and bytes."""
    tree = StreamTree(game if type(game) is str and GAME_ID.fullmatch(game) else "")
    wanted: dict[int, list[Placed]] = {}
    for idx, entry in entries:
        wanted.setdefault(entry.size, []).append((idx, entry))
    opened = next((entry.octets("blind") for _, entry in entries if "blind" in entry.record), b"")
    lines: list[tuple[int, bytes]] = []
    try:
        row = store.stream(game)
        blind = opened or (row.blind if row is not None and type(row.blind) is bytes else b"")
        for seq, stored, _ in store.events(game):
            data = stored if type(stored) is bytes else b""
            lines.append((seq, data))
            tree.append(data)
            for idx, entry in wanted.get(tree.size, ()):
                _compare_commitment(check, tree, idx, entry, blind)
    except Unavailable as error:
        check.unreadable(f"{game} from event {tree.size} on", error, game=printable(game))
    return lines


def _by_place(lines: Sequence[tuple[int, bytes]]) -> list[bytes]:
    """Put events where their seq says, places that have none left empty; what lies beyond all reason is left out."""
    found: list[bytes] = []
    for seq, data in lines:
        if type(seq) is int and len(found) <= seq <= 2 * len(lines):
            found += [b""] * (seq - len(found))
            found.append(data)
    return found


def _record(data: bytes) -> Record:
    try:
        return decode(data)
    except Malformed:
        return {}


def _compare_commitment(check: Check, tree: StreamTree, idx: int, entry: Entry, blind: bytes) -> None:
    if "commit" in entry.record:
        if not blind:
            return  # said of the side table
        expected, found = entry.octets("commit"), tree.commit(blind)
    else:
        expected, found = entry.octets("root") + entry.octets("chain"), tree.root() + tree.chain
    if expected != found:
        size, game = tree.size, entry.game
        text = Text(
            f"entry {idx}, {entry.kind} of {game}, commits to other events than the first {size} as they stand",
            f"第 {idx} 条（{entry.kind}，{game}）所承诺的与现有前 {size} 条事件不符",
        )
        finding = Finding(
            4, "segment", _ORDER, text, game, entry.gno, entry=idx, expected=expected.hex(), found=found.hex()
        )
        check.add([finding])
