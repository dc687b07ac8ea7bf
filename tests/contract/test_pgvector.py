"""The copies of vectors in PostgreSQL: filled, compared with the truth, repaired, and searched by graphs."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import numpy as np
import pytest
from sqlalchemy import text

from omoide import Noted
from omoide.bootstrap import Omoide
from omoide.checkup import stored_findings
from omoide.errors import (
    EmbedderUnavailable,
    ErasureUnfinished,
    InvalidInput,
    StoreConflict,
    StoreError,
    StoreReadOnly,
)
from omoide.server.app import create_app
from omoide.stores.copies import Verified
from omoide.stores.pgvector import PgVector
from omoide.stores.pgvector.graphs import graphs
from omoide.stores.pgvector.table import make_table
from omoide.stores.pgvector.tuning import Step, tune
from omoide.stores.postgres.database import PostgresDatabase
from omoide.testing import WordEmbedder
from postgres import OWNER, database_for, database_name, server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from omoide import Scope

SAID = ("I keep bees on the roof.", "나 롤 게임 좋아해", "京都で桜を見た", "My sister Ann moved to Oslo.")
HOSTILE = "x'; DROP TABLE embeddings; --\"%s%(scope)b\\"


@asynccontextmanager
async def opened(
    where: Path, *, vectors: str = "pgvector", embedder: WordEmbedder | None = None, **given: Any
) -> AsyncIterator[Omoide]:
    """The store of a test on PostgreSQL."""
    given = {"worker": False, "master_key_file": where / "key", **given}
    store = given.pop("store", None) or database_for(where / "x.db")
    async with Omoide.open(store, vectors=vectors, embedder=embedder or WordEmbedder(64), **given) as omoide:
        yield omoide


async def told(omoide: Omoide, *, user: str = "mina", texts: tuple[str, ...] = SAID) -> Scope:
    """A scope that remembers some texts, with a vector each."""
    scope = omoide.scope(user=user, character="haru")
    await scope.remember_all([Noted(text=text) for text in texts])
    await scope.vectorise()
    return scope


def run(omoide: Omoide, statement: str) -> list[Any]:
    """Run a statement in the store's database; its rows."""
    with omoide.store.database.write() as connection:
        found = connection.execute(text(statement))
        return list(found.all()) if found.returns_rows else []


def copies(omoide: Omoide) -> int:
    """How many copies there are."""
    return int(run(omoide, "SELECT count(*) FROM embeddings")[0][0])


async def test_a_filled_store_is_copied_when_it_is_opened_and_what_was_missed_meanwhile(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, vectors="memory") as omoide:
        await told(omoide)
    async with opened(tmp_path) as omoide:
        assert copies(omoide) == len(SAID)
        scope = omoide.scope(user="mina", character="haru")
        recall = await scope.recall("Do you keep bees?")
        assert (recall.memories[0].memory.text, recall.degraded) == (SAID[0], ())
        assert recall.memories[0].why.meaning is not None
    async with opened(tmp_path, vectors="memory") as omoide:
        scope = await told(omoide, texts=("Ann has a cat.",))
        await scope.forget((await scope.search("bees"))[0].id)
    async with opened(tmp_path) as omoide:
        assert copies(omoide) == len(SAID)  # one came and one went
        assert await omoide.scope(user="mina", character="haru").verify() == Verified(right=len(SAID))


async def test_a_filling_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        for user in ("mina", "jun", "tom"):
            await told(omoide, user=user)
        run(omoide, "DELETE FROM embeddings WHERE scope_id = (SELECT max(scope_id) FROM embeddings)")
        run(omoide, "DELETE FROM embeddings WHERE memory_id = (SELECT min(memory_id) FROM embeddings)")
        run(omoide, "DELETE FROM meta WHERE key = 'vectors'")
        assert copies(omoide) == 2 * len(SAID) - 1
    async with opened(tmp_path) as omoide:
        assert copies(omoide) == 3 * len(SAID)


async def test_the_table_may_be_dropped_and_is_made_and_filled_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = await told(omoide)
        run(omoide, "DROP TABLE embeddings")
        recall = await scope.recall("Do you keep bees?")
        assert recall.memories[0].memory.text == SAID[0]  # by its words
        assert "embeddings" in recall.degraded[0]
    async with opened(tmp_path) as omoide:
        assert copies(omoide) == len(SAID)
        assert (await omoide.scope(user="mina", character="haru").recall("bees?")).degraded == ()


