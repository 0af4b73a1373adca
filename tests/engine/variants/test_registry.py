"""Families are modules, variants are values: no variant's name inside a family, every preset registered and pinned."""

import re
from pathlib import Path

import pytest

from engine.variants import PRESETS, VERSIONS, find

ENGINE = Path(__file__).parents[3] / "engine"
MAHJONG = sorted((ENGINE / "mahjong").glob("*.py"))
NAMES = sorted({rules.variant for rules in VERSIONS if rules.family == "mahjong"})


@pytest.mark.parametrize("path", MAHJONG, ids=lambda path: path.name)
def test_no_variant_is_named_inside_the_family(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = [name for name in (*NAMES, *PRESETS) if re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", text.lower())]
    assert found == []
    assert re.search("临海|定海|海南|杜桥", text) is None


def test_the_digests_of_linhai_stand_whatever_the_family_learns() -> None:
    assert find("linhai").digest() == "f42784f0413db026bb260924bf65504e7ff560048308cf2ce56a01e0a8649605"
    assert find("linhai.144").digest() == "8deff276b251a65aaee8e661bbce7a1d748106e4364889ecb83029893160eb03"


def test_every_digest_is_one_presets_own() -> None:
    digests = [rules.digest() for rules in VERSIONS]
    assert len(set(digests)) == len(digests)
