"""Every option of Linhai, every value: what it changes in play, score or payment, or why it can change nothing.

`proves` registers one proof for a value; the test below asks for one of every value in `linhai.OFFERS`, so that an
option or value that is added without a proof fails. Scores are worked out by hand from mahjong.md 1 and 4.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tables import Laid, Room, lay, stream_of

from engine.cards import KINDS, tile_deck
from engine.errors import RulesError
from engine.events import Body
from engine.mahjong import flow
from engine.mahjong.bots import sight
from engine.mahjong.cases import result
from engine.mahjong.rules import MahjongRules
from engine.mahjong.wall import break_stack
from engine.variants import find, linhai

Proof = Callable[[Any], None]
PROOFS: dict[tuple[str, str], Proof] = {}

OPEN: dict[str, tuple[object, ...]] = {
    "cap_tai": (2, 3, 5),
    "liability_threshold": (2, 3, 4),
    "base": (1, 5),
    "extra_tai": ({}, *({word: 2} for word in
                        ("kong_bloom", "flower_bloom", "last_discard", "heavenly", "earthly", "robbed"))),
}  # fmt: skip
"""Values to prove of the options whose value is a number or a map within bounds."""

VALUES = [(name, value) for name, values in linhai.OFFERS for value in values or OPEN[name]]


def proves(option: str, *values: object) -> Callable[[Proof], Proof]:
    def register(proof: Proof) -> Proof:
        for value in values:
            assert (option, repr(value)) not in PROOFS, f"{option} = {value!r} is proved twice"
            PROOFS[option, repr(value)] = proof
        return proof

    return register


@pytest.mark.parametrize(("option", "value"), VALUES, ids=[f"{name}={value}" for name, value in VALUES])
def test_every_option_value_shows_what_it_does(option: str, value: object) -> None:
    proof = PROOFS.get((option, repr(value)))
    assert proof is not None, f"{option} = {value!r} has no proof"
    rules = find("linhai", {option: value})
    assert rules.options()[option] == value
    proof(value)


def test_no_proof_is_left_over() -> None:
    assert set(PROOFS) == {(name, repr(value)) for name, value in VALUES}


def test_the_offers_are_the_options_of_the_page_in_its_order_with_its_defaults(shared: Path) -> None:
    page = (shared / "rules" / "mahjong.md").read_text()
    block = page.partition('{"linhai": ')[2].partition(',\n "dinghai"')[0]
    preset = json.loads(block)
    assert [name for name, _ in linhai.OFFERS] == list(preset)
    assert find("linhai").options() == preset
    assert find("linhai.144").options() == {**preset, "tiles": 144}


def test_the_default_of_every_option_is_offered_first() -> None:
    defaults = find("linhai").options()
    assert len(linhai.OFFERS) == 41
    for name, values in linhai.OFFERS:
        assert values is None or repr(values[0]) == repr(defaults[name])


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "values"), [(name, values) for name, values in linhai.OFFERS if values])
def test_values_that_are_not_offered_are_refused_by_name(option: str, values: tuple[object, ...]) -> None:
    for wrong in ("no such word", 3.0, None, [], {}, 77, -1):
        with pytest.raises(RulesError, match=rf"^linhai: {option.replace('.', '[.]')} = "):
            find("linhai", {option: wrong})
    for value in values:  # true is not 1, 0 is not false
        if isinstance(value, bool) or value in {0, 1}:
            twin = int(value) if isinstance(value, bool) else bool(value)
            with pytest.raises(RulesError):
                find("linhai", {option: twin})


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        ("cap_tai", -1), ("cap_tai", 100), ("cap_tai", "3"), ("cap_tai", 3.0), ("cap_tai", True), ("cap_tai", None),
        ("liability_threshold", 0), ("liability_threshold", 17), ("liability_threshold", "3"),
        ("base", 0), ("base", -5), ("base", 1_000_001), ("base", 10**30), ("base", 1.5), ("base", True),
        ("extra_tai", {"eight_flowers": 1}), ("extra_tai", {"robbed": 0}), ("extra_tai", {"robbed": -1}),
        ("extra_tai", {"robbed": 100}), ("extra_tai", {"robbed": "1"}), ("extra_tai", {"robbed": True}),
        ("extra_tai", {"Robbed": 1}), ("extra_tai", []), ("extra_tai", 1), ("extra_tai", None),
    ],
)  # fmt: skip
def test_values_out_of_bounds_are_refused_with_the_field(option: str, wrong: object) -> None:
    with pytest.raises(RulesError, match=rf"^linhai: {option}"):
        find("linhai", {option: wrong})


@pytest.mark.parametrize("option", ["robkong", "rob_kong ", "ROB_KONG", "wall_dice", "players", "id", "patterns", ""])
def test_options_that_do_not_exist_are_refused_even_where_a_field_has_the_name(option: str) -> None:
    with pytest.raises(RulesError, match=r"^linhai has no option "):
        find("linhai", {option: 1})


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [("arrow_is_wind", True, "LH-03"), ("false_win", "forfeit", "no amount is known")],
)
def test_values_that_the_page_names_for_the_record_only_are_refused_with_the_reason(
    option: str, value: object, why: str
) -> None:
    with pytest.raises(RulesError, match=rf"{option} = .* is not offered: .*{why}"):
        find("linhai", {option: value})


def test_a_least_above_the_limit_is_refused() -> None:
    with pytest.raises(RulesError, match="min_tai 3 is above cap_tai 2"):
        find("linhai", {"min_tai": 3, "cap_tai": 2})


def test_every_change_of_an_option_changes_the_digest() -> None:
    preset = find("linhai")
    seen = {preset.digest()}
    for name, value in VALUES:
        rules = find("linhai", {name: value})
        same = preset.options()[name] == value
        assert (rules.digest() == preset.digest()) is same
        assert rules.differing(preset) == ({} if same else {name: value})
        seen.add(rules.digest())
    assert len(seen) == 1 + sum(preset.options()[name] != value for name, value in VALUES)


# --- score and payment ------------------------------------------------------------------------------------------

PLAIN = "234m 567m 345p 67s 99s"
"""Waits for 5s and 8s; nothing scores but the win."""


def settled(options: Body, *, preset: str = "linhai", seat: int = 0, hand: str = PLAIN, melds: Any = (),
            flowers: str = "", win: Any = None, **fields: Any) -> Body:  # fmt: skip
    rules = find(preset, options)
    assert isinstance(rules, MahjongRules)
    told = {
        "seats": {str(seat): {"hand": hand, "melds": list(melds), "flowers": flowers}},
        "win": {"seats": [seat], "tile": "8s", "by": "self_draw", **(win or {})},
        **fields,
    }
    return result(told, rules)


def tai(options: Body, **how: Any) -> int:
    found = settled(options, **how)
    assert "winners" in found, found
    return int(found["winners"][0]["tai"])


def pay(options: Body, **how: Any) -> list[int]:
    found = settled(options, **how)
    assert "payments" in found, found
    return list(found["payments"])


DRAGON = {"hand": "234m 567m 67s 99s", "melds": [{"kind": "pung", "tiles": "CCC", "from": 2}]}
ONE_SUIT = {"hand": "123m 456m 789m 23m 99m", "win": {"tile": "4m"}}
HONOURS = {
    "hand": "EE FF",
    "win": {"tile": "F"},
    "melds": [{"kind": "pung", "tiles": wind * 3, "from": place} for place, wind in enumerate("SWN", 1)],
}


@proves("win_tai", "additive", "only_if_none", "absent")
def _(value: str) -> None:
    plain, dragon = {"additive": (1, 2), "only_if_none": (1, 1), "absent": (0, 1)}[value]
    assert tai({"win_tai": value}) == plain
    assert tai({"win_tai": value}, **DRAGON) == dragon
    assert pay({"win_tai": value}) == [3 * 2**plain, *[-(2**plain)] * 3]


@proves("cap_tai", 2, 3, 5)
def _(value: int) -> None:
    melds = [{"kind": "pung", "tiles": tile * 3, "from": place} for place, tile in enumerate("CFE", 1)]
    how = {"hand": "23m 55m", "melds": melds, "win": {"tile": "4m", "by": "discard", "from": 1}}
    assert tai({"cap_tai": value}, **how) == value  # win, two dragons, own wind, half flush: 5
    assert pay({"cap_tai": value}, **how) == [2**value, -(2**value), 0, 0]


@proves("full_flush_honours", "own_wind", "none", "own_wind+dragons")
def _(value: str) -> None:
    worth = {
        pair: tai({"full_flush_honours": value}, hand=f"123m 456m 789m 23m {pair}", win={"tile": "4m"})
        for pair in ("99m", "EE", "CC", "SS")
    }
    full = {"own_wind": {"99m", "EE"}, "none": {"99m"}, "own_wind+dragons": {"99m", "EE", "CC"}}[value]
    assert worth == {pair: 3 if pair in full else 2 for pair in worth}


@proves("half_flush_needs_honour", True, False)
def _(value: bool) -> None:
    """Show that it changes nothing: a suit without honours is a full flush under every `full_flush_honours`."""
    for honours in ("own_wind", "none", "own_wind+dragons"):
        options = {"half_flush_needs_honour": value, "full_flush_honours": honours, "cap_tai": 9}
        found = settled(options, **ONE_SUIT)["winners"][0]["patterns"]
        assert [each["id"] for each in found] == ["win", "full_flush"]
        mixed = settled(options, hand="123m 456m 789m 23m SS", win={"tile": "4m"})["winners"][0]["patterns"]
        assert [each["id"] for each in mixed] == ["win", "half_flush"]
        assert tai(options) == 1  # two suits and no honour are no flush either way


@proves("all_honours", "none", "as_half_flush", "as_full_flush")
def _(value: str) -> None:
    assert (
        tai({"all_honours": value, "cap_tai": 9}, **HONOURS)
        == {"none": 2, "as_half_flush": 3, "as_full_flush": 5}[value]
    )


@proves("own_wind_set", "triplet", "triplet_or_pair")
def _(value: str) -> None:
    pair = {"hand": "123m 456p 789s 23m EE", "win": {"tile": "4m"}}
    triplet = {"hand": "EEE 456p 789s 23m 99p", "win": {"tile": "4m"}}
    assert tai({"own_wind_set": value}, **pair) == (2 if value == "triplet_or_pair" else 1)
    assert tai({"own_wind_set": value}, **triplet) == 2
    assert tai({"own_wind_set": value}, **{**pair, "hand": "123m 456p 789s 23m SS"}) == 1


@proves("round_wind_tai", 0, 1)
def _(value: int) -> None:
    how = {"hand": "SSS 456p 789s 23m 99p", "win": {"tile": "4m"}, "round_wind": "S"}
    assert tai({"round_wind_tai": value}, **how) == 1 + value
    assert tai({"round_wind_tai": value}, seat=1, **how) == 2 + value  # South is his own wind as well


@proves("flower_tai", 0, "own_1")
def _(value: object) -> None:
    for flowers, own in (("f1", 1), ("f1 f5", 2), ("f2 f6", 0)):
        expected = 1 + (own if value == "own_1" else 0)
        assert tai({"flower_tai": value}, preset="linhai.144", flowers=flowers) == expected


@proves("min_tai", 0, 1, 2, 3)
def _(value: int) -> None:
    dragon_suit = {"hand": "234s 567s 67s 99s", "melds": DRAGON["melds"]}
    for worth, how in ((0, {}), (1, {}), (2, DRAGON), (3, dragon_suit)):
        found = settled({"min_tai": value, "win_tai": "absent" if worth == 0 else "additive"}, **how)
        assert ("illegal" in found) is (worth < value)
        if worth < value:
            assert found["reason"].endswith("(LH-30)")


@proves("base", 1, 5)
def _(value: int) -> None:
    assert pay({"base": value}) == [6 * value, -2 * value, -2 * value, -2 * value]


@proves("liability_direction", "mutual", "claimer_pays", "feeder_pays")
def _(value: str) -> None:
    options = {"liability_direction": value}
    even = [6, -2, -2, -2]
    he_alone = [6, -6, 0, 0]
    assert pay(options, fed={"0": {"1": 3}}) == (even if value == "claimer_pays" else he_alone)  # 1 fed the winner
    assert pay(options, fed={"1": {"0": 3}}) == (even if value == "feeder_pays" else he_alone)  # 1 took from him


@proves("liability_on_discard", "discarder_own", "liable_replaces")
def _(value: str) -> None:
    options = {"liability_on_discard": value}
    for source, replaced in ((2, [2, -2, 0, 0]), (1, [2, -2, 0, 0])):
        own = [2, *(-2 if seat == source else 0 for seat in (1, 2, 3))]
        win = {"by": "discard", "from": source}
        found = settled(options, fed={"0": {"1": 3}}, win=win)
        assert found["payments"] == (replaced if value == "liable_replaces" else own)
    assert pay(options, win={"by": "discard", "from": 2}) == [2, 0, -2, 0]


@proves("liability_threshold", 2, 3, 4)
def _(value: int) -> None:
    for claims in range(5):
        expected = [6, -6, 0, 0] if claims >= value else [6, -2, -2, -2]
        assert pay({"liability_threshold": value}, fed={"0": {"1": claims}}) == expected


@proves("liability_split", "equal", "last_established")
def _(value: str) -> None:
    found = pay({"liability_split": value}, fed={"0": {"1": 3}, "3": {"0": 3}})
    assert found == ([6, -3, 0, -3] if value == "equal" else [6, 0, 0, -6])
    # In play, where one claim binds: seat 1 pungs from the dealer, then the dealer from seat 2, then he draws 8s.
    hands = ["N EE P 234m 567m 67s 99s", "NN 1199p 1199m 258s", "E 147p 258m 369s SSS", "CCC FF 147p 369m 14s"]
    laid = lay(hands=hands, head="W W W W 8s")
    room = Room(options={"liability_split": value, "liability_threshold": 1}, laid=laid)
    room.discard(0, "N")
    room.answer(1, "pung", "NN")
    room.discard(1, "2s")
    room.discard(2, "E")
    room.answer(0, "pung", "EE")
    room.discard(0, "P")
    room.idle(78)
    room.win(0)
    assert first(room, "settled")["payments"] == ([12, -6, -6, 0] if value == "equal" else [12, 0, -12, 0])


@proves("liability_counts_added_kong", False, True)
def _(value: bool) -> None:
    kong = {"kind": "added_kong", "tiles": "8888p", "from": 3}
    how = {"hand": "45m 77p", "win": {"tile": "6m"}}
    melds = [{"kind": "chow", "tiles": "123m", "from": 3}, kong, {"kind": "pung", "tiles": "333s", "from": 2}]
    assert pay({"liability_counts_added_kong": value}, melds=melds, **how) == (
        [6, 0, 0, -6] if value else [6, -2, -2, -2]
    )


@proves("multi_win", "all", "first")
def _(value: str) -> None:
    seats = {"1": {"hand": "34s 22m 678m 345p 999p"}, "2": {"hand": "46s 123m 456m 789p 11p"}}
    win = {"seats": [2, 1], "tile": "5s", "by": "discard", "from": 3}
    rules = find("linhai", {"multi_win": value})
    assert isinstance(rules, MahjongRules)
    found = result({"seats": seats, "win": win}, rules)
    assert [winner["seat"] for winner in found["winners"]] == ([1, 2] if value == "all" else [1])
    assert found["payments"] == ([0, 2, 2, -4] if value == "all" else [0, 2, 0, -2])


@proves("extra_tai", {}, {"kong_bloom": 2}, {"flower_bloom": 2}, {"last_discard": 2}, {"heavenly": 2}, {"earthly": 2},
        {"robbed": 2})  # fmt: skip
def _(value: dict[str, int]) -> None:
    kong = [{"kind": "concealed_kong", "tiles": "1111p"}]
    ways: dict[str, Body] = {
        "kong_bloom": {"hand": "234m 567m 67s 99s", "melds": kong, "win": {"occasion": "kong_bloom"}},
        "flower_bloom": {"preset": "linhai.144", "flowers": "f2", "win": {"occasion": "flower_bloom"}},
        "last_discard": {"win": {"by": "discard", "from": 2, "occasion": "last_discard"}},
        "heavenly": {"win": {"occasion": "heavenly"}},
        "earthly": {"seat": 2, "win": {"occasion": "earthly"}},
    }
    for word, how in ways.items():
        assert tai({"extra_tai": value}, **how) == 1 + value.get(word, 0), word
    robbed = {"0": {"hand": PLAIN}, "3": {"melds": [{"kind": "pung", "tiles": "888s", "from": 1}]}}
    options = {"extra_tai": value, "rob_kong": "as_discard"}
    win = {"by": "robbed", "from": 3}
    assert tai(options, win=win, seats=robbed) == 1 + value.get("robbed", 0)
    assert tai({"extra_tai": value}) == 1


@proves("wild", "none")
def _(value: str) -> None:
    """Show that the one value makes no tile wild: a white dragon completes nothing but its own kind."""
    found = settled({"wild": value}, hand="234m 567m 345p 6s P 99s")
    assert found["illegal"] is True
    with pytest.raises(RulesError):
        find("linhai", {"wild": "white"})


@proves("arrow_is_wind", False)
def _(value: bool) -> None:
    """Show that with the one value offered a dragon is a dragon and nobody's own wind."""
    found = settled({"arrow_is_wind": value}, **DRAGON)["winners"][0]["patterns"]
    assert [each["id"] for each in found] == ["win", "dragon.C"]


