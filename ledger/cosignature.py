"""What a cosignature signs, by the type of its key (C2SP tlog-cosignature; ledger.md 2).

    0x04   "cosignature/v1" LF "time <POSIX seconds>" LF || the checkpoint's text
    0x06   label[12] "subtree/v1" LF 00 | name<1..255> | u64 time | origin<1..255> | u64 start = 0 | u64 end = size |
           root[32]

The payload of the line, after the key id, is u64 time || signature (64 bytes, 2,420 bytes). Integers are big-endian;
`<1..255>` is one byte of length and the bytes. A cosigner says: as of that second this is the largest consistent tree
of that origin I have seen. A log says it of itself with its 0x06 key, beside an Ed25519 line of its own. The second is
at most 2^63 - 1. Example, 0x06, cosigner `w`, time 1, origin `o`, size 2, root of zeros:

    737562747265652f76310a00 01 77 0000000000000001 01 6f 0000000000000000 0000000000000002 00…00
"""

from typing import Final

from ledger.errors import Malformed
from ledger.head import parse_head
from ledger.keys import COSIGNATURE, MLDSA44, Verifier

TIMED: Final = frozenset({COSIGNATURE, MLDSA44})
MAX_TIME: Final = 2**63 - 1

_LABEL: Final = b"subtree/v1\n\x00"


def cosigned(text: bytes, time: int) -> bytes:
    """Give the bytes that a cosignature/v1 at POSIX second `time` signs."""
    return b"cosignature/v1\ntime %d\n" % time + text


def subtree(name: str, time: int, origin: str, size: int, root: bytes) -> bytes:
    """Give the bytes that the ML-DSA-44 key of `name` signs; Malformed where a name is longer than 255 bytes."""
    return b"".join((_LABEL, _vector(name), time.to_bytes(8), _vector(origin), bytes(8), size.to_bytes(8), root))


def timed_message(verifier: Verifier, text: bytes, time: int) -> bytes:
    """Give the bytes that a key of a timed type signs for a text; 0x06 needs a checkpoint, else Malformed."""
    if verifier.kind == MLDSA44:
        return subtree(verifier.name, time, *parse_head(text))
    return cosigned(text, time)


def _vector(name: str) -> bytes:
    data = name.encode()
    if not 0 < len(data) < 256:
        raise Malformed("cosignature", f"a name of {len(data)} bytes, 1 to 255 fit")
    return bytes([len(data)]) + data
