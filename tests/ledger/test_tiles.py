"""Tiles and bundles: paths, the worked example, the public Tessera log, every damage refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.checkpoint import open_checkpoint
from ledger.errors import Malformed
from ledger.keys import parse_vkey
from ledger.merkle import leaf, root
from ledger.tiles import (
    MAX_ENTRY,
    Tile,
    TileTree,
    decode_bundle,
    decode_tile,
    encode_bundle,
    encode_tile,
    parse_path,
    tiles_of,
)

TESSERA = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx"


def test_the_paths_of_the_specification() -> None:
    assert Tile(0, 1234067).path() == "tile/0/x001/x234/067"
    assert Tile(-1, 0, 3).path() == "tile/entries/000.p/3"
    assert Tile(2, 1000, 255).path() == "tile/2/x001/000.p/255"


@given(st.builds(Tile, st.integers(-1, 63), st.integers(0, 10**18), st.integers(1, 256)))
def test_paths_are_mirrored(tile: Tile) -> None:
    assert parse_path(tile.path()) == tile


@pytest.mark.parametrize(
    "path",
    ["", "tile/0/0", "tile/0/00", "tile/0/0000", "tile/00/000", "tile/64/000", "tile/0/x000/000", "tile/0/x1/000",
     "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/999", "tile/0/000.p/01", "tile/0/000.p", "tile/-1/000",
     "tile/0/000\n", "/tile/0/000", "tile/0/../000", "tile/entry/000", "tile/0/٠٠٠", "tile/0/001/000", "tile/x/000",
     "tile/0/" + "x999/" * 9 + "999"],
)  # fmt: skip
def test_other_spellings_of_a_path_are_refused(path: str) -> None:
    with pytest.raises(Malformed):
        parse_path(path)


def test_the_worked_example_of_70_000_entries() -> None:
    found = list(tiles_of(70_000, entries=False))
    by_level = {level: [tile for tile in found if tile.level == level] for level in range(4)}
    assert [len(by_level[level]) for level in range(4)] == [274, 2, 1, 0]
    assert [tile.width for tile in by_level[0]] == [256] * 273 + [112]
    assert [tile.width for tile in by_level[1]] == [256, 17]
    assert [tile.width for tile in by_level[2]] == [1]
    assert [tile.path() for tile in by_level[2]] == ["tile/2/000.p/1"]
    assert len(list(tiles_of(70_000))) == len(found) + 274


def test_a_tree_of_256_has_one_full_tile_and_one_hash_above() -> None:
    assert list(tiles_of(256, entries=False)) == [Tile(0, 0), Tile(1, 0, 1)]
    assert list(tiles_of(0)) == []


def test_each_hash_is_the_tree_hash_of_its_span() -> None:
    leaves = [leaf(b"%d" % number) for number in range(256 * 256 + 300)]
    tree = TileTree(leaves)
    for tile in tiles_of(len(leaves), entries=False):
        hashes = tree.hashes(tile)
        assert len(hashes) == tile.width
        span = 256**tile.level
        for place in (0, tile.width // 2, tile.width - 1):
            start = (tile.start + place) * span
            assert hashes[place] == root(leaves[start : start + span])
        assert decode_tile(encode_tile(hashes), tile) == list(hashes)


def test_a_tile_of_another_length_is_refused() -> None:
    for wrong in (b"", bytes(31), bytes(32 * 4), bytes(32 * 3 - 1)):
        with pytest.raises(Malformed):
            decode_tile(wrong, Tile(0, 0, 3))


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_bundles_are_mirrored_and_every_cut_is_seen(records: list[bytes]) -> None:
    data = encode_bundle(records)
    assert decode_bundle(data) == records
    ends = {len(encode_bundle(records[:count])) for count in range(len(records) + 1)}
    for cut in set(range(len(data))) - ends:
        with pytest.raises(Malformed) as caught:
            decode_bundle(data[:cut])
        assert caught.value.offset in ends


def test_a_record_too_long_for_its_length_is_refused() -> None:
    assert decode_bundle(encode_bundle([bytes(MAX_ENTRY)])) == [bytes(MAX_ENTRY)]
    with pytest.raises(Malformed):
        encode_bundle([bytes(MAX_ENTRY + 1)])


def test_the_public_tessera_log_reads_as_ours_does(shared: Path) -> None:
    """16 checkpoints, 15 partial tiles and bundles: their bytes are the ones we would write (ledger.md 8)."""
    folder = shared / "vectors/tessera/testdata/log"
    key = parse_vkey(TESSERA)
    entries = decode_bundle((folder / Tile(-1, 0, 15).path()).read_bytes())
    leaves = [leaf(entry) for entry in entries]
    partial = roots = 0
    for size in range(16):
        checkpoint, _ = open_checkpoint((folder / f"checkpoint.{size}").read_bytes(), [key])
        assert (checkpoint.size, checkpoint.root) == (size, root(leaves[:size]))
        roots += 1
        tree = TileTree(leaves[:size])
        for tile in tiles_of(size):
            stored = (folder / tile.path()).read_bytes()
            if tile.level < 0:
                assert stored == encode_bundle(entries[:size])
            else:
                assert stored == encode_tile(tree.hashes(tile))
                partial += 1
    assert (roots, partial) == (16, 15)
