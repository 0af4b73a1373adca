"""The events of a case, the stream of one dispute (spec `events.md`, Cases): a union of their own.

A type word has one meaning in its kind of stream, so `verdict` here is nothing of a game's. Words in anybody's own
language (`claim`, `reason`) are salted commitments of ledger.md 1: the texts stand in a side table and can be erased.
"""

from typing import Annotated, Literal

from pydantic import Field

from engine.vocabulary.base import Count, Decision, Envelope, GameId, Hex32, Name, Part, Present

Judged = Literal["holds", "failed", "not_checkable"]
Outcome = Literal["upheld", "rejected", "settled", "referred"]


class Subject(Part):
    """What the dispute is about: a game, a hand of it, one event."""

    game: GameId
    hand: Annotated[Count | None, Present] = None
    seq: Annotated[Count | None, Present] = None


class CaseOpened(Decision):
    """Somebody disputes a game; `due` (ms UTC) is when the jurisdiction wants it decided."""

    type: Literal["case_opened"] = "case_opened"
    by: Name
    subject: Subject
    claim: Hex32
    jurisdiction: Name
    due: Count


class Evidence(Decision):
    """A frozen file, named by its digest; `size` in bytes."""

    type: Literal["evidence"] = "evidence"
    by: Name
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
    sha256: Hex32
    size: Count


class CaseVerdict(Envelope):
    """What the engine says of the subject's game; `findings` is the digest of the findings array (ledger.md 3)."""

    type: Literal["verdict"] = "verdict"
    engine: Name
    rules: Name
    outcome: Judged
    findings: Hex32


class Decided(Decision):
    """What somebody decided; `reason` commits to the words."""

    type: Literal["decided"] = "decided"
    by: Name
    outcome: Outcome
    reason: Hex32


class CaseClosed(Decision):
    """The end: nothing follows, a new doubt opens a new case."""

    type: Literal["case_closed"] = "case_closed"
    by: Name
