"""A riichi record as events of ours (`riichi.tenhou`, protocol none), and such events as a record again.

Events name kinds, so copies of a tile are told apart only by the wall; answers that nobody gave stand in no foreign
log and are not invented. The published seed follows the last hand as `revealed`, a hand's own its hand; the deposit of
a riichi follows from the next event, the indicators under the dora follow `won` as `dora`. Times are the caller's.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from engine.errors import EventError
from engine.events import Body, build, canonical
from engine.formats.riichi import (
    CALLS,
    KONGS,
    STARTS,
    Act,
    Drawn,
    RiichiHand,
    RiichiRecord,
    Win,
    code_of,
)
from engine.formats.tenhou_wall import EACH, LAYOUTS, SeedError, hand_seed_bytes, seed_bytes

Code = Callable[[int], str]
RULES = "riichi.tenhou"
YAKU, YAKUMAN, FU = "yaku.", "yakuman.", "fu"
"""Ids of patterns in `settled`: Tenhou's numbers, and the fu."""
WINDS = "ESWN"


def digest(options: dict[str, Any]) -> str:
    """Return the digest of the rules with these options: SHA-256 of their canonical bytes."""
    return sha256(canonical({"id": RULES, "options": options})).hexdigest()


def is_riichi(line: bytes) -> bool:
    """Tell whether an `opened` names the rules of imported riichi logs."""
    return b'"type":"opened"' in line and b'"id":"' + RULES.encode() + b'"' in line


def write(record: RiichiRecord, game: str, *, at: int = 0) -> list[bytes]:
    """Return the canonical event lines of a record.

    Raises EventError where a name or id is none of the vocabulary, or the record begins in the middle of a game.
    """
    if record.hands and (record.hands[0].scores != (STARTS[record.seats],) * record.seats or record.hands[0].deposits):
        raise EventError("the record begins in the middle of a game: events cannot say with which scores")
    return [
        canonical(build(body, at=at, game=game, seq=seq).record()) for seq, body in enumerate(_bodies(record, game))
    ]  # fmt: skip


def _bodies(record: RiichiRecord, game: str) -> Iterator[Body]:
    options = {"type": record.type}
    yield {
        "type": "opened",
        "rules": {"id": RULES, "options": options, "digest": digest(options)},
        "engine": "imported",
        "operator": "tenhou.net",
        "table": record.lobby or game,
        "seats": [{"seat": seat, "player": name, "kind": "human"} for seat, name in enumerate(record.names)],
        "match": {},
        "deal": {"protocol": "none"},
    }
    for number, hand in enumerate(record.hands):
        following = record.hands[number + 1] if number + 1 < len(record.hands) else None
        yield from _hand(record, number, hand, following)
        if hand.shuffle and (hand.wins or hand.drawn is not None):
            seed = _seed(hand.shuffle, hand_seed_bytes)
            yield {"type": "revealed", "hand": number, "seed": seed.hex(), "path": []}
    ended = record.hands and (record.hands[-1].wins or record.hands[-1].drawn is not None)
    if record.ended and ended:
        if record.seed:
            yield {"type": "revealed", "hand": 0, "seed": _seed(record.seed, seed_bytes).hex(), "path": []}
        last = record.hands[-1]
        scores = list(record.final) if record.final is not None else _after(last, _deposited(last))
        yield {"type": "closed", "scores": scores, "reason": "match_end"}


def _seed(text: str, read: Callable[[str], bytes]) -> bytes:
    try:
        return read(text)
    except SeedError as error:
        raise EventError(f"a seed that events cannot hold: {error}") from None


def _deposited(hand: RiichiHand) -> list[int]:
    scores = list(hand.scores)
    for act in hand.acts:
        if act.kind == "deposit":
            scores[act.seat] -= 1000
    return scores


def _after(hand: RiichiHand, scores: list[int]) -> list[int]:
    return [score + change for score, change in zip(scores, hand.changes(), strict=True)]


