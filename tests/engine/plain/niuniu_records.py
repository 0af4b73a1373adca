"""What `data/niuniu` holds, made anew: golden games and perft counts. Run to write; the tests compare byte by byte."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from niuniu_tables import game, sit

from engine import frame, verbs
from engine.events import canonical
from engine.game import Game

DATA = Path(__file__).parents[3] / "data" / "niuniu"

GOLDEN: dict[str, tuple[str, dict[str, Any], int, dict[str, Any]]] = {
    "zhenan": ("niuniu", {}, 4, {}),
    "zhenan-points": ("niuniu", {"all_decline": "last_forced", "gold_silver": "on"}, 3, {"start_points": 40}),
    "national-owner-push": ("niuniu.national", {"push_bet": 10}, 5, {}),
    "national-see4": ("niuniu.national", {"banker": "see4_bid", "escape": "zhenan"}, 4, {}),
    "national-bull-takes": ("niuniu.national", {"banker": "bull_takes", "deck": 54, "tie": "push"}, 3, {}),
    "national-tongbi": ("niuniu.national", {"banker": "none", "tongbi": "pairwise", "base": 10}, 10, {}),
}
"""Preset, options, players and match of each golden game of four hands."""


def golden(name: str) -> bytes:
    """Return a golden game as an exported file."""
    preset, options, players, match = GOLDEN[name]
    room = game(preset, options, name=f"golden-niuniu-{name}", players=players, match=match, hands=4)
    return b"".join(line + b"\n" for line in room.lines)


POSITIONS: tuple[tuple[str, dict[str, Any], int, int], ...] = (
    ("niuniu", {}, 4, 4),
    ("niuniu", {"escape": "off"}, 3, 5),
    ("niuniu.national", {}, 2, 4),
    ("niuniu.national", {"banker": "rotate", "bets": [1, 2, 5], "escape": "zhenan"}, 4, 4),
    ("niuniu.national", {"banker": "free_bid", "max_bid": 1}, 3, 5),
    ("niuniu.national", {"banker": "see3_bid", "max_bid": 3, "bets": [1, 3], "escape": "zhenan"}, 3, 4),
)
"""Preset, options, players and depth: what may follow the start of a game's first hand."""


def walk(state: Game, depth: int) -> Iterator[tuple[int, bytes]]:
    """Yield every decision with its depth, in the order of `legal`; consequences follow by themselves."""
    while (due := frame.due(state)) is not None:
        frame.step(state, placed(state, due))
    if depth == 0 or state.phase == "over":
        return
    for body in verbs.options(state):
        yield depth, canonical(body)
        after = frame.snapshot(state)
        frame.step(after, placed(after, body))
        yield from walk(after, depth - 1)


def placed(state: Game, body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "at": state.at, "game": state.premise.game, "seq": state.seq, "v": 1}


def perft() -> list[dict[str, Any]]:
    """Return for each position how many decisions stand at each depth, and a digest of all in their order."""
    found = []
    for preset, options, players, depth in POSITIONS:
        room = sit(preset, options, players=players, name="perft", match={"length": {"hands": 16}})
        counts = [0] * depth
        digest = sha256()
        for left, body in walk(room.game, depth):
            counts[depth - left] += 1
            digest.update(body + b"\n")
        told = {"rules": preset, "options": options, "players": players, "counts": counts, "order": digest.hexdigest()}
        found.append(told)
    return found


def perft_text() -> str:
    """Return `perft.json`."""
    return "[\n" + ",\n".join(" " + json.dumps(each) for each in perft()) + "\n]\n"


if __name__ == "__main__":
    (DATA / "golden").mkdir(exist_ok=True)
    for each in GOLDEN:
        (DATA / "golden" / f"{each}.paipu.jsonl").write_bytes(golden(each))
    (DATA / "perft.json").write_text(perft_text())
