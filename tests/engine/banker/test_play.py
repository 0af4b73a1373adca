"""The course of a hand in each banker mode: who is asked, who holds the bank, what may be staked, escapes."""

from collections.abc import Sequence
from typing import Any

import pytest
from niuniu_tables import lively, sit
from tables import Room, found

from engine import frame
from engine.errors import EventError
from engine.events import Body, Record, canonical, load
from engine.replay import replay
from engine.table import RefusedError

EIGHT, NINE, BULLS, LOW = "3S 7H KD 8C JS", "TS QS KS 4D 5C", "2S 8H JD QC TC", "AS 3H 5D 8D KC"
"""牛8, 牛9, 牛牛 and no bull, of a deck together."""


def types(records: Sequence[Record]) -> list[str]:
    return [record["type"] for record in records]


def only(records: Sequence[Record], kind: str) -> Record:
    (found_,) = [record for record in records if record["type"] == kind]
    return found_


def bid(room: Room, seat: int, amount: int) -> list[Record]:
    return room.act({"type": "bid", "seat": seat, "bid": amount})


def bet(room: Room, seat: int, amount: int) -> list[Record]:
    return room.act({"type": "bet", "seat": seat, "amount": amount})


def refuses(room: Room, body: Body, clause: str) -> None:
    with pytest.raises(RefusedError) as caught:
        room.act(body)
    assert caught.value.fault.clause == clause


# --- the bank ---------------------------------------------------------------------------------------------------


def test_seats_are_asked_in_turn_until_one_accepts() -> None:
    room = sit("niuniu", hands=[EIGHT, NINE, BULLS, LOW])
    assert types(room.records())[-1] == "hand_started"
    refuses(room, {"type": "bid", "seat": 1, "bid": 1}, "niuniu.bid.turn")
    assert types(bid(room, 0, 0)) == ["bid"]
    refuses(room, {"type": "bid", "seat": 1, "bid": 2}, "niuniu.bid.range")
    after = bid(room, 1, 1)
    assert types(after) == ["bid", "banker"]
    assert (after[1]["seat"], after[1]["bid"]) == (1, 1)
    refuses(room, {"type": "bid", "seat": 2, "bid": 1}, "niuniu.play.order")
    refuses(room, {"type": "bet", "seat": 1, "amount": 1}, "niuniu.bet.banker")
    bet(room, 3, 5)
    refuses(room, {"type": "bet", "seat": 3, "amount": 1}, "niuniu.bet.once")
    refuses(room, {"type": "bet", "seat": 0, "amount": 6}, "niuniu.bet.amount")
    bet(room, 0, 1)
    end = bet(room, 2, 2)
    assert types(end) == ["bet", *["dealt"] * 4, *["shown"] * 4, "settled", "hand_ended", "revealed", "closed"]
    assert [record["seat"] for record in end[1:9]] == [0, 1, 2, 3, 0, 1, 2, 3]
    # the banker's 牛9 (x4) against 牛8 with 1, 牛牛 (x5) with 2, no bull with 5
    assert only(end, "settled")["payments"] == [-4, 4 - 10 + 20, 10, -20]
    assert room.fault() is None


@pytest.mark.parametrize(("rule", "banker", "dealer"), [("first_forced", 0, 1), ("last_forced", 2, 0)])
def test_all_decline(rule: str, banker: int, dealer: int) -> None:
    room = sit("niuniu", {"all_decline": rule}, players=3, match={"length": {"hands": 2}})
    bid(room, 0, 0)
    bid(room, 1, 0)
    told = only(bid(room, 2, 0), "banker")
    assert (told["seat"], told["bid"]) == (banker, 1)
    for seat in {0, 1, 2} - {banker}:
        bet(room, seat, 1)
    assert room.hand.dealer == dealer
    assert only(room.records(), "hand_ended")["next"] == {"dealer": dealer}


def test_last_forced_starts_the_next_hand_after_the_banker_whoever_took_the_bank() -> None:
    room = sit("niuniu", {"all_decline": "last_forced"}, players=4, match={"length": {"hands": 2}})
    bid(room, 0, 0)
    bid(room, 1, 1)
    for seat in (0, 2, 3):
        bet(room, seat, 1)
    assert room.hand.dealer == 2


def lot(room: Room, hand: int, seats: Sequence[int]) -> int:
    """Draw as the page says: below(m) of the hand's own bid stream, seats in order from the dealer."""
    shuffled = room.game.shuffled
    assert shuffled is not None
    assert shuffled[0] == hand
    return seats[shuffled[1].keys.stream("bid").below(len(seats))]


