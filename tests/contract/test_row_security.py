"""PostgreSQL itself keeps tenants apart: whoever connects, whatever is asked, and whatever is left out."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from every_table import ROWS, fill
from psycopg import sql
from sqlalchemy import make_url

from omoide import Omoide
from omoide.checkup import checkup
from omoide.stores.migrations.isolation import all_rows
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.tables import metadata
from omoide.testing import WordEmbedder
from postgres import OWNER, database_for, server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABLES = sorted(metadata.tables)
ORDINARY = "app"
"""A role that neither owns tables nor can bypass their rules."""

_COPIED = sql.SQL(
    "INSERT INTO {0} "
    "SELECT (jsonb_populate_record({0}, jsonb_build_object('tenant', %s::text))).* FROM {0} LIMIT 1"
)
"""One of the rows that are seen, again, as another tenant's."""

_FIRST = {"": 1, "acme": 100, "beta": 200}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database in which every table holds rows of three tenants; its name."""
    url = database_for(tmp_path_factory.mktemp("rows") / "x.db")
    database = PostgresDatabase.open(url)
    for tenant, first in _FIRST.items():
        with database.of(tenant).write() as connection:
            fill(connection, tenant=tenant, first=first)
    database.close()
    name = make_url(url).database
    assert name is not None
    with server().superuser(name) as connection:
        if not connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (ORDINARY,)).fetchone():
            connection.execute(f"CREATE ROLE {ORDINARY} NOLOGIN")
        rights = "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public"
        connection.execute(f"GRANT {rights} TO {ORDINARY}")
        connection.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {ORDINARY}")
    return name


@contextmanager
def transaction(
    database: str, *, role: str = ORDINARY, tenant: str | None
) -> Iterator[psycopg.Connection[Any]]:
    """A transaction of a role and tenant, which is taken back; None says nothing of a tenant."""
    with psycopg.connect(host=str(server().folder), user="postgres", dbname=database) as connection:
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(role)))
        if tenant is not None:
            connection.execute("SELECT set_config('omoide.tenant', %s, true)", (tenant,))
        try:
            yield connection
        finally:
            connection.rollback()


def counted(connection: psycopg.Connection[Any], statement: str, table: str) -> int:
    return connection.execute(sql.SQL(statement).format(sql.Identifier(table))).rowcount


def test_every_table_is_bound_its_owner_too(filled: str) -> None:
    bound = """
        SELECT count(*) FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
        WHERE relname = %s AND relrowsecurity AND relforcerowsecurity AND polqual IS NOT NULL
        AND polwithcheck IS NOT NULL AND polcmd = '*' AND polroles = '{0}' AND polpermissive
    """
    with server().superuser(filled) as connection:
        for table in TABLES:
            assert connection.execute(bound, (table,)).fetchone() == (1,), table


@pytest.mark.parametrize("role", [ORDINARY, OWNER])
@pytest.mark.parametrize("tenant", ["", "acme", "beta", "gamma", None, "' OR true --", "ACME"])
def test_a_tenant_sees_changes_and_removes_its_own_rows_only(
    filled: str, role: str, tenant: str | None
) -> None:
    for table in TABLES:
        with server().superuser(filled) as connection:
            whole = sql.SQL("SELECT FROM {} WHERE tenant = %s").format(sql.Identifier(table))
            own = connection.execute(whole, (tenant or "",)).rowcount
        assert own >= ROWS * ((tenant or "") in _FIRST)
        with transaction(filled, role=role, tenant=tenant) as connection:
            assert counted(connection, "SELECT tenant FROM {}", table) == own, table
            seen = sql.SQL("SELECT DISTINCT tenant FROM {}").format(sql.Identifier(table))
            assert connection.execute(seen).fetchall() in ([], [(tenant or "",)]), table
            assert counted(connection, "UPDATE {} SET tenant = tenant", table) == own, table
            with suppress(psycopg.errors.ForeignKeyViolation):  # by its own rows, which refer to it
                assert counted(connection, "DELETE FROM {}", table) == own, table


@pytest.mark.parametrize("role", [ORDINARY, OWNER])
@pytest.mark.parametrize(("tenant", "other"), [("acme", "beta"), ("acme", ""), ("", "acme"), (None, "acme")])
def test_nobody_writes_rows_of_another_tenant(filled: str, role: str, tenant: str | None, other: str) -> None:
    refused = psycopg.errors.InsufficientPrivilege
    for table in TABLES:
        with transaction(filled, role=role, tenant=tenant) as connection:
            moved = sql.SQL("UPDATE {} SET tenant = %s").format(sql.Identifier(table))
            for statement in (moved, _COPIED.format(sql.Identifier(table))):
                with pytest.raises(refused, match="row-level security"), connection.transaction():
                    connection.execute(statement, (other,))


def test_a_row_whose_tenant_was_forgotten_is_of_the_transactions(filled: str) -> None:
    for tenant in ("", "acme"):
        with transaction(filled, tenant=tenant) as connection:
            made = "INSERT INTO prompts (name, language, version, body) VALUES ('n', 'ko', 1, 'b')"
            assert connection.execute(f"{made} RETURNING tenant").fetchone() == (tenant,)


def test_triggers_copy_within_a_tenant(filled: str) -> None:
    with transaction(filled, tenant="acme") as connection:
        connection.execute("UPDATE memories SET importance = 7.5")
        found = connection.execute("SELECT DISTINCT importance FROM memory_scopes").fetchall()
        assert found == [(7.5,)]
    with transaction(filled, tenant="beta") as connection:
        (number,) = connection.execute("SELECT max(memory_id) FROM memory_scopes").fetchone() or (0,)
        connection.execute("DELETE FROM memory_scopes WHERE memory_id = %s", (number,))
        values = "(scope_id, memory_id, position, sequence, change)"
        connection.execute(f"INSERT INTO memory_scopes {values} VALUES (200, %s, 1, 1, 1)", (number,))
        copied = "SELECT m.importance = s.importance FROM memories m, memory_scopes s"
        where = f"{copied} WHERE m.id = s.memory_id AND s.memory_id = %s"
        assert connection.execute(where, (number,)).fetchone() == (True,)


def test_a_setting_of_one_transaction_is_gone_with_the_next(filled: str) -> None:
    database = PostgresDatabase.open(server().url(filled), pool=1)
    try:
        with database.of("acme").read() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM scopes").scalar() == ROWS
        for tenant, rows in (("", ROWS), ("gamma", 0), ("", ROWS)):
            with database.of(tenant).read() as connection:
                assert connection.exec_driver_sql("SELECT count(*) FROM scopes").scalar() == rows
                told = connection.exec_driver_sql("SELECT DISTINCT tenant FROM scopes").scalars().all()
                assert told in ([tenant], [])
    finally:
        database.close()


async def test_a_role_that_is_bound_by_no_rule_is_told_of(tmp_path: Path) -> None:
    url = database_for(tmp_path / "x.db")
    given: dict[str, Any] = {"embedder": WordEmbedder(), "master_key_file": tmp_path / "key"}
    async with Omoide.open(url, tenant="acme", **given) as omoide:
        found = {finding.what: finding for finding in await checkup(omoide)}
        assert found["rights"].state == "ok"
    superuser = url.replace(f"{OWNER}@", "postgres@")
    async with Omoide.open(superuser, tenant="acme", **given) as omoide:
        found = {finding.what: finding for finding in await checkup(omoide)}
        assert found["rights"].state == "wrong"
        assert "'postgres'" in found["rights"].detail
        assert "row-level security" in found["rights"].detail


def test_a_migration_sees_the_rows_of_all_tenants_and_nobody_does_after_it(filled: str) -> None:
    database = PostgresDatabase.open(server().url(filled))
    count = "SELECT count(DISTINCT tenant) FROM memories"
    try:
        with database.write() as connection:
            with all_rows(connection):
                assert connection.exec_driver_sql(count).scalar() == len(_FIRST)
            assert connection.exec_driver_sql(count).scalar() == 1
        with database.read() as connection:
            assert connection.exec_driver_sql(count).scalar() == 1
    finally:
        database.close()
