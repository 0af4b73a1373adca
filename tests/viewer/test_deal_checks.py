"""The deal checks over a whole log: repeated values, beacons, changed walls, unresolved games, figures (V1 to V18).

Several are incidents that others had (fairness.md 8), named in the tests.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.events import canonical, load
from engine.shuffle import QUICKNET, Single, Uniqueness
from viewer import drand
from viewer.cli import run
from viewer.deal_checks import CHECKS, Once
from viewer.deal_plan import BEFORE_ROUND_MS, BeaconRound, DealPlan
from viewer.deals import facts, quality
from viewer.simulate import Job, play
from viewer.targets import open_log

ROUND = BeaconRound(
    657413,
    bytes.fromhex("b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"),
)
"""A real round of drand's quicknet."""
AT = 1_700_000_000_000
Events = list[dict[str, Any]]


def game(index: int = 0, *, seed: int = 3, plan: DealPlan | None = None, at: int = AT) -> Events:
    job = Job("linhai", seed, index, at, match={"length": {"hands": 2}}, plan=plan or DealPlan())
    return [load(line) for chunk in play(job) for line in chunk]


def lines(events: Events) -> list[bytes]:
    return [canonical({**event, "seq": seq}) for seq, event in enumerate(events)]


def ledger(path: Path, games: Sequence[Events], *, close: bool = True) -> str:
    url = f"sqlite:///{path / 'x.db'}"
    log, _ = open_log(url, operator="o", clock=lambda: AT + 10**9)
    with log:
        for events in games:
            log.append(events[0]["game"], 0, lines(events), seal=True, close=close)
    return url


@pytest.fixture
def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, Any]]:
    """A function that puts games into a signed ledger and returns the verdict on it."""

    def judge(*games: Events, close: bool = True) -> dict[str, Any]:
        url = ledger(tmp_path, games, close=close)
        capsys.readouterr()
        run(["verify", url, "--json", "--jobs", "1"])
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return judge


def codes(report: dict[str, Any]) -> set[str]:
    return {finding["code"] for finding in report["findings"]}


def status(report: dict[str, Any], code: str) -> str:
    return str(next(check["status"] for check in report["deal"]["checks"] if check["code"] == code))


def of(events: Events, kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == kind]


def test_an_honest_log_holds_in_every_check_that_applies(judged: Callable[..., dict[str, Any]]) -> None:
    report = judged(game(0), game(1))
    assert report["findings"] == []
    found = {check["code"]: check["status"] for check in report["deal"]["checks"]}
    assert tuple(found) == CHECKS
    assert {code for code, said in found.items() if said == "not_checkable"} == {"V8", "V16"}
    assert found["V15"] == "figure"
    figures = report["deal"]["figures"]
    assert (figures["games"], figures["closed"], figures["hands"], figures["seats"]) == (2, 2, 4, 8)


# --- V3: nothing of a deal occurs twice ------------------------------------------------------------------------------


def test_a_root_used_again(judged: Callable[..., dict[str, Any]]) -> None:
    one, two = game(0), game(1)
    two[0]["deal"]["root_s"] = one[0]["deal"]["root_s"]
    report = judged(one, two)
    finding = next(each for each in report["findings"] if each["code"] == "V3")
    assert (finding["game"], finding["seq"]) == (two[0]["game"], 0)
    assert one[0]["game"] in finding["found"]
    assert status(report, "V3") == "failed"


@pytest.mark.parametrize(("kind", "name"), [("committed", "commit"), ("entropy", "reveal")])
def test_entropy_copied_from_another_game_or_seat(
    judged: Callable[..., dict[str, Any]], kind: str, name: str
) -> None:  # incident 20
    one, two = game(0), game(1)
    of(two, kind)[2][name] = of(one, kind)[1][name]
    report = judged(one, two)
    assert "V3" in codes(report)


def test_a_commitment_copied_from_the_neighbour_binds_its_seat(judged: Callable[..., dict[str, Any]]) -> None:
    events = game(0)  # incident 20: copying cannot cancel, the seat is part of what is hashed
    of(events, "committed")[1]["commit"] = of(events, "committed")[0]["commit"]
    of(events, "entropy")[1]["reveal"] = of(events, "entropy")[0]["reveal"]
    found = codes(judged(events))
    assert "V3" in found
    assert found & {"V2", "V7"}


def test_the_same_wall_at_two_tables(judged: Callable[..., dict[str, Any]]) -> None:  # incidents 4 and 6
    one, two = game(0), game(1)
    of(two, "hand_started")[0]["wall_root"] = of(one, "hand_started")[0]["wall_root"]
    assert {"V3", "V11"} <= codes(judged(one, two))


