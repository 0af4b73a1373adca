"""The mahjong family's rules: every choice that play and score depend on, as values.

Field names are the option names of `mahjong.md` 4 with dots written as underscores; the alias is the page's name.
A field's default is the family's neutral value; a variant states its own. Patterns and payments that a number
cannot express are named functions (`patterns.PATTERNS`, `payments.PAYMENTS`), which a variant lists by name.
"""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from engine.rules import Rules

Occasion = Literal["kong_bloom", "flower_bloom", "last_discard", "heavenly", "earthly", "robbed"]
Small = Annotated[int, Field(ge=0, le=99)]


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

    # Claims and kongs
    last_discard_claims: Literal["all_but_kong", "win_only"] = "all_but_kong"
    multi_win: Literal["all", "first"] = "all"
    rob_kong: Literal["off", "as_discard"] = "off"
    swap_ban: Literal["off", "dinghai"] = "off"
    pass_pung_lock: Literal["off", "dinghai"] = "off"
    pass_win_lock: Literal["off", "dinghai"] = "off"
    kong_after_claim: bool = False
    late_added_kong: bool = True
    concealed_kong_open: bool = True
    timeout: Literal["pass"] = "pass"
    false_win: Literal["reject"] = "reject"
    wild: Literal["none"] = "none"

    # Score in tai
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

    # Payments
    payments: tuple[str, ...] = ()
    liability_direction: Literal["mutual", "claimer_pays", "feeder_pays"] = "mutual"
    liability_on_discard: Literal["discarder_own", "liable_replaces"] = "discarder_own"
    liability_threshold: Annotated[int, Field(ge=1, le=16)] = 3
    liability_split: Literal["equal", "last_established"] = "equal"
    liability_counts_added_kong: bool = False

    # The deal's passing
    dealer_stays: Literal["on_win", "never"] = "on_win"
    multi_win_dealer: Literal["any_win", "first_winner"] = "any_win"

    @model_validator(mode="after")
    def _sense(self) -> Self:
        if self.min_tai > self.cap_tai:
            msg = f"min_tai {self.min_tai} is above cap_tai {self.cap_tai}: no hand could win"
            raise ValueError(msg)
        if self.reserve > self.tiles - 13 * self.players - 1:
            msg = f"reserve {self.reserve} leaves no tile to draw"
            raise ValueError(msg)
        return self

    @property
    def flowers(self) -> bool:
        """Tell whether the eight flowers are in the wall."""
        return self.tiles == 144
