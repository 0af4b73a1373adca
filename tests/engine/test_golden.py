"""The golden games of `data/linhai/golden`: they replay without a fault and are made anew byte for byte."""

from pathlib import Path

import goldens
import pytest
from tables import found

from engine.events import load

FILES = goldens.files("linhai")


def test_the_files_are_what_their_generator_writes() -> None:
    made = goldens.generator("golden")
    goldens.are_made_anew(FILES, made.games(), made.file_of)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_golden_game_replays_without_a_fault(path: Path) -> None:
    goldens.replays(path)


def test_the_golden_games_hold_what_they_are_named_for() -> None:
    by_name = goldens.records_of(FILES)
    assert by_name["linhai"][0]["rules"]["id"] == "linhai"
    assert by_name["linhai.144"][0]["rules"]["id"] == "linhai.144"
    assert any(record["type"] == "flower" for record in by_name["linhai.144"])
    assert any(record.get("by") == "robbed" for record in by_name["rob-kong"])
    assert by_name["locks"][0]["rules"]["options"]["pass_win_lock"] == "dinghai"
    assert by_name["dissolved"][-1]["reason"] == "dissolved"
    assert by_name["void-epoch"][-1]["reason"] == "void_epoch"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_golden_game_with_any_byte_flipped_is_no_longer_lawful_or_says_another_lawful_thing(path: Path) -> None:
    # A flip within `at`, a remark or a free choice is another lawful log (tamper/test_matrix.py lists which fields).
    free = {"at", "engine", "kind", "actor", "reason", "tile", "answer", "drawn", "type", "seat"}
    lines = path.read_bytes().splitlines()
    for seq in range(1, len(lines), 23):
        line = lines[seq]
        for at in range(3, len(line), 11):
            flipped = bytes([*line[:at], line[at] ^ 1, *line[at + 1 :]])
            if found([*lines[:seq], flipped, *lines[seq + 1 :]]) is None:
                was, now = load(line), load(flipped)
                assert {name for name in was if was[name] != now.get(name)} <= free
