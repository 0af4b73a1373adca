"""Acts in one's own turn: win, kong, discard; which are lawful and what a time-out does (`mahjong.md` 0.6, 4.0)."""

from engine.cards import FLOWERS, INDEX, KINDS
from engine.events import Body
from engine.mahjong.multiplier import series
from engine.mahjong.score import forbids
from engine.mahjong.shapes import shape
from engine.mahjong.state import NONE, Hand, Side, Win, can_draw

ALL_FLOWERS = 8


def occasion(hand: Hand, seat: int) -> str:
    """Return what a self-drawn win of this turn happened on; "" for an ordinary draw (2.5 rows 12, 18, 19)."""
    side = hand.sides[seat]
    if hand.source == "kong":
        return "kong_bloom"
    if hand.source == "flower":
        # Flowers exposed in the dealer's first turn belong to his first fourteen (3.8).
        first = seat == hand.dealer and not side.discards and not hand.kongs
        return "heavenly" if first else "flower_bloom"
    if hand.source == "deal":
        # A hand that initial flowers completed is a bloom where the option says so (DH-07).
        return "heavenly" if hand.rules.heavenly_after_flowers or not side.flowers else "flower_bloom"
    if (
        seat != hand.dealer
        and side.draws == 1
        and not side.discards
        and not hand.claimed_any
        and "first_draw" in hand.rules.earthly_ways
    ):
        return "earthly"
    return ""


def own_win(hand: Hand, seat: int) -> Win:
    """Return the win that the seat would declare now."""
    word = occasion(hand, seat)
    tile = hand.opening.filled if hand.source == "deal" else hand.drawn
    if word == "heavenly":
        tile = NONE
    counts = tuple(hand.sides[seat].counts)
    last = not can_draw(hand)
    return Win(seat, tile, "self_draw", NONE, word, counts, hand.kong, hand.kong_source, last)


def flowers_win(hand: Hand, seat: int, word: str = "eight_flowers") -> Win:
    """Return the win by flowers alone, paid as a self-draw; the hand need not be complete (2.5 row 17, HN-23)."""
    return Win(seat, NONE, "self_draw", NONE, word, tuple(hand.sides[seat].counts))


def flowers_end_hand(hand: Hand, seat: int) -> bool:
    """Tell whether the flowers that a seat has exposed win at once, undeclared (4.4, `flower_win_mode`)."""
    rules = hand.rules
    return rules.flower_win_mode == "instant_win" and series(rules, hand.sides[seat].flowers) > 0


def may_win_by_flowers(hand: Hand, seat: int) -> str:
    """Return "" where the seat may declare its eight flowers, else the key of the clause that forbids it.

    From the eighth on in any turn of its own, after a claim too: no tile need have been drawn (DH-14).
    """
    its = hand.sides[seat].flowers
    return "" if len(its) == ALL_FLOWERS and hand.rules.eight_flowers == "instant" else "act.eight_flowers"


def may_win(hand: Hand, seat: int) -> str:
    """Return "" where the seat may declare a self-drawn win, else the key of the clause that forbids it."""
    if not hand.fresh:
        return "act.win_needs_draw"
    if not shape(hand, seat, NONE):
        return "shape"
    return forbids(hand, own_win(hand, seat))


def may_kong(hand: Hand, seat: int, kind: str, tiles: tuple[int, ...]) -> str:
    """Return "" where the seat may declare this kong, else the key of the clause that forbids it (CM-01 to CM-03)."""
    side = hand.sides[seat]
    size = 4 if kind == "concealed_kong" else 1
    if len(tiles) != size or len(set(tiles)) != 1 or tiles[0] >= FLOWERS or side.counts[tiles[0]] < size:
        return "act.kong_tiles"
    tile = tiles[0]
    if tile == hand.wild:
        return "wild.kong"
    if kind == "added_kong":
        if not any(meld.kind == "pung" and meld.claimed == tile for meld in side.melds):
            return "act.added_kong"
        if not hand.rules.late_added_kong and tile != hand.drawn:
            return "act.late_added_kong"
    if not hand.fresh and not hand.rules.kong_after_claim:
        return "act.kong_after_claim"
    return "" if can_draw(hand) else "wall.reserve"


