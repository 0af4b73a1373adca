"""The mahjong family's rules: every choice that play and score depend on, as values.

Field names are the option names of `mahjong.md` 4 with dots written as underscores; the alias is the page's name.
A field's default is the family's neutral value; a variant states its own. Patterns and payments that a number
cannot express are named functions (`patterns.PATTERNS`, `payments.PAYMENTS`), which a variant lists by name.
"""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from engine.rules import Rules

Occasion = Literal["kong_bloom", "flower_bloom", "last_discard", "heavenly", "earthly", "robbed"]
Small = Annotated[int, Field(ge=0, le=99)]
Word = Annotated[str, Field(pattern=r"^[a-z+_]+$")]
"""An option whose pages name one rule by several words; which of them may be ticked, each variant's offers say."""
Ladder = Annotated[
    tuple[Annotated[int, Field(ge=0, le=1_000_000)], ...],
    Field(min_length=5, max_length=5),
    BeforeValidator(lambda value: tuple(value) if isinstance(value, list) else value),
]
"""Points for 0 to 4 tai."""


class MahjongRules(Rules):
    """One mahjong preset."""

    family: ClassVar[str] = "mahjong"

    players: Literal[3, 4] = 4
    tiles: Literal[136, 144] = 136

    # The wall (mahjong.md 0.3-0.5)
    wall_break: Literal["dice", "none"] = Field(default="dice", alias="wall.break")
    wall_dice: Literal[1, 2] = Field(default=2, alias="wall.dice")
    wall_dice_inclusive: bool = Field(default=True, alias="wall.dice_inclusive")
    wall_count_direction: Literal["cw", "ccw"] = Field(default="cw", alias="wall.count_direction")
    wall_break_offset: Literal[0, 1] = Field(default=1, alias="wall.break_offset")
    wall_tail_order: Literal["upper_first", "reverse"] = Field(default="upper_first", alias="wall.tail_order")
    deal_order: Literal["ccw", "cw"] = Field(default="ccw", alias="deal.order")
    reserve: Small = 0
    reserve_per_kong: Small = 0
    reserve_per_flower: bool = False
    kong_extends_dead_wall: bool = False

    # Claims and kongs
    last_discard_claims: Literal["all_but_kong", "win_only"] = "all_but_kong"
    multi_win: Literal["all", "first", "head_bump"] = "all"
    rob_kong: Literal["off", "as_discard"] = "off"
    swap_ban: Word = "off"
    """`off` and `none`: nothing; `chow+peng`: after a pung too; every other word the ban after a chow (2.3, LH-32)."""
    pass_pung_lock: Word = "off"
    """`off`, or a word for the lock of 2.3."""
    pass_win_lock: Word = "off"
    """`off`; `same_tile`: the declined tile alone; every other word all tiles (2.3, DH-36)."""
    lock_reset: Literal["draw", "turn"] = "draw"
    kong_after_claim: bool = False
    late_added_kong: bool = True
    concealed_kong_open: bool = True
    timeout: Literal["pass"] = "pass"
    false_win: Literal["reject"] = "reject"
    wild: Literal["none", "red", "random"] = "none"

    # Flowers (mahjong.md 2.2)
    flower_order: Literal["mei_lan_ju_zhu", "mei_lan_zhu_ju"] = Field(default="mei_lan_ju_zhu", alias="flower.order")
    initial_flower_order: Literal["rounds", "each_completes"] = "rounds"
    last_flower: Literal["draw", "discard_on"] = "draw"
    eight_flowers: Literal["off", "instant", "tai_only"] = "off"

    # Score in tai
    counting: Literal["tai", "hu", "multiplier"] = "tai"
    patterns: tuple[str, ...] = ()
    win_tai: Literal["additive", "only_if_none", "absent"] = "absent"
    cap_tai: Small = 99
    min_tai: Small = 0
    base: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    full_flush_honours: Literal["own_wind", "none", "own_wind+dragons"] = "none"
    half_flush_needs_honour: bool = True
    all_honours: Literal["none", "as_half_flush", "as_full_flush"] = "none"
    own_wind_set: Literal["triplet", "triplet_or_pair"] = "triplet"
    arrow_is_wind: Literal[False] = False
    round_wind_tai: Literal[0, 1] = 0
    flower_tai: Literal[0, "own_1"] = 0
    extra_tai: dict[Occasion, Annotated[int, Field(ge=1, le=99)]] = Field(default={})
    half_flush_tai: Small = 1
    full_flush_tai: Small = 3
    seat_wind_tai: Literal[0, 1] = 1
    own_flower: Literal["per_tile", "once"] = "per_tile"
    flower_series: Literal["total2", "add2", "replace2"] = "total2"
    eight_flowers_tai: Annotated[int, Field(ge=1, le=99)] = 4
    duidao_on_self_draw: bool = False
    wait_must_be_single: bool = False
    pair_wait_self_draw: Literal["incl", "excl"] = "incl"
    all_chows_tai: Small = 1
    all_chows_mode: Literal["additive", "only_if_zero"] = "additive"
    last_tile_self_draw_tai: Literal[0, 4] = 0
    heavenly_after_flowers: bool = True
    earthly_tai: Literal[1, 4] = 1
    earthly_mode: Literal["first_draw", "dealer_first_discard", "dealer_discard", "both"] = "first_draw"
    tai_points: Literal["pow2", "linear", "qiqi10", "qiqi25", "qiqi50", "qiqi120", "custom"] = "pow2"
    points: Ladder | None = None
    points_self_draw: Ladder | None = None

    # Score in hu
    joker: Literal["none"] = "none"
    base_hu: Literal[30, 20, 10] = 30
    ron_triplet: Literal["exposed", "concealed"] = "exposed"
    rounding: Literal["ceil10", "half_up10", "none"] = Field(default="ceil10", alias="round")
    limit: Annotated[int, Field(ge=10, le=1_000_000)] = 400
    earthly: Literal["dealer_first_discard", "first_draw", "both"] | None = None
    four_flowers_and_own: Literal["add", "replace"] = "add"

    # Payments
    payments: tuple[str, ...] = ()
    hand_payments: tuple[str, ...] = ()
    liability_direction: Literal["mutual", "claimer_pays", "feeder_pays"] = "mutual"
    liability_on_discard: Literal["discarder_own", "liable_replaces"] = "discarder_own"
    liability_threshold: Annotated[int, Field(ge=1, le=16)] = 3
    liability_split: Literal["equal", "last_established"] = "equal"
    liability_counts_added_kong: bool = False
    kong_bloom_liability: Literal["direct", "direct+added"] = "direct"
    kong_bloom_through_flower: bool = True
    robbed_multiplier: Annotated[int, Field(ge=1, le=99)] = 1
    robbed_as_self_draw: bool = False
    feeding_mode: Literal["mixed", "same_kind"] = "mixed"
    feeding_mutual: Literal["double_partner", "double_extra"] = "double_partner"
    feeding_winner_pays: bool = True
    feeding_combine: Literal["add", "max"] = "add"
    drawn_hand_payment: Literal["U0", 0] = 0
    win_payment: Literal["all_pay", "discarder_alone", "discarder_pays_three_shares"] = "all_pay"
    dealer_factor: Literal["xian_half", "flat", "zhuang_double"] = "xian_half"
    losers_settle: bool = True
    bao: Literal["none", "three_melds"] = "none"

    # The deal's passing
    dealer_stays: Literal["on_win", "never"] = "on_win"
    multi_win_dealer: Literal["any_win", "first_winner", "record", "first_winner_deals"] = "any_win"
    drawn_hand_dealer: Literal["stay", "pass"] = "pass"
    dealer: Literal["stay_on_win_else_next", "winner_becomes_dealer"] | None = None

    # Wild tiles and the shapes of a win (mahjong.md 3.1, 3.4, 3.6)
    shapes: tuple[str, ...] = ("standard",)
    """Shapes that win, by name (`shapes.SHAPES`)."""
    no_winds: bool = False
    wild_domain: Literal["in_play", "suits"] = "in_play"
    wild_indicator: Literal["virtual", "flipped_out", "next_kind"] = "virtual"
    wild_fifth: bool = True
    wild_special: bool = True
    wild_claims: Literal["no"] = "no"
    wild_discard: Literal["allow", "forbid"] = "allow"
    wild_kong: Literal[False] = False

    # Play of mahjong.md 3.2 to 3.5
    opening_flowers: Literal["rounds", "own_turn"] = "rounds"
    """When the flowers of the deal are exposed: in rounds before play (2.2), or in each seat's own turn (3.3)."""
    flower_first: Literal["first_turn", "first_draw"] = "first_turn"
    flower_win_mode: Literal["side", "instant_win"] = "side"
    replacement_from: Literal["tail", "head"] = "tail"
    no_chow: bool = False
    three_player_chow: bool = True
    ga: bool = False
    ga_free: bool = False
    ga_values: tuple[int, ...] = (0, 1, 2, 3, 5)
    ga_mode: Literal["additive"] = "additive"

    # Score by multipliers (mahjong.md 3.7, 3.8)
    types: tuple[tuple[str, int], ...] = ()
    """Multiplier of each type of hand, by name (`multiplier.Types`)."""
    ways: tuple[tuple[str, int], ...] = ()
    """Multiplier of each way to win: `by` or the occasion."""
    fans: tuple[str, ...] = ()
    """What opens a win where a fan is required, by name (`fans.FANS`)."""
    fan_required: bool = False
    fan_scope: Literal["discard", "discard+zimo"] = "discard"
    fan_same_reading: bool = False
    half_flush_fan: bool = False
    round_wind_fan: bool = False
    kong_is_fan: bool = False
    concealed_allows_kong: bool = True
    wild_fan: Literal["present", "used_as_wild"] = "present"
    type_stack: Literal["mul", "add", "max"] = "mul"
    way_stack: Literal["max", "mul"] = "max"
    luxury_natural: bool = False
    luxury_per_quad: bool = False
    cap: Literal["none", 8, 12, 16] = "none"

    # Payments by edges (mahjong.md 3.9)
    discard_payment: Literal["all_three", "discarder_only"] = "discarder_only"
    discarder_pays_all: bool = False
    last_tiles_liability: bool = False
    last_tiles_window: Literal["remaining_15_plus_n", "remaining_14_plus_n"] = "remaining_15_plus_n"
    robbed_without_fan: Literal["if_fan_required", "always", "if_not"] = "if_fan_required"
    dealer_bonus: bool = False
    streak_bonus: bool = False
    streak_symmetric: bool = True
    streak_edges: Literal["dealer", "all"] = "dealer"
    adders_scaled: bool = True
    flower_win: bool = False
    settle_drawn_hand: bool = False
    flowers_on_draw: Literal["if_settled", "always"] = "if_settled"
    kong_scaled: Literal[False] = False
    claim_liability: Literal[False] = False
    follow_first: Literal[False] = False
    kong_first: Literal[False] = False
    triple_win_draw: Literal[False] = False

    # The deal's passing (mahjong.md 3.10)
    counts_streak: bool = False
    """Whether hands tell how many the dealer has already kept the deal."""
    streak_on_draw: bool = True
    next_dealer: Literal["rotate", "winner"] = "rotate"
    round_wind_mode: Literal["first_dealer", "all_won"] = "first_dealer"

    @model_validator(mode="after")
    def _sense(self) -> Self:
        if self.min_tai > self.cap_tai:
            msg = f"min_tai {self.min_tai} is above cap_tai {self.cap_tai}: no hand could win"
            raise ValueError(msg)
        if self.reserve > self.size - 13 * self.players - 1:
            msg = f"reserve {self.reserve} leaves no tile to draw"
            raise ValueError(msg)
        if self.wall_break == "dice" and self.size % (2 * self.players):
            msg = f"wall.break dice: {self.size // 2} stacks do not divide among {self.players} players"
            raise ValueError(msg)
        self._sense_of_points()
        return self

    def _sense_of_points(self) -> None:
        """Refuse amounts that no tai would find, and tai that would find no amount (4.4, `tai_points = custom`)."""
        if self.tai_points not in {"pow2", "linear"} and not 1 <= self.cap_tai <= 4:
            msg = f"tai_points {self.tai_points} has amounts for 1 to 4 tai: cap_tai {self.cap_tai} does not fit"
            raise ValueError(msg)
        if self.tai_points == "custom" and self.points is None:
            msg = "tai_points custom needs points, five amounts for 0 to 4 tai"
            raise ValueError(msg)
        if self.tai_points != "custom" and (self.points is not None or self.points_self_draw is not None):
            msg = f"points belong to tai_points custom, not to {self.tai_points}"
            raise ValueError(msg)

    @property
    def earthly_ways(self) -> frozenset[str]:
        """Return which wins are 地胡: on the own `first_draw`, on the `dealer_first_discard` (DH-24)."""
        mode = self.earthly or self.earthly_mode
        if mode == "both":
            return frozenset({"first_draw", "dealer_first_discard"})
        return frozenset({"dealer_first_discard" if mode == "dealer_discard" else mode})

    @property
    def flowers(self) -> bool:
        """Tell whether the eight flowers are in the wall."""
        return self.tiles == 144

    @property
    def size(self) -> int:
        """Return the number of tiles in the deck: 16 fewer without winds (3.1)."""
        return self.tiles - 16 if self.no_winds else self.tiles

    @property
    def wide(self) -> bool:
        """Tell whether a hand may be complete in another way than four melds and a pair of natural tiles."""
        return self.wild != "none" or self.shapes != ("standard",)

    @property
    def special_shapes(self) -> tuple[str, ...]:
        """Return the winning shapes beside the standard one: no thirteen orphans without winds (HN-42)."""
        never = {"standard"} | ({"thirteen_orphans"} if self.no_winds else set())
        return tuple(name for name in self.shapes if name not in never)
