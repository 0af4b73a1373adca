"""Why a consequence of a hand of Niuniu is not what had to follow: code, clause, expected and found.

Codes: the type of the consequence that was due; V9 where the lot for the bank, V12 where the cards are not those of
the deal; V5 where cards taken as given cannot be (fairness.md 1.10).
"""

from typing import Any, Final

from engine.banker import bank
from engine.banker.hand import BULLS
from engine.banker.state import Hand
from engine.cards import CARD_INDEX
from engine.events import Body, Record, body_of
from engine.family import Fault
from engine.settlement import difference

DUE_KEYS: Final = {"dealt": "deal.order", "shown": "show.order", "settled": "pay.zero"}
"""Clause key of each consequence but `banker`, where nothing more special is known."""


def clause_of(hand: Hand, due: Body, found: Record) -> tuple[str, str, Any, Any]:
    """Return code, clause id, expected and found where another event stands in the place of `due`."""
    kind = due["type"]
    rules = hand.rules
    key = f"bank.{rules.banker}" if kind == "banker" else DUE_KEYS[kind]
    if found["type"] != kind:
        return kind, rules.clause(key), due, body_of(found)
    if kind == "settled":
        clause, expected, got = difference(rules, due, found)
        return "settled", clause, expected, got
    odd = next((name for name in due if due[name] != found.get(name)), "")
    if kind == "banker" and odd == "seat":
        seats, _ = bank.candidates(hand)
        if len(seats) > 1 and found.get("seat") in seats:
            return "V9", "fairness.1.10.V9", due["seat"], found.get("seat")
        return kind, rules.clause(key), due, body_of(found)
    if kind == "banker":
        return kind, rules.clause("bank.bid"), due, body_of(found)
    if kind == "dealt" and odd == "tiles":
        return "V12", "fairness.1.10.V12", due["tiles"], found.get("tiles")
    if kind == "shown" and odd == "cards":
        return kind, rules.clause("show.cards"), due["cards"], found.get("cards")
    if kind == "shown" and odd == "bull":
        return kind, rules.clause(_type_key(due["bull"], found.get("bull"))), due["bull"], found.get("bull")
    return kind, rules.clause(key), due, body_of(found)


def _type_key(expected: str, found: object) -> str:
    """Return the clause that a wrong type breaks: the special hand it is, or claims to be, else the bull."""
    for name in (expected, found):
        if isinstance(name, str) and name in {"five_small", "bomb", "five_face", "silver"}:
            return f"hand.{name}"
    assert expected in BULLS
    return "hand.bull"


def given_cards_fault(hand: Hand, record: Record) -> Fault | None:
    """Return why cards or a banker taken as given cannot be: number, deck, conservation; a seat that did not bid so."""
    if record["type"] == "banker":
        seats, _ = bank.candidates(hand)
        if record["seat"] in seats:
            return None
        return Fault("banker", hand.rules.clause(f"bank.{hand.rules.banker}"), {"one of": seats}, record["seat"])
    cards = record["tiles"]
    if len(cards) != hand.size:
        return Fault("dealt", hand.rules.clause("deal.order"), f"{hand.size} cards", cards)
    seen = {card for held in hand.cards for card in held}
    for code in cards:
        card = CARD_INDEX.get(code, hand.rules.deck)
        if card >= hand.rules.deck:
            return Fault("V5", "fairness.1.10.V5", f"a card of the {hand.rules.deck}", code)
        if card in seen:
            return Fault("V5", "fairness.1.10.V5", f"{code} once", 2)
        seen.add(card)
    return None
