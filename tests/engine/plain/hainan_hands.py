"""Random winning hands of Hainan, as cases and as the plain page's table: with wilds, melds, flowers and options."""

from collections import Counter
from random import Random
from typing import Any

from multiples import DRAGONS, KINDS, ORPHANS, SUITED, WINDS, Claim, Meld, Seat, Table, run_from

Case = dict[str, Any]
PLAYED: dict[str, tuple[Any, ...]] = {
    "fan_required": (True, True, False),
    "fan_scope": ("discard", "discard", "discard+zimo"),
    "discard_payment": ("all_three", "all_three", "discarder_only"),
    "dealer_bonus": (True, False),
    "streak_bonus": (True, False),
    "streak_symmetric": (True, False),
    "streak_edges": ("dealer", "all"),
    "ga": (False, True),
    "settle_drawn_hand": (False, True),
    "flower_win": (True, False),
    "discarder_pays_all": (False, False, True),
    "half_flush_fan": (False, True),
    "round_wind_fan": (False, True),
    "last_tiles_liability": (False, True),
    "last_tiles_window": ("remaining_15_plus_n", "remaining_14_plus_n"),
    "type_stack": ("mul", "mul", "add", "max"),
    "way_stack": ("max", "mul"),
    "luxury_natural": (False, True),
    "luxury_per_quad": (False, True),
    "wild_fifth": (True, True, False),
    "concealed_allows_kong": (True, False),
    "kong_is_fan": (False, True),
    "robbed_without_fan": ("if_fan_required", "always", "if_not"),
    "earthly_mode": ("both", "dealer_discard", "first_draw"),
    "cap": ("none", "none", 8, 12, 16),
    "multi_win": ("first", "all"),
    "fan_same_reading": (False, True),
    "adders_scaled": (True, False),
    "wild_fan": ("present", "used_as_wild"),
    "wild_special": (True, True, False),
    "flowers_on_draw": ("if_settled", "always"),
    "no_winds": (False, False, True),
}
"""Options that change what a hand pays, with how often each value is drawn."""


def random_options(rng: Random) -> dict[str, Any]:
    """Return a handful of options away from the preset, or none."""
    chosen = rng.sample(sorted(PLAYED), rng.choice((0, 3, 8)))
    return {name: rng.choice(PLAYED[name]) for name in chosen}


class Deck:
    """The tiles that are still free: four of each kind."""

    def __init__(self, rng: Random, *, winds: bool) -> None:
        self.rng = rng
        self.left = Counter({kind: 4 for kind in KINDS if winds or kind not in WINDS})

    def take(self, tiles: tuple[str, ...]) -> bool:
        """Take tiles if all of them are there."""
        need = Counter(tiles)
        if any(self.left[tile] < count for tile, count in need.items()):
            return False
        self.left.subtract(need)
        return True

    def draw(self, choices: list[tuple[str, ...]]) -> tuple[str, ...]:
        """Take one of several groups at random."""
        self.rng.shuffle(choices)
        return next(each for each in choices if self.take(each))