# --- the wall ---------------------------------------------------------------------------------------------------

QUIET = ("1m 4m 7m 1p 4p 7p 1s 4s 7s EEE S F", "2m 5m 8m 2p 5p 8p 2s 5s 8s SS W C", "3m 6m 9m 3p 6p 9p 3s 6s 9s WW N P",
         "1m 4m 7m 1p 4p 7p 1s 4s 7s NN F P")  # fmt: skip
"""Four hands far from a win, the dealer's of fourteen tiles."""

KONG = ("1111m 258p 258s EEE F", *QUIET[1:3], QUIET[3].replace("1m", "2m"))
"""The same with four equal tiles for the dealer."""


def first(room: Room, kind: str) -> Body:
    return next(record for record in room.records() if record["type"] == kind)


def every(room: Room, kind: str) -> list[Body]:
    return [record for record in room.records() if record["type"] == kind]


def shuffled(dice: tuple[int, ...] = (3, 4, 4, 5)) -> Laid:
    return lay(hands=["", "", "", ""], dice=dice, fill=stream_of("options"))


def kind_at(laid: Laid, stack: int) -> str:
    """Return the upper tile of a stack of the wall."""
    return tile_deck(flowers=False)[laid.wall[2 * stack]].partition(".")[0]


@proves("tiles", 136, 144)
def _(value: int) -> None:
    rules = find("linhai", {"tiles": value})
    assert isinstance(rules, MahjongRules)
    assert len(flow.deck(rules)) == value
    room = Room(options={"tiles": value}, laid=lay(options={"tiles": value}, hands=QUIET))
    assert room.hand.wall.left == value - 53
    flowers = {"hand": PLAIN, "flowers": "f1"}
    if value == 144:
        assert tai({"tiles": value}, **flowers) == 1
    else:
        with pytest.raises(ValueError, match="no flowers among 136 tiles"):
            settled({"tiles": value}, **flowers)


