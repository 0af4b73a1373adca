"""Perft: the number of sequences of lawful decisions from a position, and their order (`data/linhai/perft.json`).

The counts are checked against the plain referee, which shares nothing with the engine; the order is pinned by digest.
"""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from referee import Referee
from tables import Laid, Room

from engine.cards import tile_deck
from engine.events import Body, canonical
from engine.variants import find

ROOT = Path(__file__).parents[2]
FILE = ROOT / "data" / "linhai" / "perft.json"
ENTRIES: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))


def by_name(entry: dict[str, Any]) -> str:
    return str(entry["name"])


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_perft", ROOT / "tests/generate/perft.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_file_is_what_its_generator_writes(generator: ModuleType) -> None:
    assert FILE.read_text(encoding="utf-8") == generator.text(generator.entries())


def placed(entry: dict[str, Any]) -> Room:
    """Set a table up from nothing but the file's own words."""
    deck = tile_deck(flowers=len(entry["wall"].split()) == 144)
    left: dict[str, list[int]] = {}
    for at, each in enumerate(deck):
        left.setdefault(each.partition(".")[0], []).append(at)
    wall = tuple(left[code].pop(0) for code in entry["wall"].split())
    room = Room(entry["rules"], entry["options"], name="perft", laid=Laid(wall, tuple(entry["dice"])))
    for body in entry["moves"]:
        room.act(body)
    return room


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_counts_and_order_stand(entry: dict[str, Any], generator: ModuleType) -> None:
    counts, order = generator.counted(placed(entry), len(entry["counts"]))
    assert counts == entry["counts"]
    assert order == entry["order"]


class Line:
    """The referee's hand after some decisions, consequences filled in by itself."""

    def __init__(self, entry: dict[str, Any], moves: list[Body]) -> None:
        options = find(entry["rules"], entry["options"]).options()
        self.referee = Referee(options, 0, "E", entry["wall"].split(), entry["dice"])
        self.seq = 11  # opened, four commitments, four reveals, seated, hand_started
        self.fill()
        for body in moves:
            allowed = {canonical(each) for each in self.referee.want[1]}
            assert canonical(body) in allowed, body
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
    depth = min(len(entry["counts"]), 3)
    assert counted_plainly(entry, entry["moves"], depth) == entry["counts"][:depth]


@pytest.mark.long
@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_the_referee_counts_the_same_to_the_whole_depth(entry: dict[str, Any]) -> None:
    assert counted_plainly(entry, entry["moves"], len(entry["counts"])) == entry["counts"]


def test_the_positions_differ_by_their_options() -> None:
    counts = {entry["name"]: entry["counts"] for entry in ENTRIES}
    assert counts["a chow, swap ban off"][0] == counts["a chow, swap ban dinghai"][0] + 2  # neither 3m nor 6m
    assert counts["before an added kong, rob_kong off"] != counts["before an added kong, rob_kong as_discard"]
