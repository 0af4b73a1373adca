"""Patterns: what a winning hand is worth, each a named function that a variant lists (`mahjong.md` 1.6, 4.1).

A pattern sees the whole hand (concealed tiles with the winning one, melds, flowers) and returns its tai, 0 where it
does not apply. Honours never form runs, so three or more of one are a triplet in every reading of the hand.
"""

from collections.abc import Callable
from dataclasses import dataclass

from engine.cards import KINDS
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import Meld, Win

EAST, RED, GREEN, WHITE = 27, 31, 32, 33
DRAGONS = (RED, GREEN, WHITE)
FIRST_FLOWER = 34


@dataclass(frozen=True, slots=True)
class Whole:
    """A winning hand as patterns see it. `counts`: every tile of it by kind, melds included."""

    rules: MahjongRules
    win: Win
    melds: tuple[Meld, ...]
    flowers: tuple[int, ...]
    counts: tuple[int, ...]
    place: int
    """Seat relative to the dealer: 0 is East."""
    round_wind: int
    suits: int
    """How many suits occur."""
    honours: bool

    @property
    def own_wind(self) -> int:
        """Return the kind of the seat's wind."""
        return EAST + self.place

    @property
    def occasion(self) -> str:
        """Return what the win happened on as these rules see it; "" where they see nothing (DH-07, DH-24)."""
        word = self.win.occasion
        if word == "heavenly" and self.flowers and not self.rules.heavenly_after_flowers:
            return "flower_bloom"
        if word == "earthly":
            way = "first_draw" if self.win.by == "self_draw" else "dealer_first_discard"
            return word if way in self.rules.earthly_ways else ""
        return word

    def triplet(self, honour: int) -> bool:
        """Tell whether an honour stands as pung or kong."""
        return self.counts[honour] >= 3


Found = list[tuple[str, int]]
"""Pattern ids with their tai."""
Pattern = Callable[[Whole], Found]


def own_wind(hand: Whole) -> Found:
    """门风: pung or kong of the own wind; a pair too by option (LH-21)."""
    least = 2 if hand.rules.own_wind_set == "triplet_or_pair" else 3
    tai = hand.rules.seat_wind_tai
    return [("own_wind", tai)] if tai and hand.counts[hand.own_wind] >= least else []


def dragons(hand: Whole) -> Found:
    """箭牌: one for each pung or kong of C, F, P."""
    return [(f"dragon.{KINDS[kind]}", 1) for kind in DRAGONS if hand.triplet(kind)]


def is_full_flush(hand: Whole) -> bool:
    """Tell 清一色: one suit, and no honour but those the option allows (LH-17)."""
    if hand.suits != 1:
        return False
    allowed: tuple[int, ...] = ()
    if hand.rules.full_flush_honours != "none":
        allowed = (hand.own_wind,)
    if hand.rules.full_flush_honours == "own_wind+dragons":
        allowed += DRAGONS
    return all(kind in allowed for kind in range(EAST, FIRST_FLOWER) if hand.counts[kind])


def flush(hand: Whole) -> Found:
    """清一色, else 混一色, as many tai as the rules say; honours alone as either by option (LH-17 to LH-19, DH-39).

    With every value of `full_flush_honours` a suit without honours is a full flush, which excludes the half flush:
    `half_flush_needs_honour = false` therefore changes no hand of this table.
    """
    rules = hand.rules
    if is_full_flush(hand):
        return [("full_flush", rules.full_flush_tai)]
    if hand.suits == 1 and (hand.honours or not rules.half_flush_needs_honour):
        return [("half_flush", rules.half_flush_tai)]
    if hand.suits == 0 and rules.all_honours != "none":
        as_full = rules.all_honours == "as_full_flush"
        return [("full_flush", rules.full_flush_tai) if as_full else ("half_flush", rules.half_flush_tai)]
    return []


def three_dragons(hand: Whole) -> Found:
    """大三元: pungs or kongs of C, F and P; listed beside its three dragons (LH-20)."""
    return [("three_dragons", 3)] if all(hand.triplet(kind) for kind in DRAGONS) else []


