"""Format 2: entries are found by kind along an index."""

from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_entries_kind", "entries", ["kind", "idx"])
    op.execute("UPDATE about SET value = 2 WHERE name = 'format'")
