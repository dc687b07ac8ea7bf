"""What structured search reads of a memory, beside the scope that it belongs to: it reads no other."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_VALUES: dict[str, sa.types.TypeEngine[Any]] = {
    "kind": sa.Text(),
    "status": sa.Text(),
    "layer": sa.Text(),
    "importance": sa.Float(),
    "confidence": sa.Float(),
    "at": sa.BigInteger(),
    "valid_until": sa.BigInteger(),
    "age": sa.Float(),
    "absolute_day": sa.Integer(),
    "place_tag": sa.LargeBinary(),
    "event_id": sa.BigInteger(),
}
_INDEXED = {
    "age": ["scope_id", "age"],
    "absolute_day": ["scope_id", "absolute_day"],
    "place_tag": ["place_tag"],  # blinded by each scope for itself
    "event_id": ["event_id"],
}
"""What only a character's past has, so that talk pays nothing for it."""

_NAMES = ", ".join(f'"{name}"' for name in _VALUES)
_COPIED = ", ".join(f'"{name}" = new."{name}"' for name in _VALUES)
_READ = f"SELECT {_NAMES} FROM memories WHERE memories.id = memory_scopes.memory_id"
_SQLITE_TRIGGERS = (
    (
        "CREATE TRIGGER memory_scopes_values AFTER INSERT ON memory_scopes BEGIN "
        f"UPDATE memory_scopes SET ({_NAMES}) = ({_READ}) "
        "WHERE scope_id = new.scope_id AND memory_id = new.memory_id; END"
    ),
    (
        f"CREATE TRIGGER memories_values AFTER UPDATE OF {_NAMES} ON memories BEGIN "
        f"UPDATE memory_scopes SET {_COPIED} WHERE memory_id = new.id; END"
    ),
)
_INTO_NEW = ", ".join(f'new."{name}"' for name in _VALUES)
_POSTGRESQL_TRIGGERS = (
    (
        "CREATE FUNCTION memory_scopes_values() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"SELECT {_NAMES} INTO {_INTO_NEW} FROM memories WHERE id = new.memory_id; RETURN new; END $$"
    ),
    (
        "CREATE TRIGGER memory_scopes_values BEFORE INSERT ON memory_scopes "
        "FOR EACH ROW EXECUTE FUNCTION memory_scopes_values()"
    ),
    (
        "CREATE FUNCTION memories_values() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"UPDATE memory_scopes SET {_COPIED} WHERE memory_id = new.id; RETURN NULL; END $$"
    ),
    (
        f"CREATE TRIGGER memories_values AFTER UPDATE OF {_NAMES} ON memories "
        "FOR EACH ROW EXECUTE FUNCTION memories_values()"
    ),
)


def upgrade() -> None:
    """From 0002."""
    for name, kind in _VALUES.items():
        op.add_column("memory_scopes", sa.Column(name, kind))
    op.execute(f"UPDATE memory_scopes SET ({_NAMES}) = ({_READ})")
    # The database itself keeps the copies true, whoever writes.
    made = _SQLITE_TRIGGERS if op.get_bind().dialect.name == "sqlite" else _POSTGRESQL_TRIGGERS
    for statement in made:
        op.execute(statement)
    for name, columns in _INDEXED.items():
        present = sa.text(f"{name} IS NOT NULL")
        op.create_index(
            f"ix_memory_scopes_{'_'.join(columns)}",
            "memory_scopes",
            columns,
            sqlite_where=present,
            postgresql_where=present,
        )


def downgrade() -> None:
    """Back to 0002."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER memories_values")
        op.execute("DROP TRIGGER memory_scopes_values")
    else:  # their functions take them along
        op.execute("DROP FUNCTION memories_values CASCADE")
        op.execute("DROP FUNCTION memory_scopes_values CASCADE")
    for columns in _INDEXED.values():
        op.drop_index(f"ix_memory_scopes_{'_'.join(columns)}", "memory_scopes")
    for name in _VALUES:
        op.drop_column("memory_scopes", name)
