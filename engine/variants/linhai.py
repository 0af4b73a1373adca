"""临海麻将 Linhai mahjong, of 136 tiles, or 144 with flowers.

Sources: the rule texts of the operator, `rules/sources` 000 and 001 (the Linhai part is the same in both), read as
`mahjong.md` 1; every doubtful point with its default and reason there in 4.1 (LH-01 to LH-33) and 4.0 (CM).

* reserve 14 + K: "本来14张…杠了1张则向前补两张这时15张为黄牌" [001:30], LH-11, LH-12
* tai 1 to 3, points 2, 4, 8: "2台得4, 3台得8, 最高8", LH-15, LH-16
* liability at three claims: 包三家 [000:195,269], LH-23 to LH-25
* wins off a discard are paid by the discarder [000:213]; self-draws by all three
"""

from engine.mahjong.rules import MahjongRules

OFFERS: tuple[tuple[str, tuple[object, ...] | None], ...] = (
    ("tiles", (136, 144)),
    ("wall.dice", (2, 1)),
    ("wall.dice_inclusive", (True, False)),
    ("wall.count_direction", ("cw", "ccw")),
    ("wall.break_offset", (1, 0)),
    ("deal.order", ("ccw", "cw")),
    ("wall.tail_order", ("upper_first", "reverse")),
    ("reserve", (14, 0)),
    ("reserve_per_kong", (1, 0, 2)),
    ("reserve_per_flower", (False, True)),
    ("last_discard_claims", ("all_but_kong", "win_only")),
    ("dealer_stays", ("on_win", "never")),
    ("multi_win_dealer", ("any_win", "first_winner")),
    ("win_tai", ("additive", "only_if_none", "absent")),
    ("cap_tai", None),
    ("full_flush_honours", ("own_wind", "none", "own_wind+dragons")),
    ("half_flush_needs_honour", (True, False)),
    ("all_honours", ("none", "as_half_flush", "as_full_flush")),
    ("own_wind_set", ("triplet", "triplet_or_pair")),
    ("round_wind_tai", (0, 1)),
    ("liability_direction", ("mutual", "claimer_pays", "feeder_pays")),
    ("liability_on_discard", ("discarder_own", "liable_replaces")),
    ("liability_threshold", None),
    ("liability_split", ("equal", "last_established")),
    ("liability_counts_added_kong", (False, True)),
    ("rob_kong", ("off", "as_discard")),
    ("flower_tai", (0, "own_1")),
    ("min_tai", (0, 1, 2, 3)),
    ("wild", ("none",)),
    ("multi_win", ("all", "first")),
    ("base", None),
    ("arrow_is_wind", (False,)),
    ("extra_tai", None),
    ("concealed_kong_open", (True, False)),
    ("false_win", ("reject",)),
    ("swap_ban", ("off", "dinghai")),
    ("pass_pung_lock", ("off", "dinghai")),
    ("pass_win_lock", ("off", "dinghai")),
    ("kong_after_claim", (False, True)),
    ("late_added_kong", (True, False)),
    ("timeout", ("pass",)),
)
"""Every option of `mahjong.md` 4.0 and 4.1 in the order of its appendix, with the values an operator may tick."""

CLAUSES: tuple[tuple[str, str], ...] = (
    ("act.added_kong", "CM-02"),
    ("act.late_added_kong", "CM-02"),
    ("act.kong_after_claim", "CM-01"),
    ("act.win_needs_draw", "CM-04"),
    ("lock.swap", "LH-32"),
    ("lock.pung", "LH-32"),
    ("lock.win", "LH-32"),
    ("min_tai", "LH-30"),
    ("claims.last_discard", "LH-14"),
    ("claims.robbing", "LH-26"),
    ("wall.reserve", "LH-12"),
    ("wall.tail", "LH-10"),
    ("wall.deal", "LH-09"),
    ("tai.win", "LH-15"),
    ("tai.own_wind", "LH-21"),
    ("tai.full_flush", "LH-17"),
    ("tai.half_flush", "LH-18"),
    ("tai.three_dragons", "LH-20"),
    ("tai.round_wind", "LH-22"),
    ("tai.own_flower", "LH-02"),
    ("tai.points", "LH-16"),
    ("tai.kong_bloom", "LH-27"),
    ("tai.flower_bloom", "LH-27"),
    ("tai.last_discard", "LH-27"),
    ("tai.heavenly", "LH-27"),
    ("tai.earthly", "LH-27"),
    ("tai.robbed", "LH-27"),
    ("pay.robbed", "LH-26"),
    ("pay.liability", "LH-23"),
    ("pay.liability_split", "LH-25"),
    ("pay.liability_on_discard", "LH-23"),
    ("dealer.next", "LH-04"),
)
"""Keys of the family that a doubtful point of 4.1 decides; every other key is `linhai.<key>`."""

RULES = MahjongRules(
    id="linhai",
    variant="linhai",
    zh="临海麻将",
    en="Linhai mahjong",
    offers=OFFERS,
    withheld=(
        ("arrow_is_wind", True, "read literally it contradicts the patterns of own wind and dragons (LH-03)"),
        ("false_win", "forfeit", "no amount is known (LH-31)"),
    ),
    clauses=CLAUSES,
    tiles=136,
    reserve=14,
    reserve_per_kong=1,
    patterns=("own_wind", "dragons", "flush", "three_dragons", "round_wind", "own_flower", "occasion"),
    payments=("discard", "self_draw"),
    win_tai="additive",
    cap_tai=3,
    full_flush_honours="own_wind",
)

RULES_144 = RULES.preset(
    "linhai.144",
    zh="临海麻将（144张）",
    en="Linhai mahjong with flowers",
    options={"tiles": 144},
)
