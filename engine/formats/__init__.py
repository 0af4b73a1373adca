"""Foreign formats: records of other systems read into one model, checked, and written again.

A format is a module with `read(text) -> RiichiRecord` (EventError where the text is none of it, problems in the
record where parts of it are odd), `write(record) -> text`, and a test of the first bytes; it is listed here once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.formats import mjai, tenhou, tenhou_json
from engine.formats.riichi import RiichiRecord


@dataclass(frozen=True, slots=True)
class Format:
    """A foreign format by name."""

    name: str
    suffix: str
    looks: Callable[[bytes], bool]
    read: Callable[[str], RiichiRecord]
    write: Callable[[RiichiRecord], str]
    unchecked: dict[str, str]
    """Fields that nothing in the record can confirm, and what they say."""


FORMATS: Final = (
    Format("mjlog", ".mjlog", tenhou.is_mjlog, tenhou.read, tenhou.write, tenhou.UNCHECKED),
    Format("tenhou6", ".json", tenhou_json.is_tenhou_json, tenhou_json.read, tenhou_json.write, tenhou_json.UNCHECKED),
    Format("mjai", ".mjai.jsonl", mjai.is_mjai, mjai.read, mjai.write, mjai.UNCHECKED),
)


def recognise(data: bytes) -> Format | None:
    """Return the format that bytes look like, None where they look like none of these."""
    return next((each for each in FORMATS if each.looks(data)), None)
