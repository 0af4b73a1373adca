"""海南癞子麻将 Hainan mahjong with a wild tile, for four players or three, with or without the need of a fan.

Source: the rule text of the operator, `rules/sources` 004, read as `mahjong.md` 3; every doubtful point with its
default and reason there in 4.3 (HN-01 to HN-48) and 4.0 (CM).

* 144 tiles, the room's creator deals first [004:14-22]; no dice, g0 = 0 (HN-19)
* types 1, 2, 2, 2, 3, 13 [004:27-32]; ways 1 to 3 [004:60-68, 108]; a fan never multiplies
* 截胡: one winner, the nearest after the discarder [004:70]
* 七墩半: nothing is drawn at 15 tiles [004:24], HN-20
* an edge is 1, the dealer's one more, one for each hand kept, and both ga [004:73-79]; everybody pays, the discarder
  one more (HN-02)
"""

from engine.mahjong.rules import MahjongRules
from engine.match import Match

ONOFF = (False, True)
OFFERS: tuple[tuple[str, tuple[object, ...] | None], ...] = (
    ("players", (4, 3)),
    ("wild", ("red", "random")),
    ("fan_required", (True, False)),
    ("fan_scope", ("discard", "discard+zimo")),
    ("discard_payment", ("all_three", "discarder_only")),
    ("dealer_bonus", (True, False)),
    ("streak_bonus", (True, False)),
    ("streak_on_draw", (True, False)),
    ("streak_symmetric", (True, False)),
    ("ga", ONOFF),
    ("ga_free", ONOFF),
    ("ga_mode", ("additive",)),
    ("settle_drawn_hand", ONOFF),
    ("flower_win", (True, False)),
    ("flower_win_mode", ("side", "instant_win")),
    ("discarder_pays_all", ONOFF),
    ("half_flush_fan", ONOFF),
    ("no_winds", ONOFF),
    ("no_chow", ONOFF),
    ("last_tiles_liability", ONOFF),
    ("last_tiles_window", ("remaining_15_plus_n", "remaining_14_plus_n")),
    ("round_wind_fan", ONOFF),
    ("type_stack", ("mul", "add", "max")),
    ("way_stack", ("max", "mul")),
    ("luxury_natural", ONOFF),
    ("luxury_per_quad", ONOFF),
    ("wild_fifth", (True, False)),
    ("wild_claims", ("no",)),
    ("wild_discard", ("allow", "forbid")),
    ("concealed_allows_kong", (True, False)),
    ("kong_is_fan", ONOFF),
    ("robbed_without_fan", ("if_fan_required", "always", "if_not")),
    ("earthly_mode", ("both", "dealer_discard", "first_draw")),
    ("reserve", (15,)),
    ("replacement_from", ("tail", "head")),
    ("wall.break", ("none", "dice")),
    ("next_dealer", ("rotate", "winner")),
    ("claim_liability", (False,)),
    ("cap", ("none", 8, 12, 16)),
    ("multi_win", ("first", "all")),
    ("fan_same_reading", ONOFF),
    ("streak_edges", ("dealer", "all")),
    ("adders_scaled", (True, False)),
    ("wild_fan", ("present", "used_as_wild")),
    ("wild_special", (True, False)),
    ("wild_kong", (False,)),
    ("wild_indicator", ("virtual", "flipped_out", "next_kind")),
    ("wild_domain", ("in_play", "suits")),
    ("flower_first", ("first_turn", "first_draw")),
    ("flowers_on_draw", ("if_settled", "always")),
    ("round_wind_mode", ("first_dealer", "all_won")),
    ("kong_scaled", (False,)),
    ("three_player_chow", (True, False)),
    ("pass_win_lock", ("off", "dinghai")),
    ("pass_pung_lock", ("off", "dinghai")),
    ("swap_ban", ("off", "dinghai")),
    ("follow_first", (False,)),
    ("kong_first", (False,)),
    ("triple_win_draw", (False,)),
    ("kong_after_claim", (False, True)),
    ("late_added_kong", (True, False)),
    ("timeout", ("pass",)),
)
"""Every option of `mahjong.md` 4.0 and 4.3 in the order of its appendix, with the values an operator may tick."""

NAMED_ONLY = "named for the record only: other servers have it, the rule text does not"
WITHHELD: tuple[tuple[str, object, str], ...] = (
    ("ga_mode", "multiply", "the example of the rule text adds ga, and four of four servers do (HN-03)"),
    ("wild_claims", "yes", "nobody says what a wild in a claimed meld stands for (HN-10)"),
    ("wild_kong", True, "four wild tiles are no kong in the rule text (HN-11)"),
    ("kong_scaled", True, "no text says which type a loser's kong would be multiplied by (HN-38)"),
    ("claim_liability", True, f"三道/四道包 is {NAMED_ONLY} (HN-45)"),
    ("follow_first", True, f"首张被跟 is {NAMED_ONLY} (HN-45)"),
    ("kong_first", True, f"首张被杠 is {NAMED_ONLY} (HN-45)"),
    ("triple_win_draw", True, f"一炮三响流局 is {NAMED_ONLY} (HN-45)"),
)

