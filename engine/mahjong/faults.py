"""Why an event may not come next in a hand of mahjong: code, clause, what was expected.

Codes: `turn` (another seat's turn), `order` (nothing of the kind may come now), `unanswered` (a window is still
open), the decision's own type where the act is unlawful, `auto` (a time-out that chose otherwise, CM-05), the type
of the consequence that was due, and V9 or V12 where the wall says otherwise (fairness.md 1.10).
"""

from collections.abc import Callable
from typing import Any

from engine.cards import FLOWERS, INDEX, KINDS
from engine.events import Body, Record, body_of
from engine.family import Fault
from engine.mahjong import acts, claims, wilds
from engine.mahjong.state import Hand
from engine.mahjong.wall import deal_positions
from engine.settlement import difference

DUE_KEYS = {
    "dice": "wall.dice",
    "wild": "wild.kind",
    "dealt": "wall.deal",
    "flower": "flower.expose",
    "drawn": "turn.draw",
    "drawn_hand": "wall.reserve",
    "melded": "claims.priority",
    "won": "claims.win_first",
    "settled": "pay.zero",
}
"""Clause key of each consequence, where nothing more special is known."""
REPLACING = frozenset({"replacement", "opening_replacement"})


def clause_of(hand: Hand, due: Body, found: Record) -> tuple[str, str, Any, Any]:
    """Return code, clause id, expected and found where another event stands in the place of `due`."""
    kind = due["type"]
    rules = hand.rules
    if found["type"] != kind:
        code = kind
        key = DUE_KEYS[kind]
        if kind == "drawn_hand" and due["reason"] == "no_replacement":
            key = "flower.no_replacement"
        elif kind == "drawn" and found["type"] == "drawn_hand":
            code, key = "drawn_hand", "wall.reserve"
        elif kind == "drawn" and hand.phase in REPLACING:
            key = "kong.replacement" if hand.source == "kong" else "flower.replacement"
        elif kind == "won" and due.get("occasion") == "flowers":
            key = "flower.win"
        elif kind == "won" and due["by"] == "self_draw":
            key = "act.win"
        elif kind == "won" and hand.announced:
            key = "claims.multi_win"
        return code, rules.clause(key), due, body_of(found)
    if kind == "settled":
        clause, expected, got = difference(rules, due, found)
        return "settled", clause, expected, got
    # The end of the wall before its tile: a draw from the wrong end has that end's tile, too.
    odd = next((name for name in sorted(due, key="tile".__eq__) if due[name] != found.get(name)), None)
    if odd is None:
        extra = sorted(set(body_of(found)) - set(due))
        return kind, rules.clause(DUE_KEYS[kind]), due, {name: found[name] for name in extra}
    if kind == "drawn":
        if odd == "tile":
            return "V12", "fairness.1.10.V12", due["tile"], found.get("tile")
        if odd == "end":
            key = "wall.tail" if hand.phase in REPLACING else "turn.draw"
            return "drawn", rules.clause(key), due, body_of(found)
    if kind in {"dealt", "dice"} and odd in {"tiles", "values"}:
        code = "V12" if kind == "dealt" else "V9"
        return code, f"fairness.1.10.{code}", due[odd], found.get(odd)
    if kind == "wild" and odd in {"tile", "indicator"}:
        # A tile turned up is at its place in the wall; a kind drawn comes from the wild stream (fairness.md 1.5).
        code = "V12" if "indicator" in due else "V9"
        return code, f"fairness.1.10.{code}", due, body_of(found)
    if kind == "won" and odd == "seat":
        key = "claims.win_first" if hand.rules.multi_win != "all" else "claims.multi_win"
        return "won", rules.clause(key), due, body_of(found)
    return kind, rules.clause(DUE_KEYS[kind]), due, body_of(found)