@pytest.mark.parametrize("mode", ["asked", "free_bid"])
def test_all_decline_by_lot_among_all(mode: str) -> None:
    drawn = set()
    for number in range(8):
        options = {"all_decline": "random", "banker": mode, "bid_multiplies": True}
        room = sit("niuniu", options, players=4, name=f"{mode}-lot-{number}")
        for seat in range(3):
            bid(room, seat, 0)
        told = only(bid(room, 3, 0), "banker")
        assert told["bid"] == 1
        assert told["seat"] == lot(room, 0, [0, 1, 2, 3])
        drawn.add(told["seat"])
    assert len(drawn) > 1


@pytest.mark.parametrize("mode", ["free_bid", "see3_bid", "see4_bid"])
def test_equal_bids_are_drawn_from_the_bid_stream(mode: str) -> None:
    drawn = set()
    for number in range(8):
        room = sit(
            "niuniu.national", {"banker": mode}, players=5, name=f"{mode}-{number}", match={"length": {"hands": 2}}
        )
        for seat in (2, 3, 4, 0, 1):
            bid(room, seat, 3 if seat in {1, 4} else 2)
        told = only([load(line) for line in room.lines[-2:]], "banker")
        assert told["bid"] == 3
        assert told["seat"] == lot(room, 0, [1, 4])
        drawn.add(told["seat"])
        for seat in {0, 1, 2, 3, 4} - {told["seat"]}:
            bet(room, seat, 1)
        assert room.hand.dealer == 1  # the bids begin anywhere, the order of the lot moves with the dealer
        for seat in range(5):
            bid(room, seat, 1 if seat in {0, 3} else 0)
        told = load(room.lines[-1])
        assert told["seat"] == lot(room, 1, [3, 0])
    assert len(drawn) == 2


def test_the_highest_bid_holds_the_bank_and_multiplies() -> None:
    for multiplies in (True, False):
        options = {"banker": "free_bid", "bid_multiplies": multiplies}
        room = sit("niuniu.national", options, hands=[EIGHT, NINE, LOW])
        bid(room, 2, 0)
        bid(room, 0, 4)
        told = only(bid(room, 1, 3), "banker")
        assert (told["seat"], told["bid"]) == (0, 4)
        bet(room, 1, 2)
        paid = only(bet(room, 2, 5), "settled")["payments"]
        # banker 牛8 (x2) loses to 牛9 (x3) with 2, beats no bull with 5
        times = 4 if multiplies else 1
        assert paid == [(-6 + 10) * times, 6 * times, -10 * times]


def test_see_modes_deal_before_the_bids() -> None:
    for mode, size in (("see3_bid", 3), ("see4_bid", 4)):
        room = sit("niuniu.national", {"banker": mode}, hands=[EIGHT, NINE])
        first = room.records()[-2:]
        assert types(first) == ["dealt", "dealt"]
        assert [record["tiles"] for record in first] == [EIGHT.split()[:size], NINE.split()[:size]]
        bid(room, 0, 1)
        bid(room, 1, 0)
        rest = [record["tiles"] for record in bet(room, 1, 1) if record["type"] == "dealt"]
        assert rest == [EIGHT.split()[size:], NINE.split()[size:]]


def test_fixed_owner_rotate_and_none() -> None:
    for mode, bankers in (("fixed_owner", [0, 0, 0, 0]), ("rotate", [0, 1, 2, 0])):
        room = sit("niuniu.national", {"banker": mode}, players=3, match={"length": {"hands": 4}})
        room.play(lively(mode))
        told = [record for record in room.records() if record["type"] == "banker"]
        assert [record["seat"] for record in told] == bankers
        assert {record["bid"] for record in told} == {1}
    room = sit("niuniu.national", {"banker": "none"}, players=3, match={"length": {"hands": 4}})
    assert room.table.over  # nobody chooses anything: dealt, shown, settled
    assert [record["dealer"] for record in room.records() if record["type"] == "hand_started"] == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("hands", "options", "dealer"),
    [
        ([EIGHT, NINE, BULLS, LOW], {}, 2),
        ([EIGHT, NINE, LOW], {}, 0),  # nobody has one: it stays
        (["2D 8D KH KC TS", BULLS, "2H 8S JH QD TD"], {}, 0),  # K above Q
        ([LOW, BULLS, "2H 8S JH QD TD"], {}, 1),  # QC above QD
        (["JS JH JC QS KS", BULLS], {}, 1),  # five faces are special: no 牛牛
        (["JS JH JC QS KS", BULLS], {"specials": {}}, 0),
        ([LOW, "KS JD TC 2H 8S", "KD QC TH 2S 8H"], {}, 1),  # KS above KD
        ([LOW, "KS JD TC 2H 8S", "KD QC TH 2S 8H"], {"tie": "push"}, 1),
        ([LOW, "KS JD TC 2H 8S", "KD QC TH 2S 8H"], {"tie": "all_ranks_then_suits"}, 2),  # K Q above K J
    ],
)
def test_bull_takes_moves_to_the_best_bull_bull_alone(hands: list[str], options: dict[str, Any], dealer: int) -> None:
    match = {"length": {"hands": 2}}
    room = sit("niuniu.national", {"banker": "bull_takes", **options}, hands=hands, match=match)
    for seat in range(1, len(hands)):
        bet(room, seat, 1)
    assert room.hand.dealer == room.hand.banker == dealer


