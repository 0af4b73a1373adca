"""The 42 kinds of mahjong tile, their names, and the order in which a deck holds their copies.

Codes and indices are those of mahjong.md 0.1; the order of a deck is that of events.md, "Deck, dice, seeds".
How a hand is written is the business of `notation`; what a tile is worth, of the rules.
"""

from functools import cache
from typing import NamedTuple

SUITS = "mps"
HONOURS = "ESWNCFP"
FLOWERS = 34
"""The first flower's kind index: below it stand the kinds a hand is made of."""

KINDS: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)),
    *HONOURS,
    *(f"f{number}" for number in range(1, 9)),
)
"""Code of each kind: 0-8 m, 9-17 p, 18-26 s, 27-33 E S W N C F P, 34-41 f1..f8."""

INDEX: dict[str, int] = {code: kind for kind, code in enumerate(KINDS)}
"""Kind of each code."""

_WINDS = frozenset("ESWN")


class Name(NamedTuple):
    """The short name of a tile or card."""

    zh: str
    en: str


TILE_NAMES: tuple[Name, ...] = (
    *(
        Name(f"{numeral}{zh}", f"{rank} {en}")
        for zh, en in (("万", "characters"), ("筒", "circles"), ("条", "bamboos"))
        for rank, numeral in enumerate("一二三四五六七八九", 1)
    ),
    Name("东", "east"),
    Name("南", "south"),
    Name("西", "west"),
    Name("北", "north"),
    Name("红中", "red dragon"),
    Name("发财", "green dragon"),
    Name("白板", "white dragon"),
    Name("春", "spring"),
    Name("夏", "summer"),
    Name("秋", "autumn"),
    Name("冬", "winter"),
    Name("梅", "plum"),
    Name("兰", "orchid"),
    Name("菊", "chrysanthemum"),
    Name("竹", "bamboo"),
)
"""Name of each kind, in the order of `KINDS`."""


@cache
def tile_deck(*, flowers: bool, winds: bool = True) -> tuple[str, ...]:
    """Return the ids of a deck in its initial order: `1m.0` … `P.3`, then `f1.0` … `f8.0` (events.md).

    136 tiles, 144 with flowers, 16 fewer without E-N.
    """
    tiles = (code for code in KINDS[:FLOWERS] if winds or code not in _WINDS)
    copies = tuple(f"{code}.{copy}" for code in tiles for copy in range(4))
    return copies + tuple(f"{code}.0" for code in KINDS[FLOWERS:]) if flowers else copies


@cache
def kind_of(deck: tuple[str, ...]) -> tuple[int, ...]:
    """Return the kind index of each position of a deck of ids; an id that names no kind is a KeyError."""
    return tuple(INDEX[identity.partition(".")[0]] for identity in deck)
