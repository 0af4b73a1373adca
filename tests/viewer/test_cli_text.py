"""`paipu text`: kept, shown, listed, erased; bad input is one line."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from viewer.cli import run

WORDS = "他换了牌，电话 555-0199"


@pytest.fixture
def url(tmp_path: Path) -> str:
    made = f"sqlite:///{tmp_path / 'x.db'}"
    assert run(["simulate", "--rules", "linhai", "--games", "1", "--hands", "1", "--seed", "7", "--ledger", made]) == 0
    (tmp_path / "words").write_text(WORDS, encoding="utf-8")
    return made


def test_a_text_is_kept_shown_listed_and_erased(url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    capfd.readouterr()
    assert run(["text", "keep", str(tmp_path / "words"), "--ledger", url]) == 0
    name = capfd.readouterr().out.strip()
    assert run(["text", "show", name, "--ledger", url]) == 0
    assert capfd.readouterr().out == WORDS + "\n"
    assert run(["text", "show", name, "--ledger", url, "--json"]) == 0
    row = json.loads(capfd.readouterr().out)
    assert sha256(b"\x03" + bytes.fromhex(row["salt"]) + row["text"].encode()).hexdigest() == row["commitment"] == name
    assert run(["text", "list", "--ledger", url]) == 0
    assert capfd.readouterr().out == name + "\n"
    assert run(["fsck", url]) == 0
    assert run(["text", "erase", name, "--ledger", url]) == 0
    assert run(["text", "show", name, "--ledger", url]) == 1
    assert not any(b"555-0199" in path.read_bytes() for path in tmp_path.glob("x.db*"))
    assert run(["verify", url, "--jobs", "1"]) == 0
    assert run(["text", "erase", name, "--ledger", url]) == 2
    shown = capfd.readouterr()
    assert "1 texts erased" in shown.out
    assert f"no text under {name}" in shown.err


def test_bad_input_is_one_line_and_exit_2(url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "long").write_bytes(b"x" * 70_000)
    (tmp_path / "nul").write_bytes(b"a\x00b")
    for args in (
        ["keep", str(tmp_path / "none")],
        ["keep", str(tmp_path / "bytes")],
        ["keep", str(tmp_path / "long")],
        ["keep", str(tmp_path / "nul")],
        ["keep", str(tmp_path)],
        ["show", "xyz"],
        ["erase", "A" * 64],
        ["erase"],
    ):
        capfd.readouterr()
        assert run(["text", *args, "--ledger", url]) == 2
        shown = capfd.readouterr().err
        assert shown.startswith("paipu: ")
        assert shown.count("\n") == 1
