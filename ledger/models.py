"""The ledger's tables (ledger.md 4), one class a table, for SQLite and PostgreSQL.

    about         the format version, so that a ledger of another version is refused clearly
    events        (game, seq) -> the event's bytes and the chain after it; leaves are recomputed, never stored
    streams       game -> gno, kind, and the blind of its commitments (a secret while the stream is open)
    entries       index -> the entry's bytes and leaf; kind and game are copies, to find entries by
    head          one row: size, next gno, newest `at`, root and frontier of the main log; the row writers lock
    checkpoints   size -> the signed note, and the frontier of the tree it signs
    commands      (game, command id) -> what was appended under it
    texts         commitment -> salt and text, erasable (the only table whose rows may go)

Triggers refuse UPDATE and DELETE on events and entries: a seat belt against one's own mistakes, not the security, which
is the signed root. Columns are read as they are stored, unconverted, so that a damaged value reaches the audit. Ids
sort by their bytes on both databases.

A change here is a new `FORMAT` and a migration of that number in `ledger/migrations`; a test holds that the tables of a
new ledger and those of a migrated one are the same.

    1   the tables
    2   entries are found by kind along an index: opening a log no longer reads all of them
"""

from typing import Any, ClassVar, Final

from sqlalchemy import DDL, BigInteger, Column, Dialect, Index, Integer, LargeBinary, MetaData, String, Table, event
from sqlalchemy.sql.schema import SchemaItem
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

FORMAT: Final = 2
APPEND_ONLY: Final = ("events", "entries")
TRIGGERS: Final = tuple(f"{table}_no_{verb}" for table in APPEND_ONLY for verb in ("update", "delete"))
"""The names of the seat belt's triggers."""


class Octets(TypeDecorator[bytes]):
    """Bytes that come back exactly as stored, whatever their type has become."""

    impl = LargeBinary
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> None:
        """Convert nothing: drivers take bytes."""

    def result_processor(self, dialect: Dialect, coltype: object) -> None:
        """Convert nothing: `bytes(n)` of a damaged column would allocate n bytes."""


# SQLite's own row number serves where the type is exactly INTEGER.
_INDEX: Final = BigInteger().with_variant(Integer(), "sqlite")


class _Table(SQLModel):
    """Tables of the ledger have a registry of their own, so that a program may have other SQLModel tables."""

    metadata: ClassVar[MetaData] = MetaData()


def _words(length: int | None) -> Any:  # noqa: ANN401  a type of SQLAlchemy with its variant
    """Give the type of an ASCII id, in the order of its bytes whatever the database's language."""
    return String(length).with_variant(String(length, collation="C"), "postgresql")


def _octets() -> Any:  # noqa: ANN401  SQLModel's Field is typed as the value it stands for
    return Field(sa_column=Column(Octets, nullable=False))


class About(_Table, table=True):
    """What this database is."""

    __tablename__ = "about"
    name: str = Field(primary_key=True)
    value: int


class Event(_Table, table=True):
    """One event; clustered by its key, as games are read whole and in order."""

    __tablename__ = "events"
    __table_args__: ClassVar[dict[str, bool]] = {"sqlite_with_rowid": False}
    game: str = Field(sa_column=Column(_words(64), primary_key=True))
    seq: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    chain: bytes = _octets()
    data: bytes = _octets()


class Stream(_Table, table=True):
    """One stream and its blind."""

    __tablename__ = "streams"
    game: str = Field(sa_column=Column(_words(64), primary_key=True))
    gno: int = Field(sa_column=Column(BigInteger, unique=True, nullable=False))
    stream: str
    private: int
    blind: bytes = _octets()


class LogEntry(_Table, table=True):
    """One entry of the main log."""

    __tablename__ = "entries"
    __table_args__: ClassVar[tuple[SchemaItem, ...]] = (Index("ix_entries_kind", "kind", "idx"),)
    index: int = Field(sa_column=Column("idx", _INDEX, primary_key=True, autoincrement=False))
    kind: str
    game: str | None = Field(default=None, sa_column=Column(_words(None), index=True))
    leaf: bytes = _octets()
    data: bytes = _octets()


class Head(_Table, table=True):
    """The newest state of the main log; `revision` counts transactions, so that a writer sees others' work."""

    __tablename__ = "head"
    id: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    size: int = Field(sa_column=Column(BigInteger, nullable=False))
    gno: int = Field(sa_column=Column(BigInteger, nullable=False))
    at: int = Field(sa_column=Column(BigInteger, nullable=False))
    revision: int
    root: bytes = _octets()
    frontier: bytes = _octets()


class SignedHead(_Table, table=True):
    """One checkpoint."""

    __tablename__ = "checkpoints"
    size: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    note: bytes = _octets()
    frontier: bytes = _octets()


class Command(_Table, table=True):
    """One command that was carried out: a retry of it appends nothing."""

    __tablename__ = "commands"
    game: str = Field(sa_column=Column(_words(64), primary_key=True))
    command: str = Field(sa_column=Column(_words(128), primary_key=True))
    seq: int
    size: int
    digest: bytes = _octets()


class Text(_Table, table=True):
    """One erasable text, found by its commitment."""

    __tablename__ = "texts"
    commitment: bytes = Field(sa_column=Column(Octets, primary_key=True))
    text: str
    salt: bytes = _octets()


METADATA: Final = _Table.metadata

_REFUSE: Final = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' are append-only'; END $$
"""


def _arm(table: Table, verb: str) -> None:
    """Refuse one kind of change of a table's rows, on either database."""
    name = f"{table.name}_no_{verb}"
    change = f"CREATE TRIGGER {name} BEFORE {verb.upper()} ON {table.name}"
    for dialect, statement in (
        ("sqlite", f"{change} BEGIN SELECT RAISE(ABORT, '{table.name} are append-only'); END"),
        ("postgresql", f"{change} FOR EACH ROW EXECUTE FUNCTION refuse_change()"),
    ):
        trigger = DDL(statement)  # type: ignore[no-untyped-call]  # the names are those below
        event.listen(table, "after_create", trigger.execute_if(dialect=dialect))


_function = DDL(_REFUSE)  # type: ignore[no-untyped-call]
event.listen(METADATA, "before_create", _function.execute_if(dialect="postgresql"))
for _name in APPEND_ONLY:
    for _verb in ("update", "delete"):
        _arm(METADATA.tables[_name], _verb)
