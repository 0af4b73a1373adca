"""How long a match lasts and how it ends: length, floor, votes, void hands (modes.md 1 and 4)."""

from itertools import pairwise
from typing import Any

import pytest
from tables import Place, Room, edited, found, greedy, lay, lively, renumbered, simulated

from engine import replay
from engine.events import Body, Record, canonical, load
from engine.match import Match
from engine.rules import RulesError


def named(place: Place | None) -> tuple[int, str, str]:
    assert place is not None
    return place.seq, place.code, place.clause


def records_of(lines: list[bytes]) -> list[Record]:
    return [load(line) for line in lines]


def only(records: list[Record], kind: str) -> list[Record]:
    return [record for record in records if record["type"] == kind]


def played(name: str, match: dict[str, Any], **how: Any) -> list[Record]:
    lines = simulated(name=name, match=match, **how)
    assert found(lines) is None
    return records_of(lines)


# --- length ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [1, 3, 8])
def test_a_match_of_hands_has_so_many(hands: int) -> None:
    records = played(f"hands-{hands}", {"length": {"hands": hands}})
    ends = only(records, "hand_ended")
    assert len(ends) == hands
    assert ["next" in each for each in ends] == [True] * (hands - 1) + [False]
    assert records[-1]["reason"] == "match_end"


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_round_is_over_when_the_deal_comes_back_to_the_first_dealer_from_another(rounds: int) -> None:
    for number in range(3):
        records = played(f"rounds-{rounds}-{number}", {"length": {"rounds": rounds}})
        dealers = [record["dealer"] for record in only(records, "hand_started")]
        passes = sum(one != two for one, two in pairwise(dealers))
        assert passes == 4 * rounds - 1  # the last passing would be the fourth of the round: no hand follows it
        assert dealers[-1] == 3
        assert records[-1]["reason"] == "match_end"
        assert "next" not in only(records, "hand_ended")[-1]


def test_four_rounds_are_the_default_and_the_wind_turns_with_each() -> None:
    records = played("four", {})
    winds = [record["round_wind"] for record in only(records, "hand_started")]
    assert sorted(set(winds), key="ESWN".index) == list("ESWN")
    assert winds == sorted(winds, key="ESWN".index)


def test_a_match_of_minutes_ends_with_the_hand_in_play_at_the_bell() -> None:
    name = "minutes"
    lines = simulated(name=name, match={"length": {"minutes": 1}})
    assert found(lines) is None
    records = records_of(lines)
    began = only(records, "hand_started")[0]["at"]
    for ended in only(records, "hand_ended"):
        before = records[ended["seq"] - 1]["at"]
        assert ("next" in ended) == (before < began + 60_000)
    assert records[-1]["reason"] == "match_end"
    assert records[-1]["at"] >= began + 60_000


@pytest.mark.parametrize(("late", "goes_on"), [(-1, True), (0, False), (1, False)])
def test_the_bell_rings_at_the_full_minute(late: int, goes_on: bool) -> None:
    hands = ["3m 48m 268p 37s ESNCFP", "", "12m 456p 789p 456s WW", ""]
    room = Room(name=f"full-minute-{late}", match={"length": {"minutes": 1}}, laid=lay(hands=hands))
    room.discard(0, "3m")
    room.at = room.game.began_at + 60_000 + late - 100
    records = room.answer(2, "win")
    assert ("next" in only(records, "hand_ended")[0]) is goes_on


def test_the_bell_is_judged_by_the_events_own_time() -> None:
    lines = simulated(name="bell", match={"length": {"minutes": 1}})
    records = records_of(lines)
    last = only(records, "hand_ended")[-1]
    assert named(found(edited(lines, last["seq"], next={"dealer": 1, "round_wind": "E"}))) == (
        last["seq"], "hand_ended", "modes.1",
    )  # fmt: skip


def test_the_committed_hands_used_up_end_the_match() -> None:
    records = played("max-hands", {"length": {"hands": 8}}, deal={"max_hands": 3})
    assert len(only(records, "hand_ended")) == 3
    assert records[-1]["reason"] == "max_hands"
    assert "next" not in only(records, "hand_ended")[-1]


def test_the_match_end_comes_before_the_committed_hands_are_used_up() -> None:
    records = played("both", {"length": {"hands": 3}}, deal={"max_hands": 3})
    assert records[-1]["reason"] == "match_end"


# --- points ---------------------------------------------------------------------------------------------------------


def test_start_points_are_in_every_score() -> None:
    records = played("start-points", {"length": {"hands": 4}, "start_points": 250})
    totals = [250] * 4
    for record in records:
        if record["type"] == "settled":
            totals = [had + got for had, got in zip(totals, record["payments"], strict=True)]
        if record["type"] in {"hand_ended", "closed"}:
            assert record["scores"] == totals
    assert sum(totals) == 1000


