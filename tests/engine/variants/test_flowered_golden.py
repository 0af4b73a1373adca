"""Golden games and perft of Dinghai and Duqiao: byte for byte, and counted by the plain referees as well."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from referees import REFEREES
from tables import Laid, Room

from engine import replay
from engine.cards import tile_deck
from engine.events import Body, canonical, load
from engine.variants import find

ROOT = Path(__file__).parents[3]
PRESETS = ("dinghai", "duqiao")
FILES = [path for preset in PRESETS for path in sorted((ROOT / "data" / preset / "golden").glob("*.paipu.jsonl"))]
ENTRIES: list[dict[str, Any]] = [
    entry
    for preset in PRESETS
    for entry in json.loads((ROOT / "data" / preset / "perft.json").read_text(encoding="utf-8"))
]
IDS = [f"{entry['rules']}: {entry['name']}" for entry in ENTRIES]


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_flowered", ROOT / "tests/generate/flowered.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("preset", PRESETS)
def test_the_files_are_what_their_generator_writes(preset: str, generator: ModuleType) -> None:
    games = {f"{name}.paipu.jsonl": generator.file_of(lines) for name, lines in generator.games(preset).items()}
    its = [path for path in FILES if path.parent.parent.name == preset]
    assert sorted(games) == [path.name for path in its]
    for path in its:
        assert path.read_bytes() == games[path.name], path.name
    perft = (ROOT / "data" / preset / "perft.json").read_text(encoding="utf-8")
    assert perft == generator.text(generator.entries(preset))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}/{path.name}")
def test_a_golden_game_replays_without_a_fault(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    result = replay.replay(lines)
    assert result.finding is None
    assert result.closed
    assert result.prefix == len(lines)
    assert result.notes == []


def test_the_golden_games_hold_what_they_are_named_for() -> None:
    records = {
        (path.parent.parent.name, path.name.removesuffix(".paipu.jsonl")): [
            load(line) for line in path.read_bytes().splitlines()
        ]
        for path in FILES
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


def placed(entry: dict[str, Any]) -> Room:
    """Set a table up from nothing but the file's own words."""
    left: dict[str, list[int]] = {}
    for at, each in enumerate(tile_deck(flowers=True)):
        left.setdefault(each.partition(".")[0], []).append(at)
    wall = tuple(left[code].pop(0) for code in entry["wall"].split())
    room = Room(entry["rules"], entry["options"], name="perft", laid=Laid(wall, tuple(entry["dice"])))
    for body in entry["moves"]:
        room.act(body)
    return room


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_counts_and_order_stand(entry: dict[str, Any], generator: ModuleType) -> None:
    counts, order = generator.counted(placed(entry), len(entry["counts"]))
    assert counts == entry["counts"]
    assert order == entry["order"]


class Line:
    """The referee's hand after some decisions, consequences filled in by itself."""

    def __init__(self, entry: dict[str, Any], moves: list[Body]) -> None:
        rules = find(entry["rules"], entry["options"])
        self.referee = REFEREES[rules.variant](rules.options(), 0, "E", entry["wall"].split(), entry["dice"])
        self.seq = 11  # opened, four commitments, four reveals, seated, hand_started
        self.fill()
        for body in moves:
            assert canonical(body) in {canonical(each) for each in self.referee.want[1]}, body
            self.accept(body)
            self.fill()

    def accept(self, body: Body) -> None:
        self.referee.accept({**body, "seq": self.seq})
        self.seq += 1

    def fill(self) -> None:
        while self.referee.want[0] == "due":
            self.accept(self.referee.want[1])

    @property
    def choices(self) -> list[Body]:
        return self.referee.want[1] if self.referee.want[0] == "choose" else []


def counted_plainly(entry: dict[str, Any], moves: list[Body], depth: int) -> list[int]:
    """Count by playing every sequence from the first tile, for the referee cannot be copied."""
    choices = Line(entry, moves).choices
    if depth == 1:
        return [len(choices)]
    below = [counted_plainly(entry, [*moves, body], depth - 1) for body in choices]
    return [len(choices), *(sum(column) for column in zip(*below, strict=True))] if below else [0] * depth


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_the_referee_counts_the_same(entry: dict[str, Any]) -> None:
    depth = min(len(entry["counts"]), 2)
    assert counted_plainly(entry, entry["moves"], depth) == entry["counts"][:depth]


@pytest.mark.long
@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_the_referee_counts_the_same_to_the_whole_depth(entry: dict[str, Any]) -> None:
    assert counted_plainly(entry, entry["moves"], len(entry["counts"])) == entry["counts"]


def test_the_positions_differ_by_their_options() -> None:
    counts = {entry["name"]: entry["counts"] for entry in ENTRIES if entry["rules"] == "dinghai"}
    assert counts["a chow, swap ban chow"][0] == counts["a chow, swap ban none"][0] - 2  # neither 2m nor 5m
    assert counts["a pung, swap ban chow+peng"][0] == counts["a pung, swap ban chow"][0] - 1  # not 9m
    assert counts["a declined win, lock all"] != counts["a declined win, lock same_tile"]
    assert counts["the last flower, draw"] != counts["the last flower, discard_on"]
