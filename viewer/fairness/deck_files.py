"""Deck files: a line `# ` with the deck in order, then one wall a line, ids separated by a space.

A block of lines is read with array operations, some ten microseconds a wall; a block that is not in the exact
form is read line by line, and each line that is no wall of the deck is named. Files of kinds, copies not told apart,
get their ties broken by a generator with a logged seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from ledger.errors import Malformed
from viewer.batch.walls import Walls, flat
from viewer.fairness.deck import Deck, DeckError

BLOCK_BYTES: Final = 1 << 21
LONGEST_LINE: Final = 1 << 14
NEWLINE, SPACE = 10, 32
KEY_BYTES: Final = 4
"""Ids of up to four bytes are looked up as one number."""
SLOTS: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a deck file. `first`: number of its first line in the file, 1 being the deck's line."""

    data: bytes
    first: int


@dataclass(slots=True)
class Parsed:
    """Walls of a block, and what is wrong with the lines that are none: (line, why). `lines`: of each wall."""

    walls: Walls
    lines: NDArray[np.int64]
    faults: list[tuple[int, str]] = field(default_factory=list)


def is_deck_file(head: bytes) -> bool:
    """Tell whether a file begins like a deck file."""
    return head.startswith(b"# ")


def read_deck(file: BinaryIO, target: str, *, layout: str | None, wild: str) -> Deck:
    """Read the deck's line; Malformed where it is none."""
    line = file.readline(LONGEST_LINE)
    if not is_deck_file(line) or not line.endswith(b"\n") or not line.isascii():
        raise Malformed(target, "the first line is not `# ` with the deck in order", 0)
    try:
        return Deck.of(tuple(line[2:].decode("ascii").split()), layout=layout, wild=wild)
    except DeckError as error:
        raise Malformed(target, str(error), 0) from None


def blocks(file: BinaryIO, target: str) -> Iterator[Block]:
    """Yield the rest of a deck file in blocks of whole lines."""
    first = 2
    rest = b""
    while True:
        data = file.read(BLOCK_BYTES)
        if not data:
            break
        cut = data.rfind(b"\n") + 1
        if not cut and len(rest) + len(data) > LONGEST_LINE:
            raise Malformed(target, f"line {first} is longer than {LONGEST_LINE} bytes", 0)
        if not cut:
            rest += data
            continue
        block = Block(rest + data[:cut], first)
        first += block.data.count(b"\n")
        rest = data[cut:]
        yield block
    if rest:
        yield Block(rest + b"\n", first)


