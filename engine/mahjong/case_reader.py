"""Reading a mahjong scoring case: fields with their defaults, and hands that can exist (`cases/README.md`).

What cannot be read or cannot exist raises CaseError with its place and the reason. Whether the rules allow the outcome
and what it pays is the business of `cases`.

Defaults beyond the page's: `win.by` is `discard` where `from` is given and `self_draw` otherwise; a chow's `from` is
the seat before; `heavenly` may leave `tile` out where `hand` holds all fourteen.

Where `liability_split = last_established` asks which liability came last, a case counts as established in this
order: the melds by seat and, within a seat, as listed; then the pairs of `fed` as written.
"""

from dataclasses import dataclass

from engine.cards import FLOWERS, KINDS, NotationError, parse_flowers, parse_hand
from engine.fields import CaseError, Fields
from engine.mahjong import wilds
from engine.mahjong.claims import may_chow
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import NONE, Hand, Meld, Side, start, turn_wild

WINDS = "ESWN"
EAST = 27
CONCEALED = "concealed_kong"
KONGS = ("direct_kong", "added_kong", CONCEALED)
CLAIMED = ("chow", "pung", "direct_kong", "added_kong")
BY = ("self_draw", "discard", "robbed")
BY_FLOWERS = ("eight_flowers", "flowers")
OCCASIONS = ("none", "kong_bloom", "flower_bloom", "heavenly", "earthly", "last_discard", *BY_FLOWERS)


@dataclass(slots=True)
class Outcome:
    """How the hand ended. `by` is "" for a drawn hand; `seats` declared, the nearest after `source` first."""

    by: str = ""
    seats: tuple[int, ...] = ()
    tile: int = NONE
    source: int = NONE
    occasion: str = ""
    kong: str = ""
    kong_source: int = NONE
    left: int = NONE
    """Tiles left in the wall; NONE: not said, enough that no last-tile rule applies."""


def read(fields: Fields, rules: MahjongRules) -> tuple[Hand, Outcome]:
    """Return the hand of a case and how it ended; raise CaseError where it cannot be read or cannot exist."""
    n = rules.players
    dealer = fields.number("dealer", 0, n - 1, 0)
    wind = EAST + WINDS.index(fields.word("round_wind", tuple(WINDS), "E"))
    hand = start(rules, dealer, wind, None, None)
    _read_streak_and_ga(fields, hand)
    _read_wild(fields, hand)
    _read_seats(fields.part("seats"), hand)
    outcome = _read_win(fields.part("win"), hand)
    _check_sizes(hand, outcome)
    _check_copies(hand, outcome)
    _read_fed(fields.part("fed"), hand)
    listed = sum(meld.is_kong for side in hand.sides for meld in side.melds)
    hand.kongs = fields.number("kongs", 0, 4 * n, listed)
    if hand.kongs < listed:
        raise CaseError("kongs", f"{hand.kongs} is less than the {listed} listed among the melds")
    hand.replaced = sum(len(side.flowers) for side in hand.sides)
    outcome.left = fields.number("remaining", 0, rules.size - 13 * n - 1 - (hand.indicator != NONE), NONE)
    fields.done("rules", "options", "expect", "note")
    return hand, outcome


def _read_streak_and_ga(fields: Fields, hand: Hand) -> None:
    """Read what adds to every edge of a payment (3.9); refuse it where these rules have no such thing."""
    rules = hand.rules
    hand.streak = fields.number("streak", 0, 10_000, 0)
    if hand.streak and not rules.counts_streak:
        raise CaseError("streak", f"{rules.id} counts no streak of the dealer")
    ga = fields.numbers("ga", 0, 10_000)
    if ga is not None and len(ga) != rules.players:
        raise CaseError("ga", f"one number a seat is needed, {rules.players} in all, not {len(ga)}")
    if ga is not None and any(ga) and not rules.ga:
        raise CaseError("ga", f"{rules.id} has no ga (ga = false)" if rules.counts_streak else f"{rules.id} has no ga")
    for seat, each in enumerate(ga or ()):
        if each and each not in rules.ga_values:
            raise CaseError(f"ga[{seat}]", f"{each} is none of {', '.join(map(str, rules.ga_values))}")
    hand.ga = ga or [0] * rules.players


