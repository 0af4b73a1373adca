"""A ledger read by whoever goes on from its rows, and not by an audit: a damaged row stops it, and is named.

An audit takes rows as whatever they have become. Commands that copy, prove, sign or show them do not look at every
type; for them `Strict` does, and says in one line which table is at fault.
"""

from collections.abc import Iterator
from typing import Any, Final

from ledger.errors import Unavailable
from ledger.store import CommandRow, EntryRow, HeadRow, SignedRow, StreamRow, Tables, TextRow, sound

_EVENT: Final = (int, bytes, bytes)


class Strict:
    """A `ledger.store.Tables` over another; Unavailable at the first row with a column of another type."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.target = tables.target

    def head(self) -> HeadRow | None:
        """Give the head row."""
        row = self._tables.head()
        return None if row is None else sound(row, self.target)

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[EntryRow]:
        """Give entries by index."""
        return self._each(self._tables.entries(start, stop))

    def entries_of(self, game: str) -> Iterator[EntryRow]:
        """Give the entries filed under a stream."""
        return self._each(self._tables.entries_of(game))

    def entries_of_kind(self, *kinds: str) -> Iterator[EntryRow]:
        """Give the entries filed under some kinds."""
        return self._each(self._tables.entries_of_kind(*kinds))

    def events(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes, bytes]]:
        """Give (seq, data, chain) of a stream's events."""
        for row in self._tables.events(game, start, stop):
            if tuple(map(type, row)) != _EVENT:
                raise Unavailable(self.target, f"a row of events of {game} is damaged; fsck lists what is")
            yield row

    def games(self) -> Iterator[str]:
        """Give every id that has events."""
        return self._tables.games()

    def stream(self, game: str) -> StreamRow | None:
        """Give a stream's row."""
        row = self._tables.stream(game)
        return None if row is None else sound(row, self.target)

    def checkpoint(self) -> SignedRow | None:
        """Give the newest checkpoint."""
        row = self._tables.checkpoint()
        return None if row is None else sound(row, self.target)

    def checkpoints(self) -> Iterator[SignedRow]:
        """Give all checkpoints by size."""
        return self._each(self._tables.checkpoints())

    def text(self, commitment: bytes) -> TextRow | None:
        """Give an erasable text."""
        row = self._tables.text(commitment)
        return None if row is None else sound(row, self.target)

    def close(self) -> None:
        """Let the store go."""
        self._tables.close()

    def streams(self, *kinds: str, start: int = 0, count: int | None = None) -> Iterator[StreamRow]:
        """Give streams by gno."""
        return self._each(self._tables.streams(*kinds, start=start, count=count))

    def count_streams(self, *kinds: str, below: int | None = None) -> int:
        """Count streams."""
        return self._tables.count_streams(*kinds, below=below)

    def texts(self) -> Iterator[TextRow]:
        """Give all erasable texts."""
        return self._each(self._tables.texts())

    def commands(self) -> Iterator[CommandRow]:
        """Give all commands carried out."""
        return self._tables.commands()

    def counts(self) -> dict[str, int]:
        """Count the rows of each table."""
        return self._tables.counts()

    def faults(self) -> Iterator[str]:
        """Give what the backend itself finds wrong."""
        return self._tables.faults()

    def _each(self, rows: Iterator[Any]) -> Iterator[Any]:
        return (sound(row, self.target) for row in rows)
