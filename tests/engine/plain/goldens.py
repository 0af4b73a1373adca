"""Golden games and perft entries of `data/<preset>`, their generators, and what is asked of them for every game.

A perft entry is counted twice: by the engine, and by a referee that plays every sequence from the first tile.
"""

import importlib.util
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from tables import Laid, Room

from engine import replay
from engine.cards import tile_deck
from engine.events import Body, Record, canonical, load
from engine.variants import find

ROOT = Path(__file__).parents[3]
DATA = ROOT / "data"
SUFFIX = ".paipu.jsonl"
Entry = dict[str, Any]


@cache
def generator(name: str) -> ModuleType:
    """Load `tests/generate/<name>.py`."""
    spec = importlib.util.spec_from_file_location(f"generate_{name}", ROOT / "tests" / "generate" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- golden games -------------------------------------------------------------------------------------------------


def files(preset: str) -> list[Path]:
    """Return the golden games of a preset."""
    return sorted((DATA / preset / "golden").glob(f"*{SUFFIX}"))


def records_of(paths: Iterable[Path]) -> dict[str, list[Record]]:
    """Read golden games, by name."""
    return {path.name.removesuffix(SUFFIX): [load(line) for line in path.read_bytes().splitlines()] for path in paths}


def are_made_anew(paths: list[Path], games: dict[str, list[bytes]], file_of: Callable[[list[bytes]], bytes]) -> None:
    """Demand that the golden games are these, byte for byte."""
    made = {f"{name}{SUFFIX}": file_of(lines) for name, lines in games.items()}
    assert sorted(made) == [path.name for path in paths]
    for path in paths:
        assert path.read_bytes() == made[path.name], path.name


def replays(path: Path) -> None:
    """Demand that a golden game replays to its end without a fault or a remark."""
    lines = path.read_bytes().splitlines()
    result = replay.replay(lines)
    assert result.finding is None
    assert result.closed
    assert result.prefix == len(lines)
    assert result.notes == []


# --- perft --------------------------------------------------------------------------------------------------------


def perft(preset: str) -> str:
    """Return the text of a preset's perft file."""
    return (DATA / preset / "perft.json").read_text(encoding="utf-8")


def entries(preset: str) -> list[Entry]:
    """Return what a preset's perft file holds."""
    found: list[Entry] = json.loads(perft(preset))
    return found


def placed(entry: Entry) -> Room:
    """Set a table up from nothing but the file's own words."""
    rules: Any = find(entry["rules"], entry["options"])
    left: dict[str, list[int]] = {}
    for at, each in enumerate(tile_deck(flowers=rules.flowers, winds=not rules.no_winds)):
        left.setdefault(each.partition(".")[0], []).append(at)
    wall = tuple(left[code].pop(0) for code in entry["wall"].split())
    players = [f"bot:perft-{seat}" for seat in range(rules.players)]
    laid = Laid(wall, tuple(entry.get("dice", ())))
    room = Room(entry["rules"], entry["options"], name="perft", laid=laid, players=players)
    for body in entry["moves"]:
        room.act(body)
    return room


def stands(entry: Entry) -> None:
    """Demand the entry's counts and order of the engine."""
    counts, order = generator("perft").counted(placed(entry), len(entry["counts"]))
    assert counts == entry["counts"]
    assert order == entry["order"]


class Refereeing(Protocol):
    """What is asked of a referee: what it wants next, and to go on with it."""

    want: Any

    def accept(self, event: Body) -> None:
        """Go on with an event that was wanted."""


class Line:
    """A referee's hand after some decisions, consequences filled in by itself; `seq` is that of its first event."""

    def __init__(self, referee: Refereeing, seq: int, moves: list[Body]) -> None:
        self.referee = referee
        self.seq = seq
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
        found: list[Body] = self.referee.want[1] if self.referee.want[0] == "choose" else []
        return found


def counted_plainly(begun: Callable[[], Refereeing], seq: int, moves: list[Body], depth: int) -> list[int]:
    """Count by playing every sequence from the first tile, for a referee cannot be copied."""
    choices = Line(begun(), seq, moves).choices
    if depth == 1:
        return [len(choices)]
    below = [counted_plainly(begun, seq, [*moves, body], depth - 1) for body in choices]
    return [len(choices), *(sum(column) for column in zip(*below, strict=True))] if below else [0] * depth


def referee_counts(entry: Entry, referee: Callable[[Entry], Refereeing], most: int | None = None) -> None:
    """Demand the entry's counts of a referee of its hand, to `most` depths or all."""
    rules: Any = find(entry["rules"], entry["options"])
    seq = 2 * rules.players + 3  # opened, commitments, reveals, seated, hand_started
    wanted = entry["counts"][:most]
    assert counted_plainly(lambda: referee(entry), seq, entry["moves"], len(wanted)) == wanted
