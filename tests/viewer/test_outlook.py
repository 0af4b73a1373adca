"""What frames say beside the table: the wall's ends, times of answers, choices, the clause that demands an event."""

from typing import Any

import pytest

from engine.events import DECISIONS, load
from viewer import frames
from viewer.clauses import find
from viewer.simulate import Job, play
from viewer.views import Frame


def game(preset: str, seed: int = 6, **options: Any) -> list[bytes]:
    job = Job(preset, seed, 0, 1_700_000_000_000, options, {"length": {"hands": 3}})
    return [line for chunk in play(job) for line in chunk]


PRESETS = ["linhai.144", "dinghai", "hainan", "niuniu", "three_one"]


@pytest.fixture(scope="module", params=PRESETS)
def lines(request: pytest.FixtureRequest) -> list[bytes]:
    return game(request.param)


@pytest.fixture(scope="module")
def drawn(lines: list[bytes]) -> list[Frame]:
    return list(frames.film(lines))


def test_the_wall_counts_what_the_log_drew(lines: list[bytes], drawn: list[Frame]) -> None:
    head = tail = 0
    for line, frame in zip(lines, drawn, strict=True):
        record = load(line)
        if record["type"] == "hand_started":
            head = tail = 0
        elif record["type"] == "dealt":
            head += len(record["tiles"])
        elif record["type"] == "drawn" and record.get("end") == "tail":
            tail += 1
        elif record["type"] == "drawn":
            head += 1
        wall = frame.get("wall")
        if wall is None or record["type"] in {"hand_started", "dice", "wild", "dealt", "hand_ended", "revealed"}:
            continue
        assert (wall["head"], wall["tail"]) == (head, tail), frame["seq"]
        assert wall["head"] + wall["tail"] + frame["left"] in {wall["size"], wall["size"] - 1}


def test_every_decision_names_its_seat_and_what_it_could_have_been(lines: list[bytes], drawn: list[Frame]) -> None:
    for line, frame in zip(lines, drawn, strict=True):
        record = load(line)
        decides = record["type"] in DECISIONS and "seat" in record
        assert frame.get("decision", -1) == (record["seat"] if decides else -1)
        for choice in frame.get("could", ()):
            assert choice.get("any") or choice["tiles"] or choice["acts"]
        if record["type"] == "discarded":
            (mine,) = [each for each in frame["could"] if each["seat"] == record["seat"]]
            assert mine.get("any") or record["tile"] in mine["tiles"]


def test_what_must_follow_has_a_clause_with_a_text(lines: list[bytes], drawn: list[Frame]) -> None:
    told = {frame["type"] for frame in drawn if "clause" in frame}
    assert {"settled"} <= told
    assert all("could" not in frame for frame in drawn if "clause" in frame)
    assert [each for frame in drawn if "clause" in frame and find(each := frame["clause"]) is None] == []
    assert len(drawn) == len(lines)


def test_answers_carry_their_times() -> None:
    lines = game("linhai.144")
    at = {record["seq"]: record["at"] for record in map(load, lines)}
    seen = 0
    for line, frame in zip(lines, frames.film(lines), strict=True):
        record = load(line)
        if record["type"] != "answered":
            continue
        (mine,) = [each for each in frame["window"]["asked"] if each["seat"] == record["seat"]]
        assert mine["answer"] == record["answer"]
        assert mine["after"] == record["at"] - at[record["to"]]
        seen += 1
    assert seen > 5


def test_a_declined_pung_is_locked_where_the_rules_say_so() -> None:
    for seed in range(20):
        for frame in frames.film(game("dinghai", seed)):
            locks = [seat["locks"] for seat in frame["seats"] if "locks" in seat]
            if any(each["pungs"] for each in locks):
                return
    pytest.fail("nobody declined a pung in twenty games")


def test_the_bytes_stand_beside_their_frames_only_on_request(lines: list[bytes]) -> None:
    picture = frames.picture(lines)
    assert not any("raw" in frame for frame in picture["frames"])
    told = frames.with_bytes(picture, lines)
    assert [frame["raw"].encode() for frame in told["frames"]] == lines
