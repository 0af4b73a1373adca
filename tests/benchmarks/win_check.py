"""Win check, readings, waits and distance: hands a second, beside `mahjong` 2.1 (spec/performance.md).

The hands are those a table asks about: complete ones, and ones a single tile off. On random deals, nearly all of which
are ruled out by a glance at the honours, a peer that stops at the first such glance looks faster; they have a row.
"""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from operator import truediv
from typing import Any

from engine.mahjong.distance import distance
from engine.mahjong.hand import complete, complete_capped, complete_counts, keys, waits
from engine.mahjong.reading import readings

try:
    from mahjong.agari import Agari
except ImportError:  # the peer is an extra
    PEER: Callable[..., Any] | None = None
else:
    PEER = Agari.is_agari

HANDS = 4000
ROUNDS = 7
NAME_OF_PEER = "mahjong Agari.is_agari"

BLOCKS = [(kind,) * 3 for kind in range(34)] + [(kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 < 7] * 2


def finished(rng: random.Random) -> list[int]:
    """Deal four melds and a pair."""
    while True:
        counts = [0] * 34
        for block in rng.choices(BLOCKS, k=4):
            for kind in block:
                counts[kind] += 1
        counts[rng.randrange(34)] += 2
        if max(counts) <= 4:
            return counts


def take(counts: list[int], rng: random.Random, tiles: int) -> list[int]:
    """Take tiles out of a hand at random."""
    for _ in range(tiles):
        counts[rng.choice([kind for kind in range(34) if counts[kind]])] -= 1
    return counts


def asked(rng: random.Random) -> list[int]:
    """Deal a hand that is complete, or one tile off, half and half."""
    counts = finished(rng)
    if rng.random() < 0.5:
        take(counts, rng, 1)[rng.choice([kind for kind in range(34) if counts[kind] < 4])] += 1
    return counts


def dealt(rng: random.Random) -> list[int]:
    """Deal fourteen tiles of 136."""
    tiles = rng.sample(range(136), 14)
    return [sum(tile // 4 == kind for tile in tiles) for kind in range(34)]


def timed(check: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> float:
    """Measure calls a second, the loop included."""
    start = time.perf_counter()
    for call in calls:
        check(*call)
    return len(calls) / (time.perf_counter() - start)


def row(
    name: str,
    check: Callable[..., Any],
    calls: Sequence[tuple[Any, ...]],
    target: str,
    peer_calls: Sequence[tuple[Any, ...]] | None = None,
) -> dict[str, Any]:
    """Measure one row, and the peer on the same hands round by round, so that both see the same machine."""
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(timed(check, calls))
        if PEER is not None and peer_calls is not None:
            theirs.append(timed(PEER, peer_calls))
    return {
        "name": name,
        "rate": statistics.median(ours),
        "peer": NAME_OF_PEER if theirs else None,
        "peer_rate": statistics.median(theirs) if theirs else None,
        "ratio": statistics.median(map(truediv, ours, theirs)) if theirs else None,
        "target": target,
    }


def run() -> list[dict[str, Any]]:
    """Measure every row."""
    rng = random.Random(2)
    hands = [asked(rng) for _ in range(HANDS)]
    complete_hands = [finished(rng) for _ in range(HANDS)]
    random_hands = [dealt(rng) for _ in range(HANDS)]
    with_wilds = [(take(asked(rng), rng, wilds), wilds) for wilds in rng.choices(range(5), k=HANDS)]
    ready = [(take(finished(rng), rng, 1),) for _ in range(HANDS)]
    counted, counted_complete, counted_random = (
        [(hand,) for hand in some] for some in (hands, complete_hands, random_hands)
    )
    kept, kept_random = ([tuple(keys(hand)) for hand in some] for some in (hands, random_hands))
    kept_with_wilds = [(*keys(hand), wilds) for hand, wilds in with_wilds]
    return [
        row("win check on kept keys", complete, kept, ">= 2 M/s, >= 10x", counted),
        row("win check on kept keys, random deals", complete, kept_random, "", counted_random),
        row("win check on kept keys, 0-4 wilds", complete, kept_with_wilds, ">= 2 M/s"),
        row("win check on kept keys, 0-4 wilds, no fifth copies", complete_capped, kept_with_wilds, ">= 2 M/s"),
        row("win check on 34 counts", complete_counts, counted, ">= 0.5 M/s, >= 3x", counted),
        row("win check on 34 counts, 0-4 wilds", complete_counts, with_wilds, ">= 0.5 M/s"),
        row("all readings of a complete hand", readings, counted_complete, ""),
        row("waits of a ready hand", waits, ready, ""),
        row("distance on kept keys", distance, kept_random, ""),
    ]


if __name__ == "__main__":
    for each in run():
        beside = f"{each['ratio']:6.1f} x {each['peer']} ({each['peer_rate']:,.0f}/s)" if each["peer"] else ""
        print(f"{each['name']:52} {each['rate']:12,.0f}/s  {each['target']:18} {beside}")