def test_a_score_below_the_floor_ends_the_match() -> None:
    bankrupt = 0
    for number in range(6):
        records = played(f"floor-{number}", {"length": {"hands": 8}, "start_points": 4, "floor": 0})
        ends = only(records, "hand_ended")
        broke = [any(score < 0 for score in each["scores"]) for each in ends]
        assert not any(broke[:-1])
        assert records[-1]["reason"] == ("bankrupt" if broke[-1] else "match_end")
        bankrupt += broke[-1]
    assert bankrupt > 0


def test_a_score_at_the_floor_plays_on() -> None:
    records = played("at-floor", {"length": {"hands": 2}, "start_points": 0, "floor": -10_000})
    assert records[-1]["reason"] == "match_end"


def test_a_match_that_goes_on_below_the_floor_is_named() -> None:
    for number in range(6):
        lines = simulated(name=f"floor-{number}", match={"length": {"hands": 8}, "start_points": 4, "floor": 0})
        last = only(records_of(lines), "hand_ended")[-1]
        if any(score < 0 for score in last["scores"]):
            spot = {"dealer": 0, "round_wind": "E"}
            assert named(found(edited(lines, last["seq"], next=spot))) == (last["seq"], "hand_ended", "modes.1")
            return
    pytest.fail("nobody went below the floor")


# --- votes ----------------------------------------------------------------------------------------------------------


def vote(seat: int, answer: str = "yes") -> Body:
    return {"type": "voted", "seat": seat, "answer": answer}


def test_all_must_say_yes_or_more_than_half() -> None:
    for rule, needed in (("all", 4), ("majority", 3)):
        room = Room(name=f"votes-{rule}", match={"early_end": rule})
        for seat in range(needed):
            assert not room.game.dissolved
            room.act(vote(seat))
        assert room.game.dissolved
        assert room.options == []


def test_the_last_vote_of_a_seat_counts() -> None:
    room = Room(name="last-vote", match={"early_end": "majority"})
    room.act(vote(0))
    room.act(vote(1))
    room.act(vote(0, "no"))
    room.act(vote(2))
    assert not room.game.dissolved
    room.act(vote(0))
    assert room.game.dissolved


def test_a_dissolved_hand_is_voided_and_the_settled_ones_stand() -> None:
    room = Room(name="dissolved", match={"early_end": "all", "length": {"hands": 8}})
    policy = lively("dissolved")
    while room.game.hand_number < 2:
        room.act(policy(room, room.options))
    scores = list(room.game.scores)
    for seat in range(4):
        room.act(vote(seat))
    fault = room.judge({"type": "discarded", "seat": room.hand.turn, "tile": "1m"})
    assert fault is not None
    assert (fault.code, fault.clause) == ("voided", "modes.1")
    records = room.act({"type": "voided", "hand": 2, "actor": "table", "reason": "dissolved"})
    assert [record["type"] for record in records] == ["voided", "hand_ended", "revealed", "closed"]
    assert (records[1]["scores"], "next" in records[1]) == (scores, False)
    assert (records[3]["reason"], records[3]["scores"]) == ("dissolved", scores)
    assert found(room.lines) is None


def test_votes_between_two_hands_dissolve_at_once() -> None:
    lines = simulated(name="between", match={"early_end": "all", "length": {"hands": 3}})
    records = records_of(lines)
    seq = only(records, "hand_started")[1]["seq"]
    head = {"at": records[seq - 1]["at"], "game": "between", "v": 1, "seq": 0}
    votes = [{**vote(seat), **head} for seat in range(4)]
    scores = only(records, "hand_ended")[0]["scores"]
    closed = {**head, "type": "closed", "scores": scores, "reason": "dissolved", "root_seed": records[-1]["root_seed"]}
    assert found(renumbered([*records[:seq], *votes, closed])) is None
    assert named(found(renumbered([*records[:seq], *votes[:3], closed])))[:2] == (seq + 3, "hand_started")
    assert named(found(renumbered([*records[:seq], *votes, *records[seq:]])))[:2] == (seq + 4, "closed")


def test_no_votes_without_the_option_or_before_the_first_hand() -> None:
    room = Room(name="no-votes")
    fault = room.judge(vote(0))
    assert fault is not None
    assert (fault.code, fault.clause) == ("voted", "modes.1")
    room = Room(name="too-early", match={"early_end": "all"}, enter=False)
    fault = room.judge(vote(0))
    assert fault is not None
    assert (fault.code, fault.clause) == ("voted", "modes.1")


def test_only_seats_of_the_table_vote() -> None:
    room = Room(name="foreign-vote", match={"early_end": "all"})
    fault = room.judge(vote(4))
    assert fault is not None
    assert (fault.code, fault.clause) == ("seat", "events.envelope")


