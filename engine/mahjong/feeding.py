"""Payments where who fed whom pays beside the win: 三吃三碰, the fed kong's bloom, the robbed kong (`mahjong.md` 2.6).

U is one share. Normally the discarder pays U, on a self-draw each other player; the robbed pays a multiple of U, and
a bloom on a fed kong is paid by its feeder, three shares. On top of that every *partner* of the winner, a seat that
took three claims from him or fed him three, pays an extra.
"""

from engine.mahjong.state import NONE, Hand, Win
from engine.mahjong.worth import Score
from engine.settlement import Line

PARTNER_CLAIMS = 3
"""Claims that make partners (DH-28)."""
BLOOMS = {"direct": ("direct_kong",), "direct+added": ("direct_kong", "added_kong")}
"""Kongs whose feeder pays for a win on the replacement, by `kong_bloom_liability`."""


def claims(hand: Hand, claimer: int, feeder: int) -> int:
    """Count what a seat took from another as `feeding_mode` counts: all claims, or the more of runs and the rest."""
    every = hand.fed[claimer][feeder]
    if hand.rules.feeding_mode == "mixed":
        return every
    runs = hand.fed_runs[claimer][feeder]
    return max(runs, every - runs)


def bloom_feeder(hand: Hand, win: Win) -> int:
    """Return who fed the kong whose replacement won and pays for it; NONE where nobody does (DH-19, DH-41)."""
    rules = hand.rules
    words = ("kong_bloom", "flower_bloom") if rules.kong_bloom_through_flower else ("kong_bloom",)
    fed = win.occasion in words and win.kong in BLOOMS[rules.kong_bloom_liability]
    return win.kong_source if fed else NONE


def on_discard(hand: Hand, win: Win, its: Score) -> list[Line]:
    """Let the discarder pay a share, the robbed as many as `robbed_multiplier` says (DH-20)."""
    if win.by == "self_draw":
        return []
    if win.by == "robbed":
        return [Line(win.source, win.seat, its.points * hand.rules.robbed_multiplier, "robbed", "pay.robbed")]
    return [Line(win.source, win.seat, its.points, "discard", "pay.discard")]


def on_self_draw(hand: Hand, win: Win, its: Score) -> list[Line]:
    """Let each other player pay a share, or the feeder of the kong that bloomed all of them (DH-19, DH-41)."""
    if win.by != "self_draw":
        return []
    feeder = bloom_feeder(hand, win)
    if feeder != NONE:
        total = its.points * (hand.players - 1)
        key = "pay.kong_bloom" if win.occasion == "kong_bloom" else "pay.kong_bloom_through_flower"
        return [Line(feeder, win.seat, total, "kong_bloom", key)]
    return [Line(seat, win.seat, its.points, "self_draw", "pay.self_draw") for seat in hand.others(win.seat)]


def feeding_key(win: Win, seat: int, winners: set[int], feeder: int) -> str:
    """Return the key of the clause that makes a partner pay: one of its own where he pays otherwise too, or wins."""
    if seat in winners:
        return "pay.feeding_winner"
    if seat == feeder or (win.by == "robbed" and seat == win.source):
        return "pay.feeding_combined"
    return "pay.feeding"


def on_feeding(hand: Hand, win: Win, its: Score) -> list[Line]:
    """Let every partner pay his extra: one share, two on a self-draw, more where both fed each other (DH-28 to DH-31).

    `double_partner` doubles what the partner pays in all, his own normal share counting as one even where he pays
    more (robbed, or feeder of the bloom) or none (another is the feeder); `double_extra` doubles the extra alone.
    """
    rules = hand.rules
    winners = {each.seat for each in hand.wins}
    drawn = win.by == "self_draw"
    feeder = bloom_feeder(hand, win)
    lines = []
    for seat in hand.others(win.seat):
        took = claims(hand, win.seat, seat) >= PARTNER_CLAIMS
        gave = claims(hand, seat, win.seat) >= PARTNER_CLAIMS
        if not took and not gave:
            continue
        if seat in winners and not rules.feeding_winner_pays:
            continue
        share = 1 if drawn or seat == win.source else 0
        extra = 2 if drawn else 1
        if took and gave:
            extra = 2 * extra if rules.feeding_mutual == "double_extra" else 2 * (share + extra) - share
        if rules.feeding_combine == "max":
            if win.by == "robbed" and seat == win.source:
                extra = max(0, share + extra - rules.robbed_multiplier)
            elif seat == feeder:
                extra = max(0, share + extra - (hand.players - 1))
        if extra:
            lines.append(Line(seat, win.seat, extra * its.points, "feeding", feeding_key(win, seat, winners, feeder)))
    return lines
