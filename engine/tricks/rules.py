"""The trick family's rules: what is the same for its two contests, and the options of each (`cards.md`).

`AuctionRules`: one against three, the highest bidder plays alone. `LevelRules`: two teams with a level each. Field
names are the option names of the page; where the page's word is taken, the alias is the page's name. "none" is a
word of the page: an option is never null.
"""

from abc import abstractmethod
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from engine.rules import Rules
from engine.tricks.order import RANKS

Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
Base = Annotated[int, Field(ge=1, le=1_000_000)]


def _listed(value: Any) -> Any:  # noqa: ANN401  what JSON holds
    """Return a list of levels from low to high, so that one choice has one digest; an empty one is none."""
    if value == "none":
        return value
    if not isinstance(value, list | tuple) or not all(each in list(RANKS) for each in value):
        msg = f"'none' or a list of levels is needed, of {', '.join(RANKS)}"
        raise ValueError(msg)
    return tuple(sorted(value, key=RANKS.index)) or "none"


class TrickRules(Rules):
    """What both contests choose from."""

    family: ClassVar[str] = "tricks"
    contest: ClassVar[str]
    """auction or levels."""

    players: Literal[4] = 4
    permanent_twos: bool = False
    base: Base = 1

    @property
    @abstractmethod
    def most_buried(self) -> int | None:
        """Return the most card points that may be buried; None: any."""

    @property
    @abstractmethod
    def after_kitty(self) -> tuple[str, ...]:
        """Return what the seat that took the kitty does before it leads, in order."""

    def lifted(self, level: str) -> tuple[str, ...]:
        """Return the ranks that are always trump, highest first; `level` "" where there are no levels."""
        heads = (level,) if level else ()
        return (*heads, "2") if self.permanent_twos and level != "2" else heads


class AuctionRules(TrickRules):
    """One against three: an auction, a declarer, a threshold in card points."""

    contest: ClassVar[str] = "auction"

    played_as: Literal["trick_points"] = Field(default="trick_points", alias="family")
    d3_in_kitty: Literal["seat0", "redeal", "d4_holder"] = "seat0"
    late_minimums: bool = True
    all_pass: Literal[
        "redeal_same_first_bidder",
        "most_common_trumps_wins",
        "most_common_trumps_loses",
        "first_bidder_forced_at_minimum",
    ] = "redeal_same_first_bidder"
    trump_timing: Literal["after_bury", "before_bury"] = "after_bury"
    show_kitty_max_bid: Literal[65, 0, 60, 70, 75, 80] = 65
    bury_points: bool = True
    red_five: Literal["none"] = "none"
    defenders_need: Literal["105_minus_bid", "100_minus_bid"] = "105_minus_bid"
    koudi: Literal["wins_outright", "multiplier_only", "off"] = "wins_outright"
    kitty_points_on_koudi: Literal[0, 1, 2] = 0
    multiplier_table: Literal["sd_d", "sd_g"] = "sd_d"
    escape: Literal["off"] = "off"

    @property
    def most_buried(self) -> int | None:
        """Return 0 where no points may go: of eighteen cards six at least are worth nothing, so none ever must."""
        return None if self.bury_points else 0

    @property
    def after_kitty(self) -> tuple[str, ...]:
        """Return burying and naming the trump in the order of `trump_timing`."""
        return ("bury", "trump") if self.trump_timing == "after_bury" else ("trump", "bury")


class LevelRules(TrickRules):
    """Two teams, 0+2 against 1+3: a level each, the declarers' level is the trump rank."""

    contest: ClassVar[str] = "levels"

    who_may_declare: Literal["anyone", "declarers_first"] = "anyone"
    no_declare: Literal["turn_kitty", "redeal", "no_trump"] = "turn_kitty"
    first_starter: Literal["dealer"] = "dealer"
    bury_point_limit: Literal["none", 35] = "none"
    multi_lead: Literal[False] = False
    kitty_multiplier: Literal[2, 1, 4] = 2
    next_starter: Literal["partner_or_right", "same_or_last_trick_winner"] = "partner_or_right"
    must_play: Annotated[
        Literal["none"] | Annotated[tuple[Rank, ...], Field(min_length=1)], BeforeValidator(_listed)
    ] = "none"
    stake: Literal["levels_only", "per_hand"] = "levels_only"

    @model_validator(mode="after")
    def _sense(self) -> Self:
        if len(set(self.stops)) < len(self.stops):
            msg = f"must_play {list(self.stops)}: a level stands in it twice"
            raise ValueError(msg)
        return self

    @property
    def stops(self) -> tuple[str, ...]:
        """Return the levels that no advance may pass."""
        return () if self.must_play == "none" else self.must_play

    @property
    def most_buried(self) -> int | None:
        """Return the limit of `bury_point_limit`."""
        return None if self.bury_point_limit == "none" else self.bury_point_limit

    @property
    def after_kitty(self) -> tuple[str, ...]:
        """Return burying alone: the suit is settled while drawing."""
        return ("bury",)
