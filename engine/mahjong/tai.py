"""Counting in tai: patterns add up, a cap, and points by the tai (`mahjong.md` 1.6, 2.5, 2.6).

Where a pattern depends on how the hand is laid out, the layout with the greatest sum counts, the first of equals.
"""

from engine.mahjong.patterns import EAST, PATTERNS, Found, Whole
from engine.mahjong.points import share
from engine.mahjong.roles import layouts
from engine.mahjong.state import Hand, Win
from engine.mahjong.waiting import LAYOUT_PATTERNS
from engine.mahjong.worth import Score


def whole(hand: Hand, win: Win) -> Whole:
    """Return the winning hand as patterns see it."""
    side = hand.sides[win.seat]
    counts = list(win.counts)
    for meld in side.melds:
        for tile in meld.whole:
            counts[tile] += 1
    return Whole(
        rules=hand.rules,
        win=win,
        melds=tuple(side.melds),
        flowers=tuple(side.flowers),
        counts=tuple(counts),
        place=(win.seat - hand.dealer) % hand.players,
        round_wind=hand.round_wind,
        suits=sum(any(counts[first : first + 9]) for first in (0, 9, 18)),
        honours=any(counts[EAST:]),
    )


def count(hand: Hand, win: Win) -> Score:
    """Return the score of a win whose shape is complete, or one by eight flowers, whatever its shape (DH-14).

    The tai are added and capped (LH-15, DH-27).
    """
    rules = hand.rules
    if win.occasion == "eight_flowers":
        found: Found = [("eight_flowers", rules.eight_flowers_tai)]
    else:
        found = patterns(whole(hand, win))
    total = sum(tai for _, tai in found)
    if rules.win_tai == "additive" or (rules.win_tai == "only_if_none" and total == 0):
        found.insert(0, ("win", 1))
        total += 1
    tai = min(rules.cap_tai, total)
    points = share(rules, tai, drawn=win.by == "self_draw")
    return Score([(name, "tai", each) for name, each in found], tai, points)


def patterns(hand: Whole) -> Found:
    """Return the patterns of a complete hand that the rules list, in the best layout."""
    found: Found = []
    laid = []
    for name in hand.rules.patterns:
        if name in LAYOUT_PATTERNS:
            laid.append(LAYOUT_PATTERNS[name])
        else:
            found += PATTERNS[name](hand)
    if not laid:
        return found
    best: Found = []
    most = -1
    for layout in layouts(hand.win.counts, hand.win.tile):
        its = list(found)
        for pattern in laid:
            its += pattern(hand, layout, its)
        total = sum(tai for _, tai in its)
        if total > most:
            best, most = its, total
    return best