async def test_a_table_dropped_while_it_is_used_is_told_of_and_made_again(tmp_path: Path) -> None:
    async with opened(tmp_path, api_keys=tmp_path / "keys.json") as omoide:
        scope = await told(omoide)
        index = omoide.store.index
        assert isinstance(index, PgVector)
        assert not index.behind
        index._made_again = time.monotonic() + 60  # as if that had failed a moment ago
        run(omoide, "DROP TABLE embeddings")
        assert (await scope.recall("Do you keep bees?")).degraded
        await asyncio.gather(*omoide._others)
        assert index.behind
        findings = {one.what: one.state for one in stored_findings(omoide)}
        assert findings["pgvector"] == "wrong"
        app = create_app(omoide)
        transport = httpx2.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            assert (await client.get("/ready")).json()["vectors"] == "behind"
            metrics = (await client.get("/metrics")).text
        assert 'omoide_index_behind{vectors="pgvector"} 1.0' in metrics

        index._made_again = 0.0
        await scope.recall("Do you keep bees?")
        await asyncio.gather(*omoide._others)
        assert not index.behind
        assert copies(omoide) == len(SAID)
        assert (await scope.recall("Do you keep bees?")).degraded == ()


async def test_a_right_to_the_copies_that_is_missing_is_told(tmp_path: Path) -> None:
    store = database_for(tmp_path / "x.db")
    async with opened(tmp_path) as omoide:
        await told(omoide)
        well = {one.what: one.state for one in stored_findings(omoide)}
        assert well["rights"] == well["pgvector"] == "ok"
        with server().superuser(database_name(store)) as connection:
            connection.execute(f"REVOKE ALL ON embeddings FROM {OWNER}")
        found = {one.what: (one.state, one.detail) for one in stored_findings(omoide)}
        assert found["rights"][0] == found["pgvector"][0] == "wrong"
        grant = f'GRANT SELECT, INSERT, UPDATE, DELETE ON embeddings TO "{OWNER}"'
        assert found["rights"][1].endswith(f"may not read or write embeddings; let their owner run: {grant}")
        with server().superuser(database_name(store)) as connection:
            connection.execute(grant)
            connection.execute(f"REVOKE DELETE ON embeddings FROM {OWNER}")
        assert {one.what: one.state for one in stored_findings(omoide)}["rights"] == "wrong"
    async with opened(tmp_path, vectors="memory") as omoide:  # which does not need them
        assert {one.what: one.state for one in stored_findings(omoide)}["rights"] == "ok"


