"""The engine against a second one, written plainly from the rule page (`plain/referee.py`).

At every event of every hand both must name the same consequence, or the same set of lawful decisions; both must pay
the same and pass the deal to the same seat. Hands are played so that kongs, robbed kongs, declined wins, several
winners and ends of the wall occur; that they do is a test of its own.
"""

from collections import Counter

import pytest
from laws import referee_game, stem
from options import SETS
from tables import Room, found, lay, lively, rich, simulated


def referee_rich_hand(name: str, number: int, seen: Counter[str]) -> None:
    """Play and referee one hand on a laid wall with ready hands."""
    preset, options = SETS[name]
    word = f"{stem(name)}-rich-{number}"
    laid = rich(preset, options, word)
    lines = Room(preset, options, name=word, laid=laid).play(lively(word, win_in=4))
    referee_game(lines, seen, laid)


@pytest.mark.parametrize("name", SETS)
def test_engine_and_referee_want_the_same(name: str) -> None:
    preset, options = SETS[name]
    seen: Counter[str] = Counter()
    for game in range(3):
        lines = simulated(preset, options, name=f"{stem(name)}-{game}", match={"length": {"hands": 8}})
        referee_game(lines, seen)
    for number in range(24):
        referee_rich_hand(name, number, seen)
    assert seen["settled"] == 48
    assert min(seen[word] for word in ("pung", "chow", "concealed_kong", "direct_kong", "discard", "self_draw")) > 0
    assert seen["wall_end"] + seen["no_replacement"] > 0
    assert seen["flower"] > 100 or preset == "linhai"


@pytest.mark.parametrize("name", [name for name, (_, options) in SETS.items() if "rob_kong" in options])
def test_engine_and_referee_agree_on_a_robbed_kong(name: str) -> None:
    # The hand of `events.md` under other rules: seat 3 adds to its pung of 9m, seat 1 waits for that tile.
    preset, options = SETS[name]
    hands = ["9m 555p 1m4m 1s6s9s E S C F P", "78m WWW 123p 789p 44s", "7p 1m4m 2p6p 3s8s S N C F P 9s",
             "99m E 2m5m 1p4p 6s9s S C F N"]  # fmt: skip
    laid = lay(preset, options, hands=hands, head="5p N 1s 9m", tail="2s")
    seen: Counter[str] = Counter()
    for answer in ("win", "pass"):
        room = Room(preset, options, name=f"{stem(name)}-robbed-{answer}", laid=laid)
        room.discard(0, "9m")
        room.answer(1, "chow", "78m")
        room.answer(3, "pung", "99m")
        room.discard(3, "E")
        room.kong(0, "concealed_kong", "5p")
        for seat, tile in ((0, "2s"), (1, "N"), (2, "1s")):
            room.discard(seat, tile, drawn=True)
        room.kong(3, "added_kong", "9m")
        room.answer(1, answer)
        room.play(lively(answer))
        referee_game(room.lines, seen, laid)
    assert seen["robbed"] == 1


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
def test_engine_and_referee_want_the_same_in_two_thousand_games(name: str) -> None:
    preset, options = SETS[name]
    seen: Counter[str] = Counter()
    for game in range(2000 // len(SETS) + 1):
        lines = simulated(preset, options, name=f"long-{stem(name)}-{game}", match={"length": {"hands": 4}})
        assert found(lines) is None
        referee_game(lines, seen)
    for number in range(10_000, 10_500):
        referee_rich_hand(name, number, seen)
    assert min(seen[word] for word in ("concealed_kong", "added_kong", "direct_kong", "self_draw", "discard")) > 0
    rare = ("kong_bloom", "earthly", "heavenly", "last_discard", "2 winners")
    assert sum(seen[word] > 0 for word in rare) >= 3 or "min_tai" in options  # which rare wins seldom reach
