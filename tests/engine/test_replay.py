"""Replay: the lawful prefix and the first fault, nothing invented, the fast way equal to the slow one."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from options import SETS
from tables import Place, Room, edited, found, lively, renumbered, simulated, states

from engine import frame, replay, verbs
from engine.events import EventError, Record, canonical, load, parse
from engine.game import Game
from engine.shuffle import Commitment


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return simulated("linhai", {"rob_kong": "as_discard"}, name="replay", match={"length": {"hands": 3}})


@pytest.fixture(scope="module")
def short() -> list[bytes]:
    return simulated("linhai", {"rob_kong": "as_discard"}, name="short")


def named(place: Place | None) -> tuple[int, str, str]:
    assert place is not None
    return place.seq, place.code, place.clause


# --- prefix and fault -----------------------------------------------------------------------------------------------


def test_a_whole_game_is_all_prefix(lines: list[bytes]) -> None:
    result = replay.replay(lines)
    assert (result.prefix, result.finding, result.closed, result.hands) == (len(lines), None, True, 3)
    assert result.findings == []
    assert result.notes == []


def test_replaying_twice_says_the_same(lines: list[bytes]) -> None:
    one, two = replay.replay(lines), replay.replay(lines)
    assert (one.prefix, one.finding, one.hands, one.closed) == (two.prefix, two.finding, two.hands, two.closed)
    assert one.game is not None
    assert two.game is not None
    assert (one.game.scores, one.game.order, one.game.rounds) == (two.game.scores, two.game.order, two.game.rounds)
    for (first, record), (second, other) in zip(states(lines), states(lines), strict=True):
        assert record == other
        assert repr(first.hand and first.hand.sides) == repr(second.hand and second.hand.sides)


def test_no_events_are_no_game() -> None:
    result = replay.replay([])
    assert result.finding is not None
    assert (result.prefix, result.finding.seq, result.finding.fault.code) == (0, 0, "order")


def test_a_game_starts_with_opened(lines: list[bytes]) -> None:
    assert named(found(lines[1:])) == (0, "order", "events.order")
    assert named(found(edited(lines, 0, seq=1))) == (0, "seq", "events.envelope")
    assert named(found([lines[0], lines[0], *lines[1:]]))[:2] == (1, "seq")


@pytest.mark.parametrize("seq", [0, 5, 30])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: line[:-1],
        lambda line: line + b" ",
        lambda line: b" " + line,
        lambda line: line.replace(b'"v":1', b'"v":2'),
        lambda line: line.replace(b'"v":1', b'"v":1.0'),
        lambda line: line.replace(b'"v":1', b'"v":true'),
        lambda line: line.replace(b'"v":1', b'"v":1,"x":1'),
        lambda line: line.replace(b'"game"', b'"gamE"'),
        lambda line: line.replace(b'"type":"', b'"type":"un'),
        lambda line: line.replace(b'"at":', b'"at":-'),
        lambda line: line.replace(b'"at":', b'"at":0'),
        lambda line: line.replace(b'"at":', b'"at":1e0'),
        lambda _: b"",
        lambda _: b"null",
        lambda _: b"[]",
        lambda _: b"\xff\xfe",
        lambda _: b'{"at":' + b"9" * 5000 + b"}",
        lambda _: b"[" * 100_000,
    ],
)
def test_bytes_that_are_no_event_end_the_prefix(lines: list[bytes], seq: int, spoil: Any) -> None:
    result = replay.replay([*lines[:seq], spoil(lines[seq]), *lines[seq + 1 :]])
    assert result.finding is not None
    assert (result.finding.seq, result.finding.fault.code) == (seq, "schema")
    assert result.prefix == seq


@pytest.mark.parametrize("digits", [str(2**53), str(2**60), str(2**63), str(2**64), "9" * 31, "9" * 400, "9" * 5000])
def test_a_time_beyond_every_readers_integers_is_no_event(lines: list[bytes], digits: str) -> None:
    for kind in (b'"type":"drawn"', b'"type":"discarded"', b'"type":"closed"'):
        seq = next(seq for seq, line in enumerate(lines) if kind in line)
        line = b'{"at":' + digits.encode() + lines[seq][lines[seq].index(b",") :]
        result = replay.replay([*lines[:seq], line, *lines[seq + 1 :]])
        assert result.finding is not None
        assert (result.finding.seq, result.finding.fault.code) == (seq, "schema")


def test_the_first_fault_ends_a_strict_reading_python_chess_365(lines: list[bytes]) -> None:
    seq = next(seq for seq, line in enumerate(lines) if b'"type":"discarded"' in line)
    record = load(lines[seq])
    spoiled = edited(lines, seq, seat=(record["seat"] + 1) % 4)
    seen = []
    result = replay.Replay()
    for _, each in replay.steps(spoiled, result):
        seen.append(each)
    assert [canonical(each) for each in seen] == lines[:seq]  # nothing repaired, nothing after
    assert result.prefix == seq


def test_going_on_lists_later_faults_as_following_and_keeps_the_prefix(lines: list[bytes]) -> None:
    settled = [seq for seq, line in enumerate(lines) if b'"type":"settled"' in line]
    spoiled = list(lines)
    for seq in settled[:2]:
        payments = load(lines[seq])["payments"]
        spoiled = edited(spoiled, seq, payments=[payments[0] + 1, payments[1] - 1, *payments[2:]])
    result = replay.replay(spoiled, go_on=True)
    assert [(each.seq, each.fault.code, each.fault.follows) for each in result.findings] == [
        (settled[0], "settled", False),
        (settled[1], "settled", True),
    ]
    assert result.prefix == settled[0]
    assert result.closed
    assert replay.replay(spoiled).later == []


def test_going_on_from_a_wrong_decision_stops_for_no_decision_is_invented(lines: list[bytes]) -> None:
    seq = next(seq for seq, line in enumerate(lines) if b'"type":"discarded"' in line)
    record = load(lines[seq])
    result = replay.replay(edited(lines, seq, seat=(record["seat"] + 1) % 4), go_on=True)
    assert len(result.findings) == 1
    assert not result.closed


def test_a_finding_names_its_hand(lines: list[bytes]) -> None:
    hands = [load(line)["seq"] for line in lines if b'"type":"hand_started"' in line]
    for number, seq in enumerate(hands):
        drawn = next(at for at in range(seq, len(lines)) if b'"type":"drawn"' in lines[at])
        result = replay.replay(edited(lines, drawn, left=1))
        assert result.finding is not None
        assert (result.finding.hand, result.finding.seq) == (number, drawn)
    result = replay.replay(edited(lines, 6, reveal="00" * 32))
    assert result.finding is not None
    assert result.finding.hand == -1


# --- the premise ----------------------------------------------------------------------------------------------------


def test_an_unknown_digest_is_a_finding_never_a_default(lines: list[bytes]) -> None:
    rules = load(lines[0])["rules"]
    for change in (
        {**rules, "digest": "00" * 32},
        {**rules, "id": "linhai.999"},
        {**rules, "options": {}},  # the digest is that of other options
        {**rules, "options": {"no_such_option": 1}},
        {**rules, "options": {"tiles": 137}},
        {**rules, "options": {"arrow_is_wind": True}},
    ):
        assert named(found(edited(lines, 0, rules=change))) == (0, "rules", "events.opened")


def test_the_seats_of_opened_have_a_form(lines: list[bytes]) -> None:
    seats = load(lines[0])["seats"]
    for change in (
        seats[:3],
        [*seats, {**seats[0], "seat": 4, "player": "bot:x"}],
        [seats[1], seats[0], *seats[2:]],
        [{**seats[0], "player": seats[1]["player"]}, *seats[1:]],
        [{**seats[0], "kind": "witness"}, *seats[1:]],
        [*seats, {"seat": 128, "player": "witness:a", "kind": "bot"}],
        [*seats, {"seat": 127, "player": "witness:a", "kind": "witness"}],
    ):
        assert named(found(edited(lines, 0, seats=change))) == (0, "seats", "events.opened")
    unnamed = [*seats, {"seat": 128, "player": "lab", "kind": "witness"}]
    assert named(found(edited(lines, 0, seats=unnamed))) == (0, "V4", "fairness.1.1")


def test_a_committed_deal_has_its_root(lines: list[bytes]) -> None:
    deal = load(lines[0])["deal"]
    without = {name: value for name, value in deal.items() if name != "root_s"}
    assert named(found(edited(lines, 0, deal=without))) == (0, "V2", "fairness.1.2")


# --- forced, legal, fault agree with replay --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["linhai", "linhai.144", "locks"])
def test_what_is_forced_is_what_stands_in_the_log_and_never_both_kinds_are_due(name: str) -> None:
    preset, options = SETS[name]
    log = simulated(preset, options, name=f"forced-{preset}")
    for (game, _), line in zip(states(log), log[1:], strict=False):
        record = load(line)
        event = verbs.forced(game, record["at"])
        choices = verbs.legal(game, record["at"])
        assert event is None or choices == ()  # one consequence or some decisions, never both
        if event is not None:
            assert canonical(event.record()) == line
            assert verbs.fault(game, event) is None
        elif game.phase == "hand":
            assert line in {canonical(choice.record()) for choice in choices}
            assert all(verbs.fault(game, choice) is None for choice in choices)


def test_the_verbs_fold_a_log_as_replay_does(lines: list[bytes]) -> None:
    opened = parse(lines[0])
    premise = verbs.premise_of(load(lines[0]))
    root_seed = bytes.fromhex(load(lines[-1])["root_seed"])
    commitment = Commitment.open(premise.context, root_seed)  # type: ignore[union-attr, arg-type]  a sound premise
    game = verbs.begin(opened, commitment=commitment, root_seed=root_seed)
    for line in lines[1:]:
        event = parse(line)
        assert verbs.fault(game, event) is None
        verbs.apply(game, event)
    assert game.phase == "over"
    assert game.scores == load(lines[-1])["scores"]


# --- the fast way is the slow way ------------------------------------------------------------------------------------


def slowly(game: Game, line: bytes) -> tuple[str, Any]:
    try:
        record, fault = replay.judged(game, line)
    except EventError as error:
        return "no event", str(error)
    return "judged", (record, fault)


def quickly(game: Game, line: bytes) -> tuple[str, Any]:
    try:
        record, fault = replay.read(game, line)
    except EventError as error:
        return "no event", str(error)
    return "judged", (record, fault)


def mutations(record: Record) -> Iterator[bytes]:
    """Yield an event with each field taken out, doubled, swapped for a neighbour or for something absurd."""
    for name, value in record.items():
        others: list[Any] = [None, True, 0, 1, -1, 2**53, 2**63, "", "1m", [], {}, [value], 1.5, str(value)]
        if isinstance(value, int):
            others += [value + 1, value - 1, float(value)]
        if isinstance(value, list):
            others += [value[1:], value[::-1], [*value, *value[:1]]]
        for other in others:
            yield canonical({**record, name: other})
        yield canonical({key: each for key, each in record.items() if key != name})
    for name, value in (("auto", True), ("drawn", True), ("tiles", ["1m"]), ("sig", {}), ("extra", 1), ("from", 0)):
        yield canonical({**record, name: value})


@pytest.mark.parametrize("name", ["linhai.144", "robbing", "locks"])
def test_reading_fast_decides_what_reading_slowly_does(name: str) -> None:
    preset, options = SETS[name]
    log = simulated(preset, options, name=f"fast-{preset}", match={"length": {"hands": 2}})
    judged = 0
    seen: dict[str, int] = {}
    for game, line in replayed_states(log):
        assert quickly(game, line) == slowly(game, line)
        record = load(line)
        seen[record["type"]] = seen.get(record["type"], 0) + 1
        if seen[record["type"]] > 6:
            continue
        for other in {*mutations(record), *([line, *log][record["seq"] :: 31])}:
            assert quickly(game, other) == slowly(game, other), other
            judged += 1
    assert judged > 2000


def replayed_states(log: list[bytes]) -> Iterator[tuple[Game, bytes]]:
    """Yield each state with the line that follows it."""
    for (game, _), line in zip(states(log), log[1:], strict=False):
        yield game, line


def test_reading_fast_on_other_states_decides_the_same() -> None:
    log = simulated("linhai", {"rob_kong": "as_discard"}, name="cross")
    snapshots = [frame.snapshot(game) for game, _ in states(log)]
    for game in snapshots[::5]:
        for line in log[1::3]:
            moved = canonical({**load(line), "seq": game.seq, "at": max(game.at, load(line)["at"])})
            assert quickly(game, moved) == slowly(game, moved)


# --- edits of a whole log ---------------------------------------------------------------------------------------------


def test_every_deletion_and_swap_of_neighbours_is_named_at_once_or_as_soon_as_it_shows(short: list[bytes]) -> None:
    records = [load(line) for line in short]
    answers_swapped = 0
    for seq in range(len(short) - 1):
        place = found(renumbered(records[:seq] + records[seq + 1 :]))
        assert place is not None
        assert place.seq >= seq
        if records[seq]["type"] in {"answered", "committed", "entropy"}:
            assert place.seq <= seq + 4  # a missing answer shows where the window should have closed
        else:
            assert place.seq == seq
    for one, two in pairwise(range(1, len(short))):
        swapped = [*records[:one], records[two], records[one], *records[two + 1 :]]
        place = found(renumbered(swapped))
        both = {records[one]["type"], records[two]["type"]}
        if len(both) == 1 and both <= {"answered", "committed", "entropy"}:
            answers_swapped += 1  # arrival decides nothing: another lawful history
            assert place is None
        else:
            assert place is not None
            assert place.seq in {one, two}
    assert answers_swapped >= 6


def test_every_doubled_event_is_named(short: list[bytes]) -> None:
    records = [load(line) for line in short]
    for seq in range(len(short)):
        place = found(renumbered([*records[: seq + 1], *records[seq:]]))
        assert place is not None
        assert place.seq == seq + 1


def test_a_table_of_the_same_name_plays_the_same_game(lines: list[bytes]) -> None:
    room = Room("linhai", {"rob_kong": "as_discard"}, name="replay", match={"length": {"hands": 3}})
    assert room.play(lively("replay")) == lines  # the same name, the same game
