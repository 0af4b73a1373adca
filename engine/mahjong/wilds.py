"""Which kind is wild in a hand: fixed, drawn from the deal protocol, or told by a tile turned up (`mahjong.md` 3.1)."""

from engine.mahjong.rules import MahjongRules

SUIT_KINDS = tuple(range(27))
DRAGONS = (31, 32, 33)
WINDS = (27, 28, 29, 30)


def domain(rules: MahjongRules) -> tuple[int, ...]:
    """Return the kinds that may be wild, in the order of 0.1: those in play, or the suits alone (HN-09)."""
    if rules.wild_domain == "suits":
        return SUIT_KINDS
    return SUIT_KINDS + DRAGONS if rules.no_winds else SUIT_KINDS + WINDS + DRAGONS


def told_by(rules: MahjongRules, indicator: int) -> int:
    """Return the wild kind that a tile turned up tells: its own, or the next (9 to 1, N to E, P to C; HN-08)."""
    if rules.wild_indicator != "next_kind":
        return indicator
    for row in (*(SUIT_KINDS[first : first + 9] for first in (0, 9, 18)), WINDS, DRAGONS):
        if indicator in row:
            return row[(row.index(indicator) + 1) % len(row)]
    msg = f"kind {indicator} tells no wild"
    raise ValueError(msg)
