"""How far a hand is from the standard shape: the tiles that must still be exchanged. For players, not for verdicts.

A reading of a hand on its way is a choice of disjoint *blocks*: melds of three held tiles, partial melds of two (two
equal, neighbours, or a gap of one) and a head of two. Every block still missing takes one leftover tile and is built
round it, so distance = tiles of the target - tiles kept. Copies a wall no longer has are not excluded: a hand that
waits only for a fifth copy still counts as ready.
"""

from functools import lru_cache

from engine.mahjong.hand import MOST_WILDS

_SETS = 5  # 0..4 blocks
_NONE = -99  # no such choice of blocks

# Tiles kept by 0..4 blocks without a head, then by 0..4 blocks with one, then all tiles of the suit.
Kept = tuple[int, ...]

_NOTHING: Kept = (0, *[_NONE] * 9)


def _better(first: Kept, second: Kept) -> Kept:
    # A conditional, not max(): this is most of the search's time.
    return tuple([a if a > b else b for a, b in zip(first, second, strict=True)])  # noqa: FURB136  twice as fast


def _block(kept: Kept, tiles: int) -> Kept:
    """Add one meld or partial meld of so many tiles."""
    plain = [value + tiles for value in kept[: _SETS - 1]]
    headed = [value + tiles for value in kept[_SETS : 2 * _SETS - 1]]
    return (_NONE, *plain, _NONE, *headed)


def _head(kept: Kept) -> Kept:
    """Add the head."""
    return (*[_NONE] * _SETS, *[value + 2 for value in kept[:_SETS]])


@lru_cache(maxsize=1 << 17)
def _kept(key: int, chows: bool) -> Kept:
    """Find the most tiles that blocks of one suit keep, by number of blocks and head.

    The lowest digit is the suit's last kind still to be placed; a tile of it is left over or opens one block. Blocks
    look the same wherever they lie, so trailing zeros are dropped and the rest shifted.
    """
    if not key:
        return _NOTHING
    first = key % 5
    if not first:
        return _kept(key // 5, chows)
    best = _kept(key - 1, chows)
    if first >= 2:
        rest = _kept(key - 2, chows)
        best = _better(best, _better(_block(rest, 2), _head(rest)))
    if first >= 3:
        best = _better(best, _block(_kept(key - 3, chows), 3))
    if chows:
        second, third = key // 5 % 5, key // 25 % 5
        if second:
            best = _better(best, _block(_kept(key - 6, chows), 2))
        if third:
            best = _better(best, _block(_kept(key - 26, chows), 2))
        if second and third:
            best = _better(best, _block(_kept(key - 31, chows), 3))
    return best


@lru_cache(maxsize=1 << 16)
def _both(first: Kept, second: Kept) -> Kept:
    """Keep blocks of two groups of suits side by side; at most one head."""
    joined = [_NONE] * (2 * _SETS)
    for blocks in range(_SETS):
        for more in range(_SETS - blocks):
            plain = first[blocks] + second[more]
            headed = max(first[blocks] + second[_SETS + more], first[_SETS + blocks] + second[more])
            joined[blocks + more] = max(joined[blocks + more], plain)
            joined[_SETS + blocks + more] = max(joined[_SETS + blocks + more], headed)
    return tuple([max(value, _NONE) for value in joined])


@lru_cache(maxsize=1 << 17)
def _tiles(key: int) -> int:
    """Count the tiles of a key."""
    return key % 5 + _tiles(key // 5) if key else 0


def distance(m: int, p: int, s: int, z: int, *, sets: int = 4, wilds: int = 0) -> int:
    """Count the tiles still to be exchanged, or got, before the hand is `sets` melds + one pair.

    `sets` is four less the claimed melds, `wilds` 0..4; tiles and wilds together are 3 sets + 1 or 3 sets + 2. Equal to
    what is elsewhere called shanten, plus one: 0 complete (only with 3 sets + 2), 1 one tile away.
    """
    assert 0 <= sets < _SETS
    assert 0 <= wilds <= MOST_WILDS
    kept = _both(_both(_kept(m, True), _kept(p, True)), _both(_kept(s, True), _kept(z, False)))
    held = _tiles(m) + _tiles(p) + _tiles(s) + _tiles(z)
    most = 0
    for blocks in range(sets + 1):
        missing = sets - blocks
        most = max(most, kept[blocks] + missing + 1, kept[_SETS + blocks] + missing)
    return 3 * sets + 2 - wilds - min(most, held)
