"""Level 4: each stream by itself, from its bytes to the root and chain its entries commit to (ledger.md 6).

Bytes -> canonical -> `game` and `seq` are those of the position -> chain column -> commitment of every entry. The audit
of one game depends on nothing but its own rows, so games may be checked in any order, in any process; its memory is one
game. What is found is named as close as the rows allow:

    canonical    the bytes of one event are outside the profile, or cannot be read
    seq          an event is missing, doubled, or says another game or seq than its place
    chain        the event does not continue the chain column: it was changed in place
    segment      all that holds, but an entry commits to another history: the chain was rebuilt, from `seq` on or later
    after_close  events or entries after the end
    unpaired     events without an `open`

What `read=False` leaves to the caller is the first two of these, for games: whoever derives an event's bytes anew and
finds them equal has read it better; `read_events` reads the rest. After any finding the stream is read whole after all.

After a finding the chain column is taken as it stands, so that a second edit is found too; commitments are compared up
to the first finding, as what follows from it would only repeat it. Events that no entry under the checkpoint covers are
the unsealed tail: counted, no finding.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Final, TypeAlias

from ledger.canonical import Record, decode, decode_all
from ledger.entries import ENDS, Entry, read_entry
from ledger.errors import Malformed, Unavailable
from ledger.findings import Finding, Text, Unchecked, printable
from ledger.merkle import HASH_SIZE, leaf
from ledger.store import Reader, StreamRow
from ledger.stream import GAME_ID, StreamTree

ALL: Final = 1 << 62
PART: Final = 1024
"""Events checked at once, at most."""
EventColumns: TypeAlias = tuple[int, bytes, bytes]
"""seq, data and chain of an event, as stored: of whatever type damage has left them."""
_BYTES: Final = frozenset({bytes})
_INTS: Final = frozenset({int})


@dataclass
class GameAudit:
    """One stream as found; `events` and `records` are the bytes and values before the first finding.

    `gno` is None without an `open`; `ended` is close, abort or empty; `unsealed` counts the events that no entry under
    the checkpoint covers. Never replay a game with findings: its bytes are not authenticated.
    """

    game: str
    gno: int | None = None
    stream: str = ""
    ended: str = ""
    private: bool = False
    size: int = 0
    unsealed: int = 0
    events: list[bytes] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)

    @property
    def records(self) -> list[Record]:
        """The values of `events`, read again: few ask for them, and to keep them costs more; empty if unreadable."""
        found: list[Record] = []
        for data in self.events:
            try:
                found.append(decode(data))
            except Malformed:  # only where events were not read
                found.append({})
        return found

    def say(
        self,
        code: str,
        clause: str,
        text: Text,
        *,
        seq: int | None = None,
        entry: int | None = None,
        expected: str | int | None = None,
        found: str | int | None = None,
    ) -> None:
        """Add a finding of level 4."""
        self.findings.append(
            Finding(4, code, clause, text, self.game, self.gno, seq=seq, entry=entry, expected=expected, found=found)
        )


def audit_games(
    reader: Reader,
    covered: int = ALL,
    start: int = 0,
    stop: int = ALL,
    withheld: Container[str] = (),
    *,
    read: bool = True,
) -> Iterator[GameAudit]:
    """Audit the streams opened by the entries from `start` to `stop`, in order of their `gno`.

    `covered` is the size of the checkpoint: entries beyond it seal nothing. Of streams that are `withheld` (open or
    private ones of a published log) only the entries are looked at.
    """
    for row in reader.entries_of_kind("open"):
        if type(row.idx) is int and start <= row.idx < stop and type(row.game) is str:
            yield audit_game(reader, row.game, covered, withheld=row.game in withheld, read=read)


def audit_strays(reader: Reader, covered: int = ALL) -> Iterator[GameAudit]:
    """Audit the streams that have events but are not filed under any `open` entry."""
    for game in reader.games():
        if type(game) is not str or not GAME_ID.fullmatch(game):
            stray = GameAudit(printable(game))
            text = Text(
                f"events under {stray.game}, which is no game id", f"事件记在 {stray.game} 名下，它不是合法的牌局编号"
            )
            stray.say("unpaired", "ledger.md 1", text, found=stray.game)
            yield stray
        elif not any(row.kind == "open" for row in reader.entries_of(game)):
            yield audit_game(reader, game, covered)


def audit_game(
    reader: Reader, game: str, covered: int = ALL, *, withheld: bool = False, read: bool = True
) -> GameAudit:
    """Audit one stream; where its events are `withheld`, its entries alone."""
    audit = GameAudit(game)
    entries: list[tuple[int, Entry]] = []
    row: StreamRow | None = None
    try:
        for found in reader.entries_of(game):
            try:
                entry = read_entry(found.data)
            except Malformed:
                continue  # a finding of level 3
            if entry.game == game:
                entries.append((found.idx, entry))
        row = reader.stream(game)
    except Unavailable as error:
        audit.say("canonical", "ledger.md 4", _unreadable(f"the entries of {game}", str(error)))
    _pair(audit, entries, row)
    if withheld:
        audit.unchecked.append(Unchecked(4, game, "segment", "its events are not published"))
        return audit
    later = not read and audit.stream == "game"
    _events(audit, reader, _Seals(entries, row, audit), read=not later)
    if later and audit.findings:
        return audit_game(reader, game, covered)
    sealed = max((entry.size for idx, entry in entries if idx < covered), default=0)
    audit.unsealed = max(0, audit.size - sealed)
    return audit


def _unreadable(what: str, error: str) -> Text:
    return Text(f"{what} cannot be read: {error}", f"无法读取 {what}：{error}")


def _pair(audit: GameAudit, entries: list[tuple[int, Entry]], row: StreamRow | None) -> None:
    """Check how the stream's entries follow each other: open first, sizes that grow, nothing after the end."""
    if not entries or entries[0][1].kind != "open":
        text = Text(f"{audit.game} has no open entry", f"{audit.game} 没有 open 日志条目")
        audit.say("unpaired", "ledger.md 1", text, expected="open", found=entries[0][1].kind if entries else "nothing")
    size = 0
    for place, (idx, entry) in enumerate(entries):
        if place == 0:
            audit.gno, audit.stream = entry.gno, str(entry.record["stream"])
        if audit.ended:
            text = Text(f"{entry.kind} after {audit.ended}", f"{audit.ended} 之后又有 {entry.kind}")
            audit.say("after_close", "ledger.md 1", text, seq=size, entry=idx, found=entry.kind)
            continue
        if place and entry.kind == "open":
            text = Text(f"{audit.game} is opened again", f"{audit.game} 被重复开局")
            audit.say("unpaired", "ledger.md 1", text, seq=size, entry=idx, found="open")
        if (entry.gno, entry.record["stream"]) != (audit.gno, audit.stream):
            text = Text("the entry names another gno or kind of stream", "条目的 gno 或流类型与开局不符")
            audit.say("gno", "ledger.md 1", text, entry=idx, expected=audit.gno, found=entry.gno)
        if entry.size < size or entry.size == 0:
            text = Text(f"size {entry.size} after size {size}", f"长度 {size} 之后出现长度 {entry.size}")
            audit.say("segment", "ledger.md 1", text, entry=idx, expected=size, found=entry.size)
        size = max(size, entry.size)
        if entry.kind in ENDS:
            audit.ended = entry.kind
            audit.private = "commit" in entry.record
    if row is not None and entries and (row.gno, row.stream) != (audit.gno, audit.stream):
        text = Text("the side table names another gno or kind of stream", "附表中的 gno 或流类型与日志不符")
        audit.say("gno", "ledger.md 1", text, expected=audit.gno, found=printable(row.gno))


