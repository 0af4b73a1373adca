"""The head of a log as text: what a checkpoint's signatures are over (C2SP tlog-checkpoint v1.0.0; ledger.md 2).

    <origin>
    <size, decimal, no leading zero>
    <base64 of the root, 32 bytes>

Exactly these three lines, as paipu logs have no extension lines. One value has one byte form: numbers and base64 are
read in their one spelling. A tree of size 0 has the empty root, SHA-256 of nothing.
"""

from base64 import b64encode
from dataclasses import dataclass
from typing import Final

from ledger.errors import Malformed
from ledger.keys import check_name, strict_base64
from ledger.merkle import EMPTY_ROOT, HASH_SIZE

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
    return Checkpoint(*parse_head(text))


def parse_head(text: bytes) -> tuple[str, int, bytes]:
    """Read origin, size and root, whatever the root of size 0 is, which a witness judges; Malformed otherwise."""
    try:
        rows = text.decode().split("\n")
    except UnicodeDecodeError as error:
        raise Malformed(_WHAT, "not UTF-8", error.start) from None
    if len(rows) != 4 or rows[3]:
        raise Malformed(_WHAT, "three lines were expected: origin, size, root")
    origin, size, root = check_name(rows[0]), parse_decimal(rows[1], _WHAT), strict_base64(rows[2], _WHAT)
    if len(root) != HASH_SIZE:
        raise Malformed(_WHAT, f"a root of {len(root)} bytes instead of {HASH_SIZE}")
    return origin, size, root


def parse_decimal(text: str, what: str) -> int:
    """Read a size or index, 0 to 2^63-1, in its one spelling; Malformed otherwise (`int` alone takes ` 1_0`)."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 19) or (text[0] == "0" and text != "0"):
        raise Malformed(what, "not a decimal number without leading zeros")
    if int(text) > MAX_SIZE:
        raise Malformed(what, f"{text} is out of range")
    return int(text)
