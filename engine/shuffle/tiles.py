"""The commitment to each tile of a wall, opened one by one while the hand is in play (fairness.md 1.8).

The owner of a tile checks it on the spot; a dispute opens single tiles without showing folded hands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from engine.shuffle.framing import u16
from engine.shuffle.merkle import check_path
from engine.shuffle.refusal import Code, Refusal

SALT_SIZE = 16
_WIDTH = 1 << 16
_HEADS = tuple(b"\x00" + u16(position) for position in range(256))  # as long as any deck of ours


@dataclass(frozen=True, slots=True)
class TileProof:
    """That the tile of a deck index lies at a position of the wall: its salt (16 bytes) and path, sibling first."""

    position: int
    tile: int
    salt: bytes
    path: tuple[bytes, ...]


def tile_leaf(position: int, tile: int, salt: bytes) -> bytes:
    """Return leaf_p = u16(p) u16(tile) salt_p."""
    return u16(position) + u16(tile) + salt


def leaf_hashes(wall: Sequence[int], salts: bytes) -> list[bytes]:
    """Hash every leaf of a wall; `salts` holds 16 bytes a position. The fast path of `leaf_hash(tile_leaf(…))`."""
    heads = _HEADS if len(wall) <= len(_HEADS) else tuple(b"\x00" + u16(position) for position in range(len(wall)))
    starts = range(0, SALT_SIZE * len(wall), SALT_SIZE)
    return [
        sha256(head + tile.to_bytes(2, "big") + salts[start : start + SALT_SIZE]).digest()
        for head, tile, start in zip(heads, wall, starts, strict=False)
    ]


def check_tile(root: bytes, n: int, proof: TileProof) -> Refusal | None:
    """Check a tile's proof against the wall root of `hand_started`; `n` tiles in the deck. Code `tile_proof`."""
    sound = 0 <= proof.position < n and 0 <= proof.tile < min(n, _WIDTH) and len(proof.salt) == SALT_SIZE
    if sound:
        leaf = tile_leaf(proof.position, proof.tile, proof.salt)
        sound = check_path(root, leaf, proof.position, n, proof.path)
    if sound:
        return None
    found = f"tile {proof.tile} at {proof.position} with salt {proof.salt.hex()} and {len(proof.path)} hashes"
    return Refusal(Code.TILE_PROOF, "fairness.md 1.8", f"a leaf that leads to {root.hex()}", found)
