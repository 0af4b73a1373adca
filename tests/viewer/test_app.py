"""The pages without a browser: what is shown for which ledger, and that no name gets through as Markdown."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from engine.events import load
from viewer.catalogue import catalogue
from viewer.games import games, lines
from viewer.page import shelf

APP = Path(__file__).parents[2] / "viewer" / "app.py"


def page(monkeypatch: pytest.MonkeyPatch, ledger: str, **query: str) -> AppTest:
    monkeypatch.setenv("PAIPU_LEDGER", ledger)
    monkeypatch.setattr("sys.argv", ["app.py"])
    app = AppTest.from_file(str(APP), default_timeout=120)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def sent(app: AppTest) -> dict[str, Any]:
    (mounted,) = app.get("bidi_component")
    found: dict[str, Any] = json.loads(mounted.proto.json)  # type: ignore[attr-defined]
    return found


def unpacked(app: AppTest) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(sent(app)["packed"])))
    return found


def texts(app: AppTest) -> str:
    kinds = ("markdown", "caption", "info", "error", "warning", "success")
    return "\n".join(str(element.value) for kind in kinds for element in app.get(kind))


def test_no_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page(monkeypatch, "")
    (line,) = app.info
    assert "paipu view --ledger URL" in line.value


@pytest.mark.parametrize("kind", ["missing", "text", "sqlite"])
def test_not_a_ledger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.db"
    if kind == "text":
        path.write_text("no database")
    elif kind == "sqlite":
        path.write_bytes(b"SQLite format 3\x00" + bytes(84))
    app = page(monkeypatch, f"sqlite:///{path}")
    (line,) = app.error
    assert line.value.startswith("This ledger cannot be read:")
    assert "\n" not in line.value
    assert not app.dataframe


def test_the_list_of_games(monkeypatch: pytest.MonkeyPatch, club: str) -> None:
    app = page(monkeypatch, club)
    table = app.dataframe[0].value
    assert list(table["Game"]) == [info.id for info in games(club)]
    assert list(table["Hands"]) == [4, 4, 3]
    assert list(table["Events"]) == [info.size for info in games(club)]
    assert list(table["Verdict"]) == ["✓ holds"] * 3
    (headline,) = app.success
    assert "All levels hold" in headline.value
    assert "Not checkable" in headline.value


def test_the_list_of_games_in_chinese(monkeypatch: pytest.MonkeyPatch, club: str) -> None:
    app = page(monkeypatch, club, lang="zh")
    assert list(app.dataframe[0].value.columns)[:3] == ["牌局", "核验结果", "规则"]
    assert "各层均成立" in app.success[0].value


def test_a_forged_game_is_seen_in_the_list(monkeypatch: pytest.MonkeyPatch, forged_club: str) -> None:
    app = page(monkeypatch, forged_club)
    assert list(app.dataframe[0].value["Verdict"]) == ["✗ 1 finding"]
    assert "does not hold" in app.error[0].value


def test_a_deep_link_opens_the_replay(monkeypatch: pytest.MonkeyPatch, club: str) -> None:
    game = games(club)[1].id
    app = page(monkeypatch, club, game=game, hand="2", step="31", seat="3", hands="0")
    assert sent(app)["start"] == {"hand": 2, "step": 31, "seq": -1, "seat": 3, "hide": True}
    picture = unpacked(app)["picture"]
    assert picture["game"] == game
    assert [frame["seq"] for frame in picture["frames"]] == list(range(len(lines(club, game))))


@pytest.mark.parametrize("value", ["-7", "1e3", "９", "", "99999999999999999999", "x"])
def test_a_strange_number_in_the_address_is_the_default(monkeypatch: pytest.MonkeyPatch, club: str, value: str) -> None:
    app = page(monkeypatch, club, game=games(club)[0].id, hand=value, step=value)
    assert sent(app)["start"]["step"] == 0
    assert sent(app)["start"]["hand"] == 0


def test_an_unknown_game_in_the_address(monkeypatch: pytest.MonkeyPatch, club: str) -> None:
    app = page(monkeypatch, club, game="![x](https://evil.example)")
    (line,) = app.warning
    assert line.value.endswith(r"\!\[x\]\(https\:\/\/evil\.example\)")


def test_payouts_are_those_of_the_log(monkeypatch: pytest.MonkeyPatch, club: str) -> None:
    game = games(club)[0].id
    app = page(monkeypatch, club, game=game)
    table = app.dataframe[0].value
    records = [load(line) for line in lines(club, game)]
    order = next(record["order"] for record in records if record["type"] == "seated")
    paid = [record["payments"] for record in records if record["type"] == "settled"]
    shown = [[int(str(cell).replace("−", "-")) for cell in table[player]] for player in order]
    assert [list(row) for row in zip(*shown, strict=True)] == [*paid, records[-1]["scores"]]


def test_a_finding_is_shown_with_its_clause_in_both_languages(
    monkeypatch: pytest.MonkeyPatch, forged_club: str
) -> None:
    app = page(monkeypatch, forged_club, game=games(forged_club)[0].id)
    told = texts(app)
    assert "✗ Level 7" in told
    found = [each for frame in unpacked(app)["picture"]["frames"] for each in frame.get("findings", [])]
    clause = unpacked(app)["picture"]["clauses"][found[0]["clause"]]
    plain = told.replace("\\", "")
    assert clause["en"] in plain
    assert clause["zh"] in plain
    assert [json.loads(code.value) for code in app.code[:2]] == [found[0]["expected"], found[0]["found"]]


def test_raw_events_are_the_stored_bytes_with_their_leaves(monkeypatch: pytest.MonkeyPatch, club: str) -> None:
    from hashlib import sha256

    game = games(club)[0].id
    app = page(monkeypatch, club, game=game)
    table = app.dataframe[1].value
    stored = lines(club, game)
    for seq, event, leaf in zip(table["#"], table["Event"], table["Leaf hash"], strict=True):
        assert event.encode() == stored[seq]
        assert leaf == sha256(b"\x00" + stored[seq]).hexdigest()
    assert load(stored[table["#"].iloc[0]])["type"] == "hand_started"


def test_names_never_reach_markdown(monkeypatch: pytest.MonkeyPatch, hostile_club: str) -> None:
    for app in (page(monkeypatch, hostile_club), page(monkeypatch, hostile_club, game="hostile")):
        told = texts(app)
        assert not re.search(r"<img|(?<!\\)!\[|\u202e|(?<!\\)\[a\]", told)
        for table in app.dataframe:
            assert "\u202e" not in table.value.to_string()


def test_the_component_gets_names_as_data_only(monkeypatch: pytest.MonkeyPatch, hostile_club: str) -> None:
    app = page(monkeypatch, hostile_club, game="hostile")
    picture = unpacked(app)["picture"]
    assert any("<img" in player for player in picture["players"])
    assert not any("<img" in text for frame in picture["frames"] for text in frame["words"].values())


def test_a_large_game_is_sent_hand_by_hand(monkeypatch: pytest.MonkeyPatch, club: str) -> None:
    monkeypatch.setattr("viewer.frames.TWO_MEGABYTES", 10_000)
    app = page(monkeypatch, club, game=games(club)[0].id, hand="2")
    picture = unpacked(app)["picture"]
    assert {frame["hand"] for frame in picture["frames"]} == {2}
    assert len(picture["hands"]) == 5


def test_the_verdict_is_kept_until_the_ledger_grows(monkeypatch: pytest.MonkeyPatch, club: str) -> None:
    grown = catalogue(club).stamp
    shelf.reports().clear()
    first = shelf.report(club, grown)
    monkeypatch.setattr("viewer.verdict.audit", lambda url: pytest.fail(f"{url} was audited again"))
    assert shelf.report(club, grown) is first is shelf.known(club, grown)
    assert shelf.known(club, (grown[0] + 1, grown[1] + 1)) is None
