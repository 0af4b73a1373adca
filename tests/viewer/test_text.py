"""The text table: its width, its marks, both languages, and names that would break it."""

import pytest

from viewer import frames, names
from viewer.forgery import overpaid
from viewer.simulate import Job, play
from viewer.text import COLUMNS, picture
from viewer.views import Frame


def game(preset: str, seed: int) -> list[bytes]:
    return [line for chunk in play(Job(preset, seed, 0, 0, {}, {"length": {"hands": 4}})) for line in chunk]


@pytest.fixture(scope="module")
def drawn() -> list[Frame]:
    return list(frames.film(game("linhai.144", 5)))


FRAME: Frame = {
    "seq": 38,
    "at": 0,
    "type": "discarded",
    "hand": 2,
    "words": {"en": "West discards north wind", "zh": "西打北风"},
    "standing": "lawful",
    "players": ["ann", "梅子"],
    "scores": [4, -4],
    "dealer": 1,
    "round_wind": "S",
    "winds": ["W", "E"],
    "left": 70,
    "turn": -1,
    "seats": [
        {
            "wind": "W",
            "hand": ["1m", "E", "C"],
            "melds": [{"kind": "chow", "tiles": ["3p", "2p", "4p"], "claimed": 0, "source": 1}],
            "flowers": ["f8"],
            "discards": [{"tile": "9s", "drawn": True}, {"tile": "1p", "taken": 1}, {"tile": "N"}],
        },
        {"wind": "E", "hand": ["5s"], "drawn": "5s", "melds": [], "flowers": [], "discards": []},
    ],
    "window": {"tile": "N", "source": 0, "to": 38, "robbing": False, "asked": [{"seat": 1, "may": ["win", "pung"]}]},
}


def lines_of(text: str) -> list[str]:
    return [line.strip("│┌├└┐┤┘─ ") for line in text.split("\n")]


def test_a_frame_in_english() -> None:
    assert [line for line in lines_of(picture(FRAME)) if line] == [
        "Hand 2 · South round ──────────────────────────────────────────────────────────── wall 70 left",
        "#38  West discards north wind",
        "West  ann  +4",
        "hand      1m E C",
        "melds     chow [3p] 2p 4p ←East",
        "flowers   f8",
        "discards  9s° 1p→E N",
        "East  梅子  −4  (dealer)",
        "hand      5s  + 5s",
        "? East: may win/pung N  …",
    ]


def test_a_frame_in_chinese() -> None:
    assert [line for line in lines_of(picture(FRAME, lang="zh")) if line] == [
        "第 2 局 · 南圈 ───────────────────────────────────────────────────────────────────── 牌墙余 70",
        "#38  西打北风",
        "西  ann  +4",
        "手牌      一万 东 红中",
        "副露      吃 [三筒] 二筒 四筒 ←东",
        "花        竹",
        "弃牌      九条° 一筒→东 北",
        "东  梅子  −4  (庄)",
        "手牌      五条  + 五条",
        "? 东: 可 胡/碰 北  …",
    ]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("preset", ["linhai.144", "forty", "niuniu"])
def test_every_line_is_as_wide_as_the_table(preset: str, lang: str) -> None:
    for frame in frames.film(game(preset, 3)):
        for line in picture(frame, lang=lang).split("\n"):
            assert names.width(line) == COLUMNS, line


def test_a_frame_is_not_changed_by_drawing_it(drawn: list[Frame]) -> None:
    before = repr(drawn[200])
    assert picture(drawn[200]) == picture(drawn[200])
    assert repr(drawn[200]) == before


def test_every_tile_is_written(drawn: list[Frame]) -> None:
    for frame in drawn[::17]:
        text = picture(frame)
        for view in frame["seats"]:
            assert " ".join(view["hand"]) in " ".join(text.replace("│", " ").split())


def test_a_settlement_shows_who_pays_and_why(drawn: list[Frame]) -> None:
    frame = next(frame for frame in drawn if frame.get("settlement", {}).get("lines"))
    settlement = frame["settlement"]
    text = picture(frame)
    for line in settlement["lines"]:
        assert f"  {line['amount']}  {line['reason']['en']}  [{line['clause']}]" in text
    for winner in settlement["winners"]:
        assert f"{winner['tai']} tai, {winner['points']} points" in text  # type: ignore[typeddict-item]


def test_a_finding_is_shown_with_what_was_expected() -> None:
    frame = next(frame for frame in frames.film(overpaid(game("linhai", 5))) if "findings" in frame)
    finding = frame["findings"][0]
    text = picture(frame)
    assert f"✗ Level 7  settled  [{finding['clause']}]" in text
    assert str(finding["expected"]) in text
    assert str(finding["found"]) in text


@pytest.mark.parametrize("name", ["\x1b[31mred\x07", "\u202egnp.x", "x" * 500, "两" * 80, "", "a\nb"])
def test_a_hostile_name_breaks_no_line(name: str) -> None:
    text = picture({**FRAME, "players": [name, "b"]})
    assert all(names.width(line) == COLUMNS for line in text.split("\n"))
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_a_word_longer_than_a_line_is_cut() -> None:
    text = picture({**FRAME, "words": {"en": "f" * 300, "zh": "长" * 200}})
    assert all(names.width(line) == COLUMNS for line in text.split("\n"))
    assert text.count("f") >= 300
