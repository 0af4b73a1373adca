"""The money of a game: what each hand paid, line by line, who paid whom, running totals, and whether it sums to zero.

Made from the view models of `frames`: amounts are points as recorded; nothing is settled anew here.
"""

from collections.abc import Sequence
from typing import TypedDict

from viewer.translate import Text
from viewer.views import Frame, HandView, Picture, SettlementView


class Total(TypedDict):
    """What all seats have after a hand, in points: the start with all payments as recorded, and as replay derives it.

    `derived` is empty where the hand has not ended: its payments are not counted yet.
    """

    hand: int
    recorded: list[int]
    derived: list[int]


class Step(TypedDict):
    """One line of a settlement as a step of a waterfall: a seat's total before and after it."""

    seat: int
    line: int
    before: int
    after: int
    reason: Text
    clause: str


def settled(picture: Picture) -> list[tuple[HandView, Frame]]:
    """Return each hand that has a settlement, with the frame that shows it (the last, where a log has two)."""
    frames = {frame["hand"]: frame for frame in picture["frames"] if "settlement" in frame}
    return [(view, frames[view["hand"]]) for view in picture["hands"] if view["hand"] in frames]


def totals(picture: Picture) -> list[Total]:
    """Return the running totals of both kinds, hand by hand; they part where the log does not hold."""
    at = list(picture["frames"][0]["scores"]) or [0] * len(picture["players"])
    found: list[Total] = []
    for view in picture["hands"]:
        payments = view.get("payments")
        if view["hand"] < 0 or payments is None:
            continue
        at = [total + paid for total, paid in zip(at, payments, strict=False)]
        found.append({"hand": view["hand"], "recorded": at, "derived": view["scores"] if _ended(picture, view) else []})
    return found


def matrix(settlements: Sequence[SettlementView], seats: int) -> list[list[int]]:
    """Return what each seat (row) paid each other (column), all lines added; lines of unknown seats are left out."""
    paid = [[0] * seats for _ in range(seats)]
    for settlement in settlements:
        for line in settlement["lines"]:
            if 0 <= line["payer"] < seats and 0 <= line["payee"] < seats:
                paid[line["payer"]][line["payee"]] += line["amount"]
    return paid


def waterfall(settlement: SettlementView, seats: int) -> list[Step]:
    """Return the steps of each seat, line by line. Law: a seat's last `after` is its payment where lines are whole."""
    totals = [0] * seats
    found: list[Step] = []
    for number, line in enumerate(settlement["lines"]):
        for seat, change in ((line["payer"], -line["amount"]), (line["payee"], line["amount"])):
            if not 0 <= seat < seats:
                continue
            before = totals[seat]
            totals[seat] += change
            found.append(
                {"seat": seat, "line": number, "before": before, "after": totals[seat], "reason": line["reason"],
                 "clause": line["clause"]}
            )  # fmt: skip
    return found


def unbalanced(picture: Picture) -> list[tuple[int, str, int]]:
    """Return the hands whose money does not add up: hand, what (`payments`, `lines`, `scores`), and by how much.

    Payments must sum to zero, lines must come to the payments where there are any, and scores must move by them.
    """
    found: list[tuple[int, str, int]] = []
    scores = picture["frames"][0]["scores"] if picture["frames"] else []
    for view, frame in settled(picture):
        settlement = frame["settlement"]
        payments = settlement["payments"]
        if sum(payments):
            found.append((view["hand"], "payments", sum(payments)))
        if settlement["lines"]:
            owed = matrix([settlement], len(payments))
            got = [sum(row[seat] for row in owed) - sum(owed[seat]) for seat in range(len(payments))]
            off = sum(abs(mine - paid) for mine, paid in zip(got, payments, strict=True))
            if off:
                found.append((view["hand"], "lines", off))
        if len(scores) == len(payments) == len(view["scores"]):
            off = sum(
                abs(after - before - paid) for before, paid, after in zip(scores, payments, view["scores"], strict=True)
            )
            if off and _ended(picture, view):
                found.append((view["hand"], "scores", off))
        scores = view["scores"]
    return found


def _ended(picture: Picture, view: HandView) -> bool:
    return any(frame["type"] == "hand_ended" and frame["hand"] == view["hand"] for frame in picture["frames"])
