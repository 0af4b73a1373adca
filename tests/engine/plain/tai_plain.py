"""Dinghai's tai and payments written out plainly from `mahjong.md` 2.5, 2.6 and 4.4: the slow definition.

Tiles are codes, hands are lists, sets are found by trying. Nothing here is shared with the engine.
"""

from typing import Any

from tally import HONOURS, ORDER, Sheet, Winner, readings

Edge = tuple[int, int, int]

LADDERS = {
    "pow2": ([1, 2, 4, 8, 16], [1, 2, 4, 8, 16]),
    "linear": ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
    "qiqi10": ([6, 8, 10, 14, 20], [0, 4, 6, 8, 10]),
    "qiqi25": ([10, 15, 25, 30, 50], [0, 10, 15, 20, 25]),
    "qiqi50": ([30, 40, 50, 70, 100], [0, 20, 30, 40, 50]),
    "qiqi120": ([60, 70, 100, 140, 230], [0, 40, 50, 70, 120]),
}


def unit(options: Any, tai: int, *, drawn: bool) -> int:
    kind = options["tai_points"]
    if kind == "custom":
        row = options.get("points_self_draw") if drawn else None
        return int((row or options["points"])[tai])
    if kind == "pow2":
        return int(2**tai)
    if kind == "linear":
        return tai + 1
    return LADDERS[kind][drawn][tai]


def own_flowers(options: Any, place: int) -> set[str]:
    """f(1+r) and f(5+r); with the other order the third and fourth of the second series change places."""
    second = {"mei_lan_ju_zhu": ["f5", "f6", "f7", "f8"], "mei_lan_zhu_ju": ["f5", "f6", "f8", "f7"]}
    return {f"f{1 + place}", second[options.get("flower.order", "mei_lan_ju_zhu")][place]}


def flower_tai(options: Any, place: int, flowers: list[str]) -> int:
    have = set(flowers)
    if len(have) == 8 and options["eight_flowers"] == "tai_only":
        return int(options["eight_flowers_tai"])
    own = own_flowers(options, place) & have
    total = 0
    for series in ({"f1", "f2", "f3", "f4"}, {"f5", "f6", "f7", "f8"}):
        if series <= have:
            if options["flower_series"] == "replace2":
                own -= series
            total += 1 if options["flower_series"] == "total2" else 2
    return total + (min(1, len(own)) if options["own_flower"] == "once" else len(own))


def occasion_of(options: Any, winner: Winner, flowers: list[str]) -> str:
    word = winner.occasion or ""
    if word == "heavenly" and flowers and not options["heavenly_after_flowers"]:
        return "flower_bloom"
    if word == "earthly":
        way = "first_draw" if winner.by == "self_draw" else "dealer_first_discard"
        return word if options["earthly_mode"] in {"both", way} else ""
    return word


def tai_of(sheet: Sheet, winner: Winner) -> int:
    """Return the capped tai: the greatest sum over every reading and every place of the winning tile."""
    options = sheet.options
    if winner.occasion == "eight_flowers":
        return int(min(options["cap_tai"], options["eight_flowers_tai"]))
    best = -1
    tiles = {winner.tile} if winner.tile is not None else set(winner.tiles)
    for reading in readings(winner.tiles):
        for tile in tiles:
            for part in reading:
                if tile in part:
                    best = max(best, _sum(sheet, winner, reading, part, str(tile)))
    assert best >= 0, winner
    return min(int(options["cap_tai"]), best)


