"""From Tenhou's published seed to every hand's wall and dice (fairness.md 6).

The seed stands in the log once a game, the key of one MT19937. Each hand takes 288 words of it, turns each 32 of them
into 16 by SHA-512, and permutes ascending by `% k`. Tiles are dealt from the high end. A list of the deal's places
follows from this layout, whatever the dice say.

    mt19937ar-sha512-n288-base64   2,496 bytes: 624 words, little-endian (from 2009 on)
    mt19937ar-sha512-n288          words in hex (autumn of 2009), the dead wall laid the other way up
    mt19937ar                      words in hex, of each hand its own (`INIT shuffle`, until 2009); no SHA-512

A table of three plays with 108 tiles, 2 to 8 of characters left out: index 4 and up are ids 32 and up.
"""

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha512
from struct import pack, unpack

from engine.formats.mt19937 import MT19937, SIZE

METHOD = "mt19937ar-sha512-n288-base64"
METHOD_IN_HEX = "mt19937ar-sha512-n288"
METHOD_BY_HAND = "mt19937ar"
SEED_BYTES = 4 * SIZE
TILES = 136
HAND_SEED_BYTES = 32
"""Of a hand's own seed, the only length seen; a game's is longer."""
OMITTED = 28
"""Tiles that a table of three leaves out: ids 4 to 31."""
DEAD = 14
EACH = 13
DICE = 135
"""Where the dice follow in a hand's words; with a seed for each hand right behind the words of the shuffle."""

_WORDS = re.compile(r"[0-9A-F]{8}(?:,[0-9A-F]{8})*")


def deck_ids(seats: int) -> tuple[int, ...]:
    """Return the tile ids of a deck in the order in which a shuffle begins."""
    return (*range(4), *range(4 + (OMITTED if seats == 3 else 0), TILES))


class SeedError(ValueError):
    """A published seed that names another method or has another length."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a wall lie, as places: kong replacements, indicators, those under them, each in order."""

    seats: int
    replacements: tuple[int, ...]
    dora: tuple[int, ...]
    ura: tuple[int, ...]

    @property
    def tiles(self) -> int:
        """Return how many tiles there are."""
        return TILES if self.seats == 4 else TILES - OMITTED

    @property
    def live(self) -> int:
        """Return how many tiles may be drawn after the deal; each replacement leaves one of the live end untaken."""
        return self.tiles - DEAD - EACH * self.seats


def _laid(seats: int, *, early: bool) -> Layout:
    many = 4 if seats == 4 else 8  # four kongs; with three players four norths beside them
    flip = 0 if early else 1
    return Layout(
        seats,
        tuple(place ^ flip for place in range(many)),
        tuple(many + 2 * number + flip for number in range(5)),
        tuple(many + 2 * number + 1 - flip for number in range(5)),
    )


LAYOUTS = {seats: _laid(seats, early=False) for seats in (3, 4)}
EARLY_LAYOUTS = {seats: _laid(seats, early=True) for seats in (3, 4)}
REPLACEMENTS, DORA, URA = LAYOUTS[4].replacements, LAYOUTS[4].dora, LAYOUTS[4].ura


@dataclass(frozen=True, slots=True)
class Wall:
    """One hand's wall: tile ids 0..135 by place, two dice (0..5 each, as the log writes them), the words it took."""

    tiles: tuple[int, ...]
    dice: tuple[int, int]
    words: tuple[int, ...] = ()
    layout: Layout = LAYOUTS[4]

    def dealt(self, dealer: int) -> list[list[int]]:
        """Return each seat's 13 tiles in the order taken: four, four, four, one, from the dealer on."""
        seats = self.layout.seats
        hands: list[list[int]] = [[] for _ in range(seats)]
        top = len(self.tiles) - 1
        for count in (4, 4, 4, 1):
            for turn in range(seats):
                seat = (dealer + turn) % seats
                for _ in range(count):
                    hands[seat].append(self.tiles[top])
                    top -= 1
        return hands

    def indices(self) -> tuple[int, ...]:
        """Return the wall as places in the deck's order, the first tile dealt first."""
        place_of = {tile: place for place, tile in enumerate(deck_ids(self.layout.seats))}
        return tuple(place_of[tile] for tile in reversed(self.tiles))

    def drawn(self, number: int) -> int:
        """Return the live draw of a number, 0 for the dealer's first."""
        return self.tiles[len(self.tiles) - 1 - EACH * self.layout.seats - number]

    def replacement(self, number: int) -> int:
        """Return the replacement of a number, 0 for the first."""
        return self.tiles[self.layout.replacements[number]]

    def indicator(self, number: int) -> int:
        """Return the dora indicator of a number, 0 for the first."""
        return self.tiles[self.layout.dora[number]]

    def under(self, number: int) -> int:
        """Return the indicator under the one of a number."""
        return self.tiles[self.layout.ura[number]]