def groups(rng: Random, style: str, suit: str) -> list[tuple[str, ...]]:
    """Return the sets that a style of hand is made of."""
    kinds = [kind for kind in SUITED if style not in {"flush", "half"} or kind[1] == suit]
    honours = [] if style == "flush" else [*WINDS, *DRAGONS]
    runs = [run for run in map(run_from, kinds) if run is not None]
    pungs = [(kind,) * 3 for kind in (*kinds, *honours)]
    if style == "pungs":
        return pungs
    if style == "chows":
        return runs
    return [*runs, *rng.sample(pungs, len(pungs) // 3 + 1)]


def concealed_and_melds(rng: Random, deck: Deck) -> tuple[list[str], list[Meld]] | None:
    """Return the fourteen tiles of a complete hand: concealed ones, and melds without a feeder yet."""
    style = rng.choice(("any", "any", "flush", "half", "pungs", "chows", "seven", "seven flush", "orphans"))
    suit = rng.choice("mps")
    if style == "orphans":
        double = rng.choice(ORPHANS)
        return ([*ORPHANS, double], []) if deck.take((*ORPHANS, double)) else None
    if style.startswith("seven"):
        kinds = [kind for kind in KINDS if style == "seven" or kind[-1] == suit]
        pairs = [deck.draw([(kind,) * 2 for kind in kinds]) for _ in range(7)]
        return [tile for pair in pairs for tile in pair], []
    melds = []
    tiles: list[str] = []
    claimed = rng.choice((0, 0, 1, 2, 3, 4))
    for number in range(4):
        part = deck.draw(groups(rng, style, suit))
        if number >= claimed:
            tiles += part
        elif part[0] != part[1]:
            melds.append(Meld("chow", part, None))
        elif rng.random() < 0.4 and deck.take((part[0],)):
            kind = rng.choice(("direct_kong", "added_kong", "concealed_kong"))
            melds.append(Meld(kind, part[:1] * 4, None))
        else:
            melds.append(Meld("pung", part, None))
    pair_kinds = [kind for kind in KINDS if style not in {"flush", "half"} or kind[-1] == suit or len(kind) == 1]
    if style == "flush":
        pair_kinds = [kind for kind in pair_kinds if kind[-1] == suit and len(kind) == 2]
    tiles += deck.draw([(kind,) * 2 for kind in pair_kinds])
    return tiles, melds


def written(tiles: list[str]) -> str:
    return " ".join(tiles)


def random_win(rng: Random) -> tuple[Case, Table, list[Claim]] | None:
    """Return a case with one winner, the plain table and claim; None where the dice made none."""
    options = random_options(rng)
    players = rng.choice((4, 4, 4, 3))
    preset = "hainan.three" if players == 3 else "hainan"
    deck = Deck(rng, winds=not options.get("no_winds", False))
    made = concealed_and_melds(rng, deck)
    if made is None:
        return None
    tiles, melds = made
    wild = "C" if rng.random() < 0.5 else rng.choice([kind for kind in deck.left if kind != "C"])
    if wild != "C":
        options["wild"] = "random"
    if any(wild in meld.tiles for meld in melds):
        return None
    # Some concealed tiles become wild ones, as far as there are such tiles left.
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3, 4))):
        at = rng.randrange(len(tiles))
        if tiles[at] != wild and deck.take((wild,)):
            deck.left[tiles[at]] += 1
            tiles[at] = wild
    if rng.random() < 0.1:  # no winning hand at all, most of the time
        at = rng.randrange(len(tiles))
        fresh = rng.choice([kind for kind, count in deck.left.items() if count])
        deck.take((fresh,))
        deck.left[tiles[at]] += 1
        tiles[at] = fresh
    return placed(rng, preset, options, deck, tiles=tiles, melds=melds, wild=wild)


def placed(rng: Random, preset: str, options: dict[str, Any], deck: Deck, *, tiles: list[str], melds: list[Meld],
           wild: str) -> tuple[Case, Table, list[Claim]] | None:  # fmt: skip
    """Seat the hand: who wins on what, from whom, with which flowers, beside which kongs of others."""
    players = 3 if preset == "hainan.three" else 4
    winner, dealer = rng.randrange(players), rng.randrange(players)
    others = [seat for seat in range(players) if seat != winner]
    for meld in melds:
        if meld.kind != "concealed_kong":
            meld.source = (winner - 1) % players if meld.kind == "chow" else rng.choice(others)
    seats = [Seat() for _ in range(players)]
    seats[winner].melds = melds
    flowers = [f"f{number}" for number in range(1, 9)]
    rng.shuffle(flowers)
    generous = rng.random() < 0.3
    for flower in flowers[: rng.randrange(9)]:
        seats[winner if generous or rng.random() < 0.5 else rng.choice(others)].flowers.append(flower)
    tile = rng.choice(tiles)
    by = rng.choice(("self_draw", "discard", "discard", "robbed"))
    if by == "robbed" and (tile == wild or tiles.count(tile) > 1 or not deck.take((tile,) * 3)):
        by = "discard"
    source = None if by == "self_draw" else rng.choice(others)
    if by == "robbed":
        assert source is not None
        feeder = rng.choice([seat for seat in range(players) if seat != source])
        seats[source].melds.append(Meld("pung", (tile,) * 3, feeder))
    for seat in others:
        if rng.random() < 0.25:
            kind = rng.choice(("direct_kong", "added_kong", "concealed_kong"))
            whole = [each for each, count in deck.left.items() if count == 4 and each != wild]
            kong = rng.choice(whole)
            deck.take((kong,) * 4)
            feeder = None if kind == "concealed_kong" else rng.choice([each for each in range(players) if each != seat])
            seats[seat].melds.append(Meld(kind, (kong,) * 4, feeder))
    occasion = random_occasion(rng, seats, winner, dealer, by=by, source=source)
    left = rng.randrange(16, 40) if by != "self_draw" else None
    effective = {**defaults(preset), **options}
    ga = [rng.choice((0, 1, 2, 3, 5)) for _ in range(players)] if effective["ga"] else [0] * players
    streak, wind = rng.choice((0, 1, 4)), rng.choice("ESWN")
    table = Table(effective, dealer, wind, streak, ga, seats, left)
    own = tiles if by == "self_draw" else remaining(tiles, tile)
    natural = [each for each in own if each != wild] + ([tile] if by != "self_draw" else [])
    claim = Claim(winner, tuple(natural), own.count(wild), wild, by, source, occasion)
    case = as_case(preset, options, table, claim, hand=remaining(tiles, tile), tile=tile, wild=wild)
    return case, table, [claim]