def _sum(sheet: Sheet, winner: Winner, reading: tuple[tuple[str, ...], ...], part: tuple[str, ...], tile: str) -> int:
    options = sheet.options
    pair, *concealed = reading
    melds = [tuple(sorted(meld.tiles, key=ORDER.index)) for meld in sheet.melds[winner.seat]]
    sets = [*concealed, *melds]
    runs = [each for each in sets if len(set(each)) == 3]
    equal = [each for each in sets if len(set(each)) == 1]
    triplets = {each[0] for each in equal}
    place = (winner.seat - sheet.dealer) % 4
    wind = "ESWN"[place]
    flowers = sheet.flowers[winner.seat]
    drawn = winner.by == "self_draw"
    word = occasion_of(options, winner, flowers)
    other = 0  # what stands in the way of `only_if_zero`
    beside = 0  # self-draw, blooms and flushes

    other += len(triplets & set("CFP"))  # rows 1-3
    other += sheet.round_wind in triplets  # row 20
    other += options["seat_wind_tai"] if wind in triplets else 0
    other += flower_tai(options, place, flowers)  # row 4
    if word in {"kong_bloom", "flower_bloom"}:  # rows 5 and 12
        beside += 2
    elif drawn or (winner.by == "robbed" and options["robbed_as_self_draw"]):
        beside += 1

    role = ""  # rows 6-9
    if len(part) == 2:
        role = "single"
    elif len(set(part)) == 1:
        role = "triplet"
    elif tile == part[1]:
        role = "closed"
    elif (part[0][0] == "1" and tile == part[2]) or (part[0][0] == "7" and tile == part[0]):
        role = "edge"
    if options["wait_must_be_single"] and role in {"single", "closed", "edge"} and not alone(sheet, winner, tile):
        role = ""
    if role == "triplet":
        other += 1 if not drawn or options["duidao_on_self_draw"] else 0
    elif role == "single":
        other += 2 if drawn and options["pair_wait_self_draw"] == "excl" else 1
    elif role:
        other += 1

    if not runs:  # row 10
        other += 2
    tiles = [each for its in (pair, *sets) for each in its]
    suits = {each[1] for each in tiles if each not in HONOURS}
    honours = any(each in HONOURS for each in tiles)
    if len(suits) == 1:  # rows 11 and 13
        beside += 2 if honours else 4
    elif not suits and options["all_honours"] == "as_half_flush":
        beside += 2
    other += 4 if word == "last_discard" else 0  # row 16
    other += 4 if word == "heavenly" else 0  # row 18
    other += options["earthly_tai"] if word == "earthly" else 0  # row 19
    other += options["last_tile_self_draw_tai"] if drawn and winner.last else 0
    quiet = pair[0] not in {wind, sheet.round_wind, *"CFP"} and role not in {"single", "closed", "edge"}
    if not equal and quiet and (options["all_chows_mode"] == "additive" or other == 0):  # row 15
        other += options["all_chows_tai"]
    return int(other + beside)


def alone(sheet: Sheet, winner: Winner, tile: str) -> bool:
    """Tell whether no other kind would have completed the hand; one that the player holds four times is none."""
    held = list(winner.tiles)
    held.remove(tile)
    table = [each for meld in sheet.melds[winner.seat] for each in meld.tiles]
    kinds = [
        kind for kind in ORDER[:34] if readings([*held, kind]) and (kind == tile or [*held, *table].count(kind) < 4)
    ]
    return kinds == [tile]


# --- who pays -------------------------------------------------------------------------------------------------------


def taken(sheet: Sheet, claimer: int, feeder: int) -> int:
    """Count claims; with `same_kind` runs apart from the rest. A number that a case states is of one kind."""
    if (claimer, feeder) in sheet.told:
        return sheet.told[claimer, feeder]
    kinds = [meld.kind == "chow" for meld in sheet.melds[claimer] if meld.source == feeder]
    if sheet.options["feeding_mode"] == "mixed":
        return len(kinds)
    return max(kinds.count(True), kinds.count(False))


def edges(sheet: Sheet, winner: Winner, winners: list[int]) -> list[Edge]:
    """Return who pays whom for one win: normal shares, then extras (2.6 and its table of amounts in U)."""
    options = sheet.options
    drawn = winner.by == "self_draw"
    share = unit(options, tai_of(sheet, winner), drawn=drawn)
    feeder = None
    if winner.kong is not None and drawn:
        kind, source = winner.kong
        direct = kind == "direct_kong" or (kind == "added_kong" and options["kong_bloom_liability"] == "direct+added")
        through = winner.occasion == "kong_bloom" or (
            winner.occasion == "flower_bloom" and options["kong_bloom_through_flower"]
        )
        feeder = source if direct and through else None
    found: list[Edge] = []
    for step in (1, 2, 3):
        seat = (winner.seat + step) % 4
        if drawn:
            normal = 1 if feeder is None else 3 if seat == feeder else 0
        else:
            normal = 0 if seat != winner.source else 1 if winner.by == "discard" else options["robbed_multiplier"]
        if normal:
            found.append((seat, winner.seat, normal * share))
        forth = taken(sheet, winner.seat, seat) >= 3
        back = taken(sheet, seat, winner.seat) >= 3
        if not (forth or back) or (seat in winners and not options["feeding_winner_pays"]):
            continue
        if not (forth and back):
            extra = 2 if drawn else 1
        elif options["feeding_mutual"] == "double_extra":
            extra = 4 if drawn else 2
        else:  # self-draw 6U of which 1U is the normal share, own discard 4U, robbed 5U + 3U, another's discard 2U
            extra = 5 if drawn else 3 if seat == winner.source else 2
        if options["feeding_combine"] == "max":
            if winner.by == "robbed" and seat == winner.source:
                extra = max(normal, 1 + extra) - normal
            if seat == feeder:
                extra = max(3, 1 + extra) - 3
        if extra:
            found.append((seat, winner.seat, extra * share))
    return found


def drawn_edges(sheet: Sheet) -> list[Edge]:
    if sheet.options["drawn_hand_payment"] == 0:
        return []
    share = unit(sheet.options, 0, drawn=False)
    return [(sheet.dealer, (sheet.dealer + step) % 4, share) for step in (1, 2, 3) if share]