def decision_fault(hand: Hand, record: Record, timeout: Callable[[Hand, int], Body | None]) -> Fault | None:
    """Return why this decision may not come next; None where it is lawful."""
    kind = record["type"]
    seat = record.get("seat")
    if hand.phase == "window" and kind != "answered":
        window = hand.window
        assert window is not None
        waiting = [each for each in window.options if each not in window.answers]
        return Fault("unanswered", hand.rules.clause("claims.answer"), {"answers of seats": waiting}, body_of(record))
    if hand.phase == "act" and seat != hand.turn and kind in {"discarded", "konged", "declared"}:
        return Fault("turn", hand.rules.clause("turn.order"), {"seat": hand.turn}, body_of(record))
    key = ""
    expected: Any = None
    if kind == "answered" and hand.phase == "window":
        key, expected = _answer_fault(hand, record)
    elif kind == "discarded" and hand.phase == "act":
        key = acts.may_discard(hand, record["seat"], _kind(record["tile"]), drawn="drawn" in record)
        expected = "a tile of the hand that may go" if key else None
    elif kind == "ga_chosen" and hand.phase == "ga":
        lawful = [body["ga"] for body in acts.ga_choices(hand) if body["seat"] == seat]
        key = "" if record["ga"] in lawful else "ga.choice"
        expected = {"one of": lawful}
    elif kind == "konged" and hand.phase == "act":
        key = acts.may_kong(hand, record["seat"], record["kind"], tuple(_kind(code) for code in record["tiles"]))
        expected = "a lawful kong" if key else None
    elif kind == "declared" and record["what"] == "win" and hand.phase == "act":
        key = acts.may_win(hand, record["seat"])
        expected = "a complete hand" if key else None
    elif kind == "declared" and record["what"] == "eight_flowers" and hand.phase == "act":
        key = acts.may_win_by_flowers(hand, record["seat"])
        expected = "all eight flowers" if key else None
    else:
        key, expected = "turn.order", f"an event of the phase {hand.phase}"
        return Fault("order", hand.rules.clause(key), expected, body_of(record))
    if key:
        return Fault(kind, hand.rules.clause(key), expected, body_of(record))
    if "auto" in record:
        want = timeout(hand, record["seat"])
        have = {name: value for name, value in body_of(record).items() if name not in {"auto", "sig"}}
        if have != want:
            return Fault("auto", "CM-05", want, have)
    return None


def _kind(code: str) -> int:
    # Red fives are in the vocabulary for imported logs only; no hand of this family holds one.
    return INDEX.get(code, FLOWERS)


def _answer_fault(hand: Hand, record: Record) -> tuple[str, Any]:
    window = hand.window
    assert window is not None
    if record["to"] != window.to:
        return "claims.to", {"to": window.to}
    tiles = tuple(_kind(code) for code in record.get("tiles", ()))
    key = claims.claim_fault(hand, record["seat"], record["answer"], tiles)
    if not key:
        return "", None
    options = window.options.get(record["seat"])
    if options is None:
        return key, {"answers of seats": [each for each in window.options if each not in window.answers]}
    words = [word for word in ("win", "kong", "pung") if getattr(options, word)]
    if options.chows:
        words.append("chow " + " or ".join(f"{KINDS[low]}{KINDS[high]}" for low, high in options.chows))
    return key, {"one of": [*words, "pass"]}


def given_draw_fault(hand: Hand, record: Record) -> Fault | None:
    """Return why tiles taken as given cannot be: wrong number, more copies than the set has (conservation)."""
    if record["type"] == "dice":
        each = hand.rules.wall_dice
        if len(record["values"]) != each:
            return Fault("dice", hand.rules.clause("wall.dice"), f"{each} dice", record["values"])
        return None
    if record["type"] == "wild":
        return _given_wild_fault(hand, record)
    tiles = [record["tile"]] if record["type"] == "drawn" else record["tiles"]
    if record["type"] == "dealt":
        size = len(deal_positions(hand.players)[hand.dealt])
        if len(tiles) != size:
            return Fault("dealt", hand.rules.clause("wall.deal"), f"{size} tiles", tiles)
    seen = census(hand)
    for code in tiles:
        kind = INDEX.get(code, -1)
        most = 4 if kind < FLOWERS else 1
        if kind < 0 or (kind >= FLOWERS and not hand.rules.flowers):
            return Fault("V5", "fairness.1.10.V5", "a tile of the set", code)
        seen[kind] += 1
        if seen[kind] > most:
            return Fault("V5", "fairness.1.10.V5", f"at most {most} of {code}", seen[kind])
    return None


def _given_wild_fault(hand: Hand, record: Record) -> Fault | None:
    """Return why a wild taken as given cannot be: no kind of the domain, or not what its indicator tells (HN-08)."""
    rules = hand.rules
    kinds = wilds.domain(rules)
    shown: str = record["indicator"] if "indicator" in record else record["tile"]
    clause = rules.clause("wild.kind")
    if _kind(shown) not in kinds:
        return Fault("wild", clause, [KINDS[kind] for kind in kinds], shown)
    told = KINDS[wilds.told_by(rules, _kind(shown))] if "indicator" in record else shown
    return Fault("wild", clause, told, record["tile"]) if told != record["tile"] else None


def census(hand: Hand) -> list[int]:
    """Return how many of each kind (42) have left the wall: hands, melds, flowers, discards not claimed."""
    seen = [0] * len(KINDS)
    for side in hand.sides:
        for kind, have in enumerate(side.counts):
            seen[kind] += have
        for kind in side.held + side.flowers:
            seen[kind] += 1
        for meld in side.melds:
            for kind in meld.whole:
                seen[kind] += 1
        for discard in side.discards:
            if discard.claimed_by < 0:
                seen[discard.tile] += 1
    for apart in (hand.pending_kong, hand.indicator):
        if apart >= 0:
            seen[apart] += 1
    return seen
