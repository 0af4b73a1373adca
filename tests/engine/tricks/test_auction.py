"""The auction: who bids first, late minimums, the end at 80, what all passes lead to (`cards.md`, Bidding)."""

from itertools import product
from typing import Any

import pytest
from trick_tables import begun, bids, bury, do, follow, idle, name_trump

from engine.family import due_in
from engine.tricks import auction, flow

PASS = (0, 0, 0, 0)


def lawful_sequences(*, late: bool) -> set[tuple[int, ...]]:
    """Every whole auction, written plainly from the page: one act each, rising, 80 ends, late minimums."""
    found = set()
    for whole in product((0, 60, 65, 70, 75, 80), repeat=4):
        high, kept = 0, []
        for at, bid in enumerate(whole):
            least = high + 5 if high else {2: 65, 3: 70}.get(at, 60) if late else 60
            if bid and bid < least:
                break
            high = max(high, bid)
            kept.append(bid)
            if bid == 80:
                break
        else:
            found.add(tuple(kept))
            continue
        if kept and kept[-1] == 80:
            found.add(tuple(kept))
    return found


@pytest.mark.parametrize("late", [True, False])
def test_every_auction_is_one_of_the_pages(late: bool) -> None:
    found: set[tuple[int, ...]] = set()

    def walk(sofar: tuple[int, ...]) -> None:
        hand = begun("three_one", {"late_minimums": late, "all_pass": "most_common_trumps_wins"})
        bids(hand, *sofar)
        if hand.phase != "bid":
            found.add(sofar)
            return
        for body in flow.options(hand):
            walk((*sofar, body["bid"]))

    walk(())
    assert found == lawful_sequences(late=late)


@pytest.mark.parametrize("seat", range(4))
def test_first_hand_the_holder_of_the_three_of_diamonds_bids_first(seat: int) -> None:
    hands = ["", "", "", ""]
    hands[seat] = "3D"
    hand = begun("three_one", hands=hands, kitty="4D")
    assert hand.turn == hand.first_bidder == seat


def test_three_of_diamonds_in_the_kitty() -> None:
    cards: dict[str, Any] = {"hands": ["", "", "4D", ""], "kitty": "3D"}
    assert begun("three_one", **cards).turn == 0
    assert begun("three_one", {"d3_in_kitty": "d4_holder"}, **cards).turn == 2
    both: dict[str, Any] = {"hands": ["", "", "", ""], "kitty": "3D 4D"}
    assert begun("three_one", {"d3_in_kitty": "d4_holder"}, **both).turn == 0
    hand = begun("three_one", {"d3_in_kitty": "redeal"}, **cards)
    assert hand.phase == "ended"
    assert hand.redealt
    assert hand.payments == [0, 0, 0, 0]


def test_later_hands_the_dealer_bids_first_whoever_holds_the_three() -> None:
    hand = begun("three_one", hands=["", "3D", "", ""], spot={"dealer": 3})
    assert hand.turn == 3
    assert [body["seat"] for body in flow.options(hand)] == [3] * 6


@pytest.mark.parametrize(
    ("made", "bid", "clause"),
    [
        ((), 62, "bid.steps"),
        ((), 85, "bid.steps"),
        ((), 55, "bid.steps"),
        ((65,), 65, "bid.higher"),
        ((65,), 60, "bid.higher"),
        ((0, 0), 60, "bid.late"),
        ((0, 0, 0), 65, "bid.late"),
        ((0, 0, 0), 60, "bid.late"),
    ],
)
def test_a_bid_out_of_the_steps_is_refused_with_its_clause(made: tuple[int, ...], bid: int, clause: str) -> None:
    hand = begun("three_one")
    bids(hand, *made)
    fault = flow.fault(hand, {"type": "bid", "seat": hand.turn, "bid": bid})
    assert fault is not None
    assert (fault.code, fault.clause) == ("bid", f"three_one.{clause}")


def test_a_bid_out_of_turn_is_refused() -> None:
    hand = begun("three_one", hands=["3D", "", "", ""])
    fault = flow.fault(hand, {"type": "bid", "seat": 1, "bid": 60})
    assert fault is not None
    assert (fault.code, fault.clause, fault.expected) == ("turn", "three_one.bid.turn", {"seat": 0})


def test_a_late_minimum_binds_only_while_nobody_has_bid() -> None:
    hand = begun("three_one")
    bids(hand, 60, 0)
    assert auction.open_bids(hand, hand.rules) == [0, 65, 70, 75, 80]  # type: ignore[arg-type]
    bids(hand, 0)
    assert auction.open_bids(hand, hand.rules) == [0, 65, 70, 75, 80]  # type: ignore[arg-type]


def test_the_highest_bidder_takes_the_kitty_buries_names_and_leads() -> None:
    hand = begun("three_one", hands=["3D", "", "", ""], kitty="5S 6S 7S 8S 9S TS")
    found = bids(hand, 60, 0, 75, 0)
    assert found == [{"type": "kitty", "seat": 2, "cards": ["5S", "6S", "7S", "8S", "9S", "TS"]}]
    assert hand.declarers == (2,)
    assert hand.held[2].bit_count() == 18
    assert bury(hand, "TS 5S 6S 7S 8S 9S") == []
    assert hand.phase == "trump"
    assert name_trump(hand, "C") == []
    assert (hand.phase, hand.turn, hand.leader) == ("play", 2, 2)
    assert hand.held[2].bit_count() == 12


def test_eighty_ends_the_auction_at_once() -> None:
    hand = begun("three_one", hands=["3D", "", "", ""])
    assert [body["type"] for body in bids(hand, 80)] == ["kitty"]


