"""The full audit of a ledger on one core: hands a second by game, with and without the wall root.

Everything counts: bytes canonical, chain, trees, entries and signatures (levels 1 to 4), wall and dice from the seed,
every event derived again, every claim window with its answers, the settlement (level 7). Storage is read from SQLite.
"""

import statistics
import tempfile
import time
from operator import truediv
from pathlib import Path
from typing import Any

from viewer.commands.simulate import record
from viewer.simulate import Job
from viewer.targets import open_log
from viewer.verdict import audit

ROUNDS = 5
MATCHES = (
    ("linhai", 24, ">= 700", ">= 1,000"),
    ("niuniu", 120, ">= 3,000", ">= 5,000"),
    ("three_one", 24, ">= 800", ""),
    ("forty", 12, ">= 800", ""),
)
"""Rules, matches, and what is to be reached with the wall root and without it."""


def _seconds(url: str, *, wall_root: bool) -> tuple[float, int]:
    start = time.process_time()
    report = audit(url, wall_root=wall_root)
    spent = time.process_time() - start
    assert report.exit == 0
    return spent, report.hands


def _rates(rules: str, matches: int, targets: tuple[str, str]) -> list[dict[str, Any]]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        log, _ = open_log(url, operator="bench")
        with log:
            events = record(log, [Job(rules, 7, index, 0) for index in range(matches)], 1)
        for told, root, target in (("", True, targets[0]), (" without wall root", False, targets[1])):
            measured = [_seconds(url, wall_root=root) for _ in range(ROUNDS)]
            hands = measured[0][1]
            rows.append(
                {
                    "name": f"full audit of {rules}{told}, hands ({truediv(events, hands):.0f} events each)",
                    "rate": truediv(hands, statistics.median(spent for spent, _ in measured)),
                    "peer": None,
                    "peer_rate": None,
                    "ratio": None,
                    "target": target,
                }
            )
    return rows


def run() -> list[dict[str, Any]]:
    """Measure a ledger of each game."""
    return [row for rules, matches, *targets in MATCHES for row in _rates(rules, matches, (targets[0], targets[1]))]