@proves("wall.dice", 2, 1)
def _(value: int) -> None:
    laid = shuffled((3, 4, 4, 5)[: 2 * value])
    room = Room(options={"wall.dice": value}, laid=laid)
    throws = [(record["seat"], record["values"]) for record in every(room, "dice")]
    # Two dice: 7 counts to seat 2, stack 34 + 16; one die: 3 counts to seat 2 as well, stack 34 + 3 + 4.
    assert throws == ([(0, [3, 4]), (2, [4, 5])] if value == 2 else [(0, [3]), (2, [4])])
    assert first(room, "dealt")["tiles"][0] == kind_at(laid, 50 if value == 2 else 41)


@proves("wall.dice_inclusive", True, False)
def _(value: bool) -> None:
    laid = shuffled()
    room = Room(options={"wall.dice_inclusive": value}, laid=laid)
    assert every(room, "dice")[1]["seat"] == (2 if value else 3)
    assert first(room, "dealt")["tiles"][0] == kind_at(laid, 34 + 16 if value else 17 + 16)


@proves("wall.count_direction", "cw", "ccw")
def _(value: str) -> None:
    laid = shuffled()
    room = Room(options={"wall.count_direction": value}, laid=laid)
    assert first(room, "dealt")["tiles"][0] == kind_at(laid, 34 + 16 if value == "cw" else 34 - 16)


