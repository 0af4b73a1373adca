"""Canonical bytes and Merkle trees stand in `ledger` and in `engine`, on purpose; here they are held equal."""

import re
import unicodedata

import hypothesis.strategies as st
from hypothesis import given

from engine import events
from engine.shuffle import merkle as deal_tree
from ledger import canonical, merkle

KEYS = st.from_regex(re.compile(r"[a-z][a-z0-9_.]{0,8}", re.ASCII), fullmatch=True)
INTEGERS = st.integers(-(2**53 - 1), 2**53 - 1)
TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=12).filter(
    lambda text: unicodedata.is_normalized("NFC", text)
)
VALUES = st.recursive(
    st.booleans().filter(bool) | INTEGERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_both_write_the_same_bytes(record: dict[str, object]) -> None:
    try:
        mine = canonical.encode(record)
    except canonical.Malformed:
        return  # outside the ledger's profile, e.g. too deep
    assert events.canonical(record) == mine
    assert events.load(mine) == canonical.decode(mine)


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=40), st.data())
def test_both_grow_the_same_trees(leaves: list[bytes], data: st.DataObject) -> None:
    root = deal_tree.merkle_root(leaves)
    hashes = [merkle.leaf(leaf) for leaf in leaves]
    assert hashes == [deal_tree.leaf_hash(leaf) for leaf in leaves]
    assert root == merkle.root(hashes)
    index = data.draw(st.integers(0, len(leaves) - 1))
    path = merkle.prove_inclusion(hashes, index)
    assert path == deal_tree.merkle_path(leaves, index)
    merkle.check_inclusion(index, len(leaves), hashes[index], path, root)
    assert deal_tree.check_path(root, leaves[index], index, len(leaves), path)
