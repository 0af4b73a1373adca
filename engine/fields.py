"""A case's objects read field by field: every value has a type and bounds, every name that nobody read is refused.

Typed by hand, a case may leave out what has a default; what cannot be read is named by its place
(`seats.1.melds[0].tiles`) and the reason. What a case means is the business of the families (`mahjong.cases`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


class CaseError(ValueError):
    """A case that cannot be read, or whose hand cannot exist: the place in it and the reason."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}" if where else reason)
        self.where = where
        self.reason = reason


def shown(value: object) -> str:
    """Return a value as an error quotes it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class Fields:
    """One object of a case. `where` is its place, "" for the case itself."""

    def __init__(self, value: object, where: str = "") -> None:
        if not isinstance(value, Mapping):
            raise CaseError(where, f"an object with named fields is needed, not {shown(value)}")
        self._value: Mapping[Any, Any] = value
        self._read: set[str] = set()
        self.where = where

    def at(self, name: str) -> str:
        """Return the place of a field."""
        return f"{self.where}.{name}" if self.where else name

    def has(self, name: str) -> bool:
        """Tell whether a field is written down."""
        return name in self._value

    def raw(self, name: str) -> Any:  # noqa: ANN401  what JSON holds
        """Return a field as it stands, None where it is left out; null is no value."""
        self._read.add(name)
        if name in self._value and self._value[name] is None:
            raise CaseError(self.at(name), "leave out what does not apply; null is no value")
        return self._value.get(name)

    def number(self, name: str, low: int, high: int, default: int) -> int:
        """Return a whole number of low..high."""
        value = self.raw(name)
        return default if value is None else self._bounded(self.at(name), value, low, high)

    def needed_number(self, name: str, low: int, high: int, why: str) -> int:
        """Return a whole number that may not be left out."""
        if self.raw(name) is None:
            raise CaseError(self.at(name), why)
        return self.number(name, low, high, low)

    def numbers(self, name: str, low: int, high: int) -> list[int] | None:
        """Return a list of whole numbers, None where it is left out."""
        value = self.raw(name)
        if value is None:
            return None
        return [
            self._bounded(f"{self.at(name)}[{place}]", each, low, high)
            for place, each in enumerate(self._sequence(name, value))
        ]

    def text(self, name: str) -> str | None:
        """Return a text, None where it is left out."""
        value = self.raw(name)
        if value is not None and not isinstance(value, str):
            raise CaseError(self.at(name), f"a text is needed, not {shown(value)}")
        return value

    def word(self, name: str, words: Sequence[str], default: str) -> str:
        """Return one of a few words."""
        value = self.text(name)
        if value is None:
            return default
        if value not in words:
            raise CaseError(self.at(name), f"{shown(value)} is none of {', '.join(words)}")
        return value

    def flag(self, name: str) -> bool:
        """Return true or false; left out it is false."""
        value = self.raw(name)
        if value is not None and not isinstance(value, bool):
            raise CaseError(self.at(name), f"true or false is needed, not {shown(value)}")
        return bool(value)

    def part(self, name: str) -> "Fields | None":
        """Return an object inside this one, None where it is left out."""
        value = self.raw(name)
        return None if value is None else Fields(value, self.at(name))

    def parts(self, name: str) -> list["Fields"]:
        """Return the objects of a list; left out it is empty."""
        value = self.raw(name)
        if value is None:
            return []
        return [Fields(each, f"{self.at(name)}[{place}]") for place, each in enumerate(self._sequence(name, value))]

    def seats(self, players: int) -> Iterator[tuple[int, str]]:
        """Yield seat and name of each field of an object that is keyed by seat, in the order written."""
        for name in self._value:
            if not isinstance(name, str) or name not in {str(seat) for seat in range(players)}:
                raise CaseError(self.where, f"{shown(name)} is no seat of 0..{players - 1}")
            yield int(name), name

    def done(self, *known: str) -> None:
        """Refuse the first field that nobody read; `known` may stand there unread."""
        for name in self._value:
            if name not in self._read and name not in known:
                listed = ", ".join(sorted({*self._read, *known}))
                raise CaseError(self.where, f"unknown field {shown(name)}; known: {listed}")

    def _sequence(self, name: str, value: object) -> Sequence[Any]:
        if not isinstance(value, list | tuple):
            raise CaseError(self.at(name), f"a list is needed, not {shown(value)}")
        return value

    @staticmethod
    def _bounded(where: str, value: object, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise CaseError(where, f"a whole number is needed, not {shown(value)}")
        if not low <= value <= high:
            raise CaseError(where, f"{shown(value)} is not in {low}..{high}")
        return value
