"""Linhai's winning shape, tai and payments written out plainly from `mahjong.md` 1.5 to 1.7: the slow definition.

Tiles are codes, hands are lists, sets are found by trying. Nothing here is shared with the engine.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

HONOURS = "ESWNCFP"
ORDER = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + list(HONOURS) + [f"f{n}" for n in range(1, 9)]
PLACE = {code: at for at, code in enumerate(ORDER)}

Set = tuple[str, ...]


def run_from(code: str) -> Set | None:
    """Return the chow whose lowest tile this is, None for honours and 8, 9."""
    if code in HONOURS or code[0] in "89":
        return None
    rank, suit = int(code[0]), code[1]
    return (code, f"{rank + 1}{suit}", f"{rank + 2}{suit}")


def without(tiles: Sequence[str], gone: Iterable[str]) -> tuple[str, ...]:
    left = list(tiles)
    for tile in gone:
        left.remove(tile)
    return tuple(left)


@cache
def sets_of(tiles: tuple[str, ...]) -> tuple[tuple[Set, ...], ...]:
    """Return every way to part sorted tiles into chows and pungs."""
    if not tiles:
        return ((),)
    first = tiles[0]
    ways: list[tuple[Set, ...]] = []
    for part in ((first, first, first), run_from(first)):
        if part is not None and all(tiles.count(each) >= part.count(each) for each in part):
            ways += [(part, *rest) for rest in sets_of(without(tiles, part))]
    return tuple(ways)


@cache
def _readings(tiles: tuple[str, ...]) -> tuple[tuple[Set, ...], ...]:
    found = []
    for pair in sorted(set(tiles), key=PLACE.__getitem__):
        if tiles.count(pair) >= 2:
            found += [((pair, pair), *rest) for rest in sets_of(without(tiles, (pair, pair)))]
    return tuple(found)


def readings(tiles: Iterable[str]) -> tuple[tuple[Set, ...], ...]:
    """Return every pair with sets that the tiles are; none where they are no winning hand (1.5)."""
    whole = tuple(sorted(tiles, key=PLACE.__getitem__))
    if len(whole) % 3 != 2 or any(tile[0] == "f" for tile in whole):
        return ()
    return _readings(whole)


@dataclass
class Meld:
    kind: str
    tiles: list[str]
    """Every tile of the set, the claimed one first."""
    source: int | None


@dataclass
class Winner:
    seat: int
    tiles: list[str]
    """The concealed tiles with the winning one."""
    by: str
    source: int | None
    occasion: str | None
    tile: str | None
    kong: tuple[str, int | None] | None = None
    """Kind and feeder of the kong whose replacement won, through flowers too."""
    last: bool = False
    """Nothing could be drawn any more."""


@dataclass
class Sheet:
    """What a settlement needs to know of the hand."""

    options: Mapping[str, Any]
    dealer: int
    round_wind: str
    melds: list[list[Meld]]
    flowers: list[list[str]]
    taken: list[tuple[int, int]] = field(default_factory=list)
    """(claimer, feeder) of each claim that counts for liability, in order of time."""
    hands: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    """Concealed tiles of every seat, as far as losers count."""
    told: dict[tuple[int, int], int] = field(default_factory=dict)
    """Claims of (claimer, feeder) where a case states the number."""


def tai(sheet: Sheet, winner: Winner) -> int:
    """Return the tai of a winning hand, capped (1.6); it must not depend on the reading."""
    values = {_tai(sheet, winner, reading) for reading in readings(winner.tiles)}
    assert len(values) == 1, values
    return values.pop()


def _tai(sheet: Sheet, winner: Winner, reading: tuple[Set, ...]) -> int:
    options = sheet.options
    pair, *concealed = reading
    sets = [*concealed, *(tuple(meld.tiles) for meld in sheet.melds[winner.seat])]
    triplets = {each[0] for each in sets if len(set(each)) == 1}
    place = (winner.seat - sheet.dealer) % 4
    wind = "ESWN"[place]
    tiles = [tile for each in (pair, *sets) for tile in each]
    suits = {tile[1] for tile in tiles if tile not in HONOURS}
    honours = {tile for tile in tiles if tile in HONOURS}
    total = 0
    if wind in triplets or (options["own_wind_set"] == "triplet_or_pair" and pair[0] == wind):
        total += 1
    if options["round_wind_tai"] and sheet.round_wind in triplets:
        total += 1
    total += len(triplets & set("CFP"))
    if triplets >= set("CFP"):
        total += 3
    allowed = {"none": "", "own_wind": wind, "own_wind+dragons": wind + "CFP"}[options["full_flush_honours"]]
    if len(suits) == 1 and honours <= set(allowed):
        total += 3
    elif len(suits) == 1:
        total += 1
    elif not suits:
        total += {"none": 0, "as_half_flush": 1, "as_full_flush": 3}[options["all_honours"]]
    if options["flower_tai"] == "own_1":
        total += sum(flower in {f"f{1 + place}", f"f{5 + place}"} for flower in sheet.flowers[winner.seat])
    total += options["extra_tai"].get(winner.occasion, 0)
    if winner.by == "robbed":
        total += options["extra_tai"].get("robbed", 0)
    if options["win_tai"] == "additive" or (options["win_tai"] == "only_if_none" and total == 0):
        total += 1
    return int(min(options["cap_tai"], total))


def liable(sheet: Sheet, winner: int) -> list[int]:
    """Return who answers for a winner's self-draw (1.7, LH-23 to LH-25), in turn after him."""
    options = sheet.options
    threshold = options["liability_threshold"]
    when: dict[int, int] = {}
    for other in range(4):
        pairs = []
        if options["liability_direction"] in {"mutual", "feeder_pays"}:
            pairs.append((winner, other))
        if options["liability_direction"] in {"mutual", "claimer_pays"}:
            pairs.append((other, winner))
        reached = [
            [at for at, each in enumerate(sheet.taken) if each == pair][threshold - 1]
            for pair in pairs
            if other != winner and sheet.taken.count(pair) >= threshold
        ]
        if reached:
            when[other] = max(reached)
    if options["liability_split"] == "last_established" and when:
        return [max(when, key=when.__getitem__)]
    return sorted(when, key=lambda seat: (seat - winner) % 4)


def lines(sheet: Sheet, winner: Winner) -> list[tuple[int, int, int]]:
    """Return who pays whom how much for one win: (from, to, amount)."""
    options = sheet.options
    share = options["base"] * 2 ** tai(sheet, winner)
    bound = liable(sheet, winner.seat)
    if winner.by == "self_draw":
        if not bound:
            return [(seat, winner.seat, share) for seat in range(4) if seat != winner.seat]
        total = 3 * share
    elif options["liability_on_discard"] == "liable_replaces" and bound and winner.source not in bound:
        total = share
    else:
        assert winner.source is not None
        return [(winner.source, winner.seat, share)]
    parts = [total // len(bound) + (at < total % len(bound)) for at in range(len(bound))]
    return [(seat, winner.seat, part) for seat, part in zip(bound, parts, strict=True) if part]
