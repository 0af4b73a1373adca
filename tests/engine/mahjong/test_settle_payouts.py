"""Payouts: who pays whom, once, in whole points, summing to zero (`mahjong.md` 1.6, 1.7; `known-faults.md`, Payout)."""

import pytest
from tables import Room, codes, found, lay, simulated, states

from engine.cards import INDEX
from engine.events import Record, load
from engine.mahjong import flow
from engine.mahjong.hand import complete_counts
from engine.mahjong.settle import settle
from engine.mahjong.state import Win, start
from engine.variants import find

READY = "12m 456p 789p 456s WW"  # waits for 3m: one tai, two points


def room(hands: list[str], *, name: str, head: str = "", tail: str = "", hands_played: int = 1, dealt: str = "linhai",
         match: dict[str, object] | None = None, **options: object) -> Room:  # fmt: skip
    chosen = {key.replace("__", "."): value for key, value in options.items()}
    laid = lay(dealt, chosen, hands=hands, head=head, tail=tail)
    return Room(dealt, chosen, name=name, laid=laid, match=match or {"length": {"hands": hands_played}})


def last(made: Room, kind: str) -> Record:
    return next(record for record in reversed(made.records()) if record["type"] == kind)


def edges(settled: Record) -> list[tuple[int, int, int, str]]:
    return [(line["from"], line["to"], line["amount"], line["clause"]) for line in settled["lines"]]


def test_a_discard_is_paid_by_its_discarder_alone() -> None:
    made = room(["3m 48m 268p 37s ESNCFP", "", READY, ""], name="discard")
    made.discard(0, "3m")
    made.answer(2, "win")
    settled = last(made, "settled")
    assert edges(settled) == [(0, 2, 2, "linhai.pay.discard")]
    assert settled["payments"] == [-2, 0, 2, 0]


def test_a_self_draw_is_paid_by_all_three_the_same_riichi_advanced_120() -> None:
    made = room(["9m 48m 268p 37s ESNCFP", READY, "", ""], name="self", head="3m")
    made.discard(0, "9m")
    made.win(1)
    settled = last(made, "settled")
    assert edges(settled) == [(seat, 1, 2, "linhai.pay.self_draw") for seat in (2, 3, 0)]
    assert settled["payments"] == [-2, 6, -2, -2]


def test_amounts_are_whole_numbers_everywhere_riichi_advanced_120() -> None:
    # Odd bases and absent tai make shares that three liable seats cannot divide; nobody loses a fraction.
    for number in range(40):
        options = {"base": 5, "win_tai": "absent", "liability_threshold": 1}
        for line in simulated("linhai", options, name=f"whole-{number}"):
            record = load(line)
            if record["type"] == "settled":
                amounts = [*record["payments"], *(each["amount"] for each in record["lines"])]
                assert all(type(amount) is int for amount in amounts)
                assert sum(record["payments"]) == 0


# --- liability ------------------------------------------------------------------------------------------------------


def paid(takes: list[tuple[int, int]], *, winner: int = 1, source: int = -1, **options: object) -> Record:
    """Settle a win of one tai of a hand in which each pair (claimer, feeder) stands for one claim, in order."""
    hand = start(find("linhai", options), 0, 27, None, None)
    for claimer, feeder in takes:
        hand.fed[claimer][feeder] += 1
        if hand.fed[claimer][feeder] == hand.rules.liability_threshold:
            hand.established.append((claimer, feeder))
    counts = [0] * 34
    for code in codes("123m 456p 789p 456s WW"):
        counts[INDEX[code]] += 1
    by = "self_draw" if source < 0 else "discard"
    hand.wins = [Win(winner, 2, by, source, "", tuple(counts))]
    body = settle(hand).body
    assert sum(body["payments"]) == 0
    return body


def test_the_liable_pay_the_whole_self_draw_in_equal_parts_mjx_1156() -> None:
    assert paid([])["payments"] == [-2, 6, -2, -2]
    assert paid([(1, 0)] * 2)["payments"] == [-2, 6, -2, -2]
    assert paid([(1, 0)] * 3)["payments"] == [-6, 6, 0, 0]
    assert paid([(1, 0)] * 3 + [(1, 3)] * 3)["payments"] == [-3, 6, 0, -3]
    assert paid([(1, 0)] * 3 + [(1, 2)] * 3 + [(1, 3)] * 3)["payments"] == [-2, 6, -2, -2]


