"""Stores side by side in schemas of one database, as docs/scaling.md shards them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide import Omoide, moving
from omoide.config import Settings
from omoide.testing import WordEmbedder
from postgres import server

if TYPE_CHECKING:
    from pathlib import Path


async def test_stores_in_two_schemas_of_a_database_never_meet(tmp_path: Path) -> None:
    url = server().create("schemas")
    try:
        with server().superuser("schemas") as connection:
            connection.execute("CREATE EXTENSION vector")
            for name in ("acme", "zoo"):
                connection.execute(f"CREATE SCHEMA {name} AUTHORIZATION omoide")
        given = {"master_key_file": tmp_path / "key", "worker": False}
        stores = {name: f"{url}&options=-csearch_path%3D{name},public" for name in ("acme", "zoo")}
        for name, store in stores.items():
            for vectors in ("memory", "pgvector"):
                more = {"keyring": tmp_path / name, "vectors": vectors, **given}
                async with Omoide.open(store, embedder=WordEmbedder(), **more) as omoide:
                    scope = omoide.scope(user=name, character="haru")
                    await scope.observe(
                        user=f"{name}: 나는 {vectors} 이야기를 좋아해", reply="응", session="s"
                    )
                    await scope.vectorise()
                    assert [one.user for one in await omoide.scopes()] == [name]
        settings = Settings.read(store=stores["zoo"], keyring=tmp_path / "zoo", embedder="none", **given)
        assert moving.backup(settings, tmp_path / "zoo.db").extents["messages"].rows == 4
    finally:
        server().drop("schemas")
