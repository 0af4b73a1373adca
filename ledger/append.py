"""One append, and the transaction that carries out a group of them (ledger.md 1, 4)."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal

from ledger.canonical import Record, decode, encode
from ledger.entries import MAX_REASON, write_entry
from ledger.errors import Conflict, Diverged, LedgerError, Malformed, Refused
from ledger.live import LiveStream, load_stream, refresh_stream
from ledger.merkle import Frontier, leaf
from ledger.store import CommandRow, EntryRow, EventRow, HeadRow, Store, StreamRow
from ledger.stream import BLIND_SIZE, STREAMS, StreamTree, check_game_id

End = Literal["", "close", "abort"]
Admit = Callable[[str, int, Sequence[bytes], Callable[[], Iterator[bytes]]], None]
"""Asked before events are appended: (game, seq of the first, events, what gives those before); raises Refused."""

_COMMAND: Final = re.compile(r"[!-~]{1,128}")


@dataclass(frozen=True)
class Request:
    """What a caller asks for; see `Log.append`."""

    game: str
    expected_seq: int
    events: tuple[bytes, ...]
    command: str | None = None
    seal: bool = False
    end: End = ""
    reason: str = ""
    stream: str = "game"
    private: bool = False

    def digest(self) -> bytes:
        """Give the digest of the body that a command id stands for."""
        head: Record = {"end": self.end, "private": self.private, "reason": self.reason, "seal": self.seal}
        parts = [encode({**head, "seq": self.expected_seq, "stream": self.stream}), *self.events]
        return sha256(b"".join(len(part).to_bytes(8) + part for part in parts)).digest()


@dataclass(frozen=True)
class Appended:
    """What was appended: the stream's number, the seq of the first event, the stream's size after the last.

    `repeated` where the command had been carried out before, and this is its first answer.
    """

    game: str
    gno: int
    seq: int
    size: int
    repeated: bool = False


class Ticket:
    """A staged append; `result` gives the answer once it was flushed, or raises what refused it."""

    __slots__ = ("_outcome", "request")

    def __init__(self, request: Request) -> None:
        self.request = request
        self._outcome: Appended | LedgerError | None = None

    @property
    def done(self) -> bool:
        """Whether it was flushed: appended for good, or refused."""
        return self._outcome is not None

    def result(self) -> Appended:
        """Give the answer; the error of a refused append is raised."""
        if isinstance(self._outcome, LedgerError):
            raise self._outcome
        assert self._outcome is not None, "a staged append has no answer before the flush"
        return self._outcome

    def settle(self, outcome: Appended | LedgerError) -> None:
        """Set the answer."""
        self._outcome = outcome


def check_request(request: Request) -> None:
    """Refuse what is wrong whatever the log holds: an event that is not canonical or not of its position.

    Malformed, naming the seq.
    """
    game, seq = check_game_id(request.game), request.expected_seq
    if type(seq) is not int or seq < 0:
        raise Malformed(game, f"expected_seq {seq!r} is not a seq")
    if request.command is not None and not _COMMAND.fullmatch(request.command):
        raise Malformed(game, "a command id is 1 to 128 printable ASCII characters without spaces")
    if request.stream not in STREAMS:
        raise Malformed(game, f"a stream is {', '.join(STREAMS)}, not {request.stream!r}")
    if request.end == "abort":
        encode({"reason": request.reason})
        if not 0 < len(request.reason) <= MAX_REASON:
            raise Malformed(game, f"an abort has a reason of 1 to {MAX_REASON} characters")
    if not request.events and not request.seal and not request.end:
        raise Malformed(game, "nothing to append")
    for data in request.events:
        try:
            record = decode(data)
        except Malformed as error:
            raise Malformed(f"{game} seq {seq}", f"{error.what}: {error.reason}", error.offset) from None
        if record.get("game") != game or record.get("seq") != seq or type(record["seq"]) is not int:
            found = f"game {record.get('game')!r} seq {record.get('seq')!r}"
            raise Malformed(f"{game} seq {seq}", f"the event says {found}")
        seq += 1


class Transaction:
    """The rows of one transaction, built under the writer lock; `streams` are those the writer holds in memory.

    What a request is refused for is found before anything changes, so that its neighbours in the group still stand.
    """

    def __init__(
        self,
        store: Store,
        head: HeadRow,
        now: int,
        streams: dict[str, LiveStream],
        *,
        foreign: int = 0,
        admit: Admit | None = None,
    ) -> None:
        self._store = store
        self._admit = admit
        self._streams = streams
        self._foreign = foreign
        self._now = now
        self._gno, self._at, self._revision = head.gno, head.at, head.revision
        self._tree = _head_tree(head)
        self._events: list[EventRow] = []
        self._entries: list[EntryRow] = []
        self._opened: list[StreamRow] = []
        self._commands: dict[tuple[str, str], CommandRow] = {}
        self.ended = False

    @property
    def size(self) -> int:
        """Count the entries of the main log, those of this transaction among them."""
        return self._tree.size

    def carry_out(self, request: Request, blind: Callable[[str], bytes]) -> Appended:
        """Append what is asked; Conflict or Refused, with nothing changed, where that cannot be."""
        game = request.game
        digest = b""
        if request.command is not None:
            digest = request.digest()
            done = self._commands.get((game, request.command)) or self._store.command(game, request.command)
            if done is not None:
                return self._repeated(done, digest)
        live = self._stream(game)
        if live is None:
            live = self._open(request, blind)
        elif live.ended:
            raise Refused(game, f"nothing may follow its {live.ended}")
        elif request.expected_seq != live.tree.size:
            raise Conflict(game, request.expected_seq, live.tree.size)
        else:
            self._ask(request)
        append, events = live.tree.append, self._events
        for seq, data in enumerate(request.events, request.expected_seq):
            events.append(EventRow(game, seq, append(data), data))
        if game not in self._streams:
            self._streams[game] = live
            self._opened.append(live.row)
            self._add("open", live)
        elif request.seal and not request.end and live.unsealed:
            self._add("segment", live)
        if request.end:
            self._add(request.end, live, request.reason)
            self.ended = True
        if request.command is not None:
            row = CommandRow(game, request.command, request.expected_seq, live.tree.size, digest)
            self._commands[game, request.command] = row
        return Appended(game, live.row.gno, request.expected_seq, live.tree.size)

    def _repeated(self, done: CommandRow, digest: bytes) -> Appended:
        if done.digest != digest:
            raise Refused(done.game, f"command {done.command} was carried out with another body")
        row = self._store.stream(done.game)
        gno = row.gno if row is not None else self._streams[done.game].row.gno
        return Appended(done.game, gno, done.seq, done.size, repeated=True)

    def _stream(self, game: str) -> LiveStream | None:
        live = self._streams.get(game)
        if live is None:
            live = load_stream(self._store, game)
            if live is not None:
                self._streams[game] = live
        else:
            self._refresh(live)
        if live is not None:
            live.current = self._revision
        return live

    def _refresh(self, live: LiveStream) -> None:
        """Read again what another process may have appended to."""
        if live.current < self._foreign:
            try:
                refresh_stream(self._store, live)
            except LedgerError:
                del self._streams[live.row.game]
                raise
            live.current = self._revision

    def _open(self, request: Request, blind: Callable[[str], bytes]) -> LiveStream:
        game = request.game
        if request.expected_seq != 0:
            raise Conflict(game, request.expected_seq, 0)
        if not request.events:
            raise Refused(game, "there is no such stream")
        if self._store.last_seq(game) >= 0:
            raise Refused(game, "the store holds events of it, but no stream: verify names them")
        self._ask(request)
        secret = blind(game)
        if len(secret) != BLIND_SIZE:
            raise Malformed(game, f"a blind of {len(secret)} bytes instead of {BLIND_SIZE}")
        row = StreamRow(game, self._gno, request.stream, request.private, secret)
        self._gno += 1
        return LiveStream(row, StreamTree(game), current=self._revision)

    def _ask(self, request: Request) -> None:
        """Let whoever guards the log refuse the events."""
        if self._admit is not None and request.events:
            game, seq = request.game, request.expected_seq

            def before() -> Iterator[bytes]:
                for _, data, _ in self._store.events(game, 0, seq):
                    yield data
                for row in self._events:
                    if row.game == game:
                        yield row.data

            self._admit(game, seq, request.events, before)

    def seal(self, live: LiveStream) -> None:
        """Cover a stream's newest events by a segment, where there are any."""
        self._refresh(live)
        if live.unsealed:
            self._add("segment", live)

    def resume(self, game: str) -> None:
        """Seal what an earlier process left unsealed of a stream."""
        live = self._stream(game)
        if live is not None:
            self.seal(live)

    def _add(self, kind: str, live: LiveStream, reason: str = "") -> None:
        fields = live.bare() if kind in {"close", "abort"} else live.blinded()
        if kind == "abort":
            fields["reason"] = reason
        self.add_entry(kind, lambda at: write_entry(kind, at, fields), live.row.game)
        live.covered, live.entry_at = live.tree.size, self._at
        if kind in {"close", "abort"}:
            live.ended = kind

    def add_entry(self, kind: str, write: Callable[[int], bytes], game: str | None = None) -> None:
        """Add an entry; `write` gets its `at`, never below that of the entry before."""
        self._at = max(self._now, self._at)
        data = write(self._at)
        hashed = leaf(data)
        self._entries.append(EntryRow(self._tree.size, kind, game, hashed, data))
        self._tree.append(hashed)

    def store(self) -> HeadRow | None:
        """Write the rows and the new head; None where there was nothing to write."""
        if not (self._events or self._entries or self._commands):
            return None
        head = HeadRow(self._tree.size, self._gno, self._at, self._revision + 1, self._tree.root(), self._tree.encode())
        self._store.add_streams(self._opened)
        self._store.add_events(self._events)
        self._store.add_entries(self._entries)
        self._store.add_commands(list(self._commands.values()))
        self._store.set_head(head)
        return head


def _head_tree(head: HeadRow) -> Frontier:
    """Give the tree of the head row; Diverged where the row contradicts itself."""
    try:
        tree = Frontier.decode(head.size, head.frontier)
    except (Malformed, TypeError):
        raise Diverged("the head row is damaged", (head.size, head.root), (head.size, b"")) from None
    if tree.root() != head.root:
        reason = "the head row's root is not that of its frontier"
        raise Diverged(reason, (head.size, head.root), (head.size, tree.root()))
    return tree