class _Seals:
    """The commitments of a stream's entries, in order, and the blind that opens them."""

    def __init__(self, entries: list[tuple[int, Entry]], row: StreamRow | None, audit: GameAudit) -> None:
        self._audit = audit
        self._left = [(idx, entry) for idx, entry in entries if entry.size > 0]
        self.next = self._left[0][1].size if self._left else ALL
        self._good = 0
        self.last = max((entry.size for _, entry in self._left), default=0)
        self.end = next((entry.size for _, entry in entries if entry.kind in ENDS), ALL)
        side = row.blind if row is not None and type(row.blind) is bytes and len(row.blind) == HASH_SIZE else b""
        opened = next((entry.octets("blind") for _, entry in entries if "blind" in entry.record), b"")
        self._blind = opened or side
        if opened and row is not None and row.blind != opened:
            text = Text(
                "the side table holds another blind than the one that was opened", "附表中的盲值与已公开的盲值不符"
            )
            audit.say("segment", "ledger.md 1", text, expected=opened.hex(), found=printable(row.blind))
        if not self._blind and any("commit" in entry.record for _, entry in self._left):
            why = "the blind of its commitments is not here"
            audit.unchecked.append(Unchecked(4, audit.game, "segment", why))

    def check(self, tree: StreamTree) -> None:
        """Compare the entries of the tree's size with the tree."""
        while self._left and self._left[0][1].size <= tree.size:
            idx, entry = self._left.pop(0)
            if entry.size == tree.size and not self._audit.findings:
                self._compare(idx, entry, tree)
        self.next = self._left[0][1].size if self._left else ALL

    def _compare(self, idx: int, entry: Entry, tree: StreamTree) -> None:
        if "commit" in entry.record:
            if not self._blind:
                return
            expected, found = entry.octets("commit"), tree.commit(self._blind)
        else:
            expected = entry.octets("root") + entry.octets("chain")
            found = tree.root() + tree.chain
        if expected != found:
            doubt = f"seq {self._good} – {tree.size - 1}"
            text = Text(
                f"the {entry.kind} entry {idx} commits to other events than these {tree.size}; in doubt: {doubt}",
                f"日志条目 {idx}（{entry.kind}）所承诺的事件与现有 {tree.size} 条不符；存疑：{doubt}",
            )
            seq = min(self._good, tree.size - 1)
            self._audit.say(
                "segment", "ledger.md 6", text, seq=seq, entry=idx, expected=expected.hex(), found=found.hex()
            )
        self._good = tree.size


