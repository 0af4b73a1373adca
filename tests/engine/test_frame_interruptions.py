"""Acts refused, seats away and back: they change nothing and must be true (events.md, modes.md 4)."""

import pytest
from tables import Room, edited, found, lay, lively, renumbered

from engine.events import Body, load

READY = "12m 456p 789p 456s WW"


def refused(seat: int, tried: Body, clause: str = "linhai.shape") -> Body:
    return {"type": "refused", "seat": seat, "tried": tried, "clause": clause}


def ready(name: str) -> Room:
    """Lay a hand whose seat 1 waits for 3m and may chow it; the dealer is to discard."""
    hands = ["3m 48m 268p 37s ESNCFP", READY, "19m 147p 258s 9s NEFP C", "5m 147p 258s 69s NEFP"]
    return Room(name=name, laid=lay(hands=hands))


def test_an_unlawful_act_that_was_refused_stands_and_changes_nothing() -> None:
    room = ready("refused")
    before = [(body["type"], body.get("tile")) for body in room.options]
    for tried in (
        {"type": "declared", "seat": 0, "what": "win"},  # 诈和: a false win (LH-31)
        {"type": "discarded", "seat": 0, "tile": "9s"},  # not held
        {"type": "discarded", "seat": 2, "tile": "9s"},  # out of turn
        {"type": "konged", "seat": 0, "kind": "concealed_kong", "tiles": ["3m"] * 4},
        {"type": "answered", "seat": 1, "to": 16, "answer": "win"},  # no window is open
    ):
        fault = room.judge(tried)
        assert fault is not None
        room.act(refused(tried["seat"], tried, fault.clause))
    assert [(body["type"], body.get("tile")) for body in room.options] == before
    room.play(lively("refused"))
    assert room.fault() is None


def test_my_legal_discard_was_refused_riichienv_215() -> None:
    room = ready("riichienv-215")
    lawful = {"type": "discarded", "seat": 0, "tile": "3m"}
    fault = room.judge(refused(0, lawful))
    assert fault is not None
    assert (fault.code, fault.clause, fault.found) == ("refused", "events.refused", lawful)


def test_a_lawful_win_refused_is_a_fault() -> None:
    room = ready("win-refused")
    room.discard(0, "3m")
    tried = {"type": "answered", "seat": 1, "to": room.hand.window.to, "answer": "win"}
    fault = room.judge(refused(1, tried))
    assert fault is not None
    assert (fault.code, fault.clause) == ("refused", "events.refused")


def test_every_lawful_option_of_a_game_is_a_fault_as_refused() -> None:
    room = Room(name="all-refused")
    policy = lively("all-refused")
    while not room.table.over:
        for body in room.options:
            fault = room.judge(refused(body["seat"], body))
            assert fault is not None
            assert fault.code == "refused"
        room.act(policy(room, room.options))


@pytest.mark.parametrize(
    "tried",
    [
        {"type": "drawn", "seat": 0, "tile": "1m", "end": "head", "left": 1},
        {"type": "voided", "hand": 0, "actor": "a", "reason": "b"},
        {"type": "refused", "seat": 0, "tried": {}, "clause": "x"},
        {"type": "closed", "scores": [], "reason": "match_end"},
        {"type": "away", "seat": 0},
        {"type": "nonsense"},
        {},
    ],
)
def test_only_decisions_of_play_are_refused(tried: Body) -> None:
    fault = ready("not-play").judge(refused(0, tried))
    assert fault is not None
    assert (fault.code, fault.clause) == ("refused", "events.refused")


def test_a_refused_act_may_be_no_event_at_all() -> None:
    room = ready("no-event")
    for tried in ({"type": "discarded", "seat": 0, "tile": "10m"}, {"type": "answered", "seat": 0, "answer": "ron"}):
        assert room.judge(refused(0, tried, "events.vocabulary")) is None


@pytest.mark.parametrize("seat", [1, 3, 77, 200])
def test_who_tried_it_is_who_is_refused(seat: int) -> None:
    tried = {"type": "declared", "seat": 0, "what": "win"}
    fault = ready("who").judge(refused(seat, tried))
    assert fault is not None
    assert (fault.code, fault.clause) == ("refused", "events.refused")


def test_away_and_back_change_nothing_at_any_time() -> None:
    plain = Room(name="presence").play(lively("presence"))
    records = [load(line) for line in plain]
    woven = []
    for number, record in enumerate(records[:-1]):
        woven.append(record)
        word = "away" if number % 2 else "back"
        woven.append({"type": word, "seat": number % 4, "at": record["at"], "game": "presence", "seq": -1, "v": 1})
    assert found(renumbered([*woven, records[-1]])) is None


@pytest.mark.parametrize("word", ["away", "back"])
@pytest.mark.parametrize("seat", [4, 9])
def test_nobody_else_is_away(word: str, seat: int) -> None:
    fault = ready("elsewhere").judge({"type": word, "seat": seat})
    assert fault is not None
    assert (fault.code, fault.clause) == ("seat", "events.envelope")


@pytest.mark.parametrize(
    ("change", "code"),
    [({"seq": 21}, "seq"), ({"seq": 19}, "seq"), ({"at": 5}, "time"), ({"game": "other"}, "game")],
)
def test_the_envelope_is_checked_before_anything_else(change: Body, code: str) -> None:
    lines = Room(name="envelope").play(lively("envelope"))
    place = found(edited(lines, 20, **change))
    assert place is not None
    assert (place.seq, place.code, place.clause) == (20, code, "events.envelope")
