"""The two bots: lawful, a function of their stream, and blind to what their seat may not see."""

from collections import Counter
from dataclasses import fields

import pytest
from options import SETS
from tables import Room, lay, states, stream_of

from engine import frame, verbs
from engine.events import Body, load
from engine.mahjong.bots import BOTS, Sight, sight
from engine.mahjong.state import Hand


def play(bot: str, name: str, preset: str = "linhai", options: dict[str, object] | None = None, hands: int = 8) -> Room:
    room = Room(preset, options, name=name, match={"length": {"hands": hands}})
    stream = stream_of(name, bot)
    while not room.table.over:
        choices = room.options
        seat = choices[0]["seat"]
        mine = [body for body in choices if body["seat"] == seat]
        room.act(BOTS[bot](sight(room.hand, seat, mine), stream))
    return room


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", SETS)
def test_a_bot_chooses_one_of_its_options_under_every_option_set(bot: str, name: str) -> None:
    preset, options = SETS[name]
    room = play(bot, f"bots-{bot}-{sum(name.encode())}", preset, options, hands=1)
    assert room.table.over
    assert room.fault() is None


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_stream_plays_the_same_game(bot: str) -> None:
    assert play(bot, "again", hands=2).lines == play(bot, "again", hands=2).lines


def hidden_changed(hand: Hand, seat: int) -> None:
    """Change everything that the seat may not see."""
    if hand.wall.kinds is not None:
        hand.wall.kinds = hand.wall.kinds[::-1]
    hand.order = hand.order[::-1] if hand.order else None
    for other, side in enumerate(hand.sides):
        if other != seat:
            for tile in [kind for kind in range(34) for _ in range(side.counts[kind])]:
                side.remove(tile)
            side.win_lock = not side.win_lock
    if hand.window is not None:
        hand.window.answers.clear()


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_sees_no_hidden_tile_and_no_answer_of_an_open_window(bot: str) -> None:
    room = play("greedy", "blind", hands=2)
    asked = 0
    for at, (game, _) in enumerate(states(room.lines)):
        choices = verbs.options(game)
        if not choices or at % 3:
            continue
        for seat in {body["seat"] for body in choices}:
            mine = [body for body in choices if body["seat"] == seat]
            view = sight(game.hand, seat, mine)
            copy = frame.snapshot(game).hand
            hidden_changed(copy, seat)
            other = sight(copy, seat, mine)
            assert view == other
            assert BOTS[bot](view, stream_of("blind", at)) == BOTS[bot](other, stream_of("blind", at))
            asked += 1
    assert asked > 40


def test_a_sight_holds_no_state() -> None:
    names = {each.name for each in fields(Sight)}
    assert "hand" not in names
    room = Room(name="sight")
    view = sight(room.hand, 0, room.options)
    assert not any(isinstance(getattr(view, name), Hand) for name in names)
    assert sum(view.counts) == 14


def test_a_closed_concealed_kong_is_not_seen() -> None:
    for open_, seen in ((True, 4), (False, 0)):
        options = {"concealed_kong_open": open_}
        room = Room("linhai", options, name=f"closed-{open_}", laid=lay(hands=["1111m 258p 37s ESWNC", "", "", ""]))
        room.kong(0, "concealed_kong", "1m")
        assert sight(room.hand, 1, []).seen[0] == seen
        assert sight(room.hand, 0, []).seen[0] == 4


def test_the_greedy_bot_makes_lively_games() -> None:
    seen: Counter[str] = Counter()
    for number in range(10):
        for line in play("greedy", f"lively-{number}").lines:
            record = load(line)
            for name in ("type", "kind", "by", "answer"):
                if name in record:
                    seen[record[name]] += 1
    assert seen["won"] > seen["drawn_hand"]
    assert min(seen[word] for word in ("chow", "pung", "direct_kong", "self_draw", "discard", "konged")) > 0


def test_the_greedy_bot_wins_where_it_can_nearly_always() -> None:
    ready = ["3m 48m 268p 37s ESNCFP", "12m 456p 789p 456s WW", "", ""]
    wins = 0
    for number in range(64):
        room = Room(name=f"wins-{number % 4}", laid=lay(hands=ready))
        room.discard(0, "3m")
        mine: list[Body] = [body for body in room.options if body["seat"] == 1]
        chosen = BOTS["greedy"](sight(room.hand, 1, mine), stream_of("wins", number))
        wins += chosen["answer"] == "win"
    assert wins > 48
