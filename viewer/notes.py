"""Notes on events, outside the log: what an auditor writes at the margin of a game (viewer.md 1, annotation per event).

    notes    id, game, seq, leaf (RFC 6962 hash of the event's bytes), role, by, at (ms UTC), words

One SQLite file beside the ledger, or the one that `--notes` names. A note is bound to the bytes of its event: in a
ledger that tells the game otherwise it does not appear. Each role reads its own notes; whoever wrote one may delete it.
Nothing here enters the log, and a case quotes none of it.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger.errors import Malformed, Unavailable
from ledger.merkle import leaf
from ledger.store import place_of
from viewer import access
from viewer.targets import ledger_url

MOST_WORDS: Final = 2000
"""Characters of a note."""
ROLES: Final = frozenset({"operator", "regulator"})
"""Who takes notes."""
_TABLE: Final = """CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, seq INTEGER NOT NULL, leaf BLOB NOT NULL,
    role TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL, words TEXT NOT NULL) STRICT"""
_INDEX: Final = "CREATE INDEX IF NOT EXISTS notes_of_game ON notes (game, role, seq)"


@dataclass(frozen=True, slots=True)
class Note:
    """One note on one event; `at` ms UTC."""

    id: int
    seq: int
    by: str
    at: int
    words: str


def place(target: str) -> Path | None:
    """Return the file of a ledger's notes: as `--notes` says, else beside it; None where that may not be written."""
    named = os.environ.get(access.NOTES, "")
    if named:
        return Path(named)
    url = ledger_url(target)
    if access.read_only() or url is None:
        return None
    ledger = place_of(url)
    return ledger.with_name(f"{ledger.name}.notes")


def add(path: Path, game: str, lines: Sequence[bytes], seq: int, *, role: str, by: str, words: str, at: int) -> None:
    """Add a note to event `seq` of a game's events; Malformed where there is no such event, or nothing is said.

    Unavailable where the file cannot be written.
    """
    if role not in ROLES or not 0 <= seq < len(lines):
        raise Malformed(game, f"no event {seq} to take a note of")
    if not words.strip() or len(words) > MOST_WORDS:
        raise Malformed("note", f"1 to {MOST_WORDS} characters were expected")
    row = (game, seq, leaf(lines[seq]), role, by, at, words.strip())
    with _writing(path) as store:
        store.execute("INSERT INTO notes (game, seq, leaf, role, by, at, words) VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def delete(path: Path, number: int, *, role: str, by: str) -> bool:
    """Delete a note of one's own, its bytes overwritten; tell whether there was one."""
    with _writing(path) as store:
        store.execute("PRAGMA secure_delete = ON")
        found = store.execute("DELETE FROM notes WHERE id = ? AND role = ? AND by = ?", (number, role, by))
        return found.rowcount > 0


def read(path: Path, game: str, lines: Sequence[bytes], *, role: str) -> list[Note]:
    """Return a role's notes on a game's events as they stand, in order; none where there is no file."""
    if role not in ROLES or not path.exists():
        return []
    with _reading(path) as store:
        rows = store.execute(
            "SELECT id, seq, by, at, words, leaf FROM notes WHERE game = ? AND role = ? ORDER BY seq, id", (game, role)
        ).fetchall()
    return [Note(*row[:5]) for row in rows if row[1] < len(lines) and leaf(lines[row[1]]) == row[5]]


@contextmanager
def _writing(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(path, timeout=10)) as store, store:
            store.execute(_TABLE)
            store.execute(_INDEX)
            path.chmod(0o600)
            yield store
    except (sqlite3.Error, OSError) as error:
        raise Unavailable(str(path), f"the notes cannot be written: {error}") from None


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as store:
            yield store
    except sqlite3.Error as error:
        raise Unavailable(str(path), f"the notes cannot be read: {error}") from None
