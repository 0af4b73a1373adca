"""The wall: dice, break, deal and the two cursors, against the page's check values and the plain walk of stacks."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pages import Stack, clockwise, dealt_positions, drawn_in_order, first_stack, second_thrower, tail_order
from tables import Room, lay, lively, stream_of

from engine.cards import kind_of, tile_deck
from engine.family import due_in, step_in
from engine.mahjong import flow
from engine.mahjong import wall as walls
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import start
from engine.mahjong.wall import Wall, break_stack, deal_positions, draw_sequence
from engine.shuffle import permute
from engine.variants import find

# mahjong.md 0.4: set, dealer, c1, c2, then p, c, g0, the first stack and the last stack of the tail.
CHECK_VALUES = [
    (136, 0, 7, 9, 2, 16, 50, (2, 17), (2, 16)),
    (136, 0, 12, 12, 3, 24, 41, (2, 8), (2, 7)),
    (144, 2, 5, 3, 2, 8, 44, (2, 9), (2, 8)),
    (144, 1, 8, 6, 0, 14, 14, (0, 15), (0, 14)),
]


def thrown(first: int, second: int) -> list[int]:
    """Return four faces with these sums."""
    return [first - min(6, first - 1), min(6, first - 1), second - min(6, second - 1), min(6, second - 1)]


def rules_of(size: int, **options: object) -> MahjongRules:
    rules = find("linhai.144" if size == 144 else "linhai", {name.replace("__", "."): v for name, v in options.items()})
    assert isinstance(rules, MahjongRules)
    return rules


@pytest.mark.parametrize("row", CHECK_VALUES)
def test_check_values_of_the_page(row: tuple[int, int, int, int, int, int, int, Stack, Stack]) -> None:
    size, dealer, c1, c2, p, c, g0, first, last = row
    rules = rules_of(size)
    dice = thrown(c1, c2)
    assert (sum(dice[:2]), sum(dice[2:]), sum(dice)) == (c1, c2, c)
    assert all(1 <= value <= 6 for value in dice)
    assert walls.second_thrower(rules, dealer, c1) == p
    assert break_stack(rules, dealer, dice) == g0
    stacks = clockwise(size)
    assert stacks[g0] == first
    assert stacks[g0 - 1] == last
    assert first_stack(rules.options(), dealer, dice) == g0  # the plain walk finds the same stack


def test_twelve_for_the_dealer_points_at_himself_and_four_at_the_seat_before_him() -> None:
    rules = rules_of(136)
    assert [walls.second_thrower(rules, 0, c1) for c1 in range(2, 13)] == [1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize("size", [136, 144])
@pytest.mark.parametrize("each", [1, 2])
@pytest.mark.parametrize("inclusive", [True, False])
@pytest.mark.parametrize("direction", ["cw", "ccw"])
@pytest.mark.parametrize("offset", [1, 0])
def test_every_throw_breaks_the_wall_where_a_walk_along_the_stacks_does(
    size: int, each: int, inclusive: bool, direction: str, offset: int
) -> None:
    options = {"wall.dice": each, "wall.dice_inclusive": inclusive, "wall.count_direction": direction,
               "wall.break_offset": offset}  # fmt: skip
    rules = rules_of(size).but(options)
    assert isinstance(rules, MahjongRules)
    whole = rules.options()
    throws = [[one] for one in range(1, 7)] if each == 1 else [thrown(total, 2)[:2] for total in range(2, 13)]
    for dealer, first, second in product(range(4), throws, throws):
        dice = [*first, *second]
        assert break_stack(rules, dealer, dice) == first_stack(whole, dealer, dice)
        assert walls.second_thrower(rules, dealer, sum(first)) == second_thrower(whole, dealer, sum(first))


def test_the_deal_of_the_page() -> None:
    # mahjong.md 0.5, written out there.
    assert [set(row) for row in deal_positions(4)] == [
        {*range(4), *range(16, 20), *range(32, 36), 48, 52},
        {*range(4, 8), *range(20, 24), *range(36, 40), 49},
        {*range(8, 12), *range(24, 28), *range(40, 44), 50},
        {*range(12, 16), *range(28, 32), *range(44, 48), 51},
    ]
    assert [list(row) for row in deal_positions(4)] == dealt_positions()


def test_three_are_dealt_as_the_page_says() -> None:
    rows = deal_positions(3)
    assert sorted(at for row in rows for at in row) == list(range(40))
    assert [len(row) for row in rows] == [14, 13, 13]
    assert [row[-1] for row in rows] == [39, 37, 38]


@pytest.mark.parametrize("order", ["ccw", "cw"])
@pytest.mark.parametrize("size", [136, 144])
def test_a_whole_deal_tile_for_tile(size: int, order: str) -> None:
    rules = rules_of(size, deal__order=order)
    deck = tile_deck(flowers=size == 144)
    wall = permute(stream_of("deal", size), size)
    names = [deck[position].partition(".")[0] for position in wall]
    dice = [2, 5, 6, 1]
    kinds = kind_of(deck)
    for dealer in range(4):
        hand = start(rules, dealer, 27, tuple(kinds[position] for position in wall), tuple(dice))
        expected = drawn_in_order(rules.options(), dealer, dice, names)
        for throw in range(2):
            due = due_in(flow, hand)
            assert due is not None
            assert due["values"] == dice[2 * throw : 2 * throw + 2]
            step_in(flow, hand, due)
        for place in range(4):
            due = due_in(flow, hand)
            assert due == {
                "type": "dealt",
                "seat": (dealer + (place if order == "ccw" else -place)) % 4,
                "tiles": [expected[at] for at in dealt_positions()[place]],
            }
            step_in(flow, hand, due)
        assert hand.wall.left == size - 53 == {136: 83, 144: 91}[size]


@pytest.mark.parametrize("order", ["upper_first", "reverse"])
@pytest.mark.parametrize("size", [136, 144])
def test_the_tail_alone_takes_the_stacks_from_the_last_one(order: str, size: int) -> None:
    wall = Wall(list(range(size)), size, order)
    taken = []
    for _ in range(size):
        taken.append(wall.peek("tail"))
        wall.take("tail")
    assert taken == tail_order({"wall.tail_order": order}, size)
    first = [size - 2, size - 1, size - 4, size - 3] if order == "upper_first" else [size - 1, size - 2, size - 3]
    assert taken[: len(first)] == first


@pytest.mark.parametrize("order", ["upper_first", "reverse"])
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_head_and_tail_meet_and_every_tile_is_taken_once(order: str, data: st.DataObject) -> None:
    size = data.draw(st.sampled_from([136, 144]))
    wall = Wall(list(range(size)), size, order)
    wall.deal(4)
    untaken = [False] * 53 + [True] * (size - 53)
    tails = tail_order({"wall.tail_order": order}, size)
    seen = []
    for end in data.draw(st.lists(st.sampled_from(["head", "tail"]), min_size=size - 53, max_size=size - 53)):
        places = range(size) if end == "head" else tails
        expected = next(at for at in places if untaken[at])
        assert wall.peek(end) == expected
        assert wall.peek(end) == expected  # looking takes nothing
        wall.take(end)
        untaken[expected] = False
        seen.append(expected)
        assert wall.left == untaken.count(True)
    assert sorted(seen) == list(range(53, size))


def test_the_upper_tile_taken_by_the_head_leaves_the_lower_one_to_the_tail() -> None:
    # The last stack: the head took its upper tile, the tail finds only the lower one (LH-10).
    wall = Wall(list(range(136)), 136, "upper_first")
    wall.deal(4)
    for _ in range(82):
        wall.take("head")
    assert wall.left == 1
    assert wall.peek("tail") == wall.peek("head") == 135


def test_a_wall_without_a_seed_only_counts() -> None:
    wall = Wall(None, 136, "upper_first")
    wall.deal(4)
    assert (wall.left, wall.peek("head"), wall.peek("tail")) == (83, -1, -1)
    wall.take("tail")
    assert wall.left == 82


@pytest.mark.parametrize("start", [0, 17, 67])
def test_the_draw_sequence_starts_at_the_broken_stack_and_runs_round(start: int) -> None:
    order = permute(stream_of("sequence", start), 136)
    sequence = draw_sequence(order, range(136), start)
    assert sequence == [order[2 * ((start + at // 2) % 68) + at % 2] for at in range(136)]  # X of 0.3


def test_with_no_reserve_a_hand_can_take_the_last_tile_of_the_wall() -> None:
    options = {"reserve": 0, "reserve_per_kong": 0}
    for number in range(200):
        name = f"last-tile-{number}"
        laid = lay("linhai", options, hands=["", "", "", ""], fill=stream_of(name))
        room = Room("linhai", options, name=name, laid=laid)
        room.play(lively(name, win_in=1000))
        ends = [record for record in room.records() if record["type"] in {"drawn", "drawn_hand"}]
        if ends[-1]["type"] == "drawn_hand":
            break
    assert ends[-1]["reason"] == "wall_end"
    assert ends[-2]["left"] == 0
    taken = [record["tile"] for record in ends[:-1]]
    dealt = [tile for record in room.records() if record["type"] == "dealt" for tile in record["tiles"]]
    deck = [each.partition(".")[0] for each in tile_deck(flowers=False)]
    assert sorted(taken + dealt) == sorted(deck)
    assert room.fault() is None
