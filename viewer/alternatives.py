"""The same hand under other options: what it would have paid, one option changed at a time.

The play stays as it was; only the settlement is done anew, so options that decide what may be played, dealt or drawn
are left out. Whether the win itself would have been allowed is not asked.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from engine import replay
from engine.errors import RulesError
from engine.mahjong.rules import MahjongRules
from engine.mahjong.settle import settle
from engine.mahjong.state import Hand
from engine.replay import Replay

OF_PLAY: Final = frozenset(
    {
        "tiles", "players", "wild", "deal.order", "no_winds", "no_chow", "ga", "ga_free", "ga_mode", "timeout",
        "last_discard_claims", "rob_kong", "false_win", "swap_ban", "pass_pung_lock", "pass_win_lock", "flower_first",
        "kong_after_claim", "late_added_kong", "wild_claims", "wild_discard", "wild_kong", "wild_domain", "multi_win",
        "wild_indicator", "replacement_from", "three_player_chow", "next_dealer", "dealer_stays", "flower_win",
        "flower_win_mode", "flowers_on_draw", "settle_drawn_hand", "fan_required", "fan_scope", "min_tai",
    }
)  # fmt: skip
"""Options that change what may happen in a hand, not what it pays."""
OF_PLAY_PREFIXES: Final = ("wall.", "reserve", "last_tiles")
NUMBERS: Final = {"liability_threshold": (2, 3, 4), "cap_tai": (2, 4, 6, 8), "cap": (8, 12, 16)}
"""Values to try for options that take any number."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One option changed, and what the hand would have paid each seat."""

    option: str
    value: Any
    payments: tuple[int, ...]


def before_settlement(lines: Sequence[bytes], hand: int) -> Hand | None:
    """Return the state of a won mahjong hand right before it is settled; None for any other."""
    result = Replay()
    found: Hand | None = None
    for game, record in replay.steps(lines, result):
        if game.phase == "hand" and game.hand_number == hand and isinstance(game.hand, Hand):
            if record["type"] == "won":
                found = deepcopy(game.hand)
            elif record["type"] == "settled":
                return found
    return None


def changes(rules: MahjongRules) -> Iterator[tuple[str, Any]]:
    """Yield each option of the rules that bears on money, with every other value it may have."""
    now = rules.options()
    for name, allowed in rules.offers:
        if name in OF_PLAY or name.startswith(OF_PLAY_PREFIXES):
            continue
        for value in allowed if allowed is not None else NUMBERS.get(name, ()):
            if value != now.get(name):
                yield name, value


def alternatives(hand: Hand) -> tuple[tuple[int, ...], list[Alternative]]:
    """Return what the hand pays as played, and every single option that would have changed it."""
    paid = tuple(settle(hand).body["payments"])
    found = []
    for name, value in changes(hand.rules):
        try:
            rules = hand.rules.but({name: value})
        except RulesError:
            continue  # the option does not go with the others
        other = deepcopy(hand)
        other.rules = rules
        payments = tuple(settle(other).body["payments"])
        if payments != paid:
            found.append(Alternative(name, value, payments))
    return paid, found
