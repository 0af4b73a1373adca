"""Golden games of Dinghai and Duqiao with one field of one event changed: replay names the event and a clause."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tables import edited, found

from engine.cards import KINDS
from engine.events import Record, load

DATA = Path(__file__).parents[3] / "data"
GAMES = ["dinghai/feeding", "dinghai/robbed", "dinghai/fed-kong", "dinghai/drawn-hand", "duqiao/robbed",
         "duqiao/liability", "duqiao/drawn-hand"]  # fmt: skip
DERIVED = ("hand_started", "dice", "dealt", "flower", "drawn", "melded", "won", "drawn_hand", "settled", "hand_ended")
PREMISED = {"v", "game", "seq", "at", "type"}
"""Fields of the envelope, which other tests change."""


def log_of(name: str) -> list[bytes]:
    folder, _, stem = name.partition("/")
    return (DATA / folder / "golden" / f"{stem}.paipu.jsonl").read_bytes().splitlines()


def other(name: str, value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1 if name not in {"seat", "dealer", "from"} else (value + 1) % 4
    if isinstance(value, str) and value in KINDS:
        return KINDS[(KINDS.index(value) + 1) % len(KINDS)]
    words = {
        "by": ["self_draw", "discard", "robbed"],
        "end": ["head", "tail"],
        "reason": ["wall_end", "no_replacement"],
        "occasion": ["earthly", "last_discard"],
        "round_wind": ["E", "S"],
        "kind": ["chow", "pung", "direct_kong"],
    }
    if name in words:
        return next(word for word in words[name] if word != value)
    if isinstance(value, str):
        return ("0" if value[0] != "0" else "1") + value[1:]
    if isinstance(value, list) and value and isinstance(value[0], int):
        return [value[0] + 1, value[1] - 1, *value[2:]] if name != "values" else [value[0] % 6 + 1, *value[1:]]
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [other("tile", value[0]), *value[1:]]
    return None


def changes(record: Record) -> list[tuple[str, Any]]:
    its = [(name, other(name, value)) for name, value in record.items() if name not in PREMISED]
    return [(name, value) for name, value in its if value is not None]


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_consequence_is_named_at_its_place(name: str) -> None:
    lines = log_of(name)
    seen: Counter[str] = Counter()
    for seq, line in enumerate(lines):
        record = load(line)
        if record["type"] not in DERIVED or (seen[record["type"]] > 6 and seq % 5):
            continue
        for field, value in changes(record):
            place = found(edited(lines, seq, **{field: value}))
            assert place is not None, (seq, field)
            assert place.seq == seq, (seq, field, place)
            assert place.clause or place.code == "schema"
            seen[record["type"]] += 1
    assert seen["settled"] >= 1
    assert seen["flower"] > 5


@pytest.mark.parametrize("name", GAMES)
def test_a_settlement_one_point_wrong_is_named_with_the_clause_that_demands_the_amount(name: str) -> None:
    lines = log_of(name)
    folder = name.partition("/")[0]
    known = json.loads((DATA / folder / "clauses.json").read_bytes())
    for seq, line in enumerate(lines):
        record = load(line)
        if record["type"] != "settled":
            continue
        for at, its in enumerate(record["lines"]):
            wrong = [dict(each) for each in record["lines"]]
            wrong[at] = {**its, "amount": its["amount"] + 1}
            payments = list(record["payments"])
            payments[its["from"]] -= 1
            payments[its["to"]] += 1
            place = found(edited(lines, seq, lines=wrong, payments=payments))
            assert place is not None
            assert (place.seq, place.code) == (seq, "settled")
            assert place.clause in known
        for at in range(len(record["winners"])):
            short = [each for number, each in enumerate(record["winners"]) if number != at]
            place = found(edited(lines, seq, winners=short))
            assert place is not None
            assert place.code == "settled"


@pytest.mark.parametrize("name", GAMES)
def test_a_flower_or_replacement_taken_out_is_missed(name: str) -> None:
    lines = log_of(name)
    tried = 0
    for seq, line in enumerate(lines):
        if b'"type":"flower"' in line and tried < 6:
            tried += 1

            place = found([*lines[:seq], edited([lines[seq + 1]], 0, seq=seq)[0], *lines[seq + 2 :]])

            assert place is not None
            assert place.seq == seq
    assert tried > 1
