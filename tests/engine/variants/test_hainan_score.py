"""Hainan's scoring against a search over every assignment of the wilds and every reading, written plainly.

`plain/multiples.py` knows the page (`mahjong.md` 3.6 to 3.9) and nothing of the engine; the engine is asked the way a
person asks it, by cases.
"""

from collections import Counter
from random import Random

import pytest
from hainan_hands import defaults, random_win
from multiples import judge, payments

from engine.mahjong.cases import result
from engine.variants import find


def compare(seed: int, hands: int) -> Counter[str]:
    rng = Random(seed)
    seen: Counter[str] = Counter()
    while seen["hands"] < hands:
        made = random_win(rng)
        if made is None:
            continue
        case, table, claims = made
        seen["hands"] += 1
        claim = claims[0]
        verdict = judge(table, claim)
        got = result(case, find(case["rules"], case["options"]))  # type: ignore[arg-type]  a mahjong preset
        lawful = verdict.complete and verdict.allowed
        assert ("illegal" not in got) == lawful, (case, verdict, got)
        seen["lawful" if lawful else "no fan" if verdict.complete else "incomplete"] += 1
        seen[f"{claim.wilds} wilds"] += lawful
        if not lawful:
            continue
        assert got["winners"][0]["multiplier"] == verdict.multiplier, (case, verdict, got)
        assert got["payments"] == payments(table, [(claim, verdict)]), (case, verdict, got)
        listed = {row["id"] for row in got["winners"][0]["patterns"]}
        if not table.options["fan_same_reading"]:
            assert verdict.fans - {"pattern"} <= listed, (case, verdict, got)
        seen[f"×{verdict.multiplier}"] += 1
        for name in (*listed, claim.by, *(line["reason"] for line in got["lines"])):
            seen[name] += 1
    return seen


def test_scores_equal_a_search_of_every_reading_and_assignment() -> None:
    seen = compare(20_241, 1_500)
    assert seen["no fan"] > 10
    assert seen["incomplete"] > 20
    for name in ("0 wilds", "1 wilds", "2 wilds", "3 wilds", "4 wilds", "seven_pairs", "luxury_seven_pairs",
                 "full_flush", "all_pungs", "thirteen_orphans", "robbed", "heavenly", "earthly", "kong_bloom",
                 "last_tiles", "pays_for_all", "robbed_without_fan", "flower", "concealed_kong"):  # fmt: skip
        assert seen[name] > 0, name


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_scores_equal_a_search_on_twenty_thousand_hands(part: int) -> None:
    assert compare(77_000 + part, 2_000)["lawful"] > 1_500


def test_the_plain_defaults_are_the_preset() -> None:
    for preset in ("hainan", "hainan.three"):
        options = find(preset).options()
        assert defaults(preset) == {name: options[name] for name in defaults(preset)}
