"""Row-level security: PostgreSQL itself shows each transaction the rows of its own tenant only.

A transaction says whose it is with ``set_config('omoide.tenant', …, true)``; one that says nothing is of the
tenant without a name. The tables' owner is bound as well. Only a superuser, or a role that may bypass
row-level security, sees the rows of all; those are no roles for a server.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

_TENANT: Final = "coalesce(current_setting('omoide.tenant', true), '')"
_POLICY: Final = "tenant_only"
_FORCED: Final = sa.text(
    "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
    "AND relrowsecurity AND relforcerowsecurity AND relkind = 'r'"
)


def protect(connection: Connection, table: str) -> None:
    """Show and take only rows of the transaction's tenant; nothing on a database without such a rule.

    Every migration that makes a table calls this for it.
    """
    if connection.dialect.name != "postgresql":
        return
    # In a query of its own the setting is read once for each statement, and not for each row.
    own = f"tenant = (SELECT {_TENANT})"
    for statement in (
        f"ALTER TABLE {table} ALTER COLUMN tenant SET DEFAULT {_TENANT}",
        f"CREATE POLICY {_POLICY} ON {table} USING ({own}) WITH CHECK ({own})",
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
    ):
        connection.execute(sa.text(statement))


def unprotect(connection: Connection, table: str) -> None:
    """Show the rows of all tenants again."""
    if connection.dialect.name != "postgresql":
        return
    for statement in (
        f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",
        f"DROP POLICY {_POLICY} ON {table}",
        f"ALTER TABLE {table} ALTER COLUMN tenant SET DEFAULT ''",
    ):
        connection.execute(sa.text(statement))


@contextmanager
def all_rows(connection: Connection) -> Iterator[None]:
    """Let the owner of the tables change the rows of all tenants, for the time of a migration."""
    forced = connection.execute(_FORCED).scalars().all() if connection.dialect.name == "postgresql" else ()
    for table in forced:
        connection.execute(sa.text(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY"))
    yield
    for table in forced:
        connection.execute(sa.text(f"ALTER TABLE IF EXISTS {table} FORCE ROW LEVEL SECURITY"))
