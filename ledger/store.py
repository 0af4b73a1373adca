"""The storage interface: what the log writes and the audit reads, small and named, with one contract for every backend.

A `Reader` gives rows as they are stored, in order, streaming; damaged values come back as whatever they have become,
so whoever audits looks at types before use. A `Store` adds appending, inside `writing()` only: one writer at a time of
all processes, all or nothing, durable when the block ends. Rows are only ever added, but for the head, which is
replaced, a checkpoint's note, which gains lines, and texts, which may go.

`open_store` takes the backend from the URL: `sqlite:///relative.db`, `sqlite:////absolute.db`, or a libpq URL,
`postgresql://user@host/database` (extra `[postgres]`). A password in it never stands in a message.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import UnionType
from typing import Final, Literal, NamedTuple, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from ledger.errors import Unavailable

_PASSWORD: Final = re.compile(r"(?<=://)([^/?#@:]*):[^/?#@]*@|(?<=[?&])password=[^&]*")


class HeadRow(NamedTuple):
    """The newest state of the main log: entries, next gno, `at` of the newest entry, transactions, root, frontier."""

    size: int
    gno: int
    at: int
    revision: int
    root: bytes
    frontier: bytes


class StreamRow(NamedTuple):
    """A stream: its number, kind, whether its blind stays secret, and the blind."""

    game: str
    gno: int
    stream: str
    private: bool
    blind: bytes


class EntryRow(NamedTuple):
    """An entry of the main log.

    `kind` and `game` (None for an entry of no stream) are copies from its bytes; `leaf` is their hash as it was
    written, so that damage is named by its index.
    """

    idx: int
    kind: str
    game: str | None
    leaf: bytes
    data: bytes


class EventRow(NamedTuple):
    """An event to be stored, with the chain after it."""

    game: str
    seq: int
    chain: bytes
    data: bytes


class SignedRow(NamedTuple):
    """A checkpoint: its size, the note, and the frontier of the tree of that size."""

    size: int
    note: bytes
    frontier: bytes


class CommandRow(NamedTuple):
    """A command carried out: the seq its first event got, the stream's size after it, the digest of its body."""

    game: str
    command: str
    seq: int
    size: int
    digest: bytes


class TextRow(NamedTuple):
    """An erasable text under its commitment."""

    commitment: bytes
    salt: bytes
    text: str


_SOUND: Final[dict[type, tuple[str, tuple[type | UnionType, ...]]]] = {
    HeadRow: ("the head row", (int, int, int, int, bytes, bytes)),
    StreamRow: ("a stream's row", (str, int, str, int, bytes)),
    EntryRow: ("an entry's row", (int, str, str | None, bytes, bytes)),
    SignedRow: ("a checkpoint's row", (int, bytes, bytes)),
    TextRow: ("a text's row", (bytes, bytes, str)),
}
_Row = TypeVar("_Row", HeadRow, StreamRow, EntryRow, SignedRow, TextRow)


def sound(row: _Row, target: str) -> _Row:
    """Give back a row that somebody is to go on from; Unavailable where a column has become another type."""
    what, kinds = _SOUND[type(row)]
    for name, value, kind in zip(row._fields, row, kinds, strict=True):
        if not isinstance(value, kind):
            raise Unavailable(target, f"{what}: its {name} is damaged; fsck lists what is")
    return row


class Reader(Protocol):
    """What an audit needs. All iterators are in ascending order and hold one row at a time."""

    @property
    def target(self) -> str:
        """The URL or path, for messages."""
        ...

    def head(self) -> HeadRow | None:
        """Give the head row, None where it is missing."""
        ...

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[EntryRow]:
        """Give entries by index."""
        ...

    def entries_of(self, game: str) -> Iterator[EntryRow]:
        """Give the entries filed under a stream."""
        ...

    def entries_of_kind(self, *kinds: str) -> Iterator[EntryRow]:
        """Give the entries filed under some kinds."""
        ...

    def events(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes, bytes]]:
        """Give (seq, data, chain) of a stream's events."""
        ...

    def games(self) -> Iterator[str]:
        """Give every id that has events, in the order of its bytes."""
        ...

    def stream(self, game: str) -> StreamRow | None:
        """Give a stream's row."""
        ...

    def checkpoint(self) -> SignedRow | None:
        """Give the newest checkpoint."""
        ...

    def checkpoints(self) -> Iterator[SignedRow]:
        """Give all checkpoints by size."""
        ...

    def text(self, commitment: bytes) -> TextRow | None:
        """Give an erasable text, None where it is unknown or was erased."""
        ...

    def close(self) -> None:
        """Let the store go."""
        ...