# --- stakes -----------------------------------------------------------------------------------------------------


def test_bets_are_base_times_one_of_bets() -> None:
    room = sit("niuniu.national", {"base": 10, "bets": [2, 5]}, players=3)
    assert [body["amount"] for body in room.choices(1, "bet")] == [20, 50]
    refuses(room, {"type": "bet", "seat": 1, "amount": 10}, "niuniu.bet.amount")
    refuses(room, {"type": "bet", "seat": 0, "amount": 20}, "niuniu.bet.banker")


def test_solvency_and_caps_apply_only_with_start_points() -> None:
    # highest multiplier 5, four players: 15 for the bank; a bet at most score / 5
    for points, bank, most in ((0, True, 5), (14, False, 2), (15, True, 3), (4, False, 1), (100, True, 5)):
        room = sit("niuniu", players=4, name=f"cap-{points}", match={"start_points": points})
        assert [body["bid"] for body in room.choices(0, "bid")] == ([0, 1] if bank else [0])
        if not bank:
            refuses(room, {"type": "bid", "seat": 0, "bid": 1}, "niuniu.bid.solvency")
        for seat in range(4):
            if room.hand.phase == "bid":
                bid(room, seat, 0)
        amounts = [body["amount"] for body in room.choices(1, "bet")]
        assert amounts == list(range(1, most + 1))
        if most < 5:
            refuses(room, {"type": "bet", "seat": 1, "amount": most + 1}, "niuniu.bet.balance")
    room = sit("niuniu", {"cap_by_balance": False}, players=4, match={"start_points": 3})
    assert [body["bid"] for body in room.choices(0, "bid")] == [0, 1]


def test_the_base_is_always_allowed_under_a_cap_even_where_it_is_no_bet() -> None:
    room = sit("niuniu.national", {"bets": [2, 5]}, players=2, match={"start_points": 9})
    assert [body["amount"] for body in room.choices(1, "bet")] == [1]
    room = sit("niuniu.national", {"bets": [2, 5]}, players=2, match={"start_points": 17})
    assert [body["amount"] for body in room.choices(1, "bet")] == [1, 2]


def test_payments_are_never_cut() -> None:
    room = sit("niuniu", hands=[EIGHT, BULLS], match={"start_points": 2, "length": {"hands": 1}})
    bid(room, 0, 0)
    bid(room, 1, 0)
    end = bet(room, 1, 1)
    assert only(end, "hand_ended")["scores"] == [-3, 7]


@pytest.mark.parametrize("push", [5, 10, 15, 20])
def test_a_winner_may_push_once(push: int) -> None:
    options = {"push_bet": push, "banker": "fixed_owner", "bets": [1, 2]}
    room = sit("niuniu.national", options, hands=[EIGHT, NINE, LOW], match={"length": {"hands": 4}})
    refuses(room, {"type": "bet", "seat": 1, "amount": push}, "niuniu.bet.push")
    bet(room, 1, 2)
    bet(room, 2, 1)
    assert room.hand.pushers == (1,)
    assert [body["amount"] for body in room.choices(1, "bet")] == [1, 2, push]
    assert [body["amount"] for body in room.choices(2, "bet")] == [1, 2]
    refuses(room, {"type": "bet", "seat": 2, "amount": push}, "niuniu.bet.push")
    bet(room, 1, push)
    bet(room, 2, 1)
    assert 1 not in room.hand.pushers  # whatever he won: not twice running


