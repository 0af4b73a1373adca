"""What every family supplies, and the value that says why an event may not come next.

A family plays hands; the frame around them (premise, entropy, seats, seeds, votes, end) is the same for all and
stands in `frame`. A family's folder has a `flow` module that is a `Family`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from engine.events import Body, Record
from engine.shuffle import Deal


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an event may not come next: a value, never an exception.

    `code` is a word (or V1…V18 of fairness.md 1.10), `clause` the rule's id, `expected` and `found` text or the
    JSON values concerned. `follows` marks a fault found after a re-synchronisation.
    """

    code: str
    clause: str
    expected: Any
    found: Any
    follows: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """What a hand begins with beside its spot: the table so far."""

    players: int
    scores: Sequence[int]
    """By place, start points included."""
    start_points: int


class HandState(Protocol):
    """A hand in play, as the frame sees it."""

    phase: str
    """`ended` once the settlement stands."""
    payments: Sequence[int]
    """Per seat, once the settlement stands."""


class Family(Protocol):
    """The verbs of one hand. Bodies carry no envelope; records do."""

    name: str
    DUE: Mapping[str, Callable[[Any], Body]]
    """By phase of the hand, what makes the one consequence that must come next; no entry: a decision, or the end."""
    STEPS: Mapping[str, Callable[[Any, Record], None]]
    """By event type, what applies an event that has no fault."""

    def deck(self, rules: Any) -> tuple[str, ...]:  # noqa: ANN401  each family takes its own rules
        """Return the ids of the deck in the order that the deal protocol shuffles."""
        ...

    def n_dice(self, rules: Any) -> int:  # noqa: ANN401
        """Return how many dice a hand throws."""
        ...

    def first(self, rules: Any) -> Body:  # noqa: ANN401
        """Return what the first hand starts with: the fields of `hand_started` that carry over.

        What a family carries over beyond those stands in the same spot under names of its own; the log never says
        it. `over` in a spot: the match is decided, no hand follows (modes.md 1).
        """
        ...

    def succeed(self, rules: Any, spot: Body, hand: Any, first_dealer: int) -> Body:  # noqa: ANN401
        """Return what the next hand starts with."""
        ...

    def start(self, rules: Any, spot: Body, deal: Deal | None, setting: Setting) -> Any:  # noqa: ANN401
        """Return the state of a hand that begins; without a deal, draws are taken as given."""
        ...

    def clause(self, hand: Any, due: Body, found: Record) -> tuple[str, str, Any, Any]:  # noqa: ANN401
        """Return code, clause id, expected and found where another event stands in the place of `due`."""
        ...

    def options(self, hand: Any) -> Sequence[Body]:  # noqa: ANN401
        """Return every decision that may come next, in a fixed order."""
        ...

    def timeout(self, hand: Any, seat: int) -> Body | None:  # noqa: ANN401
        """Return what the seat's time-out chooses now, None where nothing is asked of it."""
        ...

    def chosen(self, hand: Any, record: Record) -> Body | None:  # noqa: ANN401
        """Return the body of the lawful option that a record names, None where `fault` must judge."""
        ...

    def fault(self, hand: Any, record: Record) -> Fault | None:  # noqa: ANN401
        """Return why this decision may not come next."""
        ...

    def given_fault(self, hand: Any, record: Record) -> Fault | None:  # noqa: ANN401
        """Return why a due event whose content only the log can tell (GIVEN) cannot be what it says."""
        ...


def due_in(family: Family, hand: HandState) -> Body | None:
    """Return the one consequence that must come next in a hand, if any; tiles that only the log can tell are GIVEN."""
    maker = family.DUE.get(hand.phase)
    return maker(hand) if maker is not None else None


def step_in(family: Family, hand: HandState, record: Record) -> None:
    """Apply an event that has no fault to a hand."""
    family.STEPS[record["type"]](hand, record)


class _Given:
    """Stands in a due body for what only the log can tell (no seed is known): equal to whatever is found."""

    def __repr__(self) -> str:
        return "as given"


GIVEN: Final = _Given()
