"""What a witness must not forget: the last head it cosigned of each log, and the conflicts it saw (ledger.md 2).

One SQLite file, `synchronous=FULL`: a head is on disk before it is answered for, and two processes that serve the same
witness cannot both move on from one head. `MemoryState` is its double.

    heads      origin -> the note last cosigned, with the cosignatures given
    conflicts  origin, both notes, the proof offered (32 bytes a hash), the reason; each pair of notes once
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from ledger.errors import Unavailable
from ledger.merkle import HASH_SIZE
from ledger.witness import HeadConflict

_HEADS: Final = "CREATE TABLE IF NOT EXISTS heads (origin TEXT PRIMARY KEY, note BLOB NOT NULL)"
_CONFLICTS: Final = """CREATE TABLE IF NOT EXISTS conflicts (origin TEXT NOT NULL, cosigned BLOB NOT NULL,
refused BLOB NOT NULL, proof BLOB NOT NULL, reason TEXT NOT NULL, UNIQUE (cosigned, refused))"""


class MemoryState:
    """State as long as the program runs."""

    def __init__(self) -> None:
        self.heads: dict[str, bytes] = {}
        self.conflicts: list[HeadConflict] = []

    def load(self, origin: str) -> bytes | None:
        """Give the last note cosigned."""
        return self.heads.get(origin)

    def swap(self, origin: str, before: bytes | None, after: bytes) -> bool:
        """Keep `after` if `before` is still what is kept."""
        if self.heads.get(origin) != before:
            return False
        self.heads[origin] = after
        return True

    def keep(self, conflict: HeadConflict) -> None:
        """Keep a conflict, each once."""
        if not any(each[1:3] == conflict[1:3] for each in self.conflicts):
            self.conflicts.append(conflict)


class StateFile:
    """State in a file; Unavailable where it cannot be opened, read or written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._open() as database:
            database.execute(_HEADS)
            database.execute(_CONFLICTS)

    def load(self, origin: str) -> bytes | None:
        """Give the last note cosigned."""
        with self._open() as database:
            row = database.execute("SELECT note FROM heads WHERE origin = ?", (origin,)).fetchone()
        return None if row is None else bytes(row[0])

    def swap(self, origin: str, before: bytes | None, after: bytes) -> bool:
        """Keep `after`, durably, if `before` is still what is kept."""
        with self._open() as database:
            if before is None:
                done = database.execute("INSERT OR IGNORE INTO heads VALUES (?, ?)", (origin, after))
            else:
                done = database.execute(
                    "UPDATE heads SET note = ? WHERE origin = ? AND note = ?", (after, origin, before)
                )
            return done.rowcount == 1

    def keep(self, conflict: HeadConflict) -> None:
        """Keep a conflict, each once."""
        row = (*conflict[:3], b"".join(conflict.proof), conflict.reason)
        with self._open() as database:
            database.execute("INSERT OR IGNORE INTO conflicts VALUES (?, ?, ?, ?, ?)", row)

    def conflicts(self) -> list[HeadConflict]:
        """Give the conflicts kept, the oldest first."""
        with self._open() as database:
            rows = database.execute("SELECT * FROM conflicts ORDER BY rowid").fetchall()
        return [
            HeadConflict(
                origin,
                cosigned,
                refused,
                tuple(proof[at : at + HASH_SIZE] for at in range(0, len(proof), HASH_SIZE)),
                reason,
            )
            for origin, cosigned, refused, proof, reason in rows
        ]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction: threads and processes share nothing but the file."""
        try:
            with closing(sqlite3.connect(self.path, timeout=30, isolation_level=None)) as database:
                database.execute("PRAGMA synchronous=FULL")
                database.execute("BEGIN IMMEDIATE")
                try:
                    yield database
                except BaseException:
                    database.execute("ROLLBACK")
                    raise
                database.execute("COMMIT")
        except sqlite3.Error as error:
            raise Unavailable(str(self.path), f"the witness's state: {error}") from None
