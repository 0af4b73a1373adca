"""Two players for simulated games: `random`, and `greedy`, which plays towards a win, claims and declares.

A bot is handed a `Sight`: what its seat may see, never the state. Its choices come from a stream of its own, so that
a simulation is a function of its seed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.cards import INDEX
from engine.events import Body
from engine.mahjong.distance import distance
from engine.mahjong.hand import POWER, SUIT
from engine.mahjong.state import NONE, Hand
from engine.shuffle import Stream


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat sees when it is asked: its own concealed tiles, everybody's table, and its options."""

    seat: int
    counts: tuple[int, ...]
    keys: tuple[int, ...]
    melds: int
    seen: tuple[int, ...]
    """Per kind: tiles of it in the own hand, in melds, and among the discards."""
    wind: int
    options: Sequence[Body]
    wild: int = NONE
    """The wild kind; `keys` do not hold wild tiles, `counts` do."""
    pairs: bool = False
    """Whether seven pairs win."""


def sight(hand: Hand, seat: int, options: Sequence[Body]) -> Sight:
    """Return what the seat may see now (events.md, A seat's view)."""
    mine = hand.sides[seat]
    seen = list(mine.counts)
    for side in hand.sides:
        for meld in side.melds:
            if meld.kind != "concealed_kong" or side is mine or hand.rules.concealed_kong_open:
                for tile in meld.whole:
                    seen[tile] += 1
        for discard in side.discards:
            if discard.claimed_by < 0:
                seen[discard.tile] += 1
    wind = 27 + (seat - hand.dealer) % hand.players
    pairs = "seven_pairs" in hand.special
    return Sight(
        seat, tuple(mine.counts), tuple(mine.keys), len(mine.melds), tuple(seen), wind, options, hand.wild, pairs
    )


MOST_USEFUL = 99
Bot = Callable[[Sight, Stream], Body]


def random_bot(view: Sight, stream: Stream) -> Body:
    """Choose any option, each as likely as another."""
    return view.options[stream.below(len(view.options))]


def greedy_bot(view: Sight, stream: Stream) -> Body:
    """Win where it can; kong; claim where it comes nearer to a win; discard what leaves it nearest.

    It feeds its own eagerness: one seat in four prefers claims even where they do not bring it nearer, so that
    liabilities and kongs occur.
    """
    wins = [body for body in view.options if _is_win(body)]
    if wins:
        return wins[0] if stream.below(16) else _quiet(view, stream)
    if view.options[0]["type"] == "answered":
        return _answer(view, stream)
    if view.options[0]["type"] == "ga_chosen":
        return random_bot(view, stream)
    kongs = [body for body in view.options if body["type"] == "konged"]
    if kongs and stream.below(8):
        return kongs[0]
    return _discard(view, stream)


BOTS: dict[str, Bot] = {"random": random_bot, "greedy": greedy_bot}
"""Every bot by its name."""


def _is_win(body: Body) -> bool:
    return body.get("answer") == "win" or body["type"] == "declared"


def _quiet(view: Sight, stream: Stream) -> Body:
    """Decline a win: a pass, or a discard."""
    if view.options[0]["type"] == "answered" or view.options[-1]["type"] == "answered":
        return view.options[-1]
    return _discard(view, stream)


def _answer(view: Sight, stream: Stream) -> Body:
    """Claim what brings the hand nearer to a win, kongs nearly always."""
    now = _distance(view, view.counts)
    eager = stream.below(4) == 0
    best, pick = now + eager, view.options[-1]
    for body in view.options:
        if body["answer"] == "kong" and stream.below(8):
            return body
        if body["answer"] in {"pung", "chow"}:
            counts = list(view.counts)
            for code in body["tiles"]:
                counts[INDEX[code]] -= 1
            after = min(
                (_distance(view, _without(counts, tile), 1) for tile, have in enumerate(counts) if have), default=best
            )
            if after < best:
                best, pick = after, body
    return pick


def _discard(view: Sight, stream: Stream) -> Body:
    """Discard the tile that leaves the hand nearest to a win, then the one with the fewest useful neighbours."""
    best: tuple[int, int, int] | None = None
    pick: Body | None = None
    scored: dict[int, int] = {}
    for body in view.options:
        if body["type"] != "discarded":
            continue
        tile = INDEX[body["tile"]]
        if tile not in scored:
            scored[tile] = _distance(view, _without(view.counts, tile))
        rank = (scored[tile], _usefulness(view, tile), stream.below(8))
        if best is None or rank < best:
            best, pick = rank, body
    assert pick is not None, "an act always has a discard"
    return pick


def _usefulness(view: Sight, tile: int) -> int:
    """Return how much a tile may still help: copies and neighbours held, less what is already out."""
    counts = view.counts
    if tile == view.wild:
        return MOST_USEFUL
    worth = 4 * (counts[tile] - 1) + (4 - view.seen[tile])
    if tile < 27:
        rank = tile % 9
        for step, weight in ((1, 3), (2, 2)):
            if rank >= step:
                worth += weight * (counts[tile - step] > 0)
            if rank + step <= 8:
                worth += weight * (counts[tile + step] > 0)
        worth += min(rank, 8 - rank, 2)
    elif tile == view.wind or tile >= 31:
        worth += 2
    return worth


def _without(counts: Sequence[int], tile: int) -> list[int]:
    counts = list(counts)
    counts[tile] -= 1
    return counts


def _distance(view: Sight, counts: Sequence[int], claimed: int = 0) -> int:
    """Return how many tiles these concealed ones are away from a win, with so many melds more."""
    keys = list(view.keys)
    for tile, had in enumerate(view.counts):
        if had != counts[tile] and tile != view.wild:
            keys[SUIT[tile]] -= (had - counts[tile]) * POWER[tile]
    m, p, s, z = keys
    melds = view.melds + claimed
    wilds = counts[view.wild] if view.wild != NONE else 0
    away = distance(m, p, s, z, sets=4 - melds, wilds=wilds)
    if view.pairs and not melds:
        paired = sum(have >> 1 for tile, have in enumerate(counts) if tile != view.wild)
        away = min(away, max(0, 7 - paired - wilds))
    return away