def test_a_push_is_capped_like_any_bet() -> None:
    options = {"push_bet": 20, "banker": "fixed_owner"}
    room = sit("niuniu.national", options, hands=[EIGHT, NINE], match={"length": {"hands": 2}, "start_points": 50})
    bet(room, 1, 5)
    assert room.hand.pushers == (1,)
    assert [body["amount"] for body in room.choices(1, "bet")] == [1, 2, 3, 4, 5]  # 65 points, x8: at most 8
    refuses(room, {"type": "bet", "seat": 1, "amount": 20}, "niuniu.bet.balance")


# --- escapes ----------------------------------------------------------------------------------------------------


def test_a_player_escapes_before_the_deal() -> None:
    room = sit("niuniu", hands=[EIGHT, NINE, BULLS, LOW])
    bid(room, 0, 1)
    refuses(room, {"type": "escaped", "seat": 2}, "niuniu.escape.seat")
    bet(room, 2, 4)
    assert types(room.act({"type": "escaped", "seat": 2})) == ["escaped"]
    refuses(room, {"type": "escaped", "seat": 2}, "niuniu.escape.seat")
    refuses(room, {"type": "bet", "seat": 2, "amount": 1}, "niuniu.bet.once")
    bet(room, 1, 1)
    end = bet(room, 3, 1)
    # the stake of 4 to the banker; his 牛牛 is dealt and shown, but not compared
    assert only(end, "settled")["payments"] == [4 - 4 + 3, 4, -4, -3]
    assert types(end).count("shown") == 4
    assert {line["clause"] for line in only(end, "settled")["lines"]} == {
        "niuniu.escape.player", "niuniu.pay.player", "niuniu.pay.banker",
    }  # fmt: skip
    assert room.fault() is None


def test_the_banker_escapes_before_the_deal() -> None:
    room = sit("niuniu", players=4, match={"length": {"hands": 2}})
    bid(room, 0, 1)
    bet(room, 2, 4)
    bet(room, 1, 2)
    room.act({"type": "escaped", "seat": 2})
    after = room.act({"type": "escaped", "seat": 0})
    assert types(after)[:3] == ["escaped", "settled", "hand_ended"]
    assert after[1]["payments"] == [4 - 2, 2, -4, 0]
    assert room.hand.dealer == 1
    assert found(room.play(lively("flee"))) is None


@pytest.mark.parametrize(("mode", "times"), [("see3_bid", 5), ("see4_bid", 5), ("free_bid", 1)])
def test_escapes_cost_five_times_once_cards_are_dealt_and_times_the_bid(mode: str, times: int) -> None:
    room = sit("niuniu.national", {"banker": mode, "escape": "zhenan"}, players=3)
    bid(room, 1, 3)
    bid(room, 0, 1)
    bid(room, 2, 0)
    bet(room, 0, 2)
    room.act({"type": "escaped", "seat": 0})
    after = room.act({"type": "escaped", "seat": 1})
    assert only(after, "settled")["payments"] == [-2 * times * 3, 2 * times * 3, 0]
    room = sit("niuniu.national", {"banker": mode, "escape": "zhenan", "bid_multiplies": False}, players=3)
    bid(room, 1, 3)
    bid(room, 0, 1)
    bid(room, 2, 0)
    bet(room, 0, 2)
    after = room.act({"type": "escaped", "seat": 1})
    assert only(after, "settled")["payments"] == [2 * times, -2 * times, 0]


def test_nobody_escapes_where_the_option_is_off_or_before_the_bank_is_known() -> None:
    room = sit("niuniu.national", players=3)
    refuses(room, {"type": "escaped", "seat": 0}, "niuniu.escape.off")
    room = sit("niuniu", players=3)
    refuses(room, {"type": "escaped", "seat": 0}, "niuniu.escape.time")


def test_stakes_of_an_escaped_banker_are_no_win() -> None:
    room = sit("niuniu", {"push_bet": 10}, players=3, match={"length": {"hands": 2}})
    bid(room, 0, 1)
    bet(room, 1, 1)
    room.act({"type": "escaped", "seat": 0})
    assert room.hand.pushers == ()


