"""Windows: who may answer what, who prevails, what a declined option locks (`mahjong.md` 0.7, 1.3, 2.3).

Names carry the public report whose fault must not occur here (`known-faults.md`).
"""

from collections import Counter
from itertools import permutations

import pytest
from tables import Room, codes, lay

from engine.table import RefusedError

SINGLES = "159m 159p 159s ESWN"  # thirteen tiles that can neither win, pung nor kong, nor chow a tile in between


def room(hands: list[str], *, name: str = "claims", head: str = "", tail: str = "", **options: object) -> Room:
    chosen = {key.replace("__", "."): value for key, value in options.items()}
    laid = lay("linhai", chosen, hands=hands, head=head, tail=tail)
    return Room("linhai", chosen, name=name, laid=laid)


def lawful(made: Room) -> None:
    """Insist that the log so far replays without a fault on its wall."""
    assert made.fault() is None


READY_ON_3M = "12m 456p 789p 456s WW"  # 3m, and chow 12m where it sits next
PAIR_OF_3M = "33m 147p 258s 36s ESN"


def test_a_chow_by_one_who_declined_his_win_waits_for_the_others_win_mahjax_87() -> None:
    hands = [
        "3m 48m 268p 37s ESWNCF P".replace(" P", "P"),
        READY_ON_3M,
        "12m 456m 789m 678s EE",
        "19p 19s CC PP FF NN 6p",
    ]
    for order in permutations((1, 2)):
        made = room(hands, name=f"mahjax-87-{order[0]}")
        made.discard(0, "3m")
        assert made.answers(1) == ["win", "chow1m2m", "pass"]
        assert "win" in made.answers(2)
        for seat in order:
            assert made.hand.phase == "window"  # never resolved before the last answer
            made.answer(seat, *(("chow", "12m") if seat == 1 else ("win",)))
        won = [record for record in made.records() if record["type"] == "won"]
        assert [(record["seat"], record["from"]) for record in won] == [(2, 0)]
        lawful(made)


def test_a_chow_by_one_who_declined_his_win_waits_for_the_others_pung_mahjax_87() -> None:
    made = room(["3m 48m 268p 37s ESNCFP", READY_ON_3M, PAIR_OF_3M, "19p 19s CC PP FF NN 6p"])
    made.discard(0, "3m")
    made.answer(1, "chow", "12m")
    assert made.hand.window is not None
    assert made.hand.phase == "window"
    records = made.answer(2, "pung", "33m")
    assert (records[1]["type"], records[1]["seat"], records[1]["kind"]) == ("melded", 2, "pung")
    assert made.hand.turn == 2
    lawful(made)


def test_only_the_next_seat_may_chow() -> None:
    made = room(["3m 48m 268p 37s ESNCFP", "12m 19p 19s WW ESNCF", "12m 19p 28s WCFP ENC", "45m 19p 28s WPFP ENS"])
    made.discard(0, "3m")
    assert made.answers(1) == ["chow1m2m", "pass"]
    assert made.answers(2) == made.answers(3) == []
    for seat in (2, 3):
        body = {
            "type": "answered",
            "seat": seat,
            "to": made.hand.window.to,
            "answer": "chow",
            "tiles": codes("12m"),
        }
        fault = made.judge(body)
        assert fault is not None
        assert (fault.code, fault.clause) == ("answered", "linhai.claims.no_option")


def test_a_chow_by_another_seat_with_an_option_names_the_clause() -> None:
    made = room(["3m 48m 268p 37s ESNCFP", "19m 19p 19s ESWNCFP", "33m 12m 19p 28s WCFPE", "195m 19p 28s WFCENS"])
    made.discard(0, "3m")
    fault = made.judge(
        {"type": "answered", "seat": 2, "to": made.hand.window.to, "answer": "chow", "tiles": codes("12m")}
    )
    assert fault is not None
    assert (fault.code, fault.clause) == ("answered", "linhai.claims.chow_seat")


