"""The golden games, perft counts and cases of `data/niuniu`, and the public cases."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from niuniu_records import DATA, GOLDEN, golden, perft_text

from engine.banker.cases import result
from engine.events import load
from engine.fields import CaseError
from engine.replay import replay
from engine.variants import find

CASES = json.loads((DATA / "cases.json").read_bytes())


def settle(case: dict[str, Any]) -> dict[str, Any]:
    return result(case, find(case["rules"], case.get("options")))


# --- golden games -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_game_is_made_anew_byte_by_byte_and_verifies(name: str) -> None:
    stored = (DATA / "golden" / f"{name}.paipu.jsonl").read_bytes()
    assert stored == golden(name)
    told = replay(stored.splitlines())
    assert told.finding is None
    assert told.closed
    assert told.hands == 4


def test_the_golden_games_hold_every_event_of_the_game() -> None:
    seen: Counter[str] = Counter()
    for path in (DATA / "golden").glob("*.paipu.jsonl"):
        assert path.name.removesuffix(".paipu.jsonl") in GOLDEN
        seen.update(load(line)["type"] for line in path.read_bytes().splitlines())
    assert {"bid", "banker", "bet", "escaped", "dealt", "shown", "settled"} <= set(seen)


# --- perft ------------------------------------------------------------------------------------------------------


def test_perft_is_made_anew_byte_by_byte() -> None:
    assert (DATA / "perft.json").read_text() == perft_text()


class Terms(NamedTuple):
    """What the number of decisions depends on: banker mode, players, highest bid, amounts of a bet, escapes."""

    mode: str
    players: int
    highest: int
    amounts: int
    escape: bool


@cache
def bets(terms: Terms, placed: int, fled: int, depth: int) -> int:
    """Count decisions `depth` deep while `placed` bets stand and `fled` of those players have escaped."""
    waiting = terms.players - 1 - placed
    if not waiting:
        return hand(terms, depth)
    if depth == 0:
        return 1
    total = waiting * terms.amounts * bets(terms, placed + 1, fled, depth - 1)
    if terms.escape:
        total += (placed - fled) * bets(terms, placed, fled + 1, depth - 1)
        total += hand(terms, depth - 1)  # the banker's: the next hand begins
    return total


@cache
def bids(terms: Terms, made: int, depth: int) -> int:
    """Count decisions `depth` deep after so many bids: in turn until one accepts, or in any order."""
    if made == terms.players:
        return bets(terms, 0, 0, depth)
    if depth == 0:
        return 1
    after = bids(terms, made + 1, depth - 1)
    if terms.mode == "asked":
        return after + bets(terms, 0, 0, depth - 1)
    return (terms.players - made) * (terms.highest + 1) * after


def hand(terms: Terms, depth: int) -> int:
    if terms.mode in {"fixed_owner", "rotate", "bull_takes"}:
        return bets(terms, 0, 0, depth)
    return bids(terms, 0, depth)


def test_perft_equals_a_count_without_cards() -> None:
    for each in json.loads((DATA / "perft.json").read_bytes()):
        options = find(each["rules"], each["options"]).options()
        terms = Terms(options["banker"], each["players"], options["max_bid"], len(options["bets"]),
                      options["escape"] == "zhenan")  # fmt: skip
        assert [hand(terms, depth) for depth in range(1, len(each["counts"]) + 1)] == each["counts"], each


# --- cases ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_our_cases(case: dict[str, Any]) -> None:
    told = settle(case)
    assert told["id"] == case["id"]
    assert {key: told[key] for key in case["expect"]} == case["expect"]
    owed = [0] * len(told["payments"])
    for line in told["lines"]:
        assert line["amount"] > 0
        owed[line["from"]] -= line["amount"]
        owed[line["to"]] += line["amount"]
    assert owed == told["payments"]
    assert sum(owed) == 0


def test_our_cases_name_every_option_that_a_score_depends_on() -> None:
    said: dict[str, set[str]] = {}
    for case in CASES:
        for name, value in case.get("options", {}).items():
            said.setdefault(name, set()).add(json.dumps(value))
    offers = dict(find("niuniu").offers)
    for name in ("mult", "tie", "five_small"):
        assert said[name] == {json.dumps(value) for value in offers[name] or ()}
    assert len(said["special_order"]) == 6
    assert {"specials", "gold_silver", "joker_is_face", "bid_multiplies", "tongbi", "base", "banker"} <= set(said)
    assert {kind for case in CASES for kind in case["expect"].get("types", {}).values()} >= {
        "none", "bull1", "bull2", "bull5", "bull6", "bull7", "bull8", "bull9", "bullbull",
        "silver", "five_face", "bomb", "five_small",
    }  # fmt: skip


def test_the_public_cases(shared: Path) -> None:
    cases = json.loads((shared / "cases" / "niuniu.json").read_bytes())
    assert len(cases) >= 6
    for case in cases:
        told = settle(case)
        assert {key: told[key] for key in case["expect"]} == case["expect"], case["id"]


TWO = {"0": "3S 7H KD 8C JS", "1": "TS QS KS 4D 5C"}


@pytest.mark.parametrize(
    ("case", "where", "words"),
    [
        ({"banker": 0}, "hands", "all seats are needed"),
        ({"banker": 0, "hands": {"0": "3S 7H KD 8C JS"}}, "hands", "2 to 4 hands"),
        ({"banker": 0, "hands": {"0": "3S 7H KD 8C JS", "2": "TS QS KS 4D 5C"}}, "hands", "seats 0, 1 and so on"),
        ({"banker": 0, "hands": {**TWO, "4": "2S 2H 2D 2C 3C"}}, "hands", "'4' is no seat"),
        ({"banker": 0, "hands": {**TWO, "1": "TS QS KS 4D"}}, "hands.1", "4 cards; a hand has 5"),
        ({"banker": 0, "hands": {**TWO, "1": "TS QS KS 4D 5C 6C"}}, "hands.1", "6 cards"),
        ({"banker": 0, "hands": {**TWO, "1": "TS QS KS 4D 5X"}}, "hands.1", "'5X' is no card"),
        ({"banker": 0, "hands": {**TWO, "1": "TS QS KS 4D 10C"}}, "hands.1", "'10' is no card"),
        ({"banker": 0, "hands": {**TWO, "1": "TS QS KS 4D JS"}}, "hands.1", "JS is in seat 0 already"),
        ({"banker": 0, "hands": {**TWO, "1": "TS QS KS 4D 4D"}}, "hands.1", "4D is in this hand already"),
        ({"banker": 0, "hands": {**TWO, "1": 7}}, "hands.1", "a text is needed"),
        ({"hands": TWO}, "banker", "which seat is the banker"),
        ({"banker": 2, "hands": TWO}, "banker", "0..1"),
        ({"banker": 0, "bid": 5, "hands": TWO}, "bid", "0..4"),
        ({"banker": 0, "bid": -1, "hands": TWO}, "bid", "0..4"),
        ({"banker": 0, "bets": {"0": 5}, "hands": TWO}, "bets.0", "he does not bet"),
        ({"banker": 0, "bets": {"1": 0}, "hands": TWO}, "bets.1", "1.."),
        ({"banker": 0, "bets": {"1": 2.5}, "hands": TWO}, "bets.1", "whole number"),
        ({"banker": 0, "bets": {"1": True}, "hands": TWO}, "bets.1", "whole number"),
        ({"banker": 0, "bets": {"2": 5}, "hands": TWO}, "bets", "no seat"),
        ({"banker": 0, "bets": None, "hands": TWO}, "bets", "null is no value"),
        ({"banker": 0, "dealer": 1, "hands": TWO}, "", "unknown field 'dealer'"),
        ({"options": {"banker": "none"}, "banker": 0, "hands": TWO}, "banker", "none in 通比"),
        ({"options": {"banker": "none"}, "bid": 2, "hands": TWO}, "bid", "nobody bids"),
        ({"options": {"banker": "none"}, "bets": {"0": 1, "1": 2}, "hands": TWO}, "bets", "the same bet"),
        (
            {"options": {"deck": 52}, "banker": 0, "hands": {**TWO, "1": "TS QS KS 4D BJ"}},
            "hands.1",
            "BJ is not in a deck",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(case: dict[str, Any], where: str, words: str) -> None:
    with pytest.raises(CaseError) as caught:
        settle({"rules": "niuniu", **case})
    assert caught.value.where == where
    assert words in caught.value.reason


def test_cards_may_stand_without_spaces() -> None:
    loose = settle({"rules": "niuniu", "banker": 0, "bets": {"1": 100}, "hands": TWO})
    tight = settle(
        {"rules": "niuniu", "banker": 0, "bets": {"1": 100}, "hands": {"0": "3S7HKD8CJS", "1": "TSQS KS4D5C"}}
    )
    assert loose == tight
    assert loose["payments"] == [-400, 400]
    assert "id" not in loose