def read_events(game: str, gno: int | None, events: Sequence[bytes], seqs: Iterable[int]) -> list[Finding]:
    """Read some events whose bytes hold the chain; give the findings of level 4: not canonical, not of their place."""
    audit = GameAudit(game, gno)
    for seq in seqs:
        _read(audit, events[seq], seq)
    return audit.findings


def _events(audit: GameAudit, reader: Reader, seals: _Seals, *, read: bool) -> None:
    """Check many events at once while they are as they should be, then one by one, to name what is not.

    Both ways decide the same; the first takes half the time.
    """
    tree = StreamTree(audit.game)
    faults: list[str] = []
    rows = _readable(reader.events(audit.game), faults)
    rest: list[EventColumns] = []
    while part := list(islice(rows, PART)):
        rest = part[_take(audit, tree, part, seals, read=read) :]
        if rest:
            break
    place = _walk(audit, tree, chain(rest, rows), seals)
    for fault in faults:
        audit.say("canonical", "ledger.md 4", _unreadable(f"event {place}", fault), seq=place)
    audit.size = place
    if place < seals.last:
        text = Text(
            f"event {place} and what follows is missing: the log counts {seals.last}",
            f"第 {place} 号事件起缺失：日志记有 {seals.last} 条",
        )
        audit.say("seq", "ledger.md 6", text, seq=place, expected=seals.last, found=place)
    if place > seals.end:
        text = Text(
            f"{place - seals.end} events after the {audit.ended}", f"{audit.ended} 之后还有 {place - seals.end} 条事件"
        )
        audit.say("after_close", "ledger.md 1", text, seq=seals.end, expected=seals.end, found=place)


def _readable(rows: Iterator[EventColumns], faults: list[str]) -> Iterator[EventColumns]:
    """Yield rows until they end or can no longer be read, and then say why."""
    try:
        yield from rows
    except Unavailable as error:
        faults.append(str(error))


