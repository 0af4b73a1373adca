"""The course of a hand of Niuniu (`cards.md`, "Order of play"): which consequence is due, what an event changes.

    asked, free_bid                   bid … -> banker -> bet … -> deal -> show -> settlement -> ended
    see3_bid, see4_bid        deal -> bid … -> banker -> bet … -> deal -> show -> settlement -> ended
    fixed_owner, rotate, bull_takes            banker -> bet … -> deal -> show -> settlement -> ended
    none (通比)                                                    deal -> show -> settlement -> ended

An escaping banker ends the bets at once: nothing is dealt or shown, the hand is settled.
"""

from collections.abc import Callable, Mapping
from typing import Any

from engine.banker import bank, decisions
from engine.banker.faults import clause_of, given_cards_fault
from engine.banker.hand import HAND, codes
from engine.banker.rules import BankerRules
from engine.banker.settle import settle
from engine.banker.stakes import is_push
from engine.banker.state import Hand, given_codes
from engine.banker.state import start as start_hand
from engine.cards import CARD_INDEX, card_deck
from engine.events import Body, Record
from engine.family import GIVEN, Fault, Setting
from engine.shuffle import Deal

name = "banker"


def deck(rules: BankerRules) -> tuple[str, ...]:
    """Return the codes of the deck in the order of events.md, "Deck, dice, seeds"."""
    return card_deck(jokers=rules.deck == 54)


def n_dice(rules: BankerRules) -> int:
    """Return 0: nobody throws dice."""
    assert rules.family == name
    return 0


def first(rules: BankerRules) -> Body:
    """Return what the first hand starts with: seat 0 is asked first, nobody has won yet."""
    assert rules.family == name
    return {"dealer": 0, "push": ()}


def succeed(rules: BankerRules, spot: Body, hand: Hand, first_dealer: int) -> Body:
    """Return what the next hand starts with: its dealer, and who may push in it (推注).

    Who won against the banker and did not push may; stakes that an escaping banker pays are no win.
    """
    assert spot["dealer"] == hand.dealer
    assert first_dealer == 0
    push: tuple[int, ...] = ()
    if rules.push_bet != "off" and not hand.fled:
        push = tuple(
            [seat for seat, bet in sorted(hand.bets.items()) if hand.payments[seat] > 0 and not is_push(rules, bet)]
        )
    return {"dealer": bank.next_dealer(hand), "push": push}


def start(rules: BankerRules, spot: Body, deal: Deal | None, setting: Setting) -> Hand:
    """Return the state of a hand that begins."""
    return start_hand(rules, spot["dealer"], deal, setting, spot["push"])


def options(hand: Hand) -> list[Body]:
    """Return every decision that may come next: bids or bets by seat, ascending, then escapes by seat."""
    return decisions.options(hand)


def timeout(hand: Hand, seat: int) -> Body | None:
    """Return what the seat's time-out chooses now: no bid, the smallest bet. None where nothing is asked of it."""
    return decisions.timeout(hand, seat)


def chosen(hand: Hand, record: Record) -> Body | None:
    """Return the body of the lawful bid or bet that a record names; None for everything else."""
    return decisions.chosen(hand, record)


def fault(hand: Hand, record: Record) -> Fault | None:
    """Return why this decision may not come next."""
    return decisions.fault(hand, record)


def given_fault(hand: Hand, record: Record) -> Fault | None:
    """Return why cards or a drawn banker, known from the log alone, cannot be what it says."""
    return given_cards_fault(hand, record)


def clause(hand: Hand, due: Body, found: Record) -> tuple[str, str, Any, Any]:
    """Return code, clause id, expected and found where another event stands in the place of `due`."""
    return clause_of(hand, due, found)


# --- consequences -----------------------------------------------------------------------------------------------


def _due_banker(hand: Hand) -> Body:
    seats, bid = bank.candidates(hand)
    seat = bank.drawn(hand, seats)
    return {"type": "banker", "seat": GIVEN if seat is None else seat, "bid": bid}


def _due_dealt(hand: Hand) -> Body:
    seat = (hand.dealer + hand.dealt) % hand.players
    cards = given_codes(hand, seat)
    return {"type": "dealt", "seat": seat, "tiles": GIVEN if cards is None else cards}


def _due_shown(hand: Hand) -> Body:
    seat = (hand.dealer + hand.shown) % hand.players
    return {"type": "shown", "seat": seat, "cards": codes(hand.cards[seat]), "bull": hand.values[seat].kind}


def _due_settlement(hand: Hand) -> Body:
    if hand.settlement is None:
        hand.settlement = settle(hand)
    return dict(hand.settlement)


DUE: Mapping[str, Callable[[Any], Body]] = {
    "banker": _due_banker,
    "deal": _due_dealt,
    "show": _due_shown,
    "settlement": _due_settlement,
}


# --- steps ------------------------------------------------------------------------------------------------------


def _step_bid(hand: Hand, record: Record) -> None:
    hand.bids[record["seat"]] = record["bid"]
    accepted = hand.rules.banker == "asked" and record["bid"] > 0
    if accepted or len(hand.bids) == hand.players:
        hand.advance()


def _step_banker(hand: Hand, record: Record) -> None:
    hand.banker = record["seat"]
    hand.bid = record["bid"]
    hand.advance()


def _step_bet(hand: Hand, record: Record) -> None:
    hand.bets[record["seat"]] = record["amount"]
    if len(hand.bets) == hand.players - 1:
        hand.advance()


def _step_escaped(hand: Hand, record: Record) -> None:
    seat = record["seat"]
    hand.escaped.append(seat)
    if seat == hand.banker:
        hand.place = hand.plan.index("settlement")
        hand.phase = "settlement"


def _step_dealt(hand: Hand, record: Record) -> None:
    hand.cards[record["seat"]] += [CARD_INDEX[code] for code in record["tiles"]]
    hand.dealt += 1
    if hand.dealt == hand.players:
        hand.dealt = 0
        hand.size = HAND - len(hand.cards[0])
        if not hand.size:
            hand.values = [hand.rules.scale.value(cards) for cards in hand.cards]
        hand.advance()


def _step_shown(hand: Hand, record: Record) -> None:
    assert record["type"] == "shown"
    hand.shown += 1
    if hand.shown == hand.players:
        hand.advance()


def _step_settled(hand: Hand, record: Record) -> None:
    hand.payments = record["payments"]
    hand.advance()


STEPS: Mapping[str, Callable[[Any, Record], None]] = {
    "bid": _step_bid,
    "banker": _step_banker,
    "bet": _step_bet,
    "escaped": _step_escaped,
    "dealt": _step_dealt,
    "shown": _step_shown,
    "settled": _step_settled,
}
