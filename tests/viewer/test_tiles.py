"""The sprite of tiles and cards: complete, self-contained, and what its generator writes."""

import importlib.util
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from engine.cards import CARDS, KINDS

TABLE = Path(__file__).parents[2] / "viewer" / "table"
GENERATOR = Path(__file__).parents[1] / "generate" / "tiles.py"
SPRITE = (TABLE / "tiles.svg").read_text(encoding="utf-8")


def test_every_tile_and_card_has_one_drawing() -> None:
    found = [symbol.get("id") for symbol in ET.fromstring(SPRITE) if symbol.tag.endswith("symbol")]
    wanted = [*(f"t-{code}" for code in (*KINDS, *CARDS, "back", "blank")), *(f"i-{code}" for code in KINDS)]
    assert sorted(map(str, found)) == sorted(wanted)


def test_no_two_faces_are_the_same() -> None:
    drawings = re.findall(r'<symbol id="t-\w+" viewBox="0 0 60 80">(.*?)</symbol>', SPRITE)
    assert len(drawings) == len(set(drawings)) == len(KINDS) + len(CARDS) + 2


def test_the_sprite_loads_nothing_and_runs_nothing() -> None:
    tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(SPRITE).iter()}
    assert tags <= {"svg", "symbol", "g", "path", "rect", "circle", "ellipse", "polygon"}
    assert not re.search(r"href|url\(|\son\w+=|<text|font", SPRITE.partition("-->")[2])


def test_the_licence_of_the_outlines_stands_beside_them() -> None:
    assert "SIL Open Font" in SPRITE.partition("-->")[0]
    assert "SIL OPEN FONT LICENSE Version 1.1" in (TABLE / "OFL.txt").read_text(encoding="utf-8")


def test_the_generator_writes_these_bytes() -> None:
    pytest.importorskip("fontTools", reason="fonttools is not installed")
    spec = importlib.util.spec_from_file_location("tiles_generator", GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not module.FONT.exists():
        pytest.skip("Noto Serif CJK is not installed (Debian: fonts-noto-cjk)")
    assert module.sprite() == SPRITE
