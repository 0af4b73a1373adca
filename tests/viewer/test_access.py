"""Roles, the users file, the access log; a player's picture without a hidden tile."""

import json
import os
from pathlib import Path

import pytest

from engine.events import load
from engine.view import View, shown_now
from ledger.errors import LedgerError, Malformed
from viewer import access, frames, redact
from viewer.access import Person, Users, allowed, note, parse_as, read_users
from viewer.games import games, lines

GOOD = """
[users."alice"]
role = "player"
players = ["p-1", "p-2"]
[users.bob]
role = "regulator"
[users.carol]
role = "operator"
by = "judge-1"
"""


@pytest.fixture
def users(tmp_path: Path) -> Path:
    path = tmp_path / "users.toml"
    path.write_text(GOOD)
    return path


def test_the_users_file_says_who_is_who(users: Path) -> None:
    found = read_users(users)
    assert found["alice"] == Person("alice", "player", ("p-1", "p-2"))
    assert found["bob"].may("proof")
    assert found["carol"] == Person("carol", "operator", by="judge-1")
    assert not found["alice"].may("proof")
    assert found["alice"].plays(["p-2", "x"])
    assert not found["alice"].plays(["x"])
    assert found["bob"].plays(["x"])


@pytest.mark.parametrize(
    "text",
    [
        "users = 3",
        "[users.a]\nrole = 'admin'",
        "[users.a]\nrole = 'player'",
        "[users.a]\nrole = 'player'\nplayers = 'p'",
        "[users.a]\nrole = 'player'\nplayers = ['']",
        "[users.a]\nrole = 'operator'\nplayers = ['p']",
        "[users.a]\nrole = 'operator'\nadmin = true",
        "[users.a]\nrole = 'operator'\nby = ''",
        "[users.a]\nrole = 'regulator'\nby = 'r'",
        "[users.a]\nrole = 'operator'\n[other]",
        "not toml",
        "",
    ],
)
def test_a_users_file_at_fault_lets_nobody_in(users: Path, text: str) -> None:
    known = Users(users)
    assert known.find("alice") is not None
    users.write_text(text)
    with pytest.raises(LedgerError):
        read_users(users)
    assert known.find("alice") is None
    users.write_text(GOOD)
    assert known.find("alice") is not None
    users.unlink()
    assert known.find("alice") is None


def test_the_subject_comes_from_the_header_or_the_login(users: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = Users(users)
    monkeypatch.delenv(access.HEADER, raising=False)
    login = {"is_logged_in": True, "sub": "bob"}
    assert allowed({"X-User": "alice"}, {}, known) is None, "a header counts only where the proxy was named"
    assert allowed({}, login, known) == Person("bob", "regulator")
    assert allowed({}, {"is_logged_in": False, "sub": "bob"}, known) is None
    monkeypatch.setenv(access.HEADER, "X-User")
    person = allowed({"X-User": "alice"}, login, known)
    assert person is not None
    assert person.role == "player"
    assert allowed({}, login, known) is None
    assert allowed({"X-User": "mallory"}, login, known) is None


def test_without_users_everyone_is_the_operator_or_as_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(access.AS, raising=False)
    assert allowed({}, {}, None) == access.OPERATOR
    monkeypatch.setenv(access.AS, "player:p-1")
    person = allowed({}, {}, None)
    assert person is not None
    assert (person.role, person.players) == ("player", ("p-1",))


@pytest.mark.parametrize("text", ["", "admin", "player", "player:", "operator:p", "regulator:x"])
def test_as_takes_roles_alone(text: str) -> None:
    with pytest.raises(Malformed):
        parse_as(text)


def test_the_access_log_is_appended_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "access.jsonl"
    monkeypatch.setenv(access.LOG, str(path))
    note(Person("bob\n", "regulator"), "replay", game="g-1", hand=0, seq=None)
    note(None, "games")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(row["subject"], row["role"], row["page"]) for row in rows] == [
        ("bob\n", "regulator", "replay"),
        ("", "stranger", "games"),
    ]
    assert rows[0]["hand"] == 0
    assert "seq" not in rows[0]
    assert os.stat(path).st_mode & 0o777 == 0o600  # noqa: PTH116  the mode is the point
    monkeypatch.setenv(access.LOG, str(tmp_path))
    with pytest.raises(OSError, match="directory"):
        note(None, "games")


