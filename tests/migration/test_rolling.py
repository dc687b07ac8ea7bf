"""While a release is rolled out, old and new code work on one schema; code that is too old is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from omoide.bootstrap import Omoide
from omoide.checkup import checkup
from omoide.errors import StoreNewer
from omoide.stores.migrations import HEAD
from omoide.testing import WordEmbedder
from postgres import server

if TYPE_CHECKING:
    from pathlib import Path

LATER = (
    "ALTER TABLE memories ADD COLUMN later TEXT",
    "CREATE TABLE laters (tenant TEXT NOT NULL DEFAULT '', id INTEGER PRIMARY KEY)",
    "UPDATE alembic_version SET version_num = '9998'",
)
"""What a release to come would add."""


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    if request.param == "sqlite":
        store: Any = tmp_path / "x.db"
    else:
        store = server().migrated(f"rolling_{abs(hash(tmp_path))}")
    return {
        "store": store,
        "master_key_file": tmp_path / "key",
        "keyring": tmp_path / "ring",
        "worker": False,
    }


def later(omoide: Omoide, *statements: str) -> None:
    with omoide.store.database.write() as connection:
        for statement in statements:
            connection.execute(text(statement))


async def test_old_code_goes_on_while_a_later_schema_only_adds(
    where: dict[str, Any],
) -> None:
    async with Omoide.open(embedder=WordEmbedder(), **where) as old:
        scope = old.scope(user="mina", character="haru")
        await scope.observe(user="I keep bees on the roof.", reply="Brave!", session="s")
        later(old, *LATER)
        await scope.observe(user="The bees swarmed on Sunday.", reply="Oh!", session="s")
        assert (await scope.recall("bees", rehearse=False)).memories
        details = [one.detail for one in await checkup(old) if one.what == "store"]
        assert f"schema 9998 (this program knows {HEAD})" in details[0]
    async with Omoide.open(embedder=WordEmbedder(), **where) as again:
        assert len(await again.scope(user="mina", character="haru").memories()) == 2


async def test_a_later_schema_that_raises_the_floor_refuses_old_code(where: dict[str, Any]) -> None:
    async with Omoide.open(embedder=WordEmbedder(), **where) as old:
        later(old, *LATER, "UPDATE meta SET value = '9998' WHERE key = 'schema_floor'")
    with pytest.raises(StoreNewer, match="9998"):
        async with Omoide.open(embedder=WordEmbedder(), **where):
            pass
