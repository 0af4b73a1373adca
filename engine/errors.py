"""Errors of the engine, named by what the caller does next; bad play is a value (`family.Fault`), none of these."""


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
