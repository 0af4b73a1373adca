"""Players' signed commands: refused on append, found in audits, equivocation as evidence that shows again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.events import canonical, load
from engine.view import View
from ledger.command import TYPE, Shown, pae, read_command, sign_command
from ledger.errors import Malformed, Refused
from ledger.keys import SigningKey
from viewer.signed import CommandGate, Commands, judge_commands
from viewer.simulate import Job, play

GAME = "linhai-s3-00000"
JOB = Job("linhai", 3, 0, 1_790_000_000_000, match={"length": {"hands": 1}}, signed=True)


@pytest.fixture(scope="module")
def game() -> list[bytes]:
    return [line for chunk in play(JOB) for line in chunk]


def codes(lines: list[bytes]) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.seq) for finding in judge_commands(lines, GAME, 0).findings]


def signed_by(lines: list[bytes], place: int) -> tuple[SigningKey, int]:
    """The key of who signed an event, derived as the simulation does, and his seat in `opened`."""
    from viewer.simulate import _player_key

    seat = load(lines[place])["seat"]
    order = next(load(line)["order"] for line in lines if b'"type":"seated"' in line)
    number = seat if place < 10 else [e["player"] for e in load(lines[0])["seats"]].index(order[seat])
    return _player_key(JOB, number), number


def sign_again(lines: list[bytes], place: int, record: dict[str, Any], seen: int | None = None) -> bytes:
    """Sign a decision as its player would, on what he was shown of these events."""
    key, number = signed_by(lines, place)
    view, shown = View(number), Shown(record["game"])
    for line in lines[: place if seen is None else seen]:
        shown.append(view.first_shown(load(line)))
    bare = {name: value for name, value in record.items() if name != "sig"}
    return canonical({**bare, "sig": sign_command(key, bare, shown)})


def of(lines: list[bytes], kind: str, nth: int = 0) -> int:
    return [place for place, line in enumerate(lines) if f'"type":"{kind}"'.encode() in line and b'"sig"' in line][nth]


def test_the_encoding_to_the_byte() -> None:
    assert pae("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )
    assert len(TYPE) == 37


def test_every_decision_of_a_signed_game_holds(game: list[bytes]) -> None:
    verdict = judge_commands(game, GAME, 0)
    assert (verdict.findings, verdict.unchecked) == ((), ())
    assert verdict.checked == sum(b'"sig":' in line for line in game) > 40


def test_a_changed_decision_no_longer_bears_its_signature(game: list[bytes]) -> None:
    place = of(game, "discarded", 3)
    record = load(game[place])
    changed = [*game]
    changed[place] = canonical({**record, "tile": "1m" if record["tile"] != "1m" else "2m"})
    found = codes(changed)
    assert found[0] == ("command", place)
    assert all(code == "command" for code, _ in found)  # what others signed later was on another history


def test_a_changed_past_contradicts_every_later_signature_of_who_saw_it(game: list[bytes]) -> None:
    place = next(at for at, line in enumerate(game) if b'"type":"dice"' in line)
    changed = [*game]
    changed[place] = game[place].replace(b'"values":[', b'"values":[6,')
    later = [at for at, line in enumerate(game) if b'"sig":' in line and at > place]
    assert codes(changed) == [("command", at) for at in later]


def test_a_hidden_tile_is_no_part_of_another_seats_head(game: list[bytes]) -> None:
    """Only its holder's signatures tell of it; the others signed what they were shown (events.md, A seat's view)."""
    place = next(at for at, line in enumerate(game) if b'"type":"drawn"' in line)
    record = load(game[place])
    changed = [*game]
    changed[place] = canonical({**record, "tile": "1m" if record["tile"] != "1m" else "2m"})
    holder = record["seat"]
    told = {load(game[seq or 0])["seat"] for _, seq in codes(changed)}
    assert told == {holder}


@pytest.mark.parametrize("case", ["no key", "ahead", "head", "shape", "upper case", "stranger"])
def test_each_way_a_signature_is_wrong(game: list[bytes], case: str) -> None:
    place = of(game, "discarded")
    record = load(game[place])
    changed = [*game]
    sig = dict(record["sig"])
    if case == "no key":
        opened = load(game[0])
        for entry in opened["seats"]:
            del entry["key"]
        changed[0] = canonical(opened)
        assert {code for code, _ in codes(changed)} == {"command"}
        return
    if case == "ahead":
        changed = game[: place + 1]
        whole = sign_again(game, place, record, seen=place + 1)
        changed[place] = whole
        assert codes(changed)[0] == ("command", place)
        return
    if case == "stranger":
        shown = Shown(record["game"])
        bare = {name: value for name, value in record.items() if name != "sig"}
        sig = sign_command(SigningKey("x", bytes(32)), bare, shown)
    elif case == "head":
        sig["head"] = "00" * 32
    elif case == "shape":
        sig["more"] = 1
    else:
        sig["sig"] = sig["sig"].upper()
    changed[place] = canonical({**record, "sig": sig})
    assert codes(changed)[0] == ("command", place)


def test_two_commands_after_the_same_events_are_equivocation(game: list[bytes]) -> None:
    """Two different bodies of one seat, the same `seen`, both signed: evidence (ledger.md 3)."""
    place = of(game, "discarded")
    first = load(game[place])
    other = {**first, "tile": "1m" if first["tile"] != "1m" else "2m", "seq": place + 1}
    other.pop("drawn", None)
    lines = [*game[: place + 1], sign_again(game, place, other)]
    (finding,) = judge_commands(lines, GAME, 0).findings
    assert (finding.code, finding.seq) == ("equivocation", place + 1)
    assert finding.expected != finding.found
    seen = load(game[place])["sig"]["seen"]
    for body in (finding.expected, finding.found):
        assert f'"seen":{seen}' in str(body)


def test_the_signature_of_a_refused_act_is_over_what_was_tried(game: list[bytes]) -> None:
    place = of(game, "discarded")
    record = load(game[place])
    tried = {"type": "discarded", "seat": record["seat"], "tile": "E"}
    whole = load(sign_again(game, place, {**tried, "at": 1, "game": record["game"], "seq": place, "v": 1}))
    refused = {"type": "refused", "seat": record["seat"], "tried": tried, "clause": "x", "at": record["at"],
               "game": record["game"], "seq": place, "v": 1, "sig": whole["sig"]}  # fmt: skip
    assert codes([*game[:place], canonical(refused)]) == []
    refused["tried"] = {**tried, "tile": "S"}
    assert codes([*game[:place], canonical(refused)]) == [("command", place)]


def test_unsigned_decisions_of_a_seat_with_a_key_are_counted(game: list[bytes]) -> None:
    place = of(game, "discarded")
    record = load(game[place])
    del record["sig"]
    verdict = judge_commands([*game[:place], canonical(record)], GAME, 0)
    assert verdict.findings == ()
    assert [each.why for each in verdict.unchecked] == [
        f"1 decisions of seat {signed_by(game, place)[1]} are not signed"
    ]
    timed_out = canonical({**record, "auto": True})
    assert judge_commands([*game[:place], timed_out], GAME, 0).unchecked == ()


def test_the_gate_refuses_before_anything_is_appended(game: list[bytes]) -> None:
    gate = CommandGate()
    place = of(game, "discarded", 2)
    stored = game[:place]

    def before() -> Iterator[bytes]:
        return iter(stored)

    gate(GAME, 0, game[:place], lambda: iter(()))
    wrong = canonical({**load(game[place]), "tile": "1m" if load(game[place])["tile"] != "1m" else "2m"})
    with pytest.raises(Refused, match="does not hold"):
        gate(GAME, place, [wrong], before)
    gate(GAME, place, game[place:], before)  # the refusal left nothing behind
    CommandGate()(GAME, place, game[place:], before)  # nor does it need to have seen the beginning


@pytest.mark.parametrize("key", ["", "00" * 31, "01" + "00" * 31, "zz" * 32])
def test_a_weak_key_is_refused_at_enrolment(game: list[bytes], key: str) -> None:
    opened = load(game[0])
    opened["seats"][1]["key"] = key
    with pytest.raises(Refused, match="no keys, or points of low order"):
        CommandGate()(GAME, 0, [canonical(opened)], lambda: iter(()))


def test_games_without_keys_cost_nothing() -> None:
    lines = [line for chunk in play(Job("linhai", 3, 0, 0, match={"length": {"hands": 1}})) for line in chunk]
    commands = Commands(GAME)
    assert all(commands.take(line) == [] for line in lines)
    assert judge_commands(lines, GAME, 0).checked == 0


@pytest.mark.parametrize(
    "sig", [None, 7, "x", {}, {"head": 1, "seen": 2, "sig": 3}, {"head": "", "seen": -1, "sig": ""}]
)
def test_what_is_no_signature(sig: object) -> None:
    with pytest.raises(Malformed):
        read_command({"type": "x"}, sig)


def test_a_signed_ledger_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from viewer.cli import run

    url = f"sqlite:///{tmp_path}/x.db"
    assert run(["simulate", "--games", "1", "--hands", "1", "--seed", "5", "--signed", "--ledger", url]) == 0
    assert run(["verify", url]) == 0
    assert "✓ 5 commands   holds" in capsys.readouterr().out
