"""The Linhai hand of `events.md` (seq 10 to 36, `rob_kong = as_discard`), on a wall that yields it."""

import pytest
from tables import Laid, Room, found, lay, renumbered, replayed

from engine.events import Record

OPTIONS = {"rob_kong": "as_discard"}
HANDS = (
    "9m 555p 1m4m 1s6s9s E S C F P",
    "78m WWW 123p 789p 44s",
    "7p 1m4m 2p6p 3s8s S N C F P 9s",
    "99m E 2m5m 1p4p 6s9s S C F N",
)


def laid() -> Laid:
    return lay("linhai", OPTIONS, hands=HANDS, head="5p N 1s 9m", tail="2s", dice=(3, 4, 4, 5))


@pytest.fixture(scope="module")
def example() -> Room:
    room = Room("linhai", OPTIONS, name="example", laid=laid())
    room.discard(0, "9m")
    assert room.answers(1) == ["win", "chow7m8m", "pass"]
    room.answer(1, "chow", "78m")
    room.answer(3, "pung", "99m")
    room.discard(3, "E")
    room.kong(0, "concealed_kong", "5p")
    room.discard(0, "2s", drawn=True)
    room.discard(1, "N", drawn=True)
    room.discard(2, "7p")
    room.kong(3, "added_kong", "9m")
    room.answer(1, "win")
    return room


def body(record: Record) -> Record:
    return {name: value for name, value in record.items() if name not in {"at", "game", "v"}}