def remaining(tiles: list[str], gone: str) -> list[str]:
    left = list(tiles)
    left.remove(gone)
    return left


def random_occasion(rng: Random, seats: list[Seat], winner: int, dealer: int, *, by: str, source: int | None) -> str:
    """Return something that may have happened."""
    its = seats[winner]
    claimed = any(meld.source is not None for seat in seats for meld in seat.melds)
    may = ["none"]
    if by == "self_draw" and any(len(meld.tiles) == 4 for meld in its.melds):
        may.append("kong_bloom")
    if by == "self_draw" and its.flowers:
        may.append("flower_bloom")
    if by == "self_draw" and winner == dealer and not its.melds:
        may.append("heavenly")
    fresh = winner != dealer and not claimed and not its.melds
    if fresh and (by == "self_draw" or (by == "discard" and source == dealer)):
        may.append("earthly")
    return rng.choice(may)


def defaults(preset: str) -> dict[str, Any]:
    """Return the appendix's option map, typed in again where scoring asks."""
    return {
        "players": 3 if preset == "hainan.three" else 4, "fan_required": True, "fan_scope": "discard",
        "discard_payment": "all_three", "dealer_bonus": True, "streak_bonus": True, "streak_symmetric": True,
        "streak_edges": "dealer", "ga": False, "settle_drawn_hand": False, "flower_win": True,
        "discarder_pays_all": False, "half_flush_fan": False, "round_wind_fan": False, "last_tiles_liability": False,
        "last_tiles_window": "remaining_15_plus_n", "type_stack": "mul", "way_stack": "max", "luxury_natural": False,
        "luxury_per_quad": False, "wild_fifth": True, "concealed_allows_kong": True, "kong_is_fan": False,
        "robbed_without_fan": "if_fan_required", "earthly_mode": "both", "cap": "none", "multi_win": "first",
        "fan_same_reading": False, "adders_scaled": True, "wild_fan": "present", "wild_special": True,
        "flowers_on_draw": "if_settled", "no_winds": False,
    }  # fmt: skip


def as_case(preset: str, options: dict[str, Any], table: Table, claim: Claim, *, hand: list[str], tile: str,
            wild: str) -> Case:  # fmt: skip
    """Write the hand down as a person would."""
    seats = {}
    for seat, its in enumerate(table.seats):
        told: dict[str, Any] = {}
        if seat == claim.seat:
            told["hand"] = written(hand)
        if its.melds:
            told["melds"] = [
                {
                    "kind": meld.kind,
                    "tiles": written(list(meld.tiles)),
                    **({} if meld.source is None else {"from": meld.source}),
                }
                for meld in its.melds
            ]
        if its.flowers:
            told["flowers"] = " ".join(its.flowers)
        seats[str(seat)] = told
    win: dict[str, Any] = {"seats": [claim.seat], "tile": tile, "by": claim.by, "occasion": claim.occasion}
    if claim.source is not None:
        win["from"] = claim.source
    case: Case = {"rules": preset, "options": options, "dealer": table.dealer, "round_wind": table.round_wind,
                  "streak": table.streak, "ga": list(table.ga), "seats": seats, "win": win}  # fmt: skip
    if table.left is not None:
        case["remaining"] = table.left
    if options.get("wild") == "random":
        case["wild"] = wild
    return case
