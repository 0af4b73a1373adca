"""The ledger in a SQLite file: WAL, `synchronous=FULL`, one writer over all processes (ledger.md 4).

`BEGIN IMMEDIATE` takes SQLite's writer lock before the first read of a transaction; other processes wait for it up to
30 s. A reader works in one read transaction, so it sees one state of the ledger while writers go on. Rows are appended
by Core `insert()` in batches and read as tuples: the ORM is an order of magnitude dearer in both directions.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import quote

from sqlalchemy import (
    BindParameter,
    Connection,
    Select,
    bindparam,
    create_engine,
    delete,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import StaticPool

from ledger.errors import Refused, Unavailable
from ledger.models import FORMAT, METADATA
from ledger.store import CommandRow, EntryRow, EventRow, HeadRow, SignedRow, StreamRow, TextRow

WAIT_MS: Final = 30_000

_tables = METADATA.tables
_about, _events, _streams, _entries = (_tables[name] for name in ("about", "events", "streams", "entries"))
_head, _checkpoints, _commands, _texts = (_tables[name] for name in ("head", "checkpoints", "commands", "texts"))
_MOST: Final = 2**62  # more than any seq or index

# Queries are built once: building one costs more than running it.
_game: Final[BindParameter[str]] = bindparam("game")
_start: Final[BindParameter[int]] = bindparam("start")
_stop: Final[BindParameter[int]] = bindparam("stop")
_ENTRY: Final = select(_entries.c.idx, _entries.c.kind, _entries.c.game, _entries.c.leaf, _entries.c.data).order_by(
    _entries.c.idx
)
_ENTRIES: Final = _ENTRY.where(_entries.c.idx >= _start, _entries.c.idx < _stop)
_ENTRIES_OF: Final = _ENTRY.where(_entries.c.game == _game)
_ENTRIES_OF_KIND: Final = _ENTRY.where(_entries.c.kind.in_(bindparam("kinds", expanding=True)))
_EVENTS: Final = (
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
_STREAM: Final = select(_streams.c.game, _streams.c.gno, _streams.c.stream, _streams.c.private, _streams.c.blind).where(
    _streams.c.game == _game
)
_ENDS: Final = select(_entries.c.idx).where(_entries.c.game == _streams.c.game, _entries.c.kind.in_(("close", "abort")))
_OPEN_STREAMS: Final = select(_streams.c.game).where(~_ENDS.exists()).order_by(_streams.c.gno)
_CHECKPOINT: Final = select(_checkpoints.c.size, _checkpoints.c.note, _checkpoints.c.frontier)
_SIGNED: Final = _CHECKPOINT.order_by(_checkpoints.c.size.desc()).limit(1)
_CHECKPOINTS: Final = _CHECKPOINT.order_by(_checkpoints.c.size)
_SET_NOTE: Final = update(_checkpoints).where(_checkpoints.c.size == bindparam("of"))
_COMMAND: Final = select(
    _commands.c.game, _commands.c.command, _commands.c.seq, _commands.c.size, _commands.c.digest
).where(_commands.c.game == _game, _commands.c.command == bindparam("command"))
_TEXT: Final = select(_texts.c.commitment, _texts.c.salt, _texts.c.text).where(
    _texts.c.commitment == bindparam("commitment")
)


class SqliteStore:
    """One open ledger file; see `ledger.store.Store` for what each method does."""

    def __init__(self, url: str, path: Path, *, mode: Literal["read", "write", "create"]) -> None:
        self.target = url
        self._mode = mode
        self._path = path
        self._begin = "BEGIN" if mode == "read" else "BEGIN IMMEDIATE"
        _look(url, path, mode)
        engine = create_engine("sqlite://", creator=self._connect, poolclass=StaticPool)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(self._begin))
        self._engine = engine
        with self._guard():
            self._connection: Connection = engine.connect()
            try:
                self._start()
            except BaseException:
                self.close()
                raise

    def _connect(self) -> sqlite3.Connection:
        options = {"read": _reading(self._path), "write": "mode=rw", "create": "mode=rwc"}[self._mode]
        uri = f"file:{quote(str(self._path.absolute()))}?{options}"
        # isolation_level None: SQLAlchemy says BEGIN, not the driver. Another thread may use it, one at a time.
        raw = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=WAIT_MS // 1000)
        raw.text_factory = lambda data: data.decode("utf-8", "surrogateescape")  # damaged text must not stop a reader
        if self._mode == "read":
            raw.execute("PRAGMA query_only=ON")
        else:
            raw.execute("PRAGMA journal_mode=WAL")
            raw.execute("PRAGMA synchronous=FULL")
        return raw

    def _start(self) -> None:
        if self._mode == "create":
            with self.writing():
                METADATA.create_all(self._connection)
                self._connection.execute(insert(_about), [{"name": "format", "value": FORMAT}])
            return
        names = self._connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars().all()
        if "about" not in names or "events" not in names:
            raise Unavailable(self.target, "a SQLite database, but not a ledger")
        found = self._connection.execute(select(_about.c.value).where(_about.c.name == "format")).scalar()
        if found != FORMAT:
            raise Unavailable(self.target, f"a ledger of format {found}; this version reads format {FORMAT}")
        missing = sorted(METADATA.tables.keys() - set(names))
        if missing:
            raise Unavailable(self.target, f"the ledger lacks its tables {', '.join(missing)}")
        if self._mode == "write":
            self._connection.rollback()

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn the driver's errors into one clear line."""
        try:
            yield
        except IntegrityError as error:
            raise Refused("", f"the store refuses: {error.orig}") from None
        except (DBAPIError, sqlite3.Error) as error:
            reason = str(getattr(error, "orig", None) or error)
            if "locked" in reason:
                reason = f"another process holds the ledger for more than {WAIT_MS // 1000} s"
            raise Unavailable(self.target, reason) from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the writer lock; commit at the end."""
        with self._guard(), self._connection.begin():
            yield

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
        self._engine.dispose()

    def _one(self, query: Select[Any], **values: object) -> tuple[Any, ...] | None:
        with self._guard():
            row = self._connection.execute(query, values).first()
        return None if row is None else tuple(row)

    def _rows(self, query: Select[Any], **values: object) -> Iterator[Any]:
        with self._guard():
            for part in self._connection.execute(query, values).partitions(256):
                yield from part

    def head(self) -> HeadRow | None:
        """Give the head row."""
        row = self._one(_HEAD)
        return None if row is None else HeadRow(*row)

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[EntryRow]:
        """Give entries by index."""
        return map(EntryRow._make, self._rows(_ENTRIES, start=start, stop=_MOST if stop is None else stop))

    def entries_of(self, game: str) -> Iterator[EntryRow]:
        """Give the entries filed under a stream."""
        return map(EntryRow._make, self._rows(_ENTRIES_OF, game=game))

    def entries_of_kind(self, *kinds: str) -> Iterator[EntryRow]:
        """Give the entries filed under some kinds."""
        return map(EntryRow._make, self._rows(_ENTRIES_OF_KIND, kinds=kinds))

    def events(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes, bytes]]:
        """Give (seq, data, chain) of a stream's events."""
        return self._rows(_EVENTS, game=game, start=start, stop=_MOST if stop is None else stop)

    def games(self) -> Iterator[str]:
        """Give every id that has events, skipping from one to the next along the primary key."""
        row = self._one(_FIRST_GAME)
        while row is not None:
            yield row[0]
            row = self._one(_NEXT_GAME, game=row[0])

    def stream(self, game: str) -> StreamRow | None:
        """Give a stream's row."""
        row = self._one(_STREAM, game=game)
        return None if row is None else StreamRow(row[0], row[1], row[2], row[3] != 0, row[4])

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

    def command(self, game: str, command: str) -> CommandRow | None:
        """Give a command carried out before."""
        row = self._one(_COMMAND, game=game, command=command)
        return None if row is None else CommandRow(*row)

    def open_streams(self) -> Iterator[str]:
        """Give the ids of streams without an end, by gno."""
        return (row[0] for row in self._rows(_OPEN_STREAMS))

    def last_seq(self, game: str) -> int:
        """Give the highest seq of a stream."""
        row = self._one(_LAST_SEQ, game=game)
        return -1 if row is None else int(row[0])

    def add_events(self, rows: Sequence[EventRow]) -> None:
        """Add events."""
        if rows:
            values = [{"game": game, "seq": seq, "chain": chain, "data": data} for game, seq, chain, data in rows]
            self._connection.execute(_ADD_EVENTS, values)

    def add_entries(self, rows: Sequence[EntryRow]) -> None:
        """Add entries."""
        if rows:
            values = [row._asdict() for row in rows]
            self._connection.execute(insert(_entries), values)

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
        """Erase a text for good."""
        self._connection.execute(delete(_texts).where(_texts.c.commitment == commitment))


