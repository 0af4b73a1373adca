"""The events in which a hand ends: settlement and scores."""

from typing import Annotated, Literal

from pydantic import Field

from engine.vocabulary.base import Amount, Count, Envelope, Free, Name, Part, Present, Record, Seat, Wind


class PatternLine(Part):
    """A pattern and what it counted."""

    id: Name
    tai: Annotated[Amount | None, Present] = None
    fan: Annotated[Amount | None, Present] = None
    hu: Annotated[Amount | None, Present] = None


class WinnerLine(Part):
    """A winner's patterns and worth in points."""

    seat: Seat
    patterns: Annotated[tuple[PatternLine, ...] | None, Present] = None
    tai: Annotated[Amount | None, Present] = None
    multiplier: Annotated[Amount | None, Present] = None
    points: Amount


class PayLine(Part):
    """One payment, with the clause that demands it."""

    from_: Annotated[int, Field(ge=0, le=9, alias="from")]
    to: Seat
    amount: Count
    reason: Name
    clause: Name


class Settled(Envelope):
    """What the hand pays: winners, payments (sum of the lines, zero in total), lines."""

    type: Literal["settled"] = "settled"
    winners: tuple[WinnerLine, ...]
    payments: tuple[Amount, ...]
    lines: Annotated[tuple[PayLine, ...] | None, Present] = None
    outcome: Annotated[Free | None, Present] = None

    def record(self) -> Record:
        """Return the JSON object of the event."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)


class NextHand(Part):
    """What the next hand starts with."""

    dealer: Seat
    round_wind: Annotated[Wind | None, Present] = None
    streak: Annotated[Count | None, Present] = None
    levels: Annotated[tuple[str, ...] | None, Present] = None


class HandEnded(Envelope):
    """Scores after the hand, start points included; no `next` after the last one."""

    type: Literal["hand_ended"] = "hand_ended"
    scores: tuple[Amount, ...]
    next: Annotated[NextHand | None, Present] = None