def test_liability_binds_both_ways_or_as_the_option_says() -> None:
    took, gave = [(1, 0)] * 3, [(0, 1)] * 3
    for direction, by_took, by_gave in (
        ("mutual", True, True),
        ("feeder_pays", True, False),
        ("claimer_pays", False, True),
    ):
        for takes, bound in ((took, by_took), (gave, by_gave)):
            expected = [-6, 6, 0, 0] if bound else [-2, 6, -2, -2]
            assert paid(takes, liability_direction=direction)["payments"] == expected


def test_the_last_liability_established_pays_alone_where_the_option_says() -> None:
    split = {"liability_split": "last_established"}
    assert paid([(1, 0)] * 3 + [(1, 3)] * 3, **split)["payments"] == [0, 6, 0, -6]
    assert paid([(1, 3)] * 3 + [(1, 0)] * 3, **split)["payments"] == [-6, 6, 0, 0]


@pytest.mark.parametrize(("direction", "payer"), [("mutual", 0), ("feeder_pays", 3), ("claimer_pays", 0)])
def test_a_direction_that_binds_nobody_does_not_decide_who_came_last(direction: str, payer: int) -> None:
    # Seats 0 and 3 fed the winner thrice, 3 last; then seat 0 took its third claim from the winner.
    takes = [(1, 0)] * 3 + [(1, 3)] * 3 + [(0, 1)] * 3
    body = paid(takes, liability_split="last_established", liability_direction=direction)
    assert [line["from"] for line in body["lines"]] == [payer]


def test_liability_leaves_a_discard_to_the_discarder_unless_the_option_replaces_him_pantheon_744() -> None:
    assert edges(paid([(1, 0)] * 3, source=2)) == [(2, 1, 2, "linhai.pay.discard")]
    replaced = paid([(1, 0)] * 3, source=2, liability_on_discard="liable_replaces")
    assert edges(replaced) == [(0, 1, 2, "LH-23")]
    assert edges(paid([(1, 0)] * 3, source=0, liability_on_discard="liable_replaces"))[0][:3] == (0, 1, 2)


