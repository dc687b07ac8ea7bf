"""Runs the migrations on the connection that is handed over."""

from alembic import context

from omoide.stores.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
