"""Kongs, replacements and the end of the wall (`mahjong.md` 0.6, 1.4, CM-01 to CM-05, LH-10 to LH-14).

Names carry the public report whose fault must not occur here (`known-faults.md`).
"""

import pytest
from tables import Room, codes, lay

from engine.cards import KINDS
from engine.events import Record

QUIET = ["159m 258p 37s ESWNCF", "159m 147p 369s ESWN", "259m 147p 369s ESWN", "259m 258p 147s CFPP"]
LAST = 69
"""Draws from the head before the reserve of 14 is reached: 136 - 53 - 14."""


def room(hands: list[str], *, name: str, head: str = "", tail: str = "", rules: str = "linhai",
         hands_played: int = 1, **options: object) -> Room:  # fmt: skip
    chosen = {key.replace("__", "."): value for key, value in options.items()}
    laid = lay(rules, chosen, hands=hands, head=head, tail=tail)
    return Room(rules, chosen, name=name, laid=laid, match={"length": {"hands": hands_played}})


def late(hands: list[str], last: dict[int, str], *, name: str, tail: str = "", rules: str = "linhai",
         **options: object) -> Room:  # fmt: skip
    """Lay the draws `last` (by number from 1) and let all pass until the first of them is in a hand."""
    pool = dict.fromkeys(KINDS[:34], 4)
    for tile in [*(code for hand in hands for code in codes(hand)), *last.values(), *codes(tail)]:
        pool[tile] = pool.get(tile, 1) - 1
    free = [tile for tile, left in pool.items() for _ in range(left)][::-1]
    head = [last.get(draw) or free.pop() for draw in range(1, max(last) + 1)]
    made = room(hands, head=" ".join(head), name=name, tail=tail, rules=rules, **options)
    made.idle((91 if rules == "linhai.144" else 83) - min(last))
    return made


def draws(made: Room) -> list[Record]:
    return [record for record in made.records() if record["type"] == "drawn"]


def types(records: list[Record]) -> list[str]:
    return [record["type"] for record in records]


# --- a kong's tile is no discard ------------------------------------------------------------------------------------

PUNG_9M = ["9m 48m 268p 37s ESNCFP", "78m WWW 123p 789p 44s", "6m 15m 28p 38s SNCFP E", "99m 25m 14p 69s SCFNE"]


def before_added_kong(name: str, **options: object) -> Room:
    made = room(PUNG_9M, head="5p N 1s 9m", tail="6m", name=name, **options)
    made.discard(0, "9m")
    made.answer(1, "pass")
    made.answer(3, "pung", "99m")
    made.discard(3, "E")
    made.discard(0, "5p", drawn=True)
    made.discard(1, "N", drawn=True)
    made.discard(2, "1s", drawn=True)
    return made


@pytest.mark.parametrize("rob_kong", ["off", "as_discard"])
def test_a_tile_used_in_a_kong_is_not_a_discard_akochan_23(rob_kong: str) -> None:
    made = before_added_kong(f"akochan-{rob_kong}", rob_kong=rob_kong)
    records = made.kong(3, "added_kong", "9m")
    if rob_kong == "off":  # seat 1 waits for 9m and could win and chow a discard: nobody is asked
        assert types(records) == ["konged", "drawn"]
        assert made.hand.phase == "act"
        fault = made.judge({"type": "answered", "seat": 1, "to": records[0]["seq"], "answer": "win"})
        assert fault is not None
        assert (fault.code, fault.clause) == ("order", "linhai.turn.order")
        return
    assert made.answers(1) == ["win", "pass"]  # no chow
    for answer, tiles in (("chow", "78m"), ("pung", "99m"), ("kong", "999m")):
        body = {"type": "answered", "seat": 1, "to": records[0]["seq"], "answer": answer, "tiles": codes(tiles)}
        fault = made.judge(body)
        assert fault is not None
        assert (fault.code, fault.clause) == ("answered", "LH-26")


def test_a_concealed_kong_opens_no_window() -> None:
    hands = ["9999m 48m 268p 37s ESN", "78m WWW 123p 789p 44s", "", ""]
    made = room(hands, name="concealed", rob_kong="as_discard")
    assert types(made.kong(0, "concealed_kong", "9m")) == ["konged", "drawn"]


