"""The settlement of a hand of a trick game: what it pays, and its outcome (events.md, `settled`)."""

from engine.events import Body
from engine.settlement import Line, settled
from engine.tricks import auction, levels, stakes
from engine.tricks.order import members, points_of
from engine.tricks.rules import AuctionRules, LevelRules
from engine.tricks.state import SEATS, Hand


def settle(hand: Hand) -> Body:
    """Return the body of `settled`. Law: the payments sum to zero (with `levels_only` trivially: nothing is paid)."""
    rules = hand.rules
    if hand.redealt:
        return settled(rules, [], [], SEATS)
    if isinstance(rules, AuctionRules):
        return _auction(hand, rules)
    assert isinstance(rules, LevelRules)
    its = level_result(hand, rules)
    winners = winning_side(hand, stayed=its.stayed)
    body = settled(rules, [], levels.lines(rules, winners, its.gain), SEATS)
    body["outcome"] = {"attacker_points": its.points, "declarers": list(winners), "levels": its.gain}
    return body


def _auction(hand: Hand, rules: AuctionRules) -> Body:
    if not hand.bid:
        return settled(rules, [], _passed(hand, rules), SEATS)
    declarer = hand.declarers[0]
    its = stakes.result(
        rules,
        hand.bid,
        100 - hand.points[declarer] - buried_points(hand),
        last_defender=hand.last != declarer,
        buried=buried_points(hand),
    )
    amount = stakes.stake(rules, hand.bid) * its.multiplier
    lines = stakes.lines(declarer, amount, made=its.made, key=its.key)
    body = settled(rules, [], lines, SEATS)
    body["outcome"] = {"defender_points": its.points, "made": its.made, "koudi": its.koudi}
    return body


def _passed(hand: Hand, rules: AuctionRules) -> list[Line]:
    """Return what all passes pay by the count of jokers and twos (`all_pass`), no card being played."""
    seat, count = auction.most_trumps(hand)
    wins = rules.all_pass == "most_common_trumps_wins"
    bid = auction.BIDS[0] if wins else auction.bid_worth(count)
    return stakes.lines(seat, stakes.stake(rules, bid), made=wins, key="bid.all_pass")


def buried_points(hand: Hand) -> int:
    """Return the card points of the buried cards."""
    return points_of(members(hand.buried))


def level_result(hand: Hand, rules: LevelRules) -> levels.Result:
    """Return what a finished hand of two teams comes to."""
    first, second = hand.declarers
    points = 100 - hand.points[first] - hand.points[second] - buried_points(hand)
    return levels.result(rules, points, last_attacker=hand.last not in hand.declarers, buried=buried_points(hand))


def winning_side(hand: Hand, *, stayed: bool) -> tuple[int, ...]:
    """Return the side that declares next."""
    return hand.declarers if stayed else tuple(seat for seat in range(SEATS) if seat not in hand.declarers)