@proves("wall.break_offset", 1, 0)
def _(value: int) -> None:
    laid = shuffled()
    room = Room(options={"wall.break_offset": value}, laid=laid)
    stack = 50 if value == 1 else 49
    assert first(room, "dealt")["tiles"][0] == kind_at(laid, stack)
    rules = find("linhai", {"wall.break_offset": value})
    assert isinstance(rules, MahjongRules)
    assert break_stack(rules, 0, (3, 4, 4, 5)) == stack


@proves("deal.order", "ccw", "cw")
def _(value: str) -> None:
    laid = shuffled()
    room = Room(options={"deal.order": value}, laid=laid)
    dealt = every(room, "dealt")
    assert [record["seat"] for record in dealt] == ([0, 1, 2, 3] if value == "ccw" else [0, 3, 2, 1])
    assert [len(record["tiles"]) for record in dealt] == [14, 13, 13, 13]
    other = every(Room(options={"deal.order": "ccw"}, laid=laid), "dealt")
    assert [record["tiles"] for record in dealt] == [record["tiles"] for record in other]


@proves("wall.tail_order", "upper_first", "reverse")
def _(value: str) -> None:
    # The last stack: 2s above, 9s below.
    laid = lay(hands=KONG, tail="2s 9s")
    room = Room(options={"wall.tail_order": value}, laid=laid)
    room.kong(0, "concealed_kong", "1m")
    assert first(room, "drawn")["tile"] == ("2s" if value == "upper_first" else "9s")