def test_an_added_kong_needs_exactly_the_fourth_tile_ratel_59() -> None:
    made = before_added_kong("ratel-fourth")
    assert [body["tiles"] for body in made.choices(3, "konged")] == [["9m"]]
    for tiles in (["E"], ["2m"], ["9m", "9m"], ["9m"] * 4, []):
        fault = made.judge({"type": "konged", "seat": 3, "kind": "added_kong", "tiles": tiles})
        assert fault is not None
        assert fault.code == "konged"
        assert fault.clause in {"linhai.act.kong_tiles", "CM-02"}
    fault = made.judge({"type": "konged", "seat": 3, "kind": "added_kong", "tiles": ["2m"]})
    assert fault is not None
    assert fault.clause == "CM-02"  # held, but no pung of it lies open


def test_three_in_hand_and_a_pung_of_another_kind_make_no_concealed_kong() -> None:
    made = room(["999m 48m 268p 37s ESNC", "", "", ""], name="three")
    fault = made.judge({"type": "konged", "seat": 0, "kind": "concealed_kong", "tiles": ["9m"] * 4})
    assert fault is not None
    assert (fault.code, fault.clause) == ("konged", "linhai.act.kong_tiles")


# --- who pays for a robbed kong -------------------------------------------------------------------------------------


def test_a_robbed_kong_is_paid_by_its_maker_not_by_the_last_discarder_majsoul_12() -> None:
    made = before_added_kong("majsoul-12", rob_kong="as_discard")
    made.kong(3, "added_kong", "9m")
    records = made.answer(1, "win")
    won, settled = records[1], records[2]
    assert (won["by"], won["from"]) == ("robbed", 3)  # the last discard was seat 2's, the pung's source seat 0
    assert settled["payments"] == [0, 2, 0, -2]
    assert made.fault() is None


def test_a_robbed_kong_counts_for_nothing() -> None:
    made = before_added_kong("void-kong", rob_kong="as_discard")
    made.kong(3, "added_kong", "9m")
    hand = made.hand
    made.answer(1, "win")
    assert hand.kongs == 0
    assert [meld.kind for meld in hand.sides[3].melds] == ["pung"]
    assert len(draws(made)) == 4  # no replacement was drawn


# --- the boundary ---------------------------------------------------------------------------------------------------


def test_each_kong_moves_the_boundary_once_and_only_when_it_is_complete_akagi_244() -> None:
    made = before_added_kong("akagi-244", rob_kong="as_discard", reserve_per_kong=2)
    assert made.hand.kongs == 0
    made.kong(3, "added_kong", "9m")
    assert made.hand.kongs == 0  # it can still be robbed
    records = made.answer(1, "pass")
    assert types(records) == ["answered", "drawn"]
    assert made.hand.kongs == 1
    assert records[1] | {"end": "tail", "tile": "6m", "left": 78} == records[1]
    made.idle(77)
    assert made.hand.kongs == 1


def test_every_kind_of_kong_counts_once() -> None:
    hands = ["9m 48m 268p 37s ESNCFP", "999m 111p 258s ESWN", "", ""]
    made = room(hands, name="counts", tail="1p 5s")
    made.discard(0, "9m")
    made.answer(1, "kong", "999m")
    assert made.hand.kongs == 1
    made.kong(1, "concealed_kong", "1p")
    assert made.hand.kongs == 2
    assert made.fault() is None


def test_the_dead_wall_grows_by_one_a_kong() -> None:
    # 杠1补2: 14 tiles stay without a kong, 15 with one, 16 with two (mahjong.md 1.4).
    for kongs, left in ((0, 14), (1, 15), (2, 16)):
        hands = ["1111m 5555p 37s ESNC", *QUIET[1:3], "47m 69p 258s CFPP WN"]
        hands[1] = hands[1].replace("159m", "269m")
        made = room(hands, name=f"dead-wall-{kongs}")
        for tile in ("1m", "5p")[:kongs]:
            made.kong(0, "concealed_kong", tile)
        made.idle()
        records = made.records()
        at = types(records).index("drawn_hand")
        assert records[at]["reason"] == "wall_end"
        assert draws(made)[-1]["left"] == left
        assert made.fault() is None


