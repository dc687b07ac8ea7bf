"""Stores side by side in schemas of one database, as docs/scaling.md shards them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import make_url

from omoide import Omoide, moving
from omoide.config import Settings
from omoide.errors import KeyWrong, StoreError
from omoide.storage_findings import empty_findings
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.postgres.schema import likely_url, short_name
from omoide.testing import WordEmbedder
from postgres import server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def url() -> Iterator[str]:
    """A database of its own, with the extension in public."""
    made = server().create("schemas")
    with server().superuser("schemas") as connection:
        connection.execute("CREATE EXTENSION vector")
    yield made
    server().drop("schemas")


def make(*schemas: str) -> None:
    with server().superuser("schemas") as connection:
        for name in schemas:
            connection.execute(f'CREATE SCHEMA "{name}" AUTHORIZATION omoide')


def within(url: str, path: str) -> str:
    return f"{url}&options=-csearch_path%3D{path}"


def schemas_with_a_store() -> list[str]:
    with server().superuser("schemas") as connection:
        query = "SELECT schemaname FROM pg_tables WHERE tablename = 'memory_scopes' ORDER BY 1"
        return [name for (name,) in connection.execute(query)]


def keyrings_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.keyring"))


async def said_in(store: str, folder: Path, *, user: str, vectors: str = "memory", **more: object) -> None:
    """Say something as a user, and see that nobody else is known there."""
    given = {"master_key_file": folder / "key", "worker": False, "vectors": vectors, **more}
    async with Omoide.open(store, embedder=WordEmbedder(), **given) as omoide:
        scope = omoide.scope(user=user, character="haru")
        await scope.observe(user=f"{user}: 나는 {vectors} 이야기를 좋아해", reply="응", session="s")
        await scope.vectorise()
        assert [one.user for one in await omoide.scopes()] == [user]


async def test_stores_in_schemas_of_a_database_never_meet(url: str, tmp_path: Path) -> None:
    """One that lies in public too, behind the others."""
    make("acme", "zoo")
    stores = {"public": url, **{name: within(url, f"{name},public") for name in ("acme", "zoo")}}
    for name, store in stores.items():
        for vectors in ("memory", "pgvector"):
            await said_in(store, tmp_path, user=name, vectors=vectors)
    assert schemas_with_a_store() == ["acme", "public", "zoo"]
    assert keyrings_in(tmp_path) == ["schemas.acme.keyring", "schemas.keyring", "schemas.zoo.keyring"]
    settings = Settings.read(store=stores["zoo"], embedder="none", master_key_file=tmp_path / "key")
    assert moving.backup(settings, tmp_path / "zoo.db").extents["messages"].rows == 4


async def test_a_schema_that_is_not_there_is_refused_rather_than_passed_over(
    url: str, tmp_path: Path
) -> None:
    await said_in(url, tmp_path, user="public")
    for path in ("acme,public", '"$user",acme,public', "acme"):
        with pytest.raises(StoreError, match=r"the schema 'acme'.*CREATE SCHEMA"):
            await said_in(within(url, path), tmp_path, user="acme")
    assert schemas_with_a_store() == ["public"]


async def test_a_keyring_is_not_put_into_another_schema_than_the_first(url: str, tmp_path: Path) -> None:
    given = {"keyring": within(url, "kacme,public"), "master_key_file": tmp_path / "key", "worker": False}
    with pytest.raises(StoreError, match=r"the keyring is to lie in the schema 'kacme'.*CREATE SCHEMA"):
        async with Omoide.open(tmp_path / "refused.db", embedder="none", **given):
            pass
    with server().superuser("schemas") as connection:
        assert connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").rowcount == 0
    make("kacme")
    async with Omoide.open(tmp_path / "store.db", embedder="none", **given):
        pass
    with server().superuser("schemas") as connection:
        assert connection.execute("SELECT store FROM kacme.omoide_keyring").rowcount == 1


@pytest.mark.parametrize("copies", [False, True])
async def test_an_extension_out_of_the_search_path_is_told(url: str, tmp_path: Path, *, copies: bool) -> None:
    make("acme")
    if copies:
        await said_in(within(url, "acme,public"), tmp_path, user="mina", vectors="pgvector")
    alone = within(url, "acme")
    with pytest.raises(StoreError, match=r"the type 'vector' .* not in the search path 'acme'.*'public'"):
        await said_in(alone, tmp_path, user="mina", vectors="pgvector")
    (told,) = [one for one in empty_findings(alone, vectors="pgvector") if one.what == "extension vector"]
    assert told.state == "wrong"
    assert "the search path" in told.detail


def test_a_schema_that_its_role_may_not_use_is_refused(url: str) -> None:
    with server().superuser("schemas") as connection:
        connection.execute("CREATE SCHEMA acme")
    with pytest.raises(StoreError, match=r"'acme'.*would go to 'public'"):
        PostgresDatabase.open(within(url, "acme,public"))


def test_a_path_that_is_set_elsewhere_counts_as_one_of_the_url_does(url: str) -> None:
    with server().superuser("schemas") as connection:
        connection.execute("ALTER DATABASE schemas SET search_path = acme, public")
    with pytest.raises(StoreError, match="'acme'"):
        PostgresDatabase.open(url)
    make("acme")
    PostgresDatabase.open(url).close()
    assert schemas_with_a_store() == ["acme"]


def test_a_schema_that_is_called_as_the_role_is_used_where_it_is(url: str) -> None:
    PostgresDatabase.open(url).close()
    make("omoide")
    PostgresDatabase.open(url).close()
    assert schemas_with_a_store() == ["omoide", "public"]


async def test_a_keyring_of_another_store_names_the_setting_that_parts_them(url: str, tmp_path: Path) -> None:
    make("acme")
    ring = tmp_path / "one.keyring"
    await said_in(url, tmp_path, user="public", keyring=ring)
    with pytest.raises(KeyWrong, match="OMOIDE_KEYRING"):
        await said_in(within(url, "acme,public"), tmp_path, user="acme", keyring=ring)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ("", "main"),
        ("?options=-csearch_path%3Dpublic", "main"),
        ("?options=-cjit%3Doff", "main"),
        ('?options=-csearch_path%3D"$user",acme', "main"),
        ("?options=-c%20search_path%3Dacme", "main.acme"),
        ("?options=-cjit%3Doff%20--search-path%3DAcme%5C%20,%5C%20public", "main.acme"),
        ("?options=-csearch_path%3Dzoo%20-csearch_path%3Dacme", "main.acme"),
        ('?options=-csearch_path%3D"한국/A"', "main.%ED%95%9C%EA%B5%AD%2FA"),
    ],
)
def test_the_short_name_of_a_store_has_the_schema_that_its_url_names(options: str, name: str) -> None:
    assert short_name(make_url(f"postgresql+psycopg://role@host/main{options}")) == name


def test_the_url_of_a_short_name_is_that_of_the_store() -> None:
    url = make_url("postgresql+psycopg://role@host/main?options=-csearch_path%3Dacme&sslmode=require")
    for name in ("main", "other", "other.zoo"):
        found = likely_url(url, name)
        assert short_name(found) == name
        assert found.query["sslmode"] == "require"
