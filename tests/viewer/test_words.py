"""Sentences of events and the glossary they are made of."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import WORDS, load
from engine.variants import PRESETS
from viewer import sentences, words
from viewer.sentences import sentence
from viewer.simulate import Job, play

WINDS = ("E", "S", "W", "N")
TABLE = Path(__file__).parents[2] / "viewer" / "table"


@pytest.mark.parametrize(
    ("record", "en", "zh"),
    [
        ({"type": "discarded", "seat": 1, "tile": "9m"}, "South discards 9 characters", "南打九万"),
        (
            {"type": "discarded", "seat": 0, "tile": "S", "drawn": True, "auto": True},
            "East discards south wind as drawn [time-out]",
            "东打南风（摸切）【超时】",
        ),
        (
            {"type": "drawn", "seat": 2, "tile": "1p", "end": "tail", "left": 60},
            "West draws 1 circle from the tail (60 left)",
            "西从牌尾补一筒（余 60）",
        ),
        (
            {"type": "melded", "seat": 3, "kind": "pung", "tiles": ["C", "C"], "claimed": "C", "from": 1},
            "North pungs red dragon from South",
            "北碰南打的红中",
        ),
        (
            {"type": "melded", "seat": 1, "kind": "chow", "tiles": ["3s", "5s"], "claimed": "4s", "from": 0},
            "South chows 4 bamboos from East with 3 bamboos, 5 bamboos",
            "南吃东打的四条（三条 五条）",
        ),
        (
            {"type": "konged", "seat": 0, "kind": "added_kong", "tiles": ["P"]},
            "East declares an added kong of white dragon",
            "东补杠白板",
        ),
        (
            {"type": "won", "seat": 1, "tile": "9m", "by": "robbed", "from": 3},
            "South wins on 9 characters from North by robbing a kong",
            "南胡北的九万（抢杠胡）",
        ),
        (
            {"type": "won", "seat": 0, "by": "self_draw", "occasion": "heavenly"},
            "East wins by self-draw (heavenly win)",
            "东胡（自摸，天胡）",
        ),
        (
            {"type": "settled", "payments": [0, 2, 0, -2], "winners": []},
            "Settlement: East 0, South +2, West 0, North −2",
            "结算：东 0，南 +2，西 0，北 −2",
        ),
        ({"type": "drawn_hand", "reason": "wall_end"}, "Drawn hand: the wall is used up", "流局：无牌可摸"),
        (
            {"type": "refused", "seat": 2, "tried": {"type": "discarded", "tile": "f8"}, "clause": "x"},
            "Refused (x): West discards bamboo flower",
            "被拒绝（x）：西打竹",
        ),
        ({"type": "played", "seat": 1, "card": "TH"}, "South plays the 10 of hearts", "南出红桃10"),
    ],
)
def test_sentences(record: dict[str, object], en: str, zh: str) -> None:
    assert sentence(record, WINDS) == {"en": en, "zh": zh}


def test_an_answer_names_the_tile_it_is_about() -> None:
    record = {"type": "answered", "seat": 1, "to": 4, "answer": "chow", "tiles": ["1m", "2m"]}
    told = sentence(record, WINDS, "3m")
    assert told["en"] == "South answers chow on 3 characters with 1 character, 2 characters"
    assert told["zh"] == "南要吃三万（一万 二万）"
    assert sentence({**record, "answer": "pass"}, WINDS, "3m")["en"] == "South passes on 3 characters"


@pytest.mark.parametrize(
    ("preset", "draw"), [("linhai", "黄牌"), ("linhai.144", "黄牌"), ("dinghai", "流局"), ("duqiao", "流局"),
                         ("hainan", "荒庄"), ("hainan.three", "荒庄"), ("riichi.tenhou", "流局"), ("?", "流局")]
)  # fmt: skip
def test_a_hand_without_a_winner_is_called_what_the_game_calls_it(preset: str, draw: str) -> None:
    told = sentence({"type": "drawn_hand", "reason": "wall_end"}, WINDS, preset=preset)
    assert told == {"en": "Drawn hand: the wall is used up", "zh": f"{draw}：无牌可摸"}
    assert words.reason("drawn_hand", preset)["zh"] == draw


def test_a_card_game_is_dealt_anew() -> None:
    told = sentence({"type": "drawn_hand", "reason": "redeal"}, preset="three_one")
    assert told == {"en": "Redeal: the hand cannot be played", "zh": "重新发牌：本局不能进行"}


def test_hainan_calls_the_wild_tile_by_its_own_word() -> None:
    record = {"type": "wild", "tile": "C"}
    assert sentence(record, WINDS, preset="hainan.random") == {"en": "The wild tile is red dragon", "zh": "癞子是红中"}
    assert sentence(record, WINDS, preset="duqiao")["zh"] == "财神是红中"


def test_seats_without_a_hand_are_numbers() -> None:
    assert sentence({"type": "committed", "seat": 3}, ())["en"] == "Seat 3 commits to its entropy"
    assert sentence({"type": "committed", "seat": 131}, WINDS)["zh"] == "131号位承诺随机数"


def games() -> list[bytes]:
    jobs = [Job(preset, seed, 0, 0, {}, {"length": {"hands": 4}}) for preset in PRESETS for seed in range(2)]
    return [line for job in jobs for chunk in play(job) for line in chunk]


def test_every_event_of_every_variant_has_words_of_its_own() -> None:
    seen = set()
    for line in games():
        record = load(line)
        told = sentence(record, WINDS)
        seen.add(record["type"])
        for text in told.values():
            assert "bot:" not in text  # no player's name stands in a sentence
        assert told != sentences._plain(record, WINDS)
    assert {"opened", "melded", "settled", "closed", "played", "shown"} <= seen <= set(WORDS)


def test_no_term_of_a_settlement_is_missing() -> None:
    terms = words.glossary()
    for line in games():
        record = load(line)
        if record["type"] != "settled":
            continue
        for winner in record["winners"]:
            assert {each["id"].partition(".")[0] for each in winner.get("patterns", [])} <= set(terms["patterns"])
        assert {each["reason"] for each in record.get("lines", [])} - {"drawn_hand"} <= set(terms["reasons"])
        assert set(record.get("outcome", {})) <= set(terms["outcomes"])


def test_a_term_that_is_not_in_the_glossary_stands_for_itself() -> None:
    assert words.term("reasons", "<b>x</b>") == {"en": "<b>x</b>", "zh": "<b>x</b>"}
    assert words.pattern("dragon.C") == {"en": "dragon (red dragon)", "zh": "箭牌（红中）"}
    assert words.pattern("made_up.9") == {"en": "made_up (9)", "zh": "made_up（9）"}
    assert words.tile(7) == {"en": "7", "zh": "7"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    [
        *("seat", "tile", "tiles", "answer", "kind", "claimed", "from", "by", "payments", "scores", "hand", "values"),
        *("reason", "tried", "cards", "card", "suit", "bid", "winner", "points", "order", "rules", "deal", "left"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([*WORDS, "?", ""]), st.dictionaries(FIELDS, JSON, max_size=6))
def test_a_damaged_record_is_told_all_the_same(kind: str, fields: dict[str, object]) -> None:
    told = sentence({**fields, "type": kind}, WINDS)
    assert set(told) == {"en", "zh"}
    assert all(isinstance(text, str) for text in told.values())


def test_the_glossary_is_whole() -> None:
    for section, entries in words.glossary().items():
        for key, text in entries.items():
            assert set(text) == {"en", "zh"}, (section, key)
            assert all(part.strip() for part in text.values()), (section, key)


def test_the_keys_of_the_help_are_the_keys_of_the_script() -> None:
    script = (TABLE / "controls.js").read_text()
    block = script[script.index("const KEYS") : script.index("};", script.index("const KEYS"))]
    keys = set(re.findall(r"^  (?:\"(.+?)\"|(\w+)):", block, re.MULTILINE))
    bound = {quoted or plain for quoted, plain in keys}
    shown = script[script.index("const HELP") : script.index("];", script.index("const HELP"))]
    told = {key for group in re.findall(r'^  \["(.+?)", N_\(', shown, re.MULTILINE) for key in group.split()}
    assert told
    names = {"Shift+←": "PageUp", "Shift+→": "PageDown", "←": "ArrowLeft", "→": "ArrowRight", "Space": " ", "−": "-"}
    assert {names.get(key, key) for key in told} - {"1-4"} == bound - {"="}
    assert not {"c", "r", "C", "R"} & bound  # Streamlit owns them


def test_the_glossary_file_is_read_as_it_stands() -> None:
    path = Path(words.__file__).with_name("glossary.json")
    assert json.loads(path.read_bytes()) == words.glossary()
