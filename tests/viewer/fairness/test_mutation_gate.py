"""The gate for our own tests: each faulty shuffler is caught by its named row, and fair walls pass (fairness.md 4)."""

import numpy as np
import pytest
from games import seated, thrown
from shufflers import FAULTY, Walls, fair

from engine.cards import card_deck, tile_deck
from viewer.batch.openings import count_openings
from viewer.batch.walls import Counts, count, no_walls
from viewer.estimate import contrasts, dice, family, openings
from viewer.estimate import walls as wall_rows
from viewer.estimate.statistic import Row
from viewer.fairness.deck import Deck
from viewer.fairness.measured import digests
from viewer.fairness.spool import Spool

CHUNK = 4096
ALPHA = 0.01
TILES = Deck.of(tile_deck(flowers=True))
CARDS = Deck.of(card_deck(jokers=False))


def rows_of(walls: Walls) -> list[Row]:
    """The battery on walls in order, adjusted as a certificate is."""
    deck = TILES if walls.shape[1] == TILES.n else CARDS
    total = Counts.none(deck.n)
    before = no_walls(1, deck.n)
    for start in range(0, len(walls), CHUNK):
        chunk = walls[start : start + CHUNK]
        earlier = np.concatenate((before, chunk[:-1]))
        total += count(chunk, earlier, earlier, deck.kind_array)
        before = chunk[-1:]
    rows = wall_rows.rows(total, deck.kinds)
    assert deck.layout is not None
    rows.append(openings.row(count_openings(walls, deck.layout.hands, deck.groups), deck.groups, ()))
    family.adjust(rows)
    return rows


def duplicates(walls: Walls) -> int:
    spool = Spool()
    try:
        spool.add_lines(digests(walls), "walls", np.arange(len(walls)))
        return spool.repeated()[0]
    finally:
        spool.close()


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_shuffler_is_caught_by_its_row(name: str) -> None:
    shuffle, key, deals = FAULTY[name]
    walls = shuffle(np.random.default_rng(20_240_607), deals)
    if key == "T0":
        assert duplicates(walls) > 0
        return
    row = next(row for row in rows_of(walls) if row.id == key)
    assert row.holm is not None
    assert row.holm <= ALPHA, (row.id, row.p, row.statistics)


def test_there_are_seventeen() -> None:
    assert len(FAULTY) == 17


def whole_family(seed: int, deals: int) -> tuple[list[Row], Walls]:
    """All rows of the family on fair games, T1 to T13, adjusted together; and the walls."""
    walls = fair(np.random.default_rng(seed), deals)
    play = np.random.default_rng([seed, 1])
    rows = rows_of(walls)
    rows.append(dice.row(thrown(deals, play)))
    rows.append(contrasts.row(seated(walls, TILES, play), seed))
    family.adjust(rows)
    return rows, walls


def passes(seed: int, deals: int) -> bool:
    rows, walls = whole_family(seed, deals)
    return not family.rejected(rows, ALPHA) and duplicates(walls) == 0


def test_the_family_is_t1_to_t13() -> None:
    rows, _ = whole_family(7, contrasts.LEAST)
    assert [row.id for row in rows] == [f"T{number}" for number in range(1, 14)]
    assert all(row.p is not None and row.holm is not None for row in rows)


def test_fair_walls_pass_99_of_100_seeds() -> None:
    assert sum(passes(seed, 1_000) for seed in range(100)) >= 99


@pytest.mark.long
def test_the_family_rejects_under_1_5_percent_of_fair_batches() -> None:
    assert sum(not passes(seed, contrasts.LEAST) for seed in range(1_000, 1_400)) < 0.015 * 400
