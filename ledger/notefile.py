"""One checkpoint note kept in a file: the last one signed (beside the key) or the largest one seen (beside the policy).

Written whole or not at all: a new file, flushed to disk, takes the old one's place. `MemoryNote` is its double.
"""

import os
from pathlib import Path
from typing import Protocol

from ledger.checkpoint import Checkpoint, read_checkpoint
from ledger.errors import Malformed, Unavailable
from ledger.note import MAX_BYTES


class KeptNote(Protocol):
    """Where one checkpoint note is kept."""

    def load(self) -> bytes | None:
        """Give the note, None where none was kept yet."""
        ...

    def save(self, note: bytes) -> None:
        """Keep this note instead, durably."""
        ...


class MemoryNote:
    """A note kept as long as the program runs."""

    def __init__(self) -> None:
        self.note: bytes | None = None

    def load(self) -> bytes | None:
        """Give the note."""
        return self.note

    def save(self, note: bytes) -> None:
        """Keep this note instead."""
        self.note = note


class NoteFile:
    """A note kept in a file; Unavailable where the file cannot be read or written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> bytes | None:
        """Give the note."""
        try:
            with self.path.open("rb") as file:
                return file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unavailable(str(self.path), f"cannot be read: {error.strerror}") from None

    def save(self, note: bytes) -> None:
        """Keep this note instead."""
        new = self.path.with_name(f"{self.path.name}.{os.getpid()}.new")
        try:
            with new.open("wb") as file:
                file.write(note)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
        except OSError as error:
            new.unlink(missing_ok=True)
            raise Unavailable(str(self.path), f"cannot be written: {error.strerror}") from None


def kept_checkpoint(kept: KeptNote, what: str) -> Checkpoint | None:
    """Read the checkpoint that is kept; Unavailable, naming `what` it is, where the note is damaged."""
    note = kept.load()
    if note is None:
        return None
    try:
        return read_checkpoint(note)
    except Malformed as error:
        path = str(kept.path) if isinstance(kept, NoteFile) else what
        raise Unavailable(path, f"{what} is damaged ({error})") from None
