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


def _flag(value: object) -> object:
    # Literal[True] would take 1 and 1.0, which equal it: two byte forms of one value.
    if value is not True:
        msg = "a flag is written only when true"
        raise ValueError(msg)
    return value


def _profile(value: object) -> object:
    """Refuse what the profile of ledger.md 1 does not know: floats, null, integers beyond 2^53 - 1."""
    if type(value) is dict:
        for each in value.values():
            _profile(each)
    elif type(value) is list:
        for each in value:
            _profile(each)
    elif type(value) is int:
        if not -LIMIT <= value <= LIMIT:
            msg = f"an integer beyond {LIMIT}"
            raise ValueError(msg)
    elif type(value) is not str and type(value) is not bool:
        msg = f"{value!r} is outside the profile (objects, lists, texts, integers, true, false)"
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
Flag = Annotated[bool | None, AfterValidator(_flag)]
Free = Annotated[dict[str, Any], AfterValidator(_profile)]
"""An object whose keys the vocabulary does not know."""
One = Annotated[int, Field(ge=1, le=1)]
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
    v: One

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
