"""The golden games of `data/linhai/golden`: they replay without a fault and are made anew byte for byte."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from tables import found

from engine import replay
from engine.events import load

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "data" / "linhai" / "golden"
FILES = sorted(FOLDER.glob("*.paipu.jsonl"))


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_golden", ROOT / "tests/generate/golden.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_what_their_generator_writes() -> None:
    made = generator()
    games = {f"{name}.paipu.jsonl": made.file_of(lines) for name, lines in made.games().items()}
    assert sorted(games) == [path.name for path in FILES]
    for path in FILES:
        assert path.read_bytes() == games[path.name], path.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_golden_game_replays_without_a_fault(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    result = replay.replay(lines)
    assert result.finding is None
    assert result.closed
    assert result.prefix == len(lines)
    assert result.notes == []


def test_the_golden_games_hold_what_they_are_named_for() -> None:
    by_name = {
        path.name.partition(".paipu")[0]: [load(line) for line in path.read_bytes().splitlines()] for path in FILES
    }
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
