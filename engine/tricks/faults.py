"""Why an event may not come next in a hand of a trick game: code, clause, what was expected.

Codes: `turn` (another seat is asked), `order` (nothing of the kind may come now), the decision's own type where the
act is unlawful, `auto` (a time-out that chose otherwise), the type of the consequence that was due, and V5 or V12
where the cards are not those of the deck or of the committed deal (fairness.md 1.10).
"""

from collections.abc import Callable
from typing import Any

from engine.cards import CARD_INDEX, CARDS
from engine.events import Body, Record, body_of
from engine.family import Fault
from engine.settlement import difference
from engine.tricks import auction, drawing
from engine.tricks.burying import bury_fault
from engine.tricks.choices import playable, timeout
from engine.tricks.order import ALL, SUITS, names
from engine.tricks.rules import AuctionRules
from engine.tricks.state import EACH, KITTY, NONE, SEATS, Hand

PHASES = {"bid": "bid", "called": "call", "buried": "bury", "trump": "trump", "played": "play"}
"""The phase in which each decision is asked for."""

TURN_KEYS = {
    "bid": "bid.turn",
    "call": "call.turn",
    "bury": "bury.starter",
    "trump": "trump.starter",
    "play": "play.turn",
}
"""Clause key of each phase, where another seat acts."""

DUE_KEYS = {
    "dealt": "deal.order",
    "drawn": "deal.order",
    "kitty": "kitty.take",
    "drawn_hand": "deal.redeal",
    "trick": "trick.winner",
    "settled": "pay.zero",
}
"""Clause key of each consequence, where nothing more special is known."""

OUTCOME_KEYS = {
    "defender_points": "score.points",
    "attacker_points": "score.points",
    "made": "score.threshold",
    "koudi": "score.koudi",
    "declarers": "score.table",
    "levels": "score.table",
}
"""Clause key of each field of `outcome`."""


def clause_of(hand: Hand, due: Body, found: Record) -> tuple[str, str, Any, Any]:
    """Return code, clause id, expected and found where another event stands in the place of `due`."""
    kind = due["type"]
    rules = hand.rules
    key = DUE_KEYS[kind]
    if found["type"] != kind:
        return kind, rules.clause(key), due, body_of(found)
    if kind == "settled":
        return _settlement(hand, due, found)
    odd = next((field for field in due if due[field] != found.get(field)), "")
    if odd in {"tiles", "tile", "cards"}:
        return "V12", "fairness.1.10.V12", due[odd], found.get(odd)
    if kind == "trick" and odd == "points":
        key = "trick.points"
    if kind == "kitty" and (odd == "suit" or ("suit" in found) != ("suit" in due)):
        key = "kitty.turned"
        if odd and hand.order is None:
            due = {**due, "suit": drawing.turned([CARD_INDEX[code] for code in found["cards"]], hand.ranked)}
    return kind, rules.clause(key), due, body_of(found)


def _settlement(hand: Hand, due: Body, found: Record) -> tuple[str, str, Any, Any]:
    have, want = found.get("outcome"), due.get("outcome")
    if found.get("payments") == due["payments"] and have != want:
        if not isinstance(have, dict) or want is None:
            return "settled", hand.rules.clause("score.outcome"), want, have
        odd = next((field for field in want if want[field] != have.get(field)), "")
        return "settled", hand.rules.clause(OUTCOME_KEYS.get(odd, "score.outcome")), want, have
    clause, expected, got = difference(hand.rules, due, found)
    return "settled", clause, expected, got


def decision_fault(hand: Hand, record: Record) -> Fault | None:
    """Return why this decision may not come next."""
    kind = record["type"]
    clause = hand.rules.clause
    if PHASES.get(kind) != hand.phase:
        wanted = {"phase": hand.phase, "seat": hand.turn}
        return Fault("order", clause("turn.order"), wanted, body_of(record))
    if record["seat"] != hand.turn:
        return Fault("turn", clause(TURN_KEYS[hand.phase]), {"seat": hand.turn}, body_of(record))
    key, expected = JUDGES[kind](hand, record)
    if key:
        return Fault(kind, clause(key), expected, body_of(record))
    if "auto" in record:
        want = timeout(hand, hand.turn)
        have = {field: value for field, value in body_of(record).items() if field not in {"auto", "sig"}}
        if have != want:
            return Fault("auto", clause("turn.timeout"), want, have)
    return None


Judgement = tuple[str, Any]


def _bid(hand: Hand, record: Record) -> Judgement:
    assert isinstance(hand.rules, AuctionRules)
    key = auction.bid_fault(hand, hand.rules, record["bid"])
    return key, {"one of": auction.open_bids(hand, hand.rules)} if key else None


def _called(hand: Hand, record: Record) -> Judgement:
    if "card" not in record:
        return "", None
    shown = 1 << CARD_INDEX[record["card"]]
    mine = hand.held[hand.turn] & hand.ranked
    if mine & shown:
        return "", None
    return "call.held" if hand.ranked & shown else "call.rank", {"one of": names(mine)}


def _buried(hand: Hand, record: Record) -> Judgement:
    key = bury_fault(hand.held[hand.turn], record["cards"], hand.rules.most_buried)
    expected: Any = {"six of": names(hand.held[hand.turn])}
    if key == "bury.points":
        expected = {"card points at most": hand.rules.most_buried}
    return key, expected if key else None


def _trump(hand: Hand, record: Record) -> Judgement:
    assert hand.phase == "trump"
    assert record["suit"] in SUITS
    return "", None


def _played(hand: Hand, record: Record) -> Judgement:
    card = 1 << CARD_INDEX[record["card"]]
    may = playable(hand)
    if may & card:
        return "", None
    return "play.follow" if hand.held[hand.turn] & card else "play.held", {"one of": names(may)}


JUDGES: dict[str, Callable[[Hand, Record], Judgement]] = {
    "bid": _bid,
    "called": _called,
    "buried": _buried,
    "trump": _trump,
    "played": _played,
}


def given_cards_fault(hand: Hand, record: Record) -> Fault | None:
    """Return why cards taken as given cannot be: wrong number, one twice, or a suit that they do not decide."""
    kind = record["type"]
    codes = [record["tile"]] if kind == "drawn" else record["cards" if kind == "kitty" else "tiles"]
    size = {"drawn": 1, "dealt": EACH, "kitty": KITTY}[kind]
    if len(codes) != size:
        return Fault(kind, hand.rules.clause(DUE_KEYS[kind]), f"{size} cards", codes)
    cards = [CARD_INDEX.get(code, NONE) for code in codes]
    left = ALL
    for seat in range(SEATS):
        left &= ~hand.held[seat]
    for card, code in zip(cards, codes, strict=True):
        if card == NONE:
            return Fault("V5", "fairness.1.10.V5", "a card of the deck", code)
        if not left >> card & 1:
            return Fault("V5", "fairness.1.10.V5", f"each of the {len(CARDS)} cards once", code)
        left ^= 1 << card
    if kind == "kitty" and "suit" in record:
        suit = drawing.turned(cards, hand.ranked)
        if record["suit"] != suit:
            return Fault("kitty", hand.rules.clause("kitty.turned"), suit, record["suit"])
    return None
