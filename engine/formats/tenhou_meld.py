"""Tenhou's 16-bit meld word (`<N m="…"/>`): which tiles, which of them was claimed, from whom.

Bits: 0-1 the discarder, counted from the caller; 2 chow; 3 pung; 4 added kong; 5 north of three players; none of
them: a concealed or direct kong. One meld has one word: decode and encode are inverse.
"""

from engine.formats.riichi import Act

MOST = 0xFFFF


def decode(word: int, seat: int, place: int = 0) -> Act:
    """Return the meld of a word; ValueError where no meld has this word."""
    act = _decode(word, seat, place)
    if encode(act) != word:
        raise ValueError(f"no meld has the word {word}")
    return act


def _decode(word: int, seat: int, place: int) -> Act:
    if not 0 <= word <= MOST:
        raise ValueError(f"no meld has the word {word}")
    source = (seat + (word & 3)) % 4
    if word & 0x4:
        return _chow(word, seat, source, place)
    if word & 0x18:
        return _pung(word, seat, source, place)
    tile = word >> 8
    if tile > 135:
        raise ValueError(f"no tile {tile}")
    if word & 0x20:
        return Act("north", seat, tile=tile, tiles=(tile,), place=place)
    first = tile - tile % 4
    tiles = tuple(range(first, first + 4))
    if word & 3:
        return Act("direct_kong", seat, tiles=tiles, claimed=tile, source=source, place=place)
    return Act("concealed_kong", seat, tile=tile, tiles=tiles, place=place)


def _chow(word: int, seat: int, source: int, place: int) -> Act:
    pattern, called = divmod(word >> 10, 3)
    suit, low = divmod(pattern, 7)
    if suit > 2:
        raise ValueError(f"no chow {pattern}")
    first = 4 * (9 * suit + low)
    tiles = tuple(first + 4 * step + ((word >> (3 + 2 * step)) & 3) for step in range(3))
    return Act("chow", seat, tiles=tiles, claimed=tiles[called], source=source, place=place)


def _pung(word: int, seat: int, source: int, place: int) -> Act:
    fourth = (word >> 5) & 3
    kind, called = divmod(word >> 9, 3)
    if kind > 33:
        raise ValueError(f"no pung of {kind}")
    three = tuple(4 * kind + copy for copy in range(4) if copy != fourth)
    if word & 0x8:
        return Act("pung", seat, tiles=three, claimed=three[called], source=source, place=place)
    added = 4 * kind + fourth
    return Act("added_kong", seat, tile=added, tiles=tuple(range(4 * kind, 4 * kind + 4)), claimed=three[called],
               source=source, place=place)  # fmt: skip


def encode(act: Act) -> int:
    """Return the word of a meld."""
    if act.kind == "north":
        return act.tile << 8 | 0x20
    turns = (act.source - act.seat) % 4 if act.source >= 0 else 0
    first = act.tiles[0] - act.tiles[0] % 4
    if act.kind == "chow":
        suit, low = divmod(act.tiles[0] // 4, 9)
        word = (7 * suit + low) * 3 + act.tiles.index(act.claimed)
        copies = sum((tile % 4) << (3 + 2 * step) for step, tile in enumerate(act.tiles))
        return word << 10 | copies | 0x4 | turns
    if act.kind in {"pung", "added_kong"}:
        fourth = act.tile % 4 if act.kind == "added_kong" else (6 - sum(tile % 4 for tile in act.tiles))
        three = [tile for tile in range(first, first + 4) if tile != first + fourth]
        word = (first // 4) * 3 + three.index(act.claimed)
        return word << 9 | fourth << 5 | (0x8 if act.kind == "pung" else 0x10) | turns
    tile = act.claimed if act.kind == "direct_kong" else act.tile
    return tile << 8 | turns
