"""The winning shape of a concealed hand, by suit tables: four look-ups decide, with wilds and without.

A hand is told by four *keys*, one a suit (m, p, s) and one for the honours: base-5 numbers of its counts. A table
holds for each key the fewest wilds that finish that suit as melds only (N) and as melds + pair (E). With fifth copies
allowed, N - E is always 1 or -2, so one sum decides the hand (mahjong.md 5.2, checked for every pattern by the tests):

    need = sum of N - 1 if some suit has N - E = 1, else sum of N + 2

Without fifth copies the two numbers of each suit are combined, pair in one of the four. This module knows only the
standard shape, melds + one pair; `special` holds seven pairs and thirteen orphans, `reading` how a hand divides.

`counts` is everywhere a sequence of 34 numbers 0..4, the natural concealed tiles by kind (mahjong.md 0.1): wild tiles
are counted in `wilds` instead, claimed melds and flowers not at all. Tiles and wilds together are at most fourteen.
"""

import binascii
import zlib
from collections.abc import Sequence

from engine.mahjong import suit_table

SUIT: tuple[int, ...] = tuple(kind // 9 for kind in range(34))
"""The key each kind belongs to: 0 m, 1 p, 2 s, 3 honours."""

POWER: tuple[int, ...] = tuple(5 ** (8 - kind % 9) if kind < 27 else 5 ** (33 - kind) for kind in range(34))
"""What one tile of a kind adds to its key: keys are kept by adding and subtracting it."""

MOST_WILDS = 4
"""Wilds a hand can hold: the four tiles of one kind (mahjong.md 3.1)."""

# A base-5 digit for each lawful count; any other count becomes a character that int() refuses.
_DIGITS = b"01234" + b"x" * 251
_MOST_TILES = 14
_BEYOND = MOST_WILDS + 1


def _unpack(packed: bytes) -> bytes:
    return zlib.decompress(binascii.a2b_base64(packed))


def _free_codes() -> bytes:
    """Code each class as 5 N + (1 if N - E = 1): four codes add up without carry, below 256."""
    codes = bytes(5 * none + (pair < none) for none, pair, _, _ in suit_table.CLASSES)
    return codes + bytes(256 - len(codes))


def _capped_codes() -> bytes:
    """Code each class as 6 N + E without fifth copies, 5 meaning more than four wilds or impossible."""
    codes = bytes(6 * min(none, _BEYOND) + min(pair, _BEYOND) for _, _, none, pair in suit_table.CLASSES)
    return codes + bytes(256 - len(codes))


def _join(first: int, second: int) -> int:
    """Combine two capped codes: melds in both, the pair in either."""
    none = first // 6 + second // 6
    pair = min(first // 6 + second % 6, first % 6 + second // 6)
    return 6 * min(none, _BEYOND) + min(pair, _BEYOND)


def _suffices(need: int, wilds: int) -> bool:
    """Say whether the wilds are enough and left over by threes, each three a pung of a kind the hand has none of."""
    return need <= wilds and (wilds - need) % 3 == 0


_SUITS = _unpack(suit_table.SUIT)
_HONOURS = _unpack(suit_table.HONOURS)

_FREE = _SUITS.translate(_free_codes())
_FREE_HONOURS = _HONOURS.translate(_free_codes())
# By the sum of four codes: 3 * 8 + 14 is the largest sum of N.
_NEED: tuple[int, ...] = tuple(code // 5 - 1 if code % 5 else code // 5 + 2 for code in range(5 * 38 + 5))
_WINS: tuple[tuple[bool, ...], ...] = tuple(
    tuple(_suffices(need, wilds) for need in _NEED) for wilds in range(_MOST_TILES + 1)
)

_CAPPED = _SUITS.translate(_capped_codes())
_CAPPED_HONOURS = _HONOURS.translate(_capped_codes())
_JOIN: tuple[bytes, ...] = tuple(bytes(_join(first, second) for second in range(36)) for first in range(36))
_CAPPED_WINS: tuple[tuple[bool, ...], ...] = tuple(
    tuple(code % 6 <= MOST_WILDS and _suffices(code % 6, wilds) for code in range(36))
    for wilds in range(MOST_WILDS + 1)
)


def keys(counts: Sequence[int]) -> list[int]:
    """Compute the four keys of a hand; a bytearray of counts is read fastest.

    Raises ValueError if there are not 34 counts or one of them is outside 0..4.
    """
    m, p, s, z = _keys(counts)
    return [m, p, s, z]


def _keys(counts: Sequence[int]) -> tuple[int, int, int, int]:
    """Read the 34 counts as one number in base 5 and cut it into the four keys: no loop, every count checked."""
    if len(counts) != 34:
        raise ValueError(f"34 counts are needed, one a kind, not {len(counts)}")
    digits = bytes(counts).translate(_DIGITS)
    try:
        rest, z = divmod(int(digits, 5), 5**7)
    except ValueError:
        kind = digits.index(b"x")
        raise ValueError(f"kind {kind} is counted {counts[kind]} times; there are four tiles of a kind") from None
    rest, s = divmod(rest, 5**9)
    m, p = divmod(rest, 5**9)
    return m, p, s, z


def complete(m: int, p: int, s: int, z: int, wilds: int = 0) -> bool:
    """Say whether kept keys and wilds (0..14) make melds + one pair, a wild standing for any kind, a fifth copy too.

    False for sizes other than 3k + 2.
    """
    return _WINS[wilds][_FREE[m] + _FREE[p] + _FREE[s] + _FREE_HONOURS[z]]


def complete_capped(m: int, p: int, s: int, z: int, wilds: int = 0) -> bool:
    """Say whether keys and wilds (0..4) make melds + one pair with no kind more than four times (HN-12, `wild_fifth`).

    The cap counts the concealed tiles; `reading.complete_beside` counts claimed melds as well. False for sizes other
    than 3k + 2.
    """
    return _CAPPED_WINS[wilds][_JOIN[_JOIN[_CAPPED[m]][_CAPPED[p]]][_JOIN[_CAPPED[s]][_CAPPED_HONOURS[z]]]]


def complete_counts(counts: Sequence[int], wilds: int = 0, *, fifth: bool = True) -> bool:
    """Say whether counts and wilds (0..4) make melds + one pair; `fifth`: a wild may be a fifth copy.

    False for sizes other than 3k + 2. Raises ValueError as `keys` does.
    """
    m, p, s, z = _keys(counts)
    if fifth:
        return _WINS[wilds][_FREE[m] + _FREE[p] + _FREE[s] + _FREE_HONOURS[z]]
    return complete_capped(m, p, s, z, wilds)


def need(m: int, p: int, s: int, z: int) -> int:
    """Count the fewest wilds to add until every tile stands in melds + one pair, fifth copies allowed.

    No tile is given up: for the tiles still to be exchanged see `distance`.
    """
    return _NEED[_FREE[m] + _FREE[p] + _FREE[s] + _FREE_HONOURS[z]]


def shortfall(suit: int, key: int) -> tuple[int, int]:
    """Look up the fewest wilds that finish one suit as melds only and as melds + pair, fifth copies allowed."""
    code = _FREE_HONOURS[key] if suit == 3 else _FREE[key]
    none = code // 5
    return none, none - 1 if code % 5 else none + 2


def waits(counts: Sequence[int], wilds: int = 0, *, fifth: bool = True) -> tuple[int, ...]:
    """List the kinds, ascending, of which one more natural tile completes 3k + 1 tiles, 0..4 wilds among them.

    A kind held four times is never waited for: no fifth natural tile exists. A further wild is not asked about here.
    Raises ValueError as `keys` does.
    """
    held = keys(counts)
    codes = [_FREE[held[0]], _FREE[held[1]], _FREE[held[2]], _FREE_HONOURS[held[3]]]
    total = codes[0] + codes[1] + codes[2] + codes[3]
    # Whatever tile completes the hand, a wild would too, and it alone may be a fifth copy.
    if not _WINS[wilds + 1][total]:
        return ()
    wins = _WINS[wilds]
    found: list[int] = []
    for suit, key in enumerate(held):
        if not (key or wilds):
            continue  # a lone tile, and no wild to stand beside it
        rest = total - codes[suit]
        table = _FREE_HONOURS if suit == 3 else _FREE
        found += [
            kind
            for kind in range(9 * suit, min(9 * suit + 9, 34))
            if counts[kind] < 4 and wins[rest + table[key + POWER[kind]]]
        ]
    if fifth:
        return tuple(found)
    return tuple(kind for kind in found if _capped_with(held, kind, wilds))


def _capped_with(held: Sequence[int], kind: int, wilds: int) -> bool:
    """Say whether one more tile of a kind completes the keys without fifth copies."""
    drawn = list(held)
    drawn[SUIT[kind]] += POWER[kind]
    return complete_capped(drawn[0], drawn[1], drawn[2], drawn[3], wilds)
