"""The words of the viewer in Chinese and English: tiles, seats, calls, patterns and labels are data (`glossary.json`).

Seats are called by their wind in the hand, so that no player's name ever stands inside a sentence (viewer.md 0.7).
`sentences` puts whole events into these words.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypedDict

from engine.cards import CARD_NAMES, CARDS, FLOWERS, KINDS, TILE_NAMES


class Text(TypedDict):
    """The same words in the two languages."""

    en: str
    zh: str


LANGUAGES: Final = ("en", "zh")
WINDS: Final = "ESWN"


@cache
def glossary() -> Mapping[str, Mapping[str, Text]]:
    """Return the glossary: section, then key, then both languages."""
    whole: Mapping[str, Mapping[str, Text]] = json.loads(Path(__file__).with_name("glossary.json").read_bytes())
    return whole


@cache
def pieces() -> Mapping[str, Text]:
    """Return the name of each tile and card as it stands in a sentence.

    Winds and flowers say that they are tiles (`south wind`, `bamboo flower`): seats are called by winds, too, and a
    suit by bamboos. One tile is no plural.
    """
    names = (*zip(KINDS, TILE_NAMES, strict=True), *zip(CARDS, CARD_NAMES, strict=True))
    found: dict[str, Text] = {code: {"en": name.en, "zh": name.zh} for code, name in names}
    for code in WINDS:
        found[code] = {"en": f"{found[code]['en']} wind", "zh": f"{found[code]['zh']}风"}
    for code in KINDS[FLOWERS:]:
        found[code]["en"] += " flower"
    for code in ("5m", "5p", "5s"):
        found[f"0{code[1]}"] = {"en": f"red {found[code]['en']}", "zh": f"赤{found[code]['zh']}"}
    for code in ("1m", "1p", "1s"):
        found[code]["en"] = found[code]["en"].removesuffix("s")
    return found


def term(section: str, key: str) -> Text:
    """Return a term of the glossary; a key it does not have stands for itself, for logs may name anything."""
    return glossary()[section].get(key, {"en": key, "zh": key})


def reason(key: str) -> Text:
    """Return why a line is paid: the way of a win, or the type of hand that a card game's multiplier is of."""
    return term("reasons" if key in glossary()["reasons"] else "bulls", key)


def label(key: str, language: str) -> str:
    """Return a label of the pages; an unknown key is a KeyError."""
    text = glossary()["labels"][key]
    return text["zh"] if language == "zh" else text["en"]


def both(text: Text, language: str) -> str:
    """Return the words of one language."""
    return text["zh"] if language == "zh" else text["en"]


def tile(code: object) -> Text:
    """Return the name of a tile or card; an unknown code stands for itself."""
    if isinstance(code, str) and code in pieces():
        return pieces()[code]
    return {"en": str(code), "zh": str(code)}


def tiles(codes: Iterable[object]) -> Text:
    """Return names in a row."""
    names = [tile(code) for code in codes]
    return {"en": ", ".join(name["en"] for name in names), "zh": "".join(name["zh"] + " " for name in names).strip()}


def seat(number: object, winds: Sequence[str]) -> Text:
    """Return what a seat is called: its wind in this hand, its number where no hand is in play."""
    if isinstance(number, int) and 0 <= number < len(winds):
        return term("winds", winds[number])
    return {"en": f"Seat {number}", "zh": f"{number}号位"}


def pattern(identity: str) -> Text:
    """Return the name of a pattern: its first word in the glossary, a tile or count after the dot added."""
    if identity in glossary()["patterns"]:
        return glossary()["patterns"][identity]
    first, _, rest = identity.partition(".")
    name = term("patterns", first)
    if not rest:
        return name
    extra = tile(rest)
    return {"en": f"{name['en']} ({extra['en']})", "zh": f"{name['zh']}（{extra['zh']}）"}


def signed(amount: int) -> str:
    """Return an amount in points with its sign; the minus is the typographic one, 0 has none."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"
