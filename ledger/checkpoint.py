"""Checkpoints: a log's head as a signed note (C2SP tlog-checkpoint v1.0.0; ledger.md 2).

The text is `ledger.head`'s three lines. A log signs it with its Ed25519 key (0x01) and, beside that, with its ML-DSA-44
key (0x06), both named like the origin; an Ed25519 line of the log must stand, so that every reader finds one. Witnesses
add cosignatures, 0x04 or 0x06, under names of their own.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from ledger.cosignature import TIMED
from ledger.errors import Malformed, Untrusted
from ledger.head import MAX_SIZE, Checkpoint, parse_checkpoint
from ledger.keys import ED25519, Signer, Verifier
from ledger.note import Opened, parse_note, sign_note, verify_note

__all__ = ["MAX_SIZE", "Checkpoint", "open_checkpoint", "parse_checkpoint", "read_checkpoint", "sign_checkpoint"]

_WHAT: Final = "checkpoint"


def read_checkpoint(data: bytes) -> Checkpoint:
    """Read the checkpoint in a note, believing no signature."""
    return parse_checkpoint(parse_note(data).text)


def open_checkpoint(data: bytes, verifiers: Iterable[Verifier]) -> tuple[Checkpoint, Opened]:
    """Read a signed checkpoint and verify its lines; the origin must be the name of a log key that signed it.

    Errors are those of `open_note` and `parse_checkpoint`; a note that verifies but whose log lines are of another
    name, or of cosigners only, is Untrusted, code `signature`.
    """
    note = parse_note(data)
    checkpoint = parse_checkpoint(note.text)
    opened = verify_note(note, verifiers, data)
    if not any(_is_log(found.verifier, checkpoint.origin) for found in opened.signatures):
        raise Untrusted("signature", f"no key of the log {checkpoint.origin} signed this checkpoint", data)
    return checkpoint, opened


def sign_checkpoint(checkpoint: Checkpoint, signers: Sequence[Signer], *, time: int = 0) -> bytes:
    """Sign a head as its log: every signer is named like the origin; `time` (POSIX seconds) stands in 0x06 lines."""
    for signer in signers:
        if signer.verifier.name != checkpoint.origin:
            raise Malformed(_WHAT, f"a key named {signer.verifier.name} does not sign for {checkpoint.origin}")
    return sign_note(checkpoint.format(), signers, time=time)


def cosign_checkpoint(data: bytes, signer: Signer, time: int) -> str:
    """Give the signature line that a witness adds to a checkpoint at POSIX second `time`."""
    if signer.verifier.kind not in TIMED:
        raise Malformed(_WHAT, "a cosignature needs a key of type 0x04 or 0x06")
    note = parse_note(data)
    cosignature = sign_note(note.text, [signer], time=time)
    return cosignature[len(note.text) + 1 :].decode()


def _is_log(verifier: Verifier, origin: str) -> bool:
    return verifier.kind == ED25519 and verifier.name == origin