def left_at_end(room: Room) -> int:
    room.idle(-1)
    assert first(room, "drawn_hand")["reason"] == "wall_end"
    return int(every(room, "drawn")[-1]["left"])


@proves("reserve", 14, 0)
def _(value: int) -> None:
    assert left_at_end(Room(options={"reserve": value}, laid=lay(hands=QUIET))) == value


@proves("reserve_per_kong", 1, 0, 2)
def _(value: int) -> None:
    hands = ["1111m 2222m 258p WWW", "2p 5p 8p 3m 6m 9m 2s 5s 8s SS N C", "3m 6m 9m 3p 6p 9p 3s 6s 9s EE F P", QUIET[3]]
    hands[3] = "4m 5m 7m 1p 4p 7p 1s 4s 7s NN F P"
    room = Room(options={"reserve_per_kong": value}, laid=lay(hands=hands))
    room.kong(0, "concealed_kong", "1m")
    room.kong(0, "concealed_kong", "2m")
    assert left_at_end(room) == 14 + 2 * value


@proves("reserve_per_flower", False, True)
def _(value: bool) -> None:
    hands = [QUIET[0].removesuffix("F") + "f1", *QUIET[1:]]
    tail = "1m 2m 3m 4m 5m 6m 7m 8m"  # so that the other flowers lie before these, within the reserve
    room = Room("linhai.144", {"reserve_per_flower": value}, laid=lay("linhai.144", hands=hands, tail=tail))
    assert [record["tile"] for record in every(room, "flower")] == ["f1"]
    assert left_at_end(room) == (15 if value else 14)


