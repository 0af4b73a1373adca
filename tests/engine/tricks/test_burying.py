"""Burying: six cards of eighteen, in deck order, with the limits of the rules; the list that is never made."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trick_tables import begun, bids, idle

from engine.cards import CARDS
from engine.tricks import flow
from engine.tricks.burying import Burials, bury_fault
from engine.tricks.order import bits, points_of

LIMITS = [None, 0, 35]
eighteen = st.permutations(range(54)).map(lambda cards: sorted(cards[:18]))


def plainly(cards: list[int], most: int | None) -> list[list[str]]:
    return [[CARDS[card] for card in six] for six in combinations(cards, 6) if most is None or points_of(six) <= most]


@pytest.mark.parametrize("most", LIMITS)
@pytest.mark.parametrize("seed", range(3))
def test_burials_are_the_plain_list(most: int | None, seed: int) -> None:
    chance = Random(seed)
    cards = sorted(chance.sample(range(54), 18))
    want = plainly(cards, most)
    found = Burials(2, bits(cards), most)
    assert len(found) == len(want)
    assert [body["cards"] for body in found] == want
    assert all(body["type"] == "buried" and body["seat"] == 2 for body in found)
    for at in [0, len(want) - 1, -1, -len(want), *(chance.randrange(len(want)) for _ in range(100))]:
        assert found[at]["cards"] == want[at]
    assert [body["cards"] for body in found[5:30:7]] == want[5:30:7]
    for at in (len(want), -len(want) - 1):
        with pytest.raises(IndexError):
            found[at]


@given(eighteen, st.sampled_from(LIMITS), st.integers(0, 18_563))
def test_every_listed_burial_is_lawful(cards: list[int], most: int | None, at: int) -> None:
    found = Burials(0, bits(cards), most)
    body = found[at % len(found)]
    assert bury_fault(bits(cards), body["cards"], most) == ""


@given(eighteen, st.sampled_from(LIMITS), st.permutations(range(54)).map(lambda cards: cards[:6]))
def test_any_six_cards_are_lawful_exactly_where_they_are_listed(
    cards: list[int], most: int | None, six: list[int]
) -> None:
    # Half of the six come from the hand, so that lawful ones occur.
    chosen = sorted({*cards[:3], *six})[:6]
    listed = set(chosen) <= set(cards) and len(chosen) == 6 and (most is None or points_of(chosen) <= most)
    assert (bury_fault(bits(cards), [CARDS[card] for card in chosen], most) == "") == listed


@pytest.mark.parametrize(
    ("cards", "clause"),
    [
        ("AS 2S 3S 4S 5S", "bury.six"),
        ("AS 2S 3S 4S 5S 6S 7S", "bury.six"),
        ("AS 2S 3S 4S 5S AD", "bury.held"),
        ("AS AS 2S 3S 4S 5S", "bury.held"),
        ("2S AS 3S 4S 5S 6S", "bury.order"),
    ],
)
def test_unlawful_burials_name_their_clause(cards: str, clause: str) -> None:
    hand = begun("three_one", hands=["AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS 3D", "", "", ""], kitty="KS QS AH 2H 3H 4H")
    bids(hand, 80)
    fault = flow.fault(hand, {"type": "buried", "seat": 0, "cards": cards.split()})
    assert fault is not None
    assert (fault.code, fault.clause) == ("buried", f"three_one.{clause}")


def test_limits_name_what_they_allow() -> None:
    hands = ["5S TS KS 5H TH KH 5C TC KC 5D 3D 4D", "", "", ""]
    hand = begun("three_one", {"bury_points": False}, hands=hands, kitty="6S 7S 8S 9S AS QS")
    bids(hand, 80)
    fault = flow.fault(hand, {"type": "buried", "seat": 0, "cards": ["5S", "6S", "7S", "8S", "9S", "QS"]})
    assert fault is not None
    assert (fault.clause, fault.expected) == ("three_one.bury.points", {"card points at most": 0})
    assert flow.timeout(hand, 0) == {"type": "buried", "seat": 0, "cards": ["AS", "6S", "7S", "8S", "9S", "QS"]}
    forty = begun("forty", {"bury_point_limit": 35}, hands=hands, kitty="6S 7S 8S 9S AS 2S")
    idle(forty, lambda hand: hand.phase == "bury")
    over, even = "TS KS TH KH 3D 4D", "5S TS KS TH 3D 4D"
    fault = flow.fault(forty, {"type": "buried", "seat": 0, "cards": over.split()})
    assert fault is not None
    assert fault.clause == "forty.bury.points"
    assert flow.fault(forty, {"type": "buried", "seat": 0, "cards": even.split()}) is None


def test_another_seat_may_not_bury() -> None:
    hand = begun("three_one", hands=["3D", "", "", ""])
    bids(hand, 80)
    fault = flow.fault(hand, {**flow.options(hand)[0], "seat": 1})
    assert fault is not None
    assert (fault.code, fault.clause) == ("turn", "three_one.bury.starter")
