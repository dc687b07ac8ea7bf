"""An erasure that something stops leaves nothing that can be read, can be finished, and locks nobody out."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from command_line import refused
from opening import opened

from omoide.checkup import stored_findings
from omoide.errors import ErasureUnfinished, KeyMissing, StoreConflict, UnknownScope
from omoide.stores.erasure import Erasure
from postgres import on_postgres, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omoide import Omoide, Scope

pytestmark = pytest.mark.proves("F10")

BOB = ("--user", "Bob", "--character", "wren")
ROWS = ("memories", "messages", "postings", "vectors", "evidence", "memory_scopes", "sessions", "people")


@contextmanager
def refusing(folder: Path, name: str = "haru.db", *, table: str = "memories") -> Iterator[None]:
    """Have the database delete no row of a table."""
    with rows_of(folder, name) as run:
        if on_postgres():
            run(
                "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'no'; END $$"
            )
            run(f"CREATE TRIGGER stays BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()")
        else:
            run(f"CREATE TRIGGER stays BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END")
    try:
        yield
    finally:
        with rows_of(folder, name) as run:
            run(f"DROP TRIGGER stays ON {table}" if on_postgres() else "DROP TRIGGER stays")


def count(folder: Path, name: str = "haru.db") -> dict[str, int]:
    """How many rows there are of each kind."""
    with rows_of(folder, name) as run:
        return {table: run(f"SELECT count(*) FROM {table}")[0][0] for table in (*ROWS, "scopes")}


def found(omoide: Omoide) -> dict[str, str]:
    return {one.what: one.state for one in stored_findings(omoide)}


async def told(omoide: Omoide, *, user: str = "Bob", character: str = "wren") -> Scope:
    scope = omoide.scope(user=user, character=character)
    await scope.observe(user="I keep seven bees on the roof", reply="How nice", session="s")
    await scope.vectorise()
    return scope


async def interrupted(folder: Path, *characters: str) -> None:
    """A store with a neighbour, and a user whose erasure was stopped among the rows."""
    async with opened(folder) as omoide:
        await told(omoide, user="Ann")
        for character in characters or ("wren",):
            await told(omoide, character=character)
        with refusing(folder), pytest.raises(ErasureUnfinished, match="the key is destroyed"):
            await omoide.erase_user("Bob")


async def test_an_erasure_that_was_stopped_is_finished_by_another_call(tmp_path: Path) -> None:
    await interrupted(tmp_path)
    assert count(tmp_path)["memories"] == 2
    async with opened(tmp_path) as omoide:
        assert [scope.user for scope in await omoide.scopes()] == ["Ann"]
        assert found(omoide)["erasure"] == "wrong"
        erased = await omoide.erase_user("Bob")
        assert (erased.scopes, erased.memories, erased.messages) == (1, 1, 2)
        assert not erased.key_destroyed  # it was before
        left = count(tmp_path)
        assert (left["scopes"], left["memories"], left["messages"]) == (1, 1, 2)  # Ann's
        assert "erasure" not in found(omoide)
        with pytest.raises(UnknownScope):
            await omoide.erase_user("Bob")


async def test_what_is_left_of_all_users_is_erased_without_their_names(tmp_path: Path) -> None:
    await interrupted(tmp_path, "wren", "haru")
    async with opened(tmp_path) as omoide:
        before = count(tmp_path)
        erased = await omoide.finish_erasures()
        assert (erased.scopes, erased.memories) == (2, 2)
        after = count(tmp_path)
        assert after["scopes"] == 1
        assert all(after[table] < before[table] for table in ROWS)
        assert "bees" in (await omoide.scope(user="Ann", character="wren").recall("my bees")).block
        assert (await omoide.finish_erasures()).scopes == 0


@pytest.mark.parametrize("character", ["wren", "another"])
async def test_a_user_comes_back_as_a_stranger_while_an_erasure_is_not_finished(
    tmp_path: Path, character: str
) -> None:
    await interrupted(tmp_path)
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="Bob", character=character)
        assert (await scope.recall("bees on the roof")).block == ""
        await scope.observe(user="I love walnut bread", reply="Yum", session="s")
        assert count(tmp_path)["scopes"] == 2  # the old one went with that
        assert [memory.evidence[0].quote for memory in await scope.memories()] == ["I love walnut bread"]
        assert "bees" not in (await scope.recall("bees on the roof")).prompt
        assert "erasure" not in found(omoide)
        assert (await omoide.finish_erasures()).scopes == 0
        assert "walnut" in (await scope.recall("walnut bread")).block


async def test_a_user_comes_back_though_the_old_rows_cannot_be_deleted_yet(tmp_path: Path) -> None:
    await interrupted(tmp_path)
    async with opened(tmp_path) as omoide:
        with refusing(tmp_path):
            scope = omoide.scope(user="Bob", character="wren")
            await scope.observe(user="I love walnut bread", reply="Yum", session="s")
        assert found(omoide)["erasure"] == "wrong"
        assert (await omoide.finish_erasures()).memories == 1
        assert "walnut" in (await scope.recall("walnut bread")).block  # the new key was not destroyed
    async with opened(tmp_path) as omoide:
        assert "walnut" in (await omoide.scope(user="Bob", character="wren").recall("walnut bread")).block
        erased = await omoide.erase_user("Bob")
        assert (erased.scopes, erased.memories, erased.key_destroyed) == (1, 1, True)


async def test_a_crash_before_the_key_is_destroyed_leaves_the_user_shut(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = await told(omoide)
        Erasure(omoide.store).shut("Bob")
        epoch = omoide.store.keyring.epoch
        assert (await scope.recall("bees on the roof")).block == ""
        with pytest.raises(UnknownScope):
            await scope.memories()
        await scope.observe(user="I love walnut bread", reply="Yum", session="s")
        assert omoide.store.keyring.epoch == epoch + 1  # the old key went before there was a new one
        assert (await omoide.erase_user("Bob")).key_destroyed


async def test_a_replica_that_holds_the_scope_open_neither_reads_nor_writes_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as one, opened(tmp_path) as other:
        scope = await told(one)
        row = one.store.scope("Bob", "wren")
        assert row is not None
        assert "bees" in (await scope.recall("bees on the roof")).block
        with refusing(tmp_path), pytest.raises(ErasureUnfinished):
            await other.erase_user("Bob")
        assert (await scope.recall("bees on the roof")).block == ""
        with pytest.raises(StoreConflict), one.store.write(row) as unit:
            unit.change()


async def test_two_who_finish_the_same_erasure_do_no_harm(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide)
        erasure = Erasure(omoide.store)
        [shut] = erasure.shut("Bob")
        assert erasure.delete(shut) == (1, 2)
        await told(omoide, user="Ann")  # who is given the number of the scope that is gone, in a file
        assert erasure.delete(shut) == (0, 0)
        assert len(await omoide.scope(user="Ann", character="wren").memories()) == 1


async def test_an_erasure_is_finished_by_its_own_tenant_alone(tmp_path: Path) -> None:
    async with opened(tmp_path, tenant="acme") as acme, opened(tmp_path, tenant="zeta") as zeta:
        await told(acme)
        scope = await told(zeta)
        with refusing(tmp_path), pytest.raises(ErasureUnfinished):
            await acme.erase_user("Bob")
        assert "erasure" not in found(zeta)
        assert found(acme)["erasure"] == "wrong"
        assert (await zeta.finish_erasures()).scopes == 0
        assert (await acme.finish_erasures()).memories == 1
        assert "bees" in (await scope.recall("bees on the roof")).block


async def restored(folder: Path) -> None:
    """What a store is where a backup was put back that is older than an erasure."""
    async with opened(folder) as omoide:
        await told(omoide, user="Ann")
        await told(omoide)
        with rows_of(folder, "haru.db") as run:
            kept = run("SELECT uid, user_tag, character_tag FROM scopes ORDER BY id")
        with refusing(folder), pytest.raises(ErasureUnfinished):
            await omoide.erase_user("Bob")
        with rows_of(folder, "haru.db") as run:
            [(last,)] = run("SELECT max(id) FROM scopes")
            run(
                "UPDATE scopes SET uid = ?, user_tag = ?, character_tag = ? WHERE id = ?",
                *map(bytes, kept[-1]),
                last,
            )


async def test_what_a_backup_brings_back_of_an_erased_user_is_told_of_and_erased(tmp_path: Path) -> None:
    await restored(tmp_path)
    async with opened(tmp_path) as omoide:
        [finding] = [one for one in stored_findings(omoide) if one.state == "note" and one.what == "keyring"]
        assert "--unfinished" in finding.detail
        for character in ("wren", "another"):
            with pytest.raises(KeyMissing, match="omoide erase Bob") as caught:
                await omoide.scope(user="Bob", character=character).observe(user="I am back", reply="Oh")
            assert "user:" not in str(caught.value)
        assert [scope.user for scope in await omoide.scopes()] == ["Ann"]
        assert (await omoide.finish_erasures()).memories == 1
        scope = await told(omoide)
        assert len(await scope.memories()) == 1


async def test_a_backup_of_before_an_erasure_harms_nobody_where_the_user_has_come_back(
    tmp_path: Path,
) -> None:
    """Their key is there, and is not that of the rows."""
    await restored(tmp_path)
    async with opened(tmp_path) as omoide:
        store = omoide.store
        store.keyring.data_key(store.scopes._owner(store.scopes._tag("Bob", "user"), b""), create=True)
        assert [scope.user for scope in await omoide.scopes()] == ["Ann"]
        with pytest.raises(KeyMissing, match="omoide erase Bob"):
            await omoide.scope(user="Bob", character="wren").memories()
        fresh = await told(omoide, character="another")
        assert (await omoide.finish_erasures()).scopes == 1
        assert "bees" in (await fresh.recall("bees on the roof")).block  # the key is that of the new life


def test_the_command_line_says_what_is_left_and_goes_on_with_it(omoide, tmp_path):
    omoide("observe", *BOB, "I am Bob", "hello")
    with refusing(tmp_path / "store", "omoide.db"):
        said = refused(omoide("erase", "Bob", "--yes", status=1))
        assert "the key is destroyed" in said
        assert "`omoide erase Bob` again" in said
        assert "nothing was changed" not in said
    findings = omoide("doctor", "--json", status=1).json["findings"]
    assert any("omoide erase --unfinished" in one["detail"] for one in findings)
    ran = omoide("erase", "Bob", "--yes", "--json").json
    assert (ran["scopes"], ran["memories"], ran["key_destroyed"]) == (1, 1, False)
    assert "no user is called 'Bob'" in refused(omoide("erase", "Bob", "--yes", status=1))
    omoide("observe", *BOB, "I am back", "hello")
    assert len(omoide("memories", *BOB, "--json").json) == 1


def test_the_command_line_finishes_all_erasures_without_names(omoide, tmp_path):
    omoide("observe", *BOB, "I am Bob", "hello")
    with refusing(tmp_path / "store", "omoide.db"):
        refused(omoide("erase", "Bob", "--yes", status=1))
    assert "--yes" in refused(omoide("erase", "--unfinished", status=2))
    assert omoide("erase", "--unfinished", "--yes", "--json").json["scopes"] == 1
    assert omoide("erase", "--unfinished", "--yes", "--json").json["scopes"] == 0
    refused(omoide("erase", "--yes", status=2))
    refused(omoide("erase", "Bob", "--unfinished", "--yes", status=2))
    omoide("doctor")


def test_an_erasure_that_is_killed_while_it_waits_can_be_said_again(omoide, tmp_path):
    omoide("observe", *BOB, "I am Bob", "hello")
    with rows_of(tmp_path / "store", "omoide.db") as run:
        run("LOCK TABLE memories IN SHARE MODE" if on_postgres() else "BEGIN IMMEDIATE")
        process = omoide.start("erase", "Bob", "--yes")
        time.sleep(3)
        process.kill()
        process.communicate()
    assert omoide("erase", "Bob", "--yes", "--json").json["scopes"] == 1
    assert count(tmp_path / "store", "omoide.db") == dict.fromkeys((*ROWS, "scopes"), 0)
    omoide("observe", *BOB, "I am back", "hello")
    assert len(omoide("memories", *BOB, "--json").json) == 1