# --- time-outs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["asked", "free_bid", "see4_bid", "rotate"])
def test_time_outs_decline_and_bet_the_smallest(mode: str) -> None:
    room = sit("niuniu.national", {"banker": mode, "bets": [2, 3]}, players=3)
    while not room.table.over:
        asked = [seat for seat in range(3) if room.table.timeout(seat) is not None]
        assert asked == sorted({body["seat"] for body in room.options})
        body = room.table.timeout(asked[-1])
        assert body is not None
        assert body["auto"] is True
        assert body.get("bid", 0) == 0
        assert body.get("amount", 2) == 2
        other = {**body, "bid": 1} if body["type"] == "bid" else {**body, "amount": 3}
        refuses(room, other, "niuniu.play.timeout")
        room.act(body)
    assert found(room.lines) is None
    assert room.table.timeout(0) is None


# --- matches ----------------------------------------------------------------------------------------------------


def test_a_round_is_over_when_the_deal_comes_back() -> None:
    room = sit("niuniu.national", {"banker": "rotate"}, players=5, match={"length": {"rounds": 2}})
    room.play(lively("rounds"))
    assert room.game.hand_number == 10
    assert load(room.lines[-1])["reason"] == "match_end"


def test_a_match_ends_below_the_floor() -> None:
    room = sit("niuniu", hands=[EIGHT, BULLS], match={"start_points": 3, "floor": 0, "length": {"hands": 9}})
    bid(room, 0, 0)
    bid(room, 1, 0)
    end = bet(room, 1, 1)
    assert only(end, "closed")["reason"] == "bankrupt"


# --- without seeds ----------------------------------------------------------------------------------------------


def foreign(lines: Sequence[bytes], **fields: Any) -> list[bytes]:
    """Rewrite a log as a foreign server's: protocol none, no entropy, seats, counts and seeds."""
    told = []
    for line in lines:
        record = load(line)
        kind = record["type"]
        if kind in {"committed", "entropy", "seated", "revealed"}:
            continue
        if kind == "opened":
            record["deal"] = {"protocol": "none"}
        if kind == "hand_started":
            record = {key: value for key, value in record.items() if key not in {"words", "rejects", "wall_root"}}
        if kind == "closed":
            record.pop("root_seed")
        told.append({**record, **fields})
    return [canonical({**record, "seq": seq}) for seq, record in enumerate(told)]


def test_a_foreign_server_is_believed_its_cards_and_lots_but_nothing_else() -> None:
    room = sit("niuniu.national", {"banker": "see4_bid"}, players=3, name="foreign", match={"seating": "as_opened"})
    for seat, amount in ((0, 2), (1, 2), (2, 1)):
        bid(room, seat, amount)
    banker = room.hand.banker
    for seat in {0, 1, 2} - {banker}:
        bet(room, seat, 1)
    lines = foreign(room.lines)
    result = replay(lines)
    assert result.finding is None
    assert [note.code for note in result.notes] == ["V9"]
    records = [load(line) for line in lines]
    at = types(records).index("banker")

    def changed(seq: int, **fields: Any) -> tuple[str, str] | None:
        place = found([*lines[:seq], canonical({**records[seq], **fields}), *lines[seq + 1 :]])
        return (place.code, place.clause) if place else None

    assert changed(at, seat=2) == ("banker", "niuniu.bank.see4_bid")
    assert changed(at, bid=3) == ("banker", "niuniu.bank.bid")
    first = types(records).index("dealt")
    cards = records[first]["tiles"]
    assert changed(first, tiles=cards[:3]) == ("dealt", "niuniu.deal.order")
    assert changed(first, tiles=[*cards[:3], "BJ"]) == ("V5", "fairness.1.10.V5")
    assert changed(first, tiles=[*cards[:3], "1m"]) == ("V5", "fairness.1.10.V5")
    assert changed(first, tiles=[*cards[:3], cards[0]]) == ("V5", "fairness.1.10.V5")
    assert changed(first + 1, tiles=cards) == ("V5", "fairness.1.10.V5")
    other = ({0, 1} - {records[at]["seat"]}).pop()
    # the other of the two highest bids may hold the bank too: only the seed could tell
    lawful = [*records[:at], {**records[at], "seat": other}]
    game = replay([canonical(each) for each in lawful]).game
    assert game is not None
    assert game.hand.banker == other
    assert frame.due(game) is None


def test_an_amount_beyond_every_number_is_no_event() -> None:
    room = sit("niuniu.national", players=2)
    with pytest.raises(EventError):
        room.act({"type": "bet", "seat": 1, "amount": 2**60})
    with pytest.raises(EventError):
        room.act({"type": "bet", "seat": 1, "amount": -1})
    with pytest.raises(EventError):
        room.act({"type": "bet", "seat": 10, "amount": 1})
    refuses(room, {"type": "bet", "seat": 9, "amount": 1}, "niuniu.bet.once")
