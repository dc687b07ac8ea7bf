"""On PostgreSQL a transaction sees and writes the rows of its own tenant only; a file has no such rule."""

from __future__ import annotations

from alembic import op

from omoide.stores.migrations.isolation import protect, unprotect

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_TABLES = (
    "meta",  # what belongs to the store as a whole is of the tenant without a name
    "scopes",
    "people",
    "names",
    "sessions",
    "session_scopes",
    "session_states",
    "messages",
    "session_messages",
    "events",
    "memories",
    "memory_scopes",
    "memory_people",
    "evidence",
    "suppressions",
    "identities",
    "postings",
    "vectors",
    "scores",
    "observations",
    "links",
    "participants",
    "told",
    "plans",
    "rehearsals",
    "windows",
    "window_messages",
    "relationships",
    "feelings",
    "leases",
    "task_models",
    "prompts",
    "jobs",
)


def upgrade() -> None:
    """From 0003."""
    for table in _TABLES:
        protect(op.get_bind(), table)


def downgrade() -> None:
    """Back to 0003."""
    for table in _TABLES:
        unprotect(op.get_bind(), table)
