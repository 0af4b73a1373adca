"""Write viewer/table/tiles.svg: our drawings of 42 tile faces, their corner indices, the back, and 54 cards.

`python tests/generate/tiles.py` needs fonttools and Debian's fonts-noto-cjk: characters become outlines of Noto Serif
CJK TC (OFL, the notice stands in the sprite and beside it), so that nothing depends on the reader's fonts. Circles,
bamboos, the bird, the back and the emblems of the flowers are shapes of our own. A face is 60 x 80 units.
"""

import math
from collections.abc import Callable
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTCollection

from engine.cards import CARDS

TARGET = Path(__file__).parents[2] / "viewer" / "table" / "tiles.svg"
FONT = Path("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc")
FAMILY = "Noto Serif CJK TC"
NOTICE = """Character outlines from Noto Serif CJK TC Bold, (c) 2017-2022 Adobe (http://www.adobe.com/), SIL Open Font
License 1.1 (OFL.txt beside this file). All other shapes: the paipu project. Written by tests/generate/tiles.py."""

INK, RED, GREEN, BLUE, IVORY, JADE, DEEP, GOLD = (
    "#1b2233", "#b3201b", "#0b6b45", "#1d4f9c", "#fffdf4", "#1e7b5f", "#0f4a39", "#b9822b",
)  # fmt: skip


Shape = tuple[float, float, float]


def number(value: float) -> str:
    """Write a coordinate with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Glyphs:
    """Outlines of one font as SVG paths."""

    def __init__(self) -> None:
        fonts = TTCollection(FONT).fonts
        font = next(each for each in fonts if each["name"].getDebugName(1) == FAMILY)
        self.glyphs, self.names = font.getGlyphSet(), font.getBestCmap()

    def fit(self, character: str, box: tuple[float, float, float, float], fill: str) -> str:
        """Return the outline filling the box (x, y, width, height), stretched by a sixth at most."""
        glyph = self.glyphs[self.names[ord(character)]]
        bounds = BoundsPen(self.glyphs)
        glyph.draw(bounds)
        left, low, right, high = bounds.bounds
        x, y, width, height = box
        wide, tall = width / (right - left), height / (high - low)
        least = min(wide, tall)
        wide, tall = min(wide, least * 7 / 6), min(tall, least * 7 / 6)
        pen = SVGPathPen(self.glyphs, ntos=number)
        dx = x + width / 2 - wide * (left + right) / 2
        dy = y + height / 2 + tall * (low + high) / 2
        glyph.draw(TransformPen(pen, (wide, 0, 0, -tall, dx, dy)))
        return f'<path fill="{fill}" d="{pen.getCommands()}"/>'

    def em(self, character: str, centre: tuple[float, float], size: float, fill: str) -> str:
        """Return the outline in its em square around the centre, so that a thin character stays thin."""
        pen = SVGPathPen(self.glyphs, ntos=number)
        scale = size / 1000
        x, y = centre[0] - 500 * scale, centre[1] + 380 * scale
        self.glyphs[self.names[ord(character)]].draw(TransformPen(pen, (scale, 0, 0, -scale, x, y)))
        return f'<path fill="{fill}" d="{pen.getCommands()}"/>'


def circle(x: float, y: float, radius: float, fill: str, extra: str = "") -> str:
    """Return a disc."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"{extra}/>'


def ring(x: float, y: float, radius: float, stroke: str, width: float) -> str:
    """Return a ring."""
    return circle(x, y, radius, "none", f' stroke="{stroke}" stroke-width="{number(width)}"')


def petals(x: float, y: float, count: int, shape: Shape, fill: str, turn: float = 0) -> str:  # noqa: PLR0917  measures
    """Return ellipses around a centre: distance of their middles, length and width in `shape`."""
    away, length, width = shape
    return "".join(
        f'<ellipse cx="{number(x)}" cy="{number(y - away)}" rx="{number(width / 2)}" ry="{number(length / 2)}" '
        f'fill="{fill}" transform="rotate({number(360 * at / count + turn)} {number(x)} {number(y)})"/>'
        for at in range(count)
    )


