from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.shuffle import check_path, merkle_path, merkle_root

LEAVES = st.lists(st.binary(max_size=8), min_size=1, max_size=40, unique=True)  # equal leaves would prove each other


def recursive(leaves: list[bytes]) -> bytes:
    """RFC 6962 2.1 as written."""
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    k = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha256(b"\x01" + recursive(leaves[:k]) + recursive(leaves[k:])).digest()


@given(LEAVES)
def test_root_is_the_recursive_definition(leaves: list[bytes]) -> None:
    assert merkle_root(leaves) == recursive(leaves)


@given(LEAVES, st.data())
def test_paths_lead_to_the_root_from_their_own_place_only(leaves: list[bytes], data: st.DataObject) -> None:
    root, size = merkle_root(leaves), len(leaves)
    index = data.draw(st.integers(0, size - 1))
    path = merkle_path(leaves, index)
    assert check_path(root, leaves[index], index, size, path)
    for other in range(size):
        assert check_path(root, leaves[index], other, size, path) == (other == index)
    assert not check_path(root, leaves[index] + b"x", index, size, path)
    assert not check_path(root, leaves[index], index, size, [*path, root])
    for i in range(len(path)):
        assert not check_path(root, leaves[index], index, size, path[:i] + path[i + 1 :])
        assert not check_path(root, leaves[index], index, size, (*path[:i], path[i][:31], *path[i + 1 :]))
        changed = bytes([path[i][0] ^ 1]) + path[i][1:]
        assert not check_path(root, leaves[index], index, size, (*path[:i], changed, *path[i + 1 :]))


def test_one_leaf_has_an_empty_path() -> None:
    assert merkle_path([b"a"], 0) == ()
    assert check_path(merkle_root([b"a"]), b"a", 0, 1, ())


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0), (5, 3)])
def test_places_outside_the_tree_are_refused(index: int, size: int) -> None:
    leaves = [b"a", b"b", b"c"]
    assert not check_path(merkle_root(leaves), b"a", index, size, merkle_path(leaves, 0))


def test_nothing_commits_to_nothing() -> None:
    with pytest.raises(ValueError, match="no leaves"):
        merkle_root([])
    with pytest.raises(IndexError):
        merkle_path([b"a"], 1)
    with pytest.raises(IndexError):
        merkle_path([b"a"], -1)
