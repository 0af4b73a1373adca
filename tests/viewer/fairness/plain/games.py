"""Fair games around given walls: what the whole family of rows T1 to T13 needs beside the walls themselves.

Four seats, one dealer after the other; two throws of two dice a hand; who wins leans on the opening hands, as in
play, so that hands after a win and after a loss are no random half of the hands.
"""

import numpy as np
from numpy.typing import NDArray
from shufflers import Walls

from engine.audit import FEATURES
from engine.audit.dice import DiceRun
from viewer.batch.openings import group_counts
from viewer.estimate.contrasts import Contrasts
from viewer.fairness.deck import Deck

SEATS = 4
CLASSES = ("new", "paying", "bot", "house")


def worth_of(walls: Walls, deck: Deck) -> NDArray[np.int64]:
    """Return worth[hand, place, feature] of each place's first tiles, as many as every place has."""
    layout = deck.layout
    assert layout is not None
    columns = []
    for feature in FEATURES:
        if feature.part not in deck.groups:
            continue
        groups = np.array(deck.groups[feature.part], np.uint8)
        places = []
        for positions in layout.hands:
            counted = group_counts(groups[walls[:, list(positions[: layout.least])]])
            worths = np.array([
                [feature.worth(group, many) for group in range(counted.shape[1])] for many in range(layout.least + 1)
            ])  # fmt: skip
            each = np.take_along_axis(worths, counted, axis=0)
            places.append(each.max(axis=1) if feature.largest else each.sum(axis=1))
        columns.append(np.stack(places, axis=1))
    found: NDArray[np.int64] = np.stack(columns, axis=2).astype(np.int64)
    return found


def seated(walls: Walls, deck: Deck, rng: np.random.Generator) -> Contrasts:
    """Deal the walls at a table and return what T13 compares: by seat, account class, and last results."""
    worth = worth_of(walls, deck)
    names = tuple(feature.name for feature in FEATURES if feature.part in deck.groups)
    found = Contrasts(SEATS, names)
    noise = rng.normal(0, 2, (len(walls), SEATS))
    classes = rng.integers(0, len(CLASSES), (len(walls) // 16 + 1, SEATS))
    streaks = [0] * SEATS
    for hand, places in enumerate(worth):
        if not hand % 16:
            streaks = [0] * SEATS  # other players sit down
        dealer = hand % SEATS
        by_seat = places[[(seat - dealer) % SEATS for seat in range(SEATS)]]
        found.take(by_seat, {
            "seat": [str(seat) for seat in range(SEATS)],
            "class": [CLASSES[number] for number in classes[hand // 16]],
            "streak": [named(streak) for streak in streaks],
        })  # fmt: skip
        winner = int((by_seat[:, 0] + by_seat[:, 1] + noise[hand]).argmax())
        streaks = [max(each, 0) + 1 if seat == winner else min(each, 0) - 1 for seat, each in enumerate(streaks)]
    return found


def named(streak: int) -> str:
    """Name the last results of a seat as the battery does."""
    if not streak:
        return ""
    word = "win" if streak > 0 else "loss"
    return f"after a {word}" if abs(streak) == 1 else f"after {word} streak"


def thrown(deals: int, rng: np.random.Generator) -> DiceRun:
    """Throw two dice twice for each deal."""
    found = DiceRun()
    for throw in rng.integers(1, 7, (2 * deals, 2)).tolist():
        found.throw(throw)
    return found