def coin(x: float, y: float, radius: float, colour: str) -> str:
    """Return a coin of the suit of circles."""
    return (
        circle(x, y, radius, colour)
        + ring(x, y, radius * 0.74, IVORY, radius * 0.1)
        + petals(x, y, 6, (radius * 0.36, radius * 0.34, radius * 0.22), IVORY)
        + circle(x, y, radius * 0.17, IVORY)
    )


def great_coin() -> str:
    """Return the one of circles."""
    x, y = 30.0, 37.0
    rim = "".join(
        circle(x + 19.6 * math.sin(angle), y - 19.6 * math.cos(angle), 1.25, IVORY)
        for angle in (math.tau * at / 20 for at in range(20))
    )
    return (
        circle(x, y, 23.4, BLUE)
        + rim
        + circle(x, y, 16.2, IVORY)
        + ring(x, y, 14.6, GREEN, 1.5)
        + petals(x, y, 8, (8.6, 8.6, 4.4), RED)
        + petals(x, y, 8, (6.2, 4.4, 1.3), IVORY, 22.5)
        + circle(x, y, 4.4, BLUE)
        + circle(x, y, 1.7, IVORY)
    )


CIRCLES: dict[int, tuple[float, list[tuple[float, float, str]]]] = {
    2: (12.6, [(30, 21, GREEN), (30, 53, BLUE)]),
    3: (9.9, [(16, 17, BLUE), (30, 37, RED), (44, 57, GREEN)]),
    4: (11, [(17.5, 20, BLUE), (42.5, 20, GREEN), (17.5, 54, GREEN), (42.5, 54, BLUE)]),
    5: (9.3, [(15.5, 17, BLUE), (44.5, 17, GREEN), (30, 37, RED), (15.5, 57, GREEN), (44.5, 57, BLUE)]),
    6: (9.3, [(x, y, GREEN if y < 20 else RED) for y in (14.5, 37.5, 59) for x in (18.5, 41.5)]),
    7: (7.6, [(14, 11, GREEN), (30, 18.5, GREEN), (46, 26, GREEN)]
        + [(x, y, RED) for y in (44, 62) for x in (20, 40)]),
    8: (8.1, [(x, y, BLUE) for y in (11, 28.3, 45.6, 63) for x in (19, 41)]),
    9: (8.1, [(x, y, colour) for y, colour in ((14, GREEN), (37, RED), (60, BLUE)) for x in (11.5, 30, 48.5)]),
}  # fmt: skip
"""Radius and coins (centre, colour) of the circles."""


def stick(x: float, y: float, length: float, colour: str, turn: float = 0, width: float = 8) -> str:  # noqa: PLR0917  measures
    """Return a bamboo stick around its centre: two joints with a knot between and at both ends."""
    half, joint = length / 2, length / 2 - 1.4
    body = "".join(
        f'<rect x="{number(x - width / 2)}" y="{number(top)}" width="{number(width)}" height="{number(joint)}" '
        f'rx="{number(width * 0.42)}" fill="{colour}"/>'
        f'<rect x="{number(x - width * 0.11)}" y="{number(top + joint * 0.2)}" width="{number(width * 0.22)}" '
        f'height="{number(joint * 0.6)}" rx="0.8" fill="{IVORY}"/>'
        for top in (y - half + 0.9, y + 0.5)
    )
    knots = "".join(
        f'<rect x="{number(x - width * 0.62)}" y="{number(at - 1.15)}" width="{number(width * 1.24)}" height="2.3" '
        f'rx="1.15" fill="{colour}"/>'
        for at in (y - half + 1.1, y, y + half - 1.1)
    )
    turned = f' transform="rotate({number(turn)} {number(x)} {number(y)})"' if turn else ""
    return f"<g{turned}>{body}{knots}</g>"


