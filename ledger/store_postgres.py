"""The ledger in a PostgreSQL database, named by a libpq URL: `postgresql://[user@]host[:port]/database[?…]`.

A database that its owner made (`createdb`), encoded in UTF-8, holds one ledger in its current schema. A writer's
transaction starts with `SELECT … FOR UPDATE` on the head row, so writers take turns over all processes and machines;
they wait up to 30 s. Each statement then sees all that earlier holders of the lock committed (READ COMMITTED). Commits
are durable when they return: `synchronous_commit` is put on where it is off. A reader works in one REPEATABLE READ
transaction, so it sees one state of the ledger while writers go on; long answers come through a cursor of the server.

What was erased is written over by rewriting its table; PostgreSQL's write-ahead log and backups keep the old pages
until they are recycled, which is for their owner to see to. Needs the extra `[postgres]` (psycopg 3).
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from ledger.errors import Unavailable
from ledger.models import TRIGGERS
from ledger.store import without_password
from ledger.store_sql import WAIT_MS, SqlStore

_NAMES: Final = text(
    "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(current_schema())"
)
_TRIGGERS: Final = text(
    "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE tgenabled <> 'D' AND relnamespace = to_regnamespace(current_schema())"
)
_CHECKSUMS: Final = text("SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()")
_LOCK_HEAD: Final = text("SELECT id FROM head FOR UPDATE")
_LOCK_TABLE: Final = text("LOCK TABLE head IN SHARE ROW EXCLUSIVE MODE")


class PostgresStore(SqlStore):
    """One open ledger in a PostgreSQL database."""

    def __init__(self, url: str, *, mode: Literal["read", "write", "create", "migrate"]) -> None:
        self.target = without_password(url)
        self._url = url
        self._mode = mode
        level = "REPEATABLE READ" if mode == "read" else "READ COMMITTED"
        try:
            import psycopg

            self._engine = create_engine(
                "postgresql+psycopg://", creator=self._connect, poolclass=StaticPool, isolation_level=level
            )
        except ImportError:
            raise Unavailable(self.target, "PostgreSQL needs the extra: pip install 'paipu[postgres]'") from None
        self._errors = (DBAPIError, psycopg.Error)
        with self._guard():
            self._connection = self._engine.connect()
            try:
                self._start()
            except BaseException:
                self.close()
                raise

    def _connect(self) -> Any:  # noqa: ANN401  a connection of the driver, which is an extra
        import psycopg

        try:
            raw = psycopg.connect(self._url, client_encoding="utf8", application_name="paipu")
        except psycopg.Error as error:
            raise Unavailable(self.target, _line(error)) from None
        with raw.cursor() as cursor:
            if self._mode == "read":
                cursor.execute("SET default_transaction_read_only = on")
            else:
                cursor.execute(f"SET lock_timeout = {WAIT_MS}")
                cursor.execute("SELECT set_config('synchronous_commit', 'on', false) "
                               "WHERE current_setting('synchronous_commit') = 'off'")  # fmt: skip
        raw.commit()
        return raw

    def _start(self) -> None:
        if self._mode == "create":
            names = self._tables()
            encoding = self._connection.exec_driver_sql("SHOW server_encoding").scalar()
            self._connection.rollback()
            if encoding != "UTF8":
                raise Unavailable(self.target, f"the database is encoded in {encoding}: a ledger needs UTF8")
            if names:
                reason = "exists already" if "about" in names else "its schema is not empty"
                raise Unavailable(self.target, reason)
            with self._guard(), self._connection.begin():
                self._found()
            return
        if self._mode != "migrate":
            self._check_format()
        if self._mode != "read":
            self._connection.rollback()

    def _tables(self) -> Sequence[str]:
        return self._connection.execute(_NAMES).scalars().all()

    def _lock(self) -> None:
        """Lock the head row; where there is none yet, the table that it will stand in."""
        if self._mode == "migrate" and not self.founded():
            return  # `format` says what is wrong
        if self._connection.execute(_LOCK_HEAD).first() is None:
            self._connection.execute(_LOCK_TABLE)

    def _reason(self, error: Exception) -> str:
        found = getattr(error, "orig", None) or error
        if getattr(found, "sqlstate", "") == "55P03":  # lock_not_available
            return f"another process holds the ledger for more than {WAIT_MS // 1000} s"
        return _line(found)

    def faults(self) -> Iterator[str]:
        """Give what PostgreSQL counts of damaged pages, and the triggers that are missing."""
        with self._guard():
            failures = self._connection.execute(_CHECKSUMS).scalar()
            triggers = set(self._connection.execute(_TRIGGERS).scalars().all())
        if failures:
            yield f"PostgreSQL counts {failures} pages whose checksum failed in this database"
        yield from (f"the trigger {name} is missing" for name in TRIGGERS if name not in triggers)

    def scrub(self) -> None:
        """Write the table of texts anew, so that no page keeps what was erased."""
        with self._guard():
            self._connection.rollback()
            raw: Any = self._connection.connection.dbapi_connection
            raw.autocommit = True  # it runs in no transaction
            try:
                raw.execute("VACUUM FULL texts")
            finally:
                raw.autocommit = False


def _line(error: Exception) -> str:
    """Give the first line of the driver's message: what follows are positions and hints."""
    return str(error).strip().split("\n", 1)[0] or type(error).__name__