def round_wind(hand: Whole) -> Found:
    """圈风: pung or kong of the round wind, where the option scores it (LH-22)."""
    tai = hand.rules.round_wind_tai
    return [("round_wind", tai)] if tai and hand.triplet(hand.round_wind) else []


def own_flower(hand: Whole) -> Found:
    """正花: one for each own flower, where the option scores it (LH-02)."""
    if hand.rules.flower_tai == 0:
        return []
    own = (FIRST_FLOWER + hand.place, FIRST_FLOWER + 4 + hand.place)
    count = sum(flower in own for flower in hand.flowers)
    return [("own_flower", count)] if count else []


def occasion(hand: Whole) -> Found:
    """杠上开花, 海底 and the like, worth what `extra_tai` says (LH-27)."""
    extra: dict[str, int] = dict(hand.rules.extra_tai.items())
    words = [hand.occasion] if hand.occasion else []
    if hand.win.by == "robbed":
        words.append("robbed")
    return [(word, extra[word]) for word in words if word in extra]


def earthly(hand: Whole) -> Found:
    """地胡: a non-dealer's first draw, or the dealer's first discard, nobody having claimed (DH-23, DH-24)."""
    return [("earthly", hand.rules.earthly_tai)] if hand.occasion == "earthly" else []


def self_draw(hand: Whole) -> Found:
    """自摸: one, but not beside a win on a replacement (2.5 rows 5, 12); a robbed kong by option (DH-20)."""
    if hand.win.by == "robbed":
        return [("self_draw", 1)] if hand.rules.robbed_as_self_draw else []
    drawn = hand.win.by == "self_draw" and hand.occasion not in {"kong_bloom", "flower_bloom"}
    return [("self_draw", 1)] if drawn else []


def last_tile(hand: Whole) -> Found:
    """Score a self-drawn win with the last tile of the wall, where the option scores it (DH-22)."""
    tai = hand.rules.last_tile_self_draw_tai
    return [("last_tile", tai)] if tai and hand.win.last and hand.win.by == "self_draw" else []


def own_flowers(rules: MahjongRules, place: int) -> tuple[int, int]:
    """Return the two flowers of a seat: number 1 + place of each series (DH-12, `flower.order`)."""
    second = place
    if rules.flower_order == "mei_lan_zhu_ju" and place >= 2:
        second = 5 - place
    return FIRST_FLOWER + place, FIRST_FLOWER + 4 + second


def flowers(hand: Whole) -> Found:
    """正花 and 四花: own flowers, and more for a whole series (DH-11, DH-13).

    A series counts one on top of its own flower (total2), two on top (add2), or two instead of it (replace2). With
    `eight_flowers = tai_only` all eight count `eight_flowers_tai` instead (DH-14).
    """
    rules = hand.rules
    if rules.eight_flowers == "tai_only" and len(hand.flowers) == 8:
        return [("eight_flowers", rules.eight_flowers_tai)]
    own = [flower for flower in own_flowers(rules, hand.place) if flower in hand.flowers]
    series = [
        first
        for first in (FIRST_FLOWER, FIRST_FLOWER + 4)
        if all(flower in hand.flowers for flower in range(first, first + 4))
    ]
    mode = "replace2" if rules.four_flowers_and_own == "replace" else rules.flower_series
    if mode == "replace2":
        own = [flower for flower in own if not any(first <= flower < first + 4 for first in series)]
    found: Found = []
    if own:
        found.append(("own_flower", 1 if rules.own_flower == "once" else len(own)))
    if series:
        found.append(("flower_series", len(series) * (1 if mode == "total2" else 2)))
    return found


PATTERNS: dict[str, Pattern] = {
    "own_wind": own_wind,
    "dragons": dragons,
    "flush": flush,
    "three_dragons": three_dragons,
    "round_wind": round_wind,
    "own_flower": own_flower,
    "occasion": occasion,
    "earthly": earthly,
    "self_draw": self_draw,
    "last_tile": last_tile,
    "flowers": flowers,
}
"""Every pattern by the name that rules list."""
