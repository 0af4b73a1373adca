"""Rules as data: options with names, bounds and a digest.

A rules value is frozen. Its *options* are what an operator may tick: the names and values of the rule pages
(`mahjong.md` 4, with dots where the page has dots). `but()` is the only way to change them; it refuses a name that
does not exist, a value outside the bounds and a combination that makes no sense, each with a reason.

The digest is SHA-256 over the canonical bytes of preset id, version and the whole option map, so that it says
exactly which rules a game was opened with, and stays the same when the family learns options of other variants.
"""

from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, Self

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.errors import RulesError, refusal
from engine.match import Match


class Rules(BaseModel):
    """One preset's rules. Subclasses are families; values are variants."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)

    family: ClassVar[str]

    id: str
    """Preset id, as it stands in `opened.rules.id`."""
    players: int
    variant: str
    """The folder of data and the prefix of the clause ids; several presets share one."""
    version: int = 1
    """Raised when a correction changes what a recorded game must pay; the old value stays in the variant's file."""
    zh: str
    en: str
    match: Match = Match()
    """The match as the preset plays it; `opened.match` holds what differs."""
    offers: tuple[tuple[str, tuple[Any, ...] | None], ...] = Field(repr=False)
    """Options an operator may tick with their values; None: any value that the field's type takes."""
    withheld: tuple[tuple[str, Any, str], ...] = Field(default=(), repr=False)
    """Values that the rule page names for the record only, and why they are not offered."""
    clauses: tuple[tuple[str, str], ...] = Field(default=(), repr=False)
    """Clause ids that stand for a key of the family, where it is not `<variant>.<key>`."""

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Return the rules themselves: they are frozen, and a snapshot of a state shares them."""
        return self

    @property
    def sizes(self) -> range:
        """Return how many players may sit down: `players`, unless the family lets the table choose."""
        return range(self.players, self.players + 1)

    def options(self) -> dict[str, Any]:
        """Return the whole option map, JSON values by option name; an option that does not apply is absent."""
        values = self.model_dump(mode="json", by_alias=True)
        return {name: values[name] for name, _ in self.offers if values[name] is not None}

    def digest(self) -> str:
        """Return the hex SHA-256 that stands in `opened` (the `ruleset_hash` of the deal)."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        whole = {"id": self.id, "options": self.options(), "version": self.version}
        return sha256(orjson.dumps(whole, option=orjson.OPT_SORT_KEYS)).hexdigest()

    def differing(self, preset: Self) -> dict[str, Any]:
        """Return the options whose value differs from the preset's."""
        mine, its = self.options(), preset.options()
        return {name: value for name, value in mine.items() if value != its.get(name)}

    def but(self, options: Mapping[str, Any]) -> Self:
        """Return these rules with some options changed; raise RulesError naming the first that cannot be."""
        offers = dict(self.offers)
        for name, value in options.items():
            if name not in offers:
                msg = f"{self.id} has no option {name!r}"
                raise RulesError(msg)
            if value is None:
                msg = f"{self.id}: {name} = null: an option that does not apply is absent, never null"
                raise RulesError(msg)
            for other, withheld, why in self.withheld:
                if other == name and withheld == value and type(withheld) is type(value):
                    msg = f"{self.id}: {name} = {value!r} is not offered: {why}"
                    raise RulesError(msg)
            allowed = offers[name]
            if allowed is not None and not any(value == each and type(value) is type(each) for each in allowed):
                listed = ", ".join(map(repr, allowed))
                msg = f"{self.id}: {name} = {value!r} is not one of {listed}"
                raise RulesError(msg)
        return self.changed(options)

    def preset(self, id: str, *, zh: str, en: str, options: Mapping[str, Any]) -> Self:  # noqa: A002  the log's word
        """Return another preset of the same variant: these rules under a new id with other options."""
        chosen = self.but(options)
        return chosen.changed({"id": id, "zh": zh, "en": en})

    def changed(self, options: Mapping[str, Any]) -> Self:
        """Return these rules with fields or options set, validated as a whole: for the variants' own files.

        Unlike `but` it does not ask what an operator may tick.
        """
        fields = {field.alias or name: name for name, field in type(self).model_fields.items()}
        current = {name: getattr(self, name) for name in type(self).model_fields}
        current.update({fields[name]: value for name, value in options.items()})
        try:
            return type(self).model_validate(current)
        except ValidationError as error:
            where, why = refusal(error)
            msg = f"{self.id}: {where}: {why}" if where else f"{self.id}: {why}"
            raise RulesError(msg) from None

    def clause(self, key: str) -> str:
        """Return the clause id that a family's key has in these rules."""
        return self._clauses.get(key) or f"{self.variant}.{key}"

    @cached_property
    def _clauses(self) -> dict[str, str]:
        return dict(self.clauses)
