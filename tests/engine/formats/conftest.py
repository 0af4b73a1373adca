"""Records of our own: the committed game, and games played anew."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tests" / "generate"))
sys.path.insert(0, str(Path(__file__).parent / "plain"))


@pytest.fixture(scope="session")
def own() -> str:
    """The committed mjlog, played by `tests/generate/riichi_game.py`."""
    return (ROOT / "data" / "riichi.tenhou" / "game.mjlog").read_text()
