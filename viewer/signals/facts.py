"""What one game's log says of who played, won from whom, fed whom, paid whom, and what could be dealt into.

Read from the events as they stand; whether they are lawful is the verdict's business. The dangers of a discard need
the hands, so they come from replay, and only for mahjong of ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import KINDS
from engine.errors import EventError
from engine.events import Record, check, load
from engine.mahjong.claims import open_window
from engine.mahjong.hand import POWER, SUIT, complete
from engine.mahjong.shapes import completes
from engine.mahjong.state import Hand
from engine.replay import Replay, read, steps
from viewer.deals import quality

WITNESS = 128
FED = frozenset({"pung", "direct_kong"})
"""Claims open to every seat: a chow is the next seat's alone."""


@dataclass(slots=True)
class HandFacts:
    """One hand. Seats are places at the table.

    `deal_ins`: (discarder, winner); `fed`: (discarder, claimer); `flows[seat][seat]`: paid from one to another;
    `dangers`: seat, share of the kinds in hand that an opponent could win on, whether one was discarded.
    """

    hand: int
    deal_ins: list[tuple[int, int]] = field(default_factory=list)
    fed: list[tuple[int, int]] = field(default_factory=list)
    flows: dict[tuple[int, int], int] = field(default_factory=dict)
    payments: list[int] = field(default_factory=list)
    dangers: list[tuple[int, float, bool]] = field(default_factory=list)
    voided_by: str = ""
    opening: dict[int, int] = field(default_factory=dict)
    """Quality of each opening hand: at mahjong tiles to change (few is good), at cards high cards."""


@dataclass(slots=True)
class GameFacts:
    """One game; `queue` is where its players could have met: the rules they chose."""

    game: str
    queue: str = ""
    players: tuple[str, ...] = ()
    hands: list[HandFacts] = field(default_factory=list)


def facts(lines: Sequence[bytes], game: str, *, dangers: bool = True) -> GameFacts:
    """Read one game's events; lines that are no events are left out."""
    found = GameFacts(game)
    current: HandFacts | None = None
    for line in lines:
        try:
            record = load(line)
            check(line, record)
        except EventError:
            continue
        word = record["type"]
        if word == "opened":
            found.queue = record["rules"]["id"]
            found.players = tuple(entry["player"] for entry in record["seats"] if entry["seat"] < WITNESS)
        elif word == "seated":
            found.players = tuple(record["order"])
        elif word == "hand_started":
            current = HandFacts(record["hand"])
            found.hands.append(current)
        elif current is not None:
            _take(current, record)
    if dangers:
        _dangers(found, lines)
    return found


def _take(hand: HandFacts, record: Record) -> None:
    match record["type"]:
        case "dealt":
            hand.opening[record["seat"]] = quality(record["tiles"])
        case "won":
            if "from" in record:
                hand.deal_ins.append((record["from"], record["seat"]))
        case "melded":
            if record["kind"] in FED:
                hand.fed.append((record["from"], record["seat"]))
        case "settled":
            hand.payments = list(record["payments"])
            hand.flows = flows(record)
        case "voided":
            hand.voided_by = record["actor"]


def flows(settled: Record) -> dict[tuple[int, int], int]:
    """Return who paid whom how much; without lines each loser pays the winners in proportion to what they get."""
    found: dict[tuple[int, int], int] = {}
    if "lines" in settled:
        for line in settled["lines"]:
            key = (line["from"], line["to"])
            found[key] = found.get(key, 0) + line["amount"]
        return found
    payments = settled["payments"]
    gained = sum(amount for amount in payments if amount > 0)
    for payer, paid in enumerate(payments):
        for taker, taken in enumerate(payments):
            if paid < 0 < taken:
                found[payer, taker] = -paid * taken // gained
    return found


def _dangers(found: GameFacts, lines: Sequence[bytes]) -> None:
    """Replay the game and measure each discard against what the opponents could win on just then."""
    by_number = {hand.hand: hand for hand in found.hands}
    result = Replay()
    for place, (game, _) in enumerate(steps(lines, result, wall_root=False), 1):
        hand: Any = game.hand
        if place >= len(lines) or not isinstance(hand, Hand) or hand.phase != "act":
            continue
        line = lines[place]
        if b'"type":"discarded"' not in line:
            continue
        try:
            record, fault = read(game, line)
        except EventError:
            return
        if fault is not None:  # no lawful discard: its seat and tile may be anything, and replay ends here
            return
        if record["type"] != "discarded":  # the act that a `refused` event names
            continue
        winning = dangerous(hand, record["seat"], record["seq"])
        facts_ = by_number.get(game.hand_number)
        if winning and facts_ is not None:
            held = sum(count > 0 for count in hand.sides[record["seat"]].counts)
            facts_.dangers.append((record["seat"], len(winning) / held, record["tile"] in winning))


def dangerous(hand: Hand, seat: int, seq: int) -> set[str]:
    """Return the tiles in a seat's hand that some opponent could win on if they were discarded now."""
    found = set()
    for tile, count in enumerate(hand.sides[seat].counts):
        if count and any(_ready(hand, other, tile) for other in range(len(hand.sides)) if other != seat):
            window = open_window(hand, tile, seat, seq, robbing=False)
            if window is not None and any(its.win for its in window.options.values()):
                found.add(KINDS[tile])
    return found


def _ready(hand: Hand, seat: int, tile: int) -> bool:
    side = hand.sides[seat]
    keys = side.keys
    keys[SUIT[tile]] += POWER[tile]
    found = completes(hand, side, keys, tile) if hand.wide else complete(*keys)
    keys[SUIT[tile]] -= POWER[tile]
    return found