@pytest.mark.parametrize(("per_kong", "left"), [(0, 14), (1, 16), (2, 18)])
def test_reserve_per_kong_is_the_step(per_kong: int, left: int) -> None:
    hands = ["1111m 5555p 37s ESNC", "269m 147p 369s ESWN", "259m 147p 369s ESWN", "47m 69p 258s CFPP WN"]
    made = room(hands, name=f"step-{per_kong}", reserve_per_kong=per_kong)
    made.kong(0, "concealed_kong", "1m")
    made.kong(0, "concealed_kong", "5p")
    made.idle()
    assert draws(made)[-1]["left"] == left


def test_no_kong_where_no_tile_is_left_to_replace_it_tenhou_bot_126() -> None:
    # Draw 69 leaves 14: its drawer, seat 1, holds four and may not kong; he may at draw 65, which leaves 18.
    hands = ["", "111m 147p 369s ESWN", "", ""]
    made = late(hands, {LAST: "1m"}, name="tenhou-126-last")
    assert (made.hand.turn, made.hand.wall.left, made.hand.sides[1].counts[0]) == (1, 14, 4)
    assert made.choices(1, "konged") == []
    fault = made.judge({"type": "konged", "seat": 1, "kind": "concealed_kong", "tiles": ["1m"] * 4})
    assert fault is not None
    assert (fault.code, fault.clause) == ("konged", "LH-12")
    made = late(hands, {LAST - 4: "1m"}, name="tenhou-126-early")
    assert made.hand.wall.left == 18
    assert len(made.choices(1, "konged")) == 1


def test_a_kong_after_a_replacement_counts_the_kong_before_it_tenhou_bot_126() -> None:
    # At 16 left the first kong is lawful (16 > 14); after it 15 are left and the boundary is 15: no second one.
    made = late(["", "", "", "111m 222p 369s ESWN"], {67: "1m"}, name="tenhou-126-two", tail="2p")
    assert (made.hand.turn, made.hand.wall.left) == (3, 16)
    made.kong(3, "concealed_kong", "1m")
    assert (made.hand.drawn, made.hand.wall.left, made.hand.sides[3].counts[10]) == (10, 15, 4)
    assert made.choices(3, "konged") == []
    fault = made.judge({"type": "konged", "seat": 3, "kind": "concealed_kong", "tiles": ["2p"] * 4})
    assert fault is not None
    assert fault.clause == "LH-12"


def test_the_last_possible_kong_gets_its_replacement_and_then_the_wall_ends() -> None:
    # 15 left: the kong is lawful, its own replacement is not tested again, the next draw is (0.6).
    hands = ["111m 258p 37s ESWNCF", "", "", ""]
    made = late(hands, {68: "1m"}, name="last-kong", tail="4p")
    assert (made.hand.turn, made.hand.wall.left) == (0, 15)
    records = made.kong(0, "concealed_kong", "1m")
    assert types(records) == ["konged", "drawn"]
    assert (records[1]["end"], records[1]["left"]) == ("tail", 14)
    made.idle()
    assert "drawn_hand" in types(made.records())
    assert draws(made)[-1] == records[1]
    assert made.fault() is None


def test_a_flower_as_the_replacement_of_the_last_kong_cannot_be_replaced() -> None:
    # 144 tiles: draw 76 leaves 15.
    hands = ["111m 258p 37s ESWNCF", "", "", ""]
    made = late(hands, {76: "1m"}, name="last-flower", tail="f1", rules="linhai.144")
    assert (made.hand.turn, made.hand.wall.left) == (0, 15)
    records = made.kong(0, "concealed_kong", "1m")
    assert types(records)[:5] == ["konged", "drawn", "flower", "drawn_hand", "settled"]
    assert records[3]["reason"] == "no_replacement"
    assert records[4]["payments"] == [0, 0, 0, 0]
    assert made.fault() is None


# --- where replacements come from -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "first", "second"), [("upper_first", "2s", "4s"), ("reverse", "4s", "2s")])
def test_replacements_come_from_the_end_that_the_rules_name_riichi_advanced_41(
    order: str, first: str, second: str
) -> None:
    hands = ["1111m 5555p 37s ESNC", "", "", ""]
    laid = lay("linhai", {}, hands=hands, tail="2s 4s")
    made = Room("linhai", {"wall.tail_order": order}, name=f"tail-{order}", laid=laid)
    one = made.kong(0, "concealed_kong", "1m")[1]
    two = made.kong(0, "concealed_kong", "5p")[1]
    assert [(each["tile"], each["end"], each["left"]) for each in (one, two)] == [
        (first, "tail", 82),
        (second, "tail", 81),
    ]
    assert made.fault() is None


