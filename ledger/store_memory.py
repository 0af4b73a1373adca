"""The ledger in memory: the double of a stored one, under the same contract (tests, and ledgers that need no file).

`MemoryStore()` is a new ledger; `MemoryStore(other.shelf)` a second handle on it, as another process would have on a
file. Writers take turns; a block of `writing()` left by an error is undone step by step.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from threading import RLock
from typing import TypeVar

from ledger.errors import Refused
from ledger.store import CommandRow, EntryRow, EventRow, HeadRow, SignedRow, StreamRow, TextRow

_K = TypeVar("_K")
_V = TypeVar("_V")


class Shelf:
    """The rows themselves, shared by handles."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.head: HeadRow | None = None
        self.events: dict[str, dict[int, tuple[bytes, bytes]]] = {}
        self.entries: dict[int, EntryRow] = {}
        self.streams: dict[str, StreamRow] = {}
        self.checkpoints: dict[int, SignedRow] = {}
        self.commands: dict[tuple[str, str], CommandRow] = {}
        self.texts: dict[bytes, TextRow] = {}


class MemoryStore:
    """One handle on a ledger in memory; see `ledger.store.Store` for what each method does."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self.target = "memory"
        self.shelf = shelf or Shelf()
        self._undo: list[Callable[[], object]] = []

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the writer lock; undo everything where an error leaves the block."""
        with self.shelf.lock:
            self._undo.clear()
            try:
                yield
            except BaseException:
                for step in reversed(self._undo):
                    step()
                raise
            finally:
                self._undo.clear()

    def close(self) -> None:
        """Keep the rows: other handles may hold them."""

    def head(self) -> HeadRow | None:
        """Give the head row."""
        return self.shelf.head

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[EntryRow]:
        """Give entries by index."""
        for idx in sorted(self.shelf.entries):
            if idx >= start and (stop is None or idx < stop):
                yield self.shelf.entries[idx]

    def entries_of(self, game: str) -> Iterator[EntryRow]:
        """Give the entries filed under a stream."""
        return (row for row in self.entries() if row.game == game)

    def entries_of_kind(self, *kinds: str) -> Iterator[EntryRow]:
        """Give the entries filed under some kinds."""
        return (row for row in self.entries() if row.kind in kinds)

    def events(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes, bytes]]:
        """Give (seq, data, chain) of a stream's events."""
        rows = self.shelf.events.get(game, {})
        for seq in sorted(rows):
            if seq >= start and (stop is None or seq < stop):
                yield seq, *rows[seq]

    def games(self) -> Iterator[str]:
        """Give every id that has events, in the order of its bytes."""
        return iter(sorted(game for game, rows in self.shelf.events.items() if rows))

    def stream(self, game: str) -> StreamRow | None:
        """Give a stream's row."""
        return self.shelf.streams.get(game)

    def streams(self, *kinds: str, start: int = 0, count: int | None = None) -> Iterator[StreamRow]:
        """Give streams by gno."""
        rows = sorted(self.shelf.streams.values(), key=lambda row: row.gno)
        return islice(
            (row for row in rows if not kinds or row.stream in kinds), start, None if count is None else start + count
        )

    def count_streams(self, *kinds: str, below: int | None = None) -> int:
        """Count streams."""
        return sum(1 for row in self.streams(*kinds) if below is None or row.gno < below)

    def checkpoint(self) -> SignedRow | None:
        """Give the newest checkpoint."""
        found = self.shelf.checkpoints
        return found[max(found)] if found else None

    def checkpoints(self) -> Iterator[SignedRow]:
        """Give all checkpoints by size."""
        return (self.shelf.checkpoints[size] for size in sorted(self.shelf.checkpoints))

    def text(self, commitment: bytes) -> TextRow | None:
        """Give an erasable text."""
        return self.shelf.texts.get(commitment)

    def texts(self) -> Iterator[TextRow]:
        """Give all erasable texts that were not erased."""
        return (self.shelf.texts[key] for key in sorted(self.shelf.texts))

    def commands(self) -> Iterator[CommandRow]:
        """Give all commands carried out."""
        return (self.shelf.commands[key] for key in sorted(self.shelf.commands))

    def counts(self) -> dict[str, int]:
        """Count the rows of each table."""
        shelf = self.shelf
        found = {name: len(getattr(shelf, name)) for name in ("entries", "streams", "checkpoints", "commands", "texts")}
        return found | {"events": sum(map(len, shelf.events.values())), "head": int(shelf.head is not None)}

    def faults(self) -> Iterator[str]:
        """Give nothing: there is no file."""
        return iter(())

    def command(self, game: str, command: str) -> CommandRow | None:
        """Give a command carried out before."""
        return self.shelf.commands.get((game, command))

    def open_streams(self) -> Iterator[str]:
        """Give the ids of streams without an end, by gno."""
        ended = {row.game for row in self.shelf.entries.values() if row.kind in {"close", "abort"}}
        return (row.game for row in self.streams() if row.game not in ended)

    def last_seq(self, game: str) -> int:
        """Give the highest seq of a stream."""
        return max(self.shelf.events.get(game, {}), default=-1)

    def add_events(self, rows: Sequence[EventRow]) -> None:
        """Add events."""
        for row in rows:
            self._add(self.shelf.events.setdefault(row.game, {}), row.seq, (row.data, row.chain))

    def add_entries(self, rows: Sequence[EntryRow]) -> None:
        """Add entries."""
        for row in rows:
            self._add(self.shelf.entries, row.idx, row)

    def add_streams(self, rows: Sequence[StreamRow]) -> None:
        """Add streams."""
        for row in rows:
            if any(other.gno == row.gno for other in self.shelf.streams.values()):
                raise Refused("", f"the store refuses: gno {row.gno} is taken")
            self._add(self.shelf.streams, row.game, row)

    def add_commands(self, rows: Sequence[CommandRow]) -> None:
        """Add commands."""
        for row in rows:
            self._add(self.shelf.commands, (row.game, row.command), row)

    def add_checkpoint(self, row: SignedRow) -> None:
        """Add a checkpoint."""
        self._add(self.shelf.checkpoints, row.size, row)

    def set_note(self, size: int, note: bytes) -> None:
        """Replace a checkpoint's note."""
        before = self.shelf.checkpoints[size]
        self.shelf.checkpoints[size] = before._replace(note=note)
        self._undo.append(lambda: self.shelf.checkpoints.update({size: before}))

    def set_head(self, row: HeadRow) -> None:
        """Replace the head row."""
        before = self.shelf.head
        self._undo.append(lambda: setattr(self.shelf, "head", before))
        self.shelf.head = row

    def add_text(self, row: TextRow) -> None:
        """Add an erasable text."""
        self._add(self.shelf.texts, row.commitment, row)

    def erase_text(self, commitment: bytes) -> None:
        """Erase a text for good."""
        before = self.shelf.texts.pop(commitment, None)
        if before is not None:
            self._undo.append(lambda: self.shelf.texts.update({commitment: before}))

    def scrub(self) -> None:
        """Do nothing: there is no file."""

    def _add(self, rows: dict[_K, _V], key: _K, row: _V) -> None:
        if key in rows:
            raise Refused("", f"the store refuses: {key!r} is taken")
        rows[key] = row
        self._undo.append(lambda: rows.pop(key))
