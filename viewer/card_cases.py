"""What `paipu score` compares and tells of a card game's case, whose result has the keys of its `expect`.

Comparing and words only; what a case pays is the engine's (`engine.banker.cases`, `engine.tricks.cases`).
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from engine.fields import CaseError, Fields
from viewer.translate import bilingual
from viewer.words import term

EXPECTS: Final[dict[str, tuple[str, ...]]] = {
    "banker": ("types", "payments"),
    "tricks": (
        "payments",
        "winner",
        "points",
        "declarers_next",
        "levels",
        "starter_next",
        "level_next",
        "match_won_by",
    ),
}
"""What `expect` may say, by family."""


def differences(family: str, expect: Fields, result: Mapping[str, Any]) -> list[str]:
    """Return how a result differs from what its case expects, one line each; CaseError where `expect` is none."""
    wanted = {name: expect.raw(name) for name in EXPECTS[family] if expect.has(name)}
    expect.done()
    if not wanted:
        raise CaseError(expect.where, f"it says nothing; known: {', '.join(EXPECTS[family])}")
    return [
        f"{name}: expected {_text(value)}, found {_text(result[name]) if name in result else 'nothing'}"
        for name, value in wanted.items()
        if name not in result or _text(result[name]) != _text(value)
    ]


def _text(value: object) -> str:
    # Canonical text, so that true is not 1 and the order of keys decides nothing.
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def told(result: Mapping[str, Any]) -> list[str]:
    """Return a result in words, one line each, without its lines of payment: what the hands are, what comes next."""
    lines = []
    for seat, kind in result.get("types", {}).items():
        told = bilingual("seat {seat} has {bull}", seat=str(seat), bull=term("bulls", kind))
        lines.append(f"  {told['en']} / {told['zh']} ({kind})")
    other = sorted(set(result) - {"id", "types", "payments", "lines"})
    return [*lines, *(f"  {key} {_text(result[key])}" for key in other)]