def test_two_kongs_in_a_row_show_both_replacements_mjpancake_148() -> None:
    made = room(["1111m 5555p 37s ESNC", "", "", ""], name="two-kongs", tail="2s 4s")
    records = made.kong(0, "concealed_kong", "1m") + made.kong(0, "concealed_kong", "5p")
    assert types(records) == ["konged", "drawn", "konged", "drawn"]
    assert [records[1]["tile"], records[3]["tile"]] == ["2s", "4s"]
    assert made.hand.sides[0].counts[19] == made.hand.sides[0].counts[21] == 1


# --- flags end when the kong is complete ----------------------------------------------------------------------------


def test_a_bloom_is_a_win_on_the_replacement_and_no_later_one_majiang_27() -> None:
    ready = ["1111m 456p 789p 12s WW", "", "", ""]
    bloom = room(ready, name="bloom", tail="3s", extra_tai={"kong_bloom": 1})
    # 1111m as a kong, 456p 789p, 12s waits for 3s.
    bloom.kong(0, "concealed_kong", "1m")
    won = bloom.win(0)[1]
    assert (won["occasion"], won["tile"], won["by"]) == ("kong_bloom", "3s", "self_draw")
    later = room(ready, name="no-bloom", tail="7s", head="8s 4s 5s 3s", extra_tai={"kong_bloom": 1})
    later.kong(0, "concealed_kong", "1m")
    later.discard(0, "7s", drawn=True)
    for seat, tile in ((1, "8s"), (2, "4s"), (3, "5s")):
        later.discard(seat, tile, drawn=True)
    won = later.win(0)[1]
    assert "occasion" not in won
    assert won["tile"] == "3s"
    assert later.fault() is None


def test_a_bloom_ends_with_anothers_claim_majiang_27() -> None:
    # Seat 1 kongs and discards; seat 2 pungs it and discards; the win of seat 3 on its own draw is no bloom.
    hands = ["9m 25m 258p 37s ESNCFP", "999m 11p 258s ESW NC", "33m 147p 258s 69s FPW", "12m 456p 789p 456s WW"]
    made = room(hands, name="claim-ends", tail="3m", head="3m")
    made.discard(0, "9m")
    made.answer(1, "kong", "999m")
    made.discard(1, "3m", drawn=True)
    made.answer(3, "pass")
    made.answer(2, "pung", "33m")
    made.discard(2, "F")
    won = made.win(3)[1]
    assert "occasion" not in won
    assert made.fault() is None


# --- options of kongs -----------------------------------------------------------------------------------------------


def test_no_kong_between_a_claim_and_its_discard() -> None:
    hands = ["9m 25m 258p 37s ESNCFP", "99m 1111p 258s ESWN", "", ""]
    for after, count in ((False, 0), (True, 1)):
        made = room(hands, name=f"after-{after}", kong_after_claim=after)
        made.discard(0, "9m")
        made.answer(1, "pung", "99m")
        assert len(made.choices(1, "konged")) == count
        if not after:
            fault = made.judge({"type": "konged", "seat": 1, "kind": "concealed_kong", "tiles": ["1p"] * 4})
            assert fault is not None
            assert (fault.code, fault.clause) == ("konged", "CM-01")


def test_the_fourth_tile_may_be_added_later_unless_the_option_forbids_it() -> None:
    hands = ["9m 25m 258p 37s ESNCFP", "999m 147p 258s ESWN", "", ""]
    for allowed in (True, False):
        made = room(hands, name=f"late-{allowed}", head="3333m", late_added_kong=allowed)
        made.discard(0, "9m")
        made.answer(1, "pung", "99m")
        made.discard(1, "1p")
        made.idle(79)
        assert made.hand.turn == 1
        assert made.hand.sides[1].counts[8] == 1
        assert len(made.choices(1, "konged")) == allowed
        if not allowed:
            fault = made.judge({"type": "konged", "seat": 1, "kind": "added_kong", "tiles": ["9m"]})
            assert fault is not None
            assert fault.clause == "CM-02"


