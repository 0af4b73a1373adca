"""The deal: keys, shuffle, dice and wall root of 144 tiles, beside 431 bare SHA-256 calls (spec/performance.md)."""

import statistics
import time
from hashlib import sha256
from operator import truediv
from typing import Any

from engine.cards import tile_deck
from engine.shuffle import Context, Player, deal, deck_hash

ROUNDS = 9
DEALS = 200
CALLS = 431


def _context() -> Context:
    deck = tile_deck(flowers=True)
    seats = tuple(Player(seat, f"bot:{seat}") for seat in range(4))
    return Context("bench", "t", "g", 0, bytes(32), deck_hash(deck), len(deck), 4, seats)


def _bare() -> float:
    start = time.process_time()
    for _ in range(DEALS):
        for _ in range(CALLS):
            sha256(b"0" * 64).digest()
    return truediv(time.process_time() - start, DEALS)


def _deals(context: Context, *, root: bool) -> float:
    start = time.process_time()
    for number in range(DEALS):
        dealt = deal(context, bytes(32), number % 64, number.to_bytes(32))
        if root:
            assert len(dealt.wall_root) == 32
    return truediv(time.process_time() - start, DEALS)


def run() -> list[dict[str, Any]]:
    """Measure deals with and without the wall root."""
    context = _context()
    rows = []
    for name, root, target in (
        ("deal of 144 tiles with wall root", True, "<= 2.5 x"),
        ("deal of 144 tiles without wall root", False, ""),
    ):
        pairs = [(_deals(context, root=root), _bare()) for _ in range(ROUNDS)]
        cost = statistics.median(mine for mine, _ in pairs)
        bare = statistics.median(theirs for _, theirs in pairs)
        rows.append(
            {
                "name": name,
                "rate": truediv(1, cost),
                "peer": f"{CALLS} bare SHA-256 calls",
                "peer_rate": truediv(1, bare),
                "ratio": statistics.median(truediv(mine, theirs) for mine, theirs in pairs),
                "target": target,
            }
        )
    return rows