def _take(audit: GameAudit, tree: StreamTree, part: Sequence[EventColumns], seals: _Seals, *, read: bool) -> int:
    """Append rows to the tree and compare it with the seals it reaches; return how many were as they should be."""
    columns: list[list[Any]] = [list(column) for column in zip(*part, strict=True)]
    seqs, events, chains = columns
    places = list(range(tree.size, tree.size + len(part)))
    if seqs != places or not _BYTES.issuperset(map(type, events)):
        return 0
    if read and not _placed(events, places, tree.game):
        return 0
    leaves = [leaf(data) for data in events]
    links = tree.links(leaves)
    good = len(part)
    if links != chains:
        good = next(at for at, (link, stored) in enumerate(zip(links, chains, strict=True)) if link != stored)
    at = 0
    while at < good:
        stop = min(good, at + seals.next - tree.size)
        tree.extend(leaves[at:stop], links[stop - 1])
        if not audit.findings:
            audit.events += events[at:stop]
        at = stop
        if tree.size >= seals.next:
            seals.check(tree)
    return good


def _placed(events: list[bytes], places: list[int], game: str) -> bool:
    """Tell whether all are canonical and say themselves that they stand at these places of the game."""
    try:
        records = decode_all(events)
    except Malformed:
        return False
    seqs = [record.get("seq") for record in records]
    games = [record.get("game") for record in records]
    return seqs == places and _INTS.issuperset(map(type, seqs)) and games == [game] * len(games)


def _walk(audit: GameAudit, tree: StreamTree, rows: Iterable[EventColumns], seals: _Seals) -> int:
    """Check rows one by one, from the tree's size on; return the place after the last."""
    findings = audit.findings
    place = tree.size
    gap = False
    for seq, data, link in rows:
        if seq != place:
            _misplaced(audit, seq, place)
            if type(seq) is not int or seq < place:
                continue
            gap, place = True, seq
        before = len(findings)
        record = _read(audit, data, place)
        linked = tree.append(data if type(data) is bytes else b"") == link
        if not linked:
            if len(findings) == before and not gap:
                _unlinked(audit, place, tree.chain, link)
            if type(link) is bytes and len(link) == HASH_SIZE:
                tree.chain = link
        if not findings and record is not None:
            audit.events.append(data)
        gap = False
        place += 1
        if tree.size >= seals.next:
            seals.check(tree)
    return place


def _read(audit: GameAudit, data: bytes, place: int) -> Record | None:
    """Read one event; None where it is no record at all."""
    try:
        record = decode(data)
    except Malformed as error:
        text = Text(f"event {place} is not canonical: {error.reason}", f"第 {place} 号事件不是规范字节：{error.reason}")
        audit.say(
            "canonical", "ledger.md 1", text, seq=place, expected="canonical JSON", found=f"{error}: {printable(data)}"
        )
        return None
    own = record.get("seq")
    if own != place or type(own) is not int or record.get("game") != audit.game:
        _other_place(audit, record, place)
    return record


def _misplaced(audit: GameAudit, seq: object, place: int) -> None:
    found = printable(seq)
    if type(seq) is int and seq > place:
        text = Text(f"event {place} is missing: the next row is {found}", f"缺少第 {place} 号事件：下一行是 {found}")
    else:
        text = Text(f"a row of seq {found} where {place} comes next", f"应为第 {place} 号事件处出现序号 {found}")
    audit.say("seq", "ledger.md 6", text, seq=place, expected=place, found=found)


def _other_place(audit: GameAudit, record: Record, place: int) -> None:
    expected = f"{audit.game} seq {place}"
    found = f"{printable(record.get('game'))} seq {printable(record.get('seq'))}"
    text = Text(f"event {place} says it is {found}", f"第 {place} 号事件自称是 {found}")
    audit.say("seq", "ledger.md 1", text, seq=place, expected=expected, found=found)


def _unlinked(audit: GameAudit, place: int, expected: bytes, found: object) -> None:
    text = Text(
        f"event {place} does not continue the chain: it was changed, or its chain value was",
        f"第 {place} 号事件与链值不符：事件或链值被改动",
    )
    shown = found.hex() if type(found) is bytes else printable(found)
    audit.say("chain", "ledger.md 6", text, seq=place, expected=expected.hex(), found=shown)
