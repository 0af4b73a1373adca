"""Payments by edges: what each pair of seats is worth to each other, times the win (`mahjong.md` 3.9).

    P(a,b) = 1 + dealer bonus + streak + ga of both         A(l) = P(w,l) x type x way, +1 from whoever fed the tile

Every other seat pays, unless the one who fed the tile pays for all. Kongs and flowers are paid once a hand, by edges
too, those of losers as well.
"""

from engine.mahjong.multiplier import FLOWERS_WIN, reading_of, series
from engine.mahjong.state import Hand, Win
from engine.mahjong.worth import Score
from engine.settlement import Line

KONG_VALUES = {"direct_kong": 1, "added_kong": 1, "concealed_kong": 2}
"""f of 3.9."""


def edge(hand: Hand, payee: int, payer: int) -> int:
    """Return P: 1, and what dealer, streak and ga add to it (3.9; HN-03, HN-27, HN-28).

    `streak_symmetric` decides on edges with the dealer, `streak_edges` on those between the others. Where it is false
    and all, only an edge that the dealer pays is without the streak. (4.4 words false as "n only on edges the dealer
    collects", which would leave `all` nothing to say; HN-27 names its scope, "every edge with D".)
    """
    rules = hand.rules
    with_dealer = hand.dealer in {payee, payer}
    worth = 1 + (rules.dealer_bonus and with_dealer)
    if rules.streak_bonus:
        counts = rules.streak_symmetric or payee == hand.dealer if with_dealer else rules.streak_edges == "all"
        worth += hand.streak * counts
    if rules.ga:
        worth += hand.ga[payee] + hand.ga[payer]
    return worth


def scaled(hand: Hand, payee: int, payer: int, factor: int) -> int:
    """Return what one edge pays for a factor: P times it, or P - 1 beside it by option (HN-03, `adders_scaled`)."""
    worth = edge(hand, payee, payer)
    return worth * factor if hand.rules.adders_scaled else factor + worth - 1


def pays_for_all(hand: Hand, win: Win) -> tuple[str, str] | None:
    """Return reason and clause key where whoever fed the tile pays for all; None where everybody pays (3.9)."""
    rules = hand.rules
    if win.by == "self_draw":
        return None
    if rules.discarder_pays_all:
        return "pays_for_all", "pay.discarder_all"
    # The tiles left when the tile was played are those left now: nothing has been drawn since (HN-21).
    window = rules.reserve + hand.players - (rules.last_tiles_window == "remaining_14_plus_n")
    if rules.last_tiles_liability and hand.wall.left <= window:
        return "last_tiles", "pay.last_tiles"
    if win.by == "robbed" and robbed_pays_for_all(hand, win):
        return "robbed_without_fan", "pay.robbed_without_fan"
    return None


def robbed_pays_for_all(hand: Hand, win: Win) -> bool:
    """Tell whether a robbed hand without a fan makes the robbed seat pay for all (HN-07)."""
    rules = hand.rules
    applies = {"if_fan_required": rules.fan_required, "always": True, "if_not": not rules.fan_required}
    if not applies[rules.robbed_without_fan]:
        return False
    _, fans = reading_of(hand, win)
    return not fans


def win_by_edges(hand: Hand, win: Win, its: Score) -> list[Line]:
    """Let every other seat pay its edge, or whoever fed the tile the sum of all; he adds one point (3.9; HN-02)."""
    winner = win.seat
    if win.occasion == FLOWERS_WIN:
        return [
            Line(seat, winner, scaled(hand, winner, seat, its.worth), "flowers", "flower.win")
            for seat in hand.others(winner)
        ]
    shares = [(seat, scaled(hand, winner, seat, its.worth)) for seat in hand.others(winner)]
    if win.by == "self_draw":
        return [Line(seat, winner, share, "self_draw", "pay.self_draw") for seat, share in shares]
    key = "pay.robbed" if win.by == "robbed" else "pay.discard"
    alone = pays_for_all(hand, win)
    if alone is not None:
        reason, its_key = alone
        lines = [Line(win.source, winner, sum(share for _, share in shares), reason, its_key)]
    else:
        paying = [win.source] if hand.rules.discard_payment == "discarder_only" else hand.others(winner)
        lines = [Line(seat, winner, share, win.by, key) for seat, share in shares if seat in paying]
    lines.append(Line(win.source, winner, 1, "discarder", "pay.discarder"))
    return lines


def settles(hand: Hand) -> bool:
    """Tell whether kongs are paid: the hand has a winner, or a drawn one counts by option (3.9)."""
    return bool(hand.wins) or hand.rules.settle_drawn_hand


def kongs_by_edges(hand: Hand, winners: list[tuple[Win, Score]]) -> list[Line]:
    """Let every seat collect its kongs from each other one; a direct kong from who fed it alone by option (3.9)."""
    assert len(winners) == len(hand.wins)
    if not settles(hand):
        return []
    lines = []
    for seat, side in enumerate(hand.sides):
        for meld in side.melds:
            if not meld.is_kong:
                continue
            shares = [(payer, scaled(hand, seat, payer, KONG_VALUES[meld.kind])) for payer in hand.others(seat)]
            if meld.kind == "direct_kong" and hand.rules.discarder_pays_all:
                total = sum(share for _, share in shares)
                lines.append(Line(meld.source, seat, total, meld.kind, "pay.kong_discarder_all"))
            else:
                lines += [Line(payer, seat, share, meld.kind, "pay.kong") for payer, share in shares]
    return lines


def flowers_by_edges(hand: Hand, winners: list[tuple[Win, Score]]) -> list[Line]:
    """Let every seat collect its full series or seven flowers from each other one, where they do not end the hand."""
    assert len(winners) == len(hand.wins)
    rules = hand.rules
    if rules.flower_win_mode != "side" or not (settles(hand) or rules.flowers_on_draw == "always"):
        return []
    lines = []
    for seat, side in enumerate(hand.sides):
        factor = series(rules, side.flowers)
        if factor:
            lines += [
                Line(payer, seat, scaled(hand, seat, payer, factor), "flower", "pay.flower")
                for payer in hand.others(seat)
            ]
    return lines
