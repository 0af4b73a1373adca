"""Every page for every role: what is shown, what is refused, what is logged; no name gets through as Markdown."""

import base64
import gzip
import json
from pathlib import Path

import pytest
from one_page import open_page, told
from streamlit.testing.v1 import AppTest

from engine.events import load
from ledger.log import Log
from viewer import access, cases
from viewer.access import PAGES, pseudonym
from viewer.cases import Subject
from viewer.cli import run
from viewer.games import games, lines
from viewer.judgement import ENGINE
from viewer.targets import open_log, read_ledger

APP = Path(__file__).parents[2] / "viewer" / "app.py"
AT = 1_900_000_000_000
HOSTILE = "![x](https://evil.example/p.png) <b>付错</b> \u202e"


@pytest.fixture(scope="module")
def half(club: str, hostile_club: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger with a game in play, a game of others, and a case with hostile words."""
    url = f"sqlite:///{tmp_path_factory.mktemp('half') / 'half.db'}"
    log, _ = open_log(url, operator="simulated", clock=lambda: AT)
    with log:
        stored = lines(club, games(club)[0].id)
        starts = [place for place, line in enumerate(stored) if b'"type":"hand_started"' in line]
        log.append(games(club)[0].id, 0, stored[: (starts[1] + starts[2]) // 2], seal=True)
        other = games(hostile_club)[0].id
        log.append(other, 0, lines(hostile_club, other), seal=True, close=True)
        dispute(log, url, games(club)[0].id)
    return url


def dispute(log: Log, url: str, game: str) -> None:
    cases.open_case(log, url, "case-1", Subject(game, 0), by=HOSTILE, claim=HOSTILE, jurisdiction="nj", at=AT)
    cases.decide(log, url, "case-1", by="j", outcome="upheld", reason=HOSTILE, at=AT)


def player(ledger: str) -> str:
    return games(ledger)[0].players[1]


def payload(found: AppTest) -> dict[str, object]:
    (mounted,) = found.get("bidi_component")
    sent = json.loads(mounted.proto.json)  # type: ignore[attr-defined]
    unpacked: dict[str, object] = json.loads(gzip.decompress(base64.b64decode(sent["packed"])))
    return unpacked


@pytest.mark.parametrize("role", ["operator", "regulator", "player", "stranger"])
@pytest.mark.parametrize("page", sorted(PAGES["operator"]))
def test_every_page_opens_for_those_it_is_for_and_for_nobody_else(
    monkeypatch: pytest.MonkeyPatch, half: str, page: str, role: str, tmp_path: Path
) -> None:
    given = f"player:{player(half)}" if role == "player" else role
    if role == "stranger":
        users = tmp_path / "users.toml"
        users.write_text("[users.a]\nrole = 'operator'\n")
        monkeypatch.setenv(access.USERS, str(users))
    found = open_page(monkeypatch, half, page, given)
    text = told(found)
    assert ("not for your role" in text) == (role != "stranger" and page not in PAGES[role]), text
    assert ("not known here" in text) == (role == "stranger")
    drawn = len(found.markdown) + len(found.dataframe) + len(found.table) + len(found.get("bidi_component"))
    assert bool(drawn + len(found.caption) > 1) == (page in PAGES.get(role, ())), "nothing but the refusal is drawn"


@pytest.mark.parametrize("role", ["operator", "regulator", "player"])
def test_the_foot_says_what_a_page_is_about(monkeypatch: pytest.MonkeyPatch, half: str, role: str) -> None:
    game = games(half)[0].id
    found = whole_app(monkeypatch, half, f"player:{player(half)}" if role == "player" else role, game)
    assert set(found.session_state["pages"]) == PAGES["operator"] == PAGES["regulator"] > PAGES["player"]
    foot = found.caption[-1].value.replace("\\", "")
    reader = read_ledger(half)
    head = reader.head()
    reader.close()
    assert head is not None
    assert f"root {head.root.hex()}" in foot
    assert ENGINE in foot
    digest = load(lines(half, game)[0])["rules"]["digest"]
    assert f"rules linhai.144 {digest[:16]}" in foot
    assert ("finding" in foot.lower()) == (role != "player")


def whole_app(monkeypatch: pytest.MonkeyPatch, ledger: str, role: str, game: str) -> AppTest:
    monkeypatch.setenv("PAIPU_LEDGER", ledger)
    monkeypatch.setenv(access.AS, role)
    monkeypatch.setattr("sys.argv", ["app.py"])
    found = AppTest.from_file(str(APP), default_timeout=120)
    found.query_params["game"] = game
    found.run()
    assert not found.exception
    return found


def shown_tiles(unpacked: dict[str, object], hand: int) -> list[tuple[int, int, list[str]]]:
    """Seat by seat the tiles in hand that a payload's frames of one hand hold."""
    frames = unpacked["picture"]["frames"]  # type: ignore[index]
    return [
        (frame["seq"], seat, view["hand"] + [view.get("drawn", "back")])
        for frame in frames
        if frame["hand"] == hand
        for seat, view in enumerate(frame["seats"])
    ]


def test_a_players_payload_holds_no_hidden_tile(monkeypatch: pytest.MonkeyPatch, half: str) -> None:
    game = games(half)[0].id
    whole = shown_tiles(payload(open_page(monkeypatch, half, "replay", "operator", game=game)), 1)
    found = open_page(monkeypatch, half, "replay", f"player:{player(half)}", game=game)
    mine = shown_tiles(payload(found), 1)
    assert [each[:2] for each in mine] == [each[:2] for each in whole]
    own = {seat for _, seat, tiles in mine if set(tiles) != {"back"}}
    assert len(own) == 1
    assert [each for each in mine if each[1] in own] == [each for each in whole if each[1] in own]
    raws = [json.loads(frame["raw"]) for frame in payload(found)["picture"]["frames"]]  # type: ignore[index]
    started = max(each["seq"] for each in raws if each["type"] == "hand_started")
    later = [each for each in raws if each["seq"] > started and each.get("seat") not in own]
    assert not [each for each in later if each["type"] == "dealt" and "tiles" in each]
    assert not [each for each in later if each["type"] == "drawn" and "tile" in each]
    stored = {load(line)["seq"]: line.decode() for line in lines(half, game)}
    drawn = payload(found)["picture"]["frames"]  # type: ignore[index]
    sent = {frame["seq"]: frame["raw"] for frame in drawn}
    assert sent != stored
    assert [frame.get("cut", False) for frame in drawn] == [stored[seq] != line for seq, line in sent.items()]
    everything = json.dumps([frame.value.to_dict() for frame in found.dataframe], ensure_ascii=False, default=str)
    hidden = [line for seq, line in stored.items() if sent[seq] != line]
    assert hidden
    assert not [line for line in hidden if json.dumps(line)[1:-1] in everything]


def test_a_player_sees_his_own_games_alone(monkeypatch: pytest.MonkeyPatch, half: str) -> None:
    other = games(half)[1].id
    found = open_page(monkeypatch, half, "replay", f"player:{player(half)}", game=other)
    assert other in told(found).replace("\\", "")
    assert payload(found)["picture"]["game"] == games(half)[0].id  # type: ignore[index]
    nobody = open_page(monkeypatch, half, "games", "player:nobody")
    assert not nobody.dataframe
    assert not nobody.get("bidi_component")


def test_a_regulator_sees_pseudonyms_until_he_asks_and_that_is_logged(
    monkeypatch: pytest.MonkeyPatch, half: str, tmp_path: Path
) -> None:
    log = tmp_path / "access.jsonl"
    monkeypatch.setenv(access.LOG, str(log))
    game = games(half)[0].id
    found = open_page(monkeypatch, half, "replay", "regulator", game=game)
    name = player(half)
    everything = json.dumps(payload(found), ensure_ascii=False) + told(found)
    everything += json.dumps([each.value.to_dict() for each in found.dataframe], default=str)
    assert name not in everything
    assert pseudonym(name) in everything
    assert "logged" in told(found)
    found.toggle(key="names_asked").set_value(True).run()
    assert name in json.dumps(payload(found), ensure_ascii=False)
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert {row["role"] for row in rows} == {"regulator"}
    assert any(row.get("names") and row["page"] == "replay" and row["game"] == game for row in rows)


def test_refusals_and_strangers_are_logged(monkeypatch: pytest.MonkeyPatch, half: str, tmp_path: Path) -> None:
    log = tmp_path / "access.jsonl"
    monkeypatch.setenv(access.LOG, str(log))
    open_page(monkeypatch, half, "proof", f"player:{player(half)}")
    users = tmp_path / "users.toml"
    users.write_text("[users.a]\nrole = 'operator'\n")
    monkeypatch.setenv(access.USERS, str(users))
    found = open_page(monkeypatch, half, "games", "")
    assert "not known here" in told(found)
    assert not found.dataframe
    assert "No login is set up" in told(found)
    assert not found.button
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(row["role"], row["page"], row["refused"]) for row in rows] == [
        ("player", "proof", True),
        ("stranger", "games", True),
    ]


