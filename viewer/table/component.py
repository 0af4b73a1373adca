"""The replay component as Streamlit mounts it (viewer.md 0.1): sprite, script and style are handed over inline.

Python sends the frames of a game once, gzipped; JavaScript steps through them and tells which hand is shown. What is
sent is public to whoever opens the page: redaction by role comes before this module.
"""

import base64
import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import streamlit as st

from viewer import frames, translate, words
from viewer.views import Picture

HERE: Final = Path(__file__).parent
SCRIPTS: Final = ("speech.js", "patch.js", "draw.js", "panels.js", "wall.js", "why.js", "controls.js", "main.js")
SECTIONS: Final = ("winds", "answers", "melds", "units")
"""Sections of the glossary that the script speaks with."""
SUITS: Final = {"C": ("#1b2233", "club"), "D": ("#b3201b", "diamond")}
"""Suits that the four-colour switch paints anew, with the colour of their drawings (viewer.md 4)."""
CARD: Final = re.compile(r'<symbol id="t-[2-9TJQKA]([CD])".*?</symbol>', re.DOTALL)


@cache
def tiles() -> str:
    """Return the sprite of tiles.svg, the ink of clubs and diamonds open to the four-colour switch."""
    return CARD.sub(_open_ink, (HERE / "tiles.svg").read_text(encoding="utf-8"))


def _open_ink(card: re.Match[str]) -> str:
    colour, name = SUITS[card[1]]
    return card[0].replace(f'fill="{colour}"', f'style="fill:var(--{name},{colour})"')


@cache
def script() -> str:
    """Return the component's one module, its parts in order."""
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in SCRIPTS)


def mounting() -> Callable[..., Any]:
    """Declare the component and return the command that mounts it."""
    return st.components.v2.component(
        "paipu_table",
        html=f'{tiles()}<div class="paipu" tabindex="0" role="group"></div>',
        css=(HERE / "style.css").read_text(encoding="utf-8"),
        js=script(),
    )


def payload(picture: Picture) -> dict[str, str]:
    """Return what is sent: the packed picture with the words of the script, and a digest that names it."""
    terms = {section: words.glossary()[section] for section in SECTIONS} | {
        "pieces": words.pieces(),
        "messages": {lang: translate.messages(lang, "table") for lang in translate.LOCALES},
    }
    packed = frames.packed({"picture": picture, "words": terms})
    return {"packed": base64.b64encode(packed).decode(), "digest": sha256(packed).hexdigest()}
