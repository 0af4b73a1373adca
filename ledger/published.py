"""A published log read as a ledger, so that whoever audits the one audits the other (ledger.md 5).

A `Source` gives the bytes at a path of a tile tree, from a folder or over the network. `TreeReader` is a `Reader` over
it. What a published tree does not hold is derived or absent: `kind` and `game` of an entry come from its bytes, the
stored leaf from the level-0 tile, the chain column and the head row from the events and entries themselves. Streams
that are open or private and have no file are `withheld`, as the publisher must; an ended stream without one lacks
events, which level 4 says.
"""

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from ledger.checkpoint import Checkpoint, read_checkpoint
from ledger.entries import ENDS, OF_STREAMS, read_entry
from ledger.errors import LedgerError, Malformed, Unavailable
from ledger.merkle import HASH_SIZE, Frontier, leaf
from ledger.publish import blind_path, game_path, read_file
from ledger.receipt import unpack
from ledger.store import EntryRow, HeadRow, SignedRow, StreamRow, TextRow
from ledger.stream import StreamTree
from ledger.tiles import CHECKPOINT, WIDTH, Tile, decode_bundle, decode_tile

_KEPT: Final = 16  # bundles of entries in memory


class Source(Protocol):
    """Where a published log is read from."""

    @property
    def target(self) -> str:
        """The folder or URL, for messages."""
        ...

    def fetch(self, path: str) -> bytes | None:
        """Give the bytes at a path below the prefix, None where there is nothing; Unavailable where that fails."""
        ...