def test_all_pass_is_dealt_anew_and_the_next_hand_starts_as_this_one_did() -> None:
    hand = begun("three_one", hands=["", "3D", "", ""])
    found = bids(hand, *PASS)
    assert [body["type"] for body in found] == ["drawn_hand", "settled"]
    assert found[0]["reason"] == "redeal"
    assert found[1]["payments"] == [0, 0, 0, 0]
    assert "outcome" not in found[1]
    spot = flow.first(hand.rules)
    assert flow.succeed(hand.rules, spot, hand, 0) == spot


def test_all_pass_first_bidder_forced_at_60() -> None:
    hand = begun("three_one", {"all_pass": "first_bidder_forced_at_minimum"}, hands=["", "", "3D", ""])
    found = bids(hand, *PASS)
    assert [(body["type"], body["seat"]) for body in found] == [("kitty", 2)]
    assert hand.bid == 60


COMMON = ["2S 3D", "BJ 2H 2C", "SJ", "2D"]


def test_all_pass_the_most_common_trumps_win_the_stake_of_60_from_each() -> None:
    hand = begun("three_one", {"all_pass": "most_common_trumps_wins", "base": 7}, hands=COMMON)
    (settled,) = bids(hand, *PASS)
    assert settled["payments"] == [-7, 21, -7, -7]
    assert {line["clause"] for line in settled["lines"]} == {"three_one.bid.all_pass"}
    assert flow.succeed(hand.rules, {"dealer": 0}, hand, 0) == {"dealer": 0}


@pytest.mark.parametrize(
    ("hands", "payments"),
    [
        (COMMON, [2, -6, 2, 2]),  # three stand for 65, stake 2
        (["2S 3D", "BJ 2H", "SJ 2C", "2D"], [1, -3, 1, 1]),  # two for 60; equal: the nearest from the first bidder on
        (["2S 2H 2C 2D BJ SJ", "3D", "", ""], [-15, 5, 5, 5]),  # six for 80
        (["2S 2H 2C 2D BJ", "3D", "", ""], [-12, 4, 4, 4]),
        (["2S 2H 2C 2D", "3D", "", ""], [-9, 3, 3, 3]),
    ],
)
def test_all_pass_the_most_common_trumps_pay(hands: list[str], payments: list[int]) -> None:
    hand = begun("three_one", {"all_pass": "most_common_trumps_loses"}, hands=hands)
    (settled,) = bids(hand, *PASS)
    assert settled["payments"] == payments


def test_equal_counts_go_by_the_first_bidder_not_by_the_seat() -> None:
    hand = begun("three_one", {"all_pass": "most_common_trumps_wins"}, hands=["2S", "2H", "2C 3D", "2D"], kitty="BJ SJ")
    (settled,) = bids(hand, *PASS)
    assert settled["payments"] == [-1, -1, 3, -1]


def test_trump_before_burying() -> None:
    hand = begun("three_one", {"trump_timing": "before_bury"})
    bids(hand, 80)
    assert hand.phase == "trump"
    fault = flow.fault(hand, {"type": "buried", "seat": hand.turn, "cards": []})
    assert fault is not None
    assert (fault.code, fault.clause) == ("order", "three_one.turn.order")
    name_trump(hand, "S")
    assert hand.phase == "bury"
    idle(hand)
    assert hand.phase == "ended"


def test_the_declarer_bids_first_in_the_next_hand() -> None:
    hand = begun("three_one", hands=["3D", "", "", ""])
    bids(hand, 60, 0, 65, 0)
    idle(hand)
    assert flow.succeed(hand.rules, {"dealer": 0, "opening": True}, hand, 0) == {"dealer": 2}


def test_time_outs_pass_name_the_longest_suit_and_play_the_first_lawful_card() -> None:
    hand = begun("three_one", hands=["3D 4D AS 2S 3S 4S AH 2H 3H 4H 5H 6H", "", "", ""], kitty="5S 6S 7S 8S 7H 9D")
    assert flow.timeout(hand, 0) == {"type": "bid", "seat": 0, "bid": 0}
    assert flow.timeout(hand, 1) is None
    bids(hand, 80)
    assert flow.timeout(hand, 0) == {"type": "buried", "seat": 0, "cards": ["AS", "2S", "3S", "4S", "5S", "6S"]}
    bury(hand, "3D 4D 9D 7S 8S AS")  # hearts are longest now
    assert flow.timeout(hand, 0) == {"type": "trump", "seat": 0, "suit": "H"}
    do(hand, {"type": "trump", "seat": 0, "suit": "H"})
    assert flow.timeout(hand, 0) == {"type": "played", "seat": 0, "card": "2S"}
    fault = flow.fault(hand, {"type": "played", "seat": 0, "card": "3S", "auto": True})
    assert fault is not None
    assert (fault.code, fault.clause) == ("auto", "three_one.turn.timeout")
    assert flow.fault(hand, {"type": "played", "seat": 0, "card": "2S", "auto": True}) is None


def test_equal_suits_time_out_to_the_first_of_spades_hearts_clubs_diamonds() -> None:
    hand = begun("three_one", hands=["3D 4D 5D 3C 4C 5C 3H 4H 5H 3S 4S 5S", "", "", ""], kitty="BJ SJ 2S 2H 2C 2D")
    bids(hand, 80)
    bury(hand, "BJ SJ 2S 2H 2C 2D")
    assert flow.timeout(hand, 0) == {"type": "trump", "seat": 0, "suit": "S"}


def test_nothing_is_due_while_a_decision_is_awaited() -> None:
    hand = begun("three_one")
    assert due_in(flow, hand) is None
    assert follow(hand) == []