def _look(url: str, path: Path, mode: str) -> None:
    """Say in plain words what SQLite would say in its own."""
    try:
        if mode == "create":
            if path.exists():
                raise Unavailable(url, "exists already")
            if not os.access(path.absolute().parent, os.W_OK | os.X_OK):
                there = path.absolute().parent.is_dir()
                raise Unavailable(url, "no permission to write there" if there else "no such folder")
            return
        if not path.exists():
            raise Unavailable(url, "no such file")
        if path.is_dir():
            raise Unavailable(url, "a folder, not a ledger")
        if not os.access(path, os.R_OK):
            raise Unavailable(url, "no permission to read it")
        if mode == "write" and not os.access(path, os.W_OK):
            raise Unavailable(url, "no permission to write it")
        with path.open("rb") as file:
            magic = file.read(16)
    except OSError as error:
        raise Unavailable(url, error.strerror or str(error)) from None
    if magic != b"SQLite format 3\x00":
        raise Unavailable(url, "not a ledger (no SQLite database)")


def _reading(path: Path) -> str:
    """Choose how to open for reading so that nothing stays behind and nothing is written.

    With a write-ahead log beside it the file is in use, or its writer was killed: read-only. Without one, a read-only
    connection would leave an empty one behind, so open it as its last user would and query only; where even that may
    not be written, nobody else may write either, and the file is taken as unchanging.
    """
    if path.with_name(path.name + "-wal").exists():
        return "mode=ro"
    if os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK):
        return "mode=rw"
    return "mode=ro&immutable=1"
