"""A file that a reader drops in: an exported game, a foreign record or a receipt, read in memory; nothing is stored."""

import io
from dataclasses import dataclass
from typing import Final

from engine.errors import EventError
from engine.formats import recognise, riichi_events
from ledger.errors import LedgerError
from ledger.proof import SUFFIX
from ledger.receipt import Receipt, parse_receipt
from ledger.verify_file import lines, read_game
from viewer.foreign import Foreign, name_of, unpacked

MOST: Final = 1 << 20
"""Bytes of a file; the server's own limit of uploads is the same (`serve`)."""


class DropError(ValueError):
    """A file that is none of ours; the text says why."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was dropped: a game's events, with the foreign record they came from, or a receipt."""

    name: str
    events: list[bytes]
    foreign: Foreign | None = None
    receipt: Receipt | None = None


def read(name: str, data: bytes) -> Dropped:
    """Read a file by its content, a receipt by its name; DropError where it is none of ours."""
    if len(data) > MOST:
        raise DropError(f"larger than {MOST} bytes")
    try:
        if name.endswith(SUFFIX):
            return Dropped(name, [], receipt=parse_receipt(data))
        found = recognise(unpacked(data, name))
        if found is not None:
            record = found.read(unpacked(data, name).decode("utf-8"))
            foreign = Foreign(name_of(name), found, record)
            return Dropped(name, riichi_events.write(record, foreign.game), foreign=foreign)
        return Dropped(name, read_game(lines(io.BytesIO(data)), name)[1])
    except (LedgerError, EventError, UnicodeDecodeError) as error:
        raise DropError(str(error)) from None


def read_lines(name: str, data: bytes) -> list[bytes]:
    """Read a file that holds a game; DropError where it does not."""
    found = read(name, data)
    if found.receipt is not None:
        raise DropError("a receipt holds no game")
    return found.events
