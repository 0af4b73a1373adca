"""The ledger's tables (ledger.md 4), one class a table, for SQLite and any other SQL store.

    about         the format version, so that a ledger of another version is refused clearly
    events        (game, seq) -> the event's bytes and the chain after it; leaves are recomputed, never stored
    streams       game -> gno, kind, and the blind of its commitments (a secret while the stream is open)
    entries       index -> the entry's bytes and leaf; kind and game are copies, to find entries by
    head          one row: size, next gno, newest `at`, root and frontier of the main log; the row writers lock
    checkpoints   size -> the signed note, and the frontier of the tree it signs
    commands      (game, command id) -> what was appended under it
    texts         commitment -> salt and text, erasable (the only table whose rows may go)

Triggers refuse UPDATE and DELETE on events and entries: a seat belt against one's own mistakes, not the security, which
is the signed root. Columns are read as they are stored, unconverted, so that a damaged value reaches the audit.
"""

from typing import Any, ClassVar, Final

from sqlalchemy import DDL, BigInteger, Column, Dialect, Integer, LargeBinary, MetaData, String, event
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

FORMAT: Final = 1


class Octets(TypeDecorator[bytes]):
    """Bytes that come back exactly as stored, whatever their type has become."""

    impl = LargeBinary
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> None:
        """Convert nothing: drivers take bytes."""

    def result_processor(self, dialect: Dialect, coltype: object) -> None:
        """Convert nothing: `bytes(n)` of a damaged column would allocate n bytes."""


class _Table(SQLModel):
    """Tables of the ledger have a registry of their own, so that a program may have other SQLModel tables."""

    metadata: ClassVar[MetaData] = MetaData()


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
    game: str = Field(sa_column=Column(String(64), primary_key=True))
    seq: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    chain: bytes = _octets()
    data: bytes = _octets()


class Stream(_Table, table=True):
    """One stream and its blind."""

    __tablename__ = "streams"
    game: str = Field(sa_column=Column(String(64), primary_key=True))
    gno: int = Field(sa_column=Column(BigInteger, unique=True, nullable=False))
    stream: str
    private: int
    blind: bytes = _octets()


class LogEntry(_Table, table=True):
    """One entry of the main log."""

    __tablename__ = "entries"
    index: int = Field(sa_column=Column("idx", Integer, primary_key=True, autoincrement=False))
    kind: str
    game: str | None = Field(default=None, index=True)
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
    game: str = Field(sa_column=Column(String(64), primary_key=True))
    command: str = Field(sa_column=Column(String(128), primary_key=True))
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

for _name in ("events", "entries"):
    for _verb in ("update", "delete"):
        event.listen(
            METADATA.tables[_name],
            "after_create",
            DDL(  # type: ignore[no-untyped-call]  # the names are the two above
                f"CREATE TRIGGER {_name}_no_{_verb} BEFORE {_verb.upper()} ON {_name} "
                f"BEGIN SELECT RAISE(ABORT, '{_name} are append-only'); END"
            ).execute_if(dialect="sqlite"),
        )
