"""Where two logs of what should be one game part: event by event, the first difference and its fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import EventError
from engine.events import load


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first event that differs. A log that has ended there has None in the place of its line."""

    seq: int
    left: bytes | None
    right: bytes | None
    fields: dict[str, tuple[Any, Any]]
    """Fields that differ, with both values; a field that one side lacks is None there."""


def first(left: Sequence[bytes], right: Sequence[bytes]) -> Divergence | None:
    """Return where two logs part, None where they are the same byte for byte."""
    for seq, (mine, other) in enumerate(zip(left, right, strict=False)):
        if mine != other:
            return Divergence(seq, mine, other, differing(mine, other))
    if len(left) == len(right):
        return None
    seq = min(len(left), len(right))
    return Divergence(seq, left[seq] if seq < len(left) else None, right[seq] if seq < len(right) else None, {})


def differing(left: bytes, right: bytes) -> dict[str, tuple[Any, Any]]:
    """Return the fields that differ between two events; none where one of them cannot be read."""
    try:
        mine, other = load(left), load(right)
    except EventError:
        return {}
    names = sorted({*mine, *other})
    return {name: (mine.get(name), other.get(name)) for name in names if mine.get(name) != other.get(name)}


def all_differences(left: Sequence[bytes], right: Sequence[bytes], most: int = 500) -> list[Divergence]:
    """Return every event that differs, at most `most`; what one log has beyond the other's end comes last."""
    found = []
    for seq in range(max(len(left), len(right))):
        mine = left[seq] if seq < len(left) else None
        other = right[seq] if seq < len(right) else None
        if mine != other:
            fields = differing(mine, other) if mine is not None and other is not None else {}
            found.append(Divergence(seq, mine, other, fields))
            if len(found) == most:
                break
    return found
