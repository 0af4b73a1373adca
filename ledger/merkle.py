"""Merkle trees of RFC 6962/9162 over SHA-256: roots, inclusion and consistency, proved and checked (ledger.md 2).

    leaf = SHA-256(0x00 || bytes)      node = SHA-256(0x01 || left || right)      MTH({}) = SHA-256("")
    MTH(D[0:n]) = node(MTH(D[0:k]), MTH(D[k:n])), k the largest power of two below n

Worked example, three leaves a, b, c: the root is node(node(a, b), c); the inclusion path of leaf 2 is (node(a, b),), of
leaf 0 (b, c); the consistency proof from size 1 to 3 is (b, c).

`Frontier` grows one leaf at a time and knows its root at every size: it keeps the roots of the full subtrees, one for
each set bit of its size. The checks are the iterative loops of RFC 9162 2.1.3.2 and 2.1.4.2; every hash must have 32
bytes, which libraries elsewhere forget. Proofs are made from a list of leaf hashes.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from ledger.errors import Malformed, Untrusted

HASH_SIZE: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()


def leaf(data: bytes) -> bytes:
    """Hash a record into its leaf."""
    return sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Hash two subtree roots into their parent."""
    return sha256(b"\x01" + left + right).digest()


class Frontier:
    """A growing tree: append in amortised constant time, root at every size in log2 of it.

    `roots` are those of the full subtrees from left to right; they determine the root, and every later one.
    """

    __slots__ = ("roots", "size")

    def __init__(self, size: int = 0, roots: Sequence[bytes] = ()) -> None:
        if size < 0 or len(roots) != size.bit_count() or any(len(root) != HASH_SIZE for root in roots):
            raise Malformed("tree frontier", f"{len(roots)} subtree roots do not make a tree of size {size}")
        self.size = size
        self.roots = list(roots)

    def append(self, leaf_hash: bytes) -> None:
        """Add one leaf hash."""
        roots, size = self.roots, self.size
        self.size = size + 1
        while size & 1:
            leaf_hash = sha256(b"\x01" + roots.pop() + leaf_hash).digest()
            size >>= 1
        roots.append(leaf_hash)

    def extend(self, leaf_hashes: Sequence[bytes]) -> None:
        """Add leaf hashes, a level of the tree at a time: as `append` of each, at half the cost."""
        size, roots = self.size, self.roots
        self.size = size + len(leaf_hashes)
        level = list(leaf_hashes)
        odd: list[bytes] = []  # right ends of levels that have no sibling yet, from the bottom up
        while level:
            if size & 1:
                level.insert(0, roots.pop())
            if len(level) & 1:
                odd.append(level.pop())
            halves = iter(level)
            level = [sha256(b"\x01" + left + right).digest() for left, right in zip(halves, halves, strict=True)]
            size >>= 1
        roots += reversed(odd)

    def root(self) -> bytes:
        """Compute MTH of all leaves so far."""
        if not self.roots:
            return EMPTY_ROOT
        result = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            result = node(left, result)
        return result

    def copy(self) -> "Frontier":
        """Copy the tree as it stands."""
        copy = Frontier()
        copy.size, copy.roots = self.size, self.roots.copy()
        return copy

    def encode(self) -> bytes:
        """Write the subtree roots, left to right, 32 bytes each."""
        return b"".join(self.roots)

    @classmethod
    def decode(cls, size: int, data: bytes) -> "Frontier":
        """Read what `encode` wrote; Malformed where the length does not fit the size."""
        return cls(size, [data[at : at + HASH_SIZE] for at in range(0, len(data), HASH_SIZE)])


def root(leaves: Sequence[bytes]) -> bytes:
    """Compute MTH of leaf hashes."""
    tree = Frontier()
    for leaf_hash in leaves:
        tree.append(leaf_hash)
    return tree.root()


