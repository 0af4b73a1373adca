"""Which values stand twice: digests in a temporary file, so that memory stays constant whatever the number of deals.

Records lie in buckets by their first bits; each bucket is sorted by itself. Digests have 128 bits: two different
values with one digest are not to be expected in any archive.
"""

import tempfile
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np

from viewer.batch.walls import Ints

DIGEST: Final = 16
BUCKETS: Final = 64
HELD: Final = 1 << 16
"""Records held in memory before they are written to their buckets."""
SHOWN: Final = 4
"""Places named of one value."""
RECORD: Final = np.dtype([("high", ">u8"), ("low", ">u8"), ("number", "<u8")])


def digest(value: bytes) -> bytes:
    """Return the digest of a value, 16 bytes."""
    return blake2b(value, digest_size=DIGEST).digest()


@dataclass(frozen=True, slots=True)
class Repeated:
    """A value that stands at several places, the first few of them named."""

    places: tuple[str, ...]
    count: int


class Spool:
    """Values of one sort, added in order; places are named by number afterwards."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="paipu-spool-")
        self._root = Path(self._folder.name)
        self._held: list[bytes] = []
        self._first = 0
        self.count = 0
        self._names = (self._root / "names").open("w", encoding="utf-8")

    def close(self) -> None:
        """Remove the file."""
        self._names.close()
        self._folder.cleanup()

    def add(self, value: bytes, name: str) -> None:
        """Add the digest of one value, found at a place."""
        self._take(digest(value), [(0, name)])

    def add_lines(self, digests: bytes, name: str, lines: Ints) -> None:
        """Add digests, one after the other, of values on these lines of a file, ascending."""
        if len(lines):
            breaks = [0, *(np.flatnonzero(np.diff(lines) != 1) + 1).tolist()]
            self._take(digests, [(at, f"{name}\t{lines[at]}") for at in breaks])

    def _take(self, digests: bytes, names: list[tuple[int, str]]) -> None:
        for at, name in names:
            self._names.write(f"{self.count + at} {name}\n")
        self._held.append(digests)
        self.count += len(digests) // DIGEST
        if self.count - self._first >= HELD:
            self._write()

    def _write(self) -> None:
        data = np.frombuffer(b"".join(self._held), np.dtype([("high", ">u8"), ("low", ">u8")]))
        self._held = []
        records = np.empty(len(data), RECORD)
        records["high"], records["low"] = data["high"], data["low"]
        records["number"] = np.arange(self._first, self._first + len(data), dtype=np.uint64)
        self._first += len(data)
        bucket = (records["high"] >> np.uint64(58)).astype(np.int64)
        order = np.argsort(bucket, kind="stable")
        edges = np.searchsorted(bucket[order], np.arange(BUCKETS + 1))
        for number in range(BUCKETS):
            mine = order[edges[number] : edges[number + 1]]
            if len(mine):
                with (self._root / f"{number}").open("ab") as file:
                    file.write(records[mine].tobytes())

    def repeated(self, most: int = 100) -> tuple[int, list[Repeated]]:
        """Return how many values stand more than once, and the first of them with their places."""
        if self._held:
            self._write()
        groups: list[list[int]] = []
        total = 0
        for number in range(BUCKETS):
            path = self._root / f"{number}"
            if not path.exists():
                continue
            records = np.fromfile(path, RECORD)
            records = records[np.lexsort((records["number"], records["low"], records["high"]))]
            same = (records["high"][1:] == records["high"][:-1]) & (records["low"][1:] == records["low"][:-1])
            starts = np.flatnonzero(same & ~np.concatenate(([False], same[:-1])))
            total += len(starts)
            for start in starts[:most].tolist():
                stop = start + 1
                while stop <= len(same) and same[stop - 1]:
                    stop += 1
                groups.append(records["number"][start:stop].tolist())
        groups = sorted(groups)[:most]
        names = self._named({number for group in groups for number in group[:SHOWN]})
        return total, [Repeated(tuple(names[number] for number in group[:SHOWN]), len(group)) for group in groups]

    def _named(self, wanted: set[int]) -> dict[int, str]:
        """Return the place of each number: the last name at or before it."""
        self._names.flush()
        found: dict[int, str] = {}
        waiting = iter(sorted(wanted))
        number = next(waiting, None)
        first, name = 0, ""
        with (self._root / "names").open(encoding="utf-8") as file:
            for row in file:
                at, _, text = row.rstrip("\n").partition(" ")
                while number is not None and number < int(at):
                    found[number] = _place(name, number - first)
                    number = next(waiting, None)
                first, name = int(at), text
        while number is not None:
            found[number] = _place(name, number - first)
            number = next(waiting, None)
        return found


def _place(name: str, offset: int) -> str:
    """Return the place `offset` after a named one."""
    text, mark, line = name.rpartition("\t")
    return f"{text} line {int(line) + offset}" if mark else name
