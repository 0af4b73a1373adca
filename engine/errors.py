"""Errors of the engine, named by what the caller does next; bad play is a value (`family.Fault`), none of these."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # these are the errors that the command line knows before it has loaded anything
    from pydantic import ValidationError


class RulesError(ValueError):
    """An option or a combination that these rules do not have; the text names it. Correct the request."""


class UnknownRulesError(LookupError):
    """A preset id or digest that no version of a known variant has: a finding, never a default.

    `known` lists what would have been understood.
    """

    def __init__(self, what: str, known: tuple[str, ...] = ()) -> None:
        self.known = known
        super().__init__(what)


class EventError(ValueError):
    """Bytes or a record that are no event of the vocabulary; the text says which field and why. Refuse the input."""


def refusal(error: "ValidationError") -> tuple[str, str]:
    """Return where the first thing that a schema refuses stands (dotted, "" for the whole) and why.

    In the words of the input, which is JSON: not in those of the library or of the model's classes.
    """
    first = error.errors(include_url=False)[0]
    where = ".".join(str(step) for step in first["loc"] if step != "[key]")
    why = first["msg"].removeprefix("Value error, ")
    for theirs, ours in (("a valid dictionary", "an object"), ("a valid tuple", "a list"), ("Tuple", "List")):
        why = why.replace(theirs, ours)
    return where, why