STICKS: dict[int, tuple[float, list[tuple[float, float, str]]]] = {
    2: (27, [(30, 20.5, BLUE), (30, 53.5, GREEN)]),
    3: (27, [(30, 20.5, RED), (17, 53.5, GREEN), (43, 53.5, BLUE)]),
    4: (27, [(17, 20.5, BLUE), (43, 20.5, GREEN), (17, 53.5, GREEN), (43, 53.5, BLUE)]),
    5: (25, [(14, 19, GREEN), (46, 19, BLUE), (30, 37, RED), (14, 55, BLUE), (46, 55, GREEN)]),
    6: (27, [(x, y, GREEN if y < 30 else BLUE) for y in (20.5, 53.5) for x in (14, 30, 46)]),
    7: (20.5, [(30, 13.5, RED)] + [(x, y, colour) for y, colour in ((37, GREEN), (60.5, BLUE)) for x in (14, 30, 46)]),
    9: (20.5, [(x, y, colour) for y in (13.5, 37, 60.5) for x, colour in ((14, GREEN), (30, RED), (46, BLUE))]),
}  # fmt: skip
"""Length and sticks (centre, colour) of the bamboos, but the bird and the eight."""


def eight_sticks() -> str:
    """Return the eight of bamboos: a M over a W."""
    return "".join(
        stick(8.5, y, 29, colour, width=6.4)
        + stick(51.5, y, 29, colour, width=6.4)
        + stick(22, y, 29, colour, -lean, 6.4)
        + stick(38, y, 29, colour, lean, 6.4)
        for y, colour, lean in ((19.5, GREEN, 30.0), (55, BLUE, -30.0))
    )


def bird() -> str:
    """Return the one of bamboos: a peacock on a bamboo twig."""
    plumes = "".join(
        f'<g transform="rotate({turn} 25 42)"><path fill="{colour}" d="M25 41 C18.6 50 19.4 58.6 25 68 '
        f'C30.6 58.6 31.4 50 25 41Z"/>{circle(25, 60, 3.1, IVORY)}{circle(25, 60, 1.9, eye)}</g>'
        for turn, colour, eye in ((58, BLUE, RED), (36, GREEN, BLUE), (14, BLUE, RED))
    )
    crest = "".join(
        f'<path d="M42 9.6 L{x} {y}" stroke="{GREEN}" stroke-width="1.1" stroke-linecap="round"/>'
        + circle(x, y, 1.55, RED)
        for x, y in ((36.6, 3.4), (41.8, 1.9), (47, 3.6))
    )
    return (
        plumes
        + f'<path d="M12 69.4 H53" stroke="{GREEN}" stroke-width="3" stroke-linecap="round"/>'
        + f'<path d="M24 67.4 V71.4 M41 67.4 V71.4" stroke="{IVORY}" stroke-width="1"/>'
        + f'<path d="M32 53 L31 68 M38 51 L38.4 68" stroke="{RED}" stroke-width="1.7" stroke-linecap="round"/>'
        + f'<path fill="{GREEN}" d="M36.4 13.2 C36 24 21 31 21.4 45 C22.4 55.6 36.4 56.4 42.6 48 '
        + 'C48.6 39.6 45.8 27.6 48.4 17.4Z"/>'
        + f'<path fill="{IVORY}" d="M39.4 31 C31 34.4 28.4 40 28.8 46.6 C35.6 47.4 40.6 42 39.4 31Z"/>'
        + f'<path fill="{BLUE}" d="M38.2 33.8 C32.4 37 30.2 41 30.4 45.2 C35.4 45 38.8 41 38.2 33.8Z"/>'
        + f'<path d="M44.6 27 C45 33 44.4 39 41.8 44" stroke="{IVORY}" stroke-width="1.1" fill="none"/>'
        + circle(42.4, 15, 6.2, GREEN)
        + f'<path fill="{GOLD}" d="M47.6 12.2 L55.2 16.2 L47.4 18.6Z"/>'
        + circle(43.8, 13.8, 2.1, IVORY)
        + circle(44.2, 13.8, 1.1, INK)
        + crest
    )


def white_dragon() -> str:
    """Return the white dragon: an ornamented frame."""
    frame = '<rect x="{0}" y="{0}" width="{1}" height="{2}" rx="{3}" fill="none" stroke="{4}" stroke-width="{5}"/>'
    corners = "".join(
        f'<path d="M{x} {y + 8 * dy} V{y} H{x + 8 * dx}" fill="none" stroke="{BLUE}" stroke-width="1.7"/>'
        for x, dx in ((18, 1), (42, -1))
        for y, dy in ((18, 1), (57, -1))
    )
    return frame.format(8.5, 43, 58, 3.4, BLUE, 4.4) + frame.format(13.6, 32.8, 47.8, 1.6, BLUE, 1.3) + corners