@pytest.mark.parametrize(
    ("tile", "pairs"),
    [
        ("1m", ["chow2m3m"]),
        ("3m", ["chow1m2m", "chow2m4m", "chow4m5m"]),
        ("9m", ["chow7m8m"]),
        ("7m", ["chow5m6m", "chow6m8m"]),
    ],
)
def test_every_pair_that_makes_a_run_and_none_across_the_ends(tile: str, pairs: list[str]) -> None:
    made = room([f"{tile} 268p 37s ESWNCF PP", "12345678m EWNCF", "147p 147s 1p ESNCFP", "258p 258s 99s ESWNC"])
    made.discard(0, tile)
    assert [answer for answer in made.answers(1) if answer.startswith("chow")] == pairs


def test_honours_never_make_runs() -> None:
    made = room(["S 19m 268p 37s EWNCFPP", "EWNCFP 19m 19p 19s 4p", "147p 147s ESNCFP 5m", "258p 258s 99s ESWNC"])
    made.discard(0, "S")
    assert made.hand.phase != "window"


def test_all_who_answer_win_win_in_order_after_the_discarder() -> None:
    three = ["12m 456p 789p 456s WW", "12m 123p 678p 123s NN", "12m 678s 789s 456m CC"]
    made = room(["3m 48m 25p 37s ESFPF WN", *three], name="three-winners")
    made.discard(0, "3m")
    for seat in (3, 1, 2):
        made.answer(seat, "win")
    settled = next(record for record in made.records() if record["type"] == "settled")
    assert [record["seat"] for record in made.records() if record["type"] == "won"] == [1, 2, 3]
    assert [winner["seat"] for winner in settled["winners"]] == [1, 2, 3]
    # Every winner of a multiple win has its true payer (mjx 255): each is paid by the discarder.
    assert {(line["from"], line["to"]) for line in settled["lines"]} == {(0, 1), (0, 2), (0, 3)}
    assert settled["payments"] == [-6, 2, 2, 2]
    lawful(made)


def test_with_the_first_winner_only_the_nearest_wins_whoever_answers_first() -> None:
    three = ["12m 456p 789p 456s WW", "12m 123p 678p 123s NN", "12m 678s 789s 456m CC"]
    made = room(["3m 48m 25p 37s ESFPF WN", *three], name="first-winner", multi_win="first")
    made.discard(0, "3m")
    for seat, answer in ((3, "win"), (2, "win"), (1, "pass")):
        made.answer(seat, answer)
    assert [record["seat"] for record in made.records() if record["type"] == "won"] == [2]
    lawful(made)


# --- the window takes one answer of each, and nothing else ---------------------------------------------------------


def open_window() -> Room:
    made = room(["3m 48m 268p 37s ESNCFP", READY_ON_3M, PAIR_OF_3M, "19p 19s CC PP FF NN 6p"], name="window")
    made.discard(0, "3m")
    return made


def test_a_seat_answers_once() -> None:
    made = open_window()
    made.answer(1, "pass")
    fault = made.judge({"type": "answered", "seat": 1, "to": made.hand.window.to, "answer": "win"})
    assert fault is not None
    assert (fault.code, fault.clause) == ("answered", "linhai.claims.once")


def test_a_seat_without_an_option_is_not_asked() -> None:
    made = open_window()
    fault = made.judge({"type": "answered", "seat": 3, "to": made.hand.window.to, "answer": "pass"})
    assert fault is not None
    assert (fault.code, fault.clause) == ("answered", "linhai.claims.no_option")


def test_an_answer_names_the_event_it_answers() -> None:
    made = open_window()
    fault = made.judge({"type": "answered", "seat": 1, "to": made.hand.window.to - 1, "answer": "pass"})
    assert fault is not None
    assert (fault.code, fault.clause, fault.expected) == ("answered", "linhai.claims.to", {"to": made.hand.window.to})


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_nobody_acts_while_an_answer_is_awaited(seat: int) -> None:
    made = open_window()
    made.answer(2, "pass")
    fault = made.judge({"type": "discarded", "seat": seat, "tile": "E"})
    assert fault is not None
    assert (fault.code, fault.clause) == ("unanswered", "linhai.claims.answer")
    assert fault.expected == {"answers of seats": [1]}


