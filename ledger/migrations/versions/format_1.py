"""Format 1: the tables, their triggers."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None

_REFUSE = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' are append-only'; END $$
"""


def upgrade() -> None:
    """Make the tables of an empty ledger."""
    postgres = op.get_context().dialect.name == "postgresql"
    game = sa.String(64, collation="C") if postgres else sa.String(64)
    command = sa.String(128, collation="C") if postgres else sa.String(128)

    def octets(name: str) -> sa.Column[bytes]:
        return sa.Column(name, sa.LargeBinary, nullable=False)

    op.create_table(
        "about",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("value", sa.Integer, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("game", game, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        octets("chain"),
        octets("data"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "streams",
        sa.Column("game", game, primary_key=True),
        sa.Column("gno", sa.BigInteger, nullable=False),
        sa.Column("stream", sa.String, nullable=False),
        sa.Column("private", sa.Integer, nullable=False),
        octets("blind"),
        sa.UniqueConstraint("gno"),
    )
    op.create_table(
        "entries",
        sa.Column("idx", sa.BigInteger if postgres else sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("game", sa.String(collation="C") if postgres else sa.String),
        octets("leaf"),
        octets("data"),
    )
    op.create_index("ix_entries_game", "entries", ["game"])
    op.create_table(
        "head",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("gno", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        octets("root"),
        octets("frontier"),
    )
    op.create_table(
        "checkpoints",
        sa.Column("size", sa.BigInteger, primary_key=True, autoincrement=False),
        octets("note"),
        octets("frontier"),
    )
    op.create_table(
        "commands",
        sa.Column("game", game, primary_key=True),
        sa.Column("command", command, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        octets("digest"),
    )
    op.create_table(
        "texts",
        sa.Column("commitment", sa.LargeBinary, primary_key=True),
        sa.Column("text", sa.String, nullable=False),
        octets("salt"),
    )
    if postgres:
        op.execute(_REFUSE)
    for table in ("events", "entries"):
        for verb in ("update", "delete"):
            change = f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table}"
            refuse = f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
            op.execute(f"{change} " + ("FOR EACH ROW EXECUTE FUNCTION refuse_change()" if postgres else refuse))
    op.execute("INSERT INTO about (name, value) VALUES ('format', 1)")
