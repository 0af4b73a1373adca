"""Scores of random finished hands against the plain tallies: every reading, every place of the winning tile.

Each hand is read as a scoring case and settled with the functions of play; the tallies (`plain/tai_plain.py`,
`plain/hu_plain.py`) are written from the page and share nothing with the engine.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import hu_plain
import pytest
import tai_plain
from finished import Finished, finished
from tables import stream_of

from engine.mahjong.cases import result
from engine.shuffle import Stream
from engine.variants import find

HANDS = 1_500
LONG = 20_000


def drawn_options(preset: str, stream: Stream) -> dict[str, Any]:
    """Choose some options at random, each as likely to stay; numbers from a few values."""
    few: dict[str, tuple[Any, ...]] = {
        "cap_tai": (4, 3, 9), "eight_flowers_tai": (4, 3), "all_chows_tai": (1, 2), "robbed_multiplier": (5, 2),
    }  # fmt: skip
    chosen: dict[str, Any] = {}
    for name, values in find(preset).offers:
        if name in {"points", "points_self_draw", "min_tai"} or stream.below(3):
            continue
        its = values or few[name]
        chosen[name] = its[stream.below(len(its))]
    if chosen.get("tai_points") == "custom":
        chosen["points"] = [3, 5, 8, 13, 21]
        if stream.below(2):
            chosen["points_self_draw"] = [1, 2, 4, 7, 11]
    default = find(preset).options()
    ladder = chosen.get("tai_points", default.get("tai_points")) not in {None, "pow2", "linear"}
    if ladder and chosen.get("cap_tai", 4) > 4:
        chosen["cap_tai"] = 4
    return {name: value for name, value in chosen.items() if value != default.get(name)}


def by_tai(made: Finished) -> tuple[int, list[tuple[int, int, int]]]:
    return tai_plain.tai_of(made.sheet, made.winner), tai_plain.edges(made.sheet, made.winner, [made.winner.seat])


def by_hu(made: Finished) -> tuple[int, list[tuple[int, int, int]]]:
    winners = [made.winner.seat]
    tai, _ = hu_plain.winner_score(made.sheet, made.winner)
    return tai, hu_plain.edges(made.sheet, made.winner, winners) + hu_plain.losers_edges(made.sheet, winners)


Tally = Callable[[Finished], tuple[int, list[tuple[int, int, int]]]]
TALLIES: dict[str, Tally] = {"dinghai": by_tai, "dinghai.qiqi50": by_tai, "duqiao": by_hu}


def compare(preset: str, number: int, *, optional: bool, seen: Counter[str]) -> None:
    stream = stream_of("plain", preset, number, optional)
    options = drawn_options(preset, stream) if optional else {}
    rules = find(preset, options)
    made = finished(preset, options, rules.options(), stream)
    if made.winner.by == "robbed" and rules.rob_kong == "off":  # type: ignore[attr-defined]
        assert result(made.case, rules)["illegal"]
        seen["illegal"] += 1
        return
    told = result(made.case, rules)
    assert "illegal" not in told, (told, made.case)
    tai, edges = TALLIES[preset](made)
    (winner,) = told["winners"]
    assert winner["tai"] == tai, made.case
    assert sorted((line["from"], line["to"], line["amount"]) for line in told["lines"]) == sorted(edges), made.case
    for each in winner["patterns"]:
        seen[each["id"].partition(".")[0]] += 1
    seen.update({made.winner.by: 1, str(made.winner.occasion): 1, f"tai {tai}": 1})
    seen.update(line["reason"] for line in told["lines"])


EXPECTED = {
    "dinghai": (
        "dragon round_wind own_wind own_flower flower_series self_draw half_flush full_flush kong_bloom flower_bloom"
        " last_discard heavenly earthly duidao closed_wait edge_wait pair_wait all_pungs all_chows feeding"
    ),
    "duqiao": (
        "base_hu exposed_triplet concealed_triplet exposed_kong concealed_kong pair flower self_draw kong_bloom earthly"
        " heavenly closed_wait all_pungs own_wind dragon half_flush full_flush own_flower flower_series difference"
    ),
}


@pytest.mark.parametrize("preset", TALLIES)
def test_the_best_layout_counts_and_pays_as_the_page_says(preset: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(HANDS // 3):
        compare(preset, number, optional=False, seen=seen)
    for word in EXPECTED[preset.partition(".")[0]].split():
        assert seen[word] > 1, word


@pytest.mark.parametrize("preset", ["dinghai", "duqiao"])
def test_every_option_counts_and_pays_as_the_page_says(preset: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(HANDS):
        compare(preset, number, optional=True, seen=seen)
    assert seen["robbed"] > 20


@pytest.mark.long
@pytest.mark.parametrize("preset", TALLIES)
def test_twenty_thousand_hands_count_and_pay_as_the_page_says(preset: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(LONG):
        compare(preset, number, optional=number % 2 == 0, seen=seen)
