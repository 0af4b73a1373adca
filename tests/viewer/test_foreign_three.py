"""A table of three through the commands: verified, replayed, imported, its decks exported and counted."""

import json
import sys
from pathlib import Path

import pytest

from engine.formats import tenhou
from viewer import foreign, frames
from viewer.cli import run

sys.path.insert(0, str(Path(__file__).parents[1] / "generate"))


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import riichi_game

    path = tmp_path_factory.mktemp("three") / "three.mjlog"
    path.write_text(tenhou.write(riichi_game.play(5, pace=riichi_game.Pace(type=0xB9, calls=True))))
    return path


def test_a_table_of_three_holds_with_its_wall(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(three), "--json", "--jobs", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    checks = {each["code"]: each["status"] for each in report["deal"]["checks"]}
    assert [code for code, said in checks.items() if said == "holds"] == ["V5", "V9", "V12"]
    assert "seats" not in {each["code"] for each in report["not_checkable"]}


def test_a_north_set_aside_stands_apart_in_every_frame(three: Path) -> None:
    other = foreign.read(str(three))
    assert other is not None
    lines = foreign.lines(other)
    whole = frames.picture(lines)
    assert (len(whole["players"]), len(whole["frames"])) == (3, len(lines))
    norths = 0
    for frame in whole["frames"]:
        assert frame["standing"] == "lawful"
        for seat in frame["seats"]:
            assert set(seat["flowers"]) <= {"N"}
            norths = max(norths, len(seat["flowers"]))
            held = len(seat["hand"]) + ("drawn" in seat) + 3 * len(seat["melds"])
            assert held in ({13} if frame["type"] == "flower" else {0, 13, 14})
    assert norths >= 2


def test_its_decks_of_108_are_exported_and_counted(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "decks", str(three)]) == 0
    text = capsys.readouterr().out
    head, *rows = text.splitlines()
    assert len(head.split()) == 109
    assert not {f"{rank}m.0" for rank in range(2, 9)} & set(head.split())
    assert all(sorted(row.split()) == sorted(head.split()[1:]) for row in rows)
    assert run(["fairness", str(three), "--json"]) == 0
    (deck,) = json.loads(capsys.readouterr().out)["decks"]
    assert (deck["deck"]["n"], deck["deck"]["layout"], deck["walls"]) == (108, "riichi3", len(rows))


def test_it_is_imported_into_a_ledger_and_verified_there(three: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    assert run(["import", str(three), "--ledger", url]) == 0
    assert run(["verify", "--ledger", url, "--jobs", "1"]) == 0
