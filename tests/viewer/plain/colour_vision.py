"""Colours as eyes see them: simulated colour blindness, distance and contrast, written out plainly.

Machado, Oliveira and Fernandes 2009 (severity 1, linear RGB), CIE L*a*b* under D65, CIEDE2000 after Sharma, Wu and
Dalal 2005, contrast after WCAG 2. Colours are `#rrggbb`.
"""

from collections.abc import Mapping
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Lab = tuple[float, float, float]
SEEN: Mapping[str, tuple[Lab, Lab, Lab]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

THEMES = {
    "light": {"text-color": "#2f2d2b", "background-color": "#ffffff", "secondary-background-color": "#f8f8f7"},
    "dark": {"text-color": "#edebe8", "background-color": "#171614", "secondary-background-color": "#2d2b27"},
}
"""What Streamlit tells a component of its two themes; a browser test holds them to what it does tell."""


def parts(colour: str) -> list[int]:
    """Return red, green and blue, 0 to 255."""
    digits = colour.removeprefix("#")
    digits = "".join(each * 2 for each in digits) if len(digits) == 3 else digits
    return [int(digits[at : at + 2], 16) for at in (0, 2, 4)]


def mix(over: str, share: float, under: str) -> str:
    """Return a colour of which `share` is the first, as CSS mixes in sRGB, or as one of that opacity looks."""
    pairs = zip(parts(over), parts(under), strict=True)
    return "#" + "".join(f"{round(one * share + other * (1 - share)):02x}" for one, other in pairs)


def linear(colour: str) -> list[float]:
    shares = [each / 255 for each in parts(colour)]
    return [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares]


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def seen(colour: str, eyes: str) -> Lab:
    """Return a colour as such eyes see it, in L*a*b*."""
    given = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(factor * each for factor, each in zip(row, given, strict=True)))) for row in SEEN[eyes]
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (each ** (1 / 3) if each > 216 / 24389 else (24389 / 27 * each + 16) / 116 for each in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: Lab, other: Lab) -> float:
    """Return CIEDE2000; 1 is what a trained eye just sees."""
    (light1, a1, b1), (light2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    chroma1, chroma2 = hypot(a1 * stretch, b1), hypot(a2 * stretch, b2)
    hue1, hue2 = (degrees(atan2(b, a * stretch)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))
    grey = chroma1 * chroma2 == 0
    turn = 0.0 if grey else (hue2 - hue1 + 180) % 360 - 180
    light, chroma = light2 - light1, chroma2 - chroma1
    hue = 2 * sqrt(chroma1 * chroma2) * sin(radians(turn / 2))
    mid_light, mid_chroma = (light1 + light2) / 2, (chroma1 + chroma2) / 2
    mid_hue = hue1 + hue2 if grey else (hue1 + hue2 + (0 if abs(hue1 - hue2) <= 180 else 360)) / 2 % 360
    t = (
        1
        - 0.17 * cos(radians(mid_hue - 30))
        + 0.24 * cos(radians(2 * mid_hue))
        + 0.32 * cos(radians(3 * mid_hue + 6))
        - 0.20 * cos(radians(4 * mid_hue - 63))
    )
    by_light = light / (1 + 0.015 * (mid_light - 50) ** 2 / sqrt(20 + (mid_light - 50) ** 2))
    by_chroma = chroma / (1 + 0.045 * mid_chroma)
    by_hue = hue / (1 + 0.015 * mid_chroma * t)
    rotation = (
        -sin(radians(60 * exp(-(((mid_hue - 275) / 25) ** 2)))) * 2 * sqrt(mid_chroma**7 / (mid_chroma**7 + 25**7))
    )
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


def nearest(colours: Mapping[str, str], eyes: str) -> tuple[float, str]:
    """Return how far apart the two nearest of these colours are to such eyes, and which they are."""
    pairs = combinations(colours.items(), 2)
    return min((difference(seen(one, eyes), seen(two, eyes)), f"{name}/{other}") for (name, one), (other, two) in pairs)
