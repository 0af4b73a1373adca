"""Old ledgers: upgraded without touching a byte that is signed, or refused clearly; new and migrated tables agree."""

import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, text

from ledger import migrate as migrate_module
from ledger.errors import LedgerError, Unavailable
from ledger.log import Log
from ledger.migrate import migrate, run_migrations
from ledger.models import FORMAT, METADATA, TRIGGERS
from ledger.store import create_store, open_reader, open_store
from ledger.store_sql import SqlStore

OLD = Path(__file__).parent / "old" / "format-1.sql"


@pytest.fixture
def old(sqlite_bench: Any) -> Any:
    """A ledger of format 1 as it was written then: two games and a private series, commands, a text."""
    raw = sqlite3.connect(sqlite_bench.target.removeprefix("sqlite:///"))
    raw.executescript(OLD.read_text(encoding="utf-8"))
    raw.execute("PRAGMA journal_mode=WAL")
    raw.close()
    return sqlite_bench


def contents(bench: Any) -> dict[str, list[tuple[object, ...]]]:
    raw = sqlite3.connect(bench.target.removeprefix("sqlite:///"))
    found = {
        name: raw.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall()
        for name in METADATA.tables
        if name != "about"
    }
    raw.close()
    return found


def schema(url: str) -> list[tuple[object, ...]]:
    raw = sqlite3.connect(url.removeprefix("sqlite:///"))
    found = raw.execute("SELECT type, name, tbl_name FROM sqlite_master ORDER BY 1, 2").fetchall()
    for table in METADATA.tables:
        found += [(table, *row[1:]) for row in raw.execute(f"PRAGMA table_info({table})")]
        found += sorted((table, *row[1:4]) for row in raw.execute(f"PRAGMA index_list({table})"))
    raw.close()
    return found


def test_an_old_ledger_is_refused_in_one_line_that_names_the_remedy(old: Any) -> None:
    for opener in (open_reader, open_store):
        with pytest.raises(Unavailable, match=f"format 1; this version reads format {FORMAT}; `paipu migrate`"):
            opener(old.target)


def test_an_old_ledger_is_upgraded_and_not_one_byte_of_it_changes(old: Any, tmp_path: Path) -> None:
    before = contents(old)
    assert sum(map(len, before.values())) > 40
    assert migrate(old.target) == 1
    assert contents(old) == before
    assert migrate(old.target) == FORMAT
    audit, games = old.audit()
    assert audit.findings == []
    assert [(game.game, game.ended, game.size) for game in games] == [
        ("g-1", "close", 12),
        ("g-2", "", 12),
        ("p-1", "", 5),
    ]
    create_store(f"sqlite:///{tmp_path}/new.db").close()
    assert schema(old.target) == schema(f"sqlite:///{tmp_path}/new.db")


def test_writing_goes_on_after_the_upgrade(old: Any, make_events: Callable[[str, int, int], list[bytes]]) -> None:
    migrate(old.target)
    log = old.open()
    assert log.append("g-2", 0, make_events("g-2", 0, 4), seal=True, command="g-2.0").repeated
    log.append("g-2", 12, make_events("g-2", 12, 16), close=True)
    log.close()
    assert old.findings() == []


def test_what_cannot_be_upgraded_is_refused_and_left_alone(old: Any, tmp_path: Path) -> None:
    path = Path(old.target.removeprefix("sqlite:///"))
    raw = sqlite3.connect(path)
    raw.execute(f"UPDATE about SET value = {FORMAT + 1}")
    raw.commit()
    raw.close()
    before = path.read_bytes()
    with pytest.raises(Unavailable, match=f"format {FORMAT + 1}; this version reads format {FORMAT}"):
        migrate(old.target)
    assert path.read_bytes() == before
    foreign = sqlite3.connect(tmp_path / "foreign.db")
    foreign.execute("CREATE TABLE t (a)")
    foreign.commit()
    foreign.close()
    with pytest.raises(Unavailable, match="not a ledger"):
        migrate(f"sqlite:///{tmp_path}/foreign.db")
    with pytest.raises(Unavailable, match="no such file"):
        migrate(f"sqlite:///{tmp_path}/none.db")


def test_an_empty_database_of_postgres_is_no_ledger(postgres: Callable[[], str]) -> None:
    with pytest.raises(Unavailable, match="not a ledger"):
        migrate(postgres())


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX matter")
def test_a_killed_upgrade_leaves_the_old_ledger(old: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(old)

    def cut(connection: Connection, found: int) -> None:
        run_migrations(connection, found)
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(migrate_module, "run_migrations", cut)
    child = os.fork()
    if not child:
        migrate(old.target)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    monkeypatch.undo()
    assert contents(old) == before
    assert migrate(old.target) == 1
    assert old.findings() == []


def migrated(url: str) -> None:
    """Make the tables by the migrations alone."""
    create_store(url).close()
    store = migrate_module._open(url)
    with store.writing():
        METADATA.drop_all(store.connection)
        if store.connection.dialect.name == "postgresql":
            store.connection.execute(text("DROP FUNCTION refuse_change"))
        run_migrations(store.connection, 0)
    store.close()


def test_a_new_ledger_has_the_tables_that_the_migrations_make(url: str) -> None:
    migrated(url)
    store = open_store(url)
    assert isinstance(store, SqlStore)
    with store.writing():
        context = MigrationContext.configure(store.connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    assert list(store.faults()) == []
    store.close()


def collations(url: str) -> list[Any]:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        rows = connection.execute(
            text(
                "SELECT table_name, column_name, data_type, collation_name FROM information_schema.columns "
                "WHERE table_schema = current_schema() ORDER BY 1, 2"
            )
        ).all()
        names = connection.execute(
            text("SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1")
        )
        found = [*rows, *names.scalars()]
    engine.dispose()
    return found


def test_on_postgres_types_and_collations_agree_too(postgres: Callable[[], str]) -> None:
    one, other = postgres(), postgres()
    create_store(one).close()
    migrated(other)
    assert collations(one) == collations(other)
    assert ("events", "game", "character varying", "C") in collations(one)


def test_the_seat_belt_refuses_changes_after_the_migrations_too(
    url: str, make_events: Callable[[str, int, int], list[bytes]], bench_at: Callable[[str], Any]
) -> None:
    migrated(url)
    bench = bench_at(url)
    engine_store = open_store(url)
    assert isinstance(engine_store, SqlStore)
    log = Log.create(
        engine_store, origin=bench.key.verifier.name, operator="club", signer=bench.key, recovery=bench.recovery
    )
    log.append("g-1", 0, make_events("g-1", 0, 3), close=True)
    log.close()
    for name in TRIGGERS:
        table, _, verb = name.split("_")
        change = f"UPDATE {table} SET kind = 'x'" if table == "entries" else f"UPDATE {table} SET seq = 9"
        store = open_store(url)
        assert isinstance(store, SqlStore)
        with pytest.raises(LedgerError, match="append-only"), store.writing():
            store.connection.execute(text(change if verb == "update" else f"DELETE FROM {table}"))
        store.close()
    assert bench.findings() == []
