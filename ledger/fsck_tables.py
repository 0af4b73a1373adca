"""What `ledger.fsck` says of the side tables: streams, commands, erasable texts, and rows that hide (ledger.md 4).

streams     a row for each `open`, a blind of 32 bytes, numbers from 0 without a gap, nothing without an entry
commands    the digest is that of the events that stand at its place, under one of the ways to ask for them
texts       salt and text give the commitment
any table   a row that no reading in order comes by (a negative seq, a number of another type)
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Final, Protocol

from ledger.append import Request
from ledger.entries import Entry
from ledger.errors import LedgerError, Unavailable
from ledger.findings import Finding, Text, printable
from ledger.store import CommandRow, StreamRow, Tables, TextRow
from ledger.stream import BLIND_SIZE, STREAMS, text_commitment

_CLAUSE: Final = "ledger.md 4"
Entries = Mapping[str, Sequence[tuple[int, Entry]]]


class Sink(Protocol):
    """Where findings go."""

    counted: dict[str, int]

    def add(self, found: list[Finding]) -> None:
        """Add findings."""
        ...

    def unreadable(self, what: str, error: Unavailable, *, game: str | None = None) -> None:
        """Add that something cannot be read."""
        ...


def _say(check: Sink, code: str, text: Text, game: object = None, *, expected: object = None, found: object) -> None:
    named = None if game is None else printable(game)
    wanted = None if expected is None else printable(expected)
    check.add([Finding(4, code, _CLAUSE, text, named, expected=wanted, found=printable(found))])


def check_streams(store: Tables, check: Sink, entries: Entries) -> None:
    """Check the table of streams and blinds."""
    rows: list[StreamRow] = []
    try:
        rows.extend(store.streams())
    except Unavailable as error:
        check.unreadable("the table of streams", error)
    check.counted["streams"] = len(rows)
    for place, row in enumerate(rows):
        game = printable(row.game)
        if row.game not in entries:
            text = Text(f"the side table names {game}, which no entry does", f"附表中的 {game} 没有任何日志条目")
            _say(check, "unpaired", text, row.game, expected="open", found="nothing")
        if row.gno != place:
            text = Text(f"the side table counts {game} as {printable(row.gno)}", f"附表中 {game} 的编号不连续")
            _say(check, "gno", text, row.game, expected=place, found=row.gno)
        if type(row.blind) is not bytes or len(row.blind) != BLIND_SIZE:
            text = Text(f"the blind of {game} is not {BLIND_SIZE} bytes", f"{game} 的盲值不是 {BLIND_SIZE} 字节")
            _say(check, "segment", text, row.game, expected=f"{BLIND_SIZE} bytes", found=row.blind)
        end = next((entry for _, entry in entries.get(row.game, ()) if entry.kind in {"close", "abort"}), None)
        if end is not None and row.private != ("commit" in end.record):
            text = Text(f"{game} is private in one place and not in the other", f"{game} 的私密标记前后不一")
            _say(check, "segment", text, row.game, expected=row.private, found="commit" in end.record)
    filed = {row.game for row in rows}
    for game in entries:
        if game not in filed:
            text = Text(f"the side table lacks {game}: its blind is lost", f"附表缺少 {game}：盲值丢失")
            _say(check, "segment", text, game, expected="a row", found="nothing")


def check_commands(store: Tables, check: Sink, entries: Entries) -> None:
    """Check that each command's digest is that of the events at its place."""
    count = 0
    try:
        for row in store.commands():
            count += 1
            if not _stands(store, row, entries):
                game, command = printable(row.game), printable(row.command)
                text = Text(
                    f"command {command} of {game} is not what stands at seq {printable(row.seq)}",
                    f"{game} 的命令 {command} 与序号 {printable(row.seq)} 处的事件不符",
                )
                _say(check, "command", text, row.game, found=row.command)
    except Unavailable as error:
        check.unreadable("the table of commands", error)
    check.counted["commands"] = count


def _stands(store: Tables, row: CommandRow, entries: Entries) -> bool:
    """Tell whether some request of these events has this digest: how it was asked for is not kept elsewhere."""
    if not (type(row.seq) is int and type(row.size) is int and 0 <= row.seq <= row.size):
        return False
    events = [data for _, data, _ in store.events(row.game, row.seq, row.size) if type(data) is bytes]
    if len(events) != row.size - row.seq:
        return False
    reasons = {str(entry.record["reason"]) for _, entry in entries.get(row.game, ()) if "reason" in entry.record}
    return row.digest in _digests(row, tuple(events), reasons)


def _digests(row: CommandRow, events: tuple[bytes, ...], reasons: set[str]) -> Iterator[bytes]:
    ends: list[tuple[str, str]] = [("", ""), ("close", ""), *(("abort", reason) for reason in reasons)]
    for (end, reason), seal, private, stream in product(ends, (False, True), (False, True), STREAMS):
        with suppress(LedgerError):
            yield Request(row.game, row.seq, events, row.command, seal, end, reason, stream, private).digest()  # type: ignore[arg-type]


def check_texts(store: Tables, check: Sink) -> None:
    """Check that each text that was kept opens its commitment."""
    count = 0
    try:
        for row in store.texts():
            count += 1
            if not _opens(row):
                name = row.commitment.hex() if type(row.commitment) is bytes else printable(row.commitment)
                text = Text(f"a text does not open its commitment {name}", f"文本与其承诺 {name} 不符")
                _say(check, "canonical", text, expected=name, found="another text or salt")
    except Unavailable as error:
        check.unreadable("the table of texts", error)
    check.counted["texts"] = count


def _opens(row: TextRow) -> bool:
    try:
        return text_commitment(row.salt, row.text) == row.commitment
    except (LedgerError, UnicodeEncodeError, AttributeError, TypeError):
        return False


def check_counts(store: Tables, check: Sink) -> None:
    """Find rows that reading in order does not come by."""
    try:
        counts = store.counts()
    except Unavailable as error:
        check.unreadable("the number of rows", error)
        return
    for table, read in check.counted.items():
        if counts[table] != read:
            text = Text(
                f"{counts[table]} rows of {table}, but {read} are filed where they are read",
                f"表 {table} 有 {counts[table]} 行，按序只能读到 {read} 行",
            )
            _say(check, "seq", text, expected=read, found=counts[table])
    if counts["head"] != 1:
        text = Text(f"{counts['head']} head rows", f"表头有 {counts['head']} 行")
        _say(check, "root", text, expected=1, found=counts["head"])
