"""A column that has become another type: whoever goes on from it refuses, names it, and writes nothing."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import LedgerError
from ledger.notefile import MemoryNote

Make = Callable[[str, int, int], list[bytes]]
VALUES: tuple[object, ...] = ("text", b"\xff\x00", -3)
COLUMNS = [
    ("head", "size"), ("head", "gno"), ("head", "at"), ("head", "revision"), ("head", "root"), ("head", "frontier"),
    ("checkpoints", "size"), ("checkpoints", "note"), ("checkpoints", "frontier"),
    ("streams", "game"), ("streams", "gno"), ("streams", "stream"), ("streams", "private"), ("streams", "blind"),
    ("events", "seq"), ("events", "data"), ("events", "chain"), ("events", "game"),
    ("entries", "idx"), ("entries", "kind"), ("entries", "game"), ("entries", "leaf"), ("entries", "data"),
    ("commands", "seq"), ("commands", "digest"),
]  # fmt: skip


@pytest.fixture
def made(sqlite_bench: Any, make_events: Make, tmp_path: Path) -> Path:
    """A ledger with a closed stream and an open one, its triggers dropped."""
    events, path = make_events, tmp_path / "x.db"
    log = sqlite_bench.create()
    log.append("g-1", 0, events("g-1", 0, 4), seal=True, command="one")
    log.append("g-2", 0, events("g-2", 0, 4), seal=True, close=True)
    log.append("g-1", 4, events("g-1", 4, 6))
    log.close()
    database = sqlite3.connect(path)
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {name}")
    database.commit()
    database.close()
    return path


@pytest.mark.parametrize("place", COLUMNS, ids=".".join)
def test_a_writer_goes_on_or_says_in_one_line_why_not(
    place: tuple[str, str], sqlite_bench: Any, made: Path, make_events: Make, tmp_path: Path
) -> None:
    (table, column), told, events = place, [], make_events
    for number, value in enumerate(VALUES):
        path = tmp_path / f"{number}.db"
        shutil.copy(made, path)
        database = sqlite3.connect(path)
        newest = f"(SELECT max({column}) FROM {table})"
        with suppress(sqlite3.IntegrityError):
            database.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = {newest}", (value,))
        database.commit()
        database.close()
        try:
            log = replace(sqlite_bench, target=f"sqlite:///{path}").open(last=MemoryNote())
            try:
                log.append("g-1", 6, events("g-1", 6, 8), command="two")
                log.append("g-3", 0, events("g-3", 0, 2), close=True)
            finally:
                log.close()
        except LedgerError as error:
            told.append(str(error))
    assert not [each for each in told if "\n" in each]
    assert told or table in {"commands", "entries", "events", "streams"}
