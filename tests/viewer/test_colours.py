"""The palette: told apart by every kind of eyes, and legible in both themes."""

import re
from collections.abc import Mapping

import pytest
from colour_vision import SEEN, THEMES, contrast, difference, mix, nearest

from viewer.page import fairness_charts, replay
from viewer.table import component

CSS = (component.HERE / "style.css").read_text(encoding="utf-8")
APART = 10.0
"""Least CIEDE2000 between colours that say different things: ten times what a trained eye just sees."""
TEXT, GRAPHIC = 4.5, 3.0
"""Least contrast of text, and of signs and lines (WCAG 2, 1.4.3 and 1.4.11)."""
FELT = ("#14513a", "#0e3d2b", "#1b6a4c")


def declarations(selector: str) -> dict[str, str]:
    """What the rules of exactly this selector declare, later ones last."""
    found: dict[str, str] = {}
    for names, body in re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", CSS)):
        if selector in [each.strip() for each in names.split(",")]:
            pairs = [each.split(":", 1) for each in body.split(";") if ":" in each]
            found |= {name.strip(): value.strip() for name, value in pairs}
    assert found, selector
    return found


def resolve(value: str, theme: Mapping[str, str]) -> str:
    """A colour of the style sheet in a theme, as #rrggbb."""
    value = value.strip()
    if found := re.fullmatch(r"color-mix\(in srgb, (#\w+) (\d+)%, (var\(.*\))\)", value):
        return mix(found[1], int(found[2]) / 100, resolve(found[3], theme))
    if found := re.fullmatch(r"var\(--st-([\w-]+), #\w+\)", value):
        return theme[found[1]]
    if found := re.fullmatch(r"var\((--[\w-]+)\)", value):
        return resolve(declarations(".paipu")[found[1]], theme)
    assert re.fullmatch(r"#[0-9a-f]{3,6}", value), value
    return value


def marks(theme: Mapping[str, str]) -> dict[str, str]:
    found = {"claim": resolve(declarations(".mark")["color"], theme)}
    found |= {name: resolve(declarations(f".mark.{name}")["color"], theme) for name in ("win", "kong", "finding")}
    faint = declarations(".mark.follows")
    ground = theme["background-color"]
    return found | {"follows": mix(resolve(faint["color"], theme), float(faint["opacity"]), ground)}


def suits() -> dict[str, str]:
    """The four-colour cards: two as drawn, two as the switch paints them."""
    sprite = (component.HERE / "tiles.svg").read_text(encoding="utf-8")
    drawn = {}
    for suit in "SH":
        card = re.search(rf'<symbol id="t-7{suit}".*?</symbol>', sprite, re.DOTALL)
        assert card is not None
        (drawn[suit],) = set(re.findall(r'fill="(#\w+)"', card[0])) - {"#fffdf4", "#fffefa"}
    four = declarations(".paipu.four")
    return drawn | {"C": four["--club"], "D": four["--diamond"]}


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ],
)
def test_the_distance_is_ciede2000(
    one: tuple[float, float, float], other: tuple[float, float, float], apart: float
) -> None:
    assert difference(one, other) == pytest.approx(apart, abs=1e-4)


@pytest.mark.parametrize("eyes", SEEN)
def test_four_colour_suits_stay_four(eyes: str) -> None:
    apart, which = nearest(suits(), eyes)
    assert apart >= APART, which


@pytest.mark.parametrize("eyes", SEEN)
@pytest.mark.parametrize("theme", THEMES)
def test_marks_of_the_rail_are_told_apart(eyes: str, theme: str) -> None:
    apart, which = nearest(marks(THEMES[theme]), eyes)
    assert apart >= APART, which


@pytest.mark.parametrize("eyes", SEEN)
def test_seats_of_a_chart_are_told_apart(eyes: str) -> None:
    apart, which = nearest(dict(zip("ESWN", replay.PALETTE, strict=True)), eyes)
    assert apart >= APART, which


@pytest.mark.parametrize("eyes", SEEN)
def test_the_heat_map_tells_high_from_low(eyes: str) -> None:
    low, middle, high = fairness_charts.SCALE.to_dict()["range"]
    apart, which = nearest({"low": low, "middle": middle, "high": high}, eyes)
    assert apart >= 2 * APART, which


@pytest.mark.parametrize("theme", THEMES)
def test_words_and_signs_are_legible(theme: str) -> None:
    given = THEMES[theme]
    ground, soft = given["background-color"], given["secondary-background-color"]
    for name, colour in marks(given).items():
        assert contrast(colour, ground) >= TEXT, name
    ink, bad = (resolve(f"var(--{name})", given) for name in ("ink", "bad"))
    for on in (ground, soft):
        assert contrast(ink, on) >= TEXT
        assert contrast(bad, on) >= TEXT
    for colour in replay.PALETTE:
        assert contrast(colour, ground) >= GRAPHIC, colour


@pytest.mark.parametrize("theme", THEMES)
def test_faint_words_are_legible(theme: str) -> None:
    given = THEMES[theme]
    ground, soft, ink = given["background-color"], given["secondary-background-color"], given["text-color"]
    elsewhere = {".dim", ".felt .leftlabel", ".felt .edge-wind", ".hands button[aria-current] span"}
    faint = {
        selector.strip(): float(found[1])
        for names, body in re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", CSS))
        if (found := re.search(r"(?<![\w-])opacity: ([\d.]+)", body))
        for selector in names.split(",")
    }
    assert len(faint) > 8
    for selector, share in faint.items():
        if selector not in elsewhere:
            for on in (ground, soft):
                assert contrast(mix(ink, share, on), on) >= TEXT, selector


def test_words_on_the_felt_are_legible() -> None:
    four = suits()
    for felt in FELT:
        for selector in (".felt text", ".felt .note"):
            assert contrast(resolve(declarations(selector)["fill"], {}), felt) >= TEXT, selector
        for selector in (".felt .leftlabel", ".felt .edge-wind"):
            assert contrast(mix("#ffffff", float(declarations(selector)["opacity"]), felt), felt) >= TEXT, selector
        assert contrast(declarations(".paipu")["--lit"], felt) >= TEXT
    for suit, colour in four.items():
        assert contrast(colour, "#fffdf4") >= TEXT, suit


def test_no_mark_is_told_by_colour_alone() -> None:
    (table,) = re.findall(r"const SIGNS = \{(.*?)\}", component.script(), re.DOTALL)
    signs = re.findall(r'(\w+): "(.)"', table)
    assert {name for name, _ in signs} >= {*marks(THEMES["light"]), "draw", "void"}
    assert len({sign for _, sign in signs}) == len(signs)
