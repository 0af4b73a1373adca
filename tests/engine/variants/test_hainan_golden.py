"""Hainan's golden games replay and regenerate byte for byte; its perft counts stand, and the plain referee's agree."""

from pathlib import Path

import goldens
import pytest
from goldens import Entry
from hainan_referee import HainanReferee

from engine.variants import find

FILES = goldens.files("hainan")
ENTRIES = goldens.entries("hainan")


def test_the_files_are_what_their_generator_writes() -> None:
    made = goldens.generator("hainan")
    goldens.are_made_anew(FILES, made.games(), made.file_of)
    assert goldens.perft("hainan") == made.text(made.entries())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_golden_game_replays_without_a_fault(path: Path) -> None:
    goldens.replays(path)


def test_the_golden_games_hold_what_they_are_named_for() -> None:
    records = goldens.records_of(FILES)
    for preset in ("hainan", "hainan.nofan", "hainan.three", "hainan.random"):
        assert records[preset][0]["rules"]["id"] == preset
        assert any(record["type"] == "flower" for record in records[preset])
    assert len(records["hainan.three"][0]["seats"]) == 3
    assert any(record["type"] == "wild" for record in records["hainan.random"])
    ga = records["ga-and-indicator"]
    assert sum(record["type"] == "ga_chosen" for record in ga) == 12
    assert all("indicator" in record for record in ga if record["type"] == "wild")
    assert any(record.get("by") == "robbed" for record in records["robbed"])
    assert any(record["type"] == "drawn_hand" for record in records["drawn-hand"])
    assert any(record.get("occasion") == "flowers" for record in records["instant-flowers"])


def by_name(entry: Entry) -> str:
    return str(entry["name"])


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_counts_and_order_stand(entry: Entry) -> None:
    goldens.stands(entry)


def begun(entry: Entry) -> HainanReferee:
    options = find(entry["rules"], entry["options"]).options()
    spot = {"dealer": 0, "round_wind": "E", "streak": 0, "ga": [0] * options["players"]}
    return HainanReferee(options, spot, entry["wall"].split(), (), 0)


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_the_referee_counts_the_same(entry: Entry) -> None:
    goldens.referee_counts(entry, begun, 2)


@pytest.mark.long
@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_the_referee_counts_the_same_to_the_whole_depth(entry: Entry) -> None:
    goldens.referee_counts(entry, begun)


def test_the_positions_differ_by_their_options() -> None:
    counts = {entry["name"]: entry["counts"] for entry in ENTRIES}
    after, waiting = counts["a claim in the first turn, flowers after it"], counts["flowers wait for the first draw"]
    assert after[0] == waiting[0] + 2  # two flowers became tiles that may go
