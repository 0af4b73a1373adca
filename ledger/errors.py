"""Errors of the ledger, one class for each thing the caller does next. They carry their evidence.

    Malformed    throw the input away: its bytes are not of the format (where and why)
    Untrusted    do not believe it: a signature, quorum or proof does not hold (which)
    Conflict     read again and retry: another writer was first (what was expected, what stands)
    Refused      do not retry: the request can never be granted (why)
    Diverged     stop and call someone: the log on disk is not the log that was signed (both heads)
    Unavailable  nothing can be judged: the store or file does not open, or is of another version

Findings of an audit are values (`ledger.findings`), never exceptions.
"""


class LedgerError(Exception):
    """Say in one line what is wrong; every error of the package is one of the classes below."""


class Malformed(LedgerError):  # noqa: N818  named by the caller's next action
    """The bytes are outside their format.

    `what` names the format, `reason` the rule broken, `offset` the byte where (absent where no single byte is to
    blame, as for a value that was never bytes).
    """

    def __init__(self, what: str, reason: str, offset: int | None = None) -> None:
        self.what, self.reason, self.offset = what, reason, offset
        super().__init__(f"{what}: {reason}" + ("" if offset is None else f" at byte {offset}"))

    def __reduce__(self) -> tuple[type["Malformed"], tuple[str, str, int | None]]:
        return Malformed, (self.what, self.reason, self.offset)


class Untrusted(LedgerError):  # noqa: N818  named by the caller's next action
    """Well-formed, but what should vouch for it does not.

    `code` is the finding code of ledger.md 6 (`signature`, `quorum`, `weak_key`, `root`, …), `evidence` the bytes
    judged.
    """

    def __init__(self, code: str, reason: str, evidence: bytes = b"") -> None:
        self.code, self.reason, self.evidence = code, reason, evidence
        super().__init__(reason)

    def __reduce__(self) -> tuple[type["Untrusted"], tuple[str, str, bytes]]:
        return Untrusted, (self.code, self.reason, self.evidence)


class Conflict(LedgerError):  # noqa: N818  named by the caller's next action
    """Another writer appended first: `expected` is the caller's seq (or size), `found` the one that comes next."""

    def __init__(self, game: str, expected: int, found: int) -> None:
        self.game, self.expected, self.found = game, expected, found
        super().__init__(f"{game}: seq {expected} was to be appended, but {found} comes next")

    def __reduce__(self) -> tuple[type["Conflict"], tuple[str, int, int]]:
        return Conflict, (self.game, self.expected, self.found)


class Refused(LedgerError):  # noqa: N818  named by the caller's next action
    """The request breaks a rule of the log (a closed stream, a taken id, another body under a used command id)."""

    def __init__(self, game: str, reason: str) -> None:
        self.game, self.reason = game, reason
        super().__init__(f"{game}: {reason}" if game else reason)

    def __reduce__(self) -> tuple[type["Refused"], tuple[str, str]]:
        return Refused, (self.game, self.reason)


class Diverged(LedgerError):  # noqa: N818  named by the caller's next action
    """The head to be signed does not continue the head that was signed; `signed` and `found` are (size, root)."""

    def __init__(self, reason: str, signed: tuple[int, bytes], found: tuple[int, bytes]) -> None:
        self.reason, self.signed, self.found = reason, signed, found
        super().__init__(
            f"the log has diverged: {reason} "
            f"(known: size {signed[0]}, root {signed[1].hex()}; found: size {found[0]}, root {found[1].hex()})"
        )

    def __reduce__(self) -> tuple[type["Diverged"], tuple[str, tuple[int, bytes], tuple[int, bytes]]]:
        return Diverged, (self.reason, self.signed, self.found)


class Unavailable(LedgerError):  # noqa: N818  named by the caller's next action
    """The store, key or file cannot be used at all; `target` is its URL or path."""

    def __init__(self, target: str, reason: str) -> None:
        self.target, self.reason = target, reason
        super().__init__(f"{target}: {reason}")

    def __reduce__(self) -> tuple[type["Unavailable"], tuple[str, str]]:
        return Unavailable, (self.target, self.reason)
