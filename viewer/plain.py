"""One exported game as a file: JSON lines, the bytes as stored (ledger.md 5)."""

import sys
from pathlib import Path

from engine.errors import EventError
from engine.events import load
from ledger.errors import Malformed, Unavailable

MOST_BYTES = 1 << 30


def read_lines(path: str) -> list[bytes]:
    """Read the events of an exported game, for commands that need a sound file; Malformed names the line.

    Every line must be canonical JSON of one game, in order, with a newline after it; `-` is standard input.
    """
    data = read_bytes(path)
    if not data:
        raise Malformed(path, "the file is empty")
    if not data.endswith(b"\n"):
        raise Malformed(path, f"line {data.count(10) + 1} is cut off: no newline at the end")
    rows = data[:-1].split(b"\n")
    game = None
    for number, row in enumerate(rows, 1):
        try:
            record = load(row)
        except EventError as error:
            raise Malformed(path, f"line {number}: {error}") from None
        if record.get("seq") != number - 1 or type(record.get("seq")) is not int:
            raise Malformed(path, f"line {number}: seq {number - 1} was expected, found {record.get('seq')!r}")
        game = record.get("game") if game is None else game
        if not isinstance(game, str) or record.get("game") != game:
            raise Malformed(path, f"line {number}: game {game!r} was expected, found {record.get('game')!r}")
    return rows


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