def test_the_same_seed_for_two_hands(judged: Callable[..., dict[str, Any]]) -> None:  # incidents 5 and 23
    events = game(0)
    first, second = of(events, "revealed")[:2]
    second["seed"] = first["seed"]
    assert "V3" in codes(judged(events))


def test_a_second_opening_within_a_game(judged: Callable[..., dict[str, Any]]) -> None:
    events = game(0)
    again = {**events[0], "at": events[19]["at"]}
    assert codes(judged([*events[:20], again, *events[20:]])) == {"V3"}


def test_once_says_what_uniqueness_says() -> None:
    plain, kept = Uniqueness(), Once()
    for kind, value, place in [
        (Single.ROOT, b"a", "1"), (Single.ROOT, b"a", "1"), (Single.SEED, b"a", "2"), (Single.ROOT, b"a", "3"),
        (Single.WALL, b"b", "3"), (Single.WALL, b"b", "4"), (Single.ROOT, b"a", "1"),
    ]:  # fmt: skip
        refusal = plain.add(kind, value, place)
        first = kept.add(kind, value, place)
        assert (refusal is not None) == bool(first)
        assert refusal is None or first in refusal.found
    kept.close()


# --- V13, V14 --------------------------------------------------------------------------------------------------------


def interrupted(events: Events) -> tuple[Events, int]:
    """Put an absence before a draw in the middle of the first hand; return the events and the place of the draw."""
    at = [place for place, event in enumerate(events) if event["type"] == "drawn"][8]
    away = {"type": "away", "seat": 1, "at": events[at - 1]["at"], "game": events[0]["game"], "v": 1}
    return [*events[:at], away, {**away, "type": "back"}, *events[at:]], at + 2


def shift_answers(events: Events, start: int, by: int) -> Events:
    for event in events:
        if event["type"] == "answered" and event["to"] >= start:
            event["to"] += by
    return events


def test_a_wall_that_changes_while_somebody_is_away(judged: Callable[..., dict[str, Any]]) -> None:  # incident 22
    events, at = interrupted(game(0))
    shift_answers(events, at - 2, 2)
    assert judged(events)["findings"] == []


def test_a_draw_that_differs_after_a_reconnection(judged: Callable[..., dict[str, Any]]) -> None:  # incident 22
    events, at = interrupted(game(0))
    shift_answers(events, at - 2, 2)
    events[at]["tile"] = "9s" if events[at]["tile"] != "9s" else "1m"
    report = judged(events)
    finding = next(each for each in report["findings"] if each["code"] == "V13")
    assert finding["seq"] == at
    assert "V12" not in codes(report)


def test_a_draw_that_differs_without_one(judged: Callable[..., dict[str, Any]]) -> None:
    events = game(0)
    draw = of(events, "drawn")[8]
    draw["tile"] = "9s" if draw["tile"] != "9s" else "1m"
    assert "V12" in codes(judged(events))


def test_a_hand_dealt_again_in_the_middle(judged: Callable[..., dict[str, Any]]) -> None:  # incident 22
    events = game(0)
    at = [place for place, event in enumerate(events) if event["type"] == "drawn"][5]
    again = {**of(events, "hand_started")[0], "at": events[at]["at"]}
    assert codes(judged([*events[:at], again, *events[at:]])) == {"V3", "V13"}


def test_a_stream_closed_without_an_end_leaves_its_hand_unresolved(judged: Callable[..., dict[str, Any]]) -> None:
    events = game(0)
    at = [place for place, event in enumerate(events) if event["type"] == "drawn"][5]
    report = judged(events[:at])
    finding = next(each for each in report["findings"] if each["code"] == "V14")
    assert (finding["hand"], finding["seq"]) == (0, at - 1)


def test_a_stream_still_open_is_no_finding(judged: Callable[..., dict[str, Any]]) -> None:
    events = game(0)
    at = [place for place, event in enumerate(events) if event["type"] == "drawn"][5]
    report = judged(events[:at], close=False)
    assert report["findings"] == []
    assert any(each["code"] == "V14" for each in report["not_checkable"])


def test_a_seed_revealed_too_late(judged: Callable[..., dict[str, Any]]) -> None:
    events = game(0)
    place = next(place for place, event in enumerate(events) if event["type"] == "revealed")
    for event in events[place:]:
        event["at"] += 61_000
    assert codes(judged(events)) == {"V14"}


def test_a_seed_revealed_before_the_hand_ends(judged: Callable[..., dict[str, Any]]) -> None:  # incident 7
    events = game(0)
    place = next(place for place, event in enumerate(events) if event["type"] == "revealed")
    early = events.pop(place)
    at = [number for number, event in enumerate(events) if event["type"] == "drawn"][3]
    early["at"] = events[at]["at"]
    events.insert(at, early)
    assert judged(events)["findings"]


