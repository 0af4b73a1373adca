"""Proofs of single tiles as JSON: made from a log whose seeds are known, checked by whoever got one (fairness.md 1.8).

    {"code": "5p", "game": "g-1", "hand": 3, "n": 144, "path": ["…", …], "position": 17, "salt": "…", "seat": 2,
     "seq": 137, "tile": 53, "wall_root": "…"}

`position` is the place in the shuffled deck, `tile` the index in the deck, `path` the hashes, the leaf's sibling first.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from engine import frame, verbs
from engine.errors import EventError
from engine.events import load
from engine.proofs import holds, prove
from engine.replay import Replay, steps
from engine.shuffle import TileProof
from ledger.errors import Malformed
from viewer.plain import check_depth

FIELDS = {"code": str, "game": str, "hand": int, "n": int, "path": list, "position": int, "salt": str, "seat": int,
          "seq": int, "tile": int, "wall_root": str}  # fmt: skip
Proof = dict[str, Any]


def proofs(lines: Sequence[bytes], seq: int | None = None) -> Iterator[Proof]:
    """Yield the proofs of a game's tiles, or of one event's, as far as its seeds are known and its events lawful."""
    result = Replay()
    root, before = "", None
    for game, record in steps(lines, result):
        if before is not None and (seq is None or record["seq"] == seq):
            for told in prove(before, record):
                yield {
                    "code": told.code,
                    "game": record["game"],
                    "hand": before.hand_number,
                    "n": len(verbs.family_of(before.premise.rules).deck(before.premise.rules)),
                    "path": [each.hex() for each in told.proof.path],
                    "position": told.proof.position,
                    "salt": told.proof.salt.hex(),
                    "seat": told.seat,
                    "seq": record["seq"],
                    "tile": told.proof.tile,
                    "wall_root": root,
                }
        if record["type"] == "hand_started":
            root = record.get("wall_root", "")
        if seq is not None and record["seq"] >= seq:
            return
        wanted = seq is None or record["seq"] + 1 == seq
        before = frame.snapshot(game) if wanted and game.phase == "hand" else None


def parse(data: bytes, target: str) -> Proof:
    """Read a proof; Malformed where it is none."""
    try:
        check_depth(data)
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise Malformed(target, "not JSON", 0) from None
    if type(found) is not dict or set(found) != set(FIELDS):
        raise Malformed(target, f"a proof has the fields {', '.join(FIELDS)}", 0)
    for name, kind in FIELDS.items():
        if type(found[name]) is not kind:
            raise Malformed(target, f"{name} is no {kind.__name__}", 0)
    try:
        hashes = [bytes.fromhex(each) for each in [found["wall_root"], found["salt"], *found["path"]]]
    except (TypeError, ValueError):
        raise Malformed(target, "bytes stand as hex", 0) from None
    return {**found, "hashes": hashes}


def check(proof: Proof, lines: Sequence[bytes]) -> str:
    """Return why a proof does not hold against a game's events, "" where it does.

    The events may end anywhere after the hand's start: no seed is needed.
    """
    result = Replay()
    root = ""
    deck: tuple[str, ...] = ()
    event: dict[str, Any] = {}
    for line in lines:
        try:
            record = load(line)
        except EventError:
            continue
        if record.get("type") == "opened" and not deck:
            for game, _ in steps([line], result):
                deck = verbs.family_of(game.premise.rules).deck(game.premise.rules)
        if record.get("type") == "hand_started" and record.get("hand") == proof["hand"]:
            root = str(record.get("wall_root", ""))
        if record.get("seq") == proof["seq"]:
            event = record
    if not deck or not root:
        return "the events hold no wall_root of this hand"
    if root != proof["wall_root"]:
        return f"the log commits to wall_root {root}"
    shown = [*event.get("tiles", []), *event.get("cards", []), event.get("indicator", event.get("tile"))]
    if event and proof["code"] not in shown:
        return f"event {proof['seq']} shows {', '.join(str(each) for each in shown if each)}"
    wall_root, salt, *path = proof["hashes"]
    told = TileProof(proof["position"], proof["tile"], salt, tuple(path))
    if proof["n"] != len(deck) or not holds(wall_root, deck, proof["code"], told):
        return f"{proof['code']} at {proof['position']} does not lead to wall_root {root}"
    return ""
