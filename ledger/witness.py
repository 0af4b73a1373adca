"""A witness: it cosigns only what continues the head it cosigned last (C2SP tlog-witness; ledger.md 2).

A request is text: `old <size>`, at most 63 base64 lines of the consistency proof from that size, an empty line, and the
signed checkpoint:

    old 15
    rKbDipCvhuX1GZ7g5BBe8sA6BbJ7ja/1nk427v383cs=

    example.com/log/testdata
    16
    …

The answers, in the order of the checks:

    400   malformed                                   404   a log it does not know
    403   no signature of a trusted log key, or one that does not hold
    400   old > new                                   409   old is not the size cosigned last; body: that size
    422   a proof that does not hold, a proof from old 0, size 0 with another root, the same size with another root
    200   one cosignature line for each of its keys

A head is kept, by compare-and-swap, before it is answered for; so of two requests at once one gets 409. Where a log has
signed two histories, both signed heads are kept: two roots of one size prove it to anybody. This module is the core:
where state is kept is `ledger.witness_state`, how requests come in is its caller's.
"""

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from ledger.checkpoint import cosign_checkpoint
from ledger.errors import LedgerError, Malformed, Untrusted
from ledger.head import parse_decimal, parse_head
from ledger.keys import ED25519, Signer, strict_base64
from ledger.merkle import EMPTY_ROOT, HASH_SIZE, check_growth
from ledger.note import MAX_BYTES, Note, open_note, parse_note
from ledger.policy import Policy

MAX_PROOF: Final = 63
SIZE_TYPE: Final = "text/x.tlog.size"
TEXT_TYPE: Final = "text/plain; charset=utf-8"

_WHAT: Final = "add-checkpoint request"


class Answer(NamedTuple):
    """An HTTP answer."""

    status: int
    body: bytes = b""
    content_type: str = TEXT_TYPE


class HeadConflict(NamedTuple):
    """Two heads that one log signed and that are not of one history, as far as this witness can see."""

    origin: str
    cosigned: bytes
    refused: bytes
    proof: tuple[bytes, ...]
    reason: str


class WitnessState(Protocol):
    """Where a witness keeps the last head of each log."""

    def load(self, origin: str) -> bytes | None:
        """Give the last note cosigned, None where there is none."""
        ...

    def swap(self, origin: str, before: bytes | None, after: bytes) -> bool:
        """Keep `after`, durably, if `before` is still what is kept; tell whether it was."""
        ...

    def keep(self, conflict: HeadConflict) -> None:
        """Keep the evidence of a conflict, each once."""
        ...


@dataclass(frozen=True)
class Submission:
    """A request as parsed: the size the log believes the witness has, the proof from there, the signed checkpoint."""

    old: int
    proof: tuple[bytes, ...]
    note: bytes

    def format(self) -> bytes:
        """Write the request; the mirror of `parse_submission`."""
        rows = [f"old {self.old}", *(b64encode(step).decode() for step in self.proof)]
        return "\n".join(rows).encode() + b"\n\n" + self.note


def parse_submission(data: bytes) -> Submission:
    """Read a request; Malformed where it is not one in its one spelling."""
    head, found, note = data.partition(b"\n\n")
    if not found or len(data) > MAX_BYTES:
        raise Malformed(_WHAT, "no empty line before the checkpoint, or too long")
    try:
        first, *steps = head.decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        raise Malformed(_WHAT, "not ASCII", error.start) from None
    if not first.startswith("old "):
        raise Malformed(_WHAT, "'old <size>' was expected")
    old = parse_decimal(first.removeprefix("old "), _WHAT)
    if len(steps) > MAX_PROOF:
        raise Malformed(_WHAT, f"{len(steps)} lines of proof, at most {MAX_PROOF} are allowed")
    proof = tuple(strict_base64(step, "proof line") for step in steps)
    if any(len(step) != HASH_SIZE for step in proof):
        raise Malformed(_WHAT, f"a hash that is not {HASH_SIZE} bytes long")
    parse_head(parse_note(note).text)
    return Submission(old, proof, note)


def origin_hash(origin: str) -> str:
    """Give the name under which a log's last head is shown: hex of SHA-256 of its origin."""
    return sha256(origin.encode()).hexdigest()


@dataclass
class Witness:
    """One witness: the logs it knows (the `log` lines of a policy), its keys, its state, its clock (POSIX seconds)."""

    policy: Policy
    signers: Sequence[Signer]
    state: WitnessState
    clock: Callable[[], int]

    def add_checkpoint(self, data: bytes) -> Answer:
        """Answer a request."""
        try:
            submission = parse_submission(data)
        except LedgerError as error:
            return _refuse(400, str(error))
        return self.submit(submission)

    def submit(self, submission: Submission) -> Answer:
        """Answer a request as parsed; Malformed where its note is no signed checkpoint."""
        note = submission.note
        origin, size, root = parse_head(parse_note(note).text)
        if origin not in self.policy.origins():
            return _refuse(404, f"the log {origin} is not known here")
        try:
            note = self._trust(origin, note)
        except Untrusted as error:
            return _refuse(403, str(error))
        if submission.old > size:
            return _refuse(400, f"old size {submission.old} is above {size}")
        while True:
            kept = self.state.load(origin)
            _, last, last_root = ("", 0, EMPTY_ROOT) if kept is None else parse_head(parse_note(kept).text)
            if kept is not None and size == last and root != last_root:
                self._conflict(kept, note, submission, f"two roots at size {size}")
            if submission.old != last:
                return Answer(409, b"%d\n" % last, SIZE_TYPE)
            try:
                check_growth(last, size, last_root, root, submission.proof)
            except Untrusted as error:
                if kept is not None:
                    self._conflict(kept, note, submission, error.reason)
                return _refuse(422, str(error))
            lines = "".join(cosign_checkpoint(note, signer, self.clock()) for signer in self.signers).encode()
            if self.state.swap(origin, kept, note + lines):
                return Answer(200, lines)

    def latest(self, name: str) -> Answer:
        """Show the last head cosigned of the log whose `origin_hash` this is."""
        for origin in self.policy.origins():
            if origin_hash(origin) == name:
                kept = self.state.load(origin)
                if kept is not None:
                    return Answer(200, kept)
        return _refuse(404, "no such log, or no head of it yet")

    def _trust(self, origin: str, note: bytes) -> bytes:
        """Give the note with the lines of the log alone: what others added is not ours to keep or to sign beside."""
        keys = [key.verifier for key in self.policy.logs if key.verifier.name == origin]
        opened = open_note(note, keys)
        if not any(found.verifier.kind == ED25519 for found in opened.signatures):
            raise Untrusted("signature", f"no Ed25519 line of the log {origin}", note)
        return Note(opened.note.text, tuple(found.line for found in opened.signatures)).format()

    def _conflict(self, kept: bytes, refused: bytes, submission: Submission, reason: str) -> None:
        origin, _, _ = parse_head(parse_note(kept).text)
        self.state.keep(HeadConflict(origin, kept, refused, submission.proof, reason))


def _refuse(status: int, reason: str) -> Answer:
    return Answer(status, reason.encode() + b"\n")