def test_the_same_tile_dealt_twice(judged: Callable[..., dict[str, Any]]) -> None:  # incident 24
    events = game(0)
    dealt = of(events, "dealt")[1]
    dealt["tiles"] = [dealt["tiles"][0]] * 5 + dealt["tiles"][5:]
    for event in of(events, "revealed") + of(events, "closed"):
        event.pop("root_seed", None)
    assert codes(judged([event for event in events if event["type"] != "revealed"])) & {"V5", "V14"}


# --- V8, V15 and seats -----------------------------------------------------------------------------------------------


def test_a_beacon_stands_in_for_an_absent_seat(judged: Callable[..., dict[str, Any]]) -> None:
    pytest.importorskip("py_ecc")
    plan = DealPlan(beacon=ROUND, absent=(2,), silent=(1,), witnesses=("witness:lab",))
    report = judged(game(0, plan=plan, at=ROUND.at - BEFORE_ROUND_MS))
    assert report["findings"] == []
    assert status(report, "V8") == "holds"
    figures = report["deal"]["figures"]
    assert (figures["beacons"], figures["not_revealed"], figures["never_committed"], figures["witnesses"]) == (
        1,
        1,
        1,
        1,
    )


def test_a_beacon_signature_of_another_round_is_found(judged: Callable[..., dict[str, Any]]) -> None:
    pytest.importorskip("py_ecc")
    other = BeaconRound(ROUND.round + 1, ROUND.signature)
    report = judged(game(0, plan=DealPlan(beacon=other), at=other.at - BEFORE_ROUND_MS))
    assert codes(report) == {"V8"}
    assert status(report, "V8") == "failed"


def test_without_the_package_a_signature_is_not_checkable(
    judged: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drand, "find_spec", lambda _: None)
    report = judged(game(0, plan=DealPlan(beacon=ROUND), at=ROUND.at - BEFORE_ROUND_MS))
    assert report["findings"] == []
    assert [each["why"] for each in report["not_checkable"]] == [drand.LACKING]


def test_a_chain_that_is_not_pinned_is_not_checkable() -> None:
    assert "not pinned" in drand.why_not(bytes(32))
    assert drand.why_not(QUICKNET.chain) in {"", drand.LACKING}


def test_the_published_round_of_quicknet_holds_and_no_other() -> None:
    pytest.importorskip("py_ecc")
    assert drand.holds(QUICKNET.chain, ROUND.round, ROUND.signature)
    assert not drand.holds(QUICKNET.chain, ROUND.round - 1, ROUND.signature)
    flipped = bytes([ROUND.signature[0] ^ 0x20]) + ROUND.signature[1:]
    assert not drand.holds(QUICKNET.chain, ROUND.round, flipped)  # the other root: -signature
    infinity = bytes([0xC0]) + bytes(47)
    for signature in (b"", ROUND.signature[:-1], infinity, bytes(48), b"\xff" * 48):
        assert not drand.holds(QUICKNET.chain, ROUND.round, signature)


def test_a_void_epoch_is_a_figure_and_no_finding(judged: Callable[..., dict[str, Any]]) -> None:  # incident 21
    report = judged(game(0, plan=DealPlan(absent=(3,))), game(1, plan=DealPlan(absent=(3,), wide=True)), game(2))
    assert report["findings"] == []
    figures = report["deal"]["figures"]
    assert (figures["void_epochs"], figures["games"], figures["not_revealed"]) == (2, 3, 2)


def test_an_absence_marked_where_the_epoch_should_be_void(judged: Callable[..., dict[str, Any]]) -> None:
    events = game(0)  # incident 21: a reveal left out, the hands dealt all the same
    events.remove(of(events, "entropy")[3])
    assert codes(judged(shift_answers(events, 0, -1))) == {"V7"}


def test_void_hands_are_counted_with_what_was_dealt_in_them() -> None:
    events = game(0)
    at = [place for place, event in enumerate(events) if event["type"] == "drawn"][5]
    void = {"type": "voided", "hand": 0, "actor": "operator", "reason": "failure", "at": events[at]["at"],
            "game": events[0]["game"], "v": 1}  # fmt: skip
    found = facts(lines([*events[:at], void])).figures
    assert (found.hands, found.voided, found.voided_dealt, found.played_dealt) == (1, 1, 4, 0)
    whole = facts(lines(events)).figures
    assert (whole.voided, whole.played_dealt, whole.voided_dealt) == (0, 8, 0)
    assert (found + whole).hands == 3


def test_quality_of_opening_hands() -> None:
    ready = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "E", "E", "5p", "6p"]
    assert quality(ready) == 1
    assert quality([*ready[:-1], "C"], "C") == 1
    assert quality(["AS", "KH", "3D", "BJ", "2C"]) == 4
    assert quality([]) == 0
    assert quality([*ready[:-2], "0p", "6p"]) == 1
