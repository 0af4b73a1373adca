"""Counting in tai: patterns add up, a cap, and points by the tai (`mahjong.md` 1.6)."""

from engine.mahjong.patterns import EAST, PATTERNS, Found, Whole
from engine.mahjong.state import Hand, Win
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
    """Return the score of a win whose shape is complete.

    The tai are added and capped; a share is `base` times 2 to the tai (LH-15, LH-16).
    """
    rules = hand.rules
    seen = whole(hand, win)
    found: Found = []
    for name in rules.patterns:
        found += PATTERNS[name](seen)
    total = sum(tai for _, tai in found)
    if rules.win_tai == "additive" or (rules.win_tai == "only_if_none" and total == 0):
        found.insert(0, ("win", 1))
        total += 1
    tai = min(rules.cap_tai, total)
    return Score([(name, "tai", each) for name, each in found], tai, rules.base * 2**tai)