def test_claims_are_counted_in_play_chow_pung_and_direct_kong_once_each() -> None:
    hands = ["3m9m 28p 37s ESNCFP WW", "12m 99m 55p 12s CCC SS", "69m 147p 369s WEFPN", "68m 258p 469s WEFPN"]
    made = room(hands, name="counted")
    made.discard(0, "3m")
    made.answer(1, "chow", "12m")
    assert made.hand.fed == [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    made.discard(1, "1s")
    made.idle(80)
    assert made.hand.turn == 0
    made.discard(0, "C")
    made.answer(1, "kong", "CCC")
    assert made.hand.fed[1][0] == 2


# --- several winners, leftovers, extras -----------------------------------------------------------------------------


def test_a_hand_voided_after_nothing_was_paid_pays_nothing_mahjax_77() -> None:
    made = room(["3m 48m 268p 37s ESNCFP", "", READY, ""], name="void", hands_played=2)
    made.discard(0, "3m")
    made.act({"type": "voided", "hand": 0, "actor": "operator", "reason": "power"})
    ended = last(made, "hand_ended")
    assert ended["scores"] == [0, 0, 0, 0]
    assert made.game.scores == [0, 0, 0, 0]


def test_every_winner_of_a_multiple_win_has_its_true_payer_mjx_255() -> None:
    made = room(["3m 48m 268p 37s ESNCFP", "12m 123p 678p 123s NN", READY, "12m 678s 789s 456m CC"], name="mjx-255",
                dealt="linhai")  # fmt: skip
    made.discard(0, "3m")
    for seat in (1, 2, 3):
        made.answer(seat, "win")
    assert [(line[0], line[1]) for line in edges(last(made, "settled"))] == [(0, 1), (0, 2), (0, 3)]
    assert last(made, "hand_ended")["scores"] == [-6, 2, 2, 2]


def test_on_a_drawn_hand_receivers_get_what_payers_pay_openriichi_39() -> None:
    made = room(["", "", "", ""], name="openriichi-39")
    made.idle()
    settled = last(made, "settled")
    assert (settled["winners"], settled["payments"], settled["lines"]) == ([], [0, 0, 0, 0], [])


def test_totals_are_the_sum_of_the_hands_and_nothing_is_left_over_pantheon_967() -> None:
    for number in range(5):
        lines = simulated("linhai", name=f"leftover-{number}", match={"length": {"rounds": 1}, "start_points": 100})
        records = [load(line) for line in lines]
        totals = [100] * 4
        for record in records:
            if record["type"] == "settled":
                totals = [had + got for had, got in zip(totals, record["payments"], strict=True)]
            if record["type"] in {"hand_ended", "closed"}:
                assert record["scores"] == totals
        assert sum(totals) == 400


def test_one_hands_changes_never_leak_into_the_next_riichienv_157() -> None:
    # Liability, kongs and locks of a hand end with it; what is per hand is paid once (Agony5757 23).
    options = {"pass_win_lock": "dinghai", "pass_pung_lock": "dinghai", "liability_threshold": 1}
    lines = simulated("linhai", options, name="leak", match={"length": {"hands": 8}})
    assert found(lines) is None
    begun = 0
    for game, record in states(lines):
        if record["type"] == "hand_started":
            begun += 1
            hand = game.hand
            assert hand.fed == [[0] * 4] * 4
            assert (hand.kongs, hand.replaced, hand.established, hand.payments) == (0, 0, [], [])
            assert all(not (side.melds or side.discards or side.win_lock or side.pung_locks) for side in hand.sides)
    assert begun == 8


def test_the_base_holds_for_every_hand_pettingzoo_1335() -> None:
    lines = simulated("linhai", {"base": 7}, name="stake", match={"length": {"hands": 8}})
    settled = [record for record in map(load, lines) if record["type"] == "settled"]
    assert len(settled) == 8
    points = [winner["points"] for record in settled for winner in record["winners"]]
    assert points
    assert all(each in {14, 28, 56} for each in points)


# --- winning hands of the reports -----------------------------------------------------------------------------------


def test_a_tile_may_serve_a_run_and_a_triplet_rlcard_312() -> None:
    counts = [0] * 34
    for code in codes("444p 2222m34m 555s PP"):
        counts[INDEX[code]] += 1
    assert complete_counts(counts)


def test_the_best_is_the_same_in_every_reading_of_a_linhai_hand_mahjong_41() -> None:
    # 111222333m is three runs or three pungs: the tai are the same (mahjong.md 6.4).
    made = room(["3m 48m 268p 37s ESNCFP", "", "11122233m 456p WW", ""], name="mahjong-41")
    made.discard(0, "3m")
    assert made.answers(2)[0] == "win"
    made.answer(2, "win")
    assert last(made, "settled")["winners"][0]["tai"] == 1


# --- the next dealer ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("winners", "options", "dealer"),
    [
        ([0], {}, 0),
        ([1], {}, 1),
        ([3], {}, 1),
        ([], {}, 1),
        ([2, 0], {}, 0),
        ([2, 0], {"multi_win_dealer": "first_winner"}, 1),
        ([0, 2], {"multi_win_dealer": "first_winner"}, 0),
        ([0], {"dealer_stays": "never"}, 1),
    ],
)
def test_the_dealer_stays_only_on_his_win(winners: list[int], options: dict[str, object], dealer: int) -> None:
    rules = find("linhai", options)
    hand = start(rules, 0, 27, None, None)
    hand.wins = [Win(seat, 2, "discard", 1, "", ()) for seat in winners]
    after = flow.succeed(rules, {"dealer": 0, "round_wind": "E"}, hand, 0)
    assert after["dealer"] == dealer


def test_the_round_wind_turns_when_the_deal_comes_back_to_the_first_dealer() -> None:
    rules = find("linhai")
    hand = start(rules, 0, 27, None, None)
    spot = {"dealer": 0, "round_wind": "E"}
    seen = []
    for _ in range(16):
        spot = flow.succeed(rules, spot, hand, 0)
        seen.append((spot["dealer"], spot["round_wind"]))
    assert seen[:5] == [(1, "E"), (2, "E"), (3, "E"), (0, "S"), (1, "S")]
    assert seen[-1] == (0, "E")
