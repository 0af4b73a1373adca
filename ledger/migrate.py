"""Bringing an old ledger's tables to the format of this version (`ledger.models`), by Alembic.

The number in `about` is the one record of the format; Alembic's own table exists only while the migrations run, all of
them in one transaction under the writer lock, so a ledger is of the old format or of the new one, never between. Bytes
of events and entries are not touched: every hash, signature and receipt stays as it was.
"""

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text

from ledger.errors import Unavailable
from ledger.models import FORMAT
from ledger.store import is_postgres, sqlite_path
from ledger.store_sql import SqlStore

FOLDER: Final = Path(__file__).parent / "migrations"


def migrate(url: str) -> int:
    """Upgrade a ledger to the newest format; give the format it had.

    Unavailable where it is no ledger, or of a format that this version does not know; nothing is changed then.
    """
    store = _open(url)
    try:
        with store.writing():
            return _upgrade(store)
    finally:
        store.close()


def _open(url: str) -> SqlStore:
    if is_postgres(url):
        from ledger.store_postgres import PostgresStore

        return PostgresStore(url, mode="migrate")
    from ledger.store_sqlite import SqliteStore

    return SqliteStore(url, sqlite_path(url), mode="migrate")


def _upgrade(store: SqlStore) -> int:
    found = store.format()
    if not 0 < found <= FORMAT:
        raise Unavailable(store.target, f"a ledger of format {found}; this version reads format {FORMAT}")
    if found < FORMAT:
        run_migrations(store.connection, found)
    return found


def run_migrations(connection: Connection, found: int, wanted: int = FORMAT) -> None:
    """Run the migrations from format `found` (0: no table yet) to `wanted`, in the connection's open transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    if found:
        command.stamp(config, str(found))
    command.upgrade(config, str(wanted))
    connection.execute(text("DROP TABLE alembic_version"))
