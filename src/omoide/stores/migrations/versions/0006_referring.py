"""Indexes on what refers to rows that can be deleted: deleting costs what is deleted, not the store."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_ALWAYS = (
    ("people", "scope_id"),
    ("names", "person_id"),
    ("sessions", "scope_id"),
    ("messages", "session_id"),
    ("messages", "speaker_id"),
    ("suppressions", "message_id"),
    ("postings", "memory_id"),
    ("observations", "person_id"),
    ("told", "person_id"),
    ("rehearsals", "memory_id"),
    ("feelings", "subject_id"),
)
_SOMETIMES = (
    ("people", "merged_into"),
    ("names", "used_by"),
    ("sessions", "parent_id"),
    ("messages", "parent_id"),
    ("memories", "session_id"),
    ("memories", "subject_id"),
    ("memories", "event_id"),
    ("memories", "replaced_by"),
    ("participants", "memory_id"),
    ("plans", "person_id"),
    ("relationships", "last_message_id"),
    ("feelings", "message_id"),
)


def upgrade() -> None:
    """From 0005."""
    for table, column in _ALWAYS:
        op.create_index(f"ix_{table}_{column}", table, [column])
    for table, column in _SOMETIMES:
        present = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            f"ix_{table}_{column}", table, [column], sqlite_where=present, postgresql_where=present
        )


def downgrade() -> None:
    """Back to 0005."""
    for table, column in (*_ALWAYS, *_SOMETIMES):
        op.drop_index(f"ix_{table}_{column}", table)
