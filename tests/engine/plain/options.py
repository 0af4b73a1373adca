"""The option sets that the properties run over: every option of play, each in company that makes it matter."""

from typing import Any

SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "linhai": ("linhai", {}),
    "linhai.144": ("linhai.144", {}),
    "robbing": ("linhai", {"rob_kong": "as_discard"}),
    "robbing, first winner": (
        "linhai.144",
        {"rob_kong": "as_discard", "multi_win": "first", "multi_win_dealer": "first_winner", "flower_tai": "own_1"},
    ),
    "locks": (
        "linhai",
        {
            "rob_kong": "as_discard",
            "pass_win_lock": "dinghai",
            "pass_pung_lock": "dinghai",
            "swap_ban": "dinghai",
        },
    ),
    "no reserve": (
        "linhai.144",
        {"reserve": 0, "reserve_per_kong": 0, "last_discard_claims": "win_only", "wall.tail_order": "reverse"},
    ),
    "no reserve, one a kong": ("linhai", {"reserve": 0}),
    "moving boundary": (
        "linhai.144",
        {"reserve_per_kong": 2, "reserve_per_flower": True, "late_added_kong": False, "dealer_stays": "never"},
    ),
    "kong after claim": ("linhai", {"kong_after_claim": True, "min_tai": 2, "pass_win_lock": "dinghai"}),
    "other break": (
        "linhai",
        {
            "wall.dice": 1,
            "wall.dice_inclusive": False,
            "wall.count_direction": "ccw",
            "wall.break_offset": 0,
            "deal.order": "cw",
        },
    ),
    "other score": (
        "linhai.144",
        {
            "win_tai": "only_if_none",
            "cap_tai": 6,
            "full_flush_honours": "own_wind+dragons",
            "all_honours": "as_full_flush",
            "own_wind_set": "triplet_or_pair",
            "round_wind_tai": 1,
            "flower_tai": "own_1",
            "base": 3,
            "extra_tai": {"kong_bloom": 2, "flower_bloom": 1, "last_discard": 1, "heavenly": 2, "earthly": 2},
        },
    ),
    "liability": (
        "linhai",
        {
            "liability_direction": "feeder_pays",
            "liability_on_discard": "liable_replaces",
            "liability_threshold": 1,
            "liability_split": "last_established",
            "liability_counts_added_kong": True,
            "win_tai": "absent",
            "rob_kong": "as_discard",
        },
    ),
    "claimer pays": (
        "linhai",
        {"liability_direction": "claimer_pays", "liability_threshold": 1, "liability_on_discard": "liable_replaces"},
    ),
    "no flush honours": ("linhai", {"full_flush_honours": "none", "all_honours": "as_half_flush", "cap_tai": 9}),
}

OF_PLAY: dict[str, set[str]] = {
    "dinghai": {
        "tiles", "wall.dice", "wall.break_offset", "wall.tail_order", "initial_flower_order", "multi_win_dealer",
        "drawn_hand_dealer", "lock_reset", "pass_win_lock", "pass_pung_lock", "swap_ban", "last_flower",
        "kong_after_claim", "late_added_kong", "timeout",
    },
    "duqiao": {
        "tiles", "wall.dice", "wall.dice_inclusive", "wall.count_direction", "wall.break_offset", "deal.order",
        "wall.tail_order", "initial_flower_order", "joker", "dealer", "kong_after_claim", "late_added_kong", "timeout",
    },
}  # fmt: skip
"""Options that change play alone, by preset; every other option changes the score."""
