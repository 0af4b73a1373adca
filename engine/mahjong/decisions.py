"""What the seats may decide now: every option in a fixed order, what a time-out chooses, which option a record names.

`legal` agrees with `fault` by construction: both ask `acts` and `claims`.
"""

from engine.cards import FLOWERS, INDEX, KINDS
from engine.events import Body, Record
from engine.mahjong import acts
from engine.mahjong.state import Hand, Options


def options(hand: Hand) -> list[Body]:
    """Return every decision that may come next, in a fixed order (`legal` agrees with `fault` by construction)."""
    if hand.phase == "act":
        return acts.acts(hand)
    if hand.phase == "ga":
        return acts.ga_choices(hand)
    if hand.phase != "window":
        return []
    window = hand.window
    assert window is not None
    tile = KINDS[window.tile]
    found: list[Body] = []
    for seat, its in window.options.items():
        if seat in window.answers:
            continue
        head = {"type": "answered", "seat": seat, "to": window.to}
        if its.win:
            found.append({**head, "answer": "win"})
        if its.kong:
            found.append({**head, "answer": "kong", "tiles": [tile] * 3})
        if its.pung:
            found.append({**head, "answer": "pung", "tiles": [tile] * 2})
        found += [{**head, "answer": "chow", "tiles": [KINDS[low], KINDS[high]]} for low, high in its.chows]
        found.append({**head, "answer": "pass"})
    return found


def timeout(hand: Hand, seat: int) -> Body | None:
    """Return what the seat's time-out chooses now (CM-05), None where nothing is asked of it."""
    if hand.phase == "act" and hand.turn == seat:
        return acts.timeout(hand, seat)
    if hand.phase == "ga":
        return next((body for body in acts.ga_choices(hand) if body["seat"] == seat), None)
    window = hand.window
    if hand.phase == "window" and window and seat in window.options and seat not in window.answers:
        return {"type": "answered", "seat": seat, "to": window.to, "answer": "pass"}
    return None


def chosen(hand: Hand, record: Record) -> Body | None:
    """Return the body of the lawful option that a discard or answer names; None for everything else.

    The fast way of replay: the caller compares its bytes with the recorded ones, so that nothing of the record is
    trusted but the choice itself. What this returns None for, `fault` judges.
    """
    kind = record.get("type")
    if kind == "discarded" and hand.phase == "act":
        tile = record.get("tile")
        index = INDEX.get(tile, FLOWERS) if type(tile) is str else FLOWERS
        drawn = "drawn" in record
        if acts.may_discard(hand, hand.turn, index, drawn=drawn):
            return None
        body: Body = {"type": "discarded", "seat": hand.turn, "tile": tile}
        if drawn:
            body["drawn"] = True
        return body
    window = hand.window
    if kind == "answered" and hand.phase == "window" and window is not None:
        seat = record.get("seat")
        its = window.options.get(seat) if type(seat) is int else None
        if its is None or seat in window.answers:
            return None
        body = {"type": "answered", "seat": seat, "to": window.to, "answer": record.get("answer")}
        tiles = _answer_tiles(window.tile, its, record)
        if tiles is None:
            return None
        if tiles:
            body["tiles"] = tiles
        return body
    return None


def _answer_tiles(tile: int, its: Options, record: Record) -> list[str] | None:
    """Return the tiles that a lawful answer lays down from the hand; None where the answer is not in the set."""
    answer = record.get("answer")
    if answer == "pass" or (answer == "win" and its.win):
        return []
    if (answer == "pung" and its.pung) or (answer == "kong" and its.kong):
        return [KINDS[tile]] * (2 if answer == "pung" else 3)
    if answer == "chow":
        for low, high in its.chows:
            if record.get("tiles") == [KINDS[low], KINDS[high]]:
                return [KINDS[low], KINDS[high]]
    return None
