"""The live table: decisions in, events out; an unlawful act is refused and changes nothing."""

import pytest
from tables import Room, found, greedy, lay, lively, seed_of

from engine.events import EventError, canonical, load, parse
from engine.shuffle import Commitment
from engine.table import RefusedError, Table, opening
from engine.variants import find


def test_a_table_writes_what_replay_finds_lawful_for_every_preset_and_policy() -> None:
    for rules in ("linhai", "linhai.144"):
        for policy in (greedy, lively):
            room = Room(rules, name=f"table-{rules}-{policy.__name__}", match={"length": {"hands": 4}})
            assert found(room.play(policy(rules))) is None
            assert room.table.over


def test_an_act_yields_its_event_and_all_that_follows_at_once() -> None:
    room = Room(name="yields")
    records = room.discard(0, room.options[0]["tile"])
    assert records[0]["type"] == "discarded"
    assert all(record["at"] == room.at for record in records)
    assert room.options  # what is left is a decision
    assert [record["seq"] for record in records] == list(range(records[0]["seq"], len(room.lines)))


def test_a_refused_act_leaves_no_trace() -> None:
    room = Room(name="refused", laid=lay(hands=["159m 159p 159s ESWNC", "", "", ""]))
    before, log = repr(room.game), list(room.lines)
    for body, code in (
        ({"type": "discarded", "seat": 0, "tile": "2m"}, "discarded"),
        ({"type": "discarded", "seat": 1, "tile": "1m"}, "turn"),
        ({"type": "declared", "seat": 0, "what": "win"}, "declared"),
        ({"type": "declared", "seat": 0, "what": "riichi"}, "order"),
        ({"type": "answered", "seat": 0, "to": 16, "answer": "pass"}, "order"),
        ({"type": "settled", "winners": [], "payments": [0, 0, 0, 0]}, "order"),
        ({"type": "discarded", "seat": 0, "tile": "1m", "drawn": True}, "discarded"),
        ({"type": "discarded", "seat": 0, "tile": "1m", "auto": True}, "auto"),
    ):
        with pytest.raises(RefusedError) as refused:
            room.table.act(body, room.at)
        assert refused.value.fault.code == code
    assert repr(room.game) == before
    assert room.lines == log


def test_the_reasons_of_a_refusal_name_their_clause() -> None:
    room = Room(name="clauses", laid=lay(hands=["159m 159p 159s ESWNC", "", "", ""]))
    for body, clause in (
        ({"type": "discarded", "seat": 0, "tile": "2m"}, "linhai.act.not_held"),
        ({"type": "discarded", "seat": 0, "tile": "f1"}, "linhai.act.flower"),
        ({"type": "discarded", "seat": 0, "tile": "1m", "drawn": True}, "linhai.act.not_drawn"),
        ({"type": "declared", "seat": 0, "what": "win"}, "linhai.shape"),
        ({"type": "konged", "seat": 0, "kind": "added_kong", "tiles": ["1m"]}, "CM-02"),
        ({"type": "discarded", "seat": 0, "tile": "1m", "auto": True}, "CM-05"),
    ):
        with pytest.raises(RefusedError) as refused:
            room.table.act(body, room.at)
        assert refused.value.fault.clause == clause


def test_the_drawn_tile_is_told_from_another_copy() -> None:
    room = Room(name="copies", laid=lay(hands=["159m 159p 159s ESWNC", "19m 258p 3467s CFPN", "", ""], head="9m"))
    room.discard(0, "C")
    room.idle(82)
    assert room.hand.turn == 1
    choices = {("drawn" in body) for body in room.choices(1, "discarded") if body["tile"] == "9m"}
    assert choices == {True, False}
    only = [body for body in room.choices(1, "discarded") if body["tile"] == "1m"]
    assert only == [{"type": "discarded", "seat": 1, "tile": "1m"}]
    fault = room.judge({"type": "discarded", "seat": 1, "tile": "1m", "drawn": True})
    assert fault is not None
    assert fault.clause == "linhai.act.not_drawn"


def test_the_only_copy_is_the_drawn_one() -> None:
    room = Room(name="only-copy", laid=lay(hands=["159m 159p 159s ESWNC", "19m 258p 3467s CFPN", "", ""], head="8m"))
    room.idle(82)
    fault = room.judge({"type": "discarded", "seat": 1, "tile": "8m"})
    assert fault is not None
    assert (fault.code, fault.clause) == ("discarded", "linhai.act.only_copy")


@pytest.mark.parametrize(
    "body",
    [
        {"type": "discarded", "seat": 0},
        {"type": "discarded", "seat": "0", "tile": "1m"},
        {"type": "discarded", "seat": 0, "tile": "1m", "drawn": False},
        {"type": "discarded", "seat": 0, "tile": "1m", "x": 1},
        {"type": "nonsense"},
        {},
        {"type": "discarded", "seat": 0, "tile": {1, 2}},
    ],
)
def test_what_is_no_event_raises(body: dict[str, object]) -> None:
    room = Room(name="no-event")
    before = repr(room.game)
    with pytest.raises(EventError):
        room.table.act(body, room.at)
    assert repr(room.game) == before


def test_time_never_runs_back() -> None:
    room = Room(name="clock")
    with pytest.raises(RefusedError) as refused:
        room.table.act(room.options[0], room.at - 1)
    assert (refused.value.fault.code, refused.value.fault.clause) == ("time", "events.envelope")
    assert room.table.act(room.options[0], room.at)  # the same millisecond may hold two events


def test_a_wrong_premise_opens_no_table() -> None:
    rules = find("linhai")
    seats = [{"seat": seat, "player": f"p{seat}", "kind": "human"} for seat in range(4)]
    fields = {"engine": "e", "operator": "o", "table": "t", "match": {}, "deal": {"protocol": "paipu-fair/1"}}
    body, context = opening(rules, preset=rules, game="g", seats=seats, **fields)
    commitment = Commitment.open(context, seed_of("premise"))
    wrong = {**body, "rules": {**body["rules"], "digest": "00" * 32}}
    with pytest.raises(ValueError, match="digest"):
        Table(wrong, "g", commitment, seed_of("premise"), 0)
    table = Table(body, "g", commitment, seed_of("premise"), 5)
    assert load(table.first())["deal"]["root_s"] == commitment.root.hex()
    assert canonical(parse(table.first()).record()) == table.first()


def test_the_context_of_an_opening_is_that_of_the_opened_event() -> None:
    room = Room(name="context", witness=True)
    premise = room.game.premise
    assert premise.context is not None
    assert premise.context.digest() == room.context.digest()
    assert premise.root == room.commitment.root


def test_a_resumed_table_draws_the_same_wall_again() -> None:
    # modes.md 4: a crash resumes from the last event; a wall is never drawn again.
    whole = Room(name="crash", match={"length": {"hands": 2}})
    log = whole.play(lively("crash"))
    resumed = Room(name="crash", match={"length": {"hands": 2}}, enter=False)
    decided = [load(line) for line in log if load(line)["type"] in
               {"committed", "entropy", "discarded", "answered", "konged", "declared"}]  # fmt: skip
    for record in decided:
        body = {name: value for name, value in record.items() if name not in {"at", "game", "seq", "v"}}
        resumed.at = record["at"] - 100
        resumed.act(body)
    assert resumed.lines == log
