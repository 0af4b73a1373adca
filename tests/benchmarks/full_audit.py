"""The full audit of a ledger of Linhai games on one core: hands a second, with and without the wall root.

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
GAMES = 12


def _seconds(url: str, *, wall_root: bool) -> tuple[float, int]:
    start = time.process_time()
    report = audit(url, wall_root=wall_root)
    spent = time.process_time() - start
    assert report.exit == 0
    return spent, report.hands


def run() -> list[dict[str, Any]]:
    """Measure a ledger of a dozen matches."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        log, _ = open_log(url, operator="bench")
        with log:
            events = record(log, [Job("linhai", 7, index, 0) for index in range(GAMES)], 1)
        rows = []
        for name, root, target in (
            ("full audit of Linhai, hands", True, ">= 700"),
            ("full audit of Linhai without wall root, hands", False, ">= 1,000"),
        ):
            measured = [_seconds(url, wall_root=root) for _ in range(ROUNDS)]
            hands = measured[0][1]
            rate = truediv(hands, statistics.median(spent for spent, _ in measured))
            rows.append(
                {
                    "name": f"{name} ({truediv(events, hands):.0f} events each)",
                    "rate": rate,
                    "peer": None,
                    "peer_rate": None,
                    "ratio": None,
                    "target": target,
                }
            )
    return rows
