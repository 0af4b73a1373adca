"""The battery: walls counted and tested (T0 to T12) a second, beside numpy's own shuffling of as many decks.

spec/performance.md: fairness tables of 10^6 deals within 60 s on two cores, 16,667 a second; one core here.
"""

import io
import statistics
import time
from operator import truediv
from typing import Any

import numpy as np

from engine.audit import DiceRun
from engine.cards import tile_deck
from viewer.estimate import dice, family, openings, walls
from viewer.fairness.deck_files import blocks, read_deck
from viewer.fairness.gather import Gathering
from viewer.fairness.measured import count_block

ROUNDS = 5
DEALS = 6_000
TWO_CORES = 2


def _text() -> bytes:
    ids = np.array(tile_deck(flowers=True), object)
    rows = ids[_shuffled()].tolist()
    return ("\n".join([f"# {' '.join(ids)}", *(" ".join(row) for row in rows)]) + "\n").encode()


def _shuffled() -> Any:
    return np.random.default_rng(1).permuted(np.tile(np.arange(144, dtype=np.uint8), (DEALS, 1)), axis=1)


def _battery(text: bytes) -> float:
    start = time.process_time()
    file = io.BytesIO(text)
    deck = read_deck(file, "bench", layout=None, wild="C")
    gathering = Gathering(None, classes={}, samples=0)
    tally = gathering.tally(deck)
    before = None
    for block in blocks(file, "bench"):
        gathering.take_block(tally, "bench", count_block(deck, 1, block, before, 0), None)
    rows = walls.rows(tally.counts, deck.kinds)
    rows += [openings.row(tally.openings, deck.groups, ()), dice.row(DiceRun())]
    family.adjust(rows)
    assert gathering.walls.repeated()[0] == 0
    assert tally.walls == DEALS
    gathering.close()
    return truediv(time.process_time() - start, DEALS)


def _peer() -> float:
    start = time.process_time()
    _shuffled()
    return truediv(time.process_time() - start, DEALS)


def run() -> list[dict[str, Any]]:
    """Measure the battery on one core."""
    text = _text()
    pairs = [(_battery(text), _peer()) for _ in range(ROUNDS)]
    cost, peer = (statistics.median(each) for each in zip(*pairs, strict=True))
    return [
        {
            "name": "battery T0 to T12 from a deck file, one core",
            "rate": truediv(1, cost),
            "peer": "numpy's shuffle alone",
            "peer_rate": truediv(1, peer),
            "ratio": statistics.median(truediv(theirs, mine) for mine, theirs in pairs),
            "target": f">= {1_000_000 // 60 // TWO_CORES:,}/s",
        }
    ]
