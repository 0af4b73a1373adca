"""Merkle trees against the recursive definition, the public vectors, and every kind of damaged proof."""

import json
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import merkle
from ledger.errors import LedgerError, Malformed, Untrusted
from ledger.merkle import EMPTY_ROOT, Frontier

LEAVES = [merkle.leaf(bytes([index])) for index in range(70)]


def mth(leaves: list[bytes]) -> bytes:
    """RFC 9162 2.1.1, word for word."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def path(m: int, leaves: list[bytes]) -> list[bytes]:
    """RFC 9162 2.1.3.1."""
    if len(leaves) == 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m < k:
        return [*path(m, leaves[:k]), mth(leaves[k:])]
    return [*path(m - k, leaves[k:]), mth(leaves[:k])]


def subproof(m: int, leaves: list[bytes], whole: bool) -> list[bytes]:
    """RFC 9162 2.1.4.1."""
    if m == len(leaves):
        return [] if whole else [mth(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m <= k:
        return [*subproof(m, leaves[:k], whole), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]


def test_roots_are_the_recursive_definition_at_every_size() -> None:
    tree = Frontier()
    assert tree.root() == EMPTY_ROOT == merkle.root([])
    for size, leaf in enumerate(LEAVES, 1):
        tree.append(leaf)
        assert tree.root() == mth(LEAVES[:size])
        again = Frontier.decode(size, tree.encode())
        assert again.root() == tree.root()
        again.append(leaf)
        assert tree.size == size


def test_copy_is_independent() -> None:
    tree = Frontier()
    tree.append(LEAVES[0])
    other = tree.copy()
    other.append(LEAVES[1])
    assert (tree.size, tree.root()) == (1, LEAVES[0])


def test_a_frontier_of_the_wrong_length_is_refused() -> None:
    for size, count in ((1, 0), (2, 2), (3, 1), (-1, 0)):
        with pytest.raises(Malformed):
            Frontier(size, LEAVES[:count])
    with pytest.raises(Malformed):
        Frontier.decode(1, LEAVES[0][:31])


def test_proofs_are_those_of_the_rfc_and_hold() -> None:
    for size in range(1, 34):
        leaves = LEAVES[:size]
        root = mth(leaves)
        for index in range(size):
            proof = merkle.prove_inclusion(leaves, index)
            assert list(proof) == path(index, leaves)
            merkle.check_inclusion(index, size, leaves[index], proof, root)
        for old in range(1, size + 1):
            proof = merkle.prove_consistency(leaves, old)
            assert list(proof) == subproof(old, leaves, True)
            merkle.check_consistency(old, size, mth(leaves[:old]), root, proof)
            merkle.check_growth(old, size, mth(leaves[:old]), root, proof)


def damaged(proof: tuple[bytes, ...], index: int, bit: int) -> list[tuple[bytes, ...]]:
    """Too long, too short, one hash too short, one bit flipped, two swapped, one doubled."""
    extra = LEAVES[69]
    found = [(*proof, extra), (extra, *proof)]
    if proof:
        at = index % len(proof)
        one = bytearray(proof[at])
        one[bit >> 3] ^= 1 << (bit & 7)
        found += [
            proof[:at] + proof[at + 1 :],
            (*proof[:at], proof[at][:-1], *proof[at + 1 :]),
            (*proof[:at], bytes(one), *proof[at + 1 :]),
            (*proof[:at], proof[at], *proof[at:]),
            (),
        ]
    if len(proof) > 1:
        found.append((proof[1], proof[0], *proof[2:]))
    return found


@given(st.integers(1, 40), st.data())
@settings(max_examples=150)
def test_damaged_inclusion_proofs_are_refused(size: int, draw: st.DataObject) -> None:
    index = draw.draw(st.integers(0, size - 1))
    bit = draw.draw(st.integers(0, 255))
    leaves = LEAVES[:size]
    root, proof = mth(leaves), merkle.prove_inclusion(leaves, index)
    for bad in damaged(proof, index, bit):
        with pytest.raises(LedgerError):
            merkle.check_inclusion(index, size, leaves[index], bad, root)
    for place in (-1, size, size + 7):
        with pytest.raises(Untrusted):
            merkle.check_inclusion(place, size, leaves[index], proof, root)
    with pytest.raises(Untrusted):
        merkle.check_inclusion(index, size, LEAVES[69], proof, root)
    with pytest.raises(Untrusted):
        merkle.check_inclusion(0, 0, leaves[index], (), root)
    for other in range(size):
        if other != index:
            with pytest.raises(Untrusted):
                merkle.check_inclusion(other, size, leaves[index], proof, root)


@given(st.integers(1, 40), st.data())
@settings(max_examples=150)
def test_damaged_consistency_proofs_are_refused(size: int, draw: st.DataObject) -> None:
    old = draw.draw(st.integers(1, size))
    bit = draw.draw(st.integers(0, 255))
    leaves = LEAVES[:size]
    first, second, proof = mth(leaves[:old]), mth(leaves), merkle.prove_consistency(leaves, old)
    for bad in damaged(proof, old, bit):
        with pytest.raises(LedgerError):
            merkle.check_consistency(old, size, first, second, bad)
    for wrong in (LEAVES[69], first[:-1]):
        with pytest.raises(LedgerError):
            merkle.check_consistency(old, size, wrong, second, proof)
        with pytest.raises(LedgerError):
            merkle.check_consistency(old, size, first, wrong, proof)
    for low, high in ((0, size), (size + 1, size), (-1, size)):
        with pytest.raises(LedgerError):
            merkle.check_consistency(low, high, first, second, proof)


def test_proving_outside_the_tree_is_refused() -> None:
    for index in (-1, 3):
        with pytest.raises(Malformed):
            merkle.prove_inclusion(LEAVES[:3], index)
    for old in (0, -1, 4):
        with pytest.raises(Malformed):
            merkle.prove_consistency(LEAVES[:3], old)


def test_witness_accepts_growth_from_nothing_only_with_empty_proof_and_root() -> None:
    merkle.check_growth(0, 3, EMPTY_ROOT, mth(LEAVES[:3]), ())
    merkle.check_growth(0, 0, EMPTY_ROOT, EMPTY_ROOT, ())
    for old_root, new, new_root, proof in (
        (EMPTY_ROOT, 3, mth(LEAVES[:3]), (LEAVES[0],)),
        (LEAVES[0], 3, mth(LEAVES[:3]), ()),
        (EMPTY_ROOT, 0, LEAVES[0], ()),
        (EMPTY_ROOT, 3, LEAVES[0][:31], ()),
    ):
        with pytest.raises(LedgerError):
            merkle.check_growth(0, new, old_root, new_root, proof)


def vectors(shared: Path, kind: str) -> list[tuple[str, dict[str, object]]]:
    folder = shared / "vectors/merkle/testdata" / kind
    return [(str(file.relative_to(folder)), json.loads(file.read_text())) for file in sorted(folder.rglob("*.json"))]


def accepts(check: object, *values: object) -> bool:
    try:
        check(*values)  # type: ignore[operator]
    except LedgerError:
        return False
    return True


def test_public_inclusion_vectors(shared: Path) -> None:
    found = vectors(shared, "inclusion")
    assert len(found) == 98
    for name, case in found:
        proof = [b64decode(step) for step in case["proof"] or []]
        leaf, root = b64decode(case["leafHash"] or ""), b64decode(case["root"] or "")
        assert (
            accepts(merkle.check_inclusion, case["leafIdx"], case["treeSize"], leaf, proof, root) is not case["wantErr"]
        ), name


def test_public_consistency_vectors_with_the_strict_core(shared: Path) -> None:
    found = vectors(shared, "consistency")
    assert len(found) == 98
    differ = []
    for name, case in found:
        proof = [b64decode(step) for step in case["proof"] or []]
        first, second = b64decode(case["root1"] or ""), b64decode(case["root2"] or "")
        if accepts(merkle.check_consistency, case["size1"], case["size2"], first, second, proof) is case["wantErr"]:
            differ.append(name)
    # Its roots have 12 bytes: the length rule refuses where the file accepts (ledger.md 8).
    assert differ == ["additional/sizes-are-equal-one-and-proof-is-empty.json"]
