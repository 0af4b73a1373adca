"""Simulated card tables: as many seats as asked for, escapes among the acts, the same bytes from the same seed."""

from collections import Counter
from pathlib import Path

import pytest

from engine.events import load
from engine.replay import replay
from viewer.cli import run
from viewer.simulate import Job, play


@pytest.mark.parametrize(("preset", "players"), [("niuniu", 2), ("niuniu", 0), ("niuniu.national", 10)])
def test_games_of_any_size_verify_and_are_the_same_each_time(preset: str, players: int) -> None:
    job = Job(preset, 3, 0, 1000, players=players, match={"length": {"hands": 4}})
    lines = [line for chunk in play(job) for line in chunk]
    assert lines == [line for chunk in play(job) for line in chunk]
    assert len(load(lines[0])["seats"]) == (players or 4)
    result = replay(lines)
    assert result.finding is None
    assert result.closed
    assert result.hands == 4


def test_bots_are_lively() -> None:
    seen: Counter[str] = Counter()
    for index in range(12):
        options = {"banker": "see4_bid", "escape": "zhenan", "push_bet": 10}
        job = Job("niuniu.national", 5, index, 1000, options, bots=("greedy", "random"))
        for line in (line for chunk in play(job) for line in chunk):
            record = load(line)
            seen[record["type"]] += 1
            if record["type"] in {"bid", "bet"}:
                seen[f"{record['type']} {record.get('bid', record.get('amount'))}"] += 1
    assert seen["escaped"] > 3
    assert all(seen[f"bid {number}"] > 20 for number in range(5))
    assert all(seen[f"bet {number}"] > 20 for number in (1, 2, 3, 4, 5, 10))


def test_the_command_takes_the_number_of_players_that_the_rules_allow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = f"sqlite:///{tmp_path / 'cards.db'}"
    start = ["simulate", "--rules", "niuniu", "--games", "1", "--hands", "2", "--ledger", ledger]
    assert run([*start, "--players", "3"]) == 0
    assert run([*start, "--players", "5"]) == 2
    assert "2 to 4" in capsys.readouterr().err
