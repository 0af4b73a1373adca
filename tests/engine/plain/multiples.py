"""Hainan's score and payments written out plainly from `mahjong.md` 3.6 to 3.9 and 4.3: the slow definition.

Every assignment of the wild tiles is tried, every assigned hand is divided in every way, and types and fans are asked
of each division in words. Tiles are codes; nothing here is shared with the engine.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

SUITED = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
WINDS = ["E", "S", "W", "N"]
DRAGONS = ["C", "F", "P"]
KINDS = SUITED + WINDS + DRAGONS
ORPHANS = ["1m", "9m", "1p", "9p", "1s", "9s", *WINDS, *DRAGONS]
Tiles = tuple[str, ...]
Parts = tuple[Tiles, ...]


@dataclass
class Meld:
    kind: str
    tiles: Tiles
    source: int | None


@dataclass
class Seat:
    melds: list[Meld] = field(default_factory=list)
    flowers: list[str] = field(default_factory=list)


@dataclass
class Table:
    options: Mapping[str, Any]
    dealer: int
    round_wind: str
    streak: int
    ga: Sequence[int]
    seats: list[Seat]
    left: int | None

    @property
    def players(self) -> int:
        return len(self.seats)


@dataclass
class Claim:
    """A declared win: concealed natural tiles with the won one, and how many own wild tiles of which kind."""

    seat: int
    natural: Tiles
    wilds: int
    wild: str
    by: str
    source: int | None
    occasion: str


@dataclass
class Reading:
    parts: Parts
    """Pair first, then sets, melds among them; for the special shapes pairs, or the fourteen tiles."""
    shape: str
    posing: bool


def run_from(code: str) -> Tiles | None:
    if len(code) == 1 or code[0] in "89":
        return None
    rank, suit = int(code[0]), code[1]
    return (code, f"{rank + 1}{suit}", f"{rank + 2}{suit}")


def without(tiles: Sequence[str], gone: Sequence[str]) -> Tiles:
    left = list(tiles)
    for tile in gone:
        left.remove(tile)
    return tuple(left)


@cache
def sets_of(tiles: Tiles) -> tuple[Parts, ...]:
    if not tiles:
        return ((),)
    first = tiles[0]
    ways: list[Parts] = []
    for part in ((first, first, first), run_from(first)):
        if part is not None and all(tiles.count(each) >= part.count(each) for each in part):
            ways += [(part, *rest) for rest in sets_of(without(tiles, part))]
    return tuple(ways)


@cache
def suit_divisions(tiles: Tiles) -> tuple[tuple[Tiles | None, Parts], ...]:
    """Divide the tiles of one suit into sets, with a pair or without."""
    if len(tiles) % 3 == 0:
        return tuple((None, ways) for ways in sets_of(tiles))
    found: list[tuple[Tiles | None, Parts]] = []
    for pair in sorted(set(tiles)):
        if len(tiles) % 3 == 2 and tiles.count(pair) >= 2:
            found += [((pair, pair), ways) for ways in sets_of(without(tiles, (pair, pair)))]
    return tuple(found)


def suit_of(code: str) -> str:
    return code[1] if len(code) == 2 else "z"


BY_SUIT = {suit: [kind for kind in KINDS if suit_of(kind) == suit] for suit in "mpsz"}


@cache
def assigned(suit: str, tiles: Tiles, wilds: int) -> tuple[tuple[Tiles, Tiles | None, Parts], ...]:
    """Let so many wilds stand for every choice of the suit's kinds; return what they became and each division."""
    found = []
    for became in combinations_with_replacement(BY_SUIT[suit], wilds):
        found += [(became, *each) for each in suit_divisions(tuple(sorted(tiles + became)))]
    return tuple(found)


def standard(natural: Tiles, wilds: int) -> Iterator[tuple[Tiles, Parts]]:
    """Divide a whole concealed hand, the wilds shared among the suits in every way; one suit has the pair."""
    held = {suit: tuple(sorted(tile for tile in natural if suit_of(tile) == suit)) for suit in "mpsz"}
    for share in product(range(wilds + 1), repeat=4):
        if sum(share) != wilds:
            continue
        for choice in product(*(assigned(suit, held[suit], share[at]) for at, suit in enumerate("mpsz"))):
            pairs = [pair for _, pair, _ in choice if pair is not None]
            if len(pairs) == 1:
                became = tuple(tile for its, _, _ in choice for tile in its)
                yield became, (pairs[0], *(part for _, _, parts in choice for part in parts))


