"""The README's commands run as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(mark: str) -> list[str]:
    return re.findall(rf"<!-- {mark} -->\n```\w+\n(.*?)```", TEXT, re.DOTALL)


def test_the_worked_audit_runs(tmp_path: Path) -> None:
    commands = [line[2:] for block in blocks("audit") for line in block.splitlines() if line.startswith("$ ")]
    assert len(commands) >= 8
    binaries = tmp_path / "bin"
    binaries.mkdir()
    paipu = binaries / "paipu"
    paipu.write_text(f"#!{sys.executable}\nfrom viewer.cli import main\nif __name__ == '__main__':\n    main()\n")
    paipu.chmod(0o755)
    (binaries / "python3").symlink_to(sys.executable)
    environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    environment.pop("PAIPU_LEDGER", None)
    for command in commands:
        done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stderr.decode()}"
        assert done.stdout


def test_the_tampering_shown_is_caught(tmp_path: Path) -> None:
    shown = next(line for line in TEXT.splitlines() if line.startswith("$ sqlite3"))
    statement = re.search(r'"(.*)"$', shown)
    assert statement is not None
    script = statement[1].replace('\\"', '"')
    code = f"""
import shutil, sqlite3, sys
from viewer.cli import run
assert run(["simulate", "--games", "20", "--hands", "4", "--seed", "7", "--ledger", "sqlite:///club.db"]) == 0
shutil.copy("club.db", "tampered.db")
database = sqlite3.connect("tampered.db")
database.executescript({script!r})
database.close()
sys.exit(run(["verify", "sqlite:///tampered.db", "--policy", "club.db.policy", "--jobs", "1"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    out = done.stdout.decode()
    assert done.returncode == 1, done.stderr.decode()
    assert "linhai-s7-00003" in out
    assert "seq 13" in out


def test_the_two_commands_are_marked() -> None:
    assert "paipu demo" in blocks("run")[0]
    assert "pytest" in blocks("test")[0]
