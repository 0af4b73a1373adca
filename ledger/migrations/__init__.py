"""Schema migrations, one for each format of the tables (`ledger.models`), run by Alembic (`ledger.migrate`)."""
