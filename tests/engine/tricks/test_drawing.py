"""Declaring while drawing, the turned kitty, who starts (`cards.md`, Declaring; "Order of play")."""

from typing import Any

import pytest
from trick_tables import begun, bury, do, idle

from engine.cards import CARD_INDEX
from engine.events import Body
from engine.tricks import drawing, flow
from engine.tricks.order import bits, of_rank

LATER: Body = {"dealer": 1, "levels": ["5", "9"], "declarers": 1}


def show(card: str, seat: int) -> Body:
    return {"type": "called", "seat": seat, "card": card}


def quiet(seat: int) -> Body:
    return {"type": "called", "seat": seat}


def test_a_holder_of_the_rank_is_asked_after_each_of_his_own_draws_until_somebody_calls() -> None:
    hand = begun("forty", hands=["3S 2S 4S", "3H 4H 2H", "", ""])
    assert (hand.phase, hand.turn, hand.dealt) == ("call", 0, 5)
    assert flow.options(hand) == [show("2S", 0), quiet(0)]
    found = do(hand, quiet(0))
    assert [body["seat"] for body in found] == [1, 2, 3, 0]  # nobody else holds a two yet
    assert (hand.phase, hand.turn) == ("call", 0)
    do(hand, quiet(0))
    assert (hand.turn, hand.dealt) == (1, 10)
    found = do(hand, show("2H", 1))
    assert [body["type"] for body in found] == ["drawn"] * 38 + ["kitty"]
    assert "suit" not in found[-1]
    assert (hand.starter, hand.declarers, hand.suit) == (1, (1, 3), "H")


def test_drawn_counts_what_is_left_with_the_kitty() -> None:
    hand = begun("forty", kitty="2S 2H 2C 2D BJ SJ")
    assert hand.phase == "bury"
    hand = begun("forty", hands=["2S", "", "", ""])
    (first, *_) = do(hand, show("2S", 0))
    assert (first["seat"], first["left"], first["end"]) == (1, 52, "head")


def test_a_card_that_is_not_held_or_not_of_the_rank_is_refused() -> None:
    hand = begun("forty", hands=["2S 3S", "2H", "", ""])
    for card, clause in (("2H", "call.held"), ("3S", "call.rank"), ("BJ", "call.rank")):
        fault = flow.fault(hand, show(card, 0))
        assert fault is not None
        assert (fault.code, fault.clause, fault.expected) == ("called", f"forty.{clause}", {"one of": ["2S"]})
    fault = flow.fault(hand, quiet(1))
    assert fault is not None
    assert (fault.code, fault.clause) == ("turn", "forty.call.turn")


def test_first_hand_without_a_call_the_dealer_starts_and_the_kitty_decides() -> None:
    hand = begun("forty", kitty="3S 2H KC 2D BJ SJ")
    found = idle(hand, lambda hand: hand.phase == "bury")
    assert found[-1] == {"type": "kitty", "seat": 0, "cards": ["3S", "2H", "KC", "2D", "BJ", "SJ"], "suit": "H"}
    assert hand.declarers == (0, 2)


@pytest.mark.parametrize(
    ("kitty", "suit"),
    [
        ("BJ 3S 2H 2D 4C 5C", "H"),  # the first of the rank
        ("3S AH KC BJ SJ AD", "H"),  # none: the highest, ace high, the earliest of equals
        ("BJ SJ 3C 9D TS 8H", "S"),
        ("KD QS KS 3C 4C 5C", "D"),
        ("BJ SJ 3H 3S 3C 3D", "H"),  # jokers have no suit
    ],
)
def test_turned_cards(kitty: str, suit: str) -> None:
    cards = [CARD_INDEX[code] for code in kitty.split()]
    assert drawing.turned(cards, of_rank("2")) == suit


def test_two_is_low_among_turned_cards_where_it_is_not_the_rank() -> None:
    cards = [CARD_INDEX[code] for code in ["2S", "3H", "BJ", "SJ", "2D", "2C"]]
    assert drawing.turned(cards, of_rank("9")) == "H"
    assert drawing.turned(cards, bits([CARD_INDEX["2D"]])) == "D"


