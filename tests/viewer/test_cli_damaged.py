"""Commands on a ledger whose rows have become something else: an answer or one line, never a traceback."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from viewer.cli import run

GAME = "linhai-s4-00000"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with a game and a case about it, its triggers dropped; a key to be added."""
    folder = tmp_path_factory.mktemp("made")
    url = ["--ledger", f"sqlite:///{folder}/x.db"]
    assert run(["simulate", "--games", "1", "--hands", "1", "--seed", "4", *url]) == 0
    assert run(["case", "open", GAME, "--by", "p", "--claim", "x", "--id", "case-1", *url]) == 0
    assert run(["keys", "new", "paipu.simulated.example/log", str(folder / "n.key"), "--type", "log"]) == 0
    database = sqlite3.connect(folder / "x.db")
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {name}")
    database.commit()
    database.close()
    return folder


COMMANDS = [
    ["games"], ["export", GAME], ["replay", GAME], ["receipt", GAME, "-o", "r"],
    ["receipt", GAME, "--seq", "9", "-o", "r"],
    ["publish", "www", "--open"], ["witness", "request"], ["tile", GAME, "0", "3"], ["text", "list"],
    ["case", "show", "case-1"], ["case", "bundle", "case-1", "--by", "r", "-o", "b"], ["time", "request", "q"],
    ["case", "decide", "case-1", "--by", "j", "--outcome", "upheld", "--reason", "x"], ["keys", "add", "n.key"],
    ["simulate", "--games", "1", "--hands", "1", "--seed", "9"],
]  # fmt: skip
DAMAGE = [
    ("head", "size"), ("head", "root"), ("checkpoints", "note"), ("streams", "game"), ("streams", "blind"),
    ("entries", "data"), ("entries", "kind"), ("events", "data"), ("events", "chain"), ("texts", "salt"),
]  # fmt: skip


@pytest.mark.parametrize("place", DAMAGE, ids=".".join)
def test_no_command_stumbles_over_a_row(
    place: tuple[str, str], made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    table, column = place
    for path in made.iterdir():
        shutil.copy(path, tmp_path / path.name)
        (tmp_path / path.name).chmod(0o600)
    database = sqlite3.connect(tmp_path / "x.db")
    with database:
        newest = f"(SELECT max({column}) FROM {table})"
        value = "text" if column not in {"game", "kind"} else b"\xff\x00"
        where = f"{column} = {newest}" if table != "events" else f"game = '{GAME}' AND seq = 7"
        assert database.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value,)).rowcount
    database.close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAIPU_LEDGER", "sqlite:///x.db")
    for command in COMMANDS:
        capfd.readouterr()
        code = run(command)
        told = capfd.readouterr().err
        assert code in {0, 1, 2}
        assert code != 2 or told.splitlines()[-1].startswith("paipu: "), (command, told)
    assert run(["verify", "--jobs", "1"]) == 1 or table in {"texts", "streams"}  # a lost blind is not checkable
    assert run(["fsck", "--jobs", "1"]) == 1


def test_workers_leave_an_interrupt_to_the_process_that_started_them() -> None:
    import signal

    from viewer.batch import pool

    with pool(2) as executor:
        assert executor is not None
        assert executor.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
