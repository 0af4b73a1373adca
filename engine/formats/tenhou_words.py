"""Words of an mjlog's attributes: numbers, tiles, seats; a word that is none raises OddTagError with the reason."""

import re

_NUMBER = re.compile(r"0|-?[1-9][0-9]*")
_TENTHS = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]))?")


class OddTagError(ValueError):
    """A tag that cannot be taken; the text says why."""


def only(given: dict[str, str], needed: set[str], known: set[str]) -> None:
    """Refuse attributes that lack, or that are not known."""
    lacking, strange = needed - set(given), set(given) - known
    if lacking or strange:
        raise OddTagError(f"attributes: lacking {sorted(lacking)}, unknown {sorted(strange)}")


def number(word: str) -> int:
    """Return a whole number written without leading zeros."""
    if not _NUMBER.fullmatch(word) or len(word) > 9:
        raise OddTagError(f"no number: {word[:20]!r}")
    return int(word)


def numbers(text: str, count: int | None = None) -> list[int]:
    """Return numbers with commas between them, so many of them."""
    values = [number(word) for word in text.split(",")]
    if count is not None and len(values) != count:
        raise OddTagError(f"{len(values)} numbers, not {count}")
    return values


def pair(text: str) -> tuple[int, int]:
    """Return two numbers."""
    first, second = numbers(text, 2)
    return first, second


def tile_id(word: str) -> int:
    """Return a tile id, 0..135."""
    value = number(word)
    if not 0 <= value <= 135:
        raise OddTagError(f"no tile {value}")
    return value


def tiles(text: str) -> list[int]:
    """Return tile ids with commas between them."""
    return [tile_id(word) for word in text.split(",")]


def seat(word: str) -> int:
    """Return a seat, 0..3."""
    if word not in {"0", "1", "2", "3"}:
        raise OddTagError(f"no seat {word[:20]!r}")
    return int(word)


def tenths(word: str) -> int:
    """Return a number with one decimal, or (until 2009) a whole one, in tenths."""
    match = _TENTHS.fullmatch(word)
    if match is None or word in {"-0.0", "-0"}:
        raise OddTagError(f"no number with one decimal: {word[:20]!r}")
    value = 10 * int(match[2]) + int(match[3] or "0")
    return -value if match[1] else value
