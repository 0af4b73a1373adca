"""Values of winning riichi hands, by the `mahjong` package: patterns and fu as Tenhou numbers them.

A well-kept library values every hand anew; the engine needs no package and takes its answer as a value.
"""

from typing import Final

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

from engine.formats.riichi import Act
from engine.formats.riichi_end import Winning, Worth

URA, DORA, RED = 53, 52, 54
NUMBERS: Final = {
    0: 0, 1: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 12: 7, 13: 8, 14: 9, 18: 10, 19: 11, 20: 12, 21: 13, 22: 14, 23: 15,
    24: 16, 25: 17, 15: 18, 16: 19, 17: 20, 8: 21, 34: 22, 28: 23, 27: 24, 26: 25, 33: 26, 32: 27, 30: 28, 31: 29,
    35: 30, 29: 31, 38: 32, 37: 33, 36: 34, 39: 35, 11: 36, 120: DORA, 122: URA, 121: RED,
}  # fmt: skip
"""Tenhou's number of each pattern by the package's."""
YAKUMAN: Final = {
    115: 37, 116: 38, 103: 39, 102: 40, 113: 41, 107: 42, 105: 43, 108: 44, 101: 45, 114: 46, 100: 47, 112: 48,
    111: 49, 104: 50, 106: 51,
}  # fmt: skip
LOW_NINE: Final = 28
"""An indicator that shows the nine of characters: the eight, in place of the one at a table of three."""
WEST: Final = 29
KINDS: Final = {"chow": Meld.CHI, "pung": Meld.PON, "direct_kong": Meld.KAN, "concealed_kong": Meld.KAN,
                "added_kong": Meld.SHOUMINKAN}  # fmt: skip


def score(hand: Winning) -> Worth:
    """Value a winning hand; an empty Worth where it has no pattern or is no winning shape.

    Tenhou counts each yakuman once, thirteen han as one, and lists the inside dora of every riichi hand, none too.
    At a table of three every north set aside is a dora, two where a west shows it.
    """
    options = OptionalRules(has_open_tanyao=hand.open_tanyao, has_aka_dora=hand.reds, has_double_yakuman=False)
    config = HandConfig(
        is_tsumo=hand.self_drawn,
        is_riichi=hand.riichi == 1,
        is_daburu_riichi=hand.riichi == 2,
        is_ippatsu=hand.ippatsu,
        is_rinshan=hand.replacement,
        is_chankan=hand.robbed,
        is_haitei=hand.last and hand.self_drawn,
        is_houtei=hand.last and not hand.self_drawn,
        is_tenhou=hand.first and hand.seat_wind == 0,
        is_chiihou=hand.first and hand.seat_wind != 0,
        player_wind=EAST + hand.seat_wind,
        round_wind=EAST + hand.round_wind,
        options=options,
    )
    melds = [_meld(meld) for meld in hand.melds]
    tiles = [*hand.tiles, *(tile for meld in hand.melds for tile in meld.tiles)]
    found = HandCalculator.estimate_hand_value(
        tiles, hand.tile, melds=melds, dora_indicators=_shown(hand, hand.dora), config=config,
        ura_dora_indicators=_shown(hand, hand.ura),
    )  # fmt: skip
    if found.error is not None or not found.yaku:
        return Worth((), 0)
    fu = found.fu or 0
    yakuman = tuple(sorted(YAKUMAN[each.yaku_id] for each in found.yaku if each.is_yakuman))
    if yakuman:
        return Worth((), fu, yakuman)
    listed = {NUMBERS[each.yaku_id]: each.han_open if found.is_open_hand else each.han_closed for each in found.yaku}
    if hand.norths:
        listed[DORA] = listed.get(DORA, 0) + hand.norths * (1 + _wests(hand.dora))
    if hand.riichi:
        listed[URA] = listed.get(URA, 0) + hand.norths * _wests(hand.ura)
    return Worth(tuple(sorted(listed.items())), fu)


def _shown(hand: Winning, indicators: tuple[int, ...]) -> tuple[int, ...]:
    """Return indicators as the package reads them: after the one of characters comes the nine, with three players."""
    if hand.seats == 4:
        return indicators
    return tuple(tile if tile >= 4 else LOW_NINE + tile for tile in indicators)


def _wests(indicators: tuple[int, ...]) -> int:
    return sum(tile // 4 == WEST for tile in indicators)


def _meld(act: Act) -> Meld:
    return Meld(KINDS[act.kind], act.tiles, opened=act.kind != "concealed_kong")