def _read_wild(fields: Fields, hand: Hand) -> None:
    """Read which kind is wild where these rules draw one (3.1, HN-08, HN-09); refuse another than a fixed one."""
    rules = hand.rules
    tiles = _tiles(fields, "wild")
    if rules.wild == "none":
        if tiles:
            raise CaseError("wild", f"{rules.id} draws no wild tile (wild = {rules.wild})")
        return
    if rules.wild != "random":
        if tiles and tiles != (hand.wild,):
            raise CaseError("wild", f"{KINDS[hand.wild]} is wild in {rules.id} (wild = {rules.wild})")
        return
    if len(tiles) != 1:
        raise CaseError("wild", f"which kind is wild? {rules.id} draws one (wild = {rules.wild})")
    kinds = wilds.domain(rules)
    if tiles[0] not in kinds:
        raise CaseError("wild", f"{KINDS[tiles[0]]} cannot be drawn: no kind of the domain in play")
    turn_wild(hand, tiles[0])
    if rules.wild_indicator != "virtual":
        hand.indicator = next(kind for kind in kinds if wilds.told_by(rules, kind) == tiles[0])


def _read_seats(seats: Fields | None, hand: Hand) -> None:
    seen: set[int] = set()
    rules = hand.rules
    for seat, name in seats.seats(hand.players) if seats else ():
        assert seats is not None
        its = seats.part(name)
        assert its is not None
        side = hand.sides[seat]
        for tile in _tiles(its, "hand"):
            if rules.no_winds and EAST <= tile < EAST + 4:
                raise CaseError(its.at("hand"), f"{KINDS[tile]} is not in the wall (no_winds)")
            side.add(tile)
        side.melds += [_read_meld(meld, hand, seat) for meld in its.parts("melds")]
        if len(side.melds) > 4:
            raise CaseError(its.at("melds"), f"{len(side.melds)} melds; a hand has four at most")
        side.flowers += _read_flowers(its, hand.rules, seen)
        its.done()


def _tiles(fields: Fields, name: str) -> tuple[int, ...]:
    text = fields.text(name)
    try:
        return parse_hand(text or "")
    except NotationError as error:
        raise CaseError(fields.at(name), str(error)) from None


def _read_flowers(fields: Fields, rules: MahjongRules, seen: set[int]) -> tuple[int, ...]:
    where = fields.at("flowers")
    try:
        found = parse_flowers(fields.text("flowers") or "")
    except NotationError as error:
        raise CaseError(where, str(error)) from None
    if found and not rules.flowers:
        raise CaseError(where, f"there are no flowers among {rules.tiles} tiles")
    for flower in found:
        if flower in seen:
            raise CaseError(where, f"{KINDS[flower]} exists once, another seat has it")
        seen.add(flower)
    return found


def _read_meld(fields: Fields, hand: Hand, seat: int) -> Meld:
    """Return a meld that somebody could have fed (1.3: a chow from the seat before, nothing from oneself)."""
    kind = fields.word("kind", (*CLAIMED, CONCEALED), "")
    if not kind:
        raise CaseError(fields.at("kind"), f"one of {', '.join((*CLAIMED, CONCEALED))} is needed")
    where = fields.at("tiles")
    tiles = tuple(sorted(_tiles(fields, "tiles")))
    size = 4 if kind in KONGS else 3
    if len(tiles) != size:
        raise CaseError(where, f"a {kind} has {size} tiles, not {len(tiles)}")
    low = tiles[0]
    if kind == "chow":
        if low >= EAST or low % 9 > 6 or tiles != (low, low + 1, low + 2):
            raise CaseError(where, "a chow is three tiles of one suit in a row")
        if not may_chow(hand.rules):
            raise CaseError(where, "these rules allow no chow")
    elif set(tiles) != {low}:
        raise CaseError(where, f"the tiles of a {kind} are equal")
    if hand.wild in tiles:
        raise CaseError(where, f"{KINDS[hand.wild]} is wild: it stands in no meld (HN-10, HN-11)")
    if hand.rules.no_winds and EAST <= low < EAST + 4:
        raise CaseError(where, f"{KINDS[low]} is not in the wall (no_winds)")
    if kind == CONCEALED:
        if fields.has("from"):
            raise CaseError(fields.at("from"), "nobody feeds a concealed kong")
        fields.done()
        return Meld(kind, tiles)
    before = (seat - 1) % hand.players
    if kind == "chow" and not fields.has("from"):
        source = before
    else:
        source = fields.needed_number("from", 0, hand.players - 1, f"which seat fed the {kind}?")
    if source == seat:
        raise CaseError(fields.at("from"), f"seat {seat} cannot feed itself")
    if kind == "chow" and source != before:
        raise CaseError(fields.at("from"), f"seat {seat} chows from seat {before} only, not from {source}")
    fields.done()
    return Meld(kind, tiles[1:], low, source)


