"""Golden games and perft of Dinghai and Duqiao: byte for byte, and counted by the plain referees as well."""

from pathlib import Path

import goldens
import pytest
from goldens import Entry
from referee import Referee
from referees import REFEREES

from engine.variants import find

PRESETS = ("dinghai", "duqiao")
FILES = [path for preset in PRESETS for path in goldens.files(preset)]
ENTRIES = [entry for preset in PRESETS for entry in goldens.entries(preset)]
IDS = [f"{entry['rules']}: {entry['name']}" for entry in ENTRIES]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_files_are_what_their_generator_writes(preset: str) -> None:
    made = goldens.generator("flowered")
    goldens.are_made_anew(goldens.files(preset), made.games(preset), made.file_of)
    assert goldens.perft(preset) == made.text(made.entries(preset))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}/{path.name}")
def test_a_golden_game_replays_without_a_fault(path: Path) -> None:
    goldens.replays(path)


def test_the_golden_games_hold_what_they_are_named_for() -> None:
    records = {
        (preset, name): its for preset in PRESETS for name, its in goldens.records_of(goldens.files(preset)).items()
    }
    for preset in PRESETS:
        assert any(record["type"] == "flower" for record in records[preset, preset])
        assert any(record["type"] == "drawn_hand" for record in records[preset, "drawn-hand"])
        assert any(record.get("by") == "robbed" for record in records[preset, "robbed"])
    reasons = {
        name: {line["reason"] for record in its if record["type"] == "settled" for line in record["lines"]}
        for name, its in records.items()
    }
    assert "kong_bloom" in reasons["dinghai", "fed-kong"]
    assert "feeding" in reasons["dinghai", "feeding"]
    assert "drawn_hand" in reasons["dinghai", "drawn-hand"]
    assert "liability" in reasons["duqiao", "liability"]
    assert "difference" in reasons["duqiao", "duqiao"]
    assert records["dinghai", "dinghai.qiqi50"][0]["rules"]["id"] == "dinghai.qiqi50"
    assert records["dinghai", "custom-points"][0]["rules"]["options"]["points"] == [2, 3, 5, 8, 13]


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_counts_and_order_stand(entry: Entry) -> None:
    goldens.stands(entry)


def begun(entry: Entry) -> Referee:
    rules = find(entry["rules"], entry["options"])
    return REFEREES[rules.variant](rules.options(), 0, "E", entry["wall"].split(), entry["dice"])


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_the_referee_counts_the_same(entry: Entry) -> None:
    goldens.referee_counts(entry, begun, 2)


@pytest.mark.long
@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_the_referee_counts_the_same_to_the_whole_depth(entry: Entry) -> None:
    goldens.referee_counts(entry, begun)


def test_the_positions_differ_by_their_options() -> None:
    counts = {entry["name"]: entry["counts"] for entry in ENTRIES if entry["rules"] == "dinghai"}
    assert counts["a chow, swap ban chow"][0] == counts["a chow, swap ban none"][0] - 2  # neither 2m nor 5m
    assert counts["a pung, swap ban chow+peng"][0] == counts["a pung, swap ban chow"][0] - 1  # not 9m
    assert counts["a declined win, lock all"] != counts["a declined win, lock same_tile"]
    assert counts["the last flower, draw"] != counts["the last flower, discard_on"]
