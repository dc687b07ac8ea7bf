"""One keyring for several machines: new keys, erased ones and another master key are seen by all at once."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import pytest
from rings import NEW, OLD, STORE, ring_url

from omoide import Omoide, moving
from omoide.bootstrap import open_database
from omoide.cli import run
from omoide.config import Settings
from omoide.errors import (
    InvalidInput,
    KeyMissing,
    KeyWrong,
    StoreError,
    StoreLost,
    UnknownScope,
)
from omoide.keychain import rotate
from omoide.stores.keys.database_place import DatabasePlace
from omoide.stores.keys.keyring import Keyring
from omoide.testing import WordEmbedder
from postgres import OWNER, database_for, server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


WHOSE = {"user": "민준", "character": "하루"}


@pytest.fixture
def connected() -> Iterator[Callable[..., DatabasePlace]]:
    """Opens places in databases, which are closed in the end."""
    with ExitStack() as stack:

        def connect(url: str, *, store: str = STORE) -> DatabasePlace:
            made = DatabasePlace(url, store_id=store)
            stack.callback(made.close)
            return made

        yield connect


def test_a_database_without_the_keyring_says_so(
    tmp_path: Path, connected: Callable[..., DatabasePlace]
) -> None:
    url = ring_url(tmp_path)
    with pytest.raises(KeyMissing, match="holds no keyring"):
        Keyring.open(connected(url), OLD, store_id=STORE, create=False)
    Keyring.open(connected(url, store="another"), OLD, store_id="another", create=True)
    with pytest.raises(KeyMissing, match="'a store'"):
        Keyring.open(connected(url), OLD, store_id=STORE, create=False)


def test_a_database_out_of_reach_never_shows_its_password() -> None:
    url = "postgresql+psycopg://role:geheim@127.0.0.1:9/keys"
    with pytest.raises(StoreLost, match="cannot be reached") as lost:
        DatabasePlace(url, store_id=STORE).read()
    assert "geheim" not in str(lost.value)


@pytest.mark.parametrize(
    ("changed", "says"),
    [({"role": "nobody_known"}, "refused the password"), ({"database": "none_such"}, "no such database")],
)
def test_a_server_of_keyrings_that_lets_nobody_in_is_not_out_of_reach(
    changed: dict[str, str], says: str
) -> None:
    url = server().url(changed.get("database", "postgres"), role=changed.get("role", OWNER))
    with pytest.raises(StoreError, match=f"the keyring .* cannot be used: .*{says}") as refused:
        DatabasePlace(url, store_id=STORE).read()
    assert not isinstance(refused.value, StoreLost)


def test_a_parameter_of_a_keyrings_url_that_libpq_does_not_know_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="'sslmod', which is no parameter of libpq"):
        DatabasePlace(f"{ring_url(tmp_path)}&sslmod=require", store_id=STORE).read()


def test_a_silent_server_of_keyrings_is_left_in_time(
    tmp_path: Path, connected: Callable[..., DatabasePlace]
) -> None:
    with connected(ring_url(tmp_path))._engine.connect() as connection:
        assert connection.connection.driver_connection.silence == 20.0


def test_doctor_tells_a_keyring_out_of_reach_from_a_wrong_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "HOME": tmp_path,
        "XDG_CONFIG_HOME": tmp_path / "config",
        "XDG_DATA_HOME": tmp_path / "data",
        "OMOIDE_STORE": tmp_path / "x.db",
        "OMOIDE_EMBEDDER": "none",
    }.items():
        monkeypatch.setenv(name, str(value))
    assert run(["remember", "I keep bees", "--user", "sam", "--character", "haru", "--new"]) == 0
    monkeypatch.setenv("OMOIDE_KEYRING", "postgresql+psycopg://role:geheim@127.0.0.1:9/keys")
    capsys.readouterr()
    assert run(["doctor", "--json"]) == 1
    found = {one["what"]: one for one in json.loads(capsys.readouterr().out)["findings"]}
    assert found["master key"]["state"] == "ok"
    assert found["keyring"]["state"] == "wrong"
    assert "cannot be reached" in found["keyring"]["detail"]


def _given(tmp_path: Path, kind: str) -> dict[str, Any]:
    apart = ring_url(tmp_path) if kind == "database" else tmp_path / "ring"
    return {
        "store": database_for(tmp_path / "x.db"),
        "keyring": apart,
        "embedder": WordEmbedder(),
        "master_key_file": tmp_path / "key",
        "worker": False,
    }


@pytest.mark.parametrize("kind", ["file", "database"])
async def test_a_user_erased_by_one_replica_is_gone_for_the_other_at_once(tmp_path: Path, kind: str) -> None:
    given = _given(tmp_path, kind)
    async with Omoide.open(**given) as one, Omoide.open(**given) as other:
        for omoide in (one, other):
            await omoide.scope(**WHOSE).observe(user="보리차를 제일 좋아해", reply="나도!")
        row = other.store.scope("민준", "하루")
        assert row is not None
        await one.erase_user("민준")
        assert other.store.keyring.data_keys([_owner(other)]) == {}
        with pytest.raises(UnknownScope):
            await other.scope(**WHOSE).memories()
        await other.scope(**WHOSE).observe(user="커피로 바꿨어", reply="그래")
        for omoide in (one, other):
            (memory,) = await omoide.scope(**WHOSE).memories()
            assert "보리차" not in memory.text
    async with Omoide.open(**given) as again:
        assert len(await again.scope(**WHOSE).memories()) == 1


def _owner(omoide: Omoide) -> str:
    scopes = omoide.store.scopes
    return scopes._owner(scopes._tag("민준", "user"), b"")


@pytest.mark.parametrize("kind", ["file", "database"])
async def test_the_master_key_is_rotated_under_an_open_replica(tmp_path: Path, kind: str) -> None:
    given = _given(tmp_path, kind)
    settings = Settings.read(**{**given, "embedder": "none"})
    async with Omoide.open(**given) as other:
        await other.scope(**WHOSE).observe(user="보리차를 제일 좋아해", reply="나도!")
        old = (tmp_path / "key").read_text()
        database = open_database(settings)
        done = rotate(settings, database)
        database.close()
        assert done.left is not None
        assert done.left.read_text() == old
        assert (tmp_path / "key").read_text() != old
        assert done.new in (tmp_path / "key").read_text()
        assert not (tmp_path / "key.new").exists()
        with pytest.raises(KeyWrong, match=done.new):  # a new user needs a new key
            await other.scope(user="유나", character="하루").observe(user="안녕", reply="응")
    async with Omoide.open(**given) as again:
        assert len(await again.scope(**WHOSE).memories()) == 1
        await again.scope(user="유나", character="하루").observe(user="안녕, 나는 커피가 좋아", reply="응")


async def test_a_key_from_the_environment_is_rotated_to_a_file(tmp_path: Path) -> None:
    given = {**_given(tmp_path, "file"), "master_key": OLD.export()}
    settings = Settings.read(**{**given, "embedder": "none"})
    async with Omoide.open(**given) as omoide:
        await omoide.scope(**WHOSE).observe(user="보리차를 제일 좋아해", reply="나도!")
    database = open_database(settings)
    with pytest.raises(InvalidInput, match="--new"):
        rotate(settings, database)
    NEW.save(tmp_path / "given")
    assert rotate(settings, database, new=tmp_path / "given").new == NEW.fingerprint
    with pytest.raises(KeyWrong):  # the old one, a second time
        rotate(settings, database, new=tmp_path / "more")
    database.close()
    with pytest.raises(KeyWrong):
        async with Omoide.open(**given):
            pass
    async with Omoide.open(**{**given, "master_key": NEW.export()}) as omoide:
        assert len(await omoide.scope(**WHOSE).memories()) == 1


async def test_the_keyring_lies_in_no_database_of_the_stores(tmp_path: Path) -> None:
    given = _given(tmp_path, "file")
    with pytest.raises(InvalidInput, match="apart"):
        async with Omoide.open(**{**given, "keyring": given["store"]}):
            pass
    with pytest.raises(StoreError):
        async with Omoide.open(**{**given, "keyring": "postgresql+psycopg://x@/none?host=/nowhere"}):
            pass


async def test_an_erasure_that_is_broken_off_leaves_nothing_that_opens(tmp_path: Path) -> None:
    given = {**_given(tmp_path, "file"), "store": tmp_path / "x.db"}
    async with Omoide.open(**given) as omoide:
        await omoide.scope(**WHOSE).observe(user="보리차를 제일 좋아해", reply="나도!")
        with omoide.store.database.write() as connection:
            stop = "CREATE TRIGGER stop BEFORE DELETE ON scopes BEGIN SELECT RAISE(ABORT, 'stop'); END"
            connection.exec_driver_sql(stop)
        with pytest.raises(StoreError):
            await omoide.erase_user("민준")
        with pytest.raises(KeyMissing):
            omoide.store.keyring.data_key(_owner(omoide), create=False)
        with omoide.store.database.write() as connection:
            connection.exec_driver_sql("DROP TRIGGER stop")
        assert (await omoide.erase_user("민준")).scopes == 1
        with pytest.raises(UnknownScope):
            await omoide.scope(**WHOSE).memories()


async def test_a_keyring_moves_from_a_file_into_a_database_with_a_backup(tmp_path: Path) -> None:
    given = {**_given(tmp_path, "file"), "store": str(tmp_path / "x.db")}
    async with Omoide.open(**given) as omoide:
        await omoide.scope(**WHOSE).observe(user="보리차를 제일 좋아해", reply="나도!")
    settings = {**given, "embedder": "none"}
    moving.backup(Settings.read(**settings), tmp_path / "backup.db", keyring=tmp_path / "copied")
    there = {**settings, "store": database_for(tmp_path / "x.db"), "keyring": ring_url(tmp_path)}
    done = moving.restore(Settings.read(**there), tmp_path / "backup.db", keyring=tmp_path / "copied")
    assert done.keyring.startswith("postgresql+psycopg://")
    async with Omoide.open(**there) as omoide:
        assert len(await omoide.scope(**WHOSE).memories()) == 1
    again = {**there, "store": str(tmp_path / "again.db"), "keyring": tmp_path / "back"}
    moving.backup(Settings.read(**there), tmp_path / "second.db", keyring=tmp_path / "back")
    moving.restore(Settings.read(**again), tmp_path / "second.db")
    async with Omoide.open(**again) as omoide:
        assert len(await omoide.scope(**WHOSE).memories()) == 1


async def test_a_rotation_tells_of_other_stores_in_the_same_database_of_keyrings(tmp_path: Path) -> None:
    given = _given(tmp_path, "database")
    second = {**given, "store": str(tmp_path / "second.db")}
    for one in (given, second):
        async with Omoide.open(**one) as omoide:
            await omoide.scope(**WHOSE).observe(user="보리차를 제일 좋아해", reply="나도!")
            store = omoide.store.keyring.store_id
    settings = Settings.read(**{**given, "embedder": "none"})
    with closing(open_database(settings)) as database:
        done = rotate(settings, database)
    (other,) = done.others
    assert (other.store, other.sure) == (store, False)
    told = {**second, "master_key_file": done.left, "embedder": "none"}
    with closing(open_database(Settings.read(**told))) as database:
        assert rotate(Settings.read(**told), database, new=done.file).others == ()
    async with Omoide.open(**second) as omoide:
        assert len(await omoide.scope(**WHOSE).memories()) == 1
