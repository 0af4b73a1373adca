"""What every event of the vocabulary is made of: bounds in the type, so that a bad seat dies at the parser."""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from engine.cards import CARDS, KINDS

Record: TypeAlias = dict[str, Any]
Body: TypeAlias = dict[str, Any]

LIMIT: Final = 2**53 - 1  # the largest integer every JSON reader keeps (ledger.md 1)


def _present(value: object) -> object:
    if value is None:
        msg = "a field that does not apply is absent, never null"
        raise ValueError(msg)
    return value


Present = AfterValidator(_present)
Count = Annotated[int, Field(ge=0, le=LIMIT)]
Amount = Annotated[int, Field(ge=-LIMIT, le=LIMIT)]
Seat = Annotated[int, Field(ge=0, le=9)]
EntropySeat = Annotated[int, Field(ge=0, le=255)]
Name = Annotated[str, Field(min_length=1, max_length=256)]
GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Hex = Annotated[str, Field(pattern=r"^(?:[0-9a-f]{2})*$")]
Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Flag = Annotated[Literal[True] | None, Present]
if TYPE_CHECKING:
    Tile: TypeAlias = str
    Piece: TypeAlias = str
    Card: TypeAlias = str
else:
    Tile = Literal[(*KINDS, "0m", "0p", "0s")]  # red fives: imported Tenhou logs only
    Piece = Literal[(*KINDS, "0m", "0p", "0s", *CARDS)]
    Card = Literal[CARDS]
Wind = Literal["E", "S", "W", "N"]
Tiles = tuple[Tile, ...]


class Part(BaseModel):
    """A value inside an event."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Envelope(Part):
    """What every event has: `at` ms UTC by the server's clock, the stream, the position."""

    at: Count
    game: GameId
    seq: Count
    v: Literal[1] = 1

    def record(self) -> Record:
        """Return the JSON object of the event."""
        return self.model_dump(mode="json", exclude_none=True, exclude_unset=False)


class Signature(Part):
    """A player's signed command (ledger.md 3)."""

    head: Hex32
    seen: Count
    sig: Hex


class Decision(Envelope):
    """What somebody was free to choose; `auto` where a time-out chose."""

    auto: Flag = None
    sig: Annotated[Signature | None, Present] = None