# --- the last discard -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "chow", "pung"),
    [("all_but_kong", ["chow4m6m", "pass"], ["pung", "pass"]), ("win_only", [], [])],
)
def test_the_last_discard_may_be_claimed_as_the_option_says_akagi_277(
    option: str, chow: list[str], pung: list[str]
) -> None:
    # Seat 1 draws the last tile, 5m by number 69: seat 2 could chow it, seat 3 holds two more.
    hands = ["", "", "46m 258p 147s CFPWN", "55m 1479p 258s FPPE"]
    made = late(hands, {LAST: "5m"}, name=f"akagi-277-{option}", last_discard_claims=option)
    assert made.hand.wall.left == 14
    made.discard(1, "5m", drawn=True)
    if option == "win_only":
        assert "drawn_hand" in types(made.records())
        return
    assert made.answers(2) == chow
    assert made.answers(3) == pung
    made.answer(2, "pass")
    made.answer(3, "pung", "55m")
    made.discard(3, "8s")
    made.idle()
    assert "drawn_hand" in types(made.records())
    assert draws(made)[-1]["left"] == 14  # the pung was the last act, nothing was drawn after it
    assert made.fault() is None


def test_the_last_discard_makes_no_direct_kong_akagi_277() -> None:
    hands = ["", "", "46m 258p 147s CFPWN", "555m 149p 258s FPPE"]
    made = late(hands, {LAST: "5m"}, name="last-no-kong")
    made.discard(1, "5m", drawn=True)
    assert made.answers(3) == ["pung", "pass"]
    body = {"type": "answered", "seat": 3, "to": made.hand.window.to, "answer": "kong", "tiles": ["5m"] * 3}
    fault = made.judge(body)
    assert fault is not None
    assert (fault.code, fault.clause) == ("answered", "LH-12")


def test_the_window_of_the_last_discard_exists_riichienv_162() -> None:
    # The wall is whole when replay starts: 83 after the deal, 69 draws, and the last discard can still be won.
    hands = ["", "", "46m 258p 147s CFPWN", "46m 456p 789p 123s EE"]
    made = late(hands, {LAST: "5m"}, name="riichienv-162", extra_tai={"last_discard": 1})
    made.discard(1, "5m", drawn=True)
    assert made.answers(3) == ["win", "pass"]
    made.answer(2, "pass")
    won = made.answer(3, "win")[1]
    assert won["occasion"] == "last_discard"
    assert made.fault() is None


def test_the_count_starts_anew_with_each_hand_riichienv_198() -> None:
    made = room(["1111m 5555p 37s ESNC", "", "", ""], name="riichienv-198", hands_played=2)
    made.kong(0, "concealed_kong", "1m")
    made.kong(0, "concealed_kong", "5p")
    made.idle()
    records = made.records()
    second = next(at for at, record in enumerate(records) if record["type"] == "hand_started" and record["hand"] == 1)
    after = [record for record in records[second:] if record["type"] == "drawn" and record["end"] == "head"]
    assert after[0]["left"] == 82
    assert made.fault() is None


# --- time-outs ------------------------------------------------------------------------------------------------------


def test_a_timeout_passes_and_never_takes_the_first_option_ratel_59() -> None:
    made = before_added_kong("ratel-timeout", rob_kong="as_discard")
    made.kong(3, "added_kong", "9m")
    assert made.options[0]["answer"] == "win"
    body = made.table.timeout(1)
    assert body is not None
    assert (body["answer"], body["auto"]) == ("pass", True)
    made.act(body)
    assert made.fault() is None


def test_after_a_pung_its_claimer_acts_ratel_59() -> None:
    made = room(PUNG_9M, name="ratel-claimer")
    made.discard(0, "9m")
    made.answer(1, "pass")
    made.answer(3, "pung", "99m")
    assert {body["seat"] for body in made.options} == {3}
    fault = made.judge({"type": "discarded", "seat": 1, "tile": "W"})
    assert fault is not None
    assert (fault.code, fault.clause, fault.expected) == ("turn", "linhai.turn.order", {"seat": 3})


def test_a_timeout_discards_the_drawn_tile_else_the_last_of_the_hand() -> None:
    made = room(QUIET, name="timeouts", head="2s")
    assert made.table.timeout(0) == {"type": "discarded", "seat": 0, "tile": "F", "auto": True}  # no drawn tile yet
    made.idle(82)
    assert made.table.timeout(1) == {"type": "discarded", "seat": 1, "tile": "2s", "drawn": True, "auto": True}
    assert made.table.timeout(2) is None  # nothing is asked of him
