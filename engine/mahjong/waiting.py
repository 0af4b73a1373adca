"""Patterns that depend on how the hand is laid out: waits, all triplets, all runs (`mahjong.md` 2.5 rows 6 to 10, 15).

Each takes the whole hand, a layout and what has been found so far, and returns its tai in that layout; counting takes
the layout with the greatest sum.
"""

from collections.abc import Callable

from engine.mahjong.patterns import DRAGONS, Found, Whole
from engine.mahjong.roles import CLOSED, EDGE, SINGLE, TRIPLET, Layout, waits_on_one

LayoutPattern = Callable[[Whole, Layout, Found], Found]

BESIDE_RUNS = frozenset({"self_draw", "kong_bloom", "flower_bloom", "half_flush", "full_flush"})
"""What may score beside 排胡 with `all_chows_mode = only_if_zero` (4.4)."""


def counted_role(hand: Whole, layout: Layout) -> str:
    """Return the role of the winning tile; a wait among others is none where the option asks (DH-16)."""
    role = layout.role
    if role in {CLOSED, EDGE, SINGLE} and hand.rules.wait_must_be_single:
        return role if waits_on_one(hand.win.counts, hand.counts, layout.tile) else ""
    return role


def wait(hand: Whole, layout: Layout, found: Found) -> Found:
    """对倒, 坎张, 边张 or 单钓: what the winning tile completes, one of them (2.5 rows 6 to 9, DH-15 to DH-17)."""
    del found
    rules = hand.rules
    drawn = hand.win.by == "self_draw"
    role = counted_role(hand, layout)
    if role == TRIPLET:
        return [("duidao", 1)] if not drawn or rules.duidao_on_self_draw else []
    if role == SINGLE:
        return [("pair_wait", 2 if drawn and rules.pair_wait_self_draw == "excl" else 1)]
    if role == CLOSED:
        return [("closed_wait", 1)]
    return [("edge_wait", 1)] if role == EDGE else []


def all_pungs(hand: Whole, layout: Layout, found: Found) -> Found:
    """碰碰胡: four pungs or kongs (row 10)."""
    del found
    return [("all_pungs", 2)] if has_no_chow(hand, layout) else []


def has_no_chow(hand: Whole, layout: Layout) -> bool:
    """Tell whether every set of the hand is a pung or kong."""
    return not layout.chows and all(meld.kind != "chow" for meld in hand.melds)


def all_chows(hand: Whole, layout: Layout, found: Found) -> Found:
    """排胡: four runs, a pair of no worth, and none of the three narrow waits (row 15, DH-21)."""
    rules = hand.rules
    if layout.chows < len(layout.reading.sets) or any(meld.kind != "chow" for meld in hand.melds):
        return []
    if layout.reading.pair in {hand.own_wind, hand.round_wind, *DRAGONS}:
        return []
    if counted_role(hand, layout) in {CLOSED, EDGE, SINGLE}:
        return []
    if rules.all_chows_mode == "only_if_zero" and any(name not in BESIDE_RUNS for name, _ in found):
        return []
    return [("all_chows", rules.all_chows_tai)] if rules.all_chows_tai else []


LAYOUT_PATTERNS: dict[str, LayoutPattern] = {
    "wait": wait,
    "all_pungs": all_pungs,
    "all_chows": all_chows,
}
"""Every pattern of a layout by the name that rules list."""
