"""Scoring cases: ours and the page's, the same settlement as in play, and what is refused with place and reason."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from options import SETS
from tables import Room, lively, rich, states

from engine.cards import KINDS, format_flowers, format_hand
from engine.errors import RulesError
from engine.events import Body
from engine.fields import CaseError
from engine.mahjong.cases import result
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import NONE, Hand
from engine.variants import find

OURS = Path(__file__).parents[3] / "data" / "linhai" / "cases.json"
CASES: list[dict[str, Any]] = json.loads(OURS.read_bytes())


def settle(case: dict[str, Any]) -> Body:
    rules = find(case.get("rules", "linhai"), case.get("options", {}))
    assert isinstance(rules, MahjongRules)
    return result(case, rules)


def as_expected(found: Body) -> Body:
    """Return what a result says in the words of `expect`."""
    if found.get("illegal"):
        return {"illegal": True}
    won = {str(winner["seat"]): winner["tai"] for winner in found["winners"]}
    return {**({"tai": won} if won else {}), "payments": found["payments"]}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_our_cases_pay_what_the_rule_text_says(case: dict[str, Any]) -> None:
    assert as_expected(settle(case)) == case["expect"]


def test_our_cases_are_many_and_have_names_of_their_own() -> None:
    assert len(CASES) >= 60
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert sum(case["expect"].get("illegal", False) for case in CASES) >= 15


def test_the_cases_of_the_page(shared: Path) -> None:
    cases = json.loads((shared / "cases" / "linhai.json").read_bytes())
    assert len(cases) >= 14
    for case in cases:
        assert as_expected(settle(case)) == case["expect"], case["id"]


def test_the_example_of_the_page_whole() -> None:
    case = {
        "id": "L9", "rules": "linhai.144", "options": {"rob_kong": "as_discard"},
        "dealer": 0, "round_wind": "E", "streak": 0, "ga": [0, 0, 0, 0], "remaining": 40, "kongs": 0,
        "seats": {
            "1": {"hand": "34s 22m 678m 345p", "melds": [{"kind": "pung", "tiles": "PPP", "from": 0}],
                  "flowers": "f2 f6"},
            "3": {"hand": "123m 456m 46s 789p EE"},
        },
        "fed": {"2": {"0": 3}},
        "win": {"seats": [3, 1], "tile": "5s", "by": "discard", "from": 2, "occasion": "none"},
        "expect": {"tai": {"1": 2, "3": 1}, "payments": [0, 4, -6, 2]}, "note": "not read",
    }  # fmt: skip
    assert settle(case) == {
        "id": "L9",
        "winners": [
            {"seat": 3, "patterns": [{"id": "win", "tai": 1, "clause": "LH-15"}], "tai": 1, "points": 2},
            {
                "seat": 1,
                "patterns": [
                    {"id": "win", "tai": 1, "clause": "LH-15"},
                    {"id": "dragon.P", "tai": 1, "clause": "linhai.tai.dragon"},
                ],
                "tai": 2,
                "points": 4,
            },
        ],
        "payments": [0, 4, -6, 2],
        "lines": [
            {"from": 2, "to": 3, "amount": 2, "reason": "discard", "clause": "linhai.pay.discard"},
            {"from": 2, "to": 1, "amount": 4, "reason": "discard", "clause": "linhai.pay.discard"},
        ],
    }


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_result_is_the_sum_of_its_lines_or_a_reason_with_its_clause(case: dict[str, Any]) -> None:
    before = copy.deepcopy(case)
    found = settle(case)
    assert case == before
    if "illegal" in found:
        assert list(found) == ["id", "illegal", "reason"]
        assert found["reason"].endswith(")")
        return
    assert list(found) == ["id", "winners", "payments", "lines"]
    paid = [0, 0, 0, 0]
    for line in found["lines"]:
        assert line["amount"] > 0
        paid[line["from"]] -= line["amount"]
        paid[line["to"]] += line["amount"]
    assert paid == found["payments"]
    assert sum(paid) == 0
    for winner in found["winners"]:
        assert winner["points"] == settled_points(case, winner["tai"])


def settled_points(case: dict[str, Any], tai: int) -> int:
    return int(case.get("options", {}).get("base", 1)) * 2**tai


REASONS = {
    "rob.off": "LH-26",
    "min.2.below": "LH-30",
    "shape.seven_pairs": "linhai.shape",
    "wall.drawn.15": "LH-12",
    "wall.self_draw.overrun": "LH-12",
    "wall.last_discard.contradicted": "LH-14",
    "extra.kong_bloom.without_kong": "linhai.kong.replacement",
    "extra.flower_bloom.without_flower": "linhai.flower.replacement",
    "extra.heavenly.not_dealer": "LH-27",
    "extra.earthly.after_a_claim": "LH-27",
    "multi.one_incomplete": "linhai.shape",
}


@pytest.mark.parametrize("name", REASONS)
def test_what_the_rules_do_not_allow_names_its_clause(name: str) -> None:
    case = next(case for case in CASES if case["id"] == name)
    assert settle(case)["reason"].endswith(f"({REASONS[name]})")


# --- defaults ---------------------------------------------------------------------------------------------------

READY = "234m 567m 345p 67s 99s"


def simple(**changes: Any) -> dict[str, Any]:
    case = {"seats": {"1": {"hand": READY}}, "win": {"seats": [1], "tile": "8s", "by": "discard", "from": 3}}
    return {**case, **changes}


def test_what_is_left_out_has_its_default() -> None:
    whole = simple(dealer=0, round_wind="E", streak=0, ga=[0, 0, 0, 0], kongs=0, fed={}, options={})
    assert settle(whole) == settle(simple())
    assert "id" not in settle(simple())
    said = simple(win={"seats": [1], "tile": "8s", "from": 3})
    assert settle(said) == settle(simple())
    own = simple(win={"seats": [1], "tile": "8s"})
    assert settle(own)["payments"] == [-2, 6, -2, -2]
    assert settle({})["payments"] == [0, 0, 0, 0]


def test_a_heavenly_hand_may_hold_all_fourteen() -> None:
    seats = {"0": {"hand": f"{READY} 8s"}}
    case = {"seats": seats, "win": {"seats": [0], "occasion": "heavenly"}, "options": {"extra_tai": {"heavenly": 1}}}
    assert settle(case)["payments"] == [12, -4, -4, -4]


@given(st.permutations([1, 2, 3]))
def test_the_order_in_which_winners_are_written_changes_nothing(seats: list[int]) -> None:
    case = next(case for case in CASES if case["id"] == "multi.all.three")
    found = settle({**case, "win": {**case["win"], "seats": seats}})
    assert found == settle(case)
    assert [winner["seat"] for winner in found["winners"]] == [1, 2, 3]


@pytest.mark.parametrize("kongs", range(5))
@pytest.mark.parametrize("left", range(12, 20))
def test_remaining_and_kongs_decide_which_discard_was_the_last(kongs: int, left: int) -> None:
    found = settle(simple(remaining=left, kongs=kongs, options={"extra_tai": {"last_discard": 1}}))
    boundary = 14 + kongs
    if left > boundary:
        assert found["winners"][0]["tai"] == 1
    elif left >= boundary - (kongs > 0):  # a kong's replacement may lie one beyond
        assert found["winners"][0]["tai"] == 2
    else:
        assert found["reason"].endswith("(LH-12)")


# --- the same as in play ----------------------------------------------------------------------------------------


def told(hand: Hand, preset: str, options: dict[str, Any]) -> dict[str, Any]:
    """Put a hand that has just been settled into the words of a case."""
    first = hand.wins[0] if hand.wins else None
    seats: dict[str, Any] = {}
    for seat, side in enumerate(hand.sides):
        tiles = [tile for tile, have in enumerate(side.counts) for _ in range(have)]
        if first is not None and first.by == "self_draw" and first.seat == seat and first.tile != NONE:
            tiles.remove(first.tile)
        melds = [
            {"kind": meld.kind, "tiles": format_hand(meld.whole), **({"from": meld.source} if meld.source >= 0 else {})}
            for meld in side.melds
        ]
        seats[str(seat)] = {"hand": format_hand(tiles), "melds": melds, "flowers": format_flowers(side.flowers)}
    case = {
        "rules": preset,
        "options": options,
        "dealer": hand.dealer,
        "round_wind": KINDS[hand.round_wind],
        "remaining": hand.wall.left,
        "kongs": hand.kongs,
        "seats": seats,
    }
    if first is not None:
        win: dict[str, Any] = {"seats": [each.seat for each in reversed(hand.wins)], "by": first.by}
        win |= {"tile": KINDS[first.tile]} if first.tile != NONE else {}
        win |= {"from": first.source} if first.source != NONE else {}
        win |= {"occasion": first.occasion} if first.occasion else {}
        if first.occasion == "kong_bloom":
            win["kong"] = {"kind": first.kong, **({"from": first.kong_source} if first.kong_source >= 0 else {})}
        case["win"] = win
    return case


def played(name: str, preset: str, options: dict[str, Any]) -> Iterator[tuple[Hand, Body]]:
    """Yield every hand that a game settles, with its `settled`; every other game from a wall that makes it lively."""
    laid = rich(preset, options, name) if name.endswith(tuple("02468")) else None
    lines = Room(preset, options, name=name, laid=laid).play(lively(name, win_in=8))
    for game, record in states(lines, laid):
        if record["type"] == "settled":
            yield game.hand, record


@pytest.mark.parametrize("which", [name for name, (preset, _) in SETS.items() if preset.startswith("linhai")])
def test_a_hand_told_as_a_case_pays_what_it_paid_in_play(which: str) -> None:
    preset, options = SETS[which]
    # A case does not say in which order liabilities came about.
    options = {name: value for name, value in options.items() if name != "liability_split"}
    kinds: set[str] = set()
    for number in range(24):
        for hand, record in played(f"told-{list(SETS).index(which)}-{number}", preset, options):
            found = settle(told(hand, preset, options))
            winners = [
                {
                    **winner,
                    "patterns": [{k: v for k, v in each.items() if k != "clause"} for each in winner["patterns"]],
                }
                for winner in found["winners"]
            ]
            assert winners == record["winners"]
            assert found["payments"] == record["payments"]
            assert found["lines"] == record["lines"]
            kinds |= {win.by for win in hand.wins} or {"drawn"}
    assert len(kinds) >= 2, kinds  # wins of several kinds have been compared


# --- what is refused --------------------------------------------------------------------------------------------


def seat(**fields: Any) -> dict[str, Any]:
    return simple(seats={"1": {"hand": READY, **fields}})


def with_melds(*melds: dict[str, Any], hand: str = "345p 67s 99s") -> dict[str, Any]:
    return simple(seats={"1": {"hand": hand, "melds": list(melds)}})


def win(**fields: Any) -> dict[str, Any]:
    base = {"seats": [1], "tile": "8s", "by": "discard", "from": 3}
    return simple(win={key: value for key, value in {**base, **fields}.items() if value != "-"})


PUNG = {"kind": "pung", "tiles": "111p", "from": 2}
CHOW = {"kind": "chow", "tiles": "456s", "from": 0}

REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("unknown field", simple(dealr=0), "", "unknown field 'dealr'"),
    ("unknown field of a seat", seat(mleds=[]), "seats.1", "unknown field 'mleds'"),
    ("unknown field of a meld", with_melds({**PUNG, "form": 2}, CHOW), "seats.1.melds[0]", "unknown field 'form'"),
    ("unknown field of the win", win(form=2), "win", "unknown field 'form'"),
    ("null", simple(dealer=None), "dealer", "null is no value"),
    ("dealer out of range", simple(dealer=4), "dealer", "not in 0..3"),
    ("dealer a truth value", simple(dealer=True), "dealer", "a whole number"),
    ("dealer a fraction", simple(dealer=0.0), "dealer", "a whole number"),
    ("dealer a text", simple(dealer="0"), "dealer", "a whole number"),
    ("dealer a huge number", simple(dealer=10**400), "dealer", "not in 0..3"),
    ("round wind", simple(round_wind="X"), "round_wind", "none of E, S, W, N"),
    ("id no text", simple(id=7), "id", "a text is needed"),
    ("streak", simple(streak=1), "streak", "no streak"),
    ("ga", simple(ga=[0, 1, 0, 0]), "ga", "no ga"),
    ("ga too short", simple(ga=[0, 0]), "ga", "one number a seat"),
    ("wild", simple(wild="1m"), "wild", "no wild tile"),
    ("remaining beyond the deal", simple(remaining=84), "remaining", "not in 0..83"),
    ("remaining negative", simple(remaining=-1), "remaining", "not in 0..83"),
    ("more kongs than can be", simple(kongs=17), "kongs", "not in 0..16"),
    ("fewer kongs than listed", {**with_melds({"kind": "concealed_kong", "tiles": "1111p"}, CHOW), "kongs": 0},
     "kongs", "less than the 1 listed"),
    ("seats no object", simple(seats=[]), "seats", "an object"),
    ("no such seat", simple(seats={"4": {"hand": READY}}), "seats", "'4' is no seat"),
    ("seat written otherwise", simple(seats={"01": {"hand": READY}}), "seats", "'01' is no seat"),
    ("full-width seat", simple(seats={"１": {"hand": READY}}), "seats", "is no seat"),
    ("hand not readable", seat(hand="234x"), "seats.1.hand", "column 3"),
    ("hand with a flower", seat(hand="f1 234m 567m 345p 67s 9s"), "seats.1.hand", "holds no flowers"),
    ("hand a list", seat(hand=["1m"]), "seats.1.hand", "a text is needed"),
    ("five copies in one hand", seat(hand="11111m 567m 34p 99s 7s"), "seats.1.hand", "more than 4 copies"),
    ("a hand too short", seat(hand="234m 567m 345p 67s 9s"), "seats.1.hand", "12 tiles; a hand before the winning"),
    ("a hand with the winning tile", seat(hand=f"{READY} 8s"), "seats.1.hand", "14 tiles"),
    ("a hand too long beside melds", with_melds(PUNG, CHOW, hand="345p 67s 99s 1m"), "seats.1.hand",
     "8 tiles; beside 2 melds"),
    ("no hand", simple(seats={}), "seats.1.hand", "0 tiles"),
    ("a loser's hand of a wrong size", simple(seats={"1": {"hand": READY}, "2": {"hand": "123m"}}), "seats.2.hand",
     "3 tiles"),
    ("five copies over the seats", simple(seats={"1": {"hand": READY}, "2": {"hand": "999s 147m 258p NNNN"},
                                                 }), "seats", "5 copies of 9s"),
    ("five copies with the winning tile",
     simple(seats={"1": {"hand": READY}, "2": {"hand": "8888s 147m 258p NNN"}}), "seats", "5 copies of 8s"),
    ("five copies with a meld", simple(seats={"1": {"hand": READY}, "2": {"melds": [
        {"kind": "concealed_kong", "tiles": "9999s"}]}}), "seats", "6 copies of 9s"),
    ("melds no list", seat(melds={}), "seats.1.melds", "a list is needed"),
    ("a meld no object", seat(melds=["PPP"]), "seats.1.melds[0]", "an object"),
    ("a meld of no kind", with_melds({"tiles": "111p", "from": 2}, CHOW), "seats.1.melds[0].kind", "is needed"),
    ("a meld of another kind", with_melds({**PUNG, "kind": "pong"}, CHOW), "seats.1.melds[0].kind", "none of"),
    ("a pung of two", with_melds({**PUNG, "tiles": "11p"}, CHOW), "seats.1.melds[0].tiles", "has 3 tiles"),
    ("a kong of three", with_melds({**PUNG, "kind": "direct_kong"}, CHOW), "seats.1.melds[0].tiles", "has 4 tiles"),
    ("a pung of unequal tiles", with_melds({**PUNG, "tiles": "112p"}, CHOW), "seats.1.melds[0].tiles", "are equal"),
    ("a chow with a gap", with_melds({**CHOW, "tiles": "457s"}, PUNG), "seats.1.melds[0].tiles", "in a row"),
    ("a chow over the end", with_melds({**CHOW, "tiles": "9m 12p"}, PUNG), "seats.1.melds[0].tiles", "in a row"),
    ("a chow of winds", with_melds({**CHOW, "tiles": "ESW"}, PUNG), "seats.1.melds[0].tiles", "in a row"),
    ("a pung from itself", with_melds({**PUNG, "from": 1}, CHOW), "seats.1.melds[0].from", "cannot feed itself"),
    ("a pung from nobody", with_melds({"kind": "pung", "tiles": "111p"}, CHOW), "seats.1.melds[0].from", "which seat"),
    ("a pung from seat 4", with_melds({**PUNG, "from": 4}, CHOW), "seats.1.melds[0].from", "not in 0..3"),
    ("a chow from another", with_melds({**CHOW, "from": 2}, PUNG), "seats.1.melds[0].from", "chows from seat 0 only"),
    ("a fed concealed kong", with_melds({"kind": "concealed_kong", "tiles": "1111p", "from": 2}, CHOW),
     "seats.1.melds[0].from", "nobody feeds"),
    ("five melds", with_melds(PUNG, CHOW, CHOW, {**PUNG, "tiles": "222p"}, {**PUNG, "tiles": "333p"}, hand="9s"),
     "seats.1.melds", "four at most"),
    ("flowers with 136 tiles", seat(flowers="f1"), "seats.1.flowers", "no flowers among 136 tiles"),
    ("a flower twice", {**seat(flowers="f1 f1"), "rules": "linhai.144"}, "seats.1.flowers", "exists once"),
    ("a flower at two seats", {"rules": "linhai.144", "seats": {"0": {"flowers": "f1"}, "1": {"flowers": "f2 f1"}}},
     "seats.1.flowers", "another seat has it"),
    ("a flower that does not exist", {**seat(flowers="f9"), "rules": "linhai.144"}, "seats.1.flowers", "1-8"),
    ("fed by itself", simple(fed={"1": {"1": 3}}), "fed.1.1", "cannot feed itself"),
    ("fed five times", simple(fed={"1": {"0": 5}}), "fed.1.0", "not in 0..4"),
    ("fed more than melds can be", simple(fed={"1": {"0": 3, "2": 2}}), "fed.1", "four melds at most"),
    ("fed to no seat", simple(fed={"7": {"0": 3}}), "fed", "is no seat"),
    ("nobody won", win(seats=[]), "win.seats", "who won"),
    ("a winner twice", win(seats=[1, 1]), "win.seats", "once"),
    ("a winner of no seat", win(seats=[5]), "win.seats[0]", "not in 0..3"),
    ("the discarder wins", win(**{"from": 1}), "win.seats", "cannot win on it"),
    ("two self-draws", win(seats=[1, 2], by="self_draw", **{"from": "-"}), "win.seats", "one seat wins by self-draw"),
    ("a fed self-draw", win(by="self_draw"), "win.from", "nobody feeds"),
    ("no discarder", win(**{"from": "-"}), "win.from", "who played"),
    ("no tile", win(tile="-"), "win.tile", "which tile"),
    ("two tiles", win(tile="88s"), "win.tile", "one tile"),
    ("a flower wins", win(tile="f1"), "win.tile", "no flowers"),
    ("another way", win(by="theft"), "win.by", "none of"),
    ("another occasion", win(occasion="luck"), "win.occasion", "none of"),
    ("a bloom on a discard", win(occasion="kong_bloom"), "win.occasion", "belongs to a win by self_draw"),
    ("a last discard by self-draw", win(by="self_draw", occasion="last_discard", **{"from": "-"}), "win.occasion",
     "belongs to a win by discard"),
    ("a kong without a bloom", win(kong={"kind": "direct_kong"}), "win.kong", "only with kong_bloom"),
    ("a robbed seat without the pung", {**win(by="robbed"), "options": {"rob_kong": "as_discard"}}, "win",
     "no pung of 8s"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "where", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_cannot_be_is_refused_with_place_and_reason(case: dict[str, Any], where: str, reason: str) -> None:
    with pytest.raises(CaseError) as caught:
        settle(case)
    assert caught.value.where == where
    assert reason in caught.value.reason
    assert str(caught.value) == (f"{where}: {caught.value.reason}" if where else caught.value.reason)


def test_a_kong_that_is_not_among_the_melds_is_refused() -> None:
    kong = {"kind": "concealed_kong", "tiles": "1111p"}
    case = with_melds(kong, CHOW)
    for named, where in (
        ({"kind": "direct_kong", "from": 0}, "win.kong"),
        ({"kind": "concealed_kong", "from": 2}, "win.kong"),
        ({"kind": "kong"}, "win.kong.kind"),
    ):
        case["win"] = {"seats": [1], "tile": "8s", "by": "self_draw", "occasion": "kong_bloom", "kong": named}
        with pytest.raises(CaseError) as caught:
            settle(case)
        assert caught.value.where == where
    case["win"]["kong"] = {"kind": "concealed_kong"}
    assert settle(case)["payments"] == [-2, 6, -2, -2]


def test_options_that_do_not_exist_are_refused() -> None:
    with pytest.raises(RulesError, match="no option 'robkong'"):
        settle(simple(options={"robkong": "off"}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(CASES), st.data())
def test_a_damaged_case_is_settled_or_refused_but_never_breaks(case: dict[str, Any], data: st.DataObject) -> None:
    damaged = copy.deepcopy(case)
    part: Any = damaged
    while True:
        key = data.draw(st.sampled_from(sorted(part) if isinstance(part, dict) else range(len(part))))
        if isinstance(part[key], dict | list) and part[key] and data.draw(st.booleans()):
            part = part[key]
            continue
        break
    if key in {"rules", "options"}:
        return
    part[key] = data.draw(JSON)
    try:
        found = settle(damaged)
    except (CaseError, RulesError):
        return
    assert "illegal" in found or sum(found["payments"]) == 0
