"""Checkpoints: the head of a log as the text of a signed note (C2SP tlog-checkpoint v1.0.0; ledger.md 2).

    <origin>
    <size, decimal, no leading zero>
    <base64 of the root, 32 bytes>

Exactly these three lines, as paipu logs have no extension lines. One value has one byte form: what is parsed is written
again and compared. A tree of size 0 has the empty root, SHA-256 of nothing.
"""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.errors import Malformed, Untrusted
from ledger.keys import ED25519, Signer, Verifier, check_name, strict_base64
from ledger.merkle import EMPTY_ROOT, HASH_SIZE
from ledger.note import Opened, open_note, parse_note, sign_note

MAX_SIZE: Final = 2**63 - 1

_WHAT: Final = "checkpoint"


@dataclass(frozen=True)
class Checkpoint:
    """The head of a log: `size` entries under `root` (32 bytes); `origin` names the log."""

    origin: str
    size: int
    root: bytes

    def __post_init__(self) -> None:
        check_name(self.origin)
        if not 0 <= self.size <= MAX_SIZE:
            raise Malformed(_WHAT, f"size {self.size} is out of range")
        if len(self.root) != HASH_SIZE:
            raise Malformed(_WHAT, f"a root of {len(self.root)} bytes instead of {HASH_SIZE}")
        if self.size == 0 and self.root != EMPTY_ROOT:
            raise Malformed(_WHAT, "size 0 has the empty root")

    def format(self) -> bytes:
        """Write the text that is signed; the mirror of `parse_checkpoint`."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n".encode()


def parse_checkpoint(text: bytes) -> Checkpoint:
    """Read the text of a checkpoint; Malformed where it is not the one spelling of one."""
    try:
        rows = text.decode().split("\n")
    except UnicodeDecodeError as error:
        raise Malformed(_WHAT, "not UTF-8", error.start) from None
    if len(rows) != 4 or rows[3]:
        raise Malformed(_WHAT, "three lines were expected: origin, size, root")
    if not (rows[1].isascii() and rows[1].isdecimal() and len(rows[1]) <= 19):
        raise Malformed(_WHAT, "the size is not a decimal number")
    checkpoint = Checkpoint(rows[0], int(rows[1]), strict_base64(rows[2], _WHAT))
    if checkpoint.format() != text:
        raise Malformed(_WHAT, "not the one spelling of this checkpoint")
    return checkpoint


def read_checkpoint(data: bytes) -> Checkpoint:
    """Read the checkpoint in a note, believing no signature."""
    return parse_checkpoint(parse_note(data).text)


def open_checkpoint(data: bytes, verifiers: Iterable[Verifier]) -> tuple[Checkpoint, Opened]:
    """Read a signed checkpoint and verify its lines; the origin must be the name of a log key that signed it.

    Errors are those of `open_note` and `parse_checkpoint`; a note that verifies but whose log lines are of another
    name, or of cosigners only, is Untrusted, code `signature`.
    """
    checkpoint = parse_checkpoint(parse_note(data).text)
    opened = open_note(data, verifiers)
    if not any(_is_log(found.verifier, checkpoint.origin) for found in opened.signatures):
        raise Untrusted("signature", f"no key of the log {checkpoint.origin} signed this checkpoint", data)
    return checkpoint, opened


def sign_checkpoint(checkpoint: Checkpoint, signers: Sequence[Signer]) -> bytes:
    """Sign a head as its log: every signer is named like the origin."""
    for signer in signers:
        if signer.verifier.name != checkpoint.origin:
            raise Malformed(_WHAT, f"a key named {signer.verifier.name} does not sign for {checkpoint.origin}")
    return sign_note(checkpoint.format(), signers)


def _is_log(verifier: Verifier, origin: str) -> bool:
    return verifier.kind == ED25519 and verifier.name == origin
