"""What extraction needs to find its work: up to which revision everything of a scope was read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From 0001."""
    op.add_column("scopes", sa.Column("extracted", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Back to 0001."""
    op.drop_column("scopes", "extracted")
