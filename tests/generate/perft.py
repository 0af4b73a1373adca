"""Write `data/linhai/perft.json`: how many sequences of lawful decisions follow a position, and in which order.

A position is a wall (draw order W as codes, dice) under rules, and the decisions made so far. For each depth d from 1
on, `counts[d - 1]` is the number of sequences of d decisions, consequences following by themselves; `order` is the
SHA-256 of every decision's canonical body and a line feed, in the order in which `legal` lists them, each followed by
its own followers. Run `python tests/generate/perft.py`; the tests compare, and count with the plain referee as well.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "engine" / "plain"))

from tables import Room, lay  # noqa: E402  the tests' modules stand beside the tests

from engine import frame, verbs  # noqa: E402
from engine.cards import tile_deck  # noqa: E402
from engine.events import Body, canonical  # noqa: E402
from engine.game import Game  # noqa: E402

TARGET = ROOT / "data" / "linhai" / "perft.json"

ROBBED = ["9m 48m 268p 37s ESNCFP", "78m WWW 123p 789p 44s", "6m 15m 28p 38s SNCFP E", "99m 25m 14p 69s SCFNE"]
CONTESTED = ["3m 48m 268p 37s ESNCFP", "12445m 789p 456s WW", "19m 147p 258s 9s NNEF", "333m 147p 258s 9s EPS"]
LOCKS = {"pass_win_lock": "dinghai", "pass_pung_lock": "dinghai", "swap_ban": "dinghai"}


def discard(seat: int, tile: str, *, drawn: bool = False) -> Body:
    return {"type": "discarded", "seat": seat, "tile": tile, **({"drawn": True} if drawn else {})}


def positions() -> Iterator[dict[str, Any]]:
    """Yield each position: name, rules, options, the laid hands and draws, decisions so far, depth."""
    yield {"name": "first act", "hands": ["1112m 456p 789s EECC", "", "", ""], "depth": 3}
    yield {"name": "window of four claims", "hands": CONTESTED, "moves": [discard(0, "3m")], "depth": 3}
    for options in ({}, LOCKS):
        yield {
            "name": f"a chow, swap ban {options.get('swap_ban', 'off')}",
            "options": options,
            "hands": [
                "3m 48m 268p 37s ESNCFP",
                "3456m 258p 147s EWC",
                "19m 147p 258s 9s NNEF",
                "19m 147p 258s 9s EPSW",
            ],
            "moves": [discard(0, "3m"), {"type": "answered", "seat": 1, "answer": "chow", "tiles": ["4m", "5m"]}],
            "depth": 2,
        }
    yield {
        "name": "a declined win, locked",
        "options": LOCKS,
        "hands": [*CONTESTED[:3], "33m 147p 258s 9s EPSS"],
        "head": "3m",
        "moves": [
            discard(0, "3m"),
            {"type": "answered", "seat": 1, "answer": "pass"},
            {"type": "answered", "seat": 3, "answer": "pass"},
        ],
        "depth": 3,
    }
    yield {
        "name": "concealed kongs with flowers",
        "rules": "linhai.144",
        "hands": ["1111m 2222p 345s EEE", "f1 f2 69m 58p 369s SWNC", "", ""],
        "tail": "f3 f4 5m 5p",
        "depth": 3,
    }
    robbing = [
        discard(0, "9m"),
        {"type": "answered", "seat": 1, "answer": "pass"},
        {"type": "answered", "seat": 3, "answer": "pung", "tiles": ["9m", "9m"]},
        discard(3, "E"),
        discard(0, "5p", drawn=True),
        discard(1, "N", drawn=True),
        discard(2, "1s", drawn=True),
    ]
    for options in ({"rob_kong": "as_discard"}, {"rob_kong": "off"}):
        yield {
            "name": f"before an added kong, rob_kong {options['rob_kong']}",
            "options": options,
            "hands": ROBBED,
            "head": "5p N 1s 9m",
            "tail": "6m",
            "moves": robbing,
            "depth": 3,
        }
    yield {
        "name": "a kong after a claim",
        "options": {"kong_after_claim": True, "late_added_kong": False},
        "hands": ["9m 25m 258p 37s ESNCFP", "99m 1111p 258s ESWN", "", ""],
        "moves": [discard(0, "9m"), {"type": "answered", "seat": 1, "answer": "pung", "tiles": ["9m", "9m"]}],
        "depth": 3,
    }
    yield {"name": "the last discards", "idle": 15, "hands": ["", "1112m 456p 45s 4m", "", ""], "depth": 4}
    yield {
        "name": "the last tiles of all, no reserve",
        "options": {"reserve": 0, "reserve_per_kong": 0, "last_discard_claims": "win_only"},
        "hands": ["", "", "", ""],
        "idle": 2,
        "depth": 4,
    }


def placed(position: dict[str, Any]) -> Room:
    """Return a table at the position."""
    rules, options = position.get("rules", "linhai"), position.get("options", {})
    laid = position.get("laid") or lay(rules, options, hands=position["hands"], head=position.get("head", ""),
                                       tail=position.get("tail", ""))  # fmt: skip
    room = Room(rules, options, name="perft", laid=laid)
    for body in position.get("moves", []):
        room.act({**body, "to": room.hand.window.to} if body["type"] == "answered" else body)
    if "idle" in position:
        room.idle(position["idle"])
    return room


def walk(game: Game, depth: int) -> Iterator[tuple[int, bytes]]:
    """Yield every decision with its depth, in the order of `legal`, followers after their leader."""
    while (due := frame.due(game)) is not None and game.phase == "hand":
        frame.step(game, enveloped(game, due))
    if depth == 0 or game.phase != "hand":
        return
    for body in verbs.options(game):
        yield depth, canonical(body)
        after = frame.snapshot(game)
        frame.step(after, enveloped(after, body))
        yield from walk(after, depth - 1)


def enveloped(game: Game, body: Body) -> Body:
    return {**body, "at": game.at, "game": game.premise.game, "seq": game.seq, "v": 1}


def counted(room: Room, depth: int) -> tuple[list[int], str]:
    """Return the counts of depth 1, 2, … and the digest of the order."""
    counts, digest = [0] * depth, sha256()
    for left, body in walk(frame.snapshot(room.game), depth):
        counts[depth - left] += 1
        digest.update(body + b"\n")
    return counts, digest.hexdigest()


def decisions(room: Room) -> list[Body]:
    """Return the bodies of the hand's decisions so far."""
    kinds = {"discarded", "answered", "konged", "ga_chosen"}
    names = {"at", "auto", "game", "seq", "v"}  # a time-out chose what a player could have chosen
    return [{key: value for key, value in record.items() if key not in names}
            for record in room.records() if record["type"] in kinds]  # fmt: skip


def entry(position: dict[str, Any], preset: str, room: Room) -> dict[str, Any]:
    """Return what the file holds of a position at which a table stands."""
    assert room.laid is not None
    rules: Any = room.game.premise.rules
    deck = tile_deck(flowers=rules.flowers, winds=not rules.no_winds)
    counts, order = counted(room, position["depth"])
    return {
        "name": position["name"],
        "rules": position.get("rules", preset),
        "options": position.get("options", {}),
        "wall": " ".join(deck[tile].partition(".")[0] for tile in room.laid.wall),
        **({"dice": list(room.laid.dice)} if room.laid.dice else {}),
        "moves": decisions(room),
        "counts": counts,
        "order": order,
    }


def entries() -> list[dict[str, Any]]:
    """Return what the file holds."""
    return [entry(position, "linhai", placed(position)) for position in positions()]


def text(found: Sequence[dict[str, Any]]) -> str:
    """Return the file's text: one position a line."""
    rows = (json.dumps(each, separators=(",", ":")) for each in found)
    return "[\n" + ",\n".join(rows) + "\n]\n"


if __name__ == "__main__":
    TARGET.write_text(text(entries()), encoding="utf-8")
