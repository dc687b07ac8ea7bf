"""Runs the migrations on the connection that is handed over."""

from alembic import context

from omoide.stores.migrations.isolation import all_rows
from omoide.stores.tables import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
with all_rows(connection):
    context.run_migrations()