class Reader:
    """Reads blocks of one deck. `seed` breaks ties where the file tells kinds only."""

    def __init__(self, deck: Deck, seed: int) -> None:
        self._deck = deck
        self._seed = seed
        if deck.copies:
            codes = [identity.encode() for identity in deck.ids]
            self._index = {code: index for index, code in enumerate(codes)}
        else:
            self._index = {code.encode(): index for code, index in deck.first_of.items()}
        self._codes = dict.fromkeys(self._index)
        self._table: tuple[NDArray[np.uint32], NDArray[np.uint8], np.uint32] | None = None
        if all(len(code) <= KEY_BYTES for code in self._index):
            self._table = _perfect(self._index)
        counted = np.bincount(self._sorted_kinds(), minlength=deck.n)
        self._multiset = np.repeat(np.arange(deck.n), counted).astype(np.uint8)

    def _sorted_kinds(self) -> NDArray[np.int64]:
        """Return what every wall holds, in order: each index once, or the first index of each tile's kind."""
        deck = self._deck
        if deck.copies:
            return np.arange(deck.n)
        return np.sort([deck.first_of[identity.partition(".")[0]] for identity in deck.ids])

    def read(self, block: Block) -> Parsed:
        """Return the walls of a block."""
        walls = self._fast(block.data)
        if walls is None:
            return self._settled(self._slow(block), block.first)
        lines = np.arange(block.first, block.first + len(walls))
        return self._settled(Parsed(walls, lines), block.first)

    def _fast(self, data: bytes) -> Walls | None:
        """Read lines of the exact form; None where any line is of another."""
        n = self._deck.n
        if self._table is None:
            return None
        text = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(text <= SPACE)
        if len(ends) % n:
            return None
        marks = text[ends].reshape(-1, n)
        if not (marks[:, :-1] == SPACE).all() or not (marks[:, -1] == NEWLINE).all():
            return None
        starts = np.empty_like(ends)
        starts[0] = 0
        starts[1:] = ends[:-1] + 1
        lengths = ends - starts
        if lengths.min() < 1 or lengths.max() > KEY_BYTES:
            return None
        padded = np.frombuffer(data + bytes(KEY_BYTES), np.uint8)
        words = np.ndarray((len(data),), "<u4", padded.data, strides=(1,))
        keys = words[starts] & _MASKS[lengths]
        table, values, factor = self._table
        slots = (keys * factor) >> np.uint32(32 - SLOTS.bit_length() + 1)
        if not (table[slots] == keys).all():
            return None
        found: Walls = values[slots].reshape(-1, n)
        return found

    def _slow(self, block: Block) -> Parsed:
        """Read line by line and say what is wrong with those that are no walls."""
        n = self._deck.n
        rows: list[list[int]] = []
        lines: list[int] = []
        faults: list[tuple[int, str]] = []
        for number, line in enumerate(block.data.splitlines(), block.first):
            codes = line.split()
            strange = next((code for code in codes if code not in self._index), None)
            if strange is not None:
                faults.append((number, f"{strange[:20]!r} is not in the deck"))
            elif len(codes) != n:
                faults.append((number, f"{len(codes)} tiles, the deck has {n}"))
            else:
                rows.append([self._index[code] for code in codes])
                lines.append(number)
        walls = np.array(rows, np.uint8).reshape(-1, n)
        return Parsed(walls, np.array(lines, np.int64), faults)

    def _settled(self, parsed: Parsed, block: int) -> Parsed:
        """Take out rows that are not the deck; break ties where copies are not told apart."""
        walls = parsed.walls
        whole = permutations(walls) if self._deck.copies else multisets(walls, self._multiset)
        if not whole.all():
            for line in parsed.lines[~whole].tolist():
                parsed.faults.append((line, "a tile stands more often than in the deck"))
            walls, parsed.lines = walls[whole], parsed.lines[whole]
        if not self._deck.copies and len(walls):
            walls = self._broken(walls, block)
        parsed.walls = walls
        return parsed

    def _broken(self, walls: Walls, block: int) -> Walls:
        """Give the copies of each kind out at random, from the logged seed and the block's place."""
        generator = np.random.default_rng([self._seed, block])
        shuffled = walls.astype(np.uint64) << np.uint64(32) | generator.integers(0, 1 << 32, walls.shape, np.uint64)
        places = np.argsort(shuffled, axis=1)
        first = [self._deck.first_of[identity.partition(".")[0]] for identity in self._deck.ids]
        by_kind = np.argsort(np.array(first), kind="stable").astype(np.uint8)
        found = np.empty_like(walls)
        np.put_along_axis(found, places, np.broadcast_to(by_kind, walls.shape), axis=1)
        return found


def permutations(walls: Walls) -> NDArray[np.bool_]:
    """Tell which rows hold every index once; all indices are below the width."""
    found = np.zeros(walls.size, np.bool_)
    found[flat(walls)] = True
    return np.asarray(found.reshape(walls.shape).all(axis=1), np.bool_)


def multisets(walls: Walls, whole: Walls) -> NDArray[np.bool_]:
    """Tell which rows hold what `whole` holds, ascending."""
    return np.asarray((np.sort(walls, axis=1) == whole).all(axis=1), np.bool_)


_MASKS: Final = np.array([0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF], np.uint32)


def _perfect(index: dict[bytes, int]) -> tuple[NDArray[np.uint32], NDArray[np.uint8], np.uint32]:
    """Return a table without collisions: keys, values, and the factor that spreads the keys."""
    keys = np.array([int.from_bytes(code.ljust(KEY_BYTES, b"\x00"), "little") for code in index], np.uint32)
    values = np.array(list(index.values()), np.uint8)
    shift = np.uint32(32 - SLOTS.bit_length() + 1)
    factor = 0x9E3779B1
    while True:
        slots = (keys * np.uint32(factor)) >> shift
        if len(set(slots.tolist())) == len(keys):
            break
        factor = (factor * 5 + 2) & 0xFFFFFFFF | 1
    table, found = np.zeros(SLOTS, np.uint32), np.zeros(SLOTS, np.uint8)
    table[slots], found[slots] = keys, values
    return table, found, np.uint32(factor)
