"""What the server commits to before any player's entropy exists, and how each hand's seed opens it (fairness.md 1.2).

`paipu-fair/1` derives every hand's seed from one root seed; in `paipu-fair/1w` each seed stands for itself (1.7).
Seeds come from the caller: nothing here draws one.
"""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Self

from engine.shuffle.context import WIDE, Context
from engine.shuffle.framing import lp, u32
from engine.shuffle.merkle import check_path, leaf_hash, level_path, levels
from engine.shuffle.refusal import Code, Refusal
from engine.shuffle.stream import keyed_hmac

SEED_SIZE = 32
WIDE_SEED_SIZE = 128
_HAND_SEED = lp("paipu-fair/1/hand-seed")
_HAND_COMMIT = lp("paipu-fair/1/hand-commit")
_HAND_BLIND = lp("paipu-fair/1/hand-blind")


def seed_size(protocol: str) -> int:
    """Return the bytes of a hand's seed: 32, in the wide profile 128."""
    return WIDE_SEED_SIZE if protocol == WIDE else SEED_SIZE


def hand_seed(context: Context, root_seed: bytes, hand: int) -> bytes:
    """Derive S_h from S_root: a PRF, so that one seed gives away no other."""
    info = _HAND_SEED + context.digest() + u32(hand)
    return hmac.digest(root_seed, info, "sha256")


def commit_leaf(context: Context, hand: int, seed: bytes) -> bytes:
    """Return d_h, the leaf that commits to a hand's seed."""
    return _committed(context.digest() + u32(hand), seed)


def _committed(bound: bytes, seed: bytes) -> bytes:
    return _HAND_COMMIT + bound + sha256(_HAND_BLIND + bound + seed).digest()


class Commitment:
    """The seeds of every hand of an epoch, the root published in `opened`, and the path of each."""

    def __init__(self, context: Context, seeds: Sequence[bytes]) -> None:
        """Commit to one seed for each of `context.max_hands`; another number or size is a ValueError."""
        size = seed_size(context.protocol)
        if len(seeds) != context.max_hands or any(len(seed) != size for seed in seeds):
            raise ValueError(f"{context.max_hands} seeds of {size} bytes are needed")
        self.seeds = tuple(seeds)
        epoch = context.digest()
        self._levels = levels([leaf_hash(_committed(epoch + u32(hand), seed)) for hand, seed in enumerate(self.seeds)])

    @classmethod
    def open(cls, context: Context, root_seed: bytes) -> Self:
        """Derive and commit to every hand's seed from S_root (32 bytes; not in the wide profile)."""
        if context.protocol == WIDE or len(root_seed) != SEED_SIZE:
            raise ValueError(f"a root seed has {SEED_SIZE} bytes and does not exist in {WIDE}")
        mac, info = keyed_hmac(root_seed), _HAND_SEED + context.digest()  # `hand_seed` of each
        return cls(context, [mac(info + u32(hand)) for hand in range(context.max_hands)])

    @property
    def root(self) -> bytes:
        """root_s, 32 bytes."""
        return self._levels[-1][0]

    def path(self, hand: int) -> tuple[bytes, ...]:
        """Return the inclusion path of a hand's leaf, its sibling first (`revealed.path`)."""
        return level_path(self._levels, hand)


def check_hand_seed(context: Context, root: bytes, hand: int, seed: bytes, path: Sequence[bytes]) -> Refusal | None:
    """Check that a revealed seed and its path open the epoch's root at this hand (V6).

    Codes: `hand_limit` beyond the hands committed to, `seed_length`, `path` where seed and path do not lead to the root
    (a changed seed and another hand's path cannot be told apart).
    """
    if not 0 <= hand < context.max_hands:
        return Refusal(Code.HAND_LIMIT, "fairness.md 1.1", f"a hand of 0..{context.max_hands - 1}", str(hand))
    size = seed_size(context.protocol)
    if len(seed) != size:
        return Refusal(Code.SEED_LENGTH, "fairness.md 1.2", f"{size} bytes", f"{len(seed)} bytes")
    if not check_path(root, commit_leaf(context, hand, seed), hand, context.max_hands, path):
        found = f"seed {seed.hex()} with a path of {len(path)} hashes"
        return Refusal(Code.PATH, "fairness.md 1.2", f"a seed and path that lead to {root.hex()} at {hand}", found)
    return None


def check_root_seed(context: Context, root: bytes, root_seed: bytes) -> Refusal | None:
    """Check that S_root opens the commitments of every hand, the unused too (V17). Code `root_seed`."""
    if context.protocol == WIDE:
        return Refusal(Code.ROOT_SEED, "fairness.md 1.7", f"no root seed in {WIDE}", root_seed.hex())
    if len(root_seed) != SEED_SIZE:
        return Refusal(Code.SEED_LENGTH, "fairness.md 1.2", f"{SEED_SIZE} bytes", f"{len(root_seed)} bytes")
    opened = Commitment.open(context, root_seed).root
    return None if opened == root else Refusal(Code.ROOT_SEED, "fairness.md 1.2", root.hex(), opened.hex())
