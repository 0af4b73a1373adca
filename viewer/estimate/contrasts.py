"""T13: whether the seats of a table are dealt alike, whatever their number, account class or last results.

Seats of one hand are exchangeable in what their first tiles are worth, exactly. Hands are put into blocks; a block
keeps, as integers that add, the worth of each seat times the labels of each seat, so that the total under any
exchange of seats within a block can be read off. The same exchange for all hands of a block is a subgroup of all
exchanges, so the test stays exact; 9,999 of them are drawn from a logged seed, and the largest of the standardised
totals is compared: one p for each covariate.
"""

from dataclasses import dataclass, field
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from viewer.batch.walls import Ints
from viewer.estimate.statistic import Row, Statistic
from viewer.estimate.walls import too_few

LEAST: Final = 2000
DRAWS: Final = 9_999
BLOCKS: Final = 512
ALL_EXCHANGES: Final = 4
"""Up to so many seats every exchange is used; beyond, the rotations."""
NAME: Final = "opening hands by seat, account class, streak"


@dataclass(slots=True)
class Contrasts:
    """Hands of `seats` seats, measured by `features`.

    `labels`: for (covariate, label) the array worth[block, s, t, feature]: seat s's worth where seat t wears the label.
    """

    seats: int
    features: tuple[str, ...]
    hands: int = 0
    labels: dict[tuple[str, str], Ints] = field(default_factory=dict)
    """(covariate, label) -> worth, an array of block x seat x seat x feature."""

    def take(self, worth: Ints, worn: dict[str, list[str]]) -> None:
        """Add a hand. `worth[seat, feature]`; `worn[covariate][seat]`: the seat's label, "" for none."""
        block = self.hands % BLOCKS
        self.hands += 1
        for covariate, labels in worn.items():
            for label in set(labels) - {""}:
                table = self.labels.get((covariate, label))
                if table is None:
                    shape = (BLOCKS, self.seats, self.seats, len(self.features))
                    table = self.labels[covariate, label] = np.zeros(shape, np.int64)
                wearing = np.array([each == label for each in labels])
                table[block] += worth[:, None, :] * wearing[None, :, None]


def row(contrasts: Contrasts | None, seed: int) -> Row:
    """Return the row T13."""
    hands = contrasts.hands if contrasts is not None else 0
    found = Row("T13", NAME, hands, LEAST)
    if contrasts is None or hands < LEAST:
        found.why = too_few(hands, LEAST)
        return found
    for number, covariate in enumerate(sorted({covariate for covariate, _ in contrasts.labels})):
        each = _covariate(contrasts, covariate, np.random.default_rng([seed, number]))
        if each is not None:
            found.statistics.append(each)
    if not found.statistics:
        found.why = "every seat wears the same labels"
    return found


def exchanges(seats: int) -> NDArray[np.intp]:
    """Return the exchanges in use: rows of seats, the first one the identity."""
    if seats <= ALL_EXCHANGES:
        return np.array(list(permutations(range(seats))))
    return np.array([[(seat + step) % seats for seat in range(seats)] for step in range(seats)])


def _covariate(contrasts: Contrasts, covariate: str, generator: np.random.Generator) -> Statistic | None:
    """Compare the largest standardised total of any label and feature with those of exchanged seats."""
    labels = [label for name, label in contrasts.labels if name == covariate]
    tables = np.stack([contrasts.labels[covariate, label] for label in labels], axis=-1)
    ways = exchanges(contrasts.seats)
    seats = np.arange(contrasts.seats)
    # totals[b, way, feature * label]: the block's total if seat s wore what seat way[s] wears
    totals = np.stack([tables[:, seats, way].sum(axis=1).reshape(BLOCKS, -1) for way in ways], axis=1).astype(float)
    mean = totals.mean(axis=1)
    variance = ((totals - mean[:, None]) ** 2).mean(axis=1).sum(axis=0)
    moving = variance > 0
    if not moving.any():
        return None
    totals = (totals - mean[:, None])[:, :, moving] / np.sqrt(variance[moving])
    observed = np.abs(totals[:, 0].sum(axis=0))
    largest = float(observed.max())
    as_large = 1
    blocks = np.arange(BLOCKS)
    for _ in range(DRAWS):
        drawn = totals[blocks, generator.integers(0, len(ways), BLOCKS)].sum(axis=0)
        as_large += float(np.abs(drawn).max()) >= largest - 1e-9
    feature, label = np.unravel_index(
        int(np.flatnonzero(moving)[int(observed.argmax())]), (len(contrasts.features), len(labels))
    )
    name = f"{covariate}: {contrasts.features[feature]} of {labels[label]}"
    null = f"{DRAWS} exchanges of seats"
    return Statistic(name, largest, as_large / (DRAWS + 1), null, n=contrasts.hands)
