"""Input files and standard input, read whole within a bound; one exported game for commands that need it sound."""

import io
import re
import sys
from pathlib import Path

from ledger.errors import Unavailable
from ledger.verify_file import lines, read_game

MOST_BYTES = 1 << 30
MOST_DEPTH = 200
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")


def many(count: int, noun: str) -> str:
    """Return a count with its English noun: 1 game, 2 games."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def read_bytes(path: str) -> bytes:
    """Read a file whole, `-` for standard input; Unavailable where it cannot be."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Unavailable(path, f"cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise Unavailable(path, f"larger than {MOST_BYTES} bytes")
    return data


def read_exported(path: str) -> tuple[str, list[bytes]]:
    """Read an exported game: its id and events. Malformed names the line at fault; `-` is standard input."""
    return read_game(lines(io.BytesIO(read_bytes(path))), path)


def check_depth(data: bytes) -> None:
    """Raise RecursionError where JSON is nested deeper than any of our inputs is.

    The standard parser stops at the interpreter's recursion limit, which a host program may have raised beyond what
    the machine's stack holds.
    """
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", data)):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > MOST_DEPTH:
            raise RecursionError(MOST_DEPTH)
