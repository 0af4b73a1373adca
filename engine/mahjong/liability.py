"""Payments with 包三家: who fed whom three times answers for the other's win (`mahjong.md` 1.7, 4.1).

The discarder pays a win on his tile, all three pay a self-draw, unless the liable pay instead.
"""

from engine.mahjong.state import Hand, Win
from engine.mahjong.worth import Score
from engine.settlement import Line


def bound(hand: Hand, winner: int) -> list[int]:
    """Return the seats that 包三家 binds to the winner, from the next seat on (1.7, LH-23, LH-24).

    A seat is bound where it took, or fed, at least `liability_threshold` chows, pungs and direct kongs.
    """
    rules = hand.rules
    found = []
    for seat in hand.others(winner):
        fed_winner = hand.fed[winner][seat] >= rules.liability_threshold
        took_from_winner = hand.fed[seat][winner] >= rules.liability_threshold
        if (rules.liability_direction != "claimer_pays" and fed_winner) or (
            rules.liability_direction != "feeder_pays" and took_from_winner
        ):
            found.append(seat)
    return found


def liable(hand: Hand, winner: int) -> list[int]:
    """Return the seats that pay for a win: all that are bound, or the one that was bound last (LH-25)."""
    rules = hand.rules
    found = bound(hand, winner)
    if len(found) > 1 and rules.liability_split == "last_established":
        for claimer, feeder in reversed(hand.established):
            # Only a direction that binds may say who came last.
            if claimer == winner and rules.liability_direction != "claimer_pays":
                return [feeder]
            if feeder == winner and rules.liability_direction != "feeder_pays":
                return [claimer]
    return found


def shared(payers: list[int], winner: int, total: int, reason: str, key: str) -> list[Line]:
    """Return equal parts of a total; a remainder goes point by point to the nearest in turn after the winner.

    With `base` 1 and a win of at least 1 tai every total of 1.7 divides; the remainder rule is needed only for
    options that make a share odd (`win_tai = absent`, an odd `base`), where the page is silent.
    """
    part, rest = divmod(total, len(payers))
    return [
        Line(payer, winner, part + (place < rest), reason, key)
        for place, payer in enumerate(payers)
        if part + (place < rest)
    ]


def on_discard(hand: Hand, win: Win, its: Score) -> list[Line]:
    """Let the discarder (or the robbed) pay each winner; the liable instead of him by option (LH-23)."""
    if win.by == "self_draw":
        return []
    key = "pay.robbed" if win.by == "robbed" else "pay.discard"
    if hand.rules.liability_on_discard == "liable_replaces":
        payers = liable(hand, win.seat)
        if payers and win.source not in payers:
            return shared(payers, win.seat, its.points, "liability", "pay.liability_on_discard")
    return [Line(win.source, win.seat, its.points, win.by, key)]


def on_self_draw(hand: Hand, win: Win, its: Score) -> list[Line]:
    """Let each other player pay; the liable pay the whole where there are any (1.7, LH-23, LH-25)."""
    if win.by != "self_draw":
        return []
    payers = liable(hand, win.seat)
    if payers:
        key = "pay.liability_split" if len(bound(hand, win.seat)) > 1 else "pay.liability"
        return shared(payers, win.seat, its.points * (hand.players - 1), "liability", key)
    return [Line(seat, win.seat, its.points, "self_draw", "pay.self_draw") for seat in hand.others(win.seat)]
