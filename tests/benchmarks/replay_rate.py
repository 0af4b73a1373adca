"""Replay: hands a second of every preset, with and without the wall root, beside `jansou` on real logs.

The engine's part of the full audit: canonical bytes, wall and dice from the seed, every event derived again, every
claim window with its answers, settlement. What the ledger adds is in `full_audit`.
"""

import os
import statistics
import time
from operator import truediv
from pathlib import Path
from typing import Any

from engine.replay import replay
from engine.variants import PRESETS
from viewer.simulate import Job, play

try:
    from jansou.io.mjlog import parse_mjlog
    from jansou.io.replay import replay_paifu
except ImportError:  # the peer is an extra
    parse_mjlog = replay_paifu = None

ROUNDS = 5
GAMES = 12
LOGS = Path(os.environ.get("PAIPU_SHARED", Path(__file__).parents[3] / "shared")) / "vectors" / "tenhou"


def _rate(games: list[list[bytes]], *, wall_root: bool) -> tuple[float, float]:
    """Give hands and events a second of CPU."""
    start = time.process_time()
    hands = sum(replay(lines, wall_root=wall_root).hands for lines in games)
    spent = time.process_time() - start
    return truediv(hands, spent), truediv(sum(map(len, games)), spent)


def _peer() -> float | None:
    """Give jansou's events a second on the real logs beside this clone."""
    if parse_mjlog is None or not LOGS.is_dir():
        return None
    records = []
    for path in sorted(LOGS.glob("20*.mjlog")):
        try:
            record = parse_mjlog(path)
            list(replay_paifu(record))
        except Exception:  # noqa: BLE001  logs that the peer cannot read are not its rate
            continue
        records.append(record)
    if not records:
        return None
    rates = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for record in records:
            list(replay_paifu(record))
        spent = time.process_time() - start
        rates.append(truediv(sum(len(each.events) for record in records for each in record.rounds), spent))
    return statistics.median(rates)


def run() -> list[dict[str, Any]]:
    """Measure every preset."""
    rows = []
    peer = _peer()
    for preset in PRESETS:
        games = [
            [line for chunk in play(Job(preset, 7, index, 0, match={"length": {"hands": 8}})) for line in chunk]
            for index in range(GAMES)
        ]
        for root in (True, False):
            measured = [_rate(games, wall_root=root) for _ in range(ROUNDS)]
            events = statistics.median(each for _, each in measured)
            rows.append(
                {
                    "name": f"replay {preset}{'' if root else ' without wall root'}, hands",
                    "rate": statistics.median(each for each, _ in measured),
                    "peer": "jansou replay_paifu, events" if peer else None,
                    "peer_rate": peer,
                    "ratio": truediv(events, peer) if peer else None,
                    "target": "",
                }
            )
    return rows