def test_nobody_calls_and_the_hand_is_dealt_anew() -> None:
    hand = begun("forty", {"no_declare": "redeal"})
    found = idle(hand)
    assert [body["type"] for body in found[-2:]] == ["drawn_hand", "settled"]
    assert found[-1]["payments"] == [0, 0, 0, 0]
    spot = flow.first(hand.rules)
    assert flow.succeed(hand.rules, spot, hand, 0) == spot


def test_nobody_calls_and_only_jokers_and_rank_cards_are_trumps() -> None:
    hand = begun("forty", {"no_declare": "no_trump"})
    found = idle(hand, lambda hand: hand.phase == "play")
    kitty = next(body for body in found if body["type"] == "kitty")
    assert "suit" not in kitty
    assert hand.trumps is not None
    assert hand.trumps.masks[4] == of_rank("2") | bits([52, 53])
    idle(hand)
    assert hand.phase == "ended"


def test_later_hands_the_declarers_are_known_and_the_rank_is_theirs() -> None:
    hand = begun("forty", spot=LATER, hands=["9S", "", "", ""])
    assert (hand.phase, hand.turn, hand.level) == ("call", 0, "9")
    do(hand, show("9S", 0))  # an attacker may call: only the suit is decided
    assert (hand.starter, hand.declarers, hand.suit) == (1, (1, 3), "S")
    bury(hand, " ".join(flow.options(hand)[0]["cards"]))
    assert hand.leader == 1


def test_declarers_first_the_attackers_wait_for_the_last_card() -> None:
    options = {"who_may_declare": "declarers_first"}
    hands = ["9S", "3S 9H", "9C", "9D"]
    hand = begun("forty", options, spot=LATER, hands=hands)
    assert (hand.turn, hand.dealt) == (3, 3)  # the dealer is seat 1; 9S and 9C wait
    while hand.dealt < 48:
        assert hand.turn in {1, 3}
        do(hand, quiet(hand.turn))
    while hand.turn in {1, 3}:
        do(hand, quiet(hand.turn))
    asked = []
    while hand.phase == "call":
        asked.append(hand.turn)
        do(hand, quiet(hand.turn))
    assert asked == [2, 0]  # in order from the starter
    assert hand.phase == "bury"


def test_declarers_first_a_late_call_ends_the_asking() -> None:
    hand = begun("forty", {"who_may_declare": "declarers_first"}, spot=LATER, hands=["9S", "", "9C", ""], kitty="9H 9D")
    assert (hand.turn, hand.dealt) == (2, 48)
    do(hand, show("9C", 2))
    assert (hand.phase, hand.suit, hand.starter) == ("bury", "C", 1)


def test_declarers_first_a_call_of_the_declarers_leaves_the_attackers_unasked() -> None:
    hand = begun("forty", {"who_may_declare": "declarers_first"}, spot=LATER, hands=["9S", "", "", "9H"])
    do(hand, show("9H", 3))
    assert hand.phase == "bury"


def test_declarers_first_lets_anyone_call_in_the_first_hand() -> None:
    hand = begun("forty", {"who_may_declare": "declarers_first"}, hands=["", "2H", "", ""])
    assert (hand.phase, hand.turn) == ("call", 1)


def test_late_callers_of_either_starter() -> None:
    hand = begun("forty", {"who_may_declare": "declarers_first"}, spot={**LATER, "dealer": 3},
                 hands=["9S", "", "9C", ""], kitty="9H 9D")  # fmt: skip
    rules: Any = hand.rules
    assert [hand.turn, *hand.waiting] == [0, 2]
    assert drawing.late_callers(hand, rules) == [0, 2]


def test_time_outs_show_nothing() -> None:
    hand = begun("forty", hands=["2S", "", "", ""])
    assert flow.timeout(hand, 0) == quiet(0)
    fault = flow.fault(hand, {**show("2S", 0), "auto": True})
    assert fault is not None
    assert fault.code == "auto"
