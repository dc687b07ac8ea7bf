"""What an index outside the database is still owed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from omoide.stores.migrations.isolation import protect

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From 0004."""
    op.create_table(
        "debts",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("scope_uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("numbers", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_debts")),
    )
    op.create_index("ix_debts_scope_uid", "debts", ["scope_uid"])
    protect(op.get_bind(), "debts")


def downgrade() -> None:
    """Back to 0004."""
    op.drop_table("debts")
