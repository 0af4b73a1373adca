"""The events of a hand of mahjong."""

from typing import Annotated, Literal

from pydantic import Field

from engine.vocabulary.base import Count, Decision, Envelope, Flag, Name, Piece, Present, Record, Seat, Tile, Tiles


class GaChosen(Decision):
    """A seat's ga before the deal (Hainan)."""

    type: Literal["ga_chosen"] = "ga_chosen"
    seat: Seat
    ga: Count


class Dice(Envelope):
    """One throw."""

    type: Literal["dice"] = "dice"
    seat: Seat
    values: tuple[Annotated[int, Field(ge=1, le=6)], ...]


class Wild(Envelope):
    """The wild kind of the hand, where rules draw one."""

    type: Literal["wild"] = "wild"
    tile: Tile
    indicator: Annotated[Tile | None, Present] = None


class Dealt(Envelope):
    """One seat's tiles or cards, in the order taken."""

    type: Literal["dealt"] = "dealt"
    seat: Seat
    tiles: tuple[Piece, ...]


class Drawn(Envelope):
    """One tile from an end of the wall; `left` counts the untaken tiles after it, reserve included."""

    type: Literal["drawn"] = "drawn"
    seat: Seat
    tile: Piece
    end: Literal["head", "tail"]
    left: Count


class Flower(Envelope):
    """A flower exposed; its replacement is the next event."""

    type: Literal["flower"] = "flower"
    seat: Seat
    tile: Tile


class Discarded(Decision):
    """A discard; `drawn`: it is the tile of the last `drawn` in this turn."""

    type: Literal["discarded"] = "discarded"
    seat: Seat
    tile: Tile
    drawn: Flag = None


class Answered(Decision):
    """A seat's one answer in a claim window; `to` is the seq of the discard or added kong."""

    type: Literal["answered"] = "answered"
    seat: Seat
    to: Count
    answer: Literal["pass", "win", "kong", "pung", "chow"]
    tiles: Annotated[Tiles | None, Present] = None


class Melded(Envelope):
    """The claim that prevailed."""

    type: Literal["melded"] = "melded"
    seat: Seat
    kind: Literal["chow", "pung", "direct_kong"]
    tiles: Tiles
    claimed: Tile
    from_: Annotated[int, Field(ge=0, le=9, alias="from")]

    def record(self) -> Record:
        """Return the JSON object of the event."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)


class Konged(Decision):
    """A kong declared in one's own turn."""

    type: Literal["konged"] = "konged"
    seat: Seat
    kind: Literal["concealed_kong", "added_kong"]
    tiles: Tiles


class Declared(Decision):
    """A self-drawn win, eight flowers; riichi words in imported logs."""

    type: Literal["declared"] = "declared"
    seat: Seat
    what: Literal["win", "eight_flowers", "riichi", "nine_terminals"]


class Won(Envelope):
    """One winner; no `tile` with heavenly and eight_flowers."""

    type: Literal["won"] = "won"
    seat: Seat
    tile: Annotated[Tile | None, Present] = None
    by: Literal["self_draw", "discard", "robbed"]
    from_: Annotated[int | None, Present, Field(ge=0, le=9, alias="from")] = None
    occasion: Annotated[
        Literal["kong_bloom", "flower_bloom", "heavenly", "earthly", "last_discard", "eight_flowers", "flowers"] | None,
        Present,
    ] = None

    def record(self) -> Record:
        """Return the JSON object of the event."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)


class DrawnHand(Envelope):
    """The hand ends without a winner."""

    type: Literal["drawn_hand"] = "drawn_hand"
    reason: Name


class Dora(Envelope):
    """An indicator turned (imported riichi logs)."""

    type: Literal["dora"] = "dora"
    tile: Tile