class Tables(Reader, Protocol):
    """What else a ledger's own database holds, as `ledger.fsck` looks at it."""

    def streams(self, *kinds: str, start: int = 0, count: int | None = None) -> Iterator[StreamRow]:
        """Give streams by gno, all or those of some kinds: `count` of them from the place `start` on, else the rest."""
        ...

    def count_streams(self, *kinds: str, below: int | None = None) -> int:
        """Count streams, all or those of some kinds, where `below` is given those of a smaller gno."""
        ...

    def texts(self) -> Iterator[TextRow]:
        """Give all erasable texts that were not erased, by commitment."""
        ...

    def commands(self) -> Iterator[CommandRow]:
        """Give all commands carried out, by game and id."""
        ...

    def counts(self) -> dict[str, int]:
        """Count the rows of each table, wherever they are filed."""
        ...

    def faults(self) -> Iterator[str]:
        """Give what the backend itself finds wrong with its files, a line each; missing triggers too."""
        ...


class Store(Tables, Protocol):
    """What the log needs besides; everything but `close` inside `writing()`, reads too."""

    def writing(self) -> AbstractContextManager[None]:
        """Hold the store's one writer lock: commit, durably, at the end, or change nothing where an error leaves it."""
        ...

    def command(self, game: str, command: str) -> CommandRow | None:
        """Give a command carried out before."""
        ...

    def open_streams(self) -> Iterator[str]:
        """Give the ids of streams that have neither a close nor an abort entry, by gno."""
        ...

    def last_seq(self, game: str) -> int:
        """Give the highest seq of a stream, -1 where it has no event."""
        ...

    def add_events(self, rows: Sequence[EventRow]) -> None:
        """Add events."""
        ...

    def add_entries(self, rows: Sequence[EntryRow]) -> None:
        """Add entries."""
        ...

    def add_streams(self, rows: Sequence[StreamRow]) -> None:
        """Add streams."""
        ...

    def add_commands(self, rows: Sequence[CommandRow]) -> None:
        """Add commands."""
        ...

    def add_checkpoint(self, row: SignedRow) -> None:
        """Add a checkpoint."""
        ...

    def set_note(self, size: int, note: bytes) -> None:
        """Replace a stored checkpoint's note by one of the same text with more signature lines."""
        ...

    def set_head(self, row: HeadRow) -> None:
        """Replace the head row."""
        ...

    def add_text(self, row: TextRow) -> None:
        """Add an erasable text."""
        ...

    def erase_text(self, commitment: bytes) -> None:
        """Erase a text for good."""
        ...

    def scrub(self) -> None:
        """Overwrite what was erased in the backend's own files; outside `writing()`.

        Unavailable where that must wait for somebody who still reads them.
        """
        ...


def sqlite_path(url: str) -> Path:
    """Read a SQLite URL; Unavailable where it is none."""
    if not url.startswith("sqlite:///") or len(url) == len("sqlite:///"):
        raise Unavailable(url, "not a ledger URL: sqlite:///<path> or postgresql://<host>/<database> was expected")
    return Path(url.removeprefix("sqlite:///"))


def is_postgres(url: str) -> bool:
    """Tell whether a URL names a PostgreSQL database."""
    return url.startswith(("postgresql://", "postgres://"))


def without_password(url: str) -> str:
    """Give a URL as messages may show it."""
    return _PASSWORD.sub(lambda match: f"{match[1]}@" if match[1] is not None else "password=***", url)


def place_of(url: str) -> Path:
    """Give the path that the files beside a ledger are named after: its own, or its database's name, here."""
    if not is_postgres(url):
        return sqlite_path(url)
    try:
        name = unquote(urlsplit(url).path).rpartition("/")[2]
    except ValueError:
        name = ""
    return Path(name or "postgres")


def is_founded(url: str) -> bool:
    """Tell whether there is something at a ledger's place: a file, or the tables of a ledger."""
    if not is_postgres(url):
        return sqlite_path(url).exists()
    from ledger.store_postgres import PostgresStore

    store = PostgresStore(url, mode="migrate")
    try:
        return store.founded()
    finally:
        store.close()


def open_reader(url: str) -> Tables:
    """Open an existing ledger for reading, in one unchanging view of it; nothing is created or changed."""
    return _open(url, "read")


def open_store(url: str) -> Store:
    """Open an existing ledger for appending."""
    return _open(url, "write")


def create_store(url: str) -> Store:
    """Make a new, empty ledger; Unavailable where a file stands already, or the database's schema is not empty."""
    return _open(url, "create")


def _open(url: str, mode: Literal["read", "write", "create"]) -> Store:
    if is_postgres(url):
        from ledger.store_postgres import PostgresStore

        return PostgresStore(url, mode=mode)
    from ledger.store_sqlite import SqliteStore

    return SqliteStore(url, sqlite_path(url), mode=mode)
