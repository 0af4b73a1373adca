"""How long a match lasts, who sits and deals first, how it may end early (`modes.md` 1)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from engine.errors import RulesError, refusal

Positive = Annotated[int, Field(ge=1, le=1_000_000)]
Points = Annotated[int, Field(ge=-(2**53 - 1), le=2**53 - 1)]


class Rounds(BaseModel):
    """So many rounds: each seat has dealt once in a round."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    rounds: Positive


class Hands(BaseModel):
    """So many hands; void hands do not count."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    hands: Positive


class Minutes(BaseModel):
    """So many minutes from the first hand; the hand in play at the bell is finished."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    minutes: Positive


def _one(value: Any, read: ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401  what JSON holds
    """Name what may be written: of a union the library names its members, by their classes."""
    try:
        return read(value)
    except ValidationError:
        msg = 'one of {"rounds": N}, {"hands": N} and {"minutes": N} is needed, N from 1 to 1000000'
        raise ValueError(msg) from None


Length = Annotated[Rounds | Hands | Minutes, WrapValidator(_one)]


class Match(BaseModel):
    """The options of `modes.md` 1; `opened.match` holds those that differ from the preset's."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    length: Length = Rounds(rounds=4)
    first_dealer: Literal["seeded", "creator"] = "seeded"
    seating: Literal["seeded", "as_opened"] = "seeded"
    start_points: Points = 0
    floor: Points | None = None
    early_end: Literal["all", "majority"] | None = None

    def but(self, options: Mapping[str, Any]) -> "Match":
        """Return the match with some options changed; raise RulesError naming what cannot be."""
        for name, value in options.items():
            if name not in type(self).model_fields:
                msg = f"a match has no option {name!r}"
                raise RulesError(msg)
            if value is None:
                msg = f"match.{name}: an option that does not apply is absent, never null"
                raise RulesError(msg)
        current = {name: getattr(self, name) for name in type(self).model_fields}
        try:
            return Match.model_validate({**current, **options})
        except ValidationError as error:
            where, why = refusal(error)
            msg = f"match.{where}: {why}"
            raise RulesError(msg) from None

    def differing(self, preset: "Match") -> dict[str, Any]:
        """Return the options whose value differs from the preset's."""
        mine = self.model_dump(mode="json", exclude_none=True)
        its = preset.model_dump(mode="json", exclude_none=True)
        return {name: value for name, value in mine.items() if value != its.get(name)}
