"""A Niuniu scoring case: hands, bets and a banker in a person's words, and what it must pay (`cases/README.md`).

`result` measures and settles with the very functions of play. What cannot be read or cannot exist raises CaseError
with place and reason. Defaults beyond the page's: a bet left out is the base (in 通比 the bet of the others); cards
may stand without spaces. Bets may be any: what limits them binds play only.
"""

from collections.abc import Mapping
from typing import Any, Final

from engine.banker.hand import HAND
from engine.banker.rules import BankerRules
from engine.banker.settle import against_banker, among_all
from engine.cards import CARD_INDEX
from engine.events import Body
from engine.fields import CaseError, Fields, shown
from engine.settlement import Line, settled

MOST: Final = 10**12
"""The largest bet, in points: everything that it can pay is a number that every JSON reader keeps."""


def result(case: Mapping[str, Any], rules: BankerRules) -> Body:
    """Return types, payments and lines of a case by these rules, which have its options applied; raise CaseError."""
    fields = Fields(case)
    name = fields.text("id")
    hands = _read_hands(fields.part("hands"), rules)
    values = [rules.scale.value(cards) for cards in hands]
    if rules.banker == "none":
        lines = among_all(rules, values, _read_shared_bet(fields, rules, len(hands)))
    else:
        bank = fields.needed_number("banker", 0, len(hands) - 1, "which seat is the banker?")
        bid = fields.number("bid", 0, rules.max_bid, 1)
        lines = against_banker(rules, values, bank, _read_bets(fields, rules, len(hands), bank), bid)
    fields.done("rules", "options", "expect", "note")
    return {
        **({} if name is None else {"id": name}),
        "types": {str(seat): value.kind for seat, value in enumerate(values)},
        **_paid(rules, lines, len(hands)),
    }


def _paid(rules: BankerRules, lines: list[Line], players: int) -> Body:
    body = settled(rules, [], lines, players)
    return {"payments": body["payments"], "lines": body["lines"]}


def _read_hands(fields: Fields | None, rules: BankerRules) -> list[tuple[int, ...]]:
    """Return the hands by seat, deck positions in the order written: five cards each, no card twice."""
    if fields is None:
        raise CaseError("hands", "the hands of all seats are needed")
    owner: dict[int, int] = {}
    found: dict[int, tuple[int, ...]] = {}
    for seat, name in fields.seats(rules.most_players):
        cards = _read_cards(fields, name, rules)
        for card in cards:
            if card in owner:
                whose = "this hand" if owner[card] == seat else f"seat {owner[card]}"
                raise CaseError(fields.at(name), f"{_code(card)} is in {whose} already; a deck has it once")
            owner[card] = seat
        found[seat] = cards
    few, most = rules.sizes[0], rules.sizes[-1]
    if len(found) < few or sorted(found) != list(range(len(found))):
        raise CaseError(fields.where, f"{few} to {most} hands are needed, of seats 0, 1 and so on")
    return [found[seat] for seat in range(len(found))]


def _code(card: int) -> str:
    return next(code for code, position in CARD_INDEX.items() if position == card)


def _read_cards(fields: Fields, name: str, rules: BankerRules) -> tuple[int, ...]:
    where = fields.at(name)
    text = "".join((fields.text(name) or "").split(" "))
    cards = []
    for start in range(0, len(text), 2):
        code = text[start : start + 2]
        card = CARD_INDEX.get(code)
        if card is None:
            raise CaseError(where, f"{shown(code)} is no card: rank A 2-9 T J Q K and suit S H C D, or BJ, SJ")
        if card >= rules.deck:
            raise CaseError(where, f"{code} is not in a deck of {rules.deck} cards (option deck)")
        cards.append(card)
    if len(cards) != HAND:
        raise CaseError(where, f"{len(cards)} cards; a hand has {HAND}")
    return tuple(cards)


def _read_shared_bet(fields: Fields, rules: BankerRules, players: int) -> int:
    """Return the stake of 通比, the same for every seat."""
    if fields.has("banker"):
        raise CaseError("banker", "there is none in 通比 (option banker = none)")
    if fields.number("bid", 0, rules.max_bid, 1) > 1:
        raise CaseError("bid", "nobody bids in 通比 (option banker = none)")
    bets = fields.part("bets")
    told = [bets.number(name, 1, MOST, 1) for _, name in bets.seats(players)] if bets else []
    if len(set(told)) > 1:
        raise CaseError("bets", "in 通比 every seat has the same bet")
    return told[0] if told else rules.base


def _read_bets(fields: Fields, rules: BankerRules, players: int, bank: int) -> dict[int, int]:
    bets = fields.part("bets")
    found = {seat: rules.base for seat in range(players) if seat != bank}
    for seat, name in bets.seats(players) if bets else ():
        assert bets is not None
        if seat == bank:
            raise CaseError(bets.at(name), f"seat {seat} is the banker; he does not bet")
        found[seat] = bets.number(name, 1, MOST, 1)
    return found
