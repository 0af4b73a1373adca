"""What a seat may stake, and who can hold the bank (`cards.md`: bets, `push_bet`, `cap_by_balance`)."""

from engine.banker.rules import BankerRules


def can_bank(rules: BankerRules, score: int, players: int) -> bool:
    """Tell whether a score covers the bank: (n - 1) x highest multiplier x base [NN-E]."""
    return score >= (players - 1) * rules.scale.highest * rules.base


def amounts(rules: BankerRules, score: int | None, *, push: bool) -> tuple[int, ...]:
    """Return the bets that a seat may place, ascending, in points; never none.

    `score`: what caps them at score / highest multiplier, the base always allowed; None where nothing does.
    `push`: the seat won the last hand as non-banker and did not push in it.
    """
    own = {rules.base * factor for factor in rules.bets}
    if push and rules.push_bet != "off":
        own.add(rules.base * rules.push_bet)
    if score is not None:
        highest = rules.scale.highest
        own = {amount for amount in own if amount * highest <= score} | {rules.base}
    return tuple(sorted(own))


def is_push(rules: BankerRules, amount: int) -> bool:
    """Tell whether a bet is one that only a push allows."""
    return amount > rules.base and amount not in [rules.base * factor for factor in rules.bets]
