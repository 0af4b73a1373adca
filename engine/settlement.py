"""The settlement every family writes: lines that name a clause, payments that sum to zero (events.md, `settled`).

A foreign server may leave out `patterns` and `lines`; what it states must be right, and lines compare as a set.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.events import Body
from engine.rules import Rules

ENVELOPE = frozenset({"at", "game", "seq", "v"})


class Line(NamedTuple):
    """One payment in points; `key` is the family's key of the clause that demands it."""

    payer: int
    payee: int
    amount: int
    reason: str
    key: str


def payments_of(lines: Sequence[Line], players: int) -> list[int]:
    """Return what each seat gets in sum. Law: the payments sum to zero."""
    payments = [0] * players
    for line in lines:
        payments[line.payer] -= line.amount
        payments[line.payee] += line.amount
    assert sum(payments) == 0, payments
    return payments


def settled(rules: Rules, winners: list[Body], lines: Sequence[Line], players: int) -> Body:
    """Return the body of `settled`."""
    return {
        "type": "settled",
        "winners": winners,
        "payments": payments_of(lines, players),
        "lines": [
            {
                "from": line.payer,
                "to": line.payee,
                "amount": line.amount,
                "reason": line.reason,
                "clause": rules.clause(line.key),
            }
            for line in lines
        ],
    }


def as_set(lines: Sequence[Body]) -> list[tuple[Any, ...]]:
    """Return lines in an order that does not depend on how they were written down."""
    return sorted(tuple(sorted(line.items())) for line in lines)


def agrees(expected: Body, found: Body) -> bool:
    """Tell whether a recorded settlement states nothing but what the rules demand."""
    mine = {key: value for key, value in found.items() if key not in ENVELOPE}
    if set(mine) - set(expected) or not set(expected) - {"lines"} <= set(mine):
        return False
    if any(mine[key] != expected[key] for key in mine if key not in {"winners", "lines"}):
        return False
    if len(mine["winners"]) != len(expected["winners"]):
        return False
    if "lines" in mine and as_set(mine["lines"]) != as_set(expected["lines"]):
        return False
    return all(
        {**want, **have} == want and set(want) - {"patterns"} <= set(have)
        for want, have in zip(expected["winners"], mine["winners"], strict=True)
    )


def difference(rules: Rules, expected: Body, found: Body) -> tuple[str, Any, Any]:
    """Return clause id, expected and found of the first thing that a recorded settlement has otherwise.

    Pattern clauses are the rules' `tai.<first word of the pattern's id>`.
    """
    paid, due = list(found.get("payments") or []), expected["payments"]
    if paid != due:
        seat = next((i for i, amount in enumerate(due) if i >= len(paid) or paid[i] != amount), len(due))
        lines = [line for line in expected["lines"] if seat in {line["from"], line["to"]}]
        clause = lines[0]["clause"] if lines else rules.clause("pay.none" if not expected["lines"] else "pay.zero")
        return clause, due, paid
    theirs, mine = found.get("winners") or [], expected["winners"]
    if [each.get("seat") for each in theirs] != [each["seat"] for each in mine]:
        return rules.clause("pay.winners"), [each["seat"] for each in mine], [each.get("seat") for each in theirs]
    for want, have in zip(mine, theirs, strict=True):
        if {**want, **have} != want or not set(want) - {"patterns"} <= set(have):
            return _winner_difference(rules, want, have)
    if "lines" in found and as_set(found["lines"]) != as_set(expected["lines"]):
        odd = next((line for line in expected["lines"] if line not in found["lines"]), None)
        return odd["clause"] if odd else rules.clause("pay.none"), expected["lines"], found["lines"]
    names = sorted(name for name in set(found) | set(expected) if name not in ENVELOPE)
    odd_names = [name for name in names if found.get(name) != expected.get(name)]
    return (
        rules.clause("pay.zero"),
        {name: expected.get(name) for name in odd_names},
        {name: found.get(name) for name in odd_names},
    )


def _winner_difference(rules: Rules, want: Body, have: Body) -> tuple[str, Any, Any]:
    if "patterns" in have and have["patterns"] != want["patterns"]:
        missing = [each for each in want["patterns"] if each not in have["patterns"]]
        extra = [each for each in have["patterns"] if each not in want["patterns"]]
        odd = (missing or extra or want["patterns"])[0]
        return pattern_clause(rules, odd["id"]), want["patterns"], have["patterns"]
    key = "tai.cap" if "tai" in want and have.get("tai") != want["tai"] else "tai.points"
    return rules.clause(key), want, have


def pattern_clause(rules: Rules, pattern: str) -> str:
    """Return the clause id of a pattern."""
    return rules.clause(f"tai.{pattern.partition('.')[0]}")
