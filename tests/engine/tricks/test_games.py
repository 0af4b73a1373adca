"""Whole simulated games: they verify, and the page written plainly finds nothing else in them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from plain_referee import plain_options, referee
from tables import stream_of
from trick_tables import played

from engine import replay
from engine.events import load
from engine.shuffle import Stream
from engine.variants import find

PRESETS = ("three_one", "forty")
SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "three_one": ("three_one", {}),
    "all pass pays": (
        "three_one",
        {
            "all_pass": "most_common_trumps_loses",
            "trump_timing": "before_bury",
            "bury_points": False,
            "koudi": "multiplier_only",
            "multiplier_table": "sd_g",
            "kitty_points_on_koudi": 2,
            "base": 5,
        },
    ),
    "forced, no permanent twos": (
        "three_one",
        {
            "all_pass": "first_bidder_forced_at_minimum",
            "permanent_twos": False,
            "late_minimums": False,
            "koudi": "off",
            "defenders_need": "100_minus_bid",
            "d3_in_kitty": "redeal",
        },
    ),
    "all pass wins": (
        "three_one",
        {
            "all_pass": "most_common_trumps_wins",
            "d3_in_kitty": "d4_holder",
            "multiplier_table": "sd_g",
            "kitty_points_on_koudi": 1,
        },
    ),
    "forty": ("forty", {}),
    "money": (
        "forty",
        {
            "stake": "per_hand",
            "base": 10,
            "who_may_declare": "declarers_first",
            "no_declare": "redeal",
            "bury_point_limit": 35,
            "must_play": ["5", "T", "A"],
        },
    ),
    "no trump": (
        "forty",
        {
            "no_declare": "no_trump",
            "permanent_twos": True,
            "kitty_multiplier": 4,
            "next_starter": "same_or_last_trick_winner",
        },
    ),
    "kitty once": ("forty", {"kitty_multiplier": 1, "who_may_declare": "declarers_first"}),
}
MUST_HAPPEN = {
    "three_one": {"redeal", "all pass", "made", "lost", "lost by the last trick", "3D in the kitty"},
    "forty": {"stays", "changes", "called", "turned"},
}


def verify(preset: str, options: Mapping[str, Any], log: list[bytes]) -> Counter[str]:
    found = replay.replay(log)
    assert found.finding is None, found.finding
    assert found.closed
    assert found.notes == []
    records = [load(line) for line in log]
    assert sum(record["type"] == "hand_started" for record in records) == found.hands
    return Counter(referee(preset, options, records))


@pytest.mark.parametrize("key", SETS)
def test_simulated_games_verify_and_the_plain_page_agrees(key: str) -> None:
    preset, options = SETS[key]
    happened: Counter[str] = Counter()
    for number in range(16 if key in {"three_one", "forty"} else 7):
        bot = "greedy" if number % 3 else "random"
        match = {"length": {"hands": 12}} if number else {}
        log = played(preset, options, name=f"{key.replace(' ', '-').replace(',', '')}-{number}", bot=bot, match=match)
        happened += verify(preset, options, log)
    if not options:
        assert MUST_HAPPEN[preset] <= set(happened)
    assert len(happened) >= 2


def test_a_match_of_forty_ends_past_the_ace() -> None:
    for number in range(20):
        log = played("forty", name=f"ace-{number}", bot="random", match={})
        closed, last = load(log[-1]), load(log[-3])
        assert last["type"] == "hand_ended"
        if closed["reason"] == "match_end" and "next" not in last:
            assert sum(b'"hand_started"' in line for line in log) < 64
            return
    pytest.fail("no match went past the ace")


def drawn_options(preset: str, stream: Stream) -> dict[str, Any]:
    """Draw a random combination of the options, bounded ones among them."""
    rules = find(preset)
    numbers: dict[str, tuple[Any, ...]] = {"base": (1, 2, 100), "must_play": ("none", ["A"], ["5", "T", "K", "A"])}
    found = {}
    for name, values in rules.offers:
        choices = values or numbers[name]
        found[name] = choices[stream.below(len(choices))]
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_random_option_combinations_verify(preset: str) -> None:
    stream = stream_of("tricks", "options", preset)
    for number in range(20):
        options = drawn_options(preset, stream)
        log = played(preset, options, name=f"drawn-{preset}-{number}", match={"length": {"hands": 4}})
        verify(preset, plain_options(preset, options), log)


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
def test_two_thousand_games_and_twenty_combinations_verify(preset: str) -> None:
    stream = stream_of("tricks", "long", preset)
    sets: list[dict[str, Any]] = [{}] * 2_000 + [drawn_options(preset, stream) for _ in range(20) for _ in range(10)]
    for number, options in enumerate(sets):
        bot = "random" if number % 4 == 0 else "greedy"
        log = played(preset, options, name=f"long-{preset}-{number}", bot=bot, match={"length": {"hands": 8}})
        verify(preset, plain_options(preset, options), log)


def test_all_other_endings_of_a_match() -> None:
    log = played("three_one", name="floor", match={"start_points": 10, "floor": 0, "length": {"hands": 60}})
    assert load(log[-1])["reason"] == "bankrupt"
    assert replay.replay(log).finding is None
    rounds = played("forty", name="rounds", match={"length": {"rounds": 1}})
    assert load(rounds[-1])["reason"] == "match_end"
    assert replay.replay(rounds).finding is None
