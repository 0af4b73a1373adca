"""Write Hainan's golden games and perft file, `data/hainan/golden` and `data/hainan/perft.json`.

Golden games are small whole games that must replay, and regenerate, byte for byte; perft counts the sequences of lawful
decisions from a position, as `perft.py` says. Run `python tests/generate/hainan.py`; the tests compare, and count with
the plain referee as well.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "engine" / "plain"), str(ROOT / "tests" / "generate")]

from golden import file_of  # noqa: E402  generators stand beside each other
from perft import entry, text  # noqa: E402
from scripted import laid  # noqa: E402  the tests' modules stand beside the tests
from tables import Laid, Policy, Room, greedy, lively, stream_of  # noqa: E402

from engine.cards import INDEX, KINDS, tile_deck  # noqa: E402
from engine.events import Body  # noqa: E402
from engine.variants import find  # noqa: E402

FOLDER = ROOT / "data" / "hainan"
GA = {"ga": True, "wild_indicator": "flipped_out", "settle_drawn_hand": True, "discarder_pays_all": True}
INSTANT = {"flower_win_mode": "instant_win", "no_winds": True, "ga": True, "multi_win": "all"}


def room(name: str, preset: str, options: dict[str, Any] | None = None, **more: Any) -> Room:
    """Return a table for as many players as the preset has."""
    players = [f"bot:{name}-{seat}" for seat in range(find(preset).players)]
    return Room(preset, options or {}, name=name, players=players, **more)


def playing(name: str, rest: Policy) -> Policy:
    """Choose any ga, else play as told."""
    stream = stream_of(name, "ga")

    def choose(table: Room, options: list[Body]) -> Body:
        if options[0]["type"] == "ga_chosen":
            return options[stream.below(len(options))]
        return rest(table, options)

    return choose


def game(name: str, preset: str, options: dict[str, Any] | None = None, hands: int = 3) -> list[bytes]:
    """Play a game with the greedy bot."""
    return room(name, preset, options, match={"length": {"hands": hands}}).play(playing(name, greedy(name)))


def searched(stem: str, preset: str, options: dict[str, Any], wanted: bytes) -> list[bytes]:
    """Return the first one-hand game, by number, of which some event holds these bytes."""
    for number in range(10_000):
        name = f"{stem}-{number}"
        lines = room(name, preset, options).play(playing(name, lively(name, win_in=6)))
        if any(wanted in line for line in lines):
            return lines
    raise AssertionError(wanted)


def games() -> dict[str, list[bytes]]:
    """Return every golden game by file name: one a preset, and one for each thing that is rare."""
    return {
        "hainan": game("golden-hainan", "hainan"),
        "hainan.nofan": game("golden-hainan-nofan", "hainan.nofan"),
        "hainan.three": game("golden-hainan-three", "hainan.three"),
        "hainan.random": game("golden-hainan-random", "hainan.random"),
        "ga-and-indicator": game("golden-hainan-ga", "hainan.random", GA),
        "robbed": searched("golden-hainan-rob", "hainan", {}, b'"by":"robbed"'),
        "drawn-hand": searched("golden-hainan-drawn", "hainan", {"settle_drawn_hand": True}, b'"type":"drawn_hand"'),
        "instant-flowers": searched("golden-hainan-flowers", "hainan", INSTANT, b'"occasion":"flowers"'),
    }


# --- perft ----------------------------------------------------------------------------------------------------------

QUIET = ["", "", "", ""]


def answer(seat: int, word: str, *tiles: str) -> Body:
    return {"type": "answered", "seat": seat, "answer": word, **({"tiles": list(tiles)} if tiles else {})}


def discard(seat: int, tile: str, *, drawn: bool = False) -> Body:
    return {"type": "discarded", "seat": seat, "tile": tile, **({"drawn": True} if drawn else {})}


def positions() -> Iterator[dict[str, Any]]:
    """Yield each position: name, rules, options, the laid hands and draws, decisions so far, depth."""
    wild = ["5m C 9p", "34m 55m C 1p 4p 7p 1s 4s 7s EW", "67m CC 5m 147p 258s EE", "46m 999m 147p 25s SPF"]
    yield {"name": "first act with flowers and a wild", "hands": ["f2 f6 C 1112m 456p 789s F", "", "", ""], "depth": 2}
    yield {"name": "a window with wilds", "hands": wild, "moves": [discard(0, "5m")], "depth": 3}
    yield {"name": "a discarded wild", "hands": wild, "moves": [discard(0, "C")], "depth": 2}
    yield {
        "name": "wilds may not go",
        "options": {"wild_discard": "forbid"},
        "hands": ["C 12m 45p 78s ESWN FP 9m", "", "", ""],
        "depth": 2,
    }
    yield {
        "name": "a claim in the first turn, flowers after it",
        "hands": ["5m", "f1 f5 55m 147p 258s ESW", "", ""],
        "moves": [discard(0, "5m"), answer(1, "pung", "5m", "5m")],
        "tail": "f2 9s 8s 7s",
        "depth": 3,
    }
    yield {
        "name": "flowers wait for the first draw",
        "options": {"flower_first": "first_draw"},
        "hands": ["5m", "f1 f5 55m 147p 258s ESW", "", ""],
        "moves": [discard(0, "5m"), answer(1, "pung", "5m", "5m")],
        "depth": 3,
    }
    yield {
        "name": "before a robbed kong",
        "hands": ["9p", "99p EW 147m 258s SNF", "123m 456s 78p 22s WWW", ""],
        "head": "F P N 9p",
        "moves": [
            discard(0, "9p"),
            answer(1, "pung", "9p", "9p"),
            answer(2, "pass"),
            discard(1, "E"),
        ],
        "idle": "9p",
        "depth": 3,
    }
    yield {"name": "ga before the deal", "options": {"ga": True}, "hands": QUIET, "depth": 3}
    yield {
        "name": "three players, seven pairs",
        "rules": "hainan.three",
        "hands": ["8p", "1133m 4466p 88s WW 9s", "C 1133s 2277p 99m EE"],
        "head": "9s",
        "moves": [discard(0, "8p")],
        "depth": 3,
    }
    yield {
        "name": "a random wild, turned up",
        "rules": "hainan.random",
        "options": {"wild_indicator": "next_kind"},
        "hands": ["55m 4m", "34m 6m", "5m", "5m"],
        "tail": "f1 4m",
        "depth": 2,
    }


def placed(position: dict[str, Any]) -> Room:
    """Return a table at the position."""
    rules_id, options = position.get("rules", "hainan"), position.get("options", {})
    rules: Any = find(rules_id, options)
    kinds = laid(rules, position["hands"], position.get("head", ""), position.get("tail", ""))
    deck = tile_deck(flowers=True, winds=not rules.no_winds)
    table = room("perft", rules_id, options, laid=Laid(on_deck(deck, [KINDS[kind] for kind in kinds]), ()))
    for body in position.get("moves", []):
        table.act({**body, "to": table.hand.window.to} if body["type"] == "answered" else body)
    if "idle" in position:  # time out until somebody has drawn that tile
        while table.hand.phase != "act" or table.hand.drawn != INDEX[position["idle"]]:
            body = table.table.timeout(table.options[0]["seat"])
            assert body is not None
            table.act(body)
    return table


def on_deck(deck: Sequence[str], codes: Sequence[str]) -> tuple[int, ...]:
    """Return the wall as deck positions: of equal tiles the first copy first."""
    free: dict[str, list[int]] = {}
    for at, each in enumerate(deck):
        free.setdefault(each.partition(".")[0], []).append(at)
    return tuple(free[code].pop(0) for code in codes)


def entries() -> list[dict[str, Any]]:
    """Return what the perft file holds."""
    return [entry(position, "hainan", placed(position)) for position in positions()]


if __name__ == "__main__":
    (FOLDER / "golden").mkdir(parents=True, exist_ok=True)
    for title, lines in games().items():
        (FOLDER / "golden" / f"{title}.paipu.jsonl").write_bytes(file_of(lines))
    (FOLDER / "perft.json").write_text(text(entries()), encoding="utf-8")