@proves("last_discard_claims", "all_but_kong", "win_only")
def _(value: str) -> None:
    hands = [QUIET[0].replace("EEE S F", "SS W F C"), QUIET[1].replace("SS W C", "S E C P"), QUIET[2],
             QUIET[3].replace("NN F P", "EEE N")]  # fmt: skip
    room = Room(options={"last_discard_claims": value}, laid=lay(hands=hands))
    room.idle(14)
    assert room.hand.turn == 1
    room.discard(1, "E")
    if value == "all_but_kong":
        assert room.answers(3) == ["pung", "pass"]
        room.answer(3, "pung", "EE")
        assert room.hand.turn == 3
    else:
        assert first(room, "drawn_hand")["reason"] == "wall_end"


# --- play -------------------------------------------------------------------------------------------------------

READY = ("123m 456m 789p 46s 55p P", "5s EE SS WW NN FF CC", "123p 456p 789m 46s 22m", "111s 999s 888m 33m 44m")
"""Dealer and seat 2 wait for 5s, which seat 1 holds."""


def two_winners(options: Body) -> Room:
    room = Room(options=options, laid=lay(hands=READY), match={"length": {"hands": 2}})
    room.discard(0, "P")
    room.discard(1, "5s")
    room.answer(2, "win")
    room.answer(0, "win")
    return room


