"""Level 8: what others hold of the log, against the log (ledger.md 6).

    receipt   a receipt that holds by the policy is of another entry, event or history than this log's
    mirror    a mirror whose head the log signed has other entries or events than this log, or more of them

A receipt or mirror that does not itself hold by the policy proves nothing against the log: it is listed as not
checkable, with the reason. So a mirror's entries must give the root its note signs, and a game's events meet its
entries, before they are compared. All is compared in one pass over the entries.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from ledger.checkpoint import Checkpoint, open_checkpoint
from ledger.errors import LedgerError, Untrusted
from ledger.findings import Finding, Text, Unchecked, printable
from ledger.merkle import Frontier, leaf
from ledger.policy import Policy
from ledger.receipt import Receipt, check_events, check_receipt, parse_receipt, unpack
from ledger.store import Reader
from ledger.verify_games import audit_game

LEVEL: Final = 8
_CLAUSE: Final = "ledger.md 5"


class Held(NamedTuple):
    """A receipt as somebody holds it: its name for messages, its file, the bundle beside it if there is one."""

    name: str
    data: bytes
    bundle: bytes | None = None


class Mirrored(Reader, Protocol):
    """A mirror: a log as somebody else keeps it, with the checkpoint it was fetched under."""

    @property
    def note(self) -> bytes:
        """The checkpoint note."""
        ...


@dataclass
class Comparison:
    """What a comparison comes to; `checked` counts receipts, mirrored entries and events.

    `sources` says of each finding which of the receipts, by its place among those given, it is of.
    """

    findings: list[Finding] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    source: int = 0
    unchecked: list[Unchecked] = field(default_factory=list)
    checked: int = 0

    def say(
        self,
        code: str,
        text: Text,
        *,
        game: str | None = None,
        seq: int | None = None,
        entry: int | None = None,
        expected: str | int | None = None,
        found: str | int | None = None,
    ) -> None:
        """Add a finding."""
        self.findings.append(
            Finding(LEVEL, code, _CLAUSE, text, game, seq=seq, entry=entry, expected=expected, found=found)
        )
        self.sources.append(self.source)


class _Own(NamedTuple):
    """The log's entries at some indexes, its roots at some sizes, its size."""

    entries: dict[int, bytes]
    roots: dict[int, bytes]
    size: int


@dataclass
class _Good:
    source: int
    held: Held
    receipt: Receipt
    checkpoint: Checkpoint


def audit_receipts(reader: Reader, policy: Policy, held: Iterable[Held]) -> Comparison:
    """Compare receipts with the log; Unavailable where the log cannot be read."""
    done = Comparison()
    good: list[_Good] = []
    for source, each in enumerate(held):
        try:
            receipt = parse_receipt(each.data)
            checkpoint, _ = check_receipt(receipt, policy)
            if each.bundle is not None and receipt.seq is None:
                check_events(receipt, unpack(each.bundle, each.name))
        except LedgerError as error:
            done.unchecked.append(Unchecked(LEVEL, each.name, "receipt", f"it does not hold itself: {error}"))
            continue
        good.append(_Good(source, each, receipt, checkpoint))
    own = _at(reader, {each.receipt.proof.index for each in good}, {each.checkpoint.size for each in good})
    for found in good:
        done.checked += 1
        done.source = found.source
        _compare(reader, done, found, own)
    return done


def _at(reader: Reader, indexes: set[int], sizes: set[int]) -> _Own:
    """Read the entries at some indexes and the roots at some sizes."""
    tree = Frontier()
    entries: dict[int, bytes] = {}
    roots: dict[int, bytes] = {}
    for row in reader.entries():
        if tree.size in indexes:
            entries[tree.size] = row.data
        tree.append(leaf(row.data) if type(row.data) is bytes else leaf(b""))
        if tree.size in sizes:
            roots[tree.size] = tree.root()
    return _Own(entries, roots, tree.size)