class FolderSource:
    """A published log in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.target = str(folder)

    def fetch(self, path: str) -> bytes | None:
        """Give the bytes of a file."""
        return read_file(self.folder / path)


class TreeReader:
    """A published log as a `ledger.store.Reader`; Unavailable or Malformed where it has no readable checkpoint."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.target = source.target
        note = source.fetch(CHECKPOINT)
        if note is None:
            raise Unavailable(self.target, "not a published log: it has no checkpoint")
        self.note = note
        self.signed: Checkpoint = read_checkpoint(note)
        self._bundles: OrderedDict[int, list[EntryRow]] = OrderedDict()
        self._places: dict[str, list[int]] = {}
        self._kinds: dict[str, list[int]] = {}
        self._tree = Frontier()
        self._gno = self._at = 0
        self._index()

    def _index(self) -> None:
        """Walk through the entries once; where they cannot be read the audit says so."""
        ends: dict[str, bool] = {}
        try:
            for row in self.entries():
                self._tree.append(leaf(row.data))
                self._kinds.setdefault(row.kind, []).append(row.idx)
                if row.game is not None:
                    self._places.setdefault(row.game, []).append(row.idx)
                try:
                    entry = read_entry(row.data)
                except Malformed:
                    continue
                self._at = max(self._at, entry.at)
                self._gno = max(self._gno, entry.gno + 1)
                if entry.game:
                    ends[entry.game] = entry.kind in ENDS and "root" in entry.record
        except Unavailable:
            pass
        self.withheld = frozenset(game for game, public in ends.items() if not public and self._file(game) is None)

    def _file(self, game: str) -> bytes | None:
        return self.source.fetch(game_path(game))

    def head(self) -> HeadRow | None:
        """Give the head as it follows from the entries: none is published."""
        return HeadRow(self._tree.size, self._gno, self._at, 0, self._tree.root(), self._tree.encode())

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[EntryRow]:
        """Give entries by index; Unavailable where a bundle is missing or damaged."""
        stop = self.signed.size if stop is None else min(stop, self.signed.size)
        for number in range(start // WIDTH, -(-stop // WIDTH)):
            for row in self._bundle(number):
                if start <= row.idx < stop:
                    yield row

    def _bundle(self, number: int) -> list[EntryRow]:
        if number not in self._bundles:
            self._bundles[number] = self._read_bundle(number)
            if len(self._bundles) > _KEPT:
                self._bundles.popitem(last=False)
        return self._bundles[number]

    def _read_bundle(self, number: int) -> list[EntryRow]:
        width = min(WIDTH, self.signed.size - number * WIDTH)
        tile = Tile(-1, number, width)
        data = self.source.fetch(tile.path())
        if data is None:
            raise Unavailable(self.target, f"{tile.path()} is missing")
        try:
            found = decode_bundle(data, tile.path())
        except Malformed as error:
            raise Unavailable(self.target, str(error)) from None
        if len(found) != width:
            raise Unavailable(self.target, f"{tile.path()} holds {len(found)} entries instead of {width}")
        leaves = self._leaves(number, width)
        return [_row(tile.start + place, leaves[place], each) for place, each in enumerate(found)]

    def _leaves(self, number: int, width: int) -> list[bytes]:
        tile = Tile(0, number, width)
        try:
            return decode_tile(self.source.fetch(tile.path()) or b"", tile)
        except Malformed:
            return [b""] * width  # each entry is then a finding: its stored leaf is not that of its bytes

    def entries_of(self, game: str) -> Iterator[EntryRow]:
        """Give the entries of a stream."""
        return self._at_places(self._places.get(game, ()))

    def entries_of_kind(self, *kinds: str) -> Iterator[EntryRow]:
        """Give the entries of some kinds."""
        return self._at_places(sorted(place for kind in kinds for place in self._kinds.get(kind, ())))

    def _at_places(self, places: list[int] | tuple[()]) -> Iterator[EntryRow]:
        for place in places:
            yield self._bundle(place // WIDTH)[place % WIDTH]

    def events(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes, bytes]]:
        """Give a stream's events with the chain that follows from them; Unavailable where their file is damaged."""
        data = self._file(game)
        if data is None:
            return
        try:
            events = unpack(data, game_path(game))
        except Malformed as error:
            raise Unavailable(self.target, str(error)) from None
        tree = StreamTree(game)
        for seq, event in enumerate(events):
            chain = tree.append(event)
            if seq >= start and (stop is None or seq < stop):
                yield seq, event, chain

    def games(self) -> Iterator[str]:
        """Give every id that has events here, in the order of its bytes."""
        return (game for game in sorted(self._places) if self._file(game) is not None)

    def stream(self, game: str) -> StreamRow | None:
        """Give a stream's row where its blind is published; what is open or private has one in a mirror."""
        data = self.source.fetch(blind_path(game))
        first = next(self.entries_of(game), None)
        if data is None or first is None:
            return None
        try:
            entry, blind = read_entry(first.data), bytes.fromhex(data.decode("ascii").removesuffix("\n"))
        except (LedgerError, ValueError):
            blind = b""
        if len(blind) != HASH_SIZE or f"{blind.hex()}\n".encode() != data:
            raise Unavailable(self.target, f"{blind_path(game)} is damaged")
        return StreamRow(game, entry.gno, str(entry.record["stream"]), private=False, blind=blind)

    def checkpoint(self) -> SignedRow | None:
        """Give the published checkpoint."""
        return SignedRow(self.signed.size, self.note, self._tree.encode())

    def checkpoints(self) -> Iterator[SignedRow]:
        """Give the published checkpoint: earlier ones are not kept."""
        row = self.checkpoint()
        return iter(() if row is None else (row,))

    def text(self, commitment: bytes) -> TextRow | None:
        """Give nothing: texts are not published."""
        del commitment
        return None

    def close(self) -> None:
        """Let go of what is in memory."""
        self._bundles.clear()


def _row(index: int, stored: bytes, data: bytes) -> EntryRow:
    try:
        entry = read_entry(data)
    except Malformed:
        return EntryRow(index, "", None, stored, data)
    return EntryRow(index, entry.kind, entry.game if entry.kind in OF_STREAMS else None, stored, data)
