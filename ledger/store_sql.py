"""What the SQL stores share: the queries, the rows, appending in batches (ledger.md 4).

A backend opens the connection, takes the writer lock and puts its driver's errors into plain words. Rows are appended
by Core `insert()` in batches and read as tuples: the ORM is an order of magnitude dearer in both directions.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Connection,
    Engine,
    Select,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ledger.errors import Refused, Unavailable
from ledger.models import FORMAT, METADATA
from ledger.store import CommandRow, EntryRow, EventRow, HeadRow, SignedRow, StreamRow, TextRow

WAIT_MS: Final = 30_000

_tables = METADATA.tables
_about, _events, _streams, _entries = (_tables[name] for name in ("about", "events", "streams", "entries"))
_head, _checkpoints, _commands, _texts = (_tables[name] for name in ("head", "checkpoints", "commands", "texts"))
MOST: Final = 2**62  # more than any seq or index
_PART: Final = 256

# Queries are built once: building one costs more than running it.
_game: Final[BindParameter[str]] = bindparam("game")
_start: Final[BindParameter[int]] = bindparam("start", type_=BigInteger())
_stop: Final[BindParameter[int]] = bindparam("stop", type_=BigInteger())
_count: Final[BindParameter[int]] = bindparam("count", type_=BigInteger())
_FORMAT: Final = select(_about.c.value).where(_about.c.name == "format")
_ENTRY: Final = select(_entries.c.idx, _entries.c.kind, _entries.c.game, _entries.c.leaf, _entries.c.data).order_by(
    _entries.c.idx
)
_ENTRIES: Final = _ENTRY.where(_entries.c.idx >= _start, _entries.c.idx < _stop)
_ENTRIES_OF: Final = _ENTRY.where(_entries.c.game == _game)
_ENTRIES_OF_KIND: Final = _ENTRY.where(_entries.c.kind.in_(bindparam("kinds", expanding=True)))
EVENTS: Final = (
    select(_events.c.seq, _events.c.data, _events.c.chain)
    .where(_events.c.game == _game, _events.c.seq >= _start, _events.c.seq < _stop)
    .order_by(_events.c.seq)
)
_ADD_EVENTS: Final = insert(_events)
_LAST_SEQ: Final = select(_events.c.seq).where(_events.c.game == _game).order_by(_events.c.seq.desc()).limit(1)
_FIRST_GAME: Final = select(_events.c.game).order_by(_events.c.game).limit(1)
_NEXT_GAME: Final = _FIRST_GAME.where(_events.c.game > _game)
_HEAD: Final = select(_head.c.size, _head.c.gno, _head.c.at, _head.c.revision, _head.c.root, _head.c.frontier)
_SET_HEAD: Final = update(_head).where(_head.c.id == bindparam("only"))
_STREAMS: Final = select(
    _streams.c.game, _streams.c.gno, _streams.c.stream, _streams.c.private, _streams.c.blind
).order_by(_streams.c.gno)
_OF_KIND: Final = _streams.c.stream.in_(bindparam("kinds", expanding=True))
_COUNT: Final = select(func.count()).select_from(_streams).where(_streams.c.gno < _stop)
_STREAM: Final = _STREAMS.where(_streams.c.game == _game)
_ENDS: Final = select(_entries.c.idx).where(_entries.c.game == _streams.c.game, _entries.c.kind.in_(("close", "abort")))
_OPEN_STREAMS: Final = select(_streams.c.game).where(~_ENDS.exists()).order_by(_streams.c.gno)
_CHECKPOINT: Final = select(_checkpoints.c.size, _checkpoints.c.note, _checkpoints.c.frontier)
_SIGNED: Final = _CHECKPOINT.order_by(_checkpoints.c.size.desc()).limit(1)
_CHECKPOINTS: Final = _CHECKPOINT.order_by(_checkpoints.c.size)
_SET_NOTE: Final = update(_checkpoints).where(_checkpoints.c.size == bindparam("of"))
_COMMANDS: Final = select(
    _commands.c.game, _commands.c.command, _commands.c.seq, _commands.c.size, _commands.c.digest
).order_by(_commands.c.game, _commands.c.command)
_COMMAND: Final = _COMMANDS.where(_commands.c.game == _game, _commands.c.command == bindparam("command"))
_TEXTS: Final = select(_texts.c.commitment, _texts.c.salt, _texts.c.text).order_by(_texts.c.commitment)
_TEXT: Final = _TEXTS.where(_texts.c.commitment == bindparam("commitment"))


class SqlStore(ABC):
    """One open ledger in a SQL database; see `ledger.store.Store` for what each method does."""

    target: str
    _engine: Engine
    _connection: Connection
    _errors: tuple[type[Exception], ...]

    @abstractmethod
    def _reason(self, error: Exception) -> str:
        """Put a driver's error into one line."""

    def _lock(self) -> None:  # noqa: B027  nothing to do where BEGIN takes the lock
        """Take the writer lock, first thing in a transaction, where beginning it did not."""

    def _found(self) -> None:
        """Make the tables of a new ledger, inside `writing()`."""
        METADATA.create_all(self._connection)
        self._connection.execute(insert(_about), [{"name": "format", "value": FORMAT}])

    @abstractmethod
    def _tables(self) -> Sequence[str]:
        """Give the names of the tables that stand at the ledger's place."""

    def founded(self) -> bool:
        """Tell whether these are the tables of a ledger, of whatever format."""
        return {"about", "events"}.issubset(self._tables())

    def format(self) -> int:
        """Give the ledger's format; Unavailable where it is none."""
        if not self.founded():
            raise Unavailable(self.target, "a database, but not a ledger")
        found = self._connection.execute(_FORMAT).scalar()
        return found if type(found) is int else 0

    def _check_format(self) -> None:
        """Refuse a ledger of another format, or one that lacks tables."""
        found = self.format()
        if found != FORMAT:
            remedy = "; `paipu migrate` upgrades it" if 0 < found < FORMAT else ""
            raise Unavailable(self.target, f"a ledger of format {found}; this version reads format {FORMAT}{remedy}")
        missing = sorted(METADATA.tables.keys() - set(self._tables()))
        if missing:
            raise Unavailable(self.target, f"the ledger lacks its tables {', '.join(missing)}")

    @property
    def connection(self) -> Connection:
        """The open connection, for whoever changes the tables themselves."""
        return self._connection

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn the driver's errors into one clear line."""
        try:
            yield
        except IntegrityError as error:
            raise Refused("", f"the store refuses: {' '.join(str(error.orig).split())}") from None
        except self._errors as error:
            raise Unavailable(self.target, self._reason(error)) from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the writer lock; commit at the end."""
        with self._guard():
            try:
                with self._connection.begin():
                    self._lock()
                    yield
            except BaseException:
                self._undo()
                raise

    def _undo(self) -> None:
        """End the transaction that a COMMIT that failed may have left open."""
        with suppress(SQLAlchemyError, *self._errors):
            if not self._connection.invalidated:
                self._connection.connection.rollback()

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()
        self._engine.dispose()

    def _one(self, query: Select[Any], **values: object) -> tuple[Any, ...] | None:
        with self._guard():
            row = self._connection.execute(query, values).first()
        return None if row is None else tuple(row)

    def _rows(self, query: Select[Any], **values: object) -> Iterator[Any]:
        """Give rows as they come; a whole part is asked for at once, never the whole answer."""
        with self._guard(), self._connection.execute(query, values, execution_options=_STREAMED) as found:
            for part in found.partitions(_PART):
                yield from part

    def head(self) -> HeadRow | None:
        """Give the head row."""
        row = self._one(_HEAD)
        return None if row is None else HeadRow(*row)

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[EntryRow]:
        """Give entries by index."""
        return map(EntryRow._make, self._rows(_ENTRIES, start=start, stop=MOST if stop is None else stop))

    def entries_of(self, game: str) -> Iterator[EntryRow]:
        """Give the entries filed under a stream."""
        return map(EntryRow._make, self._rows(_ENTRIES_OF, game=game))

    def entries_of_kind(self, *kinds: str) -> Iterator[EntryRow]:
        """Give the entries filed under some kinds."""
        return map(EntryRow._make, self._rows(_ENTRIES_OF_KIND, kinds=kinds))

    def events(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes, bytes]]:
        """Give (seq, data, chain) of a stream's events."""
        return self._rows(EVENTS, game=game, start=start, stop=MOST if stop is None else stop)

    def games(self) -> Iterator[str]:
        """Give every id that has events, skipping from one to the next along the primary key."""
        row = self._one(_FIRST_GAME)
        while row is not None:
            yield row[0]
            row = self._one(_NEXT_GAME, game=row[0])

    def stream(self, game: str) -> StreamRow | None:
        """Give a stream's row."""
        row = self._one(_STREAM, game=game)
        return None if row is None else _stream(row)

    def streams(self, *kinds: str, start: int = 0, count: int | None = None) -> Iterator[StreamRow]:
        """Give streams by gno."""
        query = (_STREAMS.where(_OF_KIND) if kinds else _STREAMS).offset(_start).limit(_count)
        asked = {"kinds": kinds} if kinds else {}
        return map(_stream, self._rows(query, start=start, count=MOST if count is None else count, **asked))

    def count_streams(self, *kinds: str, below: int | None = None) -> int:
        """Count streams."""
        query = _COUNT.where(_OF_KIND) if kinds else _COUNT
        asked = {"kinds": kinds} if kinds else {}
        row = self._one(query, stop=MOST if below is None else below, **asked)
        return 0 if row is None else int(row[0])

    def checkpoint(self) -> SignedRow | None:
        """Give the newest checkpoint."""
        row = self._one(_SIGNED)
        return None if row is None else SignedRow(*row)

    def checkpoints(self) -> Iterator[SignedRow]:
        """Give all checkpoints by size."""
        return map(SignedRow._make, self._rows(_CHECKPOINTS))

    def text(self, commitment: bytes) -> TextRow | None:
        """Give an erasable text."""
        row = self._one(_TEXT, commitment=commitment)
        return None if row is None else TextRow(*row)

    def texts(self) -> Iterator[TextRow]:
        """Give all erasable texts that were not erased."""
        return map(TextRow._make, self._rows(_TEXTS))

    def command(self, game: str, command: str) -> CommandRow | None:
        """Give a command carried out before."""
        row = self._one(_COMMAND, game=game, command=command)
        return None if row is None else CommandRow(*row)

    def commands(self) -> Iterator[CommandRow]:
        """Give all commands carried out."""
        return map(CommandRow._make, self._rows(_COMMANDS))

    def counts(self) -> dict[str, int]:
        """Count the rows of each table."""
        found = {}
        for name, table in _tables.items():
            row = self._one(select(func.count()).select_from(table))
            found[name] = row[0] if row is not None else 0
        return found

    def open_streams(self) -> Iterator[str]:
        """Give the ids of streams without an end, by gno."""
        return (row[0] for row in self._rows(_OPEN_STREAMS))

    def last_seq(self, game: str) -> int:
        """Give the highest seq of a stream."""
        row = self._one(_LAST_SEQ, game=game)
        found = -1 if row is None else row[0]
        return found if type(found) is int else 0  # a damaged one is one

    def add_events(self, rows: Sequence[EventRow]) -> None:
        """Add events."""
        if rows:
            values = [{"game": game, "seq": seq, "chain": chain, "data": data} for game, seq, chain, data in rows]
            self._connection.execute(_ADD_EVENTS, values)

    def add_entries(self, rows: Sequence[EntryRow]) -> None:
        """Add entries."""
        if rows:
            self._connection.execute(insert(_entries), [row._asdict() for row in rows])

    def add_streams(self, rows: Sequence[StreamRow]) -> None:
        """Add streams."""
        if rows:
            self._connection.execute(insert(_streams), [row._asdict() | {"private": int(row.private)} for row in rows])

    def add_commands(self, rows: Sequence[CommandRow]) -> None:
        """Add commands."""
        if rows:
            self._connection.execute(insert(_commands), [row._asdict() for row in rows])

    def add_checkpoint(self, row: SignedRow) -> None:
        """Add a checkpoint."""
        self._connection.execute(insert(_checkpoints), [row._asdict()])

    def set_note(self, size: int, note: bytes) -> None:
        """Replace a checkpoint's note."""
        self._connection.execute(_SET_NOTE, {"of": size, "note": note})

    def set_head(self, row: HeadRow) -> None:
        """Replace the head row."""
        if not self._connection.execute(_SET_HEAD, row._asdict() | {"only": 1}).rowcount:
            self._connection.execute(insert(_head), [row._asdict() | {"id": 1}])

    def add_text(self, row: TextRow) -> None:
        """Add an erasable text."""
        self._connection.execute(insert(_texts), [row._asdict()])

    def erase_text(self, commitment: bytes) -> None:
        """Erase a text."""
        self._connection.execute(delete(_texts).where(_texts.c.commitment == commitment))


_STREAMED: Final = {"stream_results": True, "max_row_buffer": _PART}


def _stream(row: Sequence[Any]) -> StreamRow:
    return StreamRow(row[0], row[1], row[2], row[3] != 0, row[4])
