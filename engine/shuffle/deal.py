"""One hand's deal: keys, wall, dice, and the commitment to every tile of the wall (fairness.md 1.5-1.8).

A deal is a function of the epoch, the salt and the hand's seed, and of nothing else: no stake, no player's history,
and never the published commitment (incident 17 of fairness.md 8).

The wide stream is that of the published vector `w1`, which leaves out the E that the text of 1.7 names between the
label of the protocol and u32(h); text and vector cannot both hold. E is bound either way: the salt is a hash over it.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import shake_256

from engine.shuffle.commitments import seed_size
from engine.shuffle.context import WIDE, Context
from engine.shuffle.framing import lp, u32
from engine.shuffle.merkle import level_path, levels
from engine.shuffle.stream import Stream, hmac_bytes, hmac_words, permute, shuffle, wide_words
from engine.shuffle.tiles import SALT_SIZE, TileProof, leaf_hashes

LABELS = ("shuffle", "dice", "seat", "leaf", "wild", "bid", "tie")
_DEAL = lp("paipu-fair/1/deal")
_WIDE = lp("paipu-fair/1w/stream")
_FRAMED = {label: lp(label) for label in LABELS}


class HandKeys:
    """The streams of one hand, one for each label of `LABELS`; any other label is a KeyError."""

    def __init__(self, context: Context, salt: bytes, hand: int, seed: bytes) -> None:
        """Bind salt (32 bytes) and seed to the hand; a seed of the wrong size for the protocol is a ValueError."""
        size = seed_size(context.protocol)
        if len(seed) != size:
            raise ValueError(f"a seed of {context.protocol} has {size} bytes, not {len(seed)}")
        self._hand = u32(hand)
        self._epoch = context.digest()
        self._prk = None if context.protocol == WIDE else hmac.digest(salt, seed, "sha256")
        self._tail = lp(seed) + salt if context.protocol == WIDE else b""

    @property
    def extracted(self) -> bytes:
        """PRK, 32 bytes (HKDF-Extract); ValueError in the wide profile, which has none."""
        if self._prk is None:
            raise ValueError("the wide profile has streams, not keys")
        return self._prk

    def key(self, label: str) -> bytes:
        """Return K_label, 32 bytes (HKDF-Expand); ValueError in the wide profile, which has none."""
        return hmac.digest(self.extracted, _DEAL + self._epoch + self._hand + _FRAMED[label] + b"\x01", "sha256")

    def first(self, label: str, length: int) -> bytes:
        """Return the first bytes of a label's stream."""
        if self._prk is None:
            return shake_256(self._wide_prefix(label)).digest(length)
        return hmac_bytes(self.key(label), length)

    def words(self, label: str) -> Iterator[int]:
        """Return a label's u32 words from the beginning, without end."""
        return wide_words(self._wide_prefix(label)) if self._prk is None else hmac_words(self.key(label))

    def stream(self, label: str) -> Stream:
        """Return a label's stream from its beginning."""
        return Stream(self.words(label))

    def _wide_prefix(self, label: str) -> bytes:
        return _WIDE + self._hand + _FRAMED[label] + self._tail  # without E: see the module's docstring


@dataclass(frozen=True)
class Deal:
    """A dealt hand.

    `wall`: deck positions, wall[0] the first tile of the wall (W of mahjong.md 0.3, or the cards in dealing order);
    `words`, `rejects` of the shuffle stream; `dice` faces 1..6 in the order thrown; `keys` for what rules draw beside.
    The salts and the tree over the tiles are made at first use: an audit that skips V11 does not pay for them.
    """

    wall: tuple[int, ...]
    words: int
    rejects: int
    dice: tuple[int, ...]
    keys: HandKeys

    @property
    def wall_root(self) -> bytes:
        """Return the root that commits to every position of the wall, 32 bytes (1.8); an empty deck has none."""
        return self._levels[-1][0]

    def prove_tile(self, position: int) -> TileProof:
        """Prove which deck index lies at a position of the wall. IndexError outside the wall."""
        path = level_path(self._levels, position)
        start = SALT_SIZE * position
        return TileProof(position, self.wall[position], self._salts[start : start + SALT_SIZE], path)

    @cached_property
    def _salts(self) -> bytes:
        return self.keys.first("leaf", SALT_SIZE * len(self.wall))

    @cached_property
    def _levels(self) -> list[list[bytes]]:
        return levels(leaf_hashes(self.wall, self._salts))


def deal(context: Context, salt: bytes, hand: int, seed: bytes) -> Deal:
    """Deal a hand: shuffle `context.n` tiles and throw `context.n_dice` dice.

    `salt` as `mix` gave it, `seed` the hand's; sizes that do not fit the protocol are a ValueError.
    """
    keys = HandKeys(context, salt, hand, seed)
    wall, words, rejects = shuffle(
        context.n, keys.first("shuffle", 4 * max(context.n - 1, 0)), lambda: keys.words("shuffle")
    )
    thrown = keys.stream("dice") if context.n_dice else None
    dice = tuple(thrown.below(6) + 1 for _ in range(context.n_dice)) if thrown else ()
    return Deal(wall, words, rejects, dice, keys)


def seat_order(context: Context, salt: bytes, seed: bytes) -> tuple[int, ...]:
    """Draw the seats with the seat key of hand 0, `seed` being that hand's.

    Place i at the table gets `context.playing[order[i]]`; witnesses take no part (1.3, 1.6).
    """
    return permute(HandKeys(context, salt, 0, seed).stream("seat"), len(context.playing))
