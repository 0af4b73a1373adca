"""Files for the battery: deck files, and exported games of a foreign server (protocol none) dealt from given walls."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.cards import tile_deck
from engine.events import Body, build, canonical
from engine.variants import find

Walls = NDArray[np.uint8]
TILES = tile_deck(flowers=False)
AT = 1_700_000_000_000
NAMES = ("an", "bo", "chen", "ding")


def deck_file(path: Path, codes: Sequence[str], walls: Walls) -> Path:
    lines = [f"# {' '.join(codes)}", *(" ".join(codes[index] for index in row) for row in walls.tolist())]
    path.write_text("\n".join(lines) + "\n")
    return path


def places(seat: int) -> list[int]:
    """The places a seat's opening tiles are taken from, seat 0 dealing (mahjong.md 0.5), written down by hand."""
    taken = [16 * round_ + 4 * seat + step for round_ in range(3) for step in range(4)]
    return [*taken, 48 + seat, 52] if seat == 0 else [*taken, 48 + seat]


def foreign_game(game: str, walls: Sequence[Sequence[int]], *, at: int = AT, table: str = "t",
                 dice: Sequence[Sequence[int]] = (), kinds: Sequence[str] = ("human",) * 4,
                 payments: Sequence[Sequence[int]] = ()) -> list[bytes]:  # fmt: skip
    """The events of a game whose server gives no seeds: what was dealt, and what was paid."""
    rules = find("linhai")
    bodies: list[Body] = [{
        "type": "opened", "rules": {"id": "linhai", "options": {}, "digest": rules.digest()}, "engine": "foreign/1",
        "operator": "op", "table": table, "match": {}, "deal": {"protocol": "none"},
        "seats": [{"seat": seat, "player": NAMES[seat], "kind": kinds[seat]} for seat in range(4)],
    }]  # fmt: skip
    for hand, wall in enumerate(walls):
        bodies.append({"type": "hand_started", "hand": hand, "dealer": 0, "round_wind": "E"})
        thrown = [int(value) for value in dice[hand]] if len(dice) else []
        bodies += [{"type": "dice", "seat": 0, "values": thrown[at_ : at_ + 2]} for at_ in range(0, len(thrown), 2)]
        for seat in range(4):
            tiles = [TILES[wall[place]].partition(".")[0] for place in places(seat)]
            bodies.append({"type": "dealt", "seat": seat, "tiles": tiles})
        paid = list(payments[hand]) if payments else [0, 0, 0, 0]
        bodies.append({"type": "settled", "winners": [], "payments": paid, "lines": []})
    return [canonical(build(body, at=at, game=game, seq=seq).record()) for seq, body in enumerate(bodies)]


def game_file(folder: Path, lines: Sequence[bytes], name: str) -> Path:
    path = folder / f"{name}.paipu.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path
