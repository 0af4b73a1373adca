"""The state of a hand: melds, sides, keys kept with the counts, the draw condition."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import Room, lively, states

from engine.mahjong.hand import keys
from engine.mahjong.state import NONE, Meld, Side, can_draw, start
from engine.variants import find


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 41), max_size=40))
def test_the_keys_follow_the_counts(tiles: list[int]) -> None:
    side = Side()
    taken: list[int] = []
    for tile in tiles:
        if tile < 34 and side.counts[tile] == 4:
            side.remove(tile)
            taken.remove(tile)
            continue
        side.add(tile)
        taken.append(tile)
        assert side.keys == keys(side.counts)
        assert side.size() == len(taken)
    assert sorted(side.held) == sorted(tile for tile in taken if tile > 33)
    for tile in [tile for tile in taken if tile < 34]:
        side.remove(tile)
    assert side.keys == [0, 0, 0, 0]


def test_the_keys_follow_the_counts_through_whole_games() -> None:
    for rules in ("linhai", "linhai.144"):
        room = Room(rules, {"rob_kong": "as_discard"}, name=f"keys-{rules}", match={"length": {"hands": 3}})
        for game, _ in states(room.play(lively(rules))):
            for side in game.hand.sides if game.hand is not None else []:
                assert side.keys == keys(side.counts)


def test_a_meld_is_whole_with_the_tile_it_took() -> None:
    assert Meld("chow", (3, 5), 4, 2).whole == (3, 4, 5)
    assert Meld("pung", (7, 7), 7, 1).whole == (7, 7, 7)
    assert Meld("concealed_kong", (9,) * 4).whole == (9,) * 4
    kinds = ("chow", "pung", "direct_kong", "added_kong", "concealed_kong")
    assert [kind for kind in kinds if Meld(kind, (1, 1), 1, 0).is_kong] == list(kinds[2:])
    assert Meld("concealed_kong", (9,) * 4).source == NONE


@pytest.mark.parametrize(
    ("options", "kongs", "flowers", "least"),
    [
        ({}, 0, 0, 15),
        ({}, 3, 5, 18),
        ({"reserve_per_kong": 2}, 3, 5, 21),
        ({"reserve_per_kong": 0}, 3, 5, 15),
        ({"reserve_per_flower": True}, 3, 5, 23),
        ({"reserve": 0}, 0, 0, 1),
        ({"reserve": 0, "reserve_per_kong": 0}, 4, 8, 1),
    ],
)
def test_a_draw_needs_more_than_the_boundary(options: dict[str, object], kongs: int, flowers: int, least: int) -> None:
    hand = start(find("linhai.144", options), 0, 27, None, None)
    hand.kongs, hand.replaced = kongs, flowers
    for left, possible in ((least - 1, False), (least, True), (least + 1, True)):
        hand.wall.left = left
        assert can_draw(hand) is possible
