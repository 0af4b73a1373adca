"""Alembic's environment: the connection, with its open transaction, comes from `ledger.migrate`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
