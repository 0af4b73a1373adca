"""tenhou.net/6 JSON, mjai lines and events of ours: round trips, the same verdict in each, odd input named."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import riichi_game

from engine.errors import EventError
from engine.events import canonical, load
from engine.formats import FORMATS, mjai, recognise, riichi_events, riichi_reading, tenhou, tenhou_json
from engine.formats.riichi import RiichiRecord, code_of
from engine.formats.riichi_match import check
from viewer.riichi_score import score

Module = Any


def told(record: RiichiRecord) -> list[object]:
    """Return what every format says of a record: tiles by code, no seed, dice, copies of tiles or values of hands.

    A riichi whose discard or deposit is cut off has no place in tenhou.net/6.
    """

    def codes(*tiles: int) -> list[str]:
        return sorted(code_of(tile, reds=record.reds) for tile in tiles if tile >= 0)

    rows: list[object] = []
    for hand in record.hands:
        rows.append((hand.round, hand.honba, hand.deposits, hand.scores, codes(hand.dora)))
        rows += [codes(*tiles) for tiles in hand.hands]
        rows += [
            (act.kind, act.seat, codes(act.tile) if act.kind != "concealed_kong" else [], codes(*act.tiles),
             codes(act.claimed), act.source)
            for act in hand.acts
        ]  # fmt: skip
        rows += [(win.seat, win.source, win.deltas, codes(*(win.ura or ()))) for win in hand.wins]
        rows += [(hand.drawn.reason, hand.drawn.deltas)] if hand.drawn is not None else []
    while isinstance(rows[-1], tuple) and rows[-1][0] in {"riichi", "deposit"}:
        rows.pop()
    return rows


def records(shared: Path) -> list[RiichiRecord]:
    found = [tenhou.read(path.read_text()) for path in sorted((shared / "vectors" / "tenhou").glob("*.mjlog"))]
    assert len(found) == 40
    return found


@pytest.mark.parametrize("module", [tenhou_json, mjai], ids=["tenhou6", "mjai"])
def test_public_games_survive_a_round_trip(shared: Path, module: Module) -> None:
    for record in records(shared):
        text = module.write(record)
        again = module.read(text)
        assert again.problems == []
        assert module.write(again) == text
        assert told(again) == told(record)
        assert check(again, score).findings == []


@pytest.mark.parametrize("module", [tenhou_json, mjai], ids=["tenhou6", "mjai"])
@pytest.mark.parametrize("number", range(2))
def test_our_games_survive_a_round_trip(module: Module, number: int) -> None:
    record = riichi_game.play(number)
    text = module.write(record)
    again = module.read(text)
    assert again.problems == []
    assert module.write(again) == text
    assert told(again) == told(record)
    verdict = check(again, score)
    assert verdict.findings == []
    assert (-1, "V9", "no published seed: deals and draws taken as given") in verdict.unchecked


def test_public_games_as_events_and_back(shared: Path) -> None:
    for record in records(shared):
        lines = riichi_events.write(record, "g")
        again = riichi_reading.read(lines)
        assert again.problems == []
        assert riichi_events.write(again, "g") == lines
        verdict = check(again, score)
        assert verdict.findings == []
        assert not record.ended or not verdict.unchecked  # whole games carry their seed along


def test_events_of_our_game_hold(own: str) -> None:
    lines = riichi_events.write(tenhou.read(own), "own")
    again = riichi_reading.read(lines)
    assert riichi_events.write(again, "own") == lines
    assert check(again, score).findings == []


def edits(line: bytes, rng: random.Random) -> bytes | None:
    """Return an event with one value changed."""
    event = load(line)
    names = sorted(set(event) - {"at", "game", "seq", "v", "type"})
    if not names:
        return None
    name = rng.choice(names)
    value = event[name]
    if isinstance(value, bool) or name in {"rules", "deal", "match", "engine", "operator", "table", "seats"}:
        return None
    if isinstance(value, int):
        event[name] = value + rng.choice([-1, 1])
    elif isinstance(value, str):
        event[name] = {"head": "tail", "tail": "head"}.get(value, rng.choice(["1m", "9s", "E"]))
    elif isinstance(value, list) and value and all(isinstance(each, int) for each in value):
        value[rng.randrange(len(value))] += 100
    elif isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        value[rng.randrange(len(value))] = rng.choice(["1m", "9s", "E"])
    else:
        return None
    changed = canonical(event)
    return None if changed == line else changed


def test_no_value_of_an_event_changes_unnoticed(own: str) -> None:
    lines = riichi_events.write(tenhou.read(own), "own")
    rng = random.Random(5)
    done = 0
    while done < 25:
        at = rng.randrange(1, len(lines))
        other = edits(lines[at], rng)
        if other is None:
            continue
        done += 1
        verdict = check(riichi_reading.read([*lines[:at], other, *lines[at + 1 :]]), score)
        if not verdict.findings:
            before, after = load(lines[at]), load(other)
            assert before["type"] == "discarded", (lines[at], other)
            assert before["seat"] == after["seat"]  # another tile of the same hand: a legal discard


def test_events_left_out_doubled_or_exchanged_are_found(own: str) -> None:
    lines = riichi_events.write(tenhou.read(own), "own")
    rng = random.Random(6)
    for _ in range(12):
        at = rng.randrange(1, len(lines) - 1)
        whole = [*lines[:at], *lines[at + 1 :]]
        renumbered = [canonical({**load(line), "seq": seq}) for seq, line in enumerate(whole)]
        assert check(riichi_reading.read(whole), score).findings
        assert check(riichi_reading.read(renumbered), score).findings, lines[at]


@pytest.mark.parametrize("module", [tenhou_json, mjai], ids=["tenhou6", "mjai"])
@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "null", '{"log":[]}', '{"type":"hora"}', "x" * 2000])
def test_what_is_none_of_a_format_is_refused(module: Module, text: str) -> None:
    with pytest.raises(EventError):
        module.read(text)


def change_json(change: Callable[[dict[str, Any]], None]) -> RiichiRecord:
    whole = json.loads(tenhou_json.write(riichi_game.play(1)))
    change(whole)
    return tenhou_json.read(json.dumps(whole))


def set_at(whole: dict[str, Any], hand: int, part: int, place: int, value: object) -> None:
    whole["log"][hand][part][place] = value


@pytest.mark.parametrize("change", [
    lambda whole: whole["log"][0].pop(), lambda whole: set_at(whole, 0, 4, 0, 99),
    lambda whole: set_at(whole, 0, 5, 0, "x"),
    lambda whole: whole["log"][0][5].pop(), lambda whole: whole["log"][0][6].append(60),
    lambda whole: whole["log"][0].__setitem__(16, ["何"]), lambda whole: set_at(whole, 0, 5, 0, "c111213"),
    lambda whole: set_at(whole, 0, 4, slice(0, 1), []),
])  # fmt: skip
def test_an_odd_hand_is_a_problem(change: Callable[[dict[str, Any]], None]) -> None:
    record = change_json(change)
    assert record.problems or check(record, score).findings


def test_a_changed_result_of_a_tenhou_json_is_found() -> None:
    def change(whole: dict[str, Any]) -> None:
        hand = next(each for each in whole["log"] if each[16][0] == "和了")
        hand[16][1][0] += 100

    assert check(change_json(change), score).findings


@pytest.mark.parametrize(("old", "new"), [
    ('"type":"tsumo"', '"type":"tsumi"'), ('"actor":0', '"actor":4'), ('"pai":"', '"pai":"z'),
    ('"tsumogiri":true', '"tsumogiri":3'),
    ('"kyoku":1', '"kyoku":9'), ('"deltas":[', '"deltas":[1,'), ('"type":"end_kyoku"', '"type":"end_kyoku","x":1'),
])  # fmt: skip
def test_odd_mjai_lines_are_found(old: str, new: str) -> None:
    text = mjai.write(riichi_game.play(1))
    assert old in text
    record = mjai.read(text.replace(old, new, 1))
    assert record.problems or check(record, score).findings


def test_mjai_without_reasons_and_scores_is_read() -> None:
    rows = [json.loads(row) for row in mjai.write(riichi_game.play(2)).splitlines()]
    for row in rows:
        if row["type"] == "ryukyoku":
            del row["reason"]
        if row["type"] == "start_kyoku":
            del row["scores"]
    record = mjai.read("\n".join(json.dumps(row) for row in rows))
    assert record.problems == []
    assert check(record, score).findings == []


def test_each_format_is_recognised_and_no_other() -> None:
    record = riichi_game.play(0)
    for each in FORMATS:
        assert recognise(each.write(record).encode()) is each
    for data in (b"", b"SQLite format 3\x00", riichi_events.write(record, "g")[0]):
        assert recognise(data) is None


@pytest.mark.parametrize("module", [tenhou_json, mjai], ids=["tenhou6", "mjai"])
def test_what_a_record_does_not_hold_is_not_invented_for_an_mjlog(module: Module) -> None:
    record = module.read(module.write(riichi_game.play(0)))
    with pytest.raises(EventError, match="than this record holds"):
        tenhou.write(record)


def test_readers_and_check_survive_any_damage() -> None:
    rng = random.Random(8)
    texts = [(each, each.write(riichi_game.play(0))) for each in FORMATS]
    for _ in range(60):
        form, text = rng.choice(texts)
        for _ in range(rng.randint(1, 3)):
            at, size, other = rng.randrange(len(text)), rng.choice([1, 1, 2, 10, 40]), rng.randrange(len(text))
            text = rng.choice([
                text[:at] + text[at + size :], text[:at] + text[other : other + size] + text[at:],
                text[:at] + rng.choice('0159mpsEN":,{}[]<>/-') + text[at + 1 :],
            ])  # fmt: skip
        try:
            record = form.read(text)
        except EventError:
            continue
        verdict = check(record, score)
        assert not record.problems or verdict.findings
