"""`paipu fsck` and `paipu migrate`: everything listed, old ledgers upgraded, bad input in one line."""

import json
import sqlite3
from pathlib import Path

import pytest

from viewer.cli import run

OLD = Path(__file__).parents[1] / "ledger" / "old" / "format-1.sql"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "x.db"
    command = ["simulate", "--rules", "linhai", "--games", "2", "--hands", "1", "--seed", "7"]
    assert run([*command, "--ledger", f"sqlite:///{made}"]) == 0
    return made


def tamper(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for name in ("events_no_update", "events_no_delete", "entries_no_update"):
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_whole_ledger_has_no_finding(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    capfd.readouterr()
    assert run(["fsck", str(path)]) == 0
    shown = capfd.readouterr().out
    assert "2 streams" in shown
    assert shown.endswith("no finding\n")
    assert run(["fsck", str(path), "--policy", f"{path}.policy", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["exit"], found["findings"], found["checked"]["streams"]) == (0, [], 2)


def test_everything_is_listed_in_both_forms(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tamper(
        path,
        "UPDATE events SET data = CAST(replace(data, '\"seat\":0', '\"seat\":1') AS BLOB) WHERE seq IN (13, 14)",
        "UPDATE checkpoints SET note = x'00' WHERE size = (SELECT min(size) FROM checkpoints)",
        "UPDATE streams SET blind = zeroblob(32) WHERE gno = 1",
    )
    capfd.readouterr()
    assert run(["fsck", f"sqlite:///{path}", "--json"]) == 1
    found = json.loads(capfd.readouterr().out)["findings"]
    places = {(each["level"], each["code"], each.get("game"), each.get("seq")) for each in found}
    for place in (
        (2, "note", None, None),
        (4, "chain", "linhai-s7-00000", 13),
        (4, "chain", "linhai-s7-00001", 13),
        (4, "segment", "linhai-s7-00001", None),
    ):
        assert place in places
    assert run(["fsck", f"sqlite:///{path}"]) == 1
    shown = capfd.readouterr().out
    assert shown.count("✗") == len(found)
    assert f"{len(found)} findings" in shown


def test_a_checkpoint_kept_beside_the_key_is_compared(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole = path.read_bytes()
    run(["simulate", "--rules", "linhai", "--games", "1", "--hands", "1", "--seed", "8", "--ledger", str(path)])
    for name in ("-wal", "-shm"):
        path.with_name(path.name + name).unlink(missing_ok=True)
    path.write_bytes(whole)  # restored from a backup
    capfd.readouterr()
    assert run(["fsck", str(path)]) == 1
    assert "rollback" in capfd.readouterr().out


def test_an_old_ledger_is_refused_upgraded_and_then_holds(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "old.db"
    raw = sqlite3.connect(path)
    raw.executescript(OLD.read_text(encoding="utf-8"))
    raw.close()
    for command in ("verify", "fsck", "games"):
        capfd.readouterr()
        assert run([command, *(["--ledger"] if command == "games" else []), str(path)]) == 2
        shown = capfd.readouterr().err
        assert "paipu migrate" in shown
        assert shown.count("\n") == 1
    assert run(["migrate", str(path)]) == 0
    assert capfd.readouterr().out == "format 1 -> 2\n"
    assert run(["migrate", str(path)]) == 0
    assert capfd.readouterr().out == "format 2: nothing to do\n"
    assert run(["fsck", str(path), "--no-replay"]) == 0  # its events are of no game
    assert "no pinned policy" in capfd.readouterr().out


@pytest.mark.parametrize("command", ["fsck", "migrate"])
def test_bad_input_is_one_line_and_exit_2(
    command: str, path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "words").write_text("no ledger\n")
    (tmp_path / "empty.db").touch()
    foreign = sqlite3.connect(tmp_path / "foreign.db")
    foreign.execute("CREATE TABLE t (a)")
    foreign.commit()
    foreign.close()
    targets = [["none.db"], ["words"], ["empty.db"], ["foreign.db"], ["."], ["sqlite:///"], ["mysql://x"], []]
    if command == "fsck":
        targets += [[path.name, *each] for each in (["--policy", "none"], ["--policy", "words"], ["--tsa", "words"])]
    for target in targets:
        args = [str(tmp_path / each) if "/" not in each and each[0] != "-" else each for each in target]
        capfd.readouterr()
        assert run([command, *args]) == 2, target
        shown = capfd.readouterr().err
        assert shown.startswith("paipu: ")
        assert shown.count("\n") == 1


def test_signatures_and_replay_are_judged_in_damaged_ledgers_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Level 5 of a game with a finding at level 4, event by event; level 7 of none while the log is unsound."""
    path = tmp_path / "x.db"
    simulate = ["simulate", "--rules", "linhai", "--games", "2", "--hands", "1", "--seed", "7", "--signed"]
    assert run([*simulate, "--ledger", f"sqlite:///{path}"]) == 0
    game = "linhai-s7-00001"
    database = sqlite3.connect(path)
    rows = dict(database.execute("SELECT seq, data FROM events WHERE game = ? ORDER BY seq", (game,)).fetchall())
    database.close()
    signed = [seq for seq, data in rows.items() if b'"sig":{' in data]
    early, later, lost = signed[2], signed[9], signed[20]
    tamper(
        path,
        *(
            f"UPDATE events SET data = CAST(replace(data, '\"seen\":', '\"seen\":1') AS BLOB) "
            f"WHERE game = '{game}' AND seq = {seq}"
            for seq in (early, later)
        ),
        f"DELETE FROM events WHERE game = '{game}' AND seq = {lost}",
    )
    capfd.readouterr()
    assert run(["fsck", str(path), "--json", "--jobs", "1"]) == 1
    shown = json.loads(capfd.readouterr().out)
    found = {(each["level"], each["code"], each.get("seq")) for each in shown["findings"] if each.get("game") == game}
    assert {(4, "chain", early), (4, "chain", later), (4, "seq", lost)} <= found
    assert {(5, "command", early), (5, "command", later)} <= found
    assert not {each for each in found if each[0] == 5 and each[2] > lost}  # what was shown from there on is lost
    assert shown["checked"]["signed commands"] > 3 * len(signed) // 2
    assert {each["game"] for each in shown["findings"] if "game" in each} == {game}
    assert shown["checked"]["events replayed"] > 0  # of the other game, whose bytes are authenticated
    tamper(path, "UPDATE head SET gno = 9")
    assert run(["fsck", str(path), "--json", "--jobs", "1"]) == 1
    assert json.loads(capfd.readouterr().out)["checked"]["events replayed"] == 0
