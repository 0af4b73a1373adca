"""The ledger in a SQLite file: WAL, `synchronous=FULL`, one writer over all processes (ledger.md 4).

`BEGIN IMMEDIATE` takes SQLite's writer lock before the first read of a transaction; other processes wait for it up to
30 s. A reader works in one read transaction, so it sees one state of the ledger while writers go on. What is erased is
overwritten with zeros, in the file and in its write-ahead log.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import quote

from sqlalchemy import Select, create_engine, event
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from ledger.errors import Unavailable
from ledger.models import TRIGGERS
from ledger.store_sql import EVENTS, MOST, WAIT_MS, SqlStore

_NAMES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"
_TRIGGERS: Final = "SELECT name FROM sqlite_master WHERE type = 'trigger'"


_MOST_KNOWN: Final = 64
_NAMED: Final = sqlite.dialect(paramstyle="named")
_known: dict[int, tuple[Select[Any], str, dict[str, Any]]] = {}


def _expanded(query: Select[Any], values: dict[str, object]) -> tuple[str, dict[str, Any]]:
    """Give a query's SQL and all its values; once for the queries of this package, which are built once."""
    known = _known.get(id(query))
    if known is not None:
        return known[1], known[2] | values
    state = query.compile(dialect=_NAMED).construct_expanded_state(values)
    if len(_known) < _MOST_KNOWN and state.parameters.keys() >= values.keys():  # no list, which is spelled out
        own = {name: value for name, value in state.parameters.items() if name not in values}
        _known[id(query)] = query, state.statement, own
    return state.statement, dict(state.parameters)


class SqliteStore(SqlStore):
    """One open ledger file."""

    def __init__(self, url: str, path: Path, *, mode: Literal["read", "write", "create", "migrate"]) -> None:
        self.target = url
        self._mode = mode
        self._path = path
        self._errors = (DBAPIError, sqlite3.Error)
        self._begin = "BEGIN" if mode == "read" else "BEGIN IMMEDIATE"
        _look(url, path, mode)
        engine = create_engine("sqlite://", creator=self._connect, poolclass=StaticPool)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(self._begin))
        self._engine = engine
        with self._guard():
            self._connection = engine.connect()
            try:
                self._start()
            except BaseException:
                self.close()
                raise

    def _connect(self) -> sqlite3.Connection:
        options = {"read": _reading(self._path), "create": "mode=rwc"}.get(self._mode, "mode=rw")
        uri = f"file:{quote(str(self._path.absolute()))}?{options}"
        # isolation_level None: SQLAlchemy says BEGIN, not the driver. Another thread may use it, one at a time.
        raw = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=WAIT_MS // 1000)
        raw.text_factory = lambda data: data.decode("utf-8", "surrogateescape")  # damaged text must not stop a reader
        if self._mode == "read":
            raw.execute("PRAGMA query_only=ON")
        else:
            raw.execute("PRAGMA journal_mode=WAL")
            raw.execute("PRAGMA synchronous=FULL")
            raw.execute("PRAGMA secure_delete=ON")
        return raw

    def _start(self) -> None:
        if self._mode == "create":
            with self.writing():
                self._found()
        elif self._mode != "migrate":
            self._check_format()
            if self._mode == "write":
                self._connection.rollback()

    def _tables(self) -> Sequence[str]:
        return self._connection.exec_driver_sql(_NAMES).scalars().all()

    def _reason(self, error: Exception) -> str:
        reason = str(getattr(error, "orig", None) or error)
        if "locked" in reason:
            return f"another process holds the ledger for more than {WAIT_MS // 1000} s"
        return reason

    def events(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes, bytes]]:
        """Give (seq, data, chain) of a stream's events, by the driver for writers too: the most rows of all."""
        return self._driven(EVENTS, {"game": game, "start": start, "stop": MOST if stop is None else stop})

    def _one(self, query: Select[Any], **values: object) -> tuple[Any, ...] | None:
        return next(self._rows(query, **values), None)

    def _rows(self, query: Select[Any], **values: object) -> Iterator[Any]:
        """Give rows; to readers as the driver gives them, at a quarter of SQLAlchemy's cost."""
        return self._driven(query, values) if self._mode == "read" else super()._rows(query, **values)

    def _driven(self, query: Select[Any], values: dict[str, object]) -> Iterator[Any]:
        sql, given = _expanded(query, values)
        with self._guard():
            cursor = self._connection.connection.cursor()
            # Not `yield from cursor`: that would close it with the generator, and whoever left it half read may have
            # closed the store since.
            yield from islice(cursor.execute(sql, given), None)
            cursor.close()

    def faults(self) -> Iterator[str]:
        """Give what SQLite finds wrong with its file, and the triggers that are missing."""
        with self._guard():
            found = self._connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
            yield from (line for row in found for line in str(row).splitlines() if line != "ok")
            triggers = set(self._connection.exec_driver_sql(_TRIGGERS).scalars().all())
        yield from (f"the trigger {name} is missing" for name in TRIGGERS if name not in triggers)

    def scrub(self) -> None:
        """Write what was zeroed into the file and cut the write-ahead log, where the old pages are."""
        with self._guard():
            raw = self._connection.connection
            busy = raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]  # outside any transaction
        if busy:
            raise Unavailable(
                self.target, "erased, but a reader still holds the pages before: erase again once it ends"
            )


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
        if not path.is_file():
            raise Unavailable(url, "not a regular file")
        if not os.access(path, os.R_OK):
            raise Unavailable(url, "no permission to read it")
        if mode != "read" and not os.access(path, os.W_OK):
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