def test_a_log_that_cannot_be_written_shows_nothing(monkeypatch: pytest.MonkeyPatch, half: str, tmp_path: Path) -> None:
    monkeypatch.setenv(access.LOG, str(tmp_path))
    found = open_page(monkeypatch, half, "games", "regulator")
    assert "cannot be written" in told(found)
    assert not found.dataframe


@pytest.mark.parametrize("language", ["en", "zh"])
def test_disputes_show_words_as_text(monkeypatch: pytest.MonkeyPatch, half: str, language: str) -> None:
    found = open_page(monkeypatch, half, "disputes", "operator", lang=language)
    text = told(found)
    assert "case-1" in text.replace("\\", "")
    assert "付错" in text
    assert "\u202e" not in text
    assert "![x](https" not in text
    assert ("upheld" if language == "en" else "支持") in text
    found.button(key="bundle").click().run()
    assert not found.exception
    assert len(found.get("download_button")) == 2


def test_a_ledger_without_cases_says_how_to_open_one(monkeypatch: pytest.MonkeyPatch, club: str) -> None:
    found = open_page(monkeypatch, club, "disputes", "operator")
    assert "“Open a case”" in told(found)


@pytest.mark.parametrize(
    "options",
    [
        ["--host", "0.0.0.0"],
        ["--host", "example.org"],
        ["--as", "admin"],
        ["--user-header", "X-User"],
        ["--users", "nowhere.toml"],
        ["--notes", "nowhere/notes"],
        ["--pseudonym-key", "nowhere/names.key"],
        ["--users", "nowhere.toml", "--as", "operator"],
    ],
)
def test_view_refuses_what_would_let_everyone_in(club: str, options: list[str]) -> None:
    assert run(["view", "--ledger", club, *options]) == 2


def test_the_whole_app_shows_a_stranger_nothing(monkeypatch: pytest.MonkeyPatch, half: str, tmp_path: Path) -> None:
    users = tmp_path / "users.toml"
    users.write_text("[users.a]\nrole = 'operator'\n")
    monkeypatch.setenv("PAIPU_LEDGER", half)
    monkeypatch.setenv(access.USERS, str(users))
    monkeypatch.setattr("sys.argv", ["app.py"])
    found = AppTest.from_file(str(APP), default_timeout=120)
    found.query_params["game"] = games(half)[0].id
    found.run()
    assert not found.exception
    assert not found.get("bidi_component")
    assert not found.dataframe
    assert games(half)[0].id not in told(found).replace("\\", "")