@proves("dealer_stays", "on_win", "never")
def _(value: str) -> None:
    hands = ["123m 456m 789p 234s 55p", *QUIET[1:]]
    room = Room(options={"dealer_stays": value}, laid=lay(hands=hands), match={"length": {"hands": 2}})
    room.win(0)
    assert first(room, "hand_ended")["next"] == {"dealer": 0 if value == "on_win" else 1, "round_wind": "E"}


@proves("multi_win_dealer", "any_win", "first_winner")
def _(value: str) -> None:
    room = two_winners({"multi_win_dealer": value})
    assert [record["seat"] for record in every(room, "won")] == [2, 0]
    assert first(room, "hand_ended")["next"]["dealer"] == (0 if value == "any_win" else 1)


@proves("rob_kong", "off", "as_discard")
def _(value: str) -> None:
    # Seat 2 pungs 6s, later draws the fourth; seat 3 waits for it.
    hands = [QUIET[0].replace("1s 4s 7s", "6s 1s 9s"), "2m 5m 8m 2p 5p 8p 2s 9s 9s SS W C",
             "3m 6m 9m 3p 6p 9p 66s 9s WW N P", "123m 789m 45s 11p 678p"]  # fmt: skip
    room = Room(options={"rob_kong": value}, laid=lay(hands=hands, head="C F F 6s"))
    room.discard(0, "6s")
    assert room.answers(3) == ["win", "pass"]
    room.answer(3, "pass")
    room.answer(2, "pung", "66s")
    room.discard(2, "9m")
    room.idle(79)
    assert (room.hand.turn, KINDS[room.hand.drawn]) == (2, "6s")
    new = room.kong(2, "added_kong", "6s")
    if value == "off":
        assert [(record["type"], record.get("end")) for record in new[1:]] == [("drawn", "tail")]
        assert room.hand.kongs == 1
    else:
        assert room.answers(3) == ["win", "pass"]
        room.answer(3, "win")
        assert first(room, "won")["by"] == "robbed"
        assert first(room, "settled")["payments"] == [0, 0, -2, 2]


@proves("swap_ban", "off", "dinghai")
def _(value: str) -> None:
    hands = [QUIET[0].replace("1m 4m", "3m 9m"), "3m 4m 5m 6m 8m 2p 5p 8p 2s 5s 8s W C", QUIET[2], QUIET[3]]
    room = Room(options={"swap_ban": value}, laid=lay(hands=hands))
    room.discard(0, "3m")
    room.answer(1, "chow", "4m 5m")
    may_go = {body["tile"] for body in room.choices(1, "discarded")}
    rest = {"8m", "2p", "5p", "8p", "2s", "5s", "8s", "W", "C"}
    assert may_go == (rest if value == "dinghai" else rest | {"3m", "6m"})


@proves("pass_pung_lock", "off", "dinghai")
def _(value: str) -> None:
    hands = [QUIET[0].replace("EEE S F", "E S S F F"), QUIET[1].replace("SS W C", "S E W C"),
             QUIET[2].replace("WW N P", "EE N P"), QUIET[3]]  # fmt: skip
    room = Room(options={"pass_pung_lock": value}, laid=lay(hands=hands, head="P C"))
    room.discard(0, "E")
    room.answer(2, "pass")
    room.discard(1, "E")
    assert room.answers(2) == (["pung", "pass"] if value == "off" else [])


