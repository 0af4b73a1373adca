"""A recorded settlement as the viewer shows it: winners with their patterns by name, lines with their clauses.

What stands in the log is shown, right or wrong; whether it is right is the verdict's business.
"""

from collections.abc import Mapping
from typing import Any

from engine.events import Record
from viewer import words
from viewer.translate import Text, bilingual
from viewer.views import LineView, PatternView, SettlementView, WinnerView

UNITS = ("tai", "fan", "hu")


def view(record: Record, preset: str = "") -> SettlementView | None:
    """Return a recorded settlement in the words of its rules.

    None where its fields cannot be read: a finding stands at it then.
    """
    try:
        found: SettlementView = {
            "winners": [_winner(winner) for winner in record["winners"]],
            "lines": [_line(line, preset) for line in record.get("lines", [])],
            "payments": [int(amount) for amount in record["payments"]],
        }
        if "outcome" in record:
            found["outcome"] = [_fact(name, value) for name, value in record["outcome"].items()]
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return found


def _fact(name: str, value: object) -> Text:
    told = words.term("outcomes", name)
    if isinstance(value, bool):
        answer = words.term("outcomes", "yes" if value else "no")
    else:
        shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        answer = {"en": shown, "zh": shown}
    return bilingual("{fact}: {value}", fact=told, value=answer)


def _winner(winner: Mapping[str, Any]) -> WinnerView:
    patterns: list[PatternView] = []
    for each in winner.get("patterns", []):
        pattern: PatternView = {"id": each["id"], "name": words.pattern(each["id"])}
        unit = next((unit for unit in UNITS if unit in each), None)
        if unit is not None:
            pattern["worth"], pattern["unit"] = each[unit], unit
        patterns.append(pattern)
    view: WinnerView = {"seat": winner["seat"], "patterns": patterns, "points": winner["points"]}
    if "tai" in winner:
        view["tai"] = winner["tai"]
    if "multiplier" in winner:
        view["multiplier"] = winner["multiplier"]
    return view


def _line(line: Mapping[str, Any], preset: str) -> LineView:
    return {
        "payer": line["from"],
        "payee": line["to"],
        "amount": line["amount"],
        "reason": words.reason(line["reason"], preset),
        "clause": line["clause"],
    }
