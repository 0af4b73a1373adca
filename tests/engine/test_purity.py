"""The engine is pure: no I/O, clock, randomness, float, true division (architecture.md; the imports of the whole graph
are import-linter's business, this test reads the text of every module)."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "engine"
MODULES = sorted(ROOT.rglob("*.py"))
CALLS = {
    "open",
    "print",
    "hash",
    "id",
    "input",
    "eval",
    "exec",
    "compile",
    "__import__",
    "breakpoint",
    "globals",
    "vars",
}
IMPORTS = {
    "os", "io", "time", "random", "secrets", "datetime", "logging", "pathlib", "socket", "subprocess", "sqlite3",
    "uuid", "threading", "asyncio", "sys", "tempfile", "shutil", "multiprocessing", "decimal", "fractions", "math",
    "cmath", "statistics", "numpy", "sqlmodel", "sqlalchemy", "streamlit", "click", "rich", "requests", "urllib",
    "http",
}  # fmt: skip


def faults(source: str) -> list[str]:
    """Name what is impure in a module's text, with the line."""
    named = []
    for node in ast.walk(ast.parse(source)):
        at = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            named.append(f"{at}: float {node.value}")
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            named.append(f"{at}: true division")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS | {"float"}:
            named.append(f"{at}: {node.func.id}()")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"now", "utcnow"}:
            named.append(f"{at}: a clock")
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{at}: relative import"
            names = [node.module or ""]
        named += [f"{at}: import {name}" for name in names if name.partition(".")[0] in IMPORTS]
    return named


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_is_pure(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8")) == []


def test_there_are_modules_to_read() -> None:
    assert len(MODULES) > 30


@pytest.mark.parametrize(
    "text",
    [
        "x = 1.5", "x = 1 / 2", "x /= 2", "print(1)", "open('a')", "hash(1)", "id(1)", "import os", "import os.path",
        "from time import time", "from random import random", "eval('1')", "x = 1e3", "x = 2j", "float(1)",
        "from datetime import datetime\nx = datetime.now()", "def f():\n    import io",
    ],
)  # fmt: skip
def test_what_is_impure_is_found(text: str) -> None:
    assert faults(text) != []


def test_what_is_pure_is_left_alone() -> None:
    assert faults("from hashlib import sha256\nx = 7 // 2\ny = divmod(7, 2)\nz = sha256(b'').hexdigest()") == []
