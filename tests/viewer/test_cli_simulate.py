"""Simulated ledgers verify, and are a function of their seed: in any process, under any hash seed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.variants import PRESETS
from viewer.cli import run
from viewer.games import games, lines

AT = "1790000000000"


def events(path: Path) -> list[bytes]:
    return [line for info in games(str(path)) for line in lines(str(path), info.id)]


def simulate(path: Path, *more: str, hash_seed: str | None = None) -> None:
    args = [
        "simulate",
        "--games",
        "3",
        "--hands",
        "2",
        "--seed",
        "7",
        "--ledger",
        f"sqlite:///{path}",
        "--at",
        AT,
        *more,
    ]
    if hash_seed is None:
        assert run(args) == 0
        return
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", f"import sys; from viewer.cli import run; sys.exit(run({args!r}))"]
    subprocess.run(command, check=True, env=environment, capture_output=True)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_plays_and_verifies(preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulate(tmp_path / "x.db", "--rules", preset)
    capsys.readouterr()
    assert run(["verify", f"sqlite:///{tmp_path}/x.db", "--json", "--jobs", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    status = {level["name"]: level["status"] for level in report["levels"]}
    assert status == {
        "policy": "holds", "checkpoint": "holds", "log": "holds", "games": "holds", "commands": "not_checkable",
        "time": "not_checkable", "replay": "holds", "receipts": "not_checkable",
    }  # fmt: skip
    assert (report["games"], report["findings"], report["unsealed"]) == (3, [], 0)
    assert report["events"] == len(events(tmp_path / "x.db"))


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    simulate(tmp_path / "a.db", hash_seed="1")
    simulate(tmp_path / "b.db", "--jobs", "2", hash_seed="2")
    simulate(tmp_path / "c.db")
    first = events(tmp_path / "a.db")
    assert first
    assert first == events(tmp_path / "b.db") == events(tmp_path / "c.db")


def test_times_aside_the_clock_changes_nothing(tmp_path: Path) -> None:
    simulate(tmp_path / "a.db")
    simulate(tmp_path / "b.db", "--at", "1780000000000")

    def bare(path: Path) -> list[dict[str, object]]:
        return [{**json.loads(line), "at": 0} for line in events(path)]

    assert bare(tmp_path / "a.db") == bare(tmp_path / "b.db")


def test_another_seed_gives_other_games(tmp_path: Path) -> None:
    simulate(tmp_path / "a.db")
    simulate(tmp_path / "b.db", "--seed", "8")
    assert not set(events(tmp_path / "a.db")) & set(events(tmp_path / "b.db"))


def test_games_are_added_to_a_ledger(tmp_path: Path) -> None:
    simulate(tmp_path / "a.db")
    simulate(tmp_path / "a.db", "--first", "3")
    simulate(tmp_path / "b.db", "--games", "6")
    assert events(tmp_path / "a.db") == events(tmp_path / "b.db")
    assert [info.gno for info in games(str(tmp_path / "a.db"))] == list(range(6))


def test_keys_and_policy_lie_beside_the_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulate(tmp_path / "a.db")
    assert "not sealed" in capsys.readouterr().err
    names = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert names["a.db.key"] == names["a.db.recovery.key"] == 0o600
    assert "a.db.policy" in names
    assert run(["keys", "show", str(tmp_path / "a.db.key"), "--policy"]) == 0
    assert capsys.readouterr().out == (tmp_path / "a.db.policy").read_text()


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
def test_two_hundred_games_hold(preset: str, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    assert run(["simulate", "--rules", preset, "--games", "200", "--seed", "7", "--ledger", f"sqlite:///{path}"]) == 0
    assert run(["verify", f"sqlite:///{path}"]) == 0
