"""Shared fixtures: where the specification's vectors stand, and the long suites' option."""

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("PAIPU_SHARED", Path(__file__).parents[2] / "shared"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the suites that take minutes, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        for item in items:
            if "long" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="takes minutes: run with --long"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public vectors and cases; absent on a lone clone."""
    if not SHARED.is_dir():
        pytest.skip("the public vectors are not beside this clone; set PAIPU_SHARED to their folder")
    return SHARED
