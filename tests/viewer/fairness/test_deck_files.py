"""Deck files: the quick reader equals the slow one, what is no wall is named by its line, ties are broken by a seed."""

import io

import numpy as np
import pytest
from shufflers import Walls, fair

from engine.cards import card_deck, tile_deck
from ledger.errors import Malformed
from viewer.fairness import deck_files
from viewer.fairness.deck import Deck, DeckError
from viewer.fairness.deck_files import Block, Reader, blocks, read_deck

TILES = tile_deck(flowers=True)


def text_of(codes: tuple[str, ...], walls: Walls) -> bytes:
    lines = [f"# {' '.join(codes)}", *(" ".join(codes[index] for index in row) for row in walls.tolist())]
    return ("\n".join(lines) + "\n").encode()


def read(data: bytes, seed: int = 1) -> tuple[Deck, Walls, list[tuple[int, str]]]:
    file = io.BytesIO(data)
    deck = read_deck(file, "decks", layout=None, wild="C")
    parsed = [Reader(deck, seed).read(block) for block in blocks(file, "decks")]
    walls = np.concatenate([each.walls for each in parsed]) if parsed else np.zeros((0, deck.n), np.uint8)
    return deck, walls, [fault for each in parsed for fault in each.faults]


@pytest.mark.parametrize("codes", [TILES, tile_deck(flowers=False), card_deck(jokers=True)], ids=len)
def test_walls_come_back_in_order_over_many_blocks(codes: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck_files, "BLOCK_BYTES", 5_000)
    walls = fair(np.random.default_rng(1), 60, len(codes))
    deck, found, faults = read(text_of(codes, walls))
    assert deck.ids == codes
    assert deck.copies
    assert (found == walls).all()
    assert not faults


def test_the_quick_reader_is_used_and_equals_the_slow_one() -> None:
    walls = fair(np.random.default_rng(2), 20)
    block = Block(text_of(TILES, walls).split(b"\n", 1)[1], 2)
    reader = Reader(Deck.of(TILES), 1)
    quick = reader._fast(block.data)
    assert quick is not None
    assert (quick == reader._slow(block).walls).all()


@pytest.mark.parametrize("change", [(b" ", b"  "), (b" ", b"\t"), (b"\n", b" \n"), (b"\n", b"\r\n")])
def test_other_spacing_is_read_too(change: tuple[bytes, bytes]) -> None:
    walls = fair(np.random.default_rng(3), 5)
    head, rest = text_of(TILES, walls).split(b"\n", 1)
    _, found, faults = read(head + b"\n" + rest.replace(*change))
    assert (found == walls).all()
    assert not faults


def test_a_file_without_its_last_newline_is_read_whole() -> None:
    walls = fair(np.random.default_rng(4), 5)
    assert len(read(text_of(TILES, walls)[:-1])[1]) == 5


def test_long_ids_are_read() -> None:
    codes = tuple(f"card-number-{number}" for number in range(60))
    walls = fair(np.random.default_rng(5), 7, 60)
    assert (read(text_of(codes, walls))[1] == walls).all()


def test_lines_that_are_no_walls_are_named_and_the_others_counted() -> None:
    walls = fair(np.random.default_rng(6), 6)
    lines = text_of(TILES, walls).decode().splitlines()
    lines[2] = lines[2].replace("E.0", "E.1")
    lines[3] = lines[3].replace("E.0", "X.0")
    lines[4] = lines[4].rpartition(" ")[0]
    _, found, faults = read("\n".join(lines).encode() + b"\n")
    assert (found == walls[[0, 4, 5]]).all()
    assert sorted(faults) == [
        (3, "a tile stands more often than in the deck"),
        (4, "b'X.0' is not in the deck"),
        (5, "143 tiles, the deck has 144"),
    ]


def test_a_doubled_tile_is_found_by_the_quick_reader_too() -> None:
    walls = fair(np.random.default_rng(7), 3)
    walls[1, 0] = walls[1, 1]
    _, found, faults = read(text_of(TILES, walls))
    assert len(found) == 2
    assert [line for line, _ in faults] == [3]


def test_kinds_are_read_and_ties_broken_by_the_seed() -> None:
    kinds = tuple(identity.partition(".")[0] for identity in TILES)
    walls = fair(np.random.default_rng(8), 30)
    data = text_of(kinds, walls)
    deck, found, faults = read(data)
    assert not deck.copies
    assert not faults
    assert (np.sort(found, axis=1) == np.arange(144)).all()
    assert (deck.kind_array[found] == deck.kind_array[walls]).all()
    assert (read(data)[1] == found).all()
    assert (read(data, seed=2)[1] != found).any()


def test_broken_ties_are_uniform() -> None:
    codes = ("a", "a", "b", "c", "d", "e")
    walls = np.tile(np.arange(6, dtype=np.uint8), (4_000, 1))
    _, found, _ = read(text_of(codes, walls))
    assert 1_850 < int((found[:, 0] == 0).sum()) < 2_150


@pytest.mark.parametrize(
    "data",
    [b"", b"1m 2m\n", b"#1m 2m\n1m 2m\n", b"# 1m\n", b"# 1m 2m", b"# " + b"1m " * 300 + b"\n", "# 一 二\n".encode(),
     b"# " + b"x" * (1 << 15) + b"\n"],
)  # fmt: skip
def test_what_is_no_deck_file_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(Malformed) as caught:
        read(data)
    assert "\n" not in str(caught.value)


def test_endless_lines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deck_files, "BLOCK_BYTES", 10_000)
    with pytest.raises(Malformed):
        read(b"# 1m 2m\n" + b"1m " * 20_000)


def test_a_layout_larger_than_the_deck_is_refused() -> None:
    with pytest.raises(DeckError):
        Deck.of(("a", "b", "c"), layout="mahjong")
