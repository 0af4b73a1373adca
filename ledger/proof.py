"""A proof that an entry is in a log, in one file that needs nothing else (C2SP tlog-proof; ledger.md 2).

    c2sp.org/tlog-proof@v1
    extra <base64>                 optional: whatever the application adds, believed by nobody
    index <n>                      decimal, no leading zero
    <base64 hash>                  the inclusion path, from the leaf's sibling up
    …
    <empty line>
    <checkpoint note>              as signed, verbatim

The proof names no entry: who checks it knows the entry's bytes, or takes them from `extra` and thereby knows only that
these bytes are in the log. What is parsed is written again and compared. Checking is `check_proof`: the policy's keys,
its quorum, then the path.
"""

from base64 import b64encode
from dataclasses import dataclass
from typing import Final

from ledger.checkpoint import Checkpoint, open_checkpoint, read_checkpoint
from ledger.errors import Malformed, Untrusted
from ledger.head import parse_decimal
from ledger.keys import strict_base64
from ledger.merkle import HASH_SIZE, check_inclusion, leaf
from ledger.note import Opened
from ledger.policy import Policy

SUFFIX: Final = ".tlog-proof"
FIRST: Final = "c2sp.org/tlog-proof@v1"
MAX_BYTES: Final = 1 << 20
MAX_PATH: Final = 63

_WHAT: Final = "tlog-proof"


@dataclass(frozen=True)
class Proof:
    """Entry `index` lies under the checkpoint in `note`, by `path`; `extra` is None where the line is absent."""

    index: int
    path: tuple[bytes, ...]
    note: bytes
    extra: bytes | None = None

    def format(self) -> bytes:
        """Write the proof; the mirror of `parse_proof`."""
        rows = [FIRST]
        if self.extra is not None:
            rows.append(f"extra {b64encode(self.extra).decode()}")
        rows.append(f"index {self.index}")
        rows += [b64encode(step).decode() for step in self.path]
        return "\n".join(rows).encode() + b"\n\n" + self.note


def parse_proof(data: bytes) -> Proof:
    """Read a proof, believing nothing; Malformed where it is not the one spelling of one."""
    if len(data) > MAX_BYTES:
        raise Malformed(_WHAT, f"{len(data)} bytes, at most {MAX_BYTES} are allowed")
    head, found, note = data.partition(b"\n\n")
    if not found:
        raise Malformed(_WHAT, "no empty line before the checkpoint")
    try:
        rows = head.decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        raise Malformed(_WHAT, "not ASCII", error.start) from None
    if rows.pop(0) != FIRST:
        raise Malformed(_WHAT, f"the first line is not {FIRST}")
    extra = None
    if rows and rows[0].startswith("extra "):
        extra = strict_base64(rows.pop(0).removeprefix("extra "), "extra line")
    if not rows or not rows[0].startswith("index "):
        raise Malformed(_WHAT, "'index <n>' was expected")
    index = parse_decimal(rows.pop(0).removeprefix("index "), _WHAT)
    if len(rows) > MAX_PATH:
        raise Malformed(_WHAT, f"a path of {len(rows)} hashes, at most {MAX_PATH} are possible")
    path = tuple(strict_base64(row, "path line") for row in rows)
    if any(len(step) != HASH_SIZE for step in path):
        raise Malformed(_WHAT, f"a hash that is not {HASH_SIZE} bytes long")
    read_checkpoint(note)
    proof = Proof(index, path, note, extra)
    if proof.format() != data:
        raise Malformed(_WHAT, "not the one spelling of this proof")
    return proof


def check_proof(proof: Proof, entry: bytes, policy: Policy) -> tuple[Checkpoint, Opened]:
    """Check that `entry` is in a log that the policy pins, under a checkpoint that its quorum cosigned.

    Untrusted: code `signature` or `quorum` for the checkpoint, `root` for the path.
    """
    checkpoint, opened = open_checkpoint(proof.note, policy.verifiers())
    if checkpoint.origin not in policy.origins():
        raise Untrusted("signature", f"the policy pins no log {checkpoint.origin}", proof.note)
    if not policy.met(policy.cosigned(opened)):
        raise Untrusted("quorum", f"the cosignatures do not make the quorum {policy.quorum}", proof.note)
    check_inclusion(proof.index, checkpoint.size, leaf(entry), proof.path, checkpoint.root)
    return checkpoint, opened
