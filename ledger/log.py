"""The log: the writing side, from event bytes to signed checkpoints (ledger.md 1, 4).

    log = Log.create("sqlite:///x.db", origin="club.example/log", operator="club", signer=key, recovery=recovery_key)
    log.append("g-1", 0, events)                       one transaction, durable when it returns
    log.append("g-1", 50, more, seal=True)             a hand ends: a `segment` entry
    log.append("g-1", 120, rest, close=True)           the game ends: a `close` entry, a checkpoint at once
    ticket = log.stage("g-2", 0, events)               group commit: with others, at 256 events or 50 ms …
    log.flush(); ticket.result()                       … or now; only then is it acknowledged

`expected_seq` is the seq that the first event gets; another number is a Conflict. A command id makes an append
repeatable: the same body under it appends nothing and gives the first answer, another body is Refused. Each event must
be canonical and say the `game` and `seq` it gets; nothing may follow an end. Nothing else is asked: the log records,
lawful or not; it never judges and never repairs.

One transaction holds the events, the entries they cause and the head row, under the store's writer lock, so that `gno`
and the entries' index have no gaps whatever becomes of a writer. Streams whose newest entry is older than 1 s are
sealed by the next flush. A checkpoint follows a flush that added entries, at most one a second, at once on an end; what
a crash left unsealed or unsigned is sealed and signed by the next `open`. Clock (ms UTC) and blinds are injected, so
that a simulation is reproducible. The log has no thread of its own: time is looked at when something is staged, and a
server whose tables fall quiet calls `flush` now and then.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from threading import RLock
from types import TracebackType
from typing import Final, Literal, Self

from ledger.append import Admit, Appended, Request, Ticket, Transaction, check_request
from ledger.canonical import Record
from ledger.checkpoint import Checkpoint
from ledger.entries import DAY_MS, write_entry
from ledger.errors import Conflict, LedgerError, Refused, Unavailable
from ledger.founding import first_entries, read_origin, read_ring, refuse_used_key
from ledger.keyring import KeyChange, enter_key
from ledger.keys import Signer, Verifier
from ledger.live import LiveStream  # noqa: TC001  one rule for all imports of the package
from ledger.merkle import EMPTY_ROOT
from ledger.notefile import KeptNote
from ledger.signing import HeadSigner
from ledger.store import HeadRow, Store, create_store, open_store, sound
from ledger.texts import erase_text, keep_text
from ledger.verify_file import read_game

GROUP_EVENTS: Final = 256
GROUP_MS: Final = 50
SEAL_MS: Final = 1000
CHECKPOINT_MS: Final = 1000


def now_ms() -> int:
    """Read the clock: ms UTC."""
    return time.time_ns() // 1_000_000


def random_blind(game: str) -> bytes:
    """Draw the blind of a stream: 32 random bytes, whatever its id."""
    del game
    return secrets.token_bytes(32)


class Log:
    """A ledger open for appending. Threads may share it; processes open the same URL, each its own.

    `admit`, where it is set, is asked before events are appended and may refuse them: for what the log cannot know, as
    whether a player's signed command holds.
    """

    def __init__(
        self,
        store: Store,
        signer: HeadSigner,
        *,
        clock: Callable[[], int] = now_ms,
        blind: Callable[[str], bytes] = random_blind,
    ) -> None:
        """Take an initialised store; `create` and `open` are the usual ways."""
        self.origin = signer.origin
        self.admit: Admit | None = None
        self._store = store
        self._signer = signer
        self._clock = clock
        self._blind = blind
        self._lock = RLock()
        self._streams: dict[str, LiveStream] = {}
        self._staged: list[Ticket] = []
        self._staged_events = 0
        self._staged_at = 0
        self._revision = -1  # of the last transaction of this process; another one there means others wrote
        self._foreign = 0
        self._unsigned = True
        self._urgent = True
        self._signed_at = 0

    @classmethod
    def create(
        cls,
        target: str | Store,
        *,
        origin: str,
        operator: str,
        signer: Signer,
        also: Sequence[Signer] = (),
        recovery: Signer,
        close_within_ms: int = DAY_MS,
        clock: Callable[[], int] = now_ms,
        blind: Callable[[str], bytes] = random_blind,
        last: KeptNote | None = None,
    ) -> "Log":
        """Make a new ledger: entry 0 its `config`, then the `key-add` of each signer, vouched for by the recovery key.

        `origin` names the log and its keys, `also` the ML-DSA-44 key beside the Ed25519 signer; a stream must be closed
        within `close_within_ms`. Unavailable where the target exists or cannot be made; nothing is left behind by bad
        arguments.
        """
        now = clock()
        first = first_entries(
            origin, operator, signer=signer, also=also, recovery=recovery, close_within_ms=close_within_ms, at=now
        )
        refuse_used_key(last)
        store = create_store(target) if isinstance(target, str) else target
        log = cls(store, HeadSigner(origin, signer, (), last, also), clock=clock, blind=blind)
        with log._writing():
            if store.head() is not None:
                raise Unavailable(store.target, "exists already")
            empty = HeadRow(0, 0, 0, 0, EMPTY_ROOT, b"")
            work = Transaction(store, empty, now, {})
            for kind, data in first:
                work.add_entry(kind, lambda _, data=data: data)  # type: ignore[misc]
            log._stored(work.store())
        log._sign()
        return log

    @classmethod
    def open(
        cls,
        target: str | Store,
        *,
        signer: Signer,
        also: Sequence[Signer] = (),
        verifiers: Sequence[Verifier] = (),
        clock: Callable[[], int] = now_ms,
        blind: Callable[[str], bytes] = random_blind,
        last: KeptNote | None = None,
        changes: Sequence[KeyChange] = (),
    ) -> "Log":
        """Open a ledger, sealing and signing what a crash left behind.

        `also` sign beside the signer, `verifiers` are the log's other keys, `last` keeps the last checkpoint this key
        signed (a `NoteFile` beside the key). `changes` of its keys are entered first, so that a new key may take over
        from a lost one. Diverged where the ledger does not continue what was signed, Refused where
        the log's entries do not let the key sign.
        """
        store = open_store(target) if isinstance(target, str) else target
        try:
            with store.writing():
                origin = read_origin(store, signer)
            log = cls(store, HeadSigner(origin, signer, verifiers, last, also), clock=clock, blind=blind)
            if changes:
                log._change_keys(changes)
            log._recover()
        except BaseException:
            store.close()
            raise
        return log

    def append(
        self,
        game: str,
        expected_seq: int,
        events: Sequence[bytes],
        *,
        command: str | None = None,
        seal: bool = False,
        close: bool = False,
        stream: str = "game",
        private: bool = False,
    ) -> Appended:
        """Append events (canonical bytes) from `expected_seq` on, in one transaction, with whatever is staged.

        The first append of a game opens it: `stream` (game, series, case) and `private` count then and only then.
        `seal` ends a hand, `close` the stream. Malformed, Conflict or Refused where nothing was appended; Diverged
        where the events stand but the head may not be signed.
        """
        ticket = self._stage(
            Request(game, expected_seq, tuple(events), command, seal, "close" if close else "", "", stream, private)
        )
        return self._answer(ticket)

    def abort(
        self, game: str, expected_seq: int, events: Sequence[bytes] = (), *, reason: str, command: str | None = None
    ) -> Appended:
        """End a stream that cannot be finished, with its last events, if any, and the reason in words."""
        request = Request(game, expected_seq, tuple(events), command, end="abort", reason=reason)
        return self._answer(self._stage(request))

    def import_game(
        self, lines: Iterable[bytes], target: str = "import", *, stream: str = "game", close: bool = True
    ) -> Appended:
        """Append an exported game (its lines, `target` their name) unchanged as a new stream with a new gno.

        Malformed at the first line that is not as it must be, Refused where the id exists; then nothing is written.
        """
        game, events = read_game(iter(lines), target)
        with self._lock:
            try:
                return self.append(game, 0, events, close=close, stream=stream)
            except Conflict:
                raise Refused(game, "there is a stream of this id already") from None

    def stage(
        self,
        game: str,
        expected_seq: int,
        events: Sequence[bytes],
        *,
        command: str | None = None,
        seal: bool = False,
        close: bool = False,
        stream: str = "game",
        private: bool = False,
    ) -> Ticket:
        """Put an append into the group to be committed together; it is flushed at 256 events or 50 ms.

        Malformed events are refused at once; the rest is told by the ticket, and raised by the flush.
        """
        end: Literal["", "close"] = "close" if close else ""
        request = Request(game, expected_seq, tuple(events), command, seal, end, "", stream, private)
        with self._lock:
            ticket = self._stage(request)
            if self._staged_events >= GROUP_EVENTS or self._clock() - self._staged_at >= GROUP_MS:
                self.flush()
        return ticket

    def flush(self) -> None:
        """Commit what is staged, seal streams whose newest entry is older than 1 s, sign where it is time.

        Raises the first refusal of the group; all other appends of it stand.
        """
        for ticket in self._flush(SEAL_MS):
            ticket.result()

    def seal(self) -> None:
        """Flush, seal every stream with events that no entry covers, and sign at once."""
        with self._lock:
            self._urgent = True
            for ticket in self._flush(0):
                ticket.result()

    def close(self) -> None:
        """Seal, sign and let the ledger go."""
        with self._lock:
            try:
                self.seal()
            finally:
                self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._store.close()  # what is staged was never acknowledged

    def key_entry(
        self, kind: Literal["key-add", "key-retire", "key-revoke"], fields: Record, signers: Sequence[Signer]
    ) -> None:
        """Add a key entry signed by the recovery key and, unless it revokes, by a valid log key; else Untrusted.

        Refused where the key that is open could not sign the head after it.
        """
        with self._lock:
            self._change_keys([KeyChange(kind, fields, signers)])
            self._urgent = True
            self._sign_if_due()

    def _change_keys(self, changes: Sequence[KeyChange]) -> None:
        with self._working(self._clock()) as work:
            ring = read_ring(self._store)
            for change in changes:
                work.add_entry(change.kind, partial(enter_key, ring, work.size, change))
            if not ring.may_sign(self._signer.signer.verifier, work.size):
                raise Refused("", "after this change the open key could not sign: open the log with another")

    def time_entry(self, size: int, token: bytes) -> None:
        """Log a time token (`ledger.timetoken`) over the checkpoint of a size; Refused where there is none."""
        with self._lock:
            with self._working(self._clock()) as work:
                if all(row.size != size for row in self._store.checkpoints()):
                    raise Refused("", f"there is no checkpoint of size {size}")
                fields: Record = {"size": size, "token": token.hex()}
                work.add_entry("time", lambda at: write_entry("time", at, fields))
            self._urgent = True
            self._sign_if_due()

    def keep_text(self, text: str, salt: bytes) -> str:
        """Keep a text that may have to be erased; give its commitment (hex), which is what an event may say."""
        with self._lock:
            return keep_text(self._store, text, salt)

    def erase_text(self, commitment: str) -> bool:
        """Erase a text; every hash stays valid, as events hold the commitment only. Tell whether there was one."""
        with self._lock:
            return erase_text(self._store, commitment)

    def _stage(self, request: Request) -> Ticket:
        check_request(request)
        ticket = Ticket(request)
        with self._lock:
            if not self._staged:
                self._staged_at = self._clock()
            self._staged.append(ticket)
            self._staged_events += len(request.events)
        return ticket

    def _answer(self, ticket: Ticket) -> Appended:
        with self._lock:
            if not ticket.done:
                self._flush(SEAL_MS)
        return ticket.result()

    def _flush(self, seal_after_ms: int) -> list[Ticket]:
        """Carry out the group; give its tickets, settled once it is durable and before anything is signed."""
        with self._lock:
            tickets, self._staged, self._staged_events = self._staged, [], 0
            try:
                outcomes, ended = self._commit(tickets, seal_after_ms)
            except LedgerError as error:
                for ticket in tickets:
                    ticket.settle(error)
                raise
            for ticket, outcome in zip(tickets, outcomes, strict=True):
                ticket.settle(outcome)
            self._urgent |= ended
            self._sign_if_due()
        return tickets

    def _commit(self, tickets: Sequence[Ticket], seal_after_ms: int) -> tuple[list[Appended | LedgerError], bool]:
        now = self._clock()
        outcomes: list[Appended | LedgerError] = []
        with self._working(now) as work:
            for ticket in tickets:
                try:
                    outcomes.append(work.carry_out(ticket.request, self._blind))
                except (Conflict, Refused) as error:
                    outcomes.append(error)
            for live in list(self._streams.values()):
                if live.unsealed and now - live.entry_at >= seal_after_ms:
                    # Where its rows were damaged by someone else it stays unsealed, and the audit names the event.
                    with suppress(Refused):
                        work.seal(live)
        return outcomes, work.ended

    @contextmanager
    def _working(self, now: int) -> Iterator[Transaction]:
        """Hold one transaction on the stored head; write it at the end."""
        with self._writing():
            head = self._store.head()
            if head is None:
                raise Unavailable(self._store.target, "the head row is missing")
            sound(head, self._store.target)
            if head.revision != self._revision:
                self._foreign = head.revision
                self._unsigned = True
            work = Transaction(self._store, head, now, self._streams, foreign=self._foreign, admit=self.admit)
            yield work
            self._stored(work.store())
        for live in [live for live in self._streams.values() if live.ended]:
            del self._streams[live.row.game]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the writer lock; what is in memory is dropped where the transaction did not end well."""
        try:
            with self._store.writing():
                yield
        except BaseException:
            self._streams.clear()
            self._revision = -1
            self._signer.forget()
            raise

    def _stored(self, head: HeadRow | None) -> None:
        if head is not None:
            self._revision = head.revision
            self._unsigned = True

    def _sign_if_due(self) -> None:
        if self._unsigned and (self._urgent or self._clock() - self._signed_at >= CHECKPOINT_MS):
            self._sign()

    def _sign(self) -> Checkpoint | None:
        with self._writing():
            checkpoint = self._signer.sign(self._store, self._clock() // 1000)
        self._unsigned = self._urgent = False
        if checkpoint is not None:
            self._signed_at = self._clock()
        return checkpoint

    def _recover(self) -> None:
        """Sign what stands, then seal what a crash left unsealed and sign that."""
        with self._lock:
            self._sign()
            with self._working(self._clock()) as work:
                for game in list(self._store.open_streams()):
                    with suppress(Refused):  # damaged rows: the audit names them
                        work.resume(game)
            self._urgent = True
            self._sign_if_due()
