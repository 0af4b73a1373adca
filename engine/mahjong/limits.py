"""Time limits as facts of an audit: decisions that took longer than the rules allow (`mahjong.md` 2.3).

The limits are matters of the client: no rule enforces them and no decision is unlawful for being late. Whoever audits
a room may still ask how often they were kept. A turn is timed from the tile that came last (a draw, a replacement, a
claim, the deal) to the discard; an answer from the discard or added kong that it is about. What a time-out chose
(`auto`) is the limit at work and never late.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.events import Record
from engine.mahjong.rules import MahjongRules

GIVES_TURN = frozenset({"dealt", "drawn", "melded"})


class Late(NamedTuple):
    """One late decision: where, whose, what it was, how long it took and what it may take, in ms."""

    seq: int
    seat: int
    what: str
    took: int
    limit: int


def late(rules: MahjongRules, records: Iterable[Record]) -> Iterator[Late]:
    """Yield the late decisions of a game's events, in order; nothing where the rules name no limits."""
    limits = dict(rules.time_limits)
    if not limits:
        return
    turn = 0
    asked: dict[int, int] = {}
    for record in records:
        kind, at = record["type"], record["at"]
        if kind in GIVES_TURN:
            turn = at
        if kind in {"discarded", "konged"}:
            asked[record["seq"]] = at
        what = record["answer"] if kind == "answered" else kind
        limit = limits.get(what) if kind in {"discarded", "answered"} else None
        if limit is None or "auto" in record:
            continue
        took = at - (turn if kind == "discarded" else asked.get(record["to"], at))
        if took > limit:
            yield Late(record["seq"], record["seat"], what, took, limit)