def prove_inclusion(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """Make the path from leaf `index` to the root of all leaves, from the bottom up (RFC 9162 2.1.3.1)."""
    size = len(leaves)
    if not 0 <= index < size:
        raise Malformed("inclusion proof", f"index {index} is not in a tree of size {size}")
    path: list[bytes] = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        if index < middle:
            path.append(root(leaves[middle:high]))
            high = middle
        else:
            path.append(root(leaves[low:middle]))
            low = middle
    return tuple(reversed(path))


def prove_consistency(leaves: Sequence[bytes], old: int) -> tuple[bytes, ...]:
    """Make the proof that the tree of all leaves extends that of the first `old` > 0 (RFC 9162 2.1.4.1)."""
    size = len(leaves)
    if not 0 < old <= size:
        raise Malformed("consistency proof", f"size {old} is not 1 to {size}")
    path: list[bytes] = []
    low, high = 0, size
    # `old` counts from the start; once the walk has left the left edge, the old subtree's own root is needed as well.
    while old != high:
        middle = low + _split(high - low)
        if old <= middle:
            path.append(root(leaves[middle:high]))
            high = middle
        else:
            path.append(root(leaves[low:middle]))
            low = middle
    if low:
        path.append(root(leaves[low:high]))
    return tuple(reversed(path))


def check_inclusion(index: int, size: int, leaf_hash: bytes, proof: Sequence[bytes], root_hash: bytes) -> None:
    """Check that `leaf_hash` is leaf `index` of the tree (size, root); Untrusted, code `root`, where it is not."""
    _lengths(leaf_hash, root_hash, *proof)
    if not 0 <= index < size:
        raise Untrusted("root", f"index {index} is not in a tree of size {size}")
    fn, sn = index, size - 1
    result = leaf_hash
    for step in proof:
        if sn == 0:
            raise Untrusted("root", "the inclusion proof is too long")
        if fn & 1 or fn == sn:
            result = node(step, result)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            result = node(result, step)
        fn >>= 1
        sn >>= 1
    if sn:
        raise Untrusted("root", "the inclusion proof is too short")
    if result != root_hash:
        raise Untrusted("root", f"the inclusion proof leads to root {result.hex()}, not {root_hash.hex()}")


def check_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Check that the tree (new, new_root) extends (old, old_root), old > 0; Untrusted, code `fork`, where it does not.

    Size 0 is refused: every tree extends the empty one, so such a proof says nothing.
    """
    _lengths(old_root, new_root, *proof)
    if not 0 < old <= new:
        raise Untrusted("fork", f"no consistency from size {old} to size {new}")
    if old == new:
        if proof:
            raise Untrusted("fork", "a consistency proof of equal sizes is empty")
        if old_root != new_root:
            raise Untrusted("fork", f"two roots at size {old}: {old_root.hex()}, {new_root.hex()}")
        return
    if not proof:
        raise Untrusted("fork", "the consistency proof is empty")
    steps = list(proof)
    if old & (old - 1) == 0:
        steps.insert(0, old_root)
    fn, sn = old - 1, new - 1
    while fn & 1:
        fn >>= 1
        sn >>= 1
    first = second = steps[0]
    for step in steps[1:]:
        if sn == 0:
            raise Untrusted("fork", "the consistency proof is too long")
        if fn & 1 or fn == sn:
            first = node(step, first)
            second = node(step, second)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            second = node(second, step)
        fn >>= 1
        sn >>= 1
    if sn:
        raise Untrusted("fork", "the consistency proof is too short")
    if first != old_root:
        raise Untrusted("fork", f"the consistency proof starts from root {first.hex()}, not {old_root.hex()}")
    if second != new_root:
        raise Untrusted("fork", f"the consistency proof leads to root {second.hex()}, not {new_root.hex()}")


def check_growth(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Check consistency as a witness does: old size 0, with the empty root and an empty proof, is accepted too."""
    if old:
        check_consistency(old, new, old_root, new_root, proof)
        return
    _lengths(old_root, new_root, *proof)
    if new < 0 or proof or old_root != EMPTY_ROOT:
        raise Untrusted("fork", "growth from size 0 needs the empty root and an empty proof")
    if new == 0 and new_root != EMPTY_ROOT:
        raise Untrusted("fork", "a tree of size 0 has the empty root")


def _split(size: int) -> int:
    """Give the largest power of two below `size` >= 2."""
    return 1 << (size - 1).bit_length() - 1


def _lengths(*hashes: bytes) -> None:
    for value in hashes:
        if len(value) != HASH_SIZE:
            raise Malformed("tree hash", f"{len(value)} bytes instead of {HASH_SIZE}")
