"""From Tenhou's published seed to every hand's wall and dice (fairness.md 6).

The seed stands in the log once a game: 2,496 bytes, the key of one MT19937. Each hand takes 288 words of it, turns
each 32 of them into 16 by SHA-512, and permutes ascending by `% k`. Tiles are dealt from the high end. A list of
the deal's places follows from this layout, whatever the dice say.
"""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha512
from struct import unpack

from engine.formats.mt19937 import MT19937

METHOD = "mt19937ar-sha512-n288-base64"
SEED_BYTES = 2496
TILES = 136
REPLACEMENTS = (1, 0, 3, 2)
"""Places of the four kong replacements, in order."""
DORA = (5, 7, 9, 11, 13)
URA = (4, 6, 8, 10, 12)
DEAD = 14
LIVE = TILES - DEAD
"""Tiles that are dealt or drawn, replacements included: each replacement leaves one of the live end untaken."""


class SeedError(ValueError):
    """A published seed that names another method or has another length."""


@dataclass(frozen=True, slots=True)
class Wall:
    """One hand's wall: tile ids 0..135 by place, two dice (0..5 each, as the log writes them), the words it took."""

    tiles: tuple[int, ...]
    dice: tuple[int, int]
    words: tuple[int, ...] = ()

    def dealt(self, dealer: int) -> list[list[int]]:
        """Return each seat's 13 tiles in the order taken: four, four, four, one, from the dealer on."""
        hands: list[list[int]] = [[] for _ in range(4)]
        top = TILES - 1
        for count in (4, 4, 4, 1):
            for turn in range(4):
                seat = (dealer + turn) % 4
                for _ in range(count):
                    hands[seat].append(self.tiles[top])
                    top -= 1
        return hands

    def drawn(self, number: int) -> int:
        """Return the live draw of a number, 0 for the dealer's first."""
        return self.tiles[TILES - 53 - number]


def seed_bytes(text: str) -> bytes:
    """Return the 2,496 bytes of a SHUFFLE seed; SeedError where it is of another kind."""
    method, comma, body = text.partition(",")
    if not comma or method != METHOD:
        raise SeedError(f"the method is {method[:40]!r}, not {METHOD}")
    try:
        seed = b64decode(body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise SeedError(f"not base64: {error}") from None
    if len(seed) != SEED_BYTES:
        raise SeedError(f"{len(seed)} bytes, not {SEED_BYTES}")
    return seed


def seed_text(seed: bytes) -> str:
    """Return a seed as SHUFFLE writes it."""
    return f"{METHOD},{b64encode(seed).decode('ascii')}"


def walls(seed: bytes) -> Iterator[Wall]:
    """Yield the walls of a game's hands, in order, without end."""
    generator = MT19937.from_key(unpack("<624I", seed))
    while True:
        yield _wall(generator)


def _wall(generator: MT19937) -> Wall:
    words: list[int] = []
    for _ in range(9):
        block = b"".join(generator.word().to_bytes(4, "little") for _ in range(32))
        words += unpack("<16I", sha512(block).digest())
    tiles = list(range(TILES))
    for place in range(TILES - 1):
        other = place + words[place] % (TILES - place)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    return Wall(tuple(tiles), (words[135] % 6, words[136] % 6), tuple(words))


def published_hash(order: str, seed: bytes) -> str:
    """Return the SHA-512 that Tenhou lists before a match: seat order (4 digits), then the seed in hex, 4,992 digits.

    `order` names, for E, S, W, N, the rank of the player's name in ascending order.
    """
    return sha512(order.encode("ascii") + seed.hex().encode("ascii")).hexdigest()