def test_a_drawn_tile_does_not_stand_for_an_answer() -> None:
    made = open_window()
    made.answer(1, "pass")
    left = made.hand.wall.left - 1
    fault = made.judge({"type": "drawn", "seat": 1, "tile": "E", "end": "head", "left": left})
    assert fault is not None
    assert fault.code == "unanswered"


def test_an_extra_draw_dice_or_hand_is_refused_where_a_seat_must_act() -> None:
    made = room([SINGLES, "", "", ""], name="extra")
    left = made.hand.wall.left - 1
    for body in (
        {"type": "drawn", "seat": 0, "tile": "E", "end": "head", "left": left},
        {"type": "drawn", "seat": 0, "tile": "E", "end": "tail", "left": left},
        {"type": "dice", "seat": 0, "values": [1, 2]},
        {"type": "dealt", "seat": 0, "tiles": ["1m"] * 13},
        {"type": "flower", "seat": 0, "tile": "f1"},
        {"type": "won", "seat": 0, "tile": "E", "by": "self_draw"},
        {"type": "settled", "winners": [], "payments": [0, 0, 0, 0], "lines": []},
        {"type": "drawn_hand", "reason": "wall_end"},
        {"type": "hand_ended", "scores": [0, 0, 0, 0]},
    ):
        fault = made.judge(body)
        assert fault is not None, body
        assert fault.code == "order"


@pytest.mark.parametrize("tiles", [["3m"], ["3m", "3m", "3m"], ["3m", "2m"], []])
def test_a_pung_takes_two_equal_tiles_from_the_hand(tiles: list[str]) -> None:
    made = open_window()
    fault = made.judge({"type": "answered", "seat": 2, "to": made.hand.window.to, "answer": "pung", "tiles": tiles})
    assert fault is not None
    assert (fault.code, fault.clause) == ("answered", "linhai.claims.pung")


def test_a_chow_names_its_tiles_in_order() -> None:
    made = open_window()
    to = made.hand.window.to
    for tiles in (["2m", "1m"], ["1m", "3m"], ["1m"], ["2m", "4m"]):
        fault = made.judge({"type": "answered", "seat": 1, "to": to, "answer": "chow", "tiles": tiles})
        assert fault is not None
        assert (fault.code, fault.clause) == ("answered", "linhai.claims.chow")


def test_a_refused_act_changes_nothing() -> None:
    made = open_window()
    before = repr(made.game)
    with pytest.raises(RefusedError) as refused:
        made.answer(3, "pung", "33m")
    assert refused.value.fault.clause == "linhai.claims.no_option"
    assert repr(made.game) == before
    made.answer(1, "pass")
    made.answer(2, "pass")
    lawful(made)


# --- locks (LH-32, 2.3) ---------------------------------------------------------------------------------------------


def passed_win(made: Room) -> list[str]:
    """Let seat 2 decline 3m of seat 0 and answer the 3m of seat 1."""
    made.discard(0, "3m")
    made.answer(2, "pass")
    made.discard(1, "3m")
    return made.answers(2) if made.hand.phase == "window" else []


WAITING = ["3m 48m 268p 37s ESNCFP", "3m 58m 19p 19s EESNCF", "12m 456p 789p 456s WW", "9m 147p 147s PPFFNN"]


def test_a_declined_win_locks_until_the_next_draw_where_the_option_says() -> None:
    assert passed_win(room(WAITING, head="9m", name="pass-free")) == ["win", "chow1m2m", "pass"]
    made = room(WAITING, head="9m 1s 3m", name="pass-locked", pass_win_lock="dinghai")
    assert passed_win(made) == ["chow1m2m", "pass"]
    fault = made.judge({"type": "answered", "seat": 2, "to": made.hand.window.to, "answer": "win"})
    assert fault is not None
    assert (fault.code, fault.clause) == ("answered", "LH-32")
    made.answer(2, "pass")
    made.discard(2, "1s", drawn=True)  # the draw has lifted the lock
    made.discard(3, "3m", drawn=True)
    assert made.answers(2)[0] == "win"
    lawful(made)