def _compare(reader: Reader, done: Comparison, good: _Good, log: _Own) -> None:
    receipt, head, name = good.receipt, good.checkpoint, good.held.name
    game, index = receipt.entry.game, receipt.proof.index
    if head.size > log.size:
        text = Text(
            f"{name} is of size {head.size}: entries that the log signed are gone",
            f"{name} 出自长度 {head.size} 的日志：已签名的条目不见了",
        )
        done.say("receipt", text, game=game, entry=log.size, expected=head.size, found=log.size)
    elif log.roots.get(head.size) != head.root:
        text = Text(
            f"{name}: at size {head.size} the log signed another root: two histories",
            f"{name}：长度 {head.size} 处日志曾签过另一个根：两份历史",
        )
        found = log.roots.get(head.size, b"").hex()
        done.say("receipt", text, game=game, entry=head.size, expected=head.root.hex(), found=found)
    own = log.entries.get(index)
    theirs = receipt.entry_bytes
    if own != theirs:
        text = Text(f"{name}: entry {index} is another here", f"{name}：第 {index} 条日志与此处不同")
        done.say(
            "receipt", text, game=game, entry=index, expected=theirs.decode(), found=printable(own or b"nothing", 400)
        )
    events = [receipt.event] if receipt.seq is not None else None
    if events is None and good.held.bundle is not None:
        events = unpack(good.held.bundle, name)
    if events is not None:
        _compare_events(reader, done, game, events, code="receipt", name=name, start=receipt.seq or 0)


def _compare_events(
    reader: Reader, done: Comparison, game: str, events: Sequence[bytes], *, code: str, name: str, start: int = 0
) -> None:
    """Say at which event the log differs from what somebody holds."""
    seq = start
    for stored, data, _ in reader.events(game, start, start + len(events)):
        if stored != seq or data != events[seq - start]:
            break
        seq += 1
        done.checked += 1
    if seq < start + len(events):
        text = Text(
            f"{name}: event {seq} of {game} is another here, or gone",
            f"{name}：{game} 第 {seq} 号事件与此处不同或缺失",
        )
        expected = events[seq - start].decode(errors="replace")
        now = next((data for stored, data, _ in reader.events(game, seq, seq + 1) if stored == seq), b"nothing")
        done.say(code, text, game=game, seq=seq, expected=expected, found=printable(now, 400))


def audit_mirror(reader: Reader, policy: Policy, mirror: Mirrored) -> Comparison:
    """Compare a mirror, as far as it goes, with the log; Unavailable where the log cannot be read."""
    done = Comparison()
    name = mirror.target
    try:
        head, _ = open_checkpoint(mirror.note, policy.verifiers())
        tree = Frontier()
        for row in mirror.entries(0, head.size):
            tree.append(leaf(row.data))
        if (tree.size, tree.root()) != (head.size, head.root):
            raise Untrusted("root", "its entries do not give the root of its checkpoint")
    except LedgerError as error:
        done.unchecked.append(Unchecked(LEVEL, name, "mirror", f"it does not hold itself: {error}"))
        return done
    _, roots, size = _at(reader, set(), {head.size})
    if head.size > size:
        text = Text(
            f"{name} has {head.size} entries, the log {size}", f"{name} 有 {head.size} 条日志，此处只有 {size} 条"
        )
        done.say("mirror", text, entry=size, expected=head.size, found=size)
    elif roots.get(head.size) != head.root:
        text = Text(
            f"{name} holds another head of size {head.size} that the log signed: two histories",
            f"{name} 存有日志签过的另一个长度 {head.size} 的头：两份历史",
        )
        done.say("mirror", text, entry=head.size, expected=head.root.hex(), found=roots.get(head.size, b"").hex())
    for own, theirs in zip(reader.entries(0, head.size), mirror.entries(0, head.size), strict=False):
        if own.data != theirs.data:
            text = Text(f"{name}: entry {theirs.idx} is another here", f"{name}：第 {theirs.idx} 条日志与此处不同")
            expected = theirs.data.decode(errors="replace")
            done.say("mirror", text, entry=theirs.idx, expected=expected, found=printable(own.data, 400))
            break
        done.checked += 1
    for game in mirror.games():
        theirs_of = audit_game(mirror, game)
        lacking = [each.text.en for each in theirs_of.findings] + [each.why for each in theirs_of.unchecked]
        if lacking:
            done.unchecked.append(Unchecked(LEVEL, game, "mirror", f"{name} does not hold itself: {lacking[0]}"))
            continue
        sealed = theirs_of.events[: theirs_of.size - theirs_of.unsealed]
        _compare_events(reader, done, game, sealed, code="mirror", name=name)
    return done
