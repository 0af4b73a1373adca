"""What `data/three_one` and `data/forty` hold of played games: golden logs and perft counts, made anew byte by byte.

Run as a script from the project's root, it writes both.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

from trick_tables import played

from engine import replay
from engine.events import canonical
from engine.family import due_in, step_in
from engine.tricks import flow
from engine.tricks.state import Hand

DATA = Path(__file__).parents[4] / "data"
GAMES = ("three_one", "forty")
GOLDEN: dict[str, tuple[str, dict[str, Any], dict[str, Any], str]] = {
    "three-one": ("three_one", {}, {"length": {"hands": 4}}, "greedy"),
    "three-one-paid-passes": (
        "three_one",
        {
            "all_pass": "most_common_trumps_loses",
            "trump_timing": "before_bury",
            "bury_points": False,
            "koudi": "multiplier_only",
            "multiplier_table": "sd_g",
        },
        {"length": {"hands": 4}, "start_points": 100},
        "greedy",
    ),
    "three-one-random": (
        "three_one",
        {"permanent_twos": False, "d3_in_kitty": "d4_holder", "kitty_points_on_koudi": 2},
        {"length": {"hands": 3}},
        "random",
    ),
    "forty": ("forty", {}, {"length": {"hands": 4}}, "greedy"),
    "forty-won": ("forty", {}, {}, "random"),
    "forty-money": (
        "forty",
        {
            "stake": "per_hand",
            "who_may_declare": "declarers_first",
            "no_declare": "redeal",
            "bury_point_limit": 35,
            "must_play": ["5", "T"],
            "next_starter": "same_or_last_trick_winner",
        },
        {"length": {"hands": 4}},
        "greedy",
    ),
    "forty-no-trump": (
        "forty",
        {"no_declare": "no_trump", "permanent_twos": True, "kitty_multiplier": 4},
        {"length": {"hands": 3}},
        "random",
    ),
}
"""Name, then preset, options, match and bot."""

PERFT: tuple[tuple[str, str, int, int], ...] = (
    ("three-one", "bid", 0, 2),
    ("three-one", "bury", 0, 1),
    ("three-one", "trump", 0, 2),
    ("three-one", "play", 0, 3),
    ("three-one", "play", 36, 12),
    ("three-one-paid-passes", "bury", 0, 1),
    ("three-one-random", "play", 36, 12),
    ("forty", "call", 0, 2),
    ("forty", "bury", 0, 1),
    ("forty", "play", 36, 12),
    ("forty-money", "bury", 0, 1),
    ("forty-no-trump", "play", 37, 11),
)
"""Golden game, phase, how many decisions of that phase of the first hand that gets there have passed, depth."""


def folder(name: str) -> Path:
    return DATA / GOLDEN[name][0]


def log_of(name: str) -> list[bytes]:
    preset, options, match, bot = GOLDEN[name]
    return played(preset, options, name=f"golden-{name}", bot=bot, match=match)


def golden(name: str) -> bytes:
    """Return the bytes of a golden game's file: one event a line."""
    return b"".join(line + b"\n" for line in log_of(name))


def position(name: str, phase: str, passed: int) -> Hand:
    """Return the hand of a golden game at its first state of a phase after so many decisions of it."""
    lines = (folder(name) / "golden" / f"{name}.paipu.jsonl").read_bytes().splitlines()
    seen = 0
    for game, _ in replay.steps(lines, replay.Replay()):
        if game.hand is not None and game.hand.phase == phase:
            if seen == passed:
                hand: Hand = deepcopy(game.hand)
                return hand
            seen += 1
    raise AssertionError((name, phase, passed))


def visits(hand: Hand, depth: int) -> Iterator[tuple[int, bytes]]:
    """Yield depth and body of each decision of the tree, in order, not beyond the hand."""
    if depth == 0 or hand.phase == "ended":
        return
    for body in flow.options(hand):
        after = deepcopy(hand) if depth > 1 else hand
        yield depth, canonical(body)
        if depth == 1:
            continue
        step_in(flow, after, dict(body))
        while after.phase != "ended" and (due := due_in(flow, after)) is not None:
            step_in(flow, after, due)
        yield from visits(after, depth - 1)


def perft(name: str, phase: str, passed: int, depth: int) -> dict[str, Any]:
    """Count the decision sequences of each length from a position; the digest is over every body in order."""
    counts = [0] * depth
    order = sha256()
    for left, body in visits(position(name, phase, passed), depth):
        counts[depth - left] += 1
        order.update(body + b"\n")
    return {"golden": name, "phase": phase, "passed": passed, "counts": counts, "order": order.hexdigest()}


def perft_text(preset: str) -> str:
    """Return the text of a preset's perft file."""
    rows = [perft(*each) for each in PERFT if GOLDEN[each[0]][0] == preset]
    return "[\n" + ",\n".join(f" {json.dumps(row)}" for row in rows) + "\n]\n"


if __name__ == "__main__":
    for each in GOLDEN:
        path = folder(each) / "golden" / f"{each}.paipu.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(golden(each))
    for each in GAMES:
        (DATA / each / "perft.json").write_text(perft_text(each))
