"""Records of other systems as targets: read from a file, judged, shown as events of ours.

What is checked stands in `engine.formats`; this module brings the file, the scorer and the words together. A field
that nothing in the record can confirm is listed as not checkable, and so is a rule that no hand of it depends on.
"""

import gzip
import zlib
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.formats import Format, recognise, riichi_events, riichi_reading
from engine.formats.riichi import HANCHAN, NO_OPEN_TANYAO, NO_RED, RiichiRecord
from engine.formats.riichi_match import Verdict, check
from ledger.errors import Malformed, Unavailable
from ledger.findings import Unchecked
from viewer.plain import read_bytes
from viewer.riichi_score import score

GZIP = b"\x1f\x8b"
MOST_TEXT = 1 << 26
"""Bytes of one record once unpacked; a real one has some 50,000."""
RULE_BITS: Final = {
    HANCHAN: "length of the match", NO_RED: "whether fives are red", NO_OPEN_TANYAO: "whether open hands count tanyao",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Foreign:
    """A foreign record with the format it came in. `game` is the file's name without its endings."""

    game: str
    format: Format
    record: RiichiRecord


def unpacked(data: bytes, target: str) -> bytes:
    """Return gzipped bytes unpacked, others as they are; Malformed where they are damaged or too large."""
    if not data.startswith(GZIP):
        return data
    try:
        engine = zlib.decompressobj(wbits=31)
        text = engine.decompress(data, MOST_TEXT)
    except zlib.error as error:
        raise Malformed(target, f"not gzip: {error}", 0) from None
    if not engine.eof or engine.unused_data:
        raise Malformed(target, f"gzip cut off, followed by more, or larger than {MOST_TEXT} bytes", len(text))
    return text


def read(path: str) -> Foreign | None:
    """Read a foreign record, None where the file looks like none. EventError where it is damaged beyond reading."""
    data = unpacked(read_bytes(path), path)
    found = recognise(data)
    if found is None:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(path, "not UTF-8", error.start) from None
    return Foreign(name_of(path), found, found.read(text))


def name_of(path: str) -> str:
    """Return the id that a file's game gets: its name without the known endings."""
    name = "stdin" if path == "-" else Path(path).name
    for ending in (".gz", ".xml", ".mjlog", ".mjai.jsonl", ".jsonl", ".json"):
        name = name.removesuffix(ending)
    plain = "".join(each if each.isascii() and (each.isalnum() or each in "._-") else "-" for each in name)
    return plain.lstrip("._-")[:64] or "foreign"


def lines(foreign: Foreign) -> list[bytes]:
    """Return a foreign record as events of ours."""
    return riichi_events.write(foreign.record, foreign.game)


def judge(record: RiichiRecord) -> Verdict:
    """Judge a record, hands valued anew."""
    return check(record, score)


def judge_lines(rows: list[bytes]) -> tuple[RiichiRecord, Verdict]:
    """Judge a record that stands in events of ours."""
    record = riichi_reading.read(rows)
    return record, judge(record)


def unchecked(foreign: Foreign, verdict: Verdict, level: int) -> Iterator[Unchecked]:
    """Yield what of a record could not be checked, and why."""
    for hand, code, why in verdict.unchecked:
        yield Unchecked(level, foreign.game, code, why, None if hand < 0 else hand)
    away = any(act.kind == "away" for hand in foreign.record.hands for act in hand.acts)
    for name, what in foreign.format.unchecked.items():
        if name.startswith("BYE") and not away:
            continue
        yield Unchecked(level, foreign.game, name, f"{what}: only the operator knows", None)
    if verdict.holds:
        for what in undetermined(foreign.record):
            yield Unchecked(level, foreign.game, "rules", f"{what}: no hand of this record depends on it", None)


def undetermined(record: RiichiRecord) -> Iterator[str]:
    """Yield the rules of a sound record that could be the other way without any hand becoming wrong."""
    for bit, what in RULE_BITS.items():
        other = copy(record)
        other.type ^= bit
        if judge(other).holds:
            yield what


def packed(text: str) -> bytes:
    """Return a record's text as the operators serve it: gzipped, the same bytes each time."""
    return gzip.compress(text.encode(), mtime=0)


def need(path: str) -> Foreign:
    """Read a foreign record; Unavailable where the file is none."""
    found = read(path)
    if found is None:
        raise Unavailable(path, "neither mjlog nor tenhou.net/6 JSON nor mjai")
    return found
