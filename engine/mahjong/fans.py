"""Fans: what opens a win on a discard where the rules ask for one (`mahjong.md` 3.7). None of them multiplies.

Each is a named function of the winner's side and of one form of his hand; rules list them by name. A hand has a fan
where some form of it has one, which need not be the form that pays best (HN-48, `fan_same_reading`).
"""

from collections.abc import Callable
from typing import NamedTuple

from engine.mahjong.forms import EAST, EYE, HONOURS, Form
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import Meld

FIRST_FLOWER = 34
DRAGON_BITS = 0b1110000
"""C, F and P among the bits of `Form.triplets`."""
ONE_SUIT = frozenset({1, 2, 4})


class Winner(NamedTuple):
    """What fans ask of the winner beside the form of his hand."""

    rules: MahjongRules
    place: int
    """Seat relative to the dealer: 0 is East (HN-34)."""
    round_wind: int
    melds: tuple[Meld, ...]
    flowers: tuple[int, ...]
    wilds: int
    """His own wild tiles: a won one that another seat played is none (3.4)."""


Fan = Callable[[Winner, Form], bool]


def wild_held(winner: Winner, form: Form) -> bool:
    """癞子: an own wild tile; by option only where one stands for another kind (HN-13)."""
    return winner.wilds > 0 and (winner.rules.wild_fan == "present" or form.posing)


def concealed(winner: Winner, form: Form) -> bool:
    """门清: nothing claimed; concealed kongs allowed by option (HN-30)."""
    assert form
    allowed = winner.rules.concealed_allows_kong
    return all(allowed and meld.kind == "concealed_kong" for meld in winner.melds)


def chows_only(winner: Winner, form: Form) -> bool:
    """只吃不碰: no triplet or kong; the pair is no dragon and not the own wind."""
    if form.shape != "standard" or form.pungs:
        return False
    return form.pair < EAST + 4 and not (form.pair == EAST + winner.place and not winner.rules.no_winds)


def eye(winner: Winner, form: Form) -> bool:
    """有眼: the pair is a 2, 5 or 8."""
    assert winner
    return form.shape == "standard" and form.pair == EYE


def dragon(winner: Winner, form: Form) -> bool:
    """箭刻: C, F or P as pung or kong (HN-31)."""
    assert winner
    return bool(form.triplets & DRAGON_BITS)


def own_wind(winner: Winner, form: Form) -> bool:
    """风刻: the own wind as pung or kong, counted from the dealer (HN-34); none without winds (HN-42)."""
    return not winner.rules.no_winds and bool(form.triplets >> winner.place & 1)


def round_wind(winner: Winner, form: Form) -> bool:
    """令牌: the round's wind as pung or kong, where the option is on (HN-33)."""
    rules = winner.rules
    return rules.round_wind_fan and not rules.no_winds and bool(form.triplets >> (winner.round_wind - EAST) & 1)


def half_flush(winner: Winner, form: Form) -> bool:
    """混一色: one suit and honours, where the option is on (HN-33)."""
    return winner.rules.half_flush_fan and bool(form.suits & HONOURS) and form.suits - HONOURS in ONE_SUIT


def own_flower(winner: Winner, form: Form) -> bool:
    """翻花对位: a flower of the own number, f(1+r) or f(5+r)."""
    assert form
    own = (FIRST_FLOWER + winner.place, FIRST_FLOWER + 4 + winner.place)
    return any(flower in own for flower in winner.flowers)


def kong(winner: Winner, form: Form) -> bool:
    """杠: an own kong, where the option makes it a fan (HN-32)."""
    assert form
    return winner.rules.kong_is_fan and any(meld.is_kong for meld in winner.melds)


def pattern(winner: Winner, form: Form) -> bool:
    """牌型: 碰碰胡, 清一色, 七对, 豪华七对, 十三幺 themselves."""
    assert winner
    return form.shape != "standard" or form.suits in ONE_SUIT or (form.pungs and not form.chows)


FANS: dict[str, Fan] = {
    "wild_held": wild_held,
    "chows_only": chows_only,
    "concealed": concealed,
    "eye": eye,
    "dragon": dragon,
    "own_wind": own_wind,
    "round_wind": round_wind,
    "half_flush": half_flush,
    "own_flower": own_flower,
    "kong": kong,
    "pattern": pattern,
}
"""Every fan by the name that rules list."""
