"""The level table, the kitty, the next starter, the end past the ace, and money (`cards.md`, Score)."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.settlement import payments_of
from engine.tricks import levels
from engine.tricks.order import RANKS
from engine.tricks.rules import LevelRules
from engine.variants import find

ROWS = {
    0: (True, 3), 5: (True, 2), 10: (True, 2), 15: (True, 2), 20: (True, 1), 25: (True, 1), 30: (True, 1),
    35: (True, 1), 40: (False, 0), 45: (False, 0), 50: (False, 0), 55: (False, 0), 60: (False, 1), 65: (False, 1),
    70: (False, 1), 75: (False, 1), 80: (False, 2), 85: (False, 2), 90: (False, 2), 95: (False, 2), 100: (False, 3),
    105: (False, 3), 110: (False, 3), 115: (False, 3), 120: (False, 4), 135: (False, 4), 140: (False, 5),
    160: (False, 6), 220: (False, 9),
}  # fmt: skip


def rules(**options: object) -> LevelRules:
    found = find("forty", options)
    assert isinstance(found, LevelRules)
    return found


@pytest.mark.parametrize("points", ROWS)
def test_the_table(points: int) -> None:
    its = levels.result(rules(), points, last_attacker=False, buried=60)
    assert (its.stayed, its.gain) == ROWS[points]
    assert its.points == points


@pytest.mark.parametrize(("times", "points"), [(1, 40), (2, 50), (4, 70)])
def test_the_kitty_counts_only_where_an_attacker_takes_the_last_trick(times: int, points: int) -> None:
    these = rules(kitty_multiplier=times)
    assert levels.result(these, 30, last_attacker=True, buried=10).points == points
    assert levels.result(these, 30, last_attacker=False, buried=10).points == 30


def test_advancing() -> None:
    these = rules()
    assert [levels.advance(these, "2", gain) for gain in (0, 1, 2, 3)] == ["2", "3", "4", "5"]
    assert levels.advance(these, "J", 3) == "A"
    assert levels.advance(these, "Q", 3) == ""
    assert levels.advance(these, "A", 1) == ""
    assert levels.advance(these, "A", 0) == "A"


@given(st.sampled_from(RANKS), st.integers(0, 9), st.sets(st.sampled_from(RANKS), min_size=1))
def test_must_play_stops_at_the_first_level_it_would_pass(level: str, gain: int, stops: set[str]) -> None:
    these = rules(must_play=sorted(stops, key=RANKS.index))
    at = RANKS.index(level)
    want = next((RANKS[step] for step in range(at + 1, min(at + gain, 13)) if RANKS[step] in stops), None)
    plain = RANKS[at + gain] if at + gain < 13 else ""
    assert levels.advance(these, level, gain) == (plain if want is None else want)


def test_must_play_the_ace() -> None:
    these = rules(must_play=["A"])
    assert levels.advance(these, "Q", 3) == "A"
    assert levels.advance(these, "K", 1) == "A"
    assert levels.advance(these, "A", 1) == ""


@pytest.mark.parametrize("starter", range(4))
def test_next_starter(starter: int) -> None:
    assert levels.next_starter(rules(), starter, 3, stayed=True) == (starter + 2) % 4
    assert levels.next_starter(rules(), starter, 3, stayed=False) == (starter + 1) % 4
    other = rules(next_starter="same_or_last_trick_winner")
    assert levels.next_starter(other, starter, 3, stayed=True) == starter
    assert levels.next_starter(other, starter, 3, stayed=False) == 3


def test_money() -> None:
    assert levels.lines(rules(), (0, 2), 3) == []
    for winners, gain in product([(0, 2), (1, 3)], range(5)):
        these = rules(stake="per_hand", base=10)
        lines = levels.lines(these, winners, gain)
        assert [(line.payer, line.payee) for line in lines] == [
            (seat, (seat + 1) % 4) for seat in range(4) if seat not in winners
        ]
        payments = payments_of(lines, 4)
        amount = 10 * max(1, gain)
        assert payments == [amount if seat in winners else -amount for seat in range(4)]
