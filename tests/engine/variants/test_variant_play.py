"""Play under the rules of Dinghai and Duqiao, move by move on laid walls: flowers, locks, bans, the end of the wall.

`proves` registers a proof for a value of an option that changes play; every such value must have one.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from options import OF_PLAY
from tables import Room, lay

from engine.errors import RulesError
from engine.events import Record
from engine.mahjong.rules import MahjongRules
from engine.mahjong.succession import succeed
from engine.mahjong.wall import break_stack
from engine.variants import find

Proof = Callable[[Any], None]
PROOFS: dict[tuple[str, str, str], Proof] = {}


def proves(preset: str, option: str, *values: object) -> Callable[[Proof], Proof]:
    def register(proof: Proof) -> Proof:
        for value in values:
            PROOFS[preset, option, repr(value)] = proof
        return proof

    return register


def room(options: dict[str, Any] | None = None, *, preset: str = "dinghai", name: str = "play",
         match: dict[str, Any] | None = None, **wall: Any) -> Room:  # fmt: skip
    return Room(preset, options, name=name.replace("+", "-"), laid=lay(preset, options, **wall), match=match)


def claim(table: Room, seat: int, answer: str, tiles: str) -> None:
    """Let a seat claim and every other pass."""
    table.answer(seat, answer, tiles)
    passes(table)


def passes(table: Room) -> None:
    while table.hand is not None and table.hand.phase == "window":
        table.answer(table.options[0]["seat"], "pass")


def until_turn(table: Room, seat: int) -> None:
    """Let everybody time out until the seat must act."""
    while True:
        passes(table)
        if table.hand.turn == seat:
            return
        table.act(table.table.timeout(table.hand.turn) or {})


def told(records: list[Record], *types: str) -> list[tuple[Any, ...]]:
    """Return the records of some types as tuples of what they say."""
    return [
        (record["type"], *(record[key] for key in ("seat", "tile", "left", "reason", "occasion") if key in record))
        for record in records
        if record["type"] in types
    ]


def only(table: Room, *types: str) -> list[tuple[Any, ...]]:
    return told(table.records(), *types)


# --- flowers --------------------------------------------------------------------------------------------------------


@proves("dinghai", "initial_flower_order", "rounds", "each_completes")
@proves("duqiao", "initial_flower_order", "rounds", "each_completes")
def flowers_of_the_deal_as_in_the_page_of_events(value: str) -> None:
    for preset in ("dinghai", "duqiao"):
        table = room(
            {"initial_flower_order": value}, preset=preset, hands=["f3", "", "f1", ""], tail="f7 4s 8p", name=value
        )
        rounds = [("flower", 0, "f3"), ("drawn", 0, "f7", 90), ("flower", 2, "f1"), ("drawn", 2, "4s", 89),
                  ("flower", 0, "f7"), ("drawn", 0, "8p", 88)]  # fmt: skip
        each = [("flower", 0, "f3"), ("drawn", 0, "f7", 90), ("flower", 0, "f7"), ("drawn", 0, "4s", 89),
                ("flower", 2, "f1"), ("drawn", 2, "8p", 88)]  # fmt: skip
        assert only(table, "flower", "drawn") == (rounds if value == "rounds" else each)
        assert {body["seat"] for body in table.options} == {0}


def test_a_seat_without_flowers_is_passed_over_when_each_completes() -> None:
    table = room({"initial_flower_order": "each_completes"}, hands=["", "f5", "", "f2 f1"], tail="f6 1m 2m 3m")
    assert only(table, "flower") == [("flower", 1, "f5"), ("flower", 1, "f6"), ("flower", 3, "f1"), ("flower", 3, "f2")]


EIGHT = "f1 f2 f3 f4 f5 f6 f7 f8"


@pytest.mark.parametrize("preset", ["dinghai", "duqiao"])
def test_eight_flowers_are_declared_in_the_first_turn(preset: str) -> None:
    table = room(preset=preset, hands=[EIGHT, "", "", ""])
    assert table.choices(0, "declared") == [{"type": "declared", "seat": 0, "what": "eight_flowers"}]
    records = table.act({"type": "declared", "seat": 0, "what": "eight_flowers"})
    (won,) = [record for record in records if record["type"] == "won"]
    assert (won["by"], won["occasion"]) == ("self_draw", "eight_flowers")
    assert "tile" not in won
    (settled,) = [record for record in records if record["type"] == "settled"]
    assert settled["payments"][0] == (48 if preset == "dinghai" else 1200)
    paid = [line["amount"] for line in settled["lines"] if line["to"] == 0]
    assert paid == ([16] * 3 if preset == "dinghai" else [400] * 3)
    assert table.fault() is None


@pytest.mark.parametrize("preset", ["dinghai", "duqiao"])
def test_eight_flowers_are_declared_in_a_claim_turn_and_by_nobody_else(preset: str) -> None:
    table = room(preset=preset, hands=["2m E S W N C F P 1p 5p 9p 1s 5s", EIGHT, "", ""], tail="3m 4m 1m 8m 6p 9s E S")
    fault = table.judge({"type": "declared", "seat": 1, "what": "eight_flowers"})
    assert fault is not None
    assert fault.code == "turn"
    table.discard(0, "2m")
    claim(table, 1, "chow", "34m")
    assert table.choices(1, "declared") == [{"type": "declared", "seat": 1, "what": "eight_flowers"}]
    table.act({"type": "declared", "seat": 1, "what": "eight_flowers"})
    assert table.records()[-3]["type"] == "hand_ended" or table.table.over
    assert table.fault() is None


def test_seven_flowers_are_not_declared() -> None:
    table = room(hands=["f1 f2 f3 f4 f5 f6 f7", "", "", ""], tail="1m 4m 7m 2p 5p 8p 3s f8")
    fault = table.judge({"type": "declared", "seat": 0, "what": "eight_flowers"})
    assert fault is not None
    assert (fault.code, fault.clause) == ("declared", "DH-14")


def to_the_last_tile(options: dict[str, Any], holder: int) -> Room:
    """Play on until seat 0 has drawn the last tile of the wall, f8; `holder` was dealt the seven other flowers.

    Seven replacements leave 84 draws from the head, the last of them seat 0's.
    """
    hands = ["", "", "", ""]
    hands[holder] = "f1 f2 f3 f4 f5 f6 f7"
    table = room(options, hands=hands, tail="1m 4m 7m 2p 5p 8p 3s f8", name=f"last-{holder}-{len(options)}")
    table.idle(0)
    return table


@proves("dinghai", "last_flower", "draw")
def a_last_flower_that_cannot_be_replaced_ends_the_hand_as_drawn(value: str) -> None:
    table = to_the_last_tile({"last_flower": value}, 2)
    assert only(table, "drawn", "flower", "drawn_hand")[-3:] == [
        ("drawn", 0, "f8", 0), ("flower", 0, "f8"), ("drawn_hand", "no_replacement")]  # fmt: skip
    assert table.fault() is None


def test_a_last_flower_that_is_the_eighth_wins_without_a_decision() -> None:
    table = to_the_last_tile({}, 0)
    assert only(table, "drawn", "flower", "declared", "won")[-3:] == [
        ("drawn", 0, "f8", 0), ("flower", 0, "f8"), ("won", 0, "eight_flowers")]  # fmt: skip
    assert table.fault() is None


def test_a_last_flower_that_is_the_eighth_wins_nothing_where_flowers_only_count() -> None:
    table = to_the_last_tile({"eight_flowers": "tai_only"}, 0)
    assert only(table, "drawn_hand") == [("drawn_hand", "no_replacement")]


@proves("dinghai", "last_flower", "discard_on")
def after_a_last_flower_he_discards_one_of_thirteen_by_option(value: str) -> None:
    table = to_the_last_tile({"last_flower": value}, 2)
    assert table.hand.sides[0].size() == 13
    assert {body["type"] for body in table.options} == {"discarded"}
    assert not any("drawn" in body for body in table.options)
    chosen = table.table.timeout(0)
    assert chosen is not None
    assert "drawn" not in chosen
    table.act(chosen)
    assert only(table, "drawn_hand") == [("drawn_hand", "wall_end")] or table.hand.window.last
    assert table.fault() is None or table.hand is not None


READY = "123m 456p 789s 67p 22s"


def test_a_hand_complete_after_initial_flowers_is_heavenly_or_a_bloom_by_option() -> None:
    for value, occasion in ((True, "heavenly"), (False, "flower_bloom")):
        # The eighth tile of circles comes as the replacement of f6.
        table = room({"heavenly_after_flowers": value}, hands=[READY + " f6", "", "", ""], tail="8p", name=str(value))
        records = table.win(0)
        (won,) = [record for record in records if record["type"] == "won"]
        assert won["occasion"] == occasion
        assert won.get("tile") == (None if value else "8p")
        (settled,) = [record for record in records if record["type"] == "settled"]
        # Bloom 2 and the runs 1 in place of the heavenly hand's 4.
        assert settled["winners"][0]["tai"] == (4 if value else 3)
        assert table.fault() is None


def test_the_dealers_first_discard_is_earthly_by_option() -> None:
    for preset, option, ways in (
        ("dinghai", "earthly_mode", {"first_draw": False, "dealer_first_discard": True, "both": True}),
        ("duqiao", "earthly", {"first_draw": False, "dealer_first_discard": True, "both": True}),
    ):
        for value, earthly in ways.items():
            table = room({option: value}, preset=preset, hands=["8p E S W N", READY, "", ""], name=value)
            table.discard(0, "8p")
            (won,) = [record for record in table.answer(1, "win") if record["type"] == "won"]
            assert (won.get("occasion") == "earthly") is earthly
            assert table.fault() is None


# --- locks and bans -------------------------------------------------------------------------------------------------


def chowed(swap_ban: str) -> Room:
    table = room({"swap_ban": swap_ban}, hands=["2m E S W", "34m 2m 5m 5m E S W N C F P 9p", "", ""], name=swap_ban)
    table.discard(0, "2m")
    claim(table, 1, "chow", "34m")
    return table


@proves("dinghai", "swap_ban", "chow", "none", "chow+peng")
def after_a_chow_the_tile_and_the_other_end_are_banned(value: str) -> None:
    table = chowed(value)
    going = {body["tile"] for body in table.choices(1, "discarded")}
    assert ({"2m", "5m"} & going == set()) is (value != "none")
    fault = table.judge({"type": "discarded", "seat": 1, "tile": "5m"})
    if value == "none":
        assert fault is None
    else:
        assert fault is not None
        assert (fault.code, fault.clause) == ("discarded", "DH-37")
    punged = room({"swap_ban": value}, hands=["9m E S W", "", "999m 1m 4m 7m 2p 5p 8p 3s 6s 9s N", ""], name=value)
    punged.discard(0, "9m")
    claim(punged, 2, "pung", "99m")
    free = {"9m"} <= {body["tile"] for body in punged.choices(2, "discarded")}
    assert free is (value != "chow+peng")


@pytest.mark.parametrize(
    ("pair", "claimed", "banned"),
    [("34m", "2m", "2m 5m"), ("34m", "5m", "5m 2m"), ("12m", "3m", "3m"), ("35m", "4m", "4m"), ("89m", "7m", "7m")],
)
def test_the_page_s_examples_of_the_swap_ban(pair: str, claimed: str, banned: str) -> None:
    rest = "1m 2m 3m 4m 5m 7m 8m 9m E S W"
    for tile in (f"{pair[0]}m", f"{pair[1]}m"):
        rest = rest.replace(tile, "", 1)
    table = room(hands=[f"{claimed} E S W N", f"{pair} {rest} N C", "", ""], name=f"{pair}{claimed}")
    table.discard(0, claimed)
    claim(table, 1, "chow", pair)
    held = {body["tile"] for body in table.choices(1, "discarded")}
    assert held & set(banned.split()) == set()
    assert (
        not {f"{rank}m" for rank in range(1, 10) if table.hand.sides[1].counts[rank - 1]} - held - set(banned.split())
    )


def test_a_chow_that_leaves_nothing_to_discard_is_none() -> None:
    # After three claims seat 1 holds 34m, 2m and 5m: with 34m he would be left with the two that are banned.
    hands = ["2m 1p 1p 4s 7s", "3425m 5p 6p 5p 6p 5p 6p 9p 9p C", "4p 7p 4p", "4p 7p C 1s"]
    for ban in ("chow", "none"):
        table = room({"swap_ban": ban}, hands=hands, head="1s 1s", name=f"stuck-{ban}")
        side = table.hand.sides[1]
        for tile in (13, 14, 13, 14, 13, 14, 17, 17, 31):
            side.remove(tile)
        table.hand.turn = 0
        table.discard(0, "2m")
        offered = table.answers(1) if table.hand.phase == "window" else []
        assert ("chow3m4m" in offered) is (ban == "none")


@proves("dinghai", "pass_pung_lock", "dinghai", "off")
def a_declined_pung_is_locked_until_the_next_draw(value: str) -> None:
    hands = ["9m E S W N", "1m E S W N", "99m 1p 4p 7p 2s 5s 8s C F P E S", "1m 4m 7m"]
    table = room({"pass_pung_lock": value}, hands=hands, head="9m", name=value)
    table.discard(0, "9m")
    table.answer(2, "pass")
    table.discard(1, "9m", drawn=True)
    open_now = table.hand.phase == "window" and "pung" in table.answers(2)
    assert open_now is (value == "off")
    if value == "dinghai":
        assert table.hand.turn == 2  # nobody had an option: seat 2 draws, and the lock is gone
        assert table.hand.sides[2].pung_locks == set()


@proves("dinghai", "lock_reset", "draw", "turn")
def an_own_claim_ends_the_locks_by_option(value: str) -> None:
    hands = ["9m E S W N", "5p E S W N", "99m 46p 1p 9p 2s 5s 8s C F P E", "1m 4m 7m"]
    table = room({"lock_reset": value}, hands=hands, head="1s 9m", name=value)
    table.discard(0, "9m")
    table.answer(2, "pass")
    table.discard(1, "5p")
    claim(table, 2, "chow", "46p")
    table.discard(2, "E")
    table.discard(3, "9m", drawn=True)
    offered = table.hand.phase == "window" and "pung" in table.answers(2)
    assert offered is (value == "turn")


def declined(value: str, *, then: str) -> Room:
    """Let seat 2, who waits for 5m and 8m, decline 5m of seat 0; seat 1 then discards `then`."""
    hands = ["5m E S W N", f"{then} E S W N", "67m 123p 456s 789s 99p", "1m 4p 7p"]
    table = room({"pass_win_lock": value}, hands=hands, head="1s", name=f"{value}{then}")
    table.discard(0, "5m")
    table.answer(2, "pass")
    table.discard(1, then)
    return table


@proves("dinghai", "pass_win_lock", "all", "same_tile", "off")
def a_declined_win_locks_all_tiles_or_that_one_by_option(value: str) -> None:
    for then, free in (("8m", value != "all"), ("5m", value == "off")):
        table = declined(value, then=then)
        offered = table.hand.phase == "window" and "win" in table.answers(2)
        assert offered is free
        if table.hand.phase == "window" and not offered:
            fault = table.judge({"type": "answered", "seat": 2, "to": table.hand.window.to, "answer": "win"})
            assert fault is not None
            assert fault.clause == "DH-36"


def test_a_refused_self_draw_locks_too_and_a_draw_ends_it() -> None:
    hands = ["1m E S W N", "2m E S W N", "67m 123p 456s 789s 99p", "8m 4p 7p E"]
    table = room(hands=hands, head="1s 5m 2s")
    table.discard(0, "1m")
    passes(table)
    table.discard(1, "1s", drawn=True)
    passes(table)
    assert table.choices(2, "declared")
    table.discard(2, "5m", drawn=True)  # the win is refused
    passes(table)
    table.discard(3, "8m")
    assert table.hand.phase != "window" or "win" not in table.answers(2)
    assert table.hand.sides[2].win_lock


# --- kongs ----------------------------------------------------------------------------------------------------------


@proves("dinghai", "kong_after_claim", False, True)
@proves("duqiao", "kong_after_claim", False, True)
def a_kong_right_after_a_claim_by_option(value: bool) -> None:
    for preset in ("dinghai", "duqiao"):
        hands = ["9m E S W N", "", "99m 1111p 2s 5s 8s C F P S", ""]
        table = room({"kong_after_claim": value}, preset=preset, hands=hands, name=str(value))
        table.discard(0, "9m")
        claim(table, 2, "pung", "99m")
        assert bool(table.choices(2, "konged")) is value


@proves("dinghai", "late_added_kong", True, False)
@proves("duqiao", "late_added_kong", True, False)
def an_added_kong_of_a_tile_held_longer_by_option(value: bool) -> None:
    for preset in ("dinghai", "duqiao"):
        hands = ["9m E S W N", "", "999m 1p 4p 7p 2s 5s 8s C F P S", ""]
        table = room({"late_added_kong": value}, preset=preset, hands=hands, head="1s 1s 1s 2p", name=str(value))
        table.discard(0, "9m")
        claim(table, 2, "pung", "99m")
        table.discard(2, "S")
        until_turn(table, 2)
        assert bool(table.choices(2, "konged")) is value


def test_a_robbed_kong_is_void_and_pays_five_shares() -> None:
    hands = ["6p E S W N", "66p 1m 4m 7m", "57p 123m 456s 789s 22m", ""]
    table = room(hands=hands, head="1p 4s 1s 6p")
    table.discard(0, "6p")
    claim(table, 1, "pung", "66p")
    table.discard(1, "1m")
    passes(table)
    until_turn(table, 1)
    table.kong(1, "added_kong", "6p")
    records = table.answer(2, "win")
    (settled,) = [record for record in records if record["type"] == "settled"]
    assert settled["payments"] == [0, -10, 10, 0]
    assert only(table, "won") == [("won", 2, "6p")]
    assert table.fault() is None


def test_the_last_tile_makes_no_kong_and_its_discard_may_only_be_won() -> None:
    # No flower is drawn before the end: all eight are dealt to seat 3, who never declares them.
    table = room(hands=["", "", "", EIGHT], tail="1m 4m 7m 2p 5p 8p 3s 6s", name="last")
    table.idle(0)
    hand = table.hand
    assert hand.wall.left == 0
    assert all(body["type"] in {"discarded", "declared"} for body in table.options)
    seat = hand.turn
    for kind, tiles in (("concealed_kong", ["1m"] * 4), ("added_kong", ["1m"])):
        fault = table.judge({"type": "konged", "seat": seat, "kind": kind, "tiles": tiles})
        assert fault is not None
    body = table.choices(seat, "discarded")[0]
    table.act(body)
    if table.hand is not None and table.hand.phase == "window":
        assert all(set(table.answers(each)) <= {"win", "pass"} for each in table.hand.window.options)


# --- the wall and the deal's passing --------------------------------------------------------------------------------


@proves("dinghai", "wall.dice", 2, 1)
@proves("duqiao", "wall.dice", 2, 1)
def dice_a_throw(value: int) -> None:
    for preset in ("dinghai", "duqiao"):
        table = Room(preset, {"wall.dice": value}, name=f"dice-{value}")
        assert [len(record["values"]) for record in table.records() if record["type"] == "dice"] == [value, value]


def rules_of(preset: str, **options: Any) -> MahjongRules:
    rules = find(preset, {name.replace("__", "."): value for name, value in options.items()})
    assert isinstance(rules, MahjongRules)
    return rules


@proves("dinghai", "wall.break_offset", 1, 0)
@proves("duqiao", "wall.break_offset", 1, 0)
def break_after_c_stacks_or_at_the_last_of_them(value: int) -> None:
    for preset in ("dinghai", "duqiao"):
        # The rows of 0.4 for 144 tiles.
        assert break_stack(rules_of(preset, wall__break_offset=value), 2, (2, 3, 1, 2)) == 44 - (1 - value)
        assert break_stack(rules_of(preset, wall__break_offset=value), 1, (4, 4, 3, 3)) == 14 - (1 - value)


@proves("dinghai", "wall.tail_order", "upper_first", "reverse")
@proves("duqiao", "wall.tail_order", "upper_first", "reverse")
def which_tile_of_the_last_stack_goes_first(value: str) -> None:
    for preset in ("dinghai", "duqiao"):
        table = room({"wall.tail_order": value}, preset=preset, hands=["f1", "", "", ""], tail="3m 7p", name=value)
        assert only(table, "drawn") == [("drawn", 0, "3m", 90)]
        last = [table.hand.wall.kinds[at] for at in (142, 143)]
        assert last == ([2, 15] if value == "upper_first" else [15, 2])


@proves("duqiao", "wall.dice_inclusive", True, False)
def the_dealer_is_counted_as_one_or_not(value: bool) -> None:
    for name in ("count-a", "count-b", "count-c"):
        table = Room("duqiao", {"wall.dice_inclusive": value}, name=name)
        first, second = (record for record in table.records() if record["type"] == "dice")
        assert second["seat"] == (first["seat"] + sum(first["values"]) - value) % 4


@proves("duqiao", "wall.count_direction", "cw", "ccw")
def stacks_are_counted_either_way(value: str) -> None:
    found = break_stack(rules_of("duqiao", wall__count_direction=value), 2, (2, 3, 1, 2))
    assert found == (44 if value == "cw" else 36 - 8)


@proves("duqiao", "deal.order", "ccw", "cw")
def seats_are_dealt_either_way(value: str) -> None:
    table = Room("duqiao", {"deal.order": value}, name=f"deal-{value}")
    seats = [record["seat"] for record in table.records() if record["type"] == "dealt"]
    step = 1 if value == "ccw" else -1
    assert seats == [(seats[0] + step * place) % 4 for place in range(4)]


def after(preset: str, options: dict[str, Any], dealer: int, winners: list[int], wind: str = "E") -> tuple[int, str]:
    hand: Any = SimpleNamespace(wins=[SimpleNamespace(seat=seat) for seat in winners], ga=[])
    rules = find(preset, options)
    assert isinstance(rules, MahjongRules)
    following = succeed(rules, {"dealer": dealer, "round_wind": wind}, hand, 0)
    return following["dealer"], following["round_wind"]


@proves("dinghai", "multi_win_dealer", "record", "first_winner_deals")
def who_deals_after_several_winners(value: str) -> None:
    options = {"multi_win_dealer": value}
    deals = value == "first_winner_deals"
    assert after("dinghai", options, 1, [1]) == (1, "E")
    assert after("dinghai", options, 1, [3]) == (2, "E")
    assert after("dinghai", options, 1, [1, 3]) == (1, "E")
    assert after("dinghai", options, 1, [3, 1]) == ((3 if deals else 2), "E")
    # Coming to the first dealer from another is the end of a round, by whichever way.
    assert after("dinghai", options, 1, [0, 1]) == ((0, "S") if deals else (2, "E"))


@proves("dinghai", "drawn_hand_dealer", "stay", "pass")
def who_deals_after_a_drawn_hand(value: str) -> None:
    assert after("dinghai", {"drawn_hand_dealer": value}, 3, []) == ((3, "E") if value == "stay" else (0, "S"))


@proves("duqiao", "dealer", "stay_on_win_else_next", "winner_becomes_dealer")
def who_deals_in_duqiao(value: str) -> None:
    options = {"dealer": value, "multi_win": "all"}
    assert after("duqiao", options, 1, [1]) == (1, "E")
    assert after("duqiao", options, 1, [3]) == ((2, "E") if value == "stay_on_win_else_next" else (3, "E"))
    assert after("duqiao", options, 1, [3, 1]) == (1, "E")
    assert after("duqiao", options, 1, []) == (2, "E")


def test_the_round_wind_follows_the_first_dealer() -> None:
    assert after("dinghai", {}, 3, [1], "E") == (0, "S")
    assert after("dinghai", {}, 3, [1], "N") == (0, "E")
    assert after("dinghai", {}, 0, [0], "S") == (0, "S")


def test_one_winner_or_all_on_a_tile() -> None:
    hands = ["5m E S W N", "46m 123p 456s 789s 99p", "67m 123p 456s 789s 88p", ""]
    ways: list[tuple[str, dict[str, Any], int]] = [
        ("dinghai", {}, 2), ("dinghai", {"multi_win": "first"}, 1),
        ("duqiao", {}, 1), ("duqiao", {"multi_win": "all"}, 2),
    ]  # fmt: skip
    for preset, options, winners in ways:
        table = room(options, preset=preset, hands=hands, name=f"multi{winners}")
        table.discard(0, "5m")
        table.answer(2, "win")
        table.answer(1, "win")
        assert [seat for _, seat, *_ in only(table, "won")] == [1, 2][:winners]
        assert table.fault() is None


# --- every value ----------------------------------------------------------------------------------------------------


VALUES = [
    (preset, name, value)
    for preset, names in OF_PLAY.items()
    for name, values in find(preset).offers
    if name in names
    for value in values or ()
    if len(values or ()) > 1
]


@pytest.mark.parametrize(("preset", "option", "value"), VALUES, ids=[f"{p}: {n}={v}" for p, n, v in VALUES])
def test_every_value_of_an_option_of_play_has_a_proof(preset: str, option: str, value: object) -> None:
    PROOFS[preset, option, repr(value)](value)


@pytest.mark.parametrize(
    ("preset", "options", "why"),
    [
        ("dinghai", {"feeding_mutual": "per_direction"}, "not offered"),
        ("duqiao", {"joker": "white_fixed"}, "not offered"),
        ("duqiao", {"joker": "flipped"}, "not offered"),
        ("duqiao", {"bao": "taizhou_full"}, "not offered"),
        ("dinghai", {"tai_points": "custom"}, "needs points"),
        ("dinghai", {"points": [1, 2, 3, 4, 5]}, "belong to tai_points custom"),
        ("dinghai", {"tai_points": "custom", "points": [1, 2, 3, 4]}, "points"),
        ("dinghai", {"tai_points": "custom", "points": None}, "never null"),
        ("dinghai", {"tai_points": "qiqi50", "cap_tai": 5}, "does not fit"),
        ("dinghai", {"cap_tai": 0, "min_tai": 1}, "no hand could win"),
        ("dinghai", {"tiles": 136}, "not one of"),
        ("dinghai", {"drawn_hand_payment": "0"}, "not one of"),
        ("duqiao", {"swap_ban": "chow"}, "has no option"),
        ("duqiao", {"limit": 500}, "has no option"),
    ],
)
def test_what_is_not_offered_is_refused_with_the_reason(preset: str, options: dict[str, Any], why: str) -> None:
    with pytest.raises(RulesError, match=why):
        find(preset, options)
