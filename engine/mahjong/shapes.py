"""Whether a hand is complete, in every shape that its rules list (`mahjong.md` 1.5, 3.6): legality, not worth.

The standard shape, four melds and a pair, is asked of kept keys. The other shapes need fourteen concealed tiles. Wild
tiles stand for any kind; a won tile that another seat played counts as its own face (3.4), so it is natural here.
What a complete hand may be read as is the business of `forms`.
"""

from collections.abc import Callable, Sequence

from engine.mahjong.hand import POWER, SUIT, complete, complete_capped
from engine.mahjong.reading import complete_beside
from engine.mahjong.special import is_thirteen_orphans
from engine.mahjong.state import NONE, Hand, Side

_ENDS = (0, POWER[0], POWER[8], POWER[0] + POWER[8], 2 * POWER[0], 2 * POWER[8])
_ORPHAN_KEYS = frozenset((*_ENDS, 2 * POWER[0] + POWER[8], POWER[0] + 2 * POWER[8]))
"""Keys of a suit that holds nothing but ones and nines, at most one of them twice."""


def shape(hand: Hand, seat: int, tile: int) -> bool:
    """Tell whether the seat's concealed tiles and this one (NONE: nothing more) are complete in a listed shape."""
    side = hand.sides[seat]
    if side.held:
        return False
    keys = side.keys
    if tile != NONE:
        keys = list(keys)
        keys[SUIT[tile]] += POWER[tile]
    if not hand.wide:
        m, p, s, z = keys
        return complete(m, p, s, z)
    return completes(hand, side, keys, tile)


def completes(hand: Hand, side: Side, keys: Sequence[int], tile: int) -> bool:
    """Tell the same of a side without unexposed flowers; `keys` hold the tile already."""
    wilds = side.wilds
    if complete(keys[0], keys[1], keys[2], keys[3], wilds) and (
        hand.rules.wild_fifth or not wilds or _within_four(side, keys, tile)
    ):
        return True
    if side.melds or (wilds and not hand.rules.wild_special):
        return False
    return any(SPECIAL[name](side, tile) for name in hand.special)


def naturals(side: Side, tile: int) -> list[int]:
    """Return the 34 counts of concealed natural tiles, this one with them."""
    counts = side.counts[:34]
    if side.wilds:
        counts[side.wild] -= side.wilds
    if tile != NONE:
        counts[tile] += 1
    return counts


def melded(side: Side) -> list[int]:
    """Return the 34 counts of the tiles in melds."""
    counts = [0] * 34
    for meld in side.melds:
        for tile in meld.whole:
            counts[tile] += 1
    return counts


def _within_four(side: Side, keys: Sequence[int], tile: int) -> bool:
    """Tell whether the wilds need be no fifth copy, melds counted (HN-12)."""
    if not complete_capped(keys[0], keys[1], keys[2], keys[3], side.wilds):
        return False
    return not side.melds or complete_beside(naturals(side, tile), melded(side), side.wilds)


def seven_pairs(side: Side, tile: int) -> bool:
    """Tell whether each single tile finds a wild; wilds left over are even in number and pair with each other."""
    odd = side.odd if tile == NONE else side.odd ^ (1 << tile)
    return odd.bit_count() <= side.wilds


def thirteen_orphans(side: Side, tile: int) -> bool:
    """Tell whether every natural tile is an orphan, one of them at most twice."""
    keys = side.keys
    if keys[0] not in _ORPHAN_KEYS or keys[1] not in _ORPHAN_KEYS or keys[2] not in _ORPHAN_KEYS:
        return False
    return is_thirteen_orphans(naturals(side, tile), side.wilds)


SPECIAL: dict[str, Callable[[Side, int], bool]] = {
    "seven_pairs": seven_pairs,
    "thirteen_orphans": thirteen_orphans,
}
"""Every shape but the standard one by the name that rules list: tests of fourteen concealed tiles."""