def test_pseudonyms_are_stable_and_tell_nothing() -> None:
    assert access.pseudonym("p-1") == access.pseudonym("p-1") != access.pseudonym("p-2")
    assert "p-1" not in access.pseudonym("p-1")


def test_pseudonyms_of_a_key_file_outlive_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = access.pseudonym("p-1")
    path = tmp_path / "names.key"
    monkeypatch.setenv(access.PSEUDONYMS, str(path))
    kept = access.pseudonym("p-1")
    assert kept != own
    assert path.stat().st_mode & 0o777 == 0o600
    access.read_pseudonym_key.cache_clear()
    assert access.pseudonym("p-1") == kept
    path.write_text("short\n")
    access.read_pseudonym_key.cache_clear()
    with pytest.raises(Malformed):
        access.read_pseudonym_key(path)
    with pytest.raises(LedgerError):
        access.read_pseudonym_key(tmp_path / "no" / "folder")


def test_ids_are_masked_as_words() -> None:
    told = access.masked("p-1 paid p-12, not xp-1; p-1.", ["p-1", "p-12", ""])
    one, other = access.pseudonym("p-1"), access.pseudonym("p-12")
    assert told == f"{one} paid {other}, not xp-1; {one}."
    assert access.masked("as it is", []) == "as it is"
    dragon = access.pseudonym("李小龙")
    assert access.masked("昨天李小龙赢了p-1的钱", ["李小龙", "p-1"]) == f"昨天{dragon}赢了{one}的钱"
    assert access.masked("x<b>y", ["<b>"]) == f"x{access.pseudonym('<b>')}y"


def open_lines(club: str, number: int) -> list[bytes]:
    """A game cut off in the middle of its second hand."""
    stored = lines(club, games(club)[number].id)
    starts = [place for place, line in enumerate(stored) if b'"type":"hand_started"' in line]
    return stored[: (starts[1] + starts[2]) // 2]


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("seat", [0, 3])
def test_a_players_picture_holds_no_tile_of_the_others(club: str, number: int, seat: int) -> None:
    stored = open_lines(club, number)
    whole = frames.picture(stored)
    told = redact.redacted(whole, stored, seat)
    view = View(seat)
    for line in stored:
        view.first_shown(load(line))
    hand = whole["hands"][-1]["hand"]
    hidden = 0
    for before, after in zip(whole["frames"], told["frames"], strict=True):
        if after["hand"] != hand:
            continue
        for place, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
            if place == view.place:
                assert new == old
                continue
            hidden += len(new["hand"])
            assert set(new["hand"]) <= {redact.BACK}
            assert new.get("drawn", redact.BACK) == redact.BACK
            assert "locks" not in new
            assert "note" not in new
        assert "findings" not in after
        assert all(each["seat"] == view.place for each in after.get("could", ()))
        assert all(each["seat"] == view.place for each in after.get("window", {"asked": []})["asked"])
    assert hidden
    for before, line, shown in zip(told["frames"], stored, shown_now(stored, seat), strict=True):
        if line != shown:
            assert "last" not in before
            assert before["words"] != whole["frames"][before["seq"]]["words"] or before["type"] in {"dealt", "entropy"}


def test_revealed_hands_and_closed_games_are_whole(club: str) -> None:
    stored = open_lines(club, 0)
    whole = frames.picture(stored)
    told = redact.redacted(whole, stored, 1)
    first = [frame for frame in whole["frames"] if frame["hand"] == 0]
    assert [frame for frame in told["frames"] if frame["hand"] == 0] == first
    closed = lines(club, games(club)[0].id)
    whole = frames.picture(closed)
    assert redact.redacted(whole, closed, 1) is whole


def test_a_stranger_has_no_seat(club: str) -> None:
    stored = lines(club, games(club)[0].id)
    assert redact.seat_of(stored, ["nobody"]) is None
    assert redact.seat_of(stored, [games(club)[0].players[2]]) == 2
    assert redact.seat_of([b"{}"], ["x"]) is None
    assert redact.seat_of([], ["x"]) is None