def pairs_of(natural: Tiles, wilds: int) -> Iterator[tuple[Tiles, Tiles]]:
    """Pair every single tile with a wild, and the wilds left over with each other; yield what they became, and all."""
    single = tuple(tile for tile in sorted(set(natural)) if natural.count(tile) % 2)
    over = wilds - len(single)
    if len(natural) + wilds == 14 and over >= 0:
        for extra in combinations_with_replacement(KINDS, over // 2):
            became = single + extra + extra
            yield became, natural + became


def orphans_of(natural: Tiles, wilds: int) -> Iterator[tuple[Tiles, Tiles]]:
    """Fill up the thirteen orphans with wilds, one left over being a second of any of them."""
    missing = tuple(tile for tile in ORPHANS if tile not in natural)
    for more in [()] if len(missing) == wilds else [(tile,) for tile in ORPHANS]:
        became = missing + more
        if len(became) == wilds and len(natural) + wilds == 14 and set(natural) <= set(ORPHANS):
            yield became, natural + became


def readings(table: Table, claim: Claim) -> Iterator[Reading]:
    """Yield every reading of the claim's hand (3.6; HN-12, HN-14, HN-42)."""
    options = table.options
    melds = table.seats[claim.seat].melds
    melded = tuple(tile for meld in melds for tile in meld.tiles)

    def lawful(became: Tiles) -> bool:
        everything = claim.natural + became + melded
        return options["wild_fifth"] or all(everything.count(tile) <= 4 for tile in became)

    def posing(became: Tiles) -> bool:
        return any(tile != claim.wild for tile in became)

    for became, parts in standard(claim.natural, claim.wilds):
        if lawful(became):
            yield Reading((*parts, *(meld.tiles for meld in melds)), "standard", posing(became))
    if melds or (claim.wilds and not options["wild_special"]):
        return
    for became, tiles in pairs_of(claim.natural, claim.wilds):
        if lawful(became):
            pairs = tuple((tile, tile) for tile in sorted(set(tiles)) for _ in range(tiles.count(tile) // 2))
            yield Reading(pairs, "seven_pairs", posing(became))
    for became, tiles in orphans_of(claim.natural, claim.wilds):
        if not options["no_winds"]:
            yield Reading(tuple((tile,) for tile in tiles), "thirteen_orphans", posing(became))


def types(table: Table, claim: Claim, reading: Reading) -> list[int]:
    """Factors of the reading's types (3.8; HN-04, HN-15)."""
    options = table.options
    tiles = [tile for part in reading.parts for tile in part]
    found = []
    if reading.shape == "thirteen_orphans":
        found.append(13)
    elif reading.shape == "seven_pairs":
        source = claim.natural if options["luxury_natural"] else tiles
        quads = sum(source.count(tile) // 4 for tile in set(source))
        found.append(2 + quads if quads and options["luxury_per_quad"] else 3 if quads else 2)
    elif all(len(set(part)) == 1 for part in reading.parts):
        found.append(2)
    if len({suit_of(tile) for tile in tiles}) == 1 and suit_of(tiles[0]) != "z":
        found.append(2)
    return found or [1]


def worth(options: Mapping[str, Any], factors: list[int]) -> int:
    if options["type_stack"] == "add":
        return sum(factors)
    if options["type_stack"] == "max":
        return max(factors)
    product = 1
    for factor in factors:
        product *= factor
    return product


def fans(table: Table, claim: Claim, reading: Reading) -> set[str]:
    """Fans of one reading (3.7)."""
    options, parts = table.options, reading.parts
    mine = table.seats[claim.seat]
    place = (claim.seat - table.dealer) % table.players
    wind = WINDS[place]
    tiles = [tile for part in parts for tile in part]
    found = set()
    if claim.wilds and (options["wild_fan"] == "present" or reading.posing):
        found.add("wild_held")
    if all(meld.kind == "concealed_kong" and options["concealed_allows_kong"] for meld in mine.melds):
        found.add("concealed")
    if {f"f{1 + place}", f"f{5 + place}"} & set(mine.flowers):
        found.add("own_flower")
    if options["kong_is_fan"] and any(len(meld.tiles) == 4 for meld in mine.melds):
        found.add("kong")
    suits = {suit_of(tile) for tile in tiles}
    if options["half_flush_fan"] and "z" in suits and len(suits) == 2:
        found.add("half_flush")
    if types(table, claim, reading) != [1]:
        found.add("pattern")
    if reading.shape != "standard":
        return found
    pair = parts[0][0]
    triplets = {part[0] for part in parts[1:] if len(set(part)) == 1}
    if not triplets and pair not in DRAGONS and (pair != wind or options["no_winds"]):
        found.add("chows_only")
    if suit_of(pair) != "z" and pair[0] in "258":
        found.add("eye")
    if triplets & set(DRAGONS):
        found.add("dragon")
    if wind in triplets and not options["no_winds"]:
        found.add("own_wind")
    if table.round_wind in triplets and options["round_wind_fan"] and not options["no_winds"]:
        found.add("round_wind")
    return found


def way(table: Table, claim: Claim) -> int:
    """The factor of the way to win (3.8, HN-36)."""
    base = 2 if claim.by == "self_draw" else 1
    special = claim.occasion in {"kong_bloom", "flower_bloom", "heavenly"}
    if claim.occasion == "earthly":
        wanted = "first_draw" if claim.by == "self_draw" else "dealer_discard"
        special = table.options["earthly_mode"] in {"both", wanted}
    if not special:
        return base
    return base * 3 if table.options["way_stack"] == "mul" else 3


@dataclass
class Verdict:
    complete: bool
    allowed: bool
    multiplier: int = 0
    fans: frozenset[str] = frozenset()


def judge(table: Table, claim: Claim) -> Verdict:
    """Say whether the claim may win, and what it multiplies by."""
    options = table.options
    found = [(worth(options, types(table, claim, each)), fans(table, claim, each)) for each in readings(table, claim)]
    if not found:
        return Verdict(complete=False, allowed=False)
    needs = options["fan_required"] and (
        claim.by == "discard" or (claim.by == "self_draw" and options["fan_scope"] == "discard+zimo")
    )
    union = {fan for _, its in found for fan in its}
    best = max(factor for factor, _ in found)
    if options["fan_same_reading"]:
        opened = [(factor, its) for factor, its in found if its]
        if needs and opened:
            best = max(factor for factor, _ in opened)
        union = {fan for factor, its in found if factor == best for fan in its}
    total = best * way(table, claim)
    if options["cap"] != "none":
        total = min(total, options["cap"])
    return Verdict(True, bool(union) or not needs, total, frozenset(union))


def edge(table: Table, payee: int, payer: int) -> int:
    """P of 3.9."""
    options = table.options
    total = 1
    dealing = table.dealer in (payee, payer)
    if options["dealer_bonus"] and dealing:
        total += 1
    if options["streak_bonus"]:
        if dealing and (options["streak_symmetric"] or payee == table.dealer):
            total += table.streak
        if not dealing and options["streak_edges"] == "all":
            total += table.streak
    if options["ga"]:
        total += table.ga[payee] + table.ga[payer]
    return total


def amount(table: Table, payee: int, payer: int, factor: int) -> int:
    if table.options["adders_scaled"]:
        return edge(table, payee, payer) * factor
    return factor + edge(table, payee, payer) - 1


def flower_worth(options: Mapping[str, Any], flowers: Sequence[str]) -> int:
    if options["flower_win"]:
        first, second = {"f1", "f2", "f3", "f4"}, {"f5", "f6", "f7", "f8"}
        return int(first <= set(flowers)) + int(second <= set(flowers))
    return {7: 1, 8: 2}.get(len(flowers), 0)


def payments(table: Table, claims: Sequence[tuple[Claim, Verdict]]) -> list[int]:
    """What every seat gets (3.9)."""
    options = table.options
    paid = [0] * table.players

    def pay(payer: int, payee: int, points: int) -> None:
        paid[payer] -= points
        paid[payee] += points

    for claim, verdict in claims:
        others = [seat for seat in range(table.players) if seat != claim.seat]
        shares = {seat: amount(table, claim.seat, seat, verdict.multiplier) for seat in others}
        if claim.by == "self_draw":
            for seat in others:
                pay(seat, claim.seat, shares[seat])
            continue
        assert claim.source is not None
        window = 15 + table.players - (options["last_tiles_window"] == "remaining_14_plus_n")
        punished = {
            "if_fan_required": options["fan_required"],
            "always": True,
            "if_not": not options["fan_required"],
        }[options["robbed_without_fan"]]
        alone = (
            options["discarder_pays_all"]
            or (options["last_tiles_liability"] and table.left is not None and table.left <= window)
            or (claim.by == "robbed" and not verdict.fans and punished)
        )
        for seat in others:
            if alone:
                pay(claim.source, claim.seat, shares[seat])
            elif options["discard_payment"] == "all_three" or seat == claim.source:
                pay(seat, claim.seat, shares[seat])
        pay(claim.source, claim.seat, 1)
    settles = bool(claims) or options["settle_drawn_hand"]
    for owner, its in enumerate(table.seats):
        others = [seat for seat in range(table.players) if seat != owner]
        for meld in its.melds:
            if len(meld.tiles) != 4 or not settles:
                continue
            factor = 2 if meld.kind == "concealed_kong" else 1
            for seat in others:
                alone = meld.kind == "direct_kong" and options["discarder_pays_all"]
                assert not alone or meld.source is not None
                pay(meld.source if alone else seat, owner, amount(table, owner, seat, factor))  # type: ignore[arg-type]
        factor = flower_worth(options, its.flowers)
        if factor and (settles or options["flowers_on_draw"] == "always"):
            for seat in others:
                pay(seat, owner, amount(table, owner, seat, factor))
    return paid
