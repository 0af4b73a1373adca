"""Scoring cases of Dinghai and Duqiao, ours and the page's, and what each option of the score changes in them."""

import json
from pathlib import Path
from typing import Any

import pytest
from options import OF_PLAY

from engine.events import Body
from engine.fields import CaseError
from engine.mahjong.cases import result
from engine.mahjong.rules import MahjongRules
from engine.variants import find

DATA = Path(__file__).parents[3] / "data"
OURS: list[dict[str, Any]] = [
    case for preset in ("dinghai", "duqiao") for case in json.loads((DATA / preset / "cases.json").read_bytes())
]
IDS = [f"{case['rules']}: {case['id']}" for case in OURS]


def settle(case: dict[str, Any]) -> Body:
    rules = find(case["rules"], case.get("options", {}))
    assert isinstance(rules, MahjongRules)
    return result(case, rules)


def as_expected(found: Body) -> Body:
    """Return what a result says in the words of `expect`."""
    if found.get("illegal"):
        return {"illegal": True}
    won = {str(winner["seat"]): winner["tai"] for winner in found["winners"]}
    return {**({"tai": won} if won else {}), "payments": found["payments"]}


@pytest.mark.parametrize("case", OURS, ids=IDS)
def test_our_cases_pay_what_the_rule_text_says(case: dict[str, Any]) -> None:
    found = as_expected(settle(case))
    assert {key: found[key] for key in case["expect"]} == case["expect"]


def test_our_cases_are_many_and_have_names_of_their_own() -> None:
    assert len(OURS) >= 180
    assert len(set(IDS)) == len(OURS)


@pytest.mark.parametrize("preset", ["dinghai", "duqiao"])
def test_the_cases_of_the_page(preset: str, shared: Path) -> None:
    cases = json.loads((shared / "cases" / f"{preset}.json").read_bytes())
    assert cases
    for case in cases:
        found = as_expected(settle(case))
        assert {key: found.get(key) for key in case["expect"]} == case["expect"], case["id"]


# --- options of the score -------------------------------------------------------------------------------------------


def without(case: dict[str, Any], option: str) -> dict[str, Any]:
    options = {name: value for name, value in case["options"].items() if name != option}
    if option == "tai_points":
        options = {name: value for name, value in options.items() if not name.startswith("points")}
    return {**case, "options": options}


def changed_by(preset: str, option: str, value: object) -> list[dict[str, Any]]:
    """Return our cases that have this value and come out otherwise without it."""
    return [
        case
        for case in OURS
        if find(case["rules"]).variant == preset
        and repr(case.get("options", {}).get(option)) == repr(value)
        and as_expected(settle(case)) != as_expected(settle(without(case, option)))
    ]


NUMBERS: dict[str, tuple[object, ...]] = {
    "cap_tai": (2, 6), "eight_flowers_tai": (3,), "all_chows_tai": (2,), "robbed_multiplier": (3,),
    "points": ([5, 7, 9, 11, 20],), "points_self_draw": ([1, 3, 4, 6, 12],),
}  # fmt: skip


SCORED = [
    (preset, name, value)
    for preset in ("dinghai", "duqiao")
    for name, values in find(preset).offers
    if name not in OF_PLAY[preset]
    for value in (values or NUMBERS[name])
    if repr(value) != repr(find(preset).options().get(name))
]


TOGETHER = {"points"}
"""Options that nothing can be without: `tai_points = custom` asks for them."""


@pytest.mark.parametrize(("preset", "option", "value"), SCORED, ids=[f"{p}: {n}={v}" for p, n, v in SCORED])
def test_every_value_of_an_option_of_the_score_changes_a_case(preset: str, option: str, value: object) -> None:
    if option in TOGETHER:
        assert changed_by(preset, "tai_points", "custom")
    else:
        assert changed_by(preset, option, value)


# --- what is refused ------------------------------------------------------------------------------------------------

HAND = "123m 456p 789s 67p CC"


def plain(**changes: Any) -> dict[str, Any]:
    case = {"rules": "dinghai", "seats": {"1": {"hand": HAND}}, "win": {"seats": [1], "tile": "8p", "from": 3}}
    return {**case, **changes}


@pytest.mark.parametrize(
    ("case", "where"),
    [
        (plain(seats={"1": {"hand": HAND, "flowers": "f1 f1"}}), "seats.1.flowers"),
        (plain(seats={"1": {"hand": HAND, "flowers": "f1"}, "2": {"flowers": "f1"}}), "seats.2.flowers"),
        (plain(seats={"1": {"hand": HAND, "flowers": "f9"}}), "seats.1.flowers"),
        (plain(seats={"1": {"hand": "123m 456p 789s 67p C"}}), "seats.1.hand"),
        (plain(seats={"1": {"hand": HAND}, "2": {"hand": "8888p 1234567m 12s"}}), "seats"),
        (plain(seats={"1": {"hand": "123m 456p 67p CC", "melds": [
            {"kind": "chow", "tiles": "789s", "from": 3}]}}), "seats.1.melds[0].from"),
        (plain(seats={"1": {"hand": "456p 67p CC 12m 3m", "melds": [
            {"kind": "pung", "tiles": "999s", "from": 1}]}}), "seats.1.melds[0].from"),
        (plain(streak=2), "streak"),
        (plain(ga=[1, 0, 0, 0]), "ga"),
        (plain(wild="C"), "wild"),
        (plain(kongs=17), "kongs"),
        (plain(win={"seats": [1], "tile": "8p", "from": 3, "kong": {"kind": "direct_kong"}}), "win.kong"),
        (plain(win={"seats": [1], "by": "self_draw", "tile": "8p", "occasion": "eight_flowers"}), "win.tile"),
    ],
)  # fmt: skip
def test_hands_that_cannot_exist_are_refused_with_their_place(case: dict[str, Any], where: str) -> None:
    with pytest.raises(CaseError) as caught:
        settle(case)
    assert caught.value.where == where
    assert caught.value.reason


@pytest.mark.parametrize("occasion", ["kong_bloom", "flower_bloom"])
def test_a_bloom_needs_what_bloomed(occasion: str) -> None:
    case = plain(win={"seats": [1], "by": "self_draw", "tile": "8p", "occasion": occasion})
    assert settle(case)["illegal"]


def test_a_hand_that_is_not_complete_is_illegal_with_the_clause() -> None:
    told = settle(plain(win={"seats": [1], "tile": "9p", "from": 3}))
    assert told["illegal"]
    assert "dinghai.shape" in told["reason"]
