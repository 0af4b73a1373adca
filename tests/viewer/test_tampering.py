"""Tampering with a ledger: caught by its hashes, or, where the owner signs his forgery, by the replay alone.

The engine's own matrix of the 14 classes is `tests/engine/tamper`; here the whole way is walked: forge, sign, verify.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.events import canonical, load
from viewer.cli import run
from viewer.forgery import overpaid
from viewer.games import lines
from viewer.targets import open_log
from viewer.verdict import audit_lines

GAME = "linhai-s11-00000"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ledger") / "x.db"
    command = ["simulate", "--games", "2", "--hands", "2", "--seed", "11", "--ledger", f"sqlite:///{path}"]
    assert run(command) == 0
    return path


@pytest.fixture
def copy(ledger: Path, tmp_path: Path) -> Path:
    for path in ledger.parent.iterdir():
        shutil.copy(path, tmp_path / path.name)
    with sqlite3.connect(tmp_path / "x.db") as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
    database.close()
    return tmp_path / "x.db"


def verdict(target: Path, capsys: pytest.CaptureFixture[str], code: int = 1) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["verify", str(target), "--json", "--jobs", "1"]) == code
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def change(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as database:
        assert database.execute(statement, values).rowcount > 0
    database.close()


def first(report: dict[str, Any], level: int) -> dict[str, Any]:
    return next(finding for finding in report["findings"] if finding["level"] == level)


@pytest.mark.parametrize("seq", [0, 1, 40, 90])
@pytest.mark.parametrize("place", [0, 7, -2])
def test_a_flipped_byte_of_an_event_is_named(
    seq: int, place: int, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(lines(str(copy), GAME)[seq])
    data[place] ^= 1
    change(copy, "UPDATE events SET data = ? WHERE game = ? AND seq = ?", bytes(data), GAME, seq)
    finding = first(verdict(copy, capsys), 4)
    assert (finding["game"], finding["seq"]) == (GAME, seq)
    assert "expected" in finding
    assert finding["text"]["en"]
    assert finding["text"]["zh"]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM events WHERE game = ? AND seq = 50",
        "DELETE FROM events WHERE game = ? AND seq >= 50",
        "UPDATE events SET seq = 100000 WHERE game = ? AND seq = 50",
        (
            "UPDATE events SET data = (SELECT data FROM events AS e WHERE e.game = events.game AND e.seq = 51)"
            " WHERE game = ? AND seq = 50"
        ),
    ],
)
def test_deleted_cut_moved_and_copied_rows_are_named(
    statement: str, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(copy, statement, GAME)
    finding = first(verdict(copy, capsys), 4)
    assert (finding["game"], finding["seq"]) == (GAME, 50)


def test_an_appended_row_is_named(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    last = lines(str(copy), GAME)[-1]
    seq = load(last)["seq"] + 1
    row = canonical({**load(last), "seq": seq})
    change(copy, "INSERT INTO events (game, seq, chain, data) VALUES (?, ?, ?, ?)", GAME, seq, bytes(32), row)
    report = verdict(copy, capsys)
    assert any(finding.get("game") == GAME and finding.get("seq") == seq for finding in report["findings"])


def test_after_a_finding_the_replay_is_not_reached(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(copy, "UPDATE entries SET data = replace(CAST(data AS TEXT), 'close', 'closs') WHERE kind = 'close'")
    report = verdict(copy, capsys)
    assert {level["name"]: level["status"] for level in report["levels"]}["replay"] == "not_reached"
    assert any(finding["level"] == 3 and "entry" in finding for finding in report["findings"])


def signed(rows: list[bytes], folder: Path) -> Path:
    """Let an owner sign a forged game: every hash and signature is right."""
    path = folder / "forged.db"
    log, _ = open_log(f"sqlite:///{path}", operator="forger")
    with log:
        log.append(GAME, 0, rows, seal=True, close=True)
    return path


def again(records: list[dict[str, Any]]) -> list[bytes]:
    return [canonical({**record, "seq": seq}) for seq, record in enumerate(records)]


def edited(kind: str, edit: Callable[[dict[str, Any]], None], nth: int = 0) -> Callable[..., tuple[list[bytes], int]]:
    def forge(records: list[dict[str, Any]]) -> tuple[list[bytes], int]:
        at = [i for i, record in enumerate(records) if record["type"] == kind][nth]
        edit(records[at])
        return again(records), at

    return forge


def without(kind: str) -> Callable[..., tuple[list[bytes], int]]:
    def forge(records: list[dict[str, Any]]) -> tuple[list[bytes], int]:
        at = next(i for i, record in enumerate(records) if record["type"] == kind)
        return again(records[:at] + records[at + 1 :]), at

    return forge


def other(tile: str) -> str:
    return "1p" if tile != "1p" else "2p"


FORGERIES = {
    "a drawn tile": (edited("drawn", lambda e: e.update(tile=other(e["tile"]))), "V12"),
    "a dealt tile": (edited("dealt", lambda e: e["tiles"].__setitem__(3, other(e["tiles"][3]))), "V12"),
    "a dice value": (edited("dice", lambda e: e["values"].__setitem__(0, e["values"][0] % 6 + 1)), "V9"),
    "the wall root": (edited("hand_started", lambda e: e.update(wall_root="00" * 32)), "V11"),
    "the shuffle's words": (edited("hand_started", lambda e: e.update(words=e["words"] + 1)), "V10"),
    "the seats": (edited("seated", lambda e: e["order"].reverse()), "V9"),
    "a player's entropy": (edited("entropy", lambda e: e.update(reveal="11" * 32)), "V7"),
    "a hand's seed": (edited("revealed", lambda e: e.update(seed="22" * 32)), "V6"),
    "the root seed": (edited("closed", lambda e: e.update(root_seed="33" * 32)), "V17"),
    "a start score": (edited("hand_ended", lambda e: e["scores"].__setitem__(0, e["scores"][0] + 1)), "hand_ended"),
    "the next dealer": (edited("hand_ended", lambda e: e["next"].update(dealer=3 - e["next"]["dealer"])), "hand_ended"),
    "the end": (edited("closed", lambda e: e.update(reason="max_hands")), "closed"),
    "a claim window's answer left out": (without("answered"), None),
    "a settlement left out": (without("settled"), "settled"),
    "a draw left out": (without("drawn"), "drawn"),
    "an unrevealed hand": (without("revealed"), "V14"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_signed_by_its_owner_is_caught_by_the_replay(
    name: str, ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forge, code = FORGERIES[name]
    rows, at = forge([load(line) for line in lines(str(ledger), GAME)])
    report = verdict(signed(rows, tmp_path), capsys)
    assert {finding["level"] for finding in report["findings"]} == {7}
    finding = report["findings"][0]
    assert (finding["game"], finding["seq"]) == (GAME, at)
    assert code is None or finding["code"] == code
    assert finding["clause"]
    assert "expected" in finding
    assert "found" in finding
    assert finding["text"]["en"]
    assert finding["text"]["zh"]


def test_one_point_too_much_is_named_with_its_clause(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = lines(str(ledger), GAME)
    forged = overpaid(rows)
    at = next(i for i, (mine, theirs) in enumerate(zip(rows, forged, strict=True)) if mine != theirs)
    report = verdict(signed(forged, tmp_path), capsys)
    finding = report["findings"][0]
    assert (finding["code"], finding["seq"], finding["hand"]) == ("settled", at, 0)
    assert finding["clause"] in {"linhai.pay.discard", "linhai.pay.self_draw", "LH-23"}
    assert sum(finding["expected"]) == sum(finding["found"]) == 0


def test_the_untouched_game_signed_anew_holds(ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verdict(signed(lines(str(ledger), GAME), tmp_path), capsys, 0)["findings"] == []


def test_a_game_by_itself_is_judged_as_in_its_ledger(ledger: Path) -> None:
    honest = lines(f"sqlite:///{ledger}", GAME)
    said = audit_lines(honest)
    assert said.holds
    assert (said.hands, said.prefix) == (2, len(honest))
    forged = audit_lines(overpaid(honest))
    assert not forged.holds
    assert [each.code for each in forged.findings] == ["settled"]
    spaced = [*honest[:40], honest[40].replace(b":", b": ", 1), *honest[41:]]
    elsewhere = [honest[0], *lines(f"sqlite:///{ledger}", GAME.replace("-00000", "-00001"))[1:]]
    for changed in (spaced, elsewhere, [b"{", *honest[1:]]):
        found = audit_lines(changed)
        assert not found.holds
        assert found.findings
