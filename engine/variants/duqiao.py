"""杜桥麻将 Duqiao mahjong: 144 tiles, hu and tai for winner and losers, at most 400.

Source: `duqiao.md`, whose page names each source with its grade: a client module and a server class for this very
game (DQ-C, DQ-S), siblings of the region (TZ-*), the operator's Linhai text (SEED), and choices of our own (H).

* 144 tiles, no wild tile [DQ-S]; the hand is drawn at 14 left [DQ-S], a drawn hand settles nothing [SEED, TZ-P]
* one winner a discard, the nearest [DQ-S, TZ-P]; eight flowers win in one's own turn [DQ-S]
* hu 2 to 32 a set, +4 a flower, base 30, 台 doubling, limit 400, 地胡 +200, up to the next ten [DQ-C]
* every other player pays the winner, halved between two non-dealers; losers settle their differences [TZ-P, TZ-OPT]
"""

from engine.mahjong.rules import MahjongRules

OFFERS: tuple[tuple[str, tuple[object, ...] | None], ...] = (
    ("tiles", (144,)),
    ("wall.dice", (2, 1)),
    ("wall.dice_inclusive", (True, False)),
    ("wall.count_direction", ("cw", "ccw")),
    ("wall.break_offset", (1, 0)),
    ("deal.order", ("ccw", "cw")),
    ("wall.tail_order", ("upper_first", "reverse")),
    ("initial_flower_order", ("rounds", "each_completes")),
    ("joker", ("none",)),
    ("multi_win", ("head_bump", "all")),
    ("kong_extends_dead_wall", (False, True)),
    ("dealer", ("stay_on_win_else_next", "winner_becomes_dealer")),
    ("base_hu", (30, 20, 10)),
    ("ron_triplet", ("exposed", "concealed")),
    ("round", ("ceil10", "half_up10", "none")),
    ("four_flowers_and_own", ("add", "replace")),
    ("win_payment", ("all_pay", "discarder_alone", "discarder_pays_three_shares")),
    ("dealer_factor", ("xian_half", "flat", "zhuang_double")),
    ("losers_settle", (True, False)),
    ("bao", ("none", "three_melds")),
    ("rob_kong", ("off", "as_discard")),
    ("earthly", ("dealer_first_discard", "first_draw", "both")),
    ("kong_after_claim", (False, True)),
    ("late_added_kong", (True, False)),
    ("timeout", ("pass",)),
)
"""Every option of `duqiao.md`, after those of the wall and before those of `mahjong.md` 4.0, which it shares."""

CLAUSES: tuple[tuple[str, str], ...] = (
    ("act.added_kong", "CM-02"),
    ("act.late_added_kong", "CM-02"),
    ("act.kong_after_claim", "CM-01"),
    ("act.win_needs_draw", "CM-04"),
)
"""Keys of the family that a point common to all games decides; every other key is `duqiao.<key>`."""

RULES = MahjongRules(
    id="duqiao",
    variant="duqiao",
    zh="杜桥麻将",
    en="Duqiao mahjong",
    offers=OFFERS,
    withheld=(
        ("joker", "white_fixed", "the sources conflict and give no rule for a joker's use"),
        ("joker", "flipped", "the sources conflict and give no rule for a joker's use"),
        ("bao", "taizhou_full", "its fresh tiles and dragons are defined for another game only"),
    ),
    clauses=CLAUSES,
    tiles=144,
    reserve=14,
    multi_win="head_bump",
    eight_flowers="instant",
    counting="hu",
    patterns=("own_wind", "dragons", "flush", "flowers"),
    half_flush_tai=1,
    full_flush_tai=3,
    flower_series="add2",
    earthly="dealer_first_discard",
    dealer="stay_on_win_else_next",
    payments=("shares",),
    hand_payments=("differences",),
)