def blossom(x: float, y: float, size: float, colour: str, heart: str) -> str:
    """Return a flower of five petals."""
    return petals(x, y, 5, (size * 0.56, size * 0.9, size * 0.8), colour) + circle(x, y, size * 0.3, heart)


def leaf(x: float, y: float, length: float, turn: float, colour: str) -> str:
    """Return a leaf that begins at the point and leans by `turn` degrees from upright."""
    width = length * 0.26
    return (
        f'<path fill="{colour}" transform="rotate({number(turn)} {number(x)} {number(y)})" d="M{number(x)} {number(y)} '
        f"C{number(x - width)} {number(y - length * 0.4)} {number(x - width * 0.6)} {number(y - length * 0.8)} "
        f"{number(x)} {number(y - length)} C{number(x + width * 0.6)} {number(y - length * 0.8)} "
        f'{number(x + width)} {number(y - length * 0.4)} {number(x)} {number(y)}Z"/>'
    )


def line(path: str, colour: str, width: float) -> str:
    """Return an open stroke."""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}" stroke-linecap="round"/>'


def spring() -> str:
    """Return a twig in bud."""
    return (
        line("M7 29 C14 25 22 18 33 8", GOLD, 1.7)
        + leaf(13, 26, 9, -38, GREEN) + leaf(20, 20, 9, 78, GREEN) + leaf(22, 18, 9, -30, GREEN)
        + blossom(30, 12, 4.6, RED, IVORY)
    )  # fmt: skip


def summer() -> str:
    """Return the sun."""
    return petals(19, 17.5, 12, (11.6, 4, 1.7), RED) + circle(19, 17.5, 7.3, RED) + ring(19, 17.5, 4.6, IVORY, 1.1)


def autumn() -> str:
    """Return a maple leaf."""
    blades = ((0, 17), (44, 15), (-44, 15), (92, 11), (-92, 11))
    leaves = "".join(leaf(19, 22, length, turn, RED) for turn, length in blades)
    return leaves + line("M19 21 V30", RED, 1.5)


def winter() -> str:
    """Return a snow crystal."""
    arm = "M19 17.5 V5.5 M19 9.4 L15.6 6.4 M19 9.4 L22.4 6.4 M19 13.4 L16.4 11 M19 13.4 L21.6 11"
    return "".join(f'<g transform="rotate({60 * at} 19 17.5)">{line(arm, BLUE, 1.5)}</g>' for at in range(6))


def plum() -> str:
    """Return plum blossom."""
    return line("M6 29 C13 27 20 24 32 7", GOLD, 1.7) + blossom(17, 18, 7.4, RED, GOLD) + blossom(30, 11, 4, RED, GOLD)


def orchid() -> str:
    """Return an orchid."""
    blades = leaf(19, 31, 19, -38, GREEN) + leaf(19, 31, 17, 46, GREEN) + leaf(19, 31, 13, -70, GREEN)
    stem = line("M19 30 C19 24 20 18 22 14", GREEN, 1.3)
    return blades + stem + petals(22, 11, 5, (4.4, 7, 3.4), BLUE, 36) + circle(22, 11, 1.6, GOLD)


def chrysanthemum() -> str:
    """Return a chrysanthemum."""
    return (
        leaf(19, 26, 13, 118, GREEN) + leaf(19, 26, 13, -118, GREEN)
        + petals(19, 16, 14, (7.6, 7.6, 2.5), GOLD) + petals(19, 16, 9, (3.8, 5, 2), RED) + circle(19, 16, 1.8, GOLD)
    )  # fmt: skip


def bamboo() -> str:
    """Return a stem of bamboo with leaves."""
    stem = "".join(
        f'<rect x="9.6" y="{top}" width="3.6" height="7.6" rx="1.2" fill="{GREEN}"/>' for top in (5.4, 13.8, 22.2)
    )
    leaves = leaf(13, 13.4, 15, 66, GREEN) + leaf(13, 13.4, 13, 102, GREEN) + leaf(13, 21.8, 15, 58, GREEN)
    return stem + leaves + leaf(13, 21.8, 13, 96, GREEN)


