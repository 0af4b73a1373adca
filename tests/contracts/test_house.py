"""The house: top level, dependencies, README, names, nothing of a machine or registry in any file."""

import re
import subprocess
import tomllib
from importlib.metadata import version as installed
from pathlib import Path

import pytest

from engine.variants import PRESETS
from viewer.cli import COMMANDS

ROOT = Path(__file__).parents[2]
TOP = {"pyproject.toml", "ledger", "engine", "viewer", "tests", "data", "README.md", "LICENSE", "CHANGELOG.md"}


def tracked() -> list[Path]:
    found = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if found.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in found.stdout.decode().split("\0") if name and (ROOT / name).exists()]


def project() -> dict[str, object]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        found: dict[str, object] = tomllib.load(file)["project"]
    return found


def test_nothing_else_stands_at_the_top_level() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in names if not name.startswith(".")} == TOP


def test_no_file_names_a_registry_a_machine_or_a_secret() -> None:
    words = ("py" + "pi.org", "python" + "hosted", "npm" + "js.", "debian" + ".org", "/work" + "/", "/ro" + "ot/",
             "PRIVATE" + " KEY")  # fmt: skip
    for path in tracked():
        if path.suffix in {".png", ".gz", ".db"}:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        assert not [word for word in words if word in text], path


def test_every_dependency_has_a_lower_bound_and_no_upper_one() -> None:
    its = project()
    groups = [its["dependencies"], *its["optional-dependencies"].values()]  # type: ignore[attr-defined,misc]
    for line in (line for group in groups for line in group):  # type: ignore[attr-defined]
        assert re.fullmatch(r"[A-Za-z0-9_\[\]-]+>=[0-9.]+", line), line


def test_the_installed_versions_are_at_least_those() -> None:
    for line in project()["dependencies"]:  # type: ignore[attr-defined]
        name, bound = line.split(">=")
        mine = tuple(int(part) for part in re.findall(r"\d+", installed(name))[:3])
        assert mine >= tuple(int(part) for part in bound.split(".")), line


def test_every_dependency_has_its_reason_beside_it() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    block = text.split("dependencies = [", 1)[1].split("]", 1)[0]
    for row in block.strip().splitlines():
        assert "  # " in row, row


def test_the_readme_names_every_command_and_package() -> None:
    text = (ROOT / "README.md").read_text()
    help_text = " ".join(COMMANDS)
    for command in COMMANDS:
        assert f"paipu {command}" in text or f"`{command}`" in text, command
    assert help_text


def test_every_preset_has_its_folder_of_data() -> None:
    for rules in PRESETS.values():
        folder = ROOT / "data" / rules.variant
        assert (folder / "clauses.json").is_file(), rules.id
        assert any(folder.glob("golden/*.paipu.jsonl")), rules.id
        assert (folder / "perft.json").is_file(), rules.id


def test_the_changelog_names_the_version() -> None:
    assert f"## {project()['version']}" in (ROOT / "CHANGELOG.md").read_text()
