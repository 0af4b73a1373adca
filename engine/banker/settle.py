"""What a hand of Niuniu pays: each player against the banker, or all with all (通比); escapes (`cards.md`)."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.banker.hand import Value, compare
from engine.banker.rules import BankerRules
from engine.banker.state import SEEN, Hand
from engine.events import Body
from engine.settlement import Line, settled

ESCAPE_ONCE_DEALT: Final = 5
"""Times the stake that an escape costs once cards are dealt [NN-Z]."""
ESCAPED: Final = "escaped"


def settle(hand: Hand) -> Body:
    """Return the body of `settled`: no winners in card games, lines by player from the banker on.

    A line's `reason` is the type that wins, whose multiplier it pays, or `escaped`. Law: payments sum to zero.
    """
    rules = hand.rules
    if rules.banker == "none":
        lines = among_all(rules, hand.values, rules.base)
    else:
        lines = escapes(hand)
        if not hand.fled:
            compared = {seat: bet for seat, bet in hand.bets.items() if seat not in hand.escaped}
            lines += against_banker(rules, hand.values, hand.banker, compared, hand.bid)
    return settled(rules, [], lines, hand.players)


def factor(rules: BankerRules, bid: int) -> int:
    """Return what the winning bid multiplies every payment by; a bank that nobody bid for counts as 1."""
    return max(bid, 1) if rules.bid_multiplies else 1


def against_banker(
    rules: BankerRules, values: Sequence[Value], banker: int, bets: Mapping[int, int], bid: int
) -> list[Line]:
    """Return the lines of each bet against the banker: bet x bid x multiplier of the winning hand.

    `values` by seat; `bets` in points by seat.
    """
    times = factor(rules, bid)
    bank = values[banker]
    lines = []
    for step in range(1, len(values)):
        seat = (banker + step) % len(values)
        if seat not in bets:
            continue
        result = compare(bank, values[seat], rules.tie)
        stake = bets[seat] * times
        if result > 0:
            tied = rules.tie == "banker_wins" and bank.level == values[seat].level and bank.kind != "bomb"
            lines.append(Line(seat, banker, stake * bank.multiplier, bank.kind, "pay.tie" if tied else "pay.banker"))
        elif result < 0:
            lines.append(Line(banker, seat, stake * values[seat].multiplier, values[seat].kind, "pay.player"))
    return lines


def among_all(rules: BankerRules, values: Sequence[Value], stake: int) -> list[Line]:
    """Return the lines of 通比: the best hand takes from everybody, or each pair settles (`tongbi`).

    Equal types are always split by the highest card, then suit, whatever `tie` says.
    """
    order = sorted(range(len(values)), key=lambda seat: values[seat].best, reverse=True)
    winners = order[:1] if rules.tongbi == "winner_takes_all" else order
    key = "pay.best" if rules.tongbi == "winner_takes_all" else "pay.pair"
    return [
        Line(loser, winner, stake * values[winner].multiplier, values[winner].kind, key)
        for place, winner in enumerate(winners)
        for loser in order[place + 1 :]
    ]


def escapes(hand: Hand) -> list[Line]:
    """Return the lines of escapes: a player's stake to the banker, each stake so far from a banker.

    Five times once cards are dealt, and times the winning bid, which multiplies every payment. A player who had
    escaped before the banker did gets nothing back.
    """
    # Escapes come before the last bet, and cards before the bets only where they are seen first.
    dealt = hand.rules.banker in SEEN
    times = factor(hand.rules, hand.bid) * (ESCAPE_ONCE_DEALT if dealt else 1)
    banker = hand.banker
    lines = [
        Line(seat, banker, hand.bets[seat] * times, ESCAPED, "escape.player") for seat in hand.escaped if seat != banker
    ]
    if hand.fled:
        lines += [
            Line(banker, seat, bet * times, ESCAPED, "escape.banker")
            for seat, bet in sorted(hand.bets.items())
            if seat not in hand.escaped
        ]
    return lines