def _hand(record: RiichiRecord, number: int, hand: RiichiHand, following: RiichiHand | None) -> Iterator[Body]:
    def code(tile: int) -> str:
        return code_of(tile, reds=record.reds)

    yield {"type": "hand_started", "hand": number, "dealer": hand.dealer, **_spot(hand)}
    if hand.dice is not None:
        yield {"type": "dice", "seat": hand.dealer, "values": [die + 1 for die in hand.dice]}
    seats = len(hand.hands)
    for turn in range(seats):
        seat = (hand.dealer + turn) % seats
        yield {"type": "dealt", "seat": seat, "tiles": [code(tile) for tile in hand.hands[seat]]}
    yield {"type": "dora", "tile": code(hand.dora)}
    taken = 0
    undrawn = LAYOUTS[seats].tiles - EACH * seats
    drawn, last, replacing = -1, -1, False
    for act in hand.acts:
        body = _act(act, code, drawn, replacing=replacing, left=undrawn - taken - 1)
        if act.kind == "draw":
            taken, drawn, replacing = taken + 1, act.tile, False
        elif act.kind in KONGS or act.kind == "north":
            replacing = True
        if act.kind in {"discard", "added_kong", "north"}:
            last = act.tile
            drawn = -1 if act.kind == "discard" else drawn
        if body is not None:
            yield body
    if hand.wins:
        yield from _won(hand, code, drawn, last)
    elif hand.drawn is not None:
        yield from _drawn(hand, hand.drawn)
    else:
        return
    ended: Body = {"type": "hand_ended", "scores": _after(hand, _deposited(hand))}
    if following is not None:
        ended["next"] = {"dealer": following.dealer, **_spot(following)}
    yield ended


def _won(hand: RiichiHand, code: Code, drawn: int, last: int) -> Iterator[Body]:
    robbed = hand.acts[-1].kind in {"added_kong", "north"} if hand.acts else False
    for win in hand.wins:
        own = win.seat == win.source
        by = "self_draw" if own else "robbed" if robbed else "discard"
        body = {"type": "won", "seat": win.seat, "tile": code(drawn if own else last), "by": by}
        yield body if own else {**body, "from": win.source}
    for tile in max((win.ura or () for win in hand.wins), key=len):
        yield {"type": "dora", "tile": code(tile)}
    winners = [_winner(win) for win in hand.wins]
    yield {"type": "settled", "winners": winners, "payments": list(hand.changes())}


def _winner(win: Win) -> Body:
    body: Body = {"seat": win.seat, "points": win.points if win.points is not None else max(win.deltas, default=0)}
    if win.yaku is not None or win.yakuman:
        patterns: list[Body] = [{"id": f"{YAKU}{number}", "fan": han} for number, han in win.yaku or ()]
        patterns += [{"id": f"{YAKUMAN}{number}"} for number in win.yakuman]
        body["patterns"] = patterns + ([{"id": FU, "hu": win.fu}] if win.fu is not None else [])
    return body


def _drawn(hand: RiichiHand, drawn: Drawn) -> Iterator[Body]:
    if drawn.reason == "nine_terminals":
        seat = hand.acts[-1].seat if hand.acts else hand.dealer
        yield {"type": "declared", "seat": seat, "what": "nine_terminals"}
    yield {"type": "drawn_hand", "reason": drawn.reason}
    yield {"type": "settled", "winners": [], "payments": list(drawn.deltas)}


def _act(act: Act, code: Code, drawn: int, *, replacing: bool, left: int) -> Body | None:
    """Return the event of an act; None for a deposit, which follows from what comes after it."""
    if act.kind == "draw":
        end = "tail" if replacing else "head"
        return {"type": "drawn", "seat": act.seat, "tile": code(act.tile), "end": end, "left": left}
    if act.kind == "discard":
        body: Body = {"type": "discarded", "seat": act.seat, "tile": code(act.tile)}
        return {**body, "drawn": True} if act.tile == drawn else body
    if act.kind == "north":
        return {"type": "flower", "seat": act.seat, "tile": code(act.tile)}
    if act.kind == "riichi":
        return {"type": "declared", "seat": act.seat, "what": "riichi"}
    if act.kind == "dora":
        return {"type": "dora", "tile": code(act.tile)}
    if act.kind in CALLS:
        own = [code(tile) for tile in act.tiles if tile != act.claimed]
        return {"type": "melded", "seat": act.seat, "kind": act.kind, "tiles": own, "claimed": code(act.claimed),
                "from": act.source}  # fmt: skip
    if act.kind in KONGS:
        tiles = [code(tile) for tile in (act.tiles if act.kind == "concealed_kong" else (act.tile,))]
        return {"type": "konged", "seat": act.seat, "kind": act.kind, "tiles": tiles}
    return {"type": act.kind, "seat": act.seat} if act.kind in {"away", "back"} else None


def _spot(hand: RiichiHand) -> Body:
    return {"round_wind": WINDS[hand.round // 4 % 4], "streak": hand.honba}