def test_the_hand_starts_at_ten_and_breaks_where_the_page_says(example: Room) -> None:
    records = example.records()
    assert [record["type"] for record in records[:10]] == [
        "opened", *["committed"] * 4, *["entropy"] * 4, "seated",
    ]  # fmt: skip
    start = records[10]
    assert (start["type"], start["hand"], start["dealer"], start["round_wind"]) == ("hand_started", 0, 0, "E")
    assert {"words", "rejects", "wall_root"} < set(start)
    assert body(records[11]) == {"seq": 11, "type": "dice", "seat": 0, "values": [3, 4]}
    assert body(records[12]) == {"seq": 12, "type": "dice", "seat": 2, "values": [4, 5]}  # p = 2
    # c = 16, g0 = 50: the fifty-first stack's tiles are the dealer's first.
    deal = example.game.shuffled
    deck_at = [deal[1].wall[2 * 50 + step] for step in range(4)] if deal else []
    assert [tile // 4 for tile in deck_at] == [8, 13, 13, 13]  # 9m 5p 5p 5p
    assert [(record["type"], record["seat"], len(record["tiles"])) for record in records[13:17]] == [
        ("dealt", 0, 14),
        ("dealt", 1, 13),
        ("dealt", 2, 13),
        ("dealt", 3, 13),
    ]


def test_every_listed_event_stands_at_its_seq(example: Room) -> None:
    expected = {
        17: {"type": "discarded", "seat": 0, "tile": "9m"},
        18: {"type": "answered", "seat": 1, "answer": "chow", "tiles": ["7m", "8m"], "to": 17},
        19: {"type": "answered", "seat": 3, "answer": "pung", "tiles": ["9m", "9m"], "to": 17},
        20: {"type": "melded", "seat": 3, "kind": "pung", "tiles": ["9m", "9m"], "claimed": "9m", "from": 0},
        21: {"type": "discarded", "seat": 3, "tile": "E"},
        22: {"type": "drawn", "seat": 0, "tile": "5p", "end": "head", "left": 82},
        23: {"type": "konged", "seat": 0, "kind": "concealed_kong", "tiles": ["5p"] * 4},
        24: {"type": "drawn", "seat": 0, "tile": "2s", "end": "tail", "left": 81},
        25: {"type": "discarded", "seat": 0, "tile": "2s", "drawn": True},
        26: {"type": "drawn", "seat": 1, "tile": "N", "end": "head", "left": 80},
        27: {"type": "discarded", "seat": 1, "tile": "N", "drawn": True},
        28: {"type": "drawn", "seat": 2, "tile": "1s", "end": "head", "left": 79},
        29: {"type": "discarded", "seat": 2, "tile": "7p"},
        30: {"type": "drawn", "seat": 3, "tile": "9m", "end": "head", "left": 78},
        31: {"type": "konged", "seat": 3, "kind": "added_kong", "tiles": ["9m"]},
        32: {"type": "answered", "seat": 1, "answer": "win", "to": 31},
        33: {"type": "won", "seat": 1, "tile": "9m", "by": "robbed", "from": 3},
    }
    records = example.records()
    for seq, event in expected.items():
        assert body(records[seq]) == {**event, "seq": seq}


def test_the_robbed_pays_and_the_winner_deals(example: Room) -> None:
    records = example.records()
    settled, ended, revealed = records[34:37]
    assert settled["payments"] == [0, 2, 0, -2]
    assert [(winner["seat"], winner["tai"], winner["points"]) for winner in settled["winners"]] == [(1, 1, 2)]
    assert settled["lines"] == [{"from": 3, "to": 1, "amount": 2, "reason": "robbed", "clause": "LH-26"}]
    assert ended["scores"] == [0, 2, 0, -2]
    assert (revealed["type"], revealed["hand"]) == ("revealed", 0)
    assert example.game.spot["dealer"] == 1


def test_next_names_the_winner_as_dealer_where_a_hand_follows() -> None:
    room = Room("linhai", OPTIONS, name="example-2", laid=laid(), match={"length": {"hands": 2}})
    room.discard(0, "9m")
    room.answer(1, "win")
    room.answer(3, "pung", "99m")
    ended = next(record for record in room.records() if record["type"] == "hand_ended")
    assert ended["next"] == {"dealer": 1, "round_wind": "E"}


def test_replay_on_the_same_wall_finds_nothing(example: Room) -> None:
    assert replayed(example.lines, laid()) is None


def test_replay_on_the_wall_of_the_seed_finds_the_laid_one_out(example: Room) -> None:
    place = found(example.lines)
    assert place is not None
    assert (place.seq, place.code) == (10, "V11")  # the root of the wall, before the first tile
    assert place.clause == "fairness.1.10.V11"


# What replay says where one event is left out: seq, code, clause.
LEFT_OUT = {
    11: (11, "dice", "linhai.wall.dice"),
    12: (12, "dice", "linhai.wall.dice"),
    13: (13, "dealt", "LH-09"),
    14: (14, "dealt", "LH-09"),
    15: (15, "dealt", "LH-09"),
    16: (16, "dealt", "LH-09"),
    17: (17, "order", "linhai.turn.order"),
    18: (19, "unanswered", "linhai.claims.answer"),
    19: (19, "unanswered", "linhai.claims.answer"),
    20: (20, "melded", "linhai.claims.priority"),
    21: (21, "order", "linhai.turn.order"),
    22: (22, "drawn", "linhai.turn.draw"),
    23: (23, "order", "linhai.turn.order"),
    24: (24, "drawn", "linhai.kong.replacement"),
    25: (25, "order", "linhai.turn.order"),
    26: (26, "drawn", "linhai.turn.draw"),
    27: (27, "order", "linhai.turn.order"),
    28: (28, "drawn", "linhai.turn.draw"),
    29: (29, "order", "linhai.turn.order"),
    30: (30, "drawn", "linhai.turn.draw"),
    31: (31, "order", "linhai.turn.order"),
    32: (32, "unanswered", "linhai.claims.answer"),
    33: (33, "won", "linhai.claims.win_first"),
    34: (34, "settled", "linhai.pay.zero"),
    35: (35, "hand_ended", "events.order"),
    36: (36, "V14", "fairness.1.9"),
}


@pytest.mark.parametrize("seq", LEFT_OUT)
def test_leaving_one_event_out_is_named_where_the_log_first_shows_it(example: Room, seq: int) -> None:
    records = example.records()
    place = replayed(renumbered(records[:seq] + records[seq + 1 :]), laid())
    assert place is not None
    assert (place.seq, place.code, place.clause) == LEFT_OUT[seq]
    assert place.prefix == place.seq