@proves("pass_win_lock", "off", "dinghai")
def _(value: str) -> None:
    hands = [QUIET[0].replace("4s", "5s"), QUIET[1], "123p 456p 789m 46s 22m", QUIET[3]]
    room = Room(options={"pass_win_lock": value}, laid=lay(hands=hands, head="P 5s"))
    room.discard(0, "5s")
    room.answer(2, "pass")
    room.discard(1, "5s")
    assert ("win" in room.answers(2)) is (value == "off")
    room.answer(2, "pass")  # he could have chowed it, too
    assert room.hand.turn == 2
    assert [body["what"] for body in room.choices(2, "declared")] == ["win"]  # his own draw unlocks
    assert not room.hand.sides[2].win_lock


@proves("kong_after_claim", False, True)
def _(value: bool) -> None:
    hands = [QUIET[0].replace("1m 4m 7m", "4m 7m 9m"), "1111m EE 2p 5p 8p 2s 5s W C", QUIET[2],
             QUIET[3].replace("1m 4m", "4m 8m")]  # fmt: skip
    hands[0] = hands[0].replace("EEE S F", "E S S F F")
    room = Room(options={"kong_after_claim": value}, laid=lay(hands=hands))
    room.discard(0, "E")
    room.answer(1, "pung", "EE")
    assert [body["kind"] for body in room.choices(1, "konged")] == (["concealed_kong"] if value else [])
    fault = room.judge({"type": "konged", "seat": 1, "kind": "concealed_kong", "tiles": ["1m"] * 4})
    assert (fault is None) is value
    assert value or (fault and fault.clause == "CM-01")


@proves("late_added_kong", True, False)
def _(value: bool) -> None:
    hands = [QUIET[0].replace("EEE S F", "E S S F F"), "EEE 2m 5m 8m 2p 5p 8p 2s 5s W C", QUIET[2], QUIET[3]]
    room = Room(options={"late_added_kong": value}, laid=lay(hands=hands, head="P P C N"))
    room.discard(0, "E")
    room.answer(1, "pung", "EE")
    room.discard(1, "C")
    room.idle(79)
    assert room.hand.turn == 1
    assert [body["kind"] for body in room.choices(1, "konged")] == (["added_kong"] if value else [])


@proves("concealed_kong_open", True, False)
def _(value: bool) -> None:
    """Show what it can change: what the others see, never what is lawful or paid."""
    room = Room(options={"concealed_kong_open": value}, laid=lay(hands=KONG))
    room.kong(0, "concealed_kong", "1m")
    assert sight(room.hand, 0, []).seen[0] == 4
    others = [sight(room.hand, seat, []).seen[0] - room.hand.sides[seat].counts[0] for seat in (1, 2, 3)]
    assert others == [4 if value else 0] * 3
    twin = Room(options={"concealed_kong_open": not value}, laid=lay(hands=KONG))
    twin.kong(0, "concealed_kong", "1m")
    assert room.options == twin.options


@proves("false_win", "reject")
def _(value: str) -> None:
    """Show that a false win is refused and logged, and pays nothing."""
    room = Room(options={"false_win": value}, laid=lay(hands=QUIET))
    tried = {"type": "declared", "seat": 0, "what": "win"}
    fault = room.judge(tried)
    assert fault is not None
    assert (fault.code, fault.clause) == ("declared", "linhai.shape")
    room.act({"type": "refused", "seat": 0, "tried": tried, "clause": fault.clause})
    room.idle()
    assert first(room, "settled")["payments"] == [0, 0, 0, 0]


@proves("timeout", "pass")
def _(value: str) -> None:
    """Show that a time-out never takes the win it could: it passes, or discards the drawn tile (CM-05)."""
    room = Room(options={"timeout": value}, laid=lay(hands=READY, head="9m 5s"))
    assert room.table.timeout(0) == {"type": "discarded", "seat": 0, "tile": "P", "auto": True}
    room.discard(0, "P")
    room.discard(1, "5s")
    assert room.answers(2) == ["win", "chow4s6s", "pass"]
    assert room.table.timeout(2) == {"type": "answered", "seat": 2, "to": room.hand.window.to, "answer": "pass",
                                     "auto": True}  # fmt: skip
    room.answer(0, "pass")
    room.answer(2, "pass")
    assert [body["what"] for body in room.choices(2, "declared")] == ["win"]
    assert room.table.timeout(2) == {"type": "discarded", "seat": 2, "tile": "5s", "drawn": True, "auto": True}
