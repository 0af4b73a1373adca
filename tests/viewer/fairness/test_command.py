"""`paipu fairness`: what it reads, what it says, the plan, completeness, classes, the report, exit codes."""

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from logs import TILES, deck_file, foreign_game, game_file
from shufflers import fair, naive

from engine.cards import card_deck
from engine.events import canonical
from engine.variants import PRESETS
from viewer.cli import run
from viewer.fairness.plan import Plan
from viewer.fairness.profiles import PROFILES

ROOT = Path(__file__).parents[3]
QUICK = ["--seed-window", "5", "--seed-window-ms", "5", "--jobs", "1"]


def result(capsys: pytest.CaptureFixture[str], *args: str | Path, code: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["fairness", *map(str, args), *QUICK, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def rows(found: dict[str, Any], deck: int = 0) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in found["decks"][deck]["rows"]}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('club') / 'club.db'}"
    for rules in ("linhai", "niuniu", "forty"):
        assert run(["simulate", "--rules", rules, "--games", "3", "--hands", "4", "--seed", "5", "--ledger", url]) == 0
    return url


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("decks") / "control.txt"
    return deck_file(path, TILES, fair(np.random.default_rng(1), 1_200, 136))


def test_a_ledger_is_read_whole(club: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = result(capsys, club)
    assert found["verdict"] == "no departure found"
    assert found["completeness"] == {"status": "holds", "why": ""}
    assert found["games"] == 9
    assert [(deck["deck"]["n"], deck["hands"], deck["walls"]) for deck in found["decks"]] == [
        (136, 12, 12), (54, 12, 12), (54, 12, 12)
    ]  # fmt: skip
    assert found["T0"]["compared"]["walls"] == 36
    assert found["T0"]["compared"]["values"] > 36
    assert rows(found)["T6"]["status"] == "tested"
    assert rows(found)["T1"]["why"] == "12 of at least 200 needed"
    assert found["findings"] == []


def test_a_ledger_and_its_exported_decks_count_the_same(
    club: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "decks.txt"
    assert run(["export", "decks", "--ledger", club, "--rules", "linhai", "-o", str(path)]) == 0
    one, other = result(capsys, club, "--rules", "linhai"), result(capsys, path)
    assert one["T0"]["compared"]["walls"] == other["T0"]["compared"]["walls"] == 12
    ours, theirs = rows(one)["T6"]["statistics"], rows(other)["T6"]["statistics"]
    assert ours == theirs


def test_fair_decks_of_a_file_and_two_processes(decks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = result(capsys, decks)
    assert {key for key, row in rows(found).items() if row["status"] == "tested"} == {
        f"T{number}" for number in range(1, 12)
    }
    assert found["verdict"] == "no departure found"
    assert found["completeness"]["status"] == "not_checkable"
    capsys.readouterr()
    assert run(["fairness", str(decks), *QUICK[:-1], "2", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    for each in (found, again):
        each["decks"][0]["T14"].pop("full_search_hours")
    assert again == found


def test_a_statistic_with_a_long_name_is_told_with_its_value(decks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = result(capsys, decks)
    assert run(["fairness", str(decks), *QUICK]) == 0
    out = capsys.readouterr().out
    tested = [row for row in rows(found).values() if row.get("statistics")]
    for row in tested:
        least = min(row["statistics"], key=lambda each: each["p"])
        assert f"{least['name']} {least['value']:.5g}" in out
    assert any(len(min(row["statistics"], key=lambda each: each["p"])["name"]) > 30 for row in tested)


def test_a_deck_file_from_standard_input(decks: Path) -> None:
    command = (
        "import sys; from viewer.cli import main; main(['fairness', '-', '--jobs', '1', '--tests', 'T4', '--json'])"
    )
    with decks.open("rb") as file:
        done = subprocess.run([sys.executable, "-c", command], stdin=file, capture_output=True, check=True, cwd=ROOT)
    assert json.loads(done.stdout)["decks"][0]["walls"] == 1_200


@pytest.mark.parametrize("preset", PRESETS)
def test_every_variants_opening_hands_lie_in_its_walls(
    preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    assert run(["simulate", "--rules", preset, "--games", "1", "--hands", "4", "--seed", "8", "--ledger", url]) == 0
    found = result(capsys, url, "--tests", "T0,T11")
    deck = found["decks"][0]
    assert deck["hands"] == deck["walls"] > 0
    assert rows(found)["T11"]["n"] == deck["hands"]  # every opening hand was whole


def test_tiles_exchanged_between_opening_hands_are_not_the_walls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    assert run(["simulate", "--games", "1", "--hands", "2", "--seed", "8", "--ledger", url]) == 0
    path = tmp_path / "g.paipu.jsonl"
    assert run(["export", "linhai-s8-00000", "--ledger", url, "-o", str(path)]) == 0
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    one, other = [record for record in records if record["type"] == "dealt"][4:6]
    one["tiles"][0], other["tiles"][0] = other["tiles"][0], one["tiles"][0]
    lines = [canonical(record) for record in records]
    found = result(capsys, game_file(tmp_path, lines, "forged"), code=1)
    assert [(each["code"], each["where"]) for each in found["findings"]] == [("not_the_wall", "linhai-s8-00000 hand 1")]


def test_a_biased_file_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = deck_file(tmp_path / "naive.txt", TILES, naive(np.random.default_rng(2), 300, 136))
    found = result(capsys, path, code=1)
    assert found["verdict"] == "departure found"
    assert {finding["row"] for finding in found["findings"]} >= {"T1", "T4"}
    assert "T0" not in {finding["row"] for finding in found["findings"]}


def test_the_words_never_say_fair(club: str, decks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for target in (club, str(decks)):
        capsys.readouterr()
        assert run(["fairness", target, *QUICK]) == 0
        out = capsys.readouterr().out
        assert re.search(r"\bfair\b", out.replace("paipu fairness", "")) is None
        assert "no departure found in" in out
        assert "exploratory" in out
        assert "least bias seen with power 0.9" in out


def test_a_wall_given_twice_is_named_with_both_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walls = fair(np.random.default_rng(3), 50, 136)
    walls[40] = walls[7]
    found = result(capsys, deck_file(tmp_path / "d.txt", TILES, walls), code=1)
    codes = {finding["code"]: finding["where"] for finding in found["findings"]}
    assert set(codes) == {"repeated_wall", "repeated_deal"}
    assert re.fullmatch(r".*d\.txt line 9, .*d\.txt line 42", codes["repeated_wall"])


def test_lines_that_are_no_walls_are_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = deck_file(tmp_path / "d.txt", TILES, fair(np.random.default_rng(4), 20, 136))
    path.write_text(path.read_text().replace("E.0", "E.1", 3))
    found = result(capsys, path, code=1)
    assert {finding["code"] for finding in found["findings"]} == {"not_the_deck"}


# --- the plan ----------------------------------------------------------------------------------------------------


def test_the_plan_is_hashed_and_registered_before(
    decks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.json"
    assert run(["fairness", "--tests", "T1,T4,T6", "--deals", "1200", "--write-plan", str(plan)]) == 0
    digest = capsys.readouterr().out.split()[1]
    assert run(["fairness", str(decks), "--plan", str(plan), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["registered"] is True
    assert found["plan_sha256"] == digest
    assert list(rows(found)) == ["T1", "T4", "T6"]
    assert found["decks"][0]["T14"] is None
    assert run(["fairness", str(decks), "--plan", str(plan), "--alpha", "0.05"]) == 2
    assert run(["fairness", str(decks), "--alpha", "nan"]) == 2
    assert "differs from the plan" in capsys.readouterr().err


def test_another_sample_than_the_plans_is_exploratory(
    decks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text(Plan(tests=("T4",), deals=5_000).text())
    assert run(["fairness", str(decks), "--plan", str(plan), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["registered"] is False
    assert found["why_exploratory"] == "the plan names 5000 deals, these are 1200"


def test_every_choice_changes_the_digest() -> None:
    others = [Plan(alpha=0.05), Plan(tests=("T1",)), Plan(rules="linhai"), Plan(deals=7), Plan(seed=2), Plan(wild="P"),
              Plan(since=1), Plan(seed_ms=0)]  # fmt: skip
    assert len({plan.digest() for plan in [Plan(), *others]}) == 9


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"format":2}', '{"tests":["T99"]}', '{"tests":[]}', '{"alpha":"x"}', '{"alpha":2}', '{"more":1}',
     '{"profile":"none"}', '{"deals":true}', "[" * 9_999],
)  # fmt: skip
def test_what_is_no_plan_is_refused(text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    assert run(["fairness", "x.txt", "--plan", str(path)]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_has_its_alpha_and_answers_its_demands(
    profile: str, decks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.html"
    found = result(capsys, decks, "--profile", profile, "--tests", "T0,T4", "--html", report)
    assert found["plan"]["alpha"] == PROFILES[profile].alpha
    text = report.read_text()
    for asked, _ in PROFILES[profile].demands:
        assert asked in text


def test_a_dashboard_only_asks_for_a_review(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = deck_file(tmp_path / "naive.txt", TILES, naive(np.random.default_rng(2), 300, 136))
    found = result(capsys, path, "--profile", "dashboard")
    assert found["findings"] == []
    assert {"T1", "T4"} <= {review["row"] for review in found["reviews"]}


# --- completeness first ------------------------------------------------------------------------------------------


def test_a_log_with_a_missing_game_is_inconclusive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "club.db"
    url = f"sqlite:///{path}"
    assert run(["simulate", "--games", "3", "--hands", "2", "--seed", "6", "--ledger", url]) == 0
    database = sqlite3.connect(path)
    triggers = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
    for name in triggers:
        database.execute(f"DROP TRIGGER {name}")
    database.execute("DELETE FROM events WHERE game = 'linhai-s6-00001'")
    database.commit()
    database.close()
    found = result(capsys, url, code=1)
    assert found["verdict"] == "inconclusive"
    assert found["completeness"]["status"] == "failed"


def test_a_missing_hand_is_inconclusive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walls = fair(np.random.default_rng(5), 4, 136).tolist()
    lines = foreign_game("g", walls)
    records = [json.loads(line) for line in lines]
    first = next(place for place, record in enumerate(records) if record.get("hand") == 1)
    last = next(place for place, record in enumerate(records) if record.get("hand") == 2)
    kept = [*records[:first], *records[last:]]
    rewritten = [
        json.dumps({**record, "seq": seq}, sort_keys=True, separators=(",", ":")).encode()
        for seq, record in enumerate(kept)
    ]
    found = result(capsys, game_file(tmp_path, rewritten, "g"), code=1)
    assert found["verdict"] == "inconclusive"
    assert "hands are missing" in found["completeness"]["why"]


# --- what there is in logs without seeds -------------------------------------------------------------------------


def test_logs_without_seeds_get_what_was_dealt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(6)
    files = [
        game_file(
            tmp_path,
            foreign_game(f"g{number}", fair(rng, 60, 136).tolist(), dice=rng.integers(1, 7, (60, 4))),
            str(number),
        )
        for number in range(10)
    ]
    found = result(capsys, *files)
    deck = found["decks"][0]
    assert (deck["hands"], deck["walls"]) == (600, 0)
    assert rows(found)["T11"]["status"] == "tested"
    assert rows(found)["T12"]["status"] == "tested"
    assert {each["question"] for each in deck["power"]} >= {"one face of a die", "wild: 4 of 136 in the dealer's 14"}
    assert not any("position" in each["question"] for each in deck["power"])
    assert rows(found)["T1"]["status"] == "not_checkable"
    said = " ".join(found["not_checkable"])
    assert "protocol none" in said
    assert "walls of 600 of 600 hands" in said
    assert "T14 seed attack" in said


def test_a_tile_dealt_too_often_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wall = list(range(136))
    wall[20] = 0
    wall[24] = 0
    found = result(capsys, game_file(tmp_path, foreign_game("g", [wall]), "g"), code=1)
    assert [(each["code"], each["where"]) for each in found["findings"]] == [("surplus_tile", "g hand 0")]


def test_classes_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who is new gets the honours: seen by class, and by nobody's seat number alone."""
    rng = np.random.default_rng(7)
    paths = []
    for number in range(9):
        walls = fair(rng, 230, 136)
        for wall in walls:
            mine = [place for place in (0, 1, 2, 3, 16, 17) if wall[place] < 108]
            other = [place for place in range(60, 136) if wall[place] >= 108]
            if rng.random() < 0.3 and mine and other:
                wall[mine[0]], wall[other[0]] = wall[other[0]], wall[mine[0]]
        paths.append(game_file(tmp_path, foreign_game(f"g{number}", walls.tolist()), f"g{number}"))
    classes = tmp_path / "classes.csv"
    classes.write_text("player,class\nan,new\nbo,paying\nchen,paying\nding,paying\n")
    found = result(capsys, *paths, "--classes", classes, "--tests", "T13", code=1)
    by = {each["name"].split(":")[0]: each["p"] for each in rows(found)["T13"]["statistics"]}
    assert by["class"] == pytest.approx(1e-4)
    assert found["plan"]["classes"]
    assert "class" not in {
        each["name"].split(":")[0]
        for each in rows(result(capsys, *paths, "--tests", "T13", code=1))["T13"]["statistics"]
    }


def test_real_tenhou_logs(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted((shared / "vectors" / "tenhou").glob("*.mjlog"))
    assert len(files) >= 30
    found = result(capsys, *files, "--tests", "T0,T1,T4,T5,T6,T8,T9")
    assert found["verdict"] == "no departure found"
    deck = found["decks"][0]
    assert deck["hands"] == deck["walls"] > 200
    assert found["notes"]  # some files are cuts of one game
    assert all(row["status"] == "tested" for row in deck["rows"])


# --- the report --------------------------------------------------------------------------------------------------


def test_the_report_is_one_file_without_scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walls = naive(np.random.default_rng(8), 250, 52)
    path = deck_file(tmp_path / "a<b&c.txt", card_deck(jokers=False), walls)
    report = tmp_path / "report.html"
    found = result(capsys, path, "--html", report, code=1)
    text = report.read_text()
    assert text.count("data:image/png;base64,") == 3
    assert "DEPARTURE FOUND" in text
    assert "a<b" not in text.replace("a\\u003cb", "")
    assert text.count("<script") == 1
    assert '<script type="application/json"' in text
    embedded = json.loads(text.partition('id="result">')[2].partition("</script>")[0])
    assert embedded == found
    assert not re.search(r'(src|href)="http', text)
    for row in rows(found):
        assert f"<td>{row}</td>" in text
    assert "not checkable: no dice in these logs" in text
    assert "<h3>Power" in text


# --- bad input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["no-such-file"],
        ["{decks}", "--tests", "T1,T77"],
        ["{decks}", "--wild", "joker"],
        ["{decks}", "--since", "yesterday"],
        ["{decks}", "--alpha", "1"],
        ["{decks}", "--classes", "{decks}"],
        ["{decks}", "--html", "/no/such/folder/x.html"],
        ["{decks}", "--layout", "bridge"],
        ["{decks}", "--scheduler", "tcp://127.0.0.1:1"],
        ["{empty}"],
        ["{decks}", "--classes", "{bytes}"],
        ["{decks}", "--plan", "{bytes}"],
        ["{decks}", "--plan", "{deep}"],
        ["sqlite:///no-such.db"],
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    args: list[str], decks: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAIPU_LEDGER", raising=False)
    monkeypatch.setattr("viewer.batch.executor.CONNECT_SECONDS", 1)
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "deep").write_text("[" * 5000 + "]" * 5000)
    named = {name: tmp_path / name for name in ("empty", "bytes", "deep")}
    filled = [arg.format(decks=decks, **named) for arg in args]
    assert run(["fairness", *filled, "--jobs", "1"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("paipu: ")
    assert err.count("\n") == 1, err
    assert "codec" not in err