def seed_bytes(text: str) -> bytes:
    """Return the bytes of a SHUFFLE seed, words little-endian: 2,496 of the usual kind, fewer of the one in hex.

    SeedError where it is of another kind.
    """
    method, comma, body = text.partition(",")
    if comma and method == METHOD_IN_HEX:
        found = _words(body)
        if len(found) >= SIZE:
            raise SeedError(f"{len(found)} words in hex")
        return pack(f"<{len(found)}I", *found)
    if not comma or method != METHOD:
        raise SeedError(f"the method is {method[:40]!r}, not {METHOD}")
    try:
        seed = b64decode(body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise SeedError(f"not base64: {error}") from None
    if len(seed) != SEED_BYTES:
        raise SeedError(f"{len(seed)} bytes, not {SEED_BYTES}")
    return seed


def is_seed(seed: bytes) -> bool:
    """Tell whether bytes are a game's seed: 624 words, or the fewer of the kind in hex."""
    return HAND_SEED_BYTES < len(seed) <= SEED_BYTES and not len(seed) % 4


def seed_text(seed: bytes) -> str:
    """Return a seed as SHUFFLE writes it."""
    if len(seed) == SEED_BYTES:
        return f"{METHOD},{b64encode(seed).decode('ascii')}"
    return ",".join([METHOD_IN_HEX, *(f"{word:08X}" for word in unpack(f"<{len(seed) // 4}I", seed))])


def _words(body: str) -> tuple[int, ...]:
    if not _WORDS.fullmatch(body):
        raise SeedError("not words of eight hex digits")
    return tuple(int(word, 16) for word in body.split(","))


def hand_seed_bytes(text: str) -> bytes:
    """Return the bytes of a hand's own seed, words little-endian; SeedError where it is of another kind."""
    method, _, body = text.partition(",")
    if method != METHOD_BY_HAND:
        raise SeedError(f"the method is {method[:40]!r}, not {METHOD_BY_HAND}")
    found = _words(body)
    return pack(f"<{len(found)}I", *found)


def hand_seed_text(seed: bytes) -> str:
    """Return a hand's own seed as INIT writes it."""
    return ",".join([METHOD_BY_HAND, *(f"{word:08X}" for word in unpack(f"<{len(seed) // 4}I", seed))])


def walls(seed: bytes, seats: int = 4) -> Iterator[Wall]:
    """Yield the walls of a game's hands, in order, without end."""
    layout = (LAYOUTS if len(seed) == SEED_BYTES else EARLY_LAYOUTS)[seats]
    generator = MT19937.from_key(unpack(f"<{len(seed) // 4}I", seed))
    while True:
        words: list[int] = []
        for _ in range(9):
            block = b"".join(generator.word().to_bytes(4, "little") for _ in range(32))
            words += unpack("<16I", sha512(block).digest())
        yield _wall(words, layout, DICE)


def early_wall(text: str, seats: int = 4) -> Wall:
    """Return the wall of a hand with a seed of its own (`INIT shuffle`); SeedError where that is of another kind."""
    seed = hand_seed_bytes(text)
    layout = EARLY_LAYOUTS[seats]
    generator = MT19937.from_key(unpack(f"<{len(seed) // 4}I", seed))
    return _wall([generator.word() for _ in range(layout.tiles + 1)], layout, layout.tiles - 1)


def _wall(words: list[int], layout: Layout, dice: int) -> Wall:
    tiles = list(range(layout.tiles))
    for place in range(layout.tiles - 1):
        other = place + words[place] % (layout.tiles - place)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    if layout.seats == 3:
        ids = deck_ids(3)
        tiles = [ids[tile] for tile in tiles]
    return Wall(tuple(tiles), (words[dice] % 6, words[dice + 1] % 6), tuple(words), layout)


def published_hash(order: str, seed: bytes) -> str:
    """Return the SHA-512 that Tenhou lists before a match: seat order (4 digits), then the seed in hex, 4,992 digits.

    `order` names, for E, S, W, N, the rank of the player's name in ascending order.
    """
    return sha512(order.encode("ascii") + seed.hex().encode("ascii")).hexdigest()
