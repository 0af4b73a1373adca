"""Foreign records through the command line: verify, replay, import, export, and what is refused."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from engine.events import load
from engine.formats import tenhou
from viewer import frames
from viewer.cli import run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def mjlog(tmp_path: Path) -> Path:
    path = tmp_path / "own.mjlog"
    path.write_bytes((ROOT / "data" / "riichi.tenhou" / "game.mjlog").read_bytes())
    return path


def verdict(path: Path | str, capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["verify", str(path), "--json", "--jobs", "1"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_sound_record_holds_and_lists_what_nobody_can_check(mjlog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = verdict(mjlog, capsys)
    assert report["levels"][6] | {"checked": 0} == {
        "level": 7,
        "name": "replay",
        "status": "holds",
        "checked": 0,
        "findings": 0,
    }
    assert report["hands"] == 12
    listed = {each["code"] for each in report["not_checkable"]}
    assert listed == {name for name in tenhou.UNCHECKED if name != "BYE.who"} | {"rules"}  # no open hand wins in it
    checks = {each["code"]: each["status"] for each in report["deal"]["checks"]}
    assert [code for code, said in checks.items() if said == "holds"] == ["V5", "V9", "V12"]


def test_a_rule_that_no_hand_depends_on_is_said(mjlog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = mjlog.read_text()
    second = text.index("<INIT", text.index("<INIT") + 1)
    mjlog.write_text(text[:second] + "</mjloggm>")
    why = [each["why"] for each in verdict(mjlog, capsys)["not_checkable"] if each["code"] == "rules"]
    assert "length of the match: no hand of this record depends on it" in why


def test_a_finding_names_hand_and_tag(mjlog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tenhou.read(mjlog.read_text())
    act = next(act for act in record.hands[2].acts if act.kind == "draw")
    text = mjlog.read_text()
    wrong = f"<{'TUVW'[act.seat]}{(act.tile + 4) % 136}/>"
    start = text.index("<INIT", text.index("<INIT", text.index("<INIT") + 1) + 1)
    place = text.index(f"<{'TUVW'[act.seat]}{act.tile}/>", start)
    mjlog.write_text(text[:place] + wrong + text[text.index(">", place) + 1 :])
    finding = verdict(mjlog, capsys, 1)["findings"][0]
    assert (finding["code"], finding["hand"], finding["seq"]) == ("V12", 2, act.place)
    assert finding["game"] == "own"
    assert "第 2 局" in finding["text"]["zh"]


def test_gzipped_records_are_read(mjlog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = mjlog.with_name("own.mjlog.gz")
    packed.write_bytes(gzip.compress(mjlog.read_bytes()))
    assert verdict(packed, capsys)["hands"] == 12


@pytest.mark.parametrize(
    "change", [lambda data: data[:-9], lambda data: data + b"x", lambda data: data[:3] + b"\xff" * 40]
)
def test_damaged_gzip_is_one_line_and_exit_2(mjlog: Path, change: Any, capsys: pytest.CaptureFixture[str]) -> None:
    packed = mjlog.with_name("own.mjlog.gz")
    packed.write_bytes(change(gzip.compress(mjlog.read_bytes())))
    assert run(["verify", str(packed)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    "data", [b"<mjloggm", b"<mjloggm>x", b'{"log":1,"name":2,"rule":3}', b'{"type":"start_game",', b"<mjloggm \xff>"]
)
def test_records_that_cannot_be_read_are_one_line_and_exit_2(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.mjlog"
    path.write_bytes(data)
    for command in (["verify"], ["replay"], ["import", "--ledger", f"sqlite:///{tmp_path / 'y.db'}"]):
        assert run([command[0], str(path), *command[1:]]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_record_is_replayed_as_text(mjlog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(mjlog), "--hand", "1", "--step", "40"]) == 0
    shown = capsys.readouterr().out
    assert "Hand 1" in shown
    assert "indicators" in shown
    assert run(["replay", str(mjlog), "--hand", "99"]) == 2


def test_import_export_and_back(mjlog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'r.db'}"
    assert run(["import", str(mjlog), "--ledger", url]) == 0
    report = verdict(url, capsys)
    assert report["findings"] == []
    assert report["hands"] == 12
    assert run(["import", str(mjlog), "--ledger", url]) == 2  # the ledger has this game
    for form, name in (("mjai", "g.mjai.jsonl"), ("tenhou6", "g.json")):
        path = tmp_path / name
        assert run(["export", "own", "--ledger", url, "--format", form, "-o", str(path)]) == 0
        assert verdict(path, capsys)["hands"] == 12
    path = tmp_path / "own.paipu.jsonl"
    assert run(["export", "own", "--ledger", url, "-o", str(path)]) == 0
    assert verdict(path, capsys)["findings"] == []


def test_an_imported_record_that_lies_is_found_in_the_ledger(
    mjlog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'r.db'}"
    text = mjlog.read_text()
    mjlog.write_text(text.replace('ten="250,250,250,250" oya="0"', 'ten="260,240,250,250" oya="0"', 1))
    assert run(["import", str(mjlog), "--ledger", url]) == 2  # its first scores are no start of a game
    place = text.index("<RYUUKYOKU")
    start = text.index('sc="', place) + 4
    values = text[start : text.index('"', start)].split(",")
    values[1], values[3] = str(int(values[1]) + 10), str(int(values[3]) - 10)
    mjlog.write_text(text[:start] + ",".join(values) + text[text.index('"', start) :])
    assert run(["import", str(mjlog), "--ledger", url]) == 1  # it is kept, and the finding told
    report = verdict(url, capsys, 1)
    assert {finding["code"] for finding in report["findings"]} & {"settled", "scores"}


def test_frames_show_every_event_and_stand_still_after_a_fault(mjlog: Path) -> None:
    from viewer import foreign

    other = foreign.read(str(mjlog))
    assert other is not None
    lines = foreign.lines(other)
    whole = frames.picture(lines)
    assert len(whole["frames"]) == len(lines)
    assert (whole["rules"], len(whole["players"])) == ("riichi.tenhou", 4)
    ended = [frame for frame in whole["frames"] if frame["type"] == "hand_ended"]
    recorded = [load(line)["scores"] for line in lines if b'"type":"hand_ended"' in line]
    assert [frame["scores"] for frame in ended] == recorded
    for frame in whole["frames"]:
        for seat in frame["seats"]:
            tiles = len(seat["hand"]) + ("drawn" in seat) + 3 * len(seat["melds"])
            assert tiles in {0, 13, 14}
    broken = [*lines[:60], lines[60].replace(b'"seat":', b'"seat":9', 1), *lines[61:]]
    drawn = list(frames.film(broken))
    assert drawn[60]["standing"] == "recorded"
    assert drawn[60]["findings"]
    assert drawn[59]["standing"] == "lawful"


@pytest.mark.parametrize("suffix", ["gz", "xml"])
def test_names_of_files_become_ids(suffix: str) -> None:
    from viewer.foreign import name_of

    assert name_of(f"/tmp/2010 (a)&tw=0.mjlog.{suffix}") == "2010--a--tw-0"
    assert name_of("/tmp/....mjlog") == "foreign"
    assert len(name_of("x" * 200)) == 64