CLAUSES: tuple[tuple[str, str], ...] = (
    ("act.added_kong", "CM-02"),
    ("act.late_added_kong", "CM-02"),
    ("act.kong_after_claim", "CM-01"),
    ("act.win_needs_draw", "CM-04"),
    ("lock.swap", "HN-44"),
    ("lock.pung", "HN-44"),
    ("lock.win", "HN-44"),
    ("claims.no_chow", "HN-41"),
    ("wild.kind", "HN-08"),
    ("wild.claims", "HN-10"),
    ("wild.discard", "HN-10"),
    ("wild.kong", "HN-11"),
    ("flower.expose", "HN-17"),
    ("flower.replacement", "HN-18"),
    ("kong.replacement", "HN-18"),
    ("flower.win", "HN-23"),
    ("wall.reserve", "HN-20"),
    ("wall.tail", "HN-18"),
    ("wall.dice", "HN-19"),
    ("fan", "HN-05"),
    ("tai.wild_held", "HN-13"),
    ("tai.concealed", "HN-30"),
    ("tai.dragon", "HN-31"),
    ("tai.own_wind", "HN-34"),
    ("tai.round_wind", "HN-33"),
    ("tai.half_flush", "HN-33"),
    ("tai.kong", "HN-32"),
    ("tai.full_flush", "HN-04"),
    ("tai.all_pungs", "HN-04"),
    ("tai.seven_pairs", "HN-14"),
    ("tai.luxury_seven_pairs", "HN-15"),
    ("tai.thirteen_orphans", "HN-16"),
    ("tai.heavenly", "HN-36"),
    ("tai.earthly", "HN-35"),
    ("tai.flowers", "HN-23"),
    ("tai.cap", "HN-46"),
    ("pay.discard", "HN-02"),
    ("pay.discarder", "HN-02"),
    ("pay.robbed", "HN-07"),
    ("pay.robbed_without_fan", "HN-07"),
    ("pay.discarder_all", "HN-26"),
    ("pay.last_tiles", "HN-22"),
    ("pay.kong", "HN-38"),
    ("pay.kong_discarder_all", "HN-39"),
    ("pay.flower", "HN-24"),
    ("dealer.next", "HN-43"),
)
"""Keys of the family that a doubtful point of 4.3 decides; every other key is `hainan.<key>`."""

RULES = MahjongRules(
    id="hainan",
    variant="hainan",
    zh="海南癞子麻将",
    en="Hainan mahjong with wild tiles",
    match=Match(first_dealer="creator"),
    offers=OFFERS,
    withheld=WITHHELD,
    clauses=CLAUSES,
    tiles=144,
    wall_break="none",
    reserve=15,
    multi_win="first",
    rob_kong="as_discard",
    wild="red",
    shapes=("standard", "seven_pairs", "thirteen_orphans"),
    opening_flowers="own_turn",
    earthly_mode="both",
    counting="multiplier",
    types=(
        ("plain", 1),
        ("all_pungs", 2),
        ("full_flush", 2),
        ("seven_pairs", 2),
        ("luxury_seven_pairs", 3),
        ("thirteen_orphans", 13),
    ),
    ways=(
        ("discard", 1),
        ("robbed", 1),
        ("self_draw", 2),
        ("kong_bloom", 3),
        ("flower_bloom", 3),
        ("heavenly", 3),
        ("earthly", 3),
    ),
    fans=(
        "wild_held",
        "chows_only",
        "concealed",
        "eye",
        "dragon",
        "own_wind",
        "round_wind",
        "half_flush",
        "own_flower",
        "kong",
        "pattern",
    ),
    fan_required=True,
    payments=("edges",),
    hand_payments=("kongs_by_edges", "flowers_by_edges"),
    discard_payment="all_three",
    dealer_bonus=True,
    streak_bonus=True,
    flower_win=True,
    counts_streak=True,
    drawn_hand_dealer="stay",
)

NO_FAN = RULES.preset(
    "hainan.nofan", zh="海南癞子麻将（无番）", en="Hainan mahjong, no fan needed", options={"fan_required": False}
)
THREE = RULES.preset(
    "hainan.three", zh="海南癞子麻将（三人）", en="Hainan mahjong for three players", options={"players": 3}
)
RANDOM = RULES.preset(
    "hainan.random",
    zh="海南癞子麻将（随机癞子）",
    en="Hainan mahjong with a random wild tile",
    options={"wild": "random"},
)
