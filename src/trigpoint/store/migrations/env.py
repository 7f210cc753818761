"""Alembic's entry: migrations run on the connection that `store.database.migrate` gives."""

from alembic import context

from trigpoint.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
