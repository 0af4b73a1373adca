"""Everything a winning hand with wild tiles may be read as, told by what scoring asks of a reading (`mahjong.md` 3.6).

A *form* is a class of readings: which suits occur, whether there are chows and pungs, which honours are triplets, what
the pair is. Many readings share a form, so a hand has few forms even with four wilds. Suit by suit they are found once
and remembered; without fifth copies (HN-12) a suit cannot be judged alone, and the readings themselves are gone
through.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from engine.mahjong.hand import keys
from engine.mahjong.reading import ELSEWHERE, Set, readings, suit_readings, wild_shares
from engine.mahjong.rules import MahjongRules
from engine.mahjong.special import natural_quads, seven_pairs, thirteen_orphans
from engine.mahjong.state import NONE, Meld

EAST = 27
PLAIN, EYE = -1, -2
HONOURS = 8
"""The bit of `Form.suits` that says that honours occur; 1, 2, 4 are m, p, s."""


class Form(NamedTuple):
    """One form. `shape` is the name of the winning shape; melds are in all of it."""

    shape: str
    suits: int
    """Which suits and honours occur, as bits."""
    chows: bool
    pungs: bool
    triplets: int
    """Honours that stand as pung or kong: bit k is kind 27 + k."""
    pair: int
    """EYE for a 2, 5 or 8, PLAIN for another suit tile (or no single pair), else the kind of the honour."""
    quads: int
    posing: bool
    """Whether a wild stands for another kind than its own face."""


Part = tuple[bool, bool, int, int, bool]
"""Of one suit: chows, pungs, triplets, pair (ELSEWHERE - 2 where it is in another suit), posing."""
NO_PAIR = -3


def pair_class(kind: int) -> int:
    """Return what scoring asks of a pair: EYE, PLAIN, or the honour."""
    if kind >= EAST:
        return kind
    return EYE if kind % 3 == 1 else PLAIN


def _part(sets: Iterable[Set], pair: int, became: Sequence[int], wild: int) -> Part:
    chows = pungs = False
    triplets = 0
    for shape, kind in sets:
        if shape == "chow":
            chows = True
        else:
            pungs = True
            if kind >= EAST:
                triplets |= 1 << (kind - EAST)
    return chows, pungs, triplets, NO_PAIR if pair == ELSEWHERE else pair_class(pair), any(k != wild for k in became)


@lru_cache(maxsize=1 << 16)
def suit_forms(suit: int, key: int, wilds: int, wild: int) -> tuple[Part, ...]:
    """Return the forms of one suit that uses exactly so many wilds, each once, in a fixed order; fifth copies too."""
    found = dict.fromkeys(_part(*reading, wild) for reading in suit_readings(suit, key, wilds))
    return tuple(found)


def _meld_part(melds: Iterable[Meld]) -> tuple[int, bool, bool, int]:
    suits = triplets = 0
    chows = pungs = False
    for meld in melds:
        kind = meld.whole[0]
        suits |= 1 << (kind // 9)
        if meld.kind == "chow":
            chows = True
        else:
            pungs = True
            if kind >= EAST:
                triplets |= 1 << (kind - EAST)
    return suits, chows, pungs, triplets


def forms(
    rules: MahjongRules, counts: Sequence[int], wilds: int, melds: Sequence[Meld], wild: int = NONE
) -> list[Form]:
    """Return every form of a complete hand once, in a fixed order; none where it is not complete.

    `counts`: the 34 counts of concealed natural tiles, the won one among them; `wilds` of the kind `wild` beside them.
    """
    found = dict.fromkeys(_standard(rules, counts, wilds, melds, wild))
    if not melds and (rules.wild_special or not wilds):
        found.update(dict.fromkeys(_special(rules, counts, wilds, wild)))
    return list(found)


def _standard(
    rules: MahjongRules, counts: Sequence[int], wilds: int, melds: Sequence[Meld], wild: int
) -> Iterator[Form]:
    held = keys(counts)
    suits, chows, pungs, triplets = _meld_part(melds)
    if wilds and not rules.wild_fifth:
        used = [0] * 34
        for meld in melds:
            for tile in meld.whole:
                used[tile] += 1
        for reading in readings(counts, wilds, fifth=False, used=used):
            part = _part(reading.sets, reading.pair, reading.became, wild)
            seen = suits
            for kind in reading.tiles():
                seen |= 1 << (kind // 9)
            yield Form("standard", seen, chows or part[0], pungs or part[1], triplets | part[2], part[3], 0, part[4])
        return
    for share in wild_shares(wilds):
        parts = [suit_forms(suit, key, share[suit], wild) for suit, key in enumerate(held)]
        if not all(parts) or sum(each[0][3] != NO_PAIR for each in parts) != 1:
            continue
        seen = suits
        for suit, key in enumerate(held):
            if key or share[suit]:
                seen |= 1 << suit
        for m, p, s, z in product(*parts):
            yield Form(
                "standard",
                seen,
                chows or m[0] or p[0] or s[0],
                pungs or m[1] or p[1] or s[1] or z[1],
                triplets | z[2],
                max(m[3], p[3], s[3], z[3]),
                0,
                m[4] or p[4] or s[4] or z[4],
            )


def _special(rules: MahjongRules, counts: Sequence[int], wilds: int, wild: int) -> Iterator[Form]:
    if "seven_pairs" in rules.shapes:
        natural = natural_quads(counts)
        for pairs in seven_pairs(counts, wilds, fifth=rules.wild_fifth):
            suits = 0
            for kind in pairs.pairs:
                suits |= 1 << (kind // 9)
            quads = natural if rules.luxury_natural else pairs.quads
            yield Form("seven_pairs", suits, False, False, 0, PLAIN, quads, pairs.posing(wild) > 0)
    if "thirteen_orphans" in rules.shapes and not rules.no_winds:
        for orphans in thirteen_orphans(counts, wilds):
            yield Form("thirteen_orphans", 15, False, False, 0, PLAIN, 0, orphans.posing(wild) > 0)
