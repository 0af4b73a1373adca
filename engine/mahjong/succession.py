"""What one hand leaves to the next: dealer, round wind, and what else carries over (`mahjong.md` 1.8, 2.7, 3.10).

The log tells dealer, round wind and, where rules count it, the dealer's streak; the rest (`ga`, `won`) replay derives.
"""

from collections.abc import Sequence

from engine.events import Body
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import Hand

WINDS = "ESWN"


def first(rules: MahjongRules) -> Body:
    """Return what the first hand starts with."""
    spot: Body = {"dealer": 0, "round_wind": "E"}
    if rules.counts_streak:
        spot["streak"] = 0
    if rules.ga:
        spot["ga"] = [0] * rules.players
    if rules.round_wind_mode == "all_won":
        spot["won"] = []
    return spot


def succeed(rules: MahjongRules, spot: Body, hand: Hand, first_dealer: int) -> Body:
    """Return what the next hand starts with."""
    winners = [win.seat for win in hand.wins]
    dealer = spot["dealer"]
    after = next_dealer(rules, dealer, winners)
    following = {**spot, "dealer": after}
    if rules.counts_streak:
        # A drawn hand counts by option; a new dealer has kept nothing yet (HN-27).
        kept = spot["streak"] + (bool(winners) or rules.streak_on_draw)
        following["streak"] = kept if after == dealer else 0
    if rules.ga:
        following["ga"] = list(hand.ga)
    if rules.round_wind_mode == "all_won":
        won = sorted({*spot["won"], *winners})
        passed = len(won) == rules.players
        following["won"] = [] if passed else won
    else:
        passed = after == first_dealer != dealer
    if passed:
        following["round_wind"] = WINDS[(WINDS.index(spot["round_wind"]) + 1) % 4]
    return following


def next_dealer(rules: MahjongRules, dealer: int, winners: Sequence[int]) -> int:
    """Return who deals next; `winners` in order after the discarder (LH-04, LH-05, DH-32, DH-33, HN-43).

    `first_winner_deals` speaks of several winners: after a single one the deal passes in turn (DH-32).
    """
    after = (dealer + 1) % rules.players
    if not winners:
        return dealer if rules.drawn_hand_dealer == "stay" else after
    if rules.multi_win_dealer == "first_winner_deals" and len(winners) > 1:
        return winners[0]
    if rules.multi_win_dealer != "any_win":
        winners = winners[:1]
    if dealer in winners:
        return dealer if rules.dealer_stays == "on_win" else after
    return winners[0] if rules.next_dealer == "winner" or rules.dealer == "winner_becomes_dealer" else after
