"""Where two clauses of a page bear on a payment or a pattern, the narrower one is cited."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.mahjong.cases import result
from engine.variants import find

DATA = Path(__file__).parents[3] / "data"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads((DATA / "dinghai" / "cases.json").read_text(encoding="utf-8"))
}


def settled(told: dict[str, Any]) -> dict[str, Any]:
    return result(told, find(told["rules"], told.get("options", {})))


@pytest.mark.parametrize(
    ("case", "reason", "clauses"),
    [
        ("added-kong-bloom-fed", "kong_bloom", {"DH-19"}),
        ("bloom-through-flower", "kong_bloom", {"DH-41"}),
        ("mutual-double-extra", "feeding", {"DH-29"}),
        ("partner-wins-too", "feeding", {"DH-30"}),
        ("partner-is-robbed", "feeding", {"DH-31"}),
        ("partner-is-robbed-max", "feeding", set()),
        ("partner-fed-the-kong", "feeding", {"DH-31"}),
        ("partner-beside-the-feeder", "feeding", {"DH-29"}),
    ],
)
def test_lines_of_dinghai(case: str, reason: str, clauses: set[str]) -> None:
    assert {line["clause"] for line in settled(CASES[case])["lines"] if line["reason"] == reason} == clauses


@pytest.mark.parametrize(
    ("fed", "split", "clause"),
    [
        ({"0": 2}, "equal", "LH-23"),
        ({"0": 2, "3": 2}, "equal", "LH-25"),
        ({"0": 2, "3": 2}, "last_established", "LH-25"),
        ({"0": 2, "3": 1}, "last_established", "LH-23"),
    ],
)
def test_several_liable_players_of_linhai(fed: dict[str, int], split: str, clause: str) -> None:
    told = {
        "rules": "linhai",
        "options": {"liability_split": split, "liability_threshold": 2},
        "fed": {"1": fed},
        "seats": {"1": {"hand": "123m 456m 789p 45s WW"}},
        "win": {"seats": [1], "tile": "6s", "by": "self_draw"},
    }
    assert {line["clause"] for line in settled(told)["lines"]} == {clause}


@pytest.mark.parametrize(
    ("preset", "value", "pattern"),
    [
        ("linhai", "as_half_flush", "half_flush"),
        ("linhai", "as_full_flush", "full_flush"),
        ("dinghai", "as_half_flush", "half_flush"),
    ],
)
def test_a_hand_of_honours_alone_is_what_the_option_names(preset: str, value: str, pattern: str) -> None:
    told = {
        "rules": preset,
        "options": {"all_honours": value},
        "seats": {
            "0": {
                "hand": "EE FF",
                "melds": [{"kind": "pung", "tiles": wind * 3, "from": at} for at, wind in enumerate("SWN", 1)],
            }
        },
        "win": {"seats": [0], "tile": "F", "by": "self_draw"},
    }
    assert {row["id"] for row in settled(told)["winners"][0]["patterns"]} & {"half_flush", "full_flush"} == {pattern}
