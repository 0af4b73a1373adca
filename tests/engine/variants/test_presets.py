"""The presets of mahjong as the pages have them: option maps, digests, values offered or withheld."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.variants import PRESETS, dinghai, duqiao, find

ROOT = Path(__file__).parents[3]
DIGESTS = {
    "linhai": "f42784f0413db026bb260924bf65504e7ff560048308cf2ce56a01e0a8649605",
    "linhai.144": "8deff276b251a65aaee8e661bbce7a1d748106e4364889ecb83029893160eb03",
    "dinghai": "fcb6607329f1f22522efe024d5f7edbcaff5df1f0d57bd010b24bb8282d6c241",
    "dinghai.qiqi50": "ce0dd18712db526f20af4d6448f84ebc4e6b298f01b18a3b1c620266cd158c57",
    "duqiao": "7a00d99886b7b40be5c4dd5da3d1c237c2b6607663c1f11ccbf3a238a68dfc25",
}
"""A digest changes only with a new version of a preset: recorded games name it."""


@pytest.mark.parametrize("preset", DIGESTS)
def test_digests_are_those_of_recorded_games(preset: str) -> None:
    assert find(preset).digest() == DIGESTS[preset]


def test_the_option_maps_of_the_appendix_are_the_presets_values(shared: Path) -> None:
    page = (shared / "rules" / "mahjong.md").read_text()
    maps: dict[str, dict[str, Any]] = json.loads(page.partition("# Appendix")[2].split("```")[1].removeprefix("json"))
    assert set(maps) == {"linhai", "dinghai", "hainan"}
    for preset, options in maps.items():
        assert find(preset).options() == options
    assert find("dinghai.qiqi50").options() == {**maps["dinghai"], "tai_points": "qiqi50"}


def test_duqiao_s_defaults_are_the_page_s(shared: Path) -> None:
    page = (shared / "rules" / "duqiao.md").read_text()
    options = find("duqiao").options()
    named = set(re.findall(r"`([a-z_]+)` = `", page)) | {"kong_extends_dead_wall"}
    assert named - {"multi_win"} < set(options)
    for name in named:
        told = re.search(rf"`{name}` = `?([\w]+)`? \(default", page)
        if told is not None:
            assert str(options[name]).lower() == told.group(1), name
    for name, default in re.findall(r"^\| `([a-z_]+)` \| `([a-z_]+)` \|", page, re.MULTILINE):
        assert options[name] == default


@pytest.mark.parametrize("variant", [dinghai, duqiao])
def test_the_default_of_every_option_is_offered_first(variant: Any) -> None:
    defaults = variant.RULES.options()
    for name, values in variant.OFFERS:
        assert values is None or repr(values[0]) == repr(defaults[name]), name


def test_values_of_the_page_are_offered_or_withheld_with_the_reason(shared: Path) -> None:
    page = (shared / "rules" / "mahjong.md").read_text()
    rows = [row for row in page.splitlines() if re.match(r"\| (DH|CM)-\d\d ", row)]
    assert len(rows) == 46
    offers = dict(dinghai.OFFERS)
    withheld = {(name, value) for name, value, _ in dinghai.RULES.withheld}
    for row in rows:
        option = row.split(" | ")[-1] if "\\|" not in row else row.replace("\\|", "¦").split(" | ")[-1]
        for name, words in re.findall(r"`([a-z_.]+) = ([^`]+)`", option):
            values = offers[name]
            for word in re.split(r" ¦ ", words.strip(" |")):
                value: Any = {"true": True, "false": False}.get(word, word.partition("(")[0])
                value = int(value) if isinstance(value, str) and value.isdigit() else value
                if (name, value) not in withheld and values is not None:
                    assert any(value == each and type(value) is type(each) for each in values), (name, value)


def test_every_preset_of_the_family_has_a_folder_of_data() -> None:
    for preset in PRESETS.values():
        assert (ROOT / "data" / preset.variant / "clauses.json").is_file()
        assert preset.zh
        assert preset.en
