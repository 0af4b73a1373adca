"""The commands on a ledger in PostgreSQL: recorded, verified, listed, exported, checked, as in a file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from viewer.cli import run


@pytest.fixture
def url(postgres: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A ledger of two short games, its key and policy in the working folder; the URL has a password."""
    monkeypatch.chdir(tmp_path)
    made = postgres().replace("paipu@", "paipu:open-sesame@")
    assert run(["simulate", "--rules", "linhai", "--games", "2", "--hands", "1", "--seed", "7", "--ledger", made]) == 0
    return made


def test_a_ledger_in_postgres_is_verified_listed_exported_and_checked(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"postgres.{what}" for what in ("key", "key.last", "policy", "recovery.key")
    ]
    assert run(["verify", url, "--json", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    verdict = json.loads(out[out.index("{") :])
    assert (verdict["games"], verdict["exit"], verdict["findings"]) == (2, 0, [])
    assert run(["games", "--ledger", url]) == 0
    assert "linhai-s7-00001" in capsys.readouterr().out
    assert run(["export", "linhai-s7-00000", "--ledger", url, "-o", "g.paipu.jsonl"]) == 0
    assert run(["verify", "g.paipu.jsonl"]) == 0
    assert run(["fsck", url]) == 0
    assert run(["migrate", url]) == 0
    assert run(["simulate", "--rules", "linhai", "--games", "1", "--hands", "1", "--seed", "8", "--ledger", url]) == 0
    assert run(["verify", url, "--jobs", "1"]) == 0
    shown = capsys.readouterr()
    assert "3 games" in shown.out
    assert "open-sesame" not in out + shown.out + shown.err


def test_tampering_in_postgres_is_found(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    import psycopg

    with psycopg.connect(url) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER USER")
        swapped = "replace(convert_from(data, 'UTF8'), '\"seat\":0', '\"seat\":1')"
        connection.execute(
            f"UPDATE events SET data = convert_to({swapped}, 'UTF8') WHERE game = 'linhai-s7-00001' AND seq = 13"
        )
        connection.execute("ALTER TABLE events ENABLE TRIGGER USER")
    capsys.readouterr()
    for command in ("verify", "fsck"):
        assert run([command, url]) == 1
        shown = capsys.readouterr().out
        assert "linhai-s7-00001" in shown
        assert "seq 13: chain" in shown


def test_what_is_no_ledger_is_told_in_one_line(
    postgres: Callable[[], str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    empty = postgres()
    nobody = empty.replace("host=/", "password=open-sesame&host=/nowhere/")  # short: a socket's path has a limit
    for command in ("verify", "fsck", "migrate"):
        for target, reason in ((empty, "not a ledger"), (nobody, "No such file"), ("postgresql://[", "")):
            assert run([command, target]) == 2
            shown = capsys.readouterr().err
            assert shown.startswith("paipu: postgresql://")
            assert shown.count("\n") == 1
            assert reason in shown
            assert "open-sesame" not in shown