def _read_win(fields: Fields | None, hand: Hand) -> Outcome:
    if fields is None:
        return Outcome()
    n = hand.players
    by = fields.word("by", BY, "discard" if fields.has("from") else "self_draw")
    occasion = fields.word("occasion", OCCASIONS, "none")
    outcome = Outcome(by=by, occasion="" if occasion == "none" else occasion)
    if by == "self_draw":
        if fields.has("from"):
            raise CaseError(fields.at("from"), "nobody feeds a self-drawn win")
    else:
        outcome.source = fields.needed_number("from", 0, n - 1, "who played the winning tile?")
    outcome.seats = _read_winners(fields, outcome, n)
    first = outcome.seats[0]
    _check_occasion(fields, outcome)
    outcome.tile = _read_tile(fields, hand, outcome)
    if by == "robbed":
        its = hand.sides[outcome.source].melds
        if not any(meld.kind == "pung" and meld.claimed == outcome.tile for meld in its):
            words = f"seat {outcome.source} lists no pung of {KINDS[outcome.tile]} that it could make a kong"
            raise CaseError(fields.where, words)
    _read_kong(fields.part("kong"), fields.at("kong"), hand.sides[first], outcome)
    fields.done()
    return outcome


def _read_winners(fields: Fields, outcome: Outcome, players: int) -> tuple[int, ...]:
    where = fields.at("seats")
    seats = fields.numbers("seats", 0, players - 1)
    if not seats:
        raise CaseError(where, "who won? a list of seats is needed")
    if len(set(seats)) != len(seats):
        raise CaseError(where, "a seat wins once")
    if outcome.source in seats:
        raise CaseError(where, f"seat {outcome.source} played the tile, it cannot win on it")
    if outcome.by == "self_draw" and len(seats) > 1:
        raise CaseError(where, "one seat wins by self-draw")
    return tuple(sorted(seats, key=lambda seat: (seat - outcome.source) % players))


def _check_occasion(fields: Fields, outcome: Outcome) -> None:
    word = outcome.occasion
    if not word:
        return
    ways = {"last_discard": ("discard",), "earthly": ("self_draw", "discard")}
    wanted = ways.get(word, ("self_draw",))
    if outcome.by not in wanted:
        raise CaseError(fields.at("occasion"), f"{word} belongs to a win by {' or '.join(wanted)}, not by {outcome.by}")


def _read_tile(fields: Fields, hand: Hand, outcome: Outcome) -> int:
    """Return the winning tile, which is not yet in the hand; NONE where the hand holds it or none is needed."""
    where = fields.at("tile")
    tiles = _tiles(fields, "tile")
    if len(tiles) > 1:
        raise CaseError(where, "one tile wins")
    if outcome.occasion in BY_FLOWERS:
        if tiles:
            raise CaseError(where, f"{outcome.occasion} needs no tile")
        return NONE
    if tiles:
        return tiles[0]
    if outcome.occasion == "heavenly" and hand.sides[outcome.seats[0]].size() == 14:
        return NONE
    raise CaseError(where, "which tile wins?")


