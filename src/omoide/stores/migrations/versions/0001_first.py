"""The first schema."""

from alembic import op

from omoide.stores.tables import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    metadata.create_all(op.get_bind())