FLOWERS: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("春", RED, spring), ("夏", RED, summer), ("秋", RED, autumn), ("冬", RED, winter),
    ("梅", BLUE, plum), ("蘭", BLUE, orchid), ("菊", BLUE, chrysanthemum), ("竹", BLUE, bamboo),
)  # fmt: skip
"""Character, colour and emblem of f1 … f8 (mahjong.md 0.1)."""


def flower(glyphs: Glyphs, at: int) -> str:
    """Return a flower: emblem, number in a disc (seasons) or square (plants), character."""
    character, colour, emblem = FLOWERS[at]
    square = f'<rect x="38.5" y="5" width="16" height="16" rx="2.6" fill="{colour}"/>'
    badge = circle(46.5, 13, 8, colour) if at < 4 else square
    digit = glyphs.fit(str(at % 4 + 1), (42, 8, 9, 10), IVORY)
    return emblem() + badge + digit + glyphs.fit(character, (14, 35, 33, 35), colour)


def back() -> str:
    """Return the back of a tile."""
    lattice = "".join(
        f'<path d="M{x} {y} l5 6.5 l-5 6.5 l-5 -6.5Z" fill="none" stroke="#8fd0b5" stroke-width="0.8"/>'
        for y in (10.5, 23.5, 36.5, 49.5)
        for x in (20, 30, 40)
    )
    return (
        f'<rect x="0.6" y="3" width="58.8" height="76.4" rx="7" fill="{IVORY}" stroke="#8d8468" stroke-width="1.2"/>'
        f'<rect x="0.6" y="0.6" width="58.8" height="73" rx="7" fill="{JADE}" stroke="{DEEP}" stroke-width="1.2"/>'
        f'<rect x="6" y="6" width="48" height="62" rx="4" fill="none" stroke="#8fd0b5" stroke-width="1.4"/>'
        f'{lattice}<path d="M30 29 l6 8 l-6 8 l-6 -8Z" fill="#8fd0b5"/>'
    )


def body() -> str:
    """Return a tile without a face: ivory over a jade back."""
    return (
        f'<rect x="0.6" y="3" width="58.8" height="76.4" rx="7" fill="{JADE}" stroke="{DEEP}" stroke-width="1.2"/>'
        f'<rect x="0.6" y="0.6" width="58.8" height="73" rx="7" fill="{IVORY}" stroke="#8d8468" stroke-width="1.2"/>'
    )


def faces(glyphs: Glyphs) -> dict[str, str]:
    """Return the drawing of each tile code."""
    found: dict[str, str] = {}
    for rank, numeral in enumerate("一二三四五六七八九", 1):
        found[f"{rank}m"] = glyphs.em(numeral, (30, 19.5), 33, INK) + glyphs.fit("萬", (13, 36.5, 34, 33), RED)
    for rank in range(1, 10):
        radius, coins = CIRCLES.get(rank, (0, []))
        found[f"{rank}p"] = great_coin() if rank == 1 else "".join(coin(x, y, radius, colour) for x, y, colour in coins)
        length, sticks = STICKS.get(rank, (0, []))
        found[f"{rank}s"] = "".join(stick(x, y, length, colour) for x, y, colour in sticks)
    found["1s"], found["8s"] = bird(), eight_sticks()
    for code, character, colour in zip("ESWNCF", "東南西北中發", (INK, INK, INK, INK, RED, GREEN), strict=True):
        found[code] = glyphs.fit(character, (8.5, 12, 43, 50), colour)
    found["P"] = white_dragon()
    for at in range(8):
        found[f"f{at + 1}"] = flower(glyphs, at)
    return found


def index(glyphs: Glyphs, code: str) -> str:
    """Return the corner index of a code: its rank or letter on an ivory ground."""
    character = code[1] if code[0] == "f" else code[0]
    colour = {"m": RED, "p": BLUE, "s": GREEN}.get(code[-1], BLUE if code[0] == "f" else INK)
    return (
        f'<path d="M2 2 H18 V15 Q18 20 13 20 H2Z" fill="{IVORY}" stroke="{colour}" stroke-width="0.8" opacity="0.96"/>'
        + glyphs.fit(character, (4.4, 4, 9.6, 12.6), colour)
    )


