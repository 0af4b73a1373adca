"""Write golden games and perft files of the two games in which flowers win: `data/dinghai` and `data/duqiao`.

Golden games are small whole games that must replay, and regenerate, byte for byte; perft counts the sequences of lawful
decisions from a position, as `perft.py` says. Run `python tests/generate/flowered.py`; the tests compare, and count
with the plain referees as well.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "engine" / "plain"), str(ROOT / "tests" / "generate")]

from golden import file_of  # noqa: E402  generators stand beside each other
from perft import entry, text  # noqa: E402
from tables import Room, greedy, lay, lively  # noqa: E402  the tests' modules stand beside the tests

from engine.events import Body  # noqa: E402

DATA = ROOT / "data"
PRESETS = ("dinghai", "duqiao")
SAME_TILE = {"pass_win_lock": "same_tile", "swap_ban": "chow+peng", "initial_flower_order": "each_completes",
             "multi_win_dealer": "first_winner_deals", "tai_points": "qiqi25"}  # fmt: skip
CUSTOM = {"tai_points": "custom", "points": [2, 3, 5, 8, 13], "points_self_draw": [1, 2, 3, 4, 5],
          "last_flower": "discard_on", "drawn_hand_dealer": "pass"}  # fmt: skip
EVERYBODY = {"multi_win": "all", "rob_kong": "as_discard", "dealer": "winner_becomes_dealer", "round": "none",
             "bao": "three_melds", "earthly": "both", "dealer_factor": "zhuang_double"}  # fmt: skip
EIGHT = "f1 f2 f3 f4 f5 f6 f7 f8"


def game(name: str, preset: str, options: dict[str, Any] | None = None, hands: int = 3) -> list[bytes]:
    """Play a game with the greedy bot."""
    return Room(preset, options or {}, name=name, match={"length": {"hands": hands}}).play(greedy(name))


def rare(stem: str, number: int, preset: str, options: dict[str, Any], *wanted: bytes) -> list[bytes]:
    """Return a one-hand game that was searched for: some event of it holds all these bytes."""
    name = f"{stem}-{number}"
    lines = Room(preset, options, name=name).play(lively(name))
    assert any(all(each in line for each in wanted) for line in lines), f"{name} has no {wanted}: search another number"
    return lines


def games(preset: str) -> dict[str, list[bytes]]:
    """Return every golden game of a variant by file name: one a preset, and one for each thing that is rare."""
    if preset == "dinghai":
        return {
            "dinghai": game("golden-dinghai", "dinghai"),
            "dinghai.qiqi50": game("golden-qiqi50", "dinghai.qiqi50"),
            "same-tile": game("golden-same-tile", "dinghai", SAME_TILE),
            "custom-points": game("golden-custom", "dinghai", CUSTOM),
            "robbed": rare("golden-dinghai-rob", 30, "dinghai", {}, b'"type":"won"', b'"by":"robbed"'),
            "fed-kong": rare("golden-fed-kong", 720, "dinghai", {}, b'"type":"settled"', b'"reason":"kong_bloom"'),
            "feeding": rare("golden-feeding", 0, "dinghai", {}, b'"type":"settled"', b'"reason":"feeding"'),
            "drawn-hand": rare("golden-dinghai-drawn", 7, "dinghai", {}, b'"type":"drawn_hand"'),
        }
    return {
        "duqiao": game("golden-duqiao", "duqiao"),
        "everybody": game("golden-everybody", "duqiao", EVERYBODY),
        "robbed": rare("golden-duqiao-rob", 19, "duqiao", EVERYBODY, b'"type":"won"', b'"by":"robbed"'),
        "liability": rare("golden-bound", 60, "duqiao", {"bao": "three_melds"}, b'"reason":"liability"'),
        "kong-bloom": rare("golden-bloom", 122, "duqiao", {}, b'"occasion":"kong_bloom"'),
        "drawn-hand": rare("golden-duqiao-drawn", 4, "duqiao", {}, b'"type":"drawn_hand"'),
    }


# --- perft ----------------------------------------------------------------------------------------------------------


def discard(seat: int, tile: str, *, drawn: bool = False) -> Body:
    return {"type": "discarded", "seat": seat, "tile": tile, **({"drawn": True} if drawn else {})}


def answer(seat: int, word: str, *tiles: str) -> Body:
    return {"type": "answered", "seat": seat, "answer": word, **({"tiles": list(tiles)} if tiles else {})}


CONTESTED = ["5m 48m 268p 37s ESNCFP", "46m 123p 456s 789s 99p", "67m 123p 456s 789s 88p", "555m 147p 258s 9s EPW"]
CHOWED = ["2m 48m 268p 37s ESNCFP", "34m 2m 5m 258p 147s EWC", "19m 147p 258s 9s NNEF", "19m 147p 258s 9s EPSW"]
PUNGED = ["9m 48m 268p 37s ESNCFP", "147m 258p 147s EWCF", "999m 147p 258s NNEF", "18m 147p 258s 9s EPSW"]


def positions(preset: str) -> Iterator[dict[str, Any]]:
    """Yield each position: name, options, the laid hands and draws, decisions so far, depth."""
    yield {"name": "eight flowers in the first act", "hands": [EIGHT, "", "", ""], "depth": 2}
    yield {"name": "a window of three claims", "hands": CONTESTED, "moves": [discard(0, "5m")], "depth": 3}
    yield {"name": "concealed kongs", "hands": ["1111m 2222p 345s EEE", "f1 f2", "", ""], "tail": "f3 f4 5m 5p",
           "depth": 3}  # fmt: skip
    if preset == "duqiao":
        yield {"name": "everybody wins", "options": {"multi_win": "all"}, "hands": CONTESTED,
               "moves": [discard(0, "5m")], "depth": 3}  # fmt: skip
        yield {"name": "the last discards", "hands": ["", "1112m 456p 45s 4m", "", ""], "idle": 15, "depth": 3}
        return
    for ban in ("chow", "none", "chow+peng"):
        yield {"name": f"a chow, swap ban {ban}", "options": {"swap_ban": ban}, "hands": CHOWED,
               "moves": [discard(0, "2m"), answer(1, "chow", "3m", "4m")], "depth": 2}  # fmt: skip
        yield {"name": f"a pung, swap ban {ban}", "options": {"swap_ban": ban}, "hands": PUNGED,
               "moves": [discard(0, "9m"), answer(2, "pung", "9m", "9m")], "depth": 2}  # fmt: skip
    for lock in ("all", "same_tile", "off"):
        yield {
            "name": f"a declined win, lock {lock}",
            "options": {"pass_win_lock": lock},
            "hands": ["5m 48m 268p 37s ESNCFP", "8m 19m 258p 147s EWCF", "67m 123p 456s 789s 99p", ""],
            "moves": [discard(0, "5m"), answer(2, "pass")],
            "depth": 3,
        }
    yield {"name": "the last tiles", "hands": ["", "", "", EIGHT], "idle": 2, "depth": 3}
    for on in ("draw", "discard_on"):
        yield {"name": f"the last flower, {on}", "options": {"last_flower": on},
               "hands": ["", "", "f1 f2 f3 f4 f5 f6 f7", ""], "tail": "1m 4m 7m 2p 5p 8p 3s f8", "idle": 1,
               "depth": 3}  # fmt: skip


def placed(preset: str, position: dict[str, Any]) -> Room:
    """Return a table at the position; whoever is asked beside the decisions named passes."""
    options = position.get("options", {})
    laid = lay(preset, options, hands=position["hands"], tail=position.get("tail", ""))
    room = Room(preset, options, name="perft", laid=laid)
    for body in position.get("moves", []):
        answered = body["type"] == "answered"
        room.act({**body, "to": room.hand.window.to} if answered else body)
        while answered and room.hand.phase == "window":
            room.answer(room.options[0]["seat"], "pass")
    if "idle" in position:
        room.idle(position["idle"])
    return room


def entries(preset: str) -> list[dict[str, Any]]:
    """Return what the perft file of a variant holds."""
    return [entry(position, preset, placed(preset, position)) for position in positions(preset)]


if __name__ == "__main__":
    for variant in PRESETS:
        (DATA / variant / "golden").mkdir(parents=True, exist_ok=True)
        for title, events in games(variant).items():
            (DATA / variant / "golden" / f"{title}.paipu.jsonl").write_bytes(file_of(events))
        (DATA / variant / "perft.json").write_text(text(entries(variant)), encoding="utf-8")
