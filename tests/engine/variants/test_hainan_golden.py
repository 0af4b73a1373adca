"""Hainan's golden games replay and regenerate byte for byte; its perft counts stand, and the plain referee's agree."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hainan_referee import HainanReferee
from tables import Laid, Room

from engine import replay
from engine.cards import tile_deck
from engine.events import Body, canonical, load
from engine.variants import find

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "data" / "hainan" / "golden").glob("*.paipu.jsonl"))
PERFT = ROOT / "data" / "hainan" / "perft.json"
ENTRIES: list[dict[str, Any]] = json.loads(PERFT.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_hainan", ROOT / "tests/generate/hainan.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_what_their_generator_writes(generator: ModuleType) -> None:
    games = {f"{name}.paipu.jsonl": generator.file_of(lines) for name, lines in generator.games().items()}
    assert sorted(games) == [path.name for path in FILES]
    for path in FILES:
        assert path.read_bytes() == games[path.name], path.name
    assert PERFT.read_text(encoding="utf-8") == generator.text(generator.entries())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_golden_game_replays_without_a_fault(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    result = replay.replay(lines)
    assert result.finding is None
    assert result.closed
    assert result.prefix == len(lines)
    assert result.notes == []


def test_the_golden_games_hold_what_they_are_named_for() -> None:
    games = {path.name.removesuffix(".paipu.jsonl"): path.read_bytes().splitlines() for path in FILES}
    records = {name: [load(line) for line in lines] for name, lines in games.items()}
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


def by_name(entry: dict[str, Any]) -> str:
    return str(entry["name"])


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_counts_and_order_stand(entry: dict[str, Any], generator: ModuleType) -> None:
    rules: Any = find(entry["rules"], entry["options"])
    deck = tile_deck(flowers=True, winds=not rules.no_winds)
    laid = Laid(generator.on_deck(deck, entry["wall"].split()), ())
    table: Room = generator.room("perft", entry["rules"], entry["options"], laid=laid)
    for body in entry["moves"]:
        table.act(body)
    counts, order = generator.counted(table, len(entry["counts"]))
    assert counts == entry["counts"]
    assert order == entry["order"]


class Line:
    """The referee's hand after some decisions, consequences filled in by itself."""

    def __init__(self, entry: dict[str, Any], moves: list[Body]) -> None:
        options = find(entry["rules"], entry["options"]).options()
        spot = {"dealer": 0, "round_wind": "E", "streak": 0, "ga": [0] * options["players"]}
        self.referee = HainanReferee(options, spot, entry["wall"].split(), (), 0)
        self.seq = 2 * options["players"] + 3  # opened, commitments, reveals, seated, hand_started
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


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_the_referee_counts_the_same(entry: dict[str, Any]) -> None:
    depth = min(len(entry["counts"]), 2)
    assert counted_plainly(entry, entry["moves"], depth) == entry["counts"][:depth]


@pytest.mark.long
@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_the_referee_counts_the_same_to_the_whole_depth(entry: dict[str, Any]) -> None:
    assert counted_plainly(entry, entry["moves"], len(entry["counts"])) == entry["counts"]


def test_the_positions_differ_by_their_options() -> None:
    counts = {entry["name"]: entry["counts"] for entry in ENTRIES}
    after, waiting = counts["a claim in the first turn, flowers after it"], counts["flowers wait for the first draw"]
    assert after[0] == waiting[0] + 2  # two flowers became tiles that may go
