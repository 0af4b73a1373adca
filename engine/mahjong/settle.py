"""The settlement of a hand: each winner's score and lines, payments that sum to zero (`mahjong.md` 0.8)."""

from typing import Any, NamedTuple

from engine.events import Body
from engine.mahjong.payments import PAYMENTS, Line
from engine.mahjong.score import Score, score
from engine.mahjong.state import Hand, Win

PATTERN_KEYS = ("win", "own_wind", "dragon", "half_flush", "full_flush", "three_dragons", "round_wind", "own_flower",
                "kong_bloom", "flower_bloom", "last_discard", "heavenly", "earthly", "robbed")  # fmt: skip
"""First words of the pattern ids; the clause key of a pattern is `tai.` and its first word."""


class Settlement(NamedTuple):
    """Winners with their scores in order, lines winner by winner, payments per seat."""

    winners: list[tuple[Win, Score]]
    lines: list[Line]
    payments: list[int]


def settle(hand: Hand) -> Settlement:
    """Return what the hand pays. Law: the payments sum to zero."""
    winners = [(win, score(hand, win)) for win in hand.wins]
    lines = [
        line for win, its in winners for name in hand.rules.payments for line in PAYMENTS[name](hand, win, its.points)
    ]
    payments = [0] * hand.players
    for line in lines:
        payments[line.payer] -= line.amount
        payments[line.payee] += line.amount
    assert sum(payments) == 0, payments
    return Settlement(winners, lines, payments)


def line_body(hand: Hand, line: Line) -> Body:
    """Return a line as it stands in `settled`."""
    return {
        "from": line.payer,
        "to": line.payee,
        "amount": line.amount,
        "reason": line.reason,
        "clause": hand.rules.clause(line.key),
    }


def body(hand: Hand, settlement: Settlement) -> Body:
    """Return the body of `settled` (spec `events.md`)."""
    return {
        "type": "settled",
        "winners": [
            {
                "seat": win.seat,
                "patterns": [{"id": name, "tai": tai} for name, tai in its.patterns],
                "tai": its.tai,
                "points": its.points,
            }
            for win, its in settlement.winners
        ],
        "payments": settlement.payments,
        "lines": [line_body(hand, line) for line in settlement.lines],
    }


def pattern_clause(hand: Hand, pattern: str) -> str:
    """Return the clause id of a pattern."""
    return hand.rules.clause(f"tai.{pattern.partition('.')[0]}")


def difference(hand: Hand, expected: Body, found: Body) -> tuple[str, Any, Any]:
    """Return clause id, expected and found of the first thing that a recorded settlement has otherwise.

    A foreign server may leave out `patterns` and `lines` (events.md); what it states must be right, and lines
    compare as a set.
    """
    if found.get("payments") != expected["payments"]:
        paid = list(found.get("payments") or [])
        for seat, amount in enumerate(expected["payments"]):
            if seat >= len(paid) or paid[seat] != amount:
                for line in expected["lines"]:
                    if seat in {line["from"], line["to"]}:
                        return line["clause"], expected["payments"], paid
        return hand.rules.clause("pay.none" if not expected["lines"] else "pay.zero"), expected["payments"], paid
    theirs = found.get("winners") or []
    mine = expected["winners"]
    if [each.get("seat") for each in theirs] != [each["seat"] for each in mine]:
        return hand.rules.clause("pay.winners"), [e["seat"] for e in mine], [e.get("seat") for e in theirs]
    for want, have in zip(mine, theirs, strict=True):
        if "patterns" in have and have["patterns"] != want["patterns"]:
            odd = next((each for each in want["patterns"] if each not in have["patterns"]), None)
            odd = odd or next((each for each in have["patterns"] if each not in want["patterns"]), want["patterns"][0])
            return pattern_clause(hand, odd["id"]), want["patterns"], have["patterns"]
        for name in ("tai", "points"):
            if have.get(name) != want[name]:
                return hand.rules.clause("tai.cap" if name == "tai" else "tai.points"), want, have
        if set(have) - set(want):
            return hand.rules.clause("pay.winners"), want, have
    if "lines" in found and as_set(found["lines"]) != as_set(expected["lines"]):
        odd_line = next((line for line in expected["lines"] if line not in found["lines"]), None)
        clause = odd_line["clause"] if odd_line else hand.rules.clause("pay.none")
        return clause, expected["lines"], found["lines"]
    extra = sorted(set(found) - set(expected) - {"at", "game", "seq", "v"})
    return hand.rules.clause("pay.zero"), expected, {name: found[name] for name in extra}


def as_set(lines: list[Body]) -> list[tuple[Any, ...]]:
    """Return lines in an order that does not depend on how they were written down."""
    return sorted(tuple(sorted(line.items())) for line in lines)


def agrees(expected: Body, found: Body) -> bool:
    """Tell whether a recorded settlement states nothing but what the rules demand (events.md, `settled`)."""
    mine = {key: value for key, value in found.items() if key not in {"at", "game", "seq", "v"}}
    if mine == expected:
        return True
    if set(mine) - set(expected) or not {"type", "winners", "payments"} <= set(mine):
        return False
    if mine["payments"] != expected["payments"] or len(mine["winners"]) != len(expected["winners"]):
        return False
    if "lines" in mine and as_set(mine["lines"]) != as_set(expected["lines"]):
        return False
    for want, have in zip(expected["winners"], mine["winners"], strict=True):
        if have != want and {**want, **have} != want:
            return False
        if set(have) - set(want) or not {"seat", "tai", "points"} <= set(have):
            return False
    return True