async def test_a_table_that_may_be_read_again_is_behind_no_more(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = await told(omoide)
        run(omoide, "ALTER TABLE embeddings RENAME COLUMN vector TO lost")
        assert (await scope.recall("Do you keep bees?")).degraded
        await asyncio.gather(*omoide._others)
        assert omoide.store.index.behind
        run(omoide, "ALTER TABLE embeddings RENAME COLUMN lost TO vector")
        assert isinstance(omoide.store.index, PgVector)
        omoide.store.index._tried_again = 0.0
        assert (await scope.recall("Do you keep bees?")).degraded == ()
        assert not omoide.store.index.behind


async def test_copies_are_compared_with_the_truth_and_repaired(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = await told(omoide)
        assert await scope.verify() == Verified(right=4)
        run(omoide, "DELETE FROM embeddings WHERE memory_id = (SELECT min(memory_id) FROM embeddings)")
        run(
            omoide,
            "UPDATE embeddings SET vector = (SELECT vector FROM embeddings ORDER BY memory_id LIMIT 1) "
            "WHERE memory_id = (SELECT max(memory_id) FROM embeddings)",
        )
        forgotten = (await scope.search("Ann"))[0].id
        before = run(omoide, "SELECT tenant, scope_id, memory_id, identity_id, vector::text FROM embeddings")
        await scope.forget(forgotten)
        stray = next(row for row in before if row[2] not in _numbers(omoide))
        values = f"'{stray[0]}', {stray[1]}, {stray[2]}, {stray[3]}, '{stray[4]}'"
        run(omoide, f"INSERT INTO embeddings VALUES ({values})")
        found = await scope.verify()
        assert found == Verified(right=2, made=1, replaced=0, dropped=1)
        assert await scope.verify() == Verified(right=3)


def _numbers(omoide: Omoide) -> set[int]:
    return {number for (number,) in run(omoide, "SELECT memory_id FROM embeddings")}


async def test_a_copy_that_differs_is_replaced(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = await told(omoide)
        run(
            omoide,
            "UPDATE embeddings SET vector = (SELECT vector FROM embeddings ORDER BY memory_id LIMIT 1) "
            "WHERE memory_id = (SELECT max(memory_id) FROM embeddings)",
        )
        assert await scope.verify() == Verified(right=3, replaced=1)


@pytest.mark.proves("F10")
async def test_a_copy_of_another_size_is_told_of_and_replaced(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = await told(omoide)
        run(
            omoide,
            "UPDATE embeddings SET vector = '[1,2,3]' "
            "WHERE memory_id = (SELECT min(memory_id) FROM embeddings)",
        )
        recall = await scope.recall("Do you keep bees?")
        (told_of,) = recall.degraded
        assert "lacks the vectors of 1 memories" in told_of
        assert any(one.why.meaning is not None for one in recall.memories)  # of the others
        assert (await scope.search("bees")).degraded == (told_of,)
        (finding,) = [one for one in stored_findings(omoide) if one.what == "pgvector"]
        assert finding.state == "wrong"
        assert "1 copies are of another size" in finding.detail
        assert await scope.verify() == Verified(right=3, replaced=1)
        assert (await scope.recall("Do you keep bees?")).degraded == ()


async def test_an_erasure_that_is_stopped_leaves_no_copy(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide)
        await told(omoide, user="jun")
        run(omoide, "CREATE RULE stays AS ON DELETE TO memory_scopes DO INSTEAD SELECT 1 / 0")
        with pytest.raises(ErasureUnfinished, match="the key is destroyed"):
            await omoide.erase_user("mina")
        assert copies(omoide) == len(SAID)  # jun's
        run(omoide, "DROP RULE stays ON memory_scopes")
        assert (await omoide.erase_user("mina")).memories == len(SAID)
        assert await omoide.verify() == Verified(right=len(SAID))


@pytest.mark.proves("F10")
async def test_verifying_lets_go_of_copies_of_scopes_that_no_key_opens(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide)
        await told(omoide, user="jun")
        # As if a backup were back that is older than her erasure.
        tag = run(omoide, "SELECT encode(user_tag, 'hex') FROM scopes ORDER BY id LIMIT 1")[0][0]
        assert omoide.store.keyring.forget(f"\x1fuser:{tag}")
        assert await omoide.verify() == Verified(right=len(SAID), strays=1)
        assert copies(omoide) == len(SAID)
        assert (await omoide.verify()).strays == 0


@pytest.mark.parametrize("vectors", ["memory", "pgvector"])
async def test_what_is_destroyed_leaves_no_copy_whatever_compares_vectors(
    tmp_path: Path, vectors: str
) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide)
        await told(omoide, user="jun")
    async with opened(tmp_path, vectors=vectors) as omoide:
        scope = omoide.scope(user="mina", character="haru")
        await scope.forget((await scope.search("bees"))[0].id)
        await scope.purge(now=True)
        assert copies(omoide) == 2 * len(SAID) - 1
        await omoide.erase_user("mina")
        assert copies(omoide) == len(SAID)
        await omoide.scope(user="jun", character="haru").reset()
        assert copies(omoide) == 0


async def test_a_scan_reads_the_index_alone_and_rows_of_its_own_tenant(tmp_path: Path) -> None:
    async with opened(tmp_path, tenant="acme") as omoide:
        scope = await told(omoide, texts=tuple(f"number {place}" for place in range(300)))
        with omoide.store.database.unhurried() as connection:
            connection.execute(text("VACUUM ANALYZE embeddings"))
        row = omoide.store.scope("mina", "haru")
        assert row is not None
        with omoide.store.read(row) as unit:
            scan = (
                "SELECT memory_id, vector FROM embeddings "
                "WHERE scope_id = :scope AND identity_id = :identity AND vector_dims(vector) = 64"
            )
            values = {"scope": row.id, "identity": omoide.store.embedding}
            unit.connection.execute(text("SET LOCAL enable_seqscan = off"))
            plan = unit.connection.execute(text(f"EXPLAIN {scan}"), values).scalars().all()
            assert any("Index Only Scan using embeddings_scan" in line for line in plan), plan
            seen = unit.connection.execute(text(scan), values).all()
        assert len(seen) == 300
        assert copies(omoide) == 300
        assert (await scope.recall("number 7")).degraded == ()
    async with opened(tmp_path, tenant="other") as omoide:
        assert copies(omoide) == 0


async def test_a_graph_is_made_used_measured_and_dropped(tmp_path: Path) -> None:
    texts = tuple(f"I saw {place * 7919 % 1000} birds and {place} boats." for place in range(1_200))
    async with opened(tmp_path) as omoide:
        await told(omoide, user=HOSTILE, texts=texts)
        await told(omoide, user="small")
        store = omoide.store
        (planned,) = await omoide.run(lambda: list(tune(store, threshold=1_000, dry_run=True)))
        assert (planned.step, planned.vectors, planned.measured) == (Step.MADE, 1_200, None)
        (made,) = await omoide.run(lambda: list(tune(store, threshold=1_000)))
        assert (made.step, made.user, made.measured is not None) == (Step.MADE, HOSTILE, True)
        assert made.measured is not None
        assert made.measured.recall >= 0.9
        assert made.bytes > 0
        row = store.scope(HOSTILE, "haru")
        assert row is not None
        with store.recalling(row) as now:
            query = now.vectors([17])[0]
            near = now.nearness(query)
            exact = now.vectors(range(len(near))) @ query
        best = np.argsort(-exact)[:20]
        np.testing.assert_allclose(near[best], exact[best], atol=1e-3)
        assert abs(near.mean() - exact.mean()) < 0.02
        assert near.std() == pytest.approx(exact.std(), rel=0.2)
        assert not np.isnan(near).any()
        assert np.abs(near - exact).max() > 0.01  # what is far away is guessed
        far = np.argsort(exact)[:50]
        with store.recalling(row) as now:
            sure = now.nearness(query, sure=far)
        np.testing.assert_allclose(sure[far], exact[far], atol=1e-3)
        (kept,) = await omoide.run(lambda: list(tune(store, threshold=2_000)))
        assert kept.step is Step.KEPT  # it has not shrunk to half of that
        (gone,) = await omoide.run(lambda: list(tune(store, threshold=4_000)))
        assert gone.step is Step.DROPPED
        with store.recalling(row) as now:
            np.testing.assert_allclose(now.nearness(query), exact, atol=1e-3)
        await omoide.run(lambda: list(tune(store, threshold=1_000)))
        assert [one.step for one in tune(store, threshold=1_000, drop=True)] == [Step.DROPPED]
        assert list(tune(store, threshold=1_000, drop=True)) == []


async def test_an_index_that_was_filled_by_many_scopes_at_once_is_packed(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide)
        name = database_name(database_for(tmp_path / "x.db"))
        with server().superuser(name) as superuser:
            superuser.execute("SET session_replication_role = replica")  # of memories that there are not
            superuser.execute(
                "INSERT INTO embeddings (scope_id, memory_id, identity_id, vector) "
                "SELECT 1000 + n % 40, n, 1, array_fill(0.125::real, ARRAY[64])::halfvec "
                "FROM generate_series(100, 12000) AS n"
            )
            superuser.execute("CREATE INDEX embeddings_scan_ccnew ON embeddings (scope_id)")  # left behind
            superuser.execute(
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'embeddings_scan_ccnew'::regclass"
            )
        before = run(omoide, "SELECT pg_relation_size('embeddings_scan')")[0][0]
        (packed,) = await omoide.run(lambda: list(tune(omoide.store, threshold=1_000)))
        assert (packed.step, packed.user) == (Step.PACKED, None)
        assert packed.bytes == run(omoide, "SELECT pg_relation_size('embeddings_scan')")[0][0]
        assert packed.bytes < before / 1.5
        assert await omoide.run(lambda: list(tune(omoide.store, threshold=1_000))) == []
        indexes = run(omoide, "SELECT indexname FROM pg_indexes WHERE tablename = 'embeddings'")
        assert {name for (name,) in indexes} == {"embeddings_pkey", "embeddings_scan"}


async def test_a_graph_left_half_made_is_made_again_and_one_of_a_scope_that_is_gone_is_dropped(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide, texts=tuple(f"{place} boats" for place in range(1_000)))
        store = omoide.store
        list(tune(store, threshold=1_000))
        with store.database.read() as connection:
            (graph,) = graphs(connection.connection.driver_connection)
        name = f"embeddings_graph_{graph.scope}_{graph.identity}"
        database = str(run(omoide, "SELECT current_database()")[0][0])
        with server().superuser(database) as superuser:
            superuser.execute(
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", (name,)
            )
        assert [one.step for one in tune(store, threshold=1_000)] == [Step.DROPPED, Step.MADE]
        await omoide.erase_user("mina")
        assert [one.step for one in tune(store, threshold=1_000)] == [Step.DROPPED]


async def test_what_is_forgotten_and_restored_has_its_meaning_at_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = await told(omoide)
        bees = (await scope.recall("bees on the roof")).memories[0].memory.id
        await scope.forget(bees)
        assert (await scope.recall("bees on the roof")).memories == ()
        await scope.restore(bees)
        recall = await scope.recall("bees on the roof")
        assert [(one.memory.id, one.why.meaning is not None) for one in recall.memories[:1]] == [(bees, True)]


@pytest.mark.parametrize("count", [8, 60])
async def test_memories_are_tied_alike_whatever_compares_them(tmp_path: Path, count: int) -> None:
    texts = tuple(f"On day {place} we saw {place % 7} red boats on the river." for place in range(count))
    ties = []
    for vectors in ("memory", "pgvector"):
        (tmp_path / vectors).mkdir()
        async with opened(tmp_path / vectors, vectors=vectors) as omoide:
            await told(omoide, texts=texts)
            tied = "SELECT from_id, to_id, round(weight::numeric, 2) FROM links WHERE kind = 'similar'"
            ties.append(sorted(tuple(row) for row in run(omoide, tied)))
    assert ties[0]
    assert ties[0] == ties[1]


async def test_hostile_names_and_texts_are_data(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = await told(omoide, user=HOSTILE, texts=(HOSTILE, *SAID))
        assert (await scope.recall(HOSTILE)).memories[0].memory.text == HOSTILE
        assert [memory.text for memory in await scope.search(HOSTILE, place=HOSTILE)] == []
        assert (await scope.search(HOSTILE))[0].text == HOSTILE
        assert copies(omoide) == 1 + len(SAID)


async def test_a_file_has_no_pgvector(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="needs a store on PostgreSQL"):
        async with opened(tmp_path, store=str(tmp_path / "x.db")):
            pass


async def test_graphs_are_of_pgvector_only(tmp_path: Path) -> None:
    async with opened(tmp_path, vectors="memory") as omoide:
        with pytest.raises(InvalidInput, match="vectors=pgvector"):
            list(tune(omoide.store, threshold=1_000))


async def test_without_an_embedder_no_graph_is_touched(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide)
        list(tune(omoide.store, threshold=1))
    given = {"master_key_file": tmp_path / "key", "worker": False, "vectors": "pgvector"}
    async with Omoide.open(database_for(tmp_path / "x.db"), embedder="none", **given) as omoide:
        with pytest.raises(EmbedderUnavailable, match="its embedder"):
            list(tune(omoide.store, threshold=1))
        scope = omoide.scope(user="mina", character="haru")
        assert (await scope.recall("Do you keep bees?")).memories[0].memory.text == SAID[0]
        await scope.forget((await scope.search("bees"))[0].id)
        assert copies(omoide) == len(SAID) - 1
        assert [one.step for one in tune(omoide.store, threshold=1, drop=True)] == [Step.DROPPED]


async def test_longer_vectors_than_pgvector_compares_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="4000 numbers at most, got 4001"):
        async with opened(tmp_path, embedder=WordEmbedder(4_001)):
            pass


@pytest.mark.parametrize("dimensions", [1_536, 4_000])
async def test_vectors_too_long_for_an_index_entry_are_scanned_in_the_table(
    tmp_path: Path, dimensions: int
) -> None:
    async with opened(tmp_path, embedder=WordEmbedder(dimensions)) as omoide:
        scope = await told(omoide)
        recall = await scope.recall("Do you keep bees?")
        assert (recall.memories[0].memory.text, recall.degraded) == (SAID[0], ())
        assert recall.memories[0].why.meaning is not None
        assert await scope.verify() == Verified(right=4)


async def test_another_embedder_fills_its_own_copies(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide)
    async with opened(tmp_path, embedder=WordEmbedder(128)) as omoide:
        scope = omoide.scope(user="mina", character="haru")
        await scope.vectorise()
        recall = await scope.recall("Do you keep bees?")
        assert (recall.memories[0].memory.text, recall.degraded) == (SAID[0], ())
        assert await scope.verify() == Verified(right=4)


async def test_without_the_extension_the_way_out_is_told(tmp_path: Path) -> None:
    name = f"without_{tmp_path.name}".replace("-", "_")[:60].lower()
    url = server().create(name)
    try:
        with pytest.raises(StoreError, match=r"CREATE EXTENSION vector.*vectors=memory"):
            async with opened(tmp_path, store=url):
                pass
        with server().superuser(name) as superuser:
            superuser.execute("CREATE EXTENSION vector")
        async with opened(tmp_path, store=url) as omoide:
            await told(omoide)
            assert copies(omoide) == len(SAID)
    finally:
        server().drop(name)


async def test_a_role_that_may_not_make_tables_is_told_who_may(tmp_path: Path) -> None:
    async with opened(tmp_path, vectors="memory") as omoide:
        await told(omoide)
        database = str(run(omoide, "SELECT current_database()")[0][0])
    role = f"limited_{database}"
    server().role(role, password="secret")
    with server().superuser(database) as superuser:
        for grant in (
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
            f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {role}",
        ):
            superuser.execute(grant)
    url = server().url(database, role=role, password="secret")
    keyring = tmp_path / f"{database}.keyring"
    try:
        with pytest.raises(StoreError, match=r"may not make the table 'embeddings'.*owner"):
            async with opened(tmp_path, store=url, keyring=keyring):
                pass
        async with opened(tmp_path):
            pass
        with server().superuser(database) as superuser:
            superuser.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON embeddings TO {role}")
        async with opened(tmp_path, store=url, keyring=keyring) as omoide:
            scope = await told(omoide, texts=("Ann has a cat.",))
            assert (await scope.recall("a cat?")).degraded == ()
            for threshold in (1, 10_000):  # also where there is nothing to make
                with pytest.raises(StoreReadOnly, match=f"lacks a right: only '{OWNER}'.*'{role}'"):
                    list(tune(omoide.store, threshold=threshold))
    finally:
        with server().superuser(database) as superuser:
            superuser.execute(f"DROP OWNED BY {role}")
            superuser.execute(f"DROP ROLE {role}")


def test_several_may_make_the_table_at_once(tmp_path: Path) -> None:
    url = database_for(tmp_path / "x.db")
    with server().superuser(database_name(url)) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    databases = [PostgresDatabase.open(url) for _ in range(4)]
    barrier = threading.Barrier(len(databases))

    def make(database: PostgresDatabase) -> None:
        with database.read() as connection:  # knows that no table is there
            connection.execute(text("SELECT to_regclass('embeddings')"))
        barrier.wait(20)
        make_table(database)

    try:
        with ThreadPoolExecutor(len(databases)) as threads:
            list(threads.map(make, databases))
        with databases[0].read() as connection:
            assert connection.execute(text("SELECT count(*) FROM embeddings")).scalar() == 0
    finally:
        for database in databases:
            database.close()


def test_a_write_to_what_was_erased_meanwhile_may_be_done_again(tmp_path: Path) -> None:
    database = PostgresDatabase.open(database_for(tmp_path / "x.db"))
    late = "INSERT INTO rehearsals (scope_id, memory_id, count, last_at, exchange) VALUES (77, 77, 1, 0, '')"
    with pytest.raises(StoreConflict, match="erased"), database.write(scope=77) as connection:
        connection.execute(text(late))
    database.close()
