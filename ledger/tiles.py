"""Tiles: a log's hashes and entries as static files (C2SP tlog-tiles; ledger.md 2).

    checkpoint                        the newest signed head
    tile/<L>/<N>[.p/<W>]              hashes of level L, 32 bytes each: MTH of 256^L entries apiece
    tile/entries/<N>[.p/<W>]          a bundle: the entries of level-0 tile N, each uint16_be length || bytes

A full tile is 256 hashes wide; N is in groups of three digits, all but the last prefixed `x` (1234067 is
`x001/x234/067`); W, 1 to 255, is the width of a partial tile. At level L a tree of size s has floor(s / 256^L) hashes:
full tiles and, where that is no multiple of 256, one partial tile of the rest; an empty tile has no file, and a partial
tile is never hashed upward. Example: size 70,000 has 273 full tiles and `.p/112` at level 0, one full tile and `.p/17`
at level 1, `.p/1` at level 2.

A tile at level L + 1 is computed from full tiles of level L alone; within a tile the levels between are hashed anew.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.errors import Malformed
from ledger.merkle import HASH_SIZE, root

WIDTH: Final = 256
MAX_ENTRY: Final = 65_535
MAX_LEVEL: Final = 63
CHECKPOINT: Final = "checkpoint"

_WHAT: Final = "tile path"
_PATH: Final = re.compile(r"tile/(entries|[0-9]{1,2})/((?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")


@dataclass(frozen=True, order=True)
class Tile:
    """One tile: `level` (-1: the bundle of entries beside level 0), index `number`, `width` hashes or entries."""

    level: int
    number: int
    width: int = WIDTH

    def path(self) -> str:
        """Write the path below the log's prefix; the mirror of `parse_path`."""
        digits = str(self.number)
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        name = "".join(f"x{group}/" for group in groups[:-1]) + groups[-1]
        level = "entries" if self.level < 0 else str(self.level)
        return f"tile/{level}/{name}" + (f".p/{self.width}" if self.width < WIDTH else "")

    @property
    def start(self) -> int:
        """Give the index, at the tile's level, of its first hash."""
        return self.number * WIDTH


def parse_path(path: str) -> Tile:
    """Read a tile's path; Malformed where it is not exactly one."""
    found = _PATH.fullmatch(path)
    if not found or not path.isascii():
        raise Malformed(_WHAT, "tile/<level>/<index>[.p/<width>] was expected")
    level, name, width = found.groups()
    tile = Tile(
        -1 if level == "entries" else int(level),
        int(name.replace("x", "").replace("/", "")),
        WIDTH if width is None else int(width),
    )
    if tile.path() != path or tile.level > MAX_LEVEL or (width is not None and tile.width >= WIDTH):
        raise Malformed(_WHAT, "not the one spelling of this tile")
    return tile


def tiles_of(size: int, entries: bool = True) -> Iterator[Tile]:
    """Give every tile of a tree of this size, level by level, full ones first; with its bundles, unless not wanted."""
    if entries:
        yield from _row(-1, size)
    level, count = 0, size
    while count:
        yield from _row(level, count)
        level, count = level + 1, count // WIDTH


def _row(level: int, count: int) -> Iterator[Tile]:
    for number in range(count // WIDTH):
        yield Tile(level, number)
    if count % WIDTH:
        yield Tile(level, count // WIDTH, count % WIDTH)


class TileTree:
    """All tile hashes of a tree, level by level, as they follow from its leaves."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self.size = len(leaves)
        self.levels: list[Sequence[bytes]] = [leaves]
        while len(self.levels[-1]) >= WIDTH:
            below = self.levels[-1]
            full = len(below) // WIDTH
            self.levels.append([root(below[at * WIDTH : (at + 1) * WIDTH]) for at in range(full)])

    def hashes(self, tile: Tile) -> Sequence[bytes]:
        """Give the hashes of a tile of this tree."""
        return self.levels[tile.level][tile.start : tile.start + tile.width]


def encode_tile(hashes: Sequence[bytes]) -> bytes:
    """Write a tile's hashes; the mirror of `decode_tile`."""
    return b"".join(hashes)


def decode_tile(data: bytes, tile: Tile) -> list[bytes]:
    """Read a tile's hashes; Malformed where the length is not that of its width."""
    if len(data) != tile.width * HASH_SIZE:
        raise Malformed(tile.path(), f"{len(data)} bytes instead of {tile.width * HASH_SIZE}")
    return [data[at : at + HASH_SIZE] for at in range(0, len(data), HASH_SIZE)]


def encode_bundle(records: Sequence[bytes]) -> bytes:
    """Write records one after the other, each behind its uint16 length; the mirror of `decode_bundle`."""
    for record in records:
        if len(record) > MAX_ENTRY:
            raise Malformed("bundle", f"a record of {len(record)} bytes, at most {MAX_ENTRY} fit")
    return b"".join(len(record).to_bytes(2) + record for record in records)


def decode_bundle(data: bytes, what: str = "bundle") -> list[bytes]:
    """Read a bundle's records; Malformed where the last one is cut off."""
    found: list[bytes] = []
    at = 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2])
        if at + 2 > len(data) or end > len(data):
            raise Malformed(what, "the last record is cut off", at)
        found.append(data[at + 2 : end])
        at = end
    return found
