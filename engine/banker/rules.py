"""The banker family's rules: every choice that play and payment of Niuniu depend on, as values.

Field names are the option names of `cards.md`, "牛牛". A field's default is the family's neutral value; a variant
states its own.
"""

from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, Final, Literal, Self, get_args

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from engine.banker.hand import Scale
from engine.match import Hands, Match
from engine.rules import Rules

BankerMode = Literal["asked", "fixed_owner", "rotate", "bull_takes", "free_bid", "see3_bid", "see4_bid", "none"]
Table = Literal["zhenan_5432", "t_3_2_2", "t_4_3_2_2", "t_3_2_2_2", "flat"]
Special = Literal["five_small", "bomb", "five_face", "silver"]
FiveSmall = Literal["lt5_le10", "le5_le10", "sum_le10", "lt5_lt10"]
Order = Literal[
    "small>bomb>flower",
    "small>flower>bomb",
    "bomb>small>flower",
    "bomb>flower>small",
    "flower>small>bomb",
    "flower>bomb>small",
]

TABLES: Final[dict[str, tuple[int, int, int, int, int]]] = {
    "zhenan_5432": (1, 2, 3, 4, 5),
    "t_3_2_2": (1, 1, 2, 2, 3),
    "t_4_3_2_2": (1, 2, 2, 3, 4),
    "t_3_2_2_2": (1, 2, 2, 2, 3),
    "flat": (1, 1, 1, 1, 1),
}
"""Multipliers of no bull to bull 6, of bull 7, 8, 9, and of 牛牛 (option `mult`)."""

NOT_OFFERED: Final = frozenset({"full_house", "flush", "straight", "straight_flush", "dragon"})
"""葫芦, 同花, 顺子, 同花顺, 一条龙: no source puts them into one order with the others (points settled, grade H)."""


def _offered(value: Any) -> Any:  # noqa: ANN401  whatever stands in the option
    for name in value if isinstance(value, dict) else ():
        if name in NOT_OFFERED:
            msg = f"{name} is not offered: no source puts it into one order with the other special hands"
            raise ValueError(msg)
    return value


def _in_order(value: dict[str, int]) -> dict[str, int]:
    return {name: value[name] for name in get_args(Special) if name in value}


def _as_tuple(value: Any) -> Any:  # noqa: ANN401  JSON has lists where a frozen value has tuples
    return tuple(value) if isinstance(value, list) else value


def _ascending(value: tuple[int, ...]) -> tuple[int, ...]:
    if list(value) != sorted(set(value)):
        msg = "different numbers, ascending"
        raise ValueError(msg)
    return value


Specials = Annotated[
    dict[Special, Annotated[int, Field(ge=1, le=99)]], BeforeValidator(_offered), AfterValidator(_in_order)
]
Bets = Annotated[
    tuple[Annotated[int, Field(ge=1, le=1000)], ...],
    Field(min_length=1, max_length=32),
    BeforeValidator(_as_tuple),
    AfterValidator(_ascending),
]


class BankerRules(Rules):
    """One preset of Niuniu. `players` is the usual number at a table, `most_players` the largest."""

    family: ClassVar[str] = "banker"

    players: Annotated[int, Field(ge=2, le=10)] = 4
    most_players: Annotated[int, Field(ge=2, le=10)] = 4
    match: Match = Match(length=Hands(hands=16))
    deck: Literal[52, 54] = 52

    # Who is banker
    banker: BankerMode = "fixed_owner"
    all_decline: Literal["first_forced", "last_forced", "random"] = "first_forced"
    max_bid: Annotated[int, Field(ge=1, le=4)] = 4
    bid_multiplies: bool = True

    # What a hand is worth
    mult: Table = "t_4_3_2_2"
    tie: Literal["high_card_then_suit", "all_ranks_then_suits", "push", "banker_wins"] = "high_card_then_suit"
    specials: Specials = Field(default={})
    five_small: FiveSmall = "lt5_le10"
    special_order: Order = "small>bomb>flower"
    gold_silver: Literal["off", "on"] = "off"
    joker_is_face: bool = False

    # Stakes
    base: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    bets: Bets = (1, 2, 3, 4, 5)
    push_bet: Literal["off", 5, 10, 15, 20] = "off"
    tongbi: Literal["winner_takes_all", "pairwise"] = "winner_takes_all"
    escape: Literal["zhenan", "off"] = "off"
    cap_by_balance: bool = True

    @model_validator(mode="before")
    @classmethod
    def _owner_sits_first(cls, data: Any) -> Any:  # noqa: ANN401  pydantic's own form
        """Seat the opener at place 0 where he is to keep the bank, by lot elsewhere (modes.md 1, `first_dealer`)."""
        if not isinstance(data, dict):
            return data
        first = "creator" if data.get("banker", "fixed_owner") == "fixed_owner" else "seeded"
        match: Match = data.get("match", cls.model_fields["match"].default)
        return {**data, "match": match.but({"first_dealer": first})}

    @model_validator(mode="after")
    def _sense(self) -> Self:
        if self.players > self.most_players:
            msg = f"{self.players} players, where {self.most_players} is the most"
            raise ValueError(msg)
        return self

    @property
    def sizes(self) -> range:
        """Return how many players may sit down: two up to the preset's most."""
        return range(2, self.most_players + 1)

    @cached_property
    def scale(self) -> Scale:
        """Return the scale that these rules measure hands on."""
        table = TABLES[self.mult]
        # 金牛 and 银牛 at 5 (NN-H), unless the room has set a multiplier of its own for one of them.
        specials: dict[Special, int] = {"five_face": 5, "silver": 5} if self.gold_silver == "on" else {}
        specials.update(self.specials)
        bulls = (*[table[0]] * 7, *table[1:])
        return _scale(bulls, tuple(specials.items()), self.special_order, self.five_small, self.joker_is_face)


@lru_cache(maxsize=64)
def _scale(
    bulls: tuple[int, ...], specials: tuple[tuple[str, int], ...], order: str, five_small: str, joker_is_face: bool
) -> Scale:
    """Share a scale among the games of the same rules: what it remembers of hands is worth keeping."""
    return Scale(
        bulls=bulls,
        specials=dict(specials),
        special_order=order,
        five_small=five_small,
        joker_is_face=joker_is_face,
    )
