"""Level 3: the main log, entry by entry, up to the root that was signed (ledger.md 6).

Bytes -> canonical and of a known form -> leaf as stored -> root of every checkpoint; key entries applied in order;
`gno` gapless; every open paired with one end. One pass, holding the frontier, the keys and the streams that are open at
that point, whatever the log's length.

    canonical    an entry's bytes are outside the profile or of no known form, or it is filed under another kind or game
    tile         an entry is missing, or its stored leaf (a checkpoint's stored frontier) is not that of its bytes
    root         the entries do not give a root that was signed
    fork         (level 2) they do not give the root of the largest checkpoint ever seen
    key          a key entry or a verdict is not signed as it must be; a checkpoint by a key not valid at its size
    gno          a number is missing or used twice
    unpaired     an entry of a stream that is not open; an open without an end for longer than `close_within_ms`
                 (of a case, whose own events say when it is due, level 7 says so)
    after_close  an entry of a stream that has ended
    time         an entry's `at` is below that of the entry before
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from ledger.checkpoint import Checkpoint, open_checkpoint
from ledger.entries import DAY_MS, ENDS, OF_STREAMS, Entry, read_entry
from ledger.errors import LedgerError, Malformed, Unavailable, Untrusted
from ledger.findings import Finding, Text, printable
from ledger.keyring import KEY_KINDS, Keyring
from ledger.keys import Verifier, parse_vkey
from ledger.merkle import Frontier, leaf
from ledger.store import Reader, SignedRow


@dataclass
class LogAudit:
    """The main log as found: entries counted, origin and operator as entry 0 says, streams opened, findings."""

    size: int = 0
    origin: str = ""
    operator: str = ""
    opened: int = 0
    findings: list[Finding] = field(default_factory=list)
    checkpoints: int = 0


@dataclass
class _Open:
    gno: int
    idx: int
    at: int
    stream: str


class _Pass:
    """The state of one pass over the entries."""

    def __init__(self, verifiers: Sequence[Verifier], seen: Checkpoint | None, judged: bytes) -> None:
        self.audit = LogAudit()
        self.tree = Frontier()
        self.verifiers = verifiers
        self.seen = seen
        self.judged = judged  # the newest note: what is wrong with it was said already
        self.ring: Keyring | None = None
        self.close_within_ms = DAY_MS
        self.at = 0
        self.gno = self.other_gno = self.top = 0  # what may come next; one more than the highest
        self.open: dict[str, _Open] = {}
        self.damaged = False  # an entry is known to be damaged: the roots that follow from it are no news
        self.rooted = True  # every checkpoint so far had the tree's root

    def say(
        self,
        code: str,
        clause: str,
        text: Text,
        *,
        level: int = 3,
        entry: int | None = None,
        game: str | None = None,
        gno: int | None = None,
        expected: str | int | None = None,
        found: str | int | None = None,
    ) -> None:
        self.audit.findings.append(
            Finding(level, code, clause, text, game, gno, entry=entry, expected=expected, found=found)
        )

    def take(self, idx: object, kind: object, game: object, stored: object, data: bytes) -> None:
        """Take in one row."""
        place = self.tree.size
        if idx != place:
            text = Text(f"entry {place} is missing: the next row is {printable(idx)}", f"缺少第 {place} 条日志条目")
            self.say("tile", "ledger.md 6", text, entry=place, expected=place, found=printable(idx))
            self.damaged = True
            if type(idx) is not int or idx < place:
                return
            while self.tree.size < idx:  # keep the index of what follows; the root is lost anyway
                self.tree.append(leaf(b""))
            place = idx
        hashed = leaf(data) if type(data) is bytes else leaf(b"")
        self.tree.append(hashed)
        try:
            entry = read_entry(data)
        except Malformed as error:
            text = Text(f"entry {place} is damaged: {error}", f"第 {place} 条日志条目损坏：{error}")
            found = f"{error}: {printable(data)}"
            self.say("canonical", "ledger.md 1", text, entry=place, expected="a log entry", found=found)
            self.damaged = True
            return
        if hashed != stored:
            text = Text(
                f"entry {place} is not the one whose leaf is stored", f"第 {place} 条日志条目与所存叶子哈希不符"
            )
            shown = stored.hex() if type(stored) is bytes else printable(stored)
            self.say(
                "tile", "ledger.md 6", text, entry=place, game=entry.game or None, expected=shown, found=hashed.hex()
            )
            self.damaged = True
        if kind != entry.kind or game != (entry.game or None):
            text = Text(
                f"entry {place} is filed under another kind or game", f"第 {place} 条日志条目的归档列与内容不符"
            )
            filed = f"{printable(kind)} {printable(game)}"
            self.say("canonical", "ledger.md 4", text, entry=place, expected=f"{entry.kind} {entry.game}", found=filed)
        if entry.at < self.at:
            text = Text(f"entry {place} is older than the one before", f"第 {place} 条日志条目的时间早于前一条")
            self.say("time", "ledger.md 1", text, entry=place, expected=self.at, found=entry.at)
        self.at = max(self.at, entry.at)
        self._mean(place, entry)

    def _mean(self, place: int, entry: Entry) -> None:
        if (place == 0) != (entry.kind == "config"):
            text = Text(f"entry {place} is {entry.kind}: entry 0 and no other is config", "config 必须且只能是第 0 条")
            self.say("canonical", "ledger.md 1", text, entry=place, expected="config", found=entry.kind)
        elif entry.kind == "config":
            self.audit.origin = str(entry.record["origin"])
            self.audit.operator = str(entry.record["operator"])
            self.close_within_ms = cast("int", entry.record["close_within_ms"])
            self.ring = Keyring(parse_vkey(str(entry.record["recovery"])))
        elif entry.kind in KEY_KINDS or entry.kind == "verdict":
            self._key(place, entry)
        elif entry.kind in OF_STREAMS:
            self._stream(place, entry)

    def _key(self, place: int, entry: Entry) -> None:
        try:
            if self.ring is None:
                raise Untrusted("key", "no config names a recovery key")  # noqa: TRY301  one way out
            if entry.kind == "verdict":
                self.ring.check_verdict(entry, place)
            else:
                self.ring.apply(entry, place)
        except Untrusted as error:
            text = Text(f"entry {place}: {error.reason}", f"第 {place} 条（{entry.kind}）签名无效：{error.reason}")
            self.say("key", "ledger.md 3", text, entry=place, found=entry.kind)

    def _stream(self, place: int, entry: Entry) -> None:
        game = entry.game
        live = self.open.get(game)
        if entry.kind == "open":
            self.audit.opened += 1
            if entry.gno not in (self.gno, self.other_gno):
                text = Text(
                    f"entry {place} opens {game} as gno {entry.gno}, but {self.gno} comes next",
                    f"第 {place} 条以 gno {entry.gno} 开局 {game}，应为 {self.gno}",
                )
                self.say(
                    "gno",
                    "ledger.md 1",
                    text,
                    entry=place,
                    game=game,
                    gno=entry.gno,
                    expected=self.gno,
                    found=entry.gno,
                )
            # After a wrong number the next may go on from it (a stream was left out) or not (it was only misnamed).
            self.other_gno = self.gno + 1 if entry.gno > self.gno else self.gno
            self.gno = entry.gno + 1
            self.top = max(self.top, self.gno)
            if live is None:  # opened again while open: level 4 says so of the game
                self.open[game] = _Open(entry.gno, place, entry.at, str(entry.record["stream"]))
            return
        if live is None:
            late = entry.gno < self.top
            text = Text(
                f"entry {place}, {entry.kind} of {game}, which is not open",
                f"第 {place} 条（{entry.kind}）所属的 {game} 并未处于开局状态",
            )
            code = "after_close" if late else "unpaired"
            self.say(code, "ledger.md 1", text, entry=place, game=game, gno=entry.gno, found=entry.kind)
            return
        if entry.gno != live.gno:
            text = Text(
                f"entry {place} names another gno than the open of {game}", f"第 {place} 条的 gno 与 {game} 开局不符"
            )
            self.say(
                "gno", "ledger.md 1", text, entry=place, game=game, gno=live.gno, expected=live.gno, found=entry.gno
            )
        if entry.kind in ENDS:
            del self.open[game]

    def sign(self, row: SignedRow) -> None:
        """Look at a stored checkpoint, and compare it with the tree where that has reached its size."""
        self.audit.checkpoints += 1
        size = row.size if type(row.size) is int else self.tree.size
        try:
            checkpoint, opened = open_checkpoint(row.note, self.verifiers)
        except (LedgerError, TypeError, AttributeError) as error:
            if row.note == self.judged:
                return
            code = error.code if isinstance(error, Untrusted) else "note"
            text = Text(f"the checkpoint of size {size}: {error}", f"长度 {size} 的检查点：{error}")
            self.say(code, "ledger.md 2", text, level=2, entry=size, found=printable(row.note))
            return
        if checkpoint.size != row.size:
            told = printable(row.size)
            text = Text(f"the checkpoint stored as size {told} is of size {checkpoint.size}", "检查点长度与归档不符")
            self.say("note", "ledger.md 4", text, level=2, entry=size, expected=told, found=checkpoint.size)
            return
        if size != self.tree.size:
            return  # entries that it signed are missing, which is said of the newest
        if self.rooted and not self.damaged:
            if checkpoint.root != self.tree.root():
                text = Text(
                    f"the first {size} entries do not give the root signed for them", f"前 {size} 条日志的根与签名不符"
                )
                found = self.tree.root().hex()
                self.say("root", "ledger.md 6", text, entry=size, expected=checkpoint.root.hex(), found=found)
                self.rooted = False
            elif row.frontier != self.tree.encode():
                text = Text(
                    f"the frontier stored with the checkpoint of size {size} is damaged", "检查点所附前沿哈希损坏"
                )
                self.say("tile", "ledger.md 4", text, entry=size, expected=self.tree.encode().hex())
        signers = [found.verifier for found in opened.signatures if found.verifier.name == checkpoint.origin]
        if self.ring is not None and not any(self.ring.may_sign(signer, size) for signer in signers):
            text = Text(
                f"no key valid at size {size} signed the checkpoint", f"长度 {size} 的检查点没有当时有效的密钥签名"
            )
            self.say("key", "ledger.md 3", text, entry=size, found=", ".join(key.format() for key in signers))

    def meet(self) -> None:
        """Compare the tree with the largest checkpoint ever seen, when it has its size."""
        seen = self.seen
        if self.damaged or seen is None or seen.size != self.tree.size:
            return
        if seen.root != self.tree.root():
            text = Text(
                f"at size {seen.size} another root was seen before: two histories",
                f"长度 {seen.size} 处曾见过另一个根：两份历史",
            )
            found = self.tree.root().hex()
            self.say("fork", "ledger.md 6", text, level=2, entry=seen.size, expected=seen.root.hex(), found=found)

    def end(self, reader: Reader) -> None:
        """Judge what only the end shows: streams without an end, and the head row."""
        for game, live in self.open.items():
            # ledger.md 1 asks for a bound, and one day is none for a case: its jurisdiction's clock gives it days, and
            # its first event, which is not read here, says until when. Level 7 judges it by that (events.md, Cases).
            if live.stream != "case" and self.at - live.at > self.close_within_ms:
                text = Text(
                    f"{game}, opened by entry {live.idx}, has no close or abort within {self.close_within_ms} ms",
                    f"{game}（第 {live.idx} 条开局）在 {self.close_within_ms} 毫秒内没有 close 或 abort",
                )
                waited = self.at - live.at
                self.say(
                    "unpaired",
                    "ledger.md 1",
                    text,
                    entry=live.idx,
                    game=game,
                    gno=live.gno,
                    expected=self.close_within_ms,
                    found=waited,
                )
        try:
            head = reader.head()
        except Unavailable as error:
            text = Text(f"the head row cannot be read: {error}", f"无法读取表头行：{error}")
            self.say("root", "ledger.md 4", text, entry=self.tree.size)
            return
        expected = (self.tree.size, self.top, self.at, self.tree.root(), self.tree.encode())
        found = None if head is None else (head.size, head.gno, head.at, head.root, head.frontier)
        if found != expected and not self.damaged:
            text = Text("the head row is not that of the entries", "表头行与日志条目不符")
            shown = "nothing" if found is None else f"size {printable(found[0])}, next gno {printable(found[1])}"
            told = f"size {expected[0]}, next gno {expected[1]}"
            self.say("root", "ledger.md 4", text, entry=self.tree.size, expected=told, found=shown)


def audit_log(
    reader: Reader,
    verifiers: Sequence[Verifier],
    seen: Checkpoint | None = None,
    *,
    newest: Checkpoint | None = None,
    judged: bytes = b"",
) -> LogAudit:
    """Audit the main log in one pass; `verifiers` are the keys to believe, `newest` the checkpoint to be reached.

    Findings are of level 3, and of level 2 for stored checkpoints (but for the note `judged` already) and for the
    largest one seen.
    """
    state = _Pass(verifiers, seen, judged)
    try:
        _walk(reader, state)
    except Unavailable as error:
        place = state.tree.size
        text = Text(f"entry {place} cannot be read: {error}", f"无法读取第 {place} 条日志条目：{error}")
        state.say("tile", "ledger.md 4", text, entry=place)
        state.damaged = True
    size = state.tree.size
    if newest is not None and size < newest.size:
        text = Text(
            f"{newest.size} entries were signed, {size} are here", f"已签名 {newest.size} 条日志，现有 {size} 条"
        )
        state.say("root", "ledger.md 6", text, entry=size, expected=newest.size, found=size)
        state.damaged = True
    origin = state.audit.origin
    if newest is not None and origin and newest.origin != origin:
        text = Text(f"entry 0 is of {origin}, the checkpoint of {newest.origin}", "第 0 条的 origin 与检查点不符")
        state.say("key", "ledger.md 1", text, entry=0, expected=newest.origin, found=origin)
    state.end(reader)
    state.audit.size = size
    return state.audit


def _walk(reader: Reader, state: _Pass) -> None:
    signed: Iterator[SignedRow] = iter(reader.checkpoints())
    row = next(signed, None)
    for entry in reader.entries():
        state.take(*entry)
        while row is not None and not (type(row.size) is int and row.size > state.tree.size):
            state.sign(row)
            row = next(signed, None)
        state.meet()
    while row is not None:
        state.sign(row)
        row = next(signed, None)
