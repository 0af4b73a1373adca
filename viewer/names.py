"""Players' and other foreign names, made safe to show (viewer.md 0.7 and 5).

A name may hold anything: Markdown, markup, marks that turn the direction of a line of payments around. `shown` is for
places that take plain text, `md` for those that read Markdown (labels, captions).
"""

import re
import unicodedata

LIMIT = 32
_HIDDEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&^=/@])")


def shown(name: str, limit: int = LIMIT) -> str:
    """Return a name as one line of visible text, at most `limit` characters; what has nothing visible is `?`."""
    kept = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in _HIDDEN.sub("", name))
    text = " ".join(kept.split())
    if not text:
        return "?"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def md(name: str, limit: int = LIMIT) -> str:
    """Return a name for a place that reads Markdown: shown, every mark escaped."""
    return _MARKDOWN.sub(r"\\\1", shown(name, limit))


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for wide characters, none for combining ones."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )


def cut(text: str, columns: int) -> str:
    """Return a text of at most so many columns."""
    if width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[:-1]
    return text + "…"