def may_discard(hand: Hand, seat: int, tile: int, *, drawn: bool) -> str:
    """Return "" where the seat may discard this tile, else the key of the clause that forbids it.

    `drawn` claims that it is the tile of his last draw in this turn; without it another copy must be in the hand.
    """
    if tile >= FLOWERS:
        return "act.flower"
    have = hand.sides[seat].counts[tile]
    if have == 0:
        return "act.not_held"
    if drawn and tile != hand.drawn:
        return "act.not_drawn"
    if not drawn and tile == hand.drawn and have == 1:
        return "act.only_copy"
    if tile in hand.banned:
        return "lock.swap"
    return "wild.discard" if tile == hand.wild and not may_discard_wild(hand, hand.sides[seat]) else ""


def may_discard_wild(hand: Hand, side: Side) -> bool:
    """Tell whether a wild may go: by option only from a hand of nothing else (HN-10)."""
    return hand.rules.wild_discard == "allow" or sum(side.counts) == side.wilds


def ga_choices(hand: Hand) -> list[Body]:
    """Return the ga that each seat may still choose: not below that of its last hand but by option (3.2)."""
    return [
        {"type": "ga_chosen", "seat": seat, "ga": ga}
        for seat, chosen in enumerate(hand.ga)
        if chosen == NONE
        for ga in hand.rules.ga_values
        if ga >= hand.least_ga[seat]
    ]


def timeout(hand: Hand, seat: int) -> Body:
    """Return what a time-out does in this turn: the drawn tile, else the last of the hand that may go (CM-05)."""
    if hand.drawn != NONE and not may_discard(hand, seat, hand.drawn, drawn=True):
        return {"type": "discarded", "seat": seat, "tile": KINDS[hand.drawn], "drawn": True}
    counts = hand.sides[seat].counts
    tile = next(
        kind for kind in reversed(range(FLOWERS)) if counts[kind] and not may_discard(hand, seat, kind, drawn=False)
    )
    return {"type": "discarded", "seat": seat, "tile": KINDS[tile]}


def acts(hand: Hand) -> list[Body]:
    """Return every act of the seat whose turn it is: win, kongs, discards, each in tile order."""
    seat = hand.turn
    side = hand.sides[seat]
    found: list[Body] = []
    if not may_win(hand, seat):
        found.append({"type": "declared", "seat": seat, "what": "win"})
    if len(side.flowers) == ALL_FLOWERS and not may_win_by_flowers(hand, seat):
        found.append({"type": "declared", "seat": seat, "what": "eight_flowers"})
    found += kongs(hand, seat, side)
    for tile, have in enumerate(side.counts):
        if have:
            found += [
                {"type": "discarded", "seat": seat, "tile": KINDS[tile], **({"drawn": True} if drawn else {})}
                for drawn in (False, True)
                if not may_discard(hand, seat, tile, drawn=drawn)
            ]
    return found


def kongs(hand: Hand, seat: int, side: Side) -> list[Body]:
    """Return the kongs that the seat may declare: concealed ones, then added ones."""
    found: list[Body] = []
    for tile, have in enumerate(side.counts):
        if have == 4 and not may_kong(hand, seat, "concealed_kong", (tile,) * 4):
            found.append({"type": "konged", "seat": seat, "kind": "concealed_kong", "tiles": [KINDS[tile]] * 4})
    found += [
        {"type": "konged", "seat": seat, "kind": "added_kong", "tiles": [KINDS[meld.claimed]]}
        for meld in side.melds
        if meld.kind == "pung" and not may_kong(hand, seat, "added_kong", (meld.claimed,))
    ]
    return found


def kinds(codes: list[str]) -> tuple[int, ...]:
    """Return the kinds of tile codes."""
    return tuple(INDEX[code] for code in codes)
