"""定海麻将 Dinghai mahjong: 144 tiles, points 2 to the tai, or one of the published ladders.

Source: the operator's rule text, `rules/sources` 002, read as `mahjong.md` 2; every doubtful point with its default
and reason there in 4.2 (DH-01 to DH-41) and 4.0 (CM).

* 144 tiles, no wilds: "没有财神" [002:5], DH-01; the wall is played to its end [002:55-57]
* flowers in rounds, one pass a seat: "需在其他玩家都杠完一圈的情况下才能再杠" [002:7], DH-06
* 20 patterns, at most 4 tai: "台数超过 4 台，仍按 4 台计算" [002:77], DH-27
* a robbed kong pays five times [002:113], the feeder of a bloomed kong for three [002:109], 三吃三碰 [002:59-69]
* the tai have no amounts in the text: powers of two (DH-09); the ladders are those of a published server (E5)
* 30 s for a discard [002:9], 3 s for a pung [002:13]: matters of the client, no rule of the game (2.3)
"""

from engine.mahjong.rules import MahjongRules

OFFERS: tuple[tuple[str, tuple[object, ...] | None], ...] = (
    ("tiles", (144,)),
    ("wall.dice", (2, 1)),
    ("wall.break_offset", (1, 0)),
    ("wall.tail_order", ("upper_first", "reverse")),
    ("flower.order", ("mei_lan_ju_zhu", "mei_lan_zhu_ju")),
    ("initial_flower_order", ("rounds", "each_completes")),
    ("tai_points", ("pow2", "linear", "qiqi10", "qiqi25", "qiqi50", "qiqi120", "custom")),
    ("points", None),
    ("points_self_draw", None),
    ("min_tai", (0, 1)),
    ("cap_tai", None),
    ("own_flower", ("per_tile", "once")),
    ("flower_series", ("total2", "add2", "replace2")),
    ("eight_flowers", ("instant", "tai_only")),
    ("eight_flowers_tai", None),
    ("duidao_on_self_draw", (False, True)),
    ("wait_must_be_single", (False, True)),
    ("pair_wait_self_draw", ("incl", "excl")),
    ("all_chows_tai", None),
    ("all_chows_mode", ("additive", "only_if_zero")),
    ("last_tile_self_draw_tai", (0, 4)),
    ("earthly_tai", (1, 4)),
    ("earthly_mode", ("first_draw", "dealer_first_discard", "both")),
    ("seat_wind_tai", (1, 0)),
    ("kong_bloom_liability", ("direct", "direct+added")),
    ("robbed_multiplier", None),
    ("robbed_as_self_draw", (False, True)),
    ("feeding_mode", ("mixed", "same_kind")),
    ("feeding_mutual", ("double_partner", "double_extra")),
    ("feeding_winner_pays", (True, False)),
    ("feeding_combine", ("add", "max")),
    ("multi_win_dealer", ("record", "first_winner_deals")),
    ("drawn_hand_dealer", ("stay", "pass")),
    ("drawn_hand_payment", ("U0", 0)),
    ("lock_reset", ("draw", "turn")),
    ("pass_win_lock", ("all", "same_tile", "off")),
    ("pass_pung_lock", ("dinghai", "off")),
    ("swap_ban", ("chow", "none", "chow+peng")),
    ("last_flower", ("draw", "discard_on")),
    ("multi_win", ("all", "first")),
    ("all_honours", ("none", "as_half_flush")),
    ("kong_bloom_through_flower", (True, False)),
    ("heavenly_after_flowers", (True, False)),
    ("kong_after_claim", (False, True)),
    ("late_added_kong", (True, False)),
    ("timeout", ("pass",)),
)
"""Every option of `mahjong.md` 4.0 and 4.2 in the order of its appendix, with the values an operator may tick.

`points` and `points_self_draw` belong to `tai_points = custom` (4.4) and are absent elsewhere.
"""

CLAUSES: tuple[tuple[str, str], ...] = (
    ("act.added_kong", "CM-02"),
    ("act.late_added_kong", "CM-02"),
    ("act.kong_after_claim", "CM-01"),
    ("act.win_needs_draw", "CM-04"),
    ("act.eight_flowers", "DH-14"),
    ("lock.swap", "DH-37"),
    ("lock.pung", "DH-35"),
    ("lock.win", "DH-36"),
    ("min_tai", "DH-10"),
    ("claims.last_discard", "DH-38"),
    ("flower.expose", "DH-06"),
    ("flower.no_replacement", "DH-08"),
    ("wall.dice", "DH-02"),
    ("wall.deal", "DH-05"),
    ("tai.own_wind", "DH-25"),
    ("tai.own_flower", "DH-11"),
    ("tai.flower_series", "DH-13"),
    ("tai.eight_flowers", "DH-14"),
    ("tai.duidao", "DH-15"),
    ("tai.closed_wait", "DH-16"),
    ("tai.edge_wait", "DH-16"),
    ("tai.pair_wait", "DH-17"),
    ("tai.kong_bloom", "DH-18"),
    ("tai.flower_bloom", "DH-18"),
    ("tai.all_chows", "DH-21"),
    ("tai.last_discard", "DH-22"),
    ("tai.last_tile", "DH-22"),
    ("tai.heavenly", "DH-07"),
    ("tai.earthly", "DH-24"),
    ("tai.cap", "DH-27"),
    ("tai.points", "DH-09"),
    ("pay.kong_bloom", "DH-19"),
    ("pay.kong_bloom_through_flower", "DH-41"),
    ("pay.robbed", "DH-20"),
    ("pay.feeding", "DH-29"),
    ("pay.feeding_winner", "DH-30"),
    ("pay.feeding_combined", "DH-31"),
    ("pay.drawn_hand", "DH-34"),
    ("dealer.next", "DH-32"),
)
"""Keys of the family that a doubtful point of 4.2 decides; every other key is `dinghai.<key>`."""

RULES = MahjongRules(
    id="dinghai",
    variant="dinghai",
    zh="定海麻将",
    en="Dinghai mahjong",
    offers=OFFERS,
    withheld=(("feeding_mutual", "per_direction", "named for the record of a server that adds 7U and 3U (4.4)"),),
    clauses=CLAUSES,
    tiles=144,
    reserve=0,
    last_discard_claims="win_only",
    rob_kong="as_discard",
    swap_ban="chow",
    pass_pung_lock="dinghai",  # noqa: S106  a rule of claims
    pass_win_lock="all",  # noqa: S106  a rule of claims
    eight_flowers="instant",
    patterns=(
        "dragons",
        "round_wind",
        "own_wind",
        "flowers",
        "self_draw",
        "flush",
        "occasion",
        "earthly",
        "last_tile",
        "wait",
        "all_pungs",
        "all_chows",
    ),
    cap_tai=4,
    round_wind_tai=1,
    half_flush_tai=2,
    full_flush_tai=4,
    full_flush_honours="none",
    extra_tai={"kong_bloom": 2, "flower_bloom": 2, "last_discard": 4, "heavenly": 4},
    payments=("discard_or_robbed", "self_draw_or_bloom", "feeding"),
    hand_payments=("drawn_hand",),
    robbed_multiplier=5,
    drawn_hand_payment="U0",
    multi_win_dealer="record",
    drawn_hand_dealer="stay",
)

RULES_QIQI50 = RULES.preset(
    "dinghai.qiqi50",
    zh="定海麻将（30/40/50/70/100）",
    en="Dinghai mahjong, ladder 30 to 100",
    options={"tai_points": "qiqi50"},
)
