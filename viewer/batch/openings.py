"""Opening hands of whole walls by integer arrays: the counts of `engine.audit.openings`, tested equal to it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from engine.audit import FEATURES, OpeningSummary
from engine.audit.openings import BULL_HAND
from engine.banker.hand import VALUE
from viewer.batch.walls import Ints, Walls

_TRIPLES: Final = ((0, 1, 2), (0, 1, 3), (0, 1, 4), (0, 2, 3), (0, 2, 4), (0, 3, 4), (1, 2, 3), (1, 2, 4), (1, 3, 4),
                   (2, 3, 4))  # fmt: skip


def count_openings(walls: Walls, hands: Sequence[Sequence[int]], deck: Mapping[str, tuple[int, ...]]) -> OpeningSummary:
    """Count the opening hands that lie at the places `hands` of each wall; `deck` as `engine.audit` parts it."""
    found: Counter[tuple[int, int, str, int]] = Counter()
    groups = {name: np.array(values, np.uint8) for name, values in deck.items()}
    for place, positions in enumerate(hands):
        tiles = walls[:, list(positions)]
        size = len(positions)
        found[place, size, "hands", 0] += len(walls)
        by_part: dict[str, Ints] = {}
        for feature in FEATURES:
            if feature.part not in groups:
                continue
            counted = by_part.get(feature.part)
            if counted is None:
                counted = by_part[feature.part] = group_counts(groups[feature.part][tiles])
            worths = np.array(
                [[feature.worth(group, many) for many in range(size + 1)] for group in range(counted.shape[1])]
            )
            each = np.take_along_axis(worths.T, counted, axis=0)
            values = each.max(axis=1) if feature.largest else each.sum(axis=1)
            for value, many in zip(*np.unique(values, return_counts=True), strict=True):
                found[place, size, feature.name, int(value)] += int(many)
        suits = by_part.get("suit")
        if suits is None:
            suits = group_counts(groups["suit"][tiles])
        for suit, many in enumerate(suits.sum(axis=0).tolist()):
            if many:
                found[place, size, f"suit.{suit}", 0] += many
        if size == BULL_HAND and "high" in groups:
            for number, many in enumerate(np.bincount(bulls(groups["kind"][tiles]), minlength=11).tolist()):
                if many:
                    found[place, size, "bull", number] += many
    return OpeningSummary(found)


def group_counts(groups: Walls) -> Ints:
    """Return for each hand (a row of groups) how many tiles of each group it holds."""
    hands = len(groups)
    many = int(groups.max(initial=0)) + 1
    numbered = groups + (np.arange(hands, dtype=np.int64) * many)[:, None]
    return np.bincount(numbered.ravel(), minlength=hands * many).reshape(hands, many)


def bulls(kinds: Walls) -> Ints:
    """Return the bull number of each hand of five ranks (13, 14: the jokers)."""
    points = np.array([*VALUE[:13], 10, 10], np.int64)[kinds]
    three = np.zeros(len(kinds), np.bool_)
    for triple in _TRIPLES:
        three |= points[:, list(triple)].sum(axis=1) % 10 == 0
    rest = points.sum(axis=1) % 10
    found: Ints = np.where(three, np.where(rest == 0, 10, rest), 0)
    return found
