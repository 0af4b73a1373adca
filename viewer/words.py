"""The terms of the games in Chinese and English: tiles, seats, calls, patterns and the like are data (`glossary.json`).

Each game has words of its own for some things (`dialects`): a hand without a winner is 黄牌 in Linhai, 荒庄 in Hainan.

Seats are called by their wind in the hand, so that no player's name ever stands inside a sentence (viewer.md 0.7).
`sentences` puts whole events into these words.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from engine.cards import CARD_NAMES, CARDS, FLOWERS, KINDS, TILE_NAMES
from engine.errors import UnknownRulesError
from engine.formats.riichi_events import RULES as RIICHI
from engine.variants import find
from viewer.translate import Text, bilingual

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
        found[code] = bilingual("{wind} wind", wind=found[code])
    for code in KINDS[FLOWERS:]:
        found[code]["en"] += " flower"
    for code in ("5m", "5p", "5s"):
        found[f"0{code[1]}"] = bilingual("red {tile}", tile=found[code])
    for code in ("1m", "1p", "1s"):
        found[code]["en"] = found[code]["en"].removesuffix("s")
    return found


def term(section: str, key: str) -> Text:
    """Return a term of the glossary; a key it does not have stands for itself, for logs may name anything."""
    return glossary()[section].get(key, {"en": key, "zh": key})


def dialect(key: str, preset: str) -> Text:
    """Return what a game calls a thing: by its rules id, else by the first part of it, else in general.

    Keys: `draw`, a hand without a winner; `wild`, a tile that stands for any.
    """
    known = glossary()["dialects"]
    return known.get(f"{key}.{preset.partition('.')[0]}", known[key])


def reason(key: str, preset: str = "") -> Text:
    """Return why a line is paid: the way of a win, or the type of hand that a card game's multiplier is of."""
    if key == "drawn_hand":
        return dialect("draw", preset)
    return term("reasons" if key in glossary()["reasons"] else "bulls", key)


@lru_cache(maxsize=256)
def rules(preset: str) -> Text:
    """Return what rules are called; an id that no preset has stands for itself."""
    if preset == RIICHI:
        return bilingual("Riichi, imported from Tenhou")
    try:
        found = find(preset, {})
    except UnknownRulesError:
        return {"en": preset, "zh": preset}
    return {"en": found.en, "zh": found.zh}


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
    return bilingual("Seat {number}", number=str(number))


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
