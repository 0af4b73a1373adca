"""The Merkle hash of a list and its inclusion paths (RFC 6962 2.1; fairness.md 1).

The ledger has its own, larger tree; these few lines stand here so that a deal can be checked without a log.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

HASH_SIZE = 32


def leaf_hash(data: bytes) -> bytes:
    """Hash one leaf: H(00 || data)."""
    return sha256(b"\x00" + data).digest()


def levels(hashes: Iterable[bytes]) -> list[list[bytes]]:
    """Fold leaf hashes upwards; the last level holds the root alone.

    Pairing from the left and lifting an odd last node unchanged gives the same tree as RFC 6962's recursive split.
    An empty list raises ValueError: no commitment of ours is empty.
    """
    level = list(hashes)
    if not level:
        raise ValueError("a tree of no leaves commits to nothing")
    folded = [level]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        above = [sha256(b"\x01" + left + right).digest() for left, right in pairs]
        if len(level) % 2:
            above.append(level[-1])
        folded.append(above)
        level = above
    return folded


def level_path(folded: Sequence[Sequence[bytes]], index: int) -> tuple[bytes, ...]:
    """Read the path of one leaf out of folded levels, its sibling first. IndexError outside the tree."""
    if not 0 <= index < len(folded[0]):
        raise IndexError(f"leaf {index} of {len(folded[0])}")
    path = []
    for level in folded[:-1]:
        sibling = index ^ 1
        if sibling < len(level):
            path.append(level[sibling])
        index >>= 1
    return tuple(path)


def merkle_root(leaves: Iterable[bytes]) -> bytes:
    """Hash a list of leaves (MTH)."""
    return levels(map(leaf_hash, leaves))[-1][0]


def merkle_path(leaves: Iterable[bytes], index: int) -> tuple[bytes, ...]:
    """Prove that a leaf stands at an index: the hashes beside its way to the root, its sibling first."""
    return level_path(levels(map(leaf_hash, leaves)), index)


def check_path(root: bytes, leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bool:
    """Tell whether a path leads from a leaf at an index of `size` leaves to the root (RFC 9162 2.1.3.2).

    False for any path of another length, and for hashes that are not 32 bytes.
    """
    if not 0 <= index < size or any(len(sibling) != HASH_SIZE for sibling in path):
        return False
    node, last, value = index, size - 1, leaf_hash(leaf)
    for sibling in path:
        if last == 0:
            return False
        if node & 1 or node == last:
            value = sha256(b"\x01" + sibling + value).digest()
            while not node & 1 and node:
                node >>= 1
                last >>= 1
        else:
            value = sha256(b"\x01" + value + sibling).digest()
        node >>= 1
        last >>= 1
    return last == 0 and value == root
