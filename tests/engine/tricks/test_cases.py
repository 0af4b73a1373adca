"""Scoring cases: the public ones, our own worked out by hand, and what is refused with place and reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import RulesError
from engine.fields import CaseError
from engine.tricks.cases import result
from engine.tricks.rules import TrickRules
from engine.variants import find

DATA = Path(__file__).parents[3] / "data"
GAMES = ("three_one", "forty")
OWN = [case for game in GAMES for case in json.loads((DATA / game / "cases.json").read_text())]


def settled(case: dict[str, Any]) -> dict[str, Any]:
    rules = find(case["rules"], case.get("options", {}))
    assert isinstance(rules, TrickRules)
    return result(case, rules)


def agrees(case: dict[str, Any]) -> None:
    found = settled(case)
    assert {key: found.get(key) for key in case["expect"]} == case["expect"]
    assert found["id"] == case["id"]
    if "payments" in found:
        lines = found["lines"]
        assert [
            sum(line["amount"] * ((line["to"] == seat) - (line["from"] == seat)) for line in lines) for seat in range(4)
        ] == found["payments"]
        assert all(line["clause"].startswith(case["rules"]) for line in lines)


@pytest.mark.parametrize("game", GAMES)
def test_public_cases(shared: Path, game: str) -> None:
    cases = json.loads((shared / "cases" / f"{game}.json").read_text())
    assert len(cases) >= 5
    for case in cases:
        agrees(case)


@pytest.mark.parametrize("case", OWN, ids=lambda case: case["id"])
def test_own_cases(case: dict[str, Any]) -> None:
    agrees(case)


def test_own_cases_have_their_own_ids() -> None:
    names = [case["id"] for case in OWN]
    assert len(set(names)) == len(names) >= 70


def test_what_is_left_out_has_a_default() -> None:
    short = settled({"rules": "three_one", "bid": 60, "defender_points": 40})
    assert short["payments"] == [3, -1, -1, -1]
    assert "id" not in short
    assert settled({"rules": "forty", "attacker_points": 35}) == {
        "declarers_next": [0, 2], "levels": 1, "starter_next": 2, "level_next": "3",
    }  # fmt: skip
    written = settled({"rules": "forty", "attacker_points": 35, "declarers": [2, 0]})
    assert written["starter_next"] == 0
    assert settled({"rules": "three_one", "trump": "H", "trick": "KSAS2D9H"}) == {"winner": 2, "points": 10}


def test_only_money_games_pay() -> None:
    assert "payments" not in settled({"rules": "forty", "attacker_points": 35})
    paid = settled({"rules": "forty", "attacker_points": 35, "options": {"stake": "per_hand"}})
    assert [line["clause"] for line in paid["lines"]] == ["forty.pay.hand"] * 2


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"rules": "three_one", "defender_points": 40}, "bid"),
    ({"rules": "three_one", "bid": 60}, "defender_points"),
    ({"rules": "three_one", "bid": 62, "defender_points": 40}, "bid"),
    ({"rules": "three_one", "bid": 85, "defender_points": 40}, "bid"),
    ({"rules": "three_one", "bid": True, "defender_points": 40}, "bid"),
    ({"rules": "three_one", "bid": 60, "defender_points": 41}, "defender_points"),
    ({"rules": "three_one", "bid": 60, "defender_points": 105}, "defender_points"),
    ({"rules": "three_one", "bid": 60, "defender_points": -5}, "defender_points"),
    ({"rules": "three_one", "bid": 60, "defender_points": 60, "buried_points": 45}, "defender_points"),
    ({"rules": "three_one", "bid": 60, "defender_points": 40, "buried_points": 65}, "buried_points"),
    ({"rules": "three_one", "bid": 60, "defender_points": 40, "buried_points": 5,
      "options": {"bury_points": False}}, "buried_points"),
    ({"rules": "three_one", "bid": 60, "defender_points": 40, "declarer": 4}, "declarer"),
    ({"rules": "three_one", "bid": 60, "defender_points": 40, "last_trick": "attackers"}, "last_trick"),
    ({"rules": "three_one", "bid": 60, "defender_points": 40, "level": "2"}, ""),
    ({"rules": "three_one", "bid": None, "defender_points": 40}, "bid"),
    ({"rules": "three_one", "trick": "KS AS 2D 9H"}, "trump"),
    ({"rules": "three_one", "trump": "X", "trick": "KS AS 2D 9H"}, "trump"),
    ({"rules": "three_one", "trump": "H", "trick": "KS AS 2D"}, "trick"),
    ({"rules": "three_one", "trump": "H", "trick": "KS AS 2D 9H 3C"}, "trick"),
    ({"rules": "three_one", "trump": "H", "trick": "KS KS 2D 9H"}, "trick"),
    ({"rules": "three_one", "trump": "H", "trick": "10S AS 2D 9H"}, "trick"),
    ({"rules": "three_one", "trump": "H", "trick": ["KS", "AS", "2D", "9H"]}, "trick"),
    ({"rules": "three_one", "trump": "H", "rank": "6", "trick": "KS AS 2D 9H"}, ""),
    ({"rules": "three_one", "trump": "H", "trick": "KS AS 2D 9H", "bid": 60}, ""),
    ({"rules": "forty", "trick": "KS AS 2D 9H"}, "trump"),
    ({"rules": "forty", "trump": "H", "rank": "10", "trick": "KS AS 2D 9H"}, "rank"),
    ({"rules": "forty", "level": "1", "attacker_points": 35}, "level"),
    ({"rules": "forty", "level": "2"}, "attacker_points"),
    ({"rules": "forty", "attacker_points": 35, "declarers": [0, 1]}, "declarers"),
    ({"rules": "forty", "attacker_points": 35, "declarers": [0]}, "declarers"),
    ({"rules": "forty", "attacker_points": 35, "declarers": []}, "declarers"),
    ({"rules": "forty", "attacker_points": 35, "declarers": [0, 2], "starter": 1}, "starter"),
    ({"rules": "forty", "attacker_points": 35, "last_trick": "defender"}, "last_trick"),
    ({"rules": "forty", "attacker_points": 80, "kitty_points": 25}, "attacker_points"),
    ({"rules": "forty", "attacker_points": 30, "kitty_points": 40,
      "options": {"bury_point_limit": 35}}, "kitty_points"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "where"), REFUSED)
def test_impossible_input_is_refused_with_its_place(case: dict[str, Any], where: str) -> None:
    with pytest.raises(CaseError) as caught:
        settled(case)
    assert caught.value.where == where
    assert len(caught.value.reason) > 10


@pytest.mark.parametrize(
    "options",
    [
        {"family": "climbing"},
        {"red_five": "sd_r"},
        {"multiplier_table": "sd_r"},
        {"escape": "sd_d"},
        {"base": 0},
        {"base": "1"},
        {"koudi": "on"},
        {"nothing": 1},
        {"kitty_points_on_koudi": True},
    ],
)
def test_options_of_one_against_three_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match=next(iter(options))):
        find("three_one", options)


@pytest.mark.parametrize(
    "options",
    [
        {"multi_lead": True},
        {"must_play": [5]},
        {"must_play": ["5", "5"]},
        {"must_play": ["10"]},
        {"must_play": "5"},
        {"bury_point_limit": 30},
        {"bury_point_limit": None},
        {"kitty_multiplier": 3},
        {"first_starter": "caller"},
        {"koudi": "off"},
    ],
)
def test_options_of_forty_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match=next(iter(options))):
        find("forty", options)


def test_levels_that_must_be_played_have_one_digest_in_any_order() -> None:
    assert find("forty", {"must_play": ["A", "5"]}).digest() == find("forty", {"must_play": ["5", "A"]}).digest()
    assert find("forty", {"must_play": []}).digest() == find("forty").digest()