def test_a_refused_self_draw_locks_too() -> None:
    hands = ["9m 48m 268p 37s ESNCFP", "12m 456p 789p 456s WW", "3m 58m 19p 19s EESNCF", "9m 147p 147s PPFFNN"]
    for lock, expected in (("off", ["win", "pass"]), ("dinghai", [])):
        made = room(hands, head="3m", name=f"self-{lock}", pass_win_lock=lock)
        made.discard(0, "9m")
        assert made.options[0]["type"] == "declared"
        made.discard(1, "3m", drawn=True)
        made.discard(2, "3m")
        assert made.answers(1) == expected
        lawful(made)


ROBBED = ["9m 48m 268p 37s ESNCFP", "78m WWW 123p 789p 44s", "6m 15m 28p 38s SNCFP E", "99m 25m 14p 69s SCFNE"]


def robbing_declined(lock: str) -> Room:
    made = room(ROBBED, head="5p N 1s 9m", tail="6m", name=f"rob-{lock}", rob_kong="as_discard", pass_win_lock=lock)
    made.discard(0, "9m")
    made.answer(1, "pass")
    made.answer(3, "pung", "99m")
    made.discard(3, "E")
    made.discard(0, "5p", drawn=True)
    made.discard(1, "N", drawn=True)
    made.discard(2, "1s", drawn=True)
    made.kong(3, "added_kong", "9m")
    assert made.answers(1) == ["win", "pass"]
    made.answer(1, "pass")
    made.discard(3, "6m", drawn=True)
    return made


def test_a_declined_robbed_kong_win_locks_like_a_declined_discard_mahjax_95() -> None:
    assert robbing_declined("off").answers(1) == ["win", "pass"]
    made = robbing_declined("dinghai")
    assert made.hand.phase != "window" or made.answers(1) == []
    lawful(made)


def test_a_declined_pung_locks_its_tile_until_the_next_draw() -> None:
    hands = ["3m 48m 268p 37s ESNCFP", "3m 58m 19p 19s EESNCF", "33m 147p 258s 69s WEP", "9m 147p 147s PPFFNN"]
    for lock, expected in (("off", ["pung", "pass"]), ("dinghai", [])):
        made = room(hands, head="9m", name=f"pung-{lock}", pass_pung_lock=lock)
        made.discard(0, "3m")
        made.answer(2, "pass")
        made.discard(1, "3m")
        assert made.answers(2) == expected
        if lock == "dinghai":
            assert made.hand.phase == "act"
        lawful(made)


def test_a_locked_pung_leaves_the_direct_kong() -> None:
    hands = ["3m 48m 268p 37s ESNCFP", "9m 58m 19p 19s EESNCF", "333m 147p 258s 6s WEP", "9m 147p 147s PPFFNN"]
    made = room(hands, name="pung-kong", pass_pung_lock="dinghai")
    made.discard(0, "3m")
    made.answer(2, "pass")
    assert made.hand.sides[2].pung_locks == {2}


# --- swap ban -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pair", "claimed", "banned"),
    [
        ("34m", "2m", {"2m", "5m"}),  # the page's examples, 2.3
        ("34m", "5m", {"5m", "2m"}),
        ("12m", "3m", {"3m"}),
        ("35m", "4m", {"4m"}),
        ("89m", "7m", {"7m"}),
        ("78m", "9m", {"9m", "6m"}),
    ],
)
def test_a_chow_may_not_be_swapped_for_what_it_took(pair: str, claimed: str, banned: set[str]) -> None:
    hands = [
        f"{claimed} 268p 37s EESWNCFP",
        f"{pair} 2456m {claimed} 99p 19s EC",
        "147p 147s FFPP 9p SN",
        "258p 258s NNCC WWF",
    ]
    for ban, forbidden in (("off", set()), ("dinghai", banned)):
        made = room(hands, name=f"swap-{ban}-{claimed}-{pair}", swap_ban=ban)
        made.discard(0, claimed)
        made.answer(1, "chow", pair)
        left = set(Counter(codes(hands[1])) - Counter(codes(pair)))
        assert forbidden & left or ban == "off"
        assert {body["tile"] for body in made.choices(1, "discarded")} == left - forbidden
        for tile in forbidden & left:
            fault = made.judge({"type": "discarded", "seat": 1, "tile": tile})
            assert fault is not None
            assert (fault.code, fault.clause) == ("discarded", "LH-32")
