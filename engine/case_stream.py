"""The stream of one case: which events it knows, in which order they may come, what they come to.

    case = case_opened (evidence | verdict | decided)* case_closed

A case is closed only after a decision, and nothing follows its end (spec `events.md`, Cases). The fold is pure and
total: `judge` gives the lawful prefix and the first fault. Whether a `verdict` says what the engine says now is for
whoever holds the game (`viewer.cases`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import TypeAdapter

from engine.errors import EventError
from engine.events import VERSION, canonical, check_in, load
from engine.family import Fault
from engine.vocabulary.base import Body, Envelope
from engine.vocabulary.case import CaseClosed, CaseOpened, CaseVerdict, Decided, Evidence

TYPES: Final[tuple[type[Envelope], ...]] = (CaseOpened, Evidence, CaseVerdict, Decided, CaseClosed)
_READERS: Final[dict[str, TypeAdapter[Envelope]]] = {
    model.model_fields["type"].default: TypeAdapter(model) for model in TYPES
}
WORDS: Final = tuple(_READERS)
CLAUSE: Final = "events.case"
DUE: Final = "events.case.due"
"""The clause of a case's clock, which only a log can be held to."""


@dataclass(slots=True)
class Case:
    """A case as its lawful events tell it; lists are in order of the log. `size` counts the lawful events."""

    id: str = ""
    opened: CaseOpened | None = None
    evidence: list[Evidence] = field(default_factory=list)
    verdicts: list[CaseVerdict] = field(default_factory=list)
    decisions: list[Decided] = field(default_factory=list)
    closed: CaseClosed | None = None
    at: int = 0
    size: int = 0
    fault: Fault | None = None
    """Why the event after the lawful ones may not stand there."""

    @property
    def status(self) -> str:
        """Return open, decided or closed."""
        return "closed" if self.closed is not None else "decided" if self.decisions else "open"

    def overdue(self, now: int) -> bool:
        """Tell whether the clock ran out, at `now` (ms UTC), before the first decision."""
        if self.opened is None:
            return False
        return (self.decisions[0].at if self.decisions else now) > self.opened.due


def parse(line: bytes) -> Envelope:
    """Return the case event of canonical bytes; raise EventError with the field and the reason."""
    return check_in(_READERS, line, load(line))


def build(body: Body, *, at: int, case: str, seq: int) -> bytes:
    """Return the bytes of a case event; raise EventError where the schema refuses it."""
    record = {**body, "at": at, "game": case, "seq": seq, "v": VERSION}
    line = canonical(record)
    check_in(_READERS, line, record)
    return line


def is_case(lines: Sequence[bytes]) -> bool:
    """Tell whether a stream begins as a case does."""
    try:
        return bool(lines) and load(lines[0]).get("type") == "case_opened"
    except EventError:
        return False


def judge(lines: Sequence[bytes]) -> Case:
    """Fold a case's events; what may not come is its `fault`, and what follows that is not looked at."""
    case = Case()
    for line in lines:
        try:
            event = parse(line)
        except EventError as error:
            case.fault = Fault("vocabulary", CLAUSE, "an event of a case", str(error))
            return case
        case.fault = fault(case, event)
        if case.fault is not None:
            return case
        _take(case, event)
    return case


def fault(case: Case, event: Envelope) -> Fault | None:
    """Say why an event may not come next, None where it may."""
    word = str(getattr(event, "type", ""))
    if event.seq != case.size or (case.size and event.game != case.id) or event.at < case.at:
        expected = f"{case.id or 'a case'}, seq {case.size}, at >= {case.at}"
        return Fault("envelope", CLAUSE, expected, f"{event.game}, seq {event.seq}, at {event.at}")
    if (case.opened is None) != isinstance(event, CaseOpened):
        return Fault("order", CLAUSE, "case_opened first, and once", word)
    if case.closed is not None:
        return Fault("order", CLAUSE, "nothing after case_closed", word)
    if isinstance(event, CaseClosed) and not case.decisions:
        return Fault("order", CLAUSE, "decided before case_closed", word)
    if isinstance(event, CaseOpened) and event.due < event.at:
        return Fault("order", CLAUSE, "a time limit after the opening", f"due {event.due}")
    return None


def _take(case: Case, event: Envelope) -> None:
    case.id, case.at, case.size = event.game, event.at, event.seq + 1
    if isinstance(event, CaseOpened):
        case.opened = event
    elif isinstance(event, Evidence):
        case.evidence.append(event)
    elif isinstance(event, CaseVerdict):
        case.verdicts.append(event)
    elif isinstance(event, Decided):
        case.decisions.append(event)
    elif isinstance(event, CaseClosed):
        case.closed = event
