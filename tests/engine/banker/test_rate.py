"""The audit rate: hands replayed per unit of a fixed loop, so that a slow or busy machine does not fail it."""

import time
from collections.abc import Callable
from operator import truediv

import pytest
from niuniu_tables import game

from engine.replay import replay

LOOP_MS = 60
"""What the fixed loop takes where the targets hold: 3,000 hands a second with wall roots, 5,000 without."""


def spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def loop() -> int:
    total = 0
    for number in range(2_000_000):
        total += number & 7
    return total


@pytest.mark.long
@pytest.mark.parametrize(("wall_root", "target"), [(True, 3000), (False, 5000)])
def test_full_replay_is_fast_enough(wall_root: bool, target: int) -> None:
    logs = [game("niuniu", {}, name=f"rate-{number}", players=4).lines for number in range(20)]
    hands = sum(replay(lines).hands for lines in logs)
    rates = []
    for _ in range(7):
        unit = spent(loop)
        took = spent(lambda: [replay(lines, wall_root=wall_root) for lines in logs])
        rates.append(truediv(hands * unit * 1000, took * LOOP_MS))
    assert max(rates) >= target, rates