PIPS = {
    "S": "M0 -10 C2.4 -5.6 9 -2 9 3.2 C9 7.4 3.6 8.4 1.4 5 C1.5 7.6 2.4 9.4 4 10.4 H-4 C-2.4 9.4 -1.5 7.6 -1.4 5 "
    "C-3.6 8.4 -9 7.4 -9 3.2 C-9 -2 -2.4 -5.6 0 -10Z",
    "H": "M0 10 C-3 5.4 -9.6 1 -9.6 -4.2 C-9.6 -9.8 -2.4 -10.8 0 -5.4 C2.4 -10.8 9.6 -9.8 9.6 -4.2 C9.6 1 3 5.4 0 10Z",
    "C": "M0 -10 A4.7 4.7 0 0 1 3.6 -2.4 A4.7 4.7 0 1 1 1.4 5 C1.5 7.6 2.4 9.4 4 10.4 H-4 C-2.4 9.4 -1.5 7.6 -1.4 5 "
    "A4.7 4.7 0 1 1 -3.6 -2.4 A4.7 4.7 0 0 1 0 -10Z",
    "D": "M0 -10.6 C2.6 -6 5 -3 8.4 0 C5 3 2.6 6 0 10.6 C-2.6 6 -5 3 -8.4 0 C-5 -3 -2.6 -6 0 -10.6Z",
}
"""Suits around their own centre, 20 units high."""
SUIT_COLOURS = {"S": INK, "H": RED, "C": INK, "D": RED}


def pip(suit: str, x: float, y: float, scale: float) -> str:
    """Return a suit's sign."""
    place = f"translate({number(x)} {number(y)}) scale({number(scale)})"
    return f'<path fill="{SUIT_COLOURS[suit]}" transform="{place}" d="{PIPS[suit]}"/>'


def card(glyphs: Glyphs, code: str) -> str:
    """Return a playing card: rank and suit in the corner, the suit large, so that it is read at a small size."""
    paper = (
        '<rect x="0.6" y="0.6" width="58.8" height="78.8" rx="6" fill="#fffefa" stroke="#8d8468" stroke-width="1.2"/>'
    )
    if code in {"BJ", "SJ"}:
        colour = RED if code == "BJ" else INK
        star = " ".join(
            f"{number(34 + radius * math.sin(angle))} {number(44 - radius * math.cos(angle))}"
            for at in range(10)
            for radius, angle in ((19 if at % 2 == 0 else 8, math.tau * at / 10),)
        )
        name = "".join(glyphs.fit(letter, (5, 5 + 9.6 * at, 7, 8.4), colour) for at, letter in enumerate("JOKER"))
        return paper + name + f'<polygon points="{star}" fill="{colour}"/>' + circle(34, 44, 4, "#fffefa")
    rank, suit = code
    colour = SUIT_COLOURS[suit]
    ranks = "10" if rank == "T" else rank
    wide = 9.5 if len(ranks) == 2 else 17
    corner = "".join(glyphs.fit(each, (4.5 + 10 * at, 5, wide, 19), colour) for at, each in enumerate(ranks))
    return paper + corner + pip(suit, 13, 36, 0.82) + pip(suit, 38, 56, 1.75)


def sprite() -> str:
    """Return the whole sprite: symbols t-<code> (tiles and cards), i-<code>, t-back, t-blank."""
    glyphs = Glyphs()
    drawn = faces(glyphs)
    symbol = '<symbol id="{0}" viewBox="0 0 60 80">{1}</symbol>'
    lines = [symbol.format(f"t-{code}", body() + face) for code, face in drawn.items()]
    lines += [symbol.format(f"i-{code}", index(glyphs, code)) for code in drawn]
    lines += [symbol.format(f"t-{code}", card(glyphs, code)) for code in CARDS]
    lines += [symbol.format("t-back", back()), symbol.format("t-blank", body())]
    start = '<svg xmlns="http://www.w3.org/2000/svg" class="sprite" width="0" height="0" aria-hidden="true">'
    return "\n".join([f"<!--\n{NOTICE}\n-->", start, *lines, "</svg>"]) + "\n"


def main() -> None:
    """Write the sprite."""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(sprite(), encoding="utf-8")


if __name__ == "__main__":
    main()
