"""Write the golden games of `data/linhai/golden`: small whole games that must replay, and regenerate, byte for byte.

A golden file pins the bytes of every event: the deal, the dice, the order of consequences, the settlement's words.
Run `python tests/generate/golden.py`; the test compares without writing.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "engine" / "plain"))

from tables import Room, greedy, lively  # noqa: E402  the tests' modules stand beside the tests

from engine.shuffle import player_commit  # noqa: E402

TARGET = ROOT / "data" / "linhai" / "golden"
LOCKS = {"pass_win_lock": "dinghai", "pass_pung_lock": "dinghai", "swap_ban": "dinghai", "rob_kong": "as_discard"}
MANY = {"reserve_per_kong": 2, "base": 5, "multi_win": "first", "extra_tai": {"kong_bloom": 1, "robbed": 1}}


def games() -> dict[str, list[bytes]]:
    """Return every golden game by file name: one a preset, one with robbing, one with locks, one broken off."""
    return {
        "linhai": Room("linhai", name="golden-linhai", match={"length": {"hands": 4}}).play(greedy("golden-linhai")),
        "linhai.144": Room("linhai.144", name="golden-144", match={"length": {"hands": 4}}, witness=True).play(
            greedy("golden-144")
        ),
        "rob-kong": robbed(),
        "locks": Room("linhai", LOCKS, name="golden-locks", match={"length": {"hands": 3}}).play(
            lively("golden-locks")
        ),
        "many-options": Room(
            "linhai.144",
            MANY,
            name="golden-many",
            match={"length": {"hands": 2}, "first_dealer": "creator", "start_points": 100},
        ).play(lively("golden-many")),
        "dissolved": dissolved(),
        "void-epoch": void_epoch(),
    }


def robbed() -> list[bytes]:
    """Search the first game by number in which a kong is robbed."""
    for number in range(10_000):
        name = f"golden-rob-{number}"
        lines = Room("linhai", {"rob_kong": "as_discard"}, name=name).play(lively(name))
        if any(b'"by":"robbed"' in line for line in lines):
            return lines
    raise AssertionError("no kong was robbed")


def dissolved() -> list[bytes]:
    """Play a hand, void the second on a vote of all, with a seat away, a refused act and time-outs on the way."""
    room = Room("linhai", name="golden-dissolved", match={"early_end": "all"})
    policy = greedy("golden-dissolved")
    while room.game.hand_number < 1:
        room.act(policy(room, room.options))
    room.act({"type": "away", "seat": 2})
    tried = {"type": "declared", "seat": room.hand.turn, "what": "win"}
    fault = room.judge(tried)
    assert fault is not None
    room.act({"type": "refused", "seat": room.hand.turn, "tried": tried, "clause": fault.clause})
    for _ in range(12):
        body = room.table.timeout(room.options[0]["seat"])
        assert body is not None
        room.act(body)
    room.act({"type": "back", "seat": 2})
    for seat in range(4):
        room.act({"type": "voted", "seat": seat, "answer": "yes"})
    room.act({"type": "voided", "hand": 1, "actor": "table", "reason": "dissolved"})
    return room.lines


def void_epoch() -> list[bytes]:
    """Open a game in which a seat commits and never reveals."""
    room = Room("linhai", name="golden-void", enter=False)
    for seat in (0, 1, 2, 3):
        value = room.entropy_of[seat]
        room.act({"type": "committed", "seat": seat, "commit": player_commit(room.context, seat, value).hex()})
    for seat in (0, 1, 2):
        room.act({"type": "entropy", "seat": seat, "reveal": room.entropy_of[seat].hex()})
    assert room.root_seed is not None
    closed = {"type": "closed", "scores": [0, 0, 0, 0], "reason": "void_epoch", "root_seed": room.root_seed.hex()}
    room.act(closed)
    return room.lines


def file_of(lines: list[bytes]) -> bytes:
    """Return an exported game: one event a line, bytes as stored."""
    return b"".join(line + b"\n" for line in lines)


if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, lines in games().items():
        (TARGET / f"{name}.paipu.jsonl").write_bytes(file_of(lines))
