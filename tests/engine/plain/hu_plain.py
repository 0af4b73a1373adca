"""Duqiao's hu, tai and payments written out plainly from `duqiao.md`: the slow definition.

Tiles are codes, hands are lists, sets are found by trying. Nothing here is shared with the engine.
"""

from typing import Any

from tally import HONOURS, Sheet, Winner, readings

Edge = tuple[int, int, int]
LIMIT = 400


def doubled(code: str) -> int:
    return 2 if code in HONOURS or code[0] in "19" else 1


def rounded(options: Any, points: int) -> int:
    if options["round"] == "none":
        return points
    tens, rest = divmod(points, 10)
    up = rest > 0 if options["round"] == "ceil10" else rest >= 5
    return 10 * (tens + up)


def table_hu(sheet: Sheet, seat: int) -> int:
    worth = {"chow": 0, "pung": 2, "direct_kong": 8, "added_kong": 8, "concealed_kong": 16}
    return sum(worth[meld.kind] * doubled(meld.tiles[0]) for meld in sheet.melds[seat])


def wind_of(sheet: Sheet, seat: int) -> str:
    return "ESWN"[(seat - sheet.dealer) % 4]


def doublings(sheet: Sheet, seat: int, tiles: list[str]) -> int:
    """Count the tai of any seat: triplets of own wind and dragons, own flowers, whole series. `tiles`: concealed."""
    every = [*tiles, *(each for meld in sheet.melds[seat] for each in meld.tiles)]
    tai = sum(every.count(code) >= 3 for code in {wind_of(sheet, seat), "C", "F", "P"})
    flowers = set(sheet.flowers[seat])
    number = "ESWN".index(wind_of(sheet, seat)) + 1
    for first in (0, 4):
        series = {f"f{first + each}" for each in (1, 2, 3, 4)}
        own = f"f{first + number}" in flowers
        if series <= flowers:
            tai += 2
            own = own and sheet.options["four_flowers_and_own"] == "add"
        tai += own
    return tai


def flush_tai(sheet: Sheet, winner: Winner) -> int:
    every = [*winner.tiles, *(each for meld in sheet.melds[winner.seat] for each in meld.tiles)]
    suits = {each[1] for each in every if each not in HONOURS}
    if len(suits) != 1:
        return 0
    return 1 if any(each in HONOURS for each in every) else 3


def counts_as_pair(sheet: Sheet, seat: int, code: str) -> bool:
    return code in {wind_of(sheet, seat), "C", "F", "P"}


def winner_score(sheet: Sheet, winner: Winner) -> tuple[int, int]:
    """Return tai and points: the best over every reading and every place of the winning tile."""
    options = sheet.options
    if winner.occasion == "eight_flowers":
        return 0, LIMIT
    seat = winner.seat
    tai = doublings(sheet, seat, winner.tiles) + flush_tai(sheet, winner)
    if winner.occasion == "heavenly":
        return tai, LIMIT
    fixed = options["base_hu"] + table_hu(sheet, seat) + 4 * len(sheet.flowers[seat])
    drawn = winner.by == "self_draw"
    fixed += 2 if drawn else 0
    fixed += 2 if winner.occasion == "kong_bloom" else 0
    if winner.occasion == "earthly":
        way = "first_draw" if drawn else "dealer_first_discard"
        fixed += 200 if options["earthly"] in {"both", way} else 0
    runs_open = any(meld.kind == "chow" for meld in sheet.melds[seat])
    best = 0
    for reading in readings(winner.tiles):
        pair, *sets = reading
        for at, part in enumerate(reading):
            if winner.tile not in part:
                continue
            hu = fixed
            for place, each in enumerate(sets, 1):
                if len(set(each)) == 1:
                    shown = place == at and not drawn and options["ron_triplet"] == "exposed"
                    hu += (2 if shown else 4) * doubled(each[0])
            hu += 2 if counts_as_pair(sheet, seat, pair[0]) else 0
            hu += 2 if len(set(part)) == 3 and winner.tile == part[1] else 0
            hu += 2 if not runs_open and all(len(set(each)) == 1 for each in sets) else 0
            best = max(best, hu)
    return tai, min(LIMIT, rounded(options, best * 2**tai))


def loser_points(sheet: Sheet, seat: int) -> int:
    tiles = sheet.hands[seat]
    hu = table_hu(sheet, seat) + 4 * len(sheet.flowers[seat])
    for code in set(tiles):
        have = tiles.count(code)
        if have >= 3:
            hu += 4 * doubled(code)
        elif have == 2 and counts_as_pair(sheet, seat, code):
            hu += 2
    return min(LIMIT, rounded(sheet.options, hu * 2 ** doublings(sheet, seat, tiles)))


def between(sheet: Sheet, one: int, other: int, amount: int) -> int:
    rule = sheet.options["dealer_factor"]
    if sheet.dealer in {one, other}:
        return amount * 2 if rule == "zhuang_double" else amount
    return -(-amount // 2) if rule == "xian_half" else amount


def edges(sheet: Sheet, winner: Winner, winners: list[int]) -> list[Edge]:
    options = sheet.options
    _, points = winner_score(sheet, winner)
    order = [(winner.seat + step) % 4 for step in (1, 2, 3)]
    shares = {seat: between(sheet, seat, winner.seat, points) for seat in order if seat not in winners}
    if winner.by == "self_draw":
        bound = [
            seat
            for seat in order
            if options["bao"] == "three_melds"
            and max(taken(sheet, winner.seat, seat), taken(sheet, seat, winner.seat)) >= 3
        ]
        if bound:
            total = sum(shares.values())
            parts = [total // len(bound) + (at < total % len(bound)) for at in range(len(bound))]
            return [(seat, winner.seat, part) for seat, part in zip(bound, parts, strict=True) if part]
    elif options["win_payment"] == "discarder_alone":
        shares = {seat: amount for seat, amount in shares.items() if seat == winner.source}
    elif options["win_payment"] == "discarder_pays_three_shares":
        assert winner.source is not None
        return [(winner.source, winner.seat, amount) for amount in shares.values() if amount]
    return [(seat, winner.seat, amount) for seat, amount in shares.items() if amount]


def taken(sheet: Sheet, claimer: int, feeder: int) -> int:
    if (claimer, feeder) in sheet.told:
        return sheet.told[claimer, feeder]
    return sum(meld.source == feeder for meld in sheet.melds[claimer])


def losers_edges(sheet: Sheet, winners: list[int]) -> list[Edge]:
    """Each pair of non-winners settles the difference, once a hand."""
    if not winners or not sheet.options["losers_settle"]:
        return []
    losers = [seat for seat in range(4) if seat not in winners]
    points = {seat: loser_points(sheet, seat) for seat in losers}
    found: list[Edge] = []
    for seat in losers:
        for other in losers:
            gap = points[other] - points[seat]
            if gap > 0:
                amount = between(sheet, seat, other, gap)
                found += [(seat, other, amount)] if amount else []
    return found
