"""Shapes of riichi hands: complete, waits, the tiles that a call forbids to discard. Kinds are Tenhou's, 0..33."""

from collections.abc import Iterable
from functools import lru_cache

from engine.formats.riichi import Act
from engine.mahjong.hand import complete_counts, waits

ORPHANS = frozenset({0, 8, 9, 17, 18, 26, *range(27, 34)})
"""Terminals and honours."""


def counted(tiles: Iterable[int]) -> bytes:
    """Return how many tiles of each kind there are, as 34 bytes."""
    counts = bytearray(34)
    for tile in tiles:
        counts[tile // 4] += 1
    return bytes(counts)


@lru_cache(maxsize=1 << 16)
def waiting(counts: bytes) -> frozenset[int]:
    """Return the kinds that complete concealed tiles of 3k + 1; kinds of which all four are among them excepted."""
    found = set(waits(counts))
    if sum(counts) == 13:
        if sorted(each for each in counts if each) == [1, 2, 2, 2, 2, 2, 2]:
            found.add(counts.index(1))
        held = {kind for kind in ORPHANS if counts[kind]}
        if sum(counts[kind] for kind in held) == 13:
            lacking = ORPHANS - held
            if not lacking:
                found |= ORPHANS
            elif len(lacking) == 1:
                found |= lacking
    return frozenset(found)


def complete(counts: bytes) -> bool:
    """Tell whether concealed tiles of 3k + 2 are a winning shape."""
    if complete_counts(counts):
        return True
    if sum(counts) != 14:
        return False
    if all(each in {0, 2} for each in counts):
        return True
    return all(counts[kind] for kind in ORPHANS) and sum(counts[kind] for kind in ORPHANS) == 14


def ready(concealed: Iterable[int], melds: Iterable[Act]) -> bool:
    """Tell whether a hand waits for a tile that it does not hold all four of itself."""
    tiles = list(concealed)
    owned = bytearray(counted(tiles))
    for meld in melds:
        for tile in meld.tiles:
            owned[tile // 4] += 1
    return any(owned[kind] < 4 for kind in waiting(counted(tiles)))


def barred(call: Act) -> frozenset[int]:
    """Return the kinds barred right after a chow or pung: the claimed one, and its run's other end."""
    kind = call.claimed // 4
    found = {kind}
    if call.kind == "chow":
        low, _, high = (tile // 4 for tile in call.tiles)
        if kind == low and kind % 9 < 6:
            found.add(kind + 3)
        if kind == high and kind % 9 > 2:
            found.add(kind - 3)
    return frozenset(found)


def is_meld(kind: str, tiles: Iterable[int]) -> bool:
    """Tell whether tiles in order of their ids are a chow, a pung or a direct kong."""
    kinds = [tile // 4 for tile in tiles]
    if kind == "chow":
        first = kinds[0]
        return kinds == [first, first + 1, first + 2] and first < 27 and first % 9 < 7
    return len(set(kinds)) == 1 and len(kinds) == (4 if kind == "direct_kong" else 3)