def _read_kong(fields: Fields | None, where: str, side: Side, outcome: Outcome) -> None:
    """Find the kong whose replacement won: as the case names it, else the last one listed."""
    kongs = [meld for meld in side.melds if meld.is_kong]
    if fields is None:
        if kongs and outcome.occasion == "kong_bloom":
            outcome.kong, outcome.kong_source = kongs[-1].kind, kongs[-1].source
        return
    if outcome.occasion not in {"kong_bloom", "flower_bloom"}:
        raise CaseError(where, "a kong is named only with kong_bloom or flower_bloom")
    kind = fields.word("kind", KONGS, "")
    source = fields.number("from", 0, 9, NONE)
    fields.done()
    fitting = [meld for meld in kongs if meld.kind == kind and source in {NONE, meld.source}]
    if kongs and not fitting:
        raise CaseError(where, "the winner's melds list no such kong")
    if fitting:
        outcome.kong, outcome.kong_source = fitting[-1].kind, fitting[-1].source


def _check_sizes(hand: Hand, outcome: Outcome) -> None:
    """Refuse concealed hands of a wrong number: thirteen tiles with the melds as three each, before the winning one."""
    for seat, side in enumerate(hand.sides):
        where = f"seats.{seat}.hand"
        held = side.size()
        if not held and (seat not in outcome.seats or outcome.occasion in BY_FLOWERS):
            continue
        wanted = 13 - 3 * len(side.melds)
        if outcome.occasion == "heavenly" and seat in outcome.seats and outcome.tile == NONE:
            wanted += 1
        if held != wanted:
            beside = f"beside {len(side.melds)} melds " if side.melds else ""
            raise CaseError(where, f"{held} tiles; {beside}a hand before the winning tile has {wanted}")


def _check_copies(hand: Hand, outcome: Outcome) -> None:
    seen = [0] * FLOWERS
    for side in hand.sides:
        for tile, have in enumerate(side.counts):
            seen[tile] += have
        for meld in side.melds:
            for tile in meld.whole:
                seen[tile] += 1
    for apart in (outcome.tile, hand.indicator):
        if apart != NONE:
            seen[apart] += 1
    for tile, have in enumerate(seen):
        if have > 4:
            turned = ", one of them turned up" if tile == hand.indicator else ""
            words = f"{have} copies of {KINDS[tile]} in hands, melds and winning tile{turned}; there are 4"
            raise CaseError("seats", words)


def _read_fed(fields: Fields | None, hand: Hand) -> None:
    """Count claims from the melds; where `fed` names a pair its number replaces the melds' (1.7).

    With `liability_counts_added_kong` an added kong listed counts on top of either. With `feeding_mode = same_kind`
    the claims of such a number are of one kind, as the case does not say which.
    """
    threshold = hand.rules.liability_threshold
    told = _told(fields, hand.players)
    for claimer, side in enumerate(hand.sides):
        for meld in side.melds:
            if meld.source == NONE:
                continue
            more = hand.rules.liability_counts_added_kong and meld.kind == "added_kong"
            by_told = (claimer, meld.source) in told
            if meld.kind == "chow" and not by_told:
                hand.fed_runs[claimer][meld.source] += 1
            for _ in range(int(not by_told) + int(more)):
                hand.fed[claimer][meld.source] += 1
                if hand.fed[claimer][meld.source] == threshold and not by_told:
                    hand.established.append((claimer, meld.source))
    for (claimer, feeder), count in told.items():
        hand.fed[claimer][feeder] += count
        if hand.fed[claimer][feeder] >= threshold:
            hand.established.append((claimer, feeder))


def _told(fields: Fields | None, players: int) -> dict[tuple[int, int], int]:
    told: dict[tuple[int, int], int] = {}
    for claimer, name in fields.seats(players) if fields else ():
        assert fields is not None
        its = fields.part(name)
        assert its is not None
        for feeder, key in its.seats(players):
            if feeder == claimer:
                raise CaseError(its.at(key), f"seat {claimer} cannot feed itself")
            told[claimer, feeder] = its.number(key, 0, 4, 0)
        total = sum(count for (taker, _), count in told.items() if taker == claimer)
        if total > 4:
            raise CaseError(its.where, f"{total} claims; a hand has four melds at most")
    return told
