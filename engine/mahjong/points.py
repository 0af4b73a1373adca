"""From tai to points: powers of two, one more a tai, or published ladders (`mahjong.md` 2.6, LH-16, DH-09).

A ladder has one row for discards, robbed kongs and the drawn hand, one for what each payer of a self-draw pays.
"""

from engine.mahjong.rules import MahjongRules

Row = tuple[int, ...]

LADDERS: dict[str, tuple[Row, Row]] = {
    "qiqi10": ((6, 8, 10, 14, 20), (0, 4, 6, 8, 10)),
    "qiqi25": ((10, 15, 25, 30, 50), (0, 10, 15, 20, 25)),
    "qiqi50": ((30, 40, 50, 70, 100), (0, 20, 30, 40, 50)),
    "qiqi120": ((60, 70, 100, 140, 230), (0, 40, 50, 70, 120)),
}
"""Points for 0 to 4 tai by discard and by self-draw; a self-draw always has a tai (2.6, E5)."""


def share(rules: MahjongRules, tai: int, *, drawn: bool) -> int:
    """Return one share in points. `drawn`: a self-draw, whose row each payer pays."""
    if rules.tai_points == "pow2":
        return int(rules.base << tai)
    if rules.tai_points == "linear":
        return tai + 1
    if rules.tai_points == "custom":
        assert rules.points is not None
        row = rules.points_self_draw if drawn and rules.points_self_draw is not None else rules.points
        return row[tai]
    return LADDERS[rules.tai_points][drawn][tai]
