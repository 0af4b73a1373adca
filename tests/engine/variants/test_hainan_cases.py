"""Hainan cases whose hands cannot exist are refused with place and reason; the public ones pass."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.fields import CaseError
from engine.mahjong.cases import result
from engine.mahjong.rules import MahjongRules
from engine.variants import find

PLAIN = "123m 456p 789s 67p 33s"
WIN = {"seats": [2], "tile": "8p", "by": "discard", "from": 1}


def settled(rules_id: str = "hainan", options: dict[str, Any] | None = None, **case: Any) -> dict[str, Any]:
    rules = find(rules_id, options or {})
    assert isinstance(rules, MahjongRules)
    return result(case, rules)


def test_the_public_cases(shared: Path) -> None:
    cases = json.loads((shared / "cases" / "hainan.json").read_bytes())
    assert len(cases) >= 20
    for case in cases:
        got, expect = (
            result(case, find(case["rules"], case["options"])),
            case["expect"],
        )
        if "illegal" in expect:
            assert got["illegal"] is True, case["id"]
        else:
            assert got["payments"] == expect["payments"], case["id"]
            assert {str(each["seat"]): each["multiplier"] for each in got["winners"]} == expect.get("multiplier", {})


def meld(kind: str, tiles: str, source: int | None = None) -> dict[str, Any]:
    return {"kind": kind, "tiles": tiles, **({} if source is None else {"from": source})}


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("hainan", {"seats": {"1": {"melds": [meld("pung", "CCC", 0)]}}}, "C is wild: it stands in no meld"),
    ("hainan", {"seats": {"1": {"melds": [meld("concealed_kong", "CCCC")]}}}, "C is wild: it stands in no meld"),
    ("hainan.random", {"wild": "5m", "seats": {"1": {"melds": [meld("chow", "456m", 0)]}}}, "5m is wild"),
    ("hainan.random", {"seats": {}}, "wild: which kind is wild"),
    ("hainan.random", {"wild": "5m 6m", "seats": {}}, "wild: which kind is wild"),
    ("hainan.random", {"wild": "xx", "seats": {}}, "wild: "),
    ("hainan.random", {"wild": 5, "seats": {}}, "wild: a text is needed"),
    ("hainan", {"wild": "5m", "seats": {}}, "wild: C is wild in hainan"),
    ("hainan", {"seats": {"1": {"hand": "CCC 1m"}, "2": {"hand": PLAIN}}, "win": WIN}, "seats.1.hand: 4 tiles"),
    ("hainan", {"seats": {"1": {"hand": f"{PLAIN} 1m"}}}, "14 tiles"),
    ("hainan", {"seats": {"1": {"hand": "CCC 123m 456m 78p 33p"}, "2": {"hand": "CC 123p 456p 789s EE"}}}, "5 copies"),
    ("hainan", {"seats": {"1": {"flowers": "f1"}, "2": {"flowers": "f1"}}}, "f1 exists once"),
    ("hainan", {"seats": {"1": {"flowers": "f9"}}}, "flowers: "),
    ("hainan", {"seats": {"4": {"hand": PLAIN}}}, "'4' is no seat of 0..3"),
    ("hainan.three", {"seats": {"3": {"hand": PLAIN}}}, "'3' is no seat of 0..2"),
    ("hainan.three", {"dealer": 3, "seats": {}}, "dealer: 3 is not in 0..2"),
    ("hainan.three", {"ga": [0, 0, 0, 0], "seats": {}}, "ga: one number a seat is needed, 3 in all"),
    ("hainan", {"ga": [0, 0, 0], "seats": {}}, "ga: one number a seat is needed, 4 in all"),
    ("hainan", {"streak": -1, "seats": {}}, "streak: -1 is not in"),
    ("hainan", {"streak": "2", "seats": {}}, "streak: a whole number is needed"),
    ("hainan", {"remaining": 92, "seats": {}}, "remaining: 92 is not in 0..91"),
    ("hainan.three", {"remaining": 105, "seats": {}}, "remaining: 105 is not in 0..104"),
    ("hainan", {"seats": {"1": {"melds": [meld("pung", "555m", 1)]}}}, "seat 1 cannot feed itself"),
    ("hainan", {"seats": {"1": {"melds": [meld("chow", "345m", 2)]}}}, "seat 1 chows from seat 0 only"),
    ("hainan", {"seats": {"2": {"hand": PLAIN}}, "win": {**WIN, "by": "robbed"}}, "lists no pung of 8p"),
    ("hainan", {"seats": {"2": {"hand": PLAIN}}, "win": {**WIN, "occasion": "heavenly"}}, "heavenly belongs to"),
    ("hainan", {"seats": {}, "win": {"seats": [2], "occasion": "flowers", "tile": "1m"}}, "flowers needs no tile"),
    ("hainan", {"seats": {}, "wilds": 2}, "unknown field 'wilds'"),
]  # fmt: skip


@pytest.mark.parametrize(("rules_id", "case", "why"), REFUSED, ids=[each[2] for each in REFUSED])
def test_what_cannot_exist_is_refused_with_the_reason(rules_id: str, case: dict[str, Any], why: str) -> None:
    with pytest.raises(CaseError) as refused:
        settled(rules_id, **case)
    assert why in str(refused.value)


def test_a_tile_turned_up_is_one_fewer_in_the_wall_and_the_hands() -> None:
    flipped = {"wild_indicator": "flipped_out"}
    with pytest.raises(CaseError, match="remaining: 91 is not in"):
        settled("hainan.random", flipped, wild="5m", remaining=91, seats={})
    with pytest.raises(CaseError, match=r"5 copies of 4m .* one of them turned up"):
        settled(
            "hainan.random",
            {"wild_indicator": "next_kind"},
            wild="5m",
            seats={"1": {"melds": [meld("concealed_kong", "4444m")]}},
        )
    assert (
        settled(
            "hainan.random", {"wild_indicator": "next_kind"}, wild="5m", seats={"1": {"hand": "5555m 123p 456s 99s E"}}
        )["payments"]
        == [0] * 4
    )


def test_reasons_of_what_the_rules_forbid_end_in_their_clause() -> None:
    nofan = {"seats": {"1": {"hand": "123m 456s 78p 33s", "melds": [meld("pung", "111p", 3)]}},
             "win": {"seats": [1], "tile": "9p", "by": "discard", "from": 2}}  # fmt: skip
    assert settled(**nofan)["reason"] == "the hand of seat 1 has no fan (HN-05)"
    incomplete = {"seats": {"2": {"hand": "123m 456p 789s 67p 13s"}}, "win": WIN}
    assert settled(**incomplete)["reason"] == "the hand of seat 2 is complete in no shape of these rules (hainan.shape)"
    early = settled(remaining=30, seats={})
    assert early["reason"].endswith("(HN-20)")


def test_everything_of_the_result_cites_a_clause() -> None:
    got = settled(
        "hainan",
        {"ga": True},
        ga=[1, 0, 0, 0],
        seats={
            "2": {"hand": PLAIN, "flowers": "f3"},
            "0": {"melds": [meld("added_kong", "5555m", 1)], "flowers": "f1 f2 f4"},
        },
        win=WIN,
    )
    assert [row["id"] for row in got["winners"][0]["patterns"]] == [
        "plain",
        "chows_only",
        "concealed",
        "own_flower",
        "discard",
    ]
    assert got["winners"][0]["points"] == got["winners"][0]["multiplier"] == 1
    assert [(line["reason"], line["clause"]) for line in got["lines"]][-3:] == [("added_kong", "HN-38")] * 3
    assert ("discarder", "HN-02") in [(line["reason"], line["clause"]) for line in got["lines"]]
