"""The golden games and perft counts of `data/three_one` and `data/forty`."""

import json
from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import pytest
from plain_referee import plain_options, referee
from plain_tricks import may_play, points, trump_order, winner
from trick_records import DATA, GAMES, GOLDEN, PERFT, folder, golden, perft_text, position

from engine.cards import CARDS
from engine.events import load
from engine.replay import replay
from engine.tricks.order import names


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_game_is_made_anew_byte_by_byte_and_verifies(name: str) -> None:
    stored = (folder(name) / "golden" / f"{name}.paipu.jsonl").read_bytes()
    assert stored == golden(name)
    found = replay(stored.splitlines())
    assert found.finding is None
    assert found.closed
    preset, options, _, _ = GOLDEN[name]
    referee(preset, plain_options(preset, options), [load(line) for line in stored.splitlines()])


def test_the_golden_games_hold_every_event_of_the_games() -> None:
    for preset in GAMES:
        seen: Counter[str] = Counter()
        for path in (DATA / preset / "golden").glob("*.paipu.jsonl"):
            assert GOLDEN[path.name.removesuffix(".paipu.jsonl")][0] == preset
            seen.update(load(line)["type"] for line in path.read_bytes().splitlines())
        own = {"dealt", "bid", "trump"} if preset == "three_one" else {"drawn", "called"}
        assert own | {"kitty", "buried", "played", "trick", "settled"} <= set(seen)


@pytest.mark.parametrize("preset", GAMES)
def test_perft_is_made_anew_byte_by_byte(preset: str) -> None:
    assert (DATA / preset / "perft.json").read_text() == perft_text(preset)


def rows() -> list[dict[str, Any]]:
    return [row for preset in GAMES for row in json.loads((DATA / preset / "perft.json").read_text())]


Table = tuple[list[list[str]], int, list[str]]
"""Hands, the seat in turn, the trick so far."""


def count_plays(table: Table, order: list[list[str]], counts: list[int], at: int = 0) -> None:
    """Count plays by length with the slow definitions alone."""
    held, turn, trick = table
    if len(trick) == 4:
        turn = (turn + winner(trick, order)) % 4  # after four cards the turn is the leader's again
        trick = []
    if at == len(counts):
        return
    for card in may_play(held[turn], trick[0] if trick else "", order):
        counts[at] += 1
        rest = [[each for each in hand if each != card] for hand in held]
        count_plays((rest, (turn + 1) % 4, [*trick, card]), order, counts, at + 1)


@pytest.mark.parametrize("row", [row for row in rows() if row["phase"] == "play"],
                         ids=lambda row: f"{row['golden']}-{row['passed']}")  # fmt: skip
def test_perft_of_plays_equals_the_plain_count(row: dict[str, Any]) -> None:
    hand = position(row["golden"], row["phase"], row["passed"])
    order = trump_order(hand.suit, hand.level, twos=hand.rules.permanent_twos)
    counts = [0] * len(row["counts"])
    held = [names(cards) for cards in hand.held]
    count_plays((held, hand.turn, [CARDS[card] for card in hand.trick]), order, counts)
    assert counts == row["counts"]


def test_perft_of_other_decisions_equals_the_plain_count() -> None:
    counts = {(row["golden"], row["phase"]): row["counts"] for row in rows() if row["phase"] != "play"}
    sixes = comb(18, 6)
    # Six first bids; above each of them what is left, and after 80 the burials.
    assert counts["three-one", "bid"] == [6, 6 + 5 + 4 + 3 + 2 + sixes]
    assert counts["three-one", "trump"] == [4, 4 * 12]
    assert counts["three-one", "bury"] == counts["forty", "bury"] == [sixes]
    hand = position("three-one-paid-passes", "bury", 0)
    held = names(hand.held[hand.turn])
    assert counts["three-one-paid-passes", "bury"] == [comb(18 - sum(card[0] in "5TK" for card in held), 6)]
    hand = position("forty-money", "bury", 0)
    held = names(hand.held[hand.turn])
    assert counts["forty-money", "bury"] == [sum(points(list(six)) <= 35 for six in combinations(held, 6))]
    hand = position("forty", "call", 0)
    shown = sum(card[0] == "2" for card in names(hand.held[hand.turn]))
    assert counts["forty", "call"][0] == shown + 1
    assert counts["forty", "call"][1] > shown * sixes
    assert len(PERFT) == len(rows())