# --- a void hand ----------------------------------------------------------------------------------------------------


def with_void(name: str, after: int = 30) -> Room:
    """Void the second hand of three in its middle, and play on."""
    room = Room(name=name, match={"length": {"hands": 3}})
    policy = lively(name)
    while room.game.hand_number < 1:
        room.act(policy(room, room.options))
    begun = len(room.lines)
    while len(room.lines) < begun + after:
        room.act(policy(room, room.options))
    assert room.game.hand_number == 1
    room.act({"type": "voided", "hand": 1, "actor": "operator", "reason": "power failure"})
    room.play(policy)
    return room


def test_a_void_hand_changes_no_score_is_dealt_anew_and_its_seed_is_revealed() -> None:
    room = with_void("void")
    assert found(room.lines) is None
    records = room.records()
    started, ended = only(records, "hand_started"), only(records, "hand_ended")
    assert [record["hand"] for record in started] == [0, 1, 2, 3]  # void hands do not count, but have a number
    assert ended[1]["scores"] == ended[0]["scores"]
    assert (started[2]["dealer"], started[2]["round_wind"]) == (started[1]["dealer"], started[1]["round_wind"])
    assert ended[1]["next"] == {"dealer": started[1]["dealer"], "round_wind": started[1]["round_wind"]}
    assert [record["hand"] for record in only(records, "revealed")] == [0, 1, 2, 3]
    assert started[1]["wall_root"] != started[2]["wall_root"]  # a new wall, never the old one again


def test_a_void_hand_without_its_reveal_is_named() -> None:
    records = with_void("void-reveal").records()
    seq = only(records, "revealed")[1]["seq"]
    assert named(found(renumbered(records[:seq] + records[seq + 1 :]))) == (seq, "V14", "fairness.1.9")


@pytest.mark.parametrize("change", [{"scores": [1, -1, 0, 0]}, {"next": {"dealer": 3, "round_wind": "N"}}])
def test_a_void_hand_pays_nothing_and_passes_nothing_on(change: Body) -> None:
    lines = with_void("void-change").lines
    seq = only(records_of(lines), "hand_ended")[1]["seq"]
    place = found(edited(lines, seq, **change))
    assert place is not None
    assert (place.seq, place.code) == (seq, "hand_ended")


def test_only_the_hand_in_play_is_voided() -> None:
    room = Room(name="void-other")
    for hand in (1, 7):
        fault = room.judge({"type": "voided", "hand": hand, "actor": "operator", "reason": "x"})
        assert fault is not None
        assert (fault.code, fault.clause) == ("voided", "modes.4")
    lines = simulated(name="void-settled")
    seq = only(records_of(lines), "settled")[0]["seq"] + 1
    body = {"type": "voided", "hand": 0, "actor": "operator", "reason": "x"}
    record = {**body, "at": load(lines[seq])["at"], "game": "void-settled", "seq": seq, "v": 1}
    assert named(found([*lines[:seq], canonical(record)])) == (seq, "voided", "modes.4")


def test_every_moment_of_a_hand_can_be_voided() -> None:
    room = Room(name="void-anywhere")
    lines = room.play(greedy("void-anywhere"))
    records = records_of(lines)
    last = only(records, "settled")[0]["seq"]
    ended, revealed = records[last + 1], records[last + 2]
    spot = {"dealer": 0, "round_wind": "E"}
    for seq in range(11, last + 1):
        head = {"at": records[seq - 1]["at"], "game": "void-anywhere", "v": 1, "seq": 0}
        void = {**head, "type": "voided", "hand": 0, "actor": "operator", "reason": "x"}
        end = {**ended, "scores": [0, 0, 0, 0], "next": spot}
        assert found(renumbered([*records[:seq], void, end, revealed])) is None


# --- the options' own form ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"length": {"hands": 0}},
        {"length": {"rounds": -1}},
        {"length": {"hands": 1, "rounds": 1}},
        {"length": 4},
        {"length": {}},
        {"floor": None},
        {"first_dealer": "nobody"},
        {"seating": "lot"},
        {"early_end": "one"},
        {"start_points": "0"},
        {"start_points": True},
        {"tempo": "fast"},
    ],
)
def test_an_option_that_does_not_exist_or_fit_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        Match().but(options)
    lines = simulated(name="match-form")
    place = found(edited(lines, 0, match=options))
    if any(value is None for value in options.values()):
        assert place is not None
        return
    assert named(place) == (0, "match", "modes.1")


def test_differing_options_are_all_that_is_written() -> None:
    match = Match().but({"length": {"hands": 8}, "floor": -100})
    assert match.differing(Match()) == {"length": {"hands": 8}, "floor": -100}
    assert Match().but(match.differing(Match())) == match
    assert replay.replay(simulated(name="differing", match=match.differing(Match()))).closed
