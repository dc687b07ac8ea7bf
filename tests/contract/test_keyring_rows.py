"""A keyring in rows of a database: one for each owner, none lost unseen, and made of what was there."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from rings import NEW, OLD, STORE, ring_url

from omoide.errors import KeyMissing, KeyWrong, StoreReadOnly, Tampered
from omoide.stores.keys.copies import copy_keyring, note_of
from omoide.stores.keys.database_place import DatabasePlace
from omoide.stores.keys.keyring import Keyring
from omoide.stores.keys.places import FilePlace
from postgres import server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OWNERS = ["/user:minjun", "/user:유나", "/user:ハル"]
BEFORE = "CREATE TABLE omoide_keyring (store text PRIMARY KEY, stamp text NOT NULL, content bytea NOT NULL)"
"""The only table that there was, when all keys of a store lay in one row."""


class Database:
    """A database for keyrings.

    Attributes:
        url: its address.
    """

    def __init__(self, url: str, stack: ExitStack) -> None:
        self.url = url
        self._stack = stack
        self._name = url.rpartition("@/")[2].partition("?")[0]

    def place(self, *, url: str | None = None) -> DatabasePlace:
        place = DatabasePlace(url or self.url, store_id=STORE)
        self._stack.callback(place.close)
        return place

    def ring(self, *, create: bool = False) -> Keyring:
        return Keyring.open(self.place(), OLD, store_id=STORE, create=create)

    def run(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with server().superuser(self._name) as connection:
            cursor = connection.execute(statement, values)
            return [] if cursor.description is None else cursor.fetchall()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with ExitStack() as stack:
        yield Database(ring_url(tmp_path), stack)


@pytest.fixture
def filled(database: Database) -> dict[str, bytes]:
    ring = database.ring(create=True)
    return {owner: ring.data_key(owner, create=True) for owner in OWNERS}


@pytest.fixture
def earlier(database: Database, tmp_path: Path) -> dict[str, bytes]:
    """The keys of a keyring that an earlier release wrote, all in one row."""
    whole = Keyring.open(tmp_path / "whole", OLD, store_id=STORE, create=True)
    keys = {owner: whole.data_key(owner, create=True) for owner in OWNERS}
    database.run(BEFORE)
    database.run("ALTER TABLE omoide_keyring OWNER TO omoide")
    content = (tmp_path / "whole").read_bytes()
    database.run("INSERT INTO omoide_keyring VALUES (%s, 'first', %s)", STORE, content)
    return keys


def test_a_new_owner_is_one_row_more(database: Database, filled: dict[str, bytes]) -> None:
    rows = "SELECT tag, wrapped, xmin::text FROM omoide_keyring_owners"
    before = database.run(rows)
    database.ring().data_key("/user:new", create=True)
    after = database.run(rows)
    assert len(after) == len(before) + 1
    assert set(before) < set(after)
    ((length,),) = database.run("SELECT length(content) FROM omoide_keyring")
    assert length < 500


@pytest.mark.proves("P7")
def test_an_erased_owner_has_no_row_any_more(database: Database, filled: dict[str, bytes]) -> None:
    rows = "SELECT wrapped FROM omoide_keyring_owners"
    before = set(database.run(rows))
    assert database.ring().forget(OWNERS[0])
    after = set(database.run(rows))
    assert after < before
    assert len(before - after) == 1
    assert database.ring().data_keys(OWNERS) == {owner: filled[owner] for owner in OWNERS[1:]}


def test_keys_of_an_earlier_release_are_spread_into_rows(
    database: Database, earlier: dict[str, bytes]
) -> None:
    assert note_of(database.place()).epoch == 0  # a backup can be made before
    ring = database.ring()
    assert ring.data_keys(OWNERS) == earlier
    assert database.run("SELECT count(*) FROM omoide_keyring_owners") == [(len(OWNERS),)]
    ring.data_key("/user:new", create=True)
    ring.forget(OWNERS[0])
    again = database.ring()
    assert (len(again.data_keys([*OWNERS, "/user:new"])), again.epoch) == (len(OWNERS), 1)


def test_what_an_earlier_release_finds_then_is_refused_by_it(
    database: Database, earlier: dict[str, bytes]
) -> None:
    database.ring().data_key("/user:new", create=True)
    ((stamp, content),) = database.run("SELECT stamp, content FROM omoide_keyring")
    body = json.loads(content)["body"]
    assert stamp != "first"  # it looks again
    assert body["format"] != "omoide-keyring-1"  # refuses to use it
    assert "keys" not in body  # and to copy it
    with pytest.raises(Tampered):
        copy_keyring(_Fixed(bytes(content)), database.place(), replace=True)


def test_many_that_open_an_earlier_keyring_at_once_spread_it_once(
    database: Database, earlier: dict[str, bytes]
) -> None:
    found: list[dict[str, bytes]] = []

    def open_it() -> None:
        ring = database.ring()
        ring.data_key("/user:new", create=True)
        found.append(ring.data_keys(OWNERS))

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [earlier] * 4
    assert database.run("SELECT count(*) FROM omoide_keyring_owners") == [(len(OWNERS) + 1,)]


def test_a_role_that_may_make_no_table_leaves_an_earlier_keyring_as_it_is(
    database: Database, earlier: dict[str, bytes]
) -> None:
    with server().superuser() as connection:
        connection.execute("DROP ROLE IF EXISTS ring_guest")
    server().role("ring_guest", password="geheim")
    database.run("GRANT SELECT, UPDATE ON omoide_keyring TO ring_guest")
    guest = database.url.replace("omoide@", "ring_guest:geheim@", 1)
    before = database.run("SELECT * FROM omoide_keyring")
    with pytest.raises(StoreReadOnly, match="its role"):
        Keyring.open(database.place(url=guest), OLD, store_id=STORE, create=False)
    assert database.run("SELECT * FROM omoide_keyring") == before
    assert database.ring().data_keys(OWNERS) == earlier


EPOCH = "replace(convert_from(content, 'UTF8'), '\"epoch\":0', '\"epoch\":1')"
DAMAGE = {
    "row lost": "DELETE FROM omoide_keyring_owners WHERE tag = (SELECT min(tag) FROM omoide_keyring_owners)",
    "no rows": "TRUNCATE omoide_keyring_owners",
    "another key": "UPDATE omoide_keyring_owners SET wrapped = 'AAAA' || substr(wrapped, 5)",
    "half a head": "UPDATE omoide_keyring SET content = substr(content, 1, 40)",
    "another epoch": f"UPDATE omoide_keyring SET content = convert_to({EPOCH}, 'UTF8')",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_lost_or_changed_row_is_no_lost_key(
    database: Database, filled: dict[str, bytes], tmp_path: Path, damage: str
) -> None:
    opened = database.ring()
    database.run(DAMAGE[damage])
    before = database.run("SELECT * FROM omoide_keyring"), database.run("SELECT * FROM omoide_keyring_owners")
    with pytest.raises(Tampered, match="restore its newest copy"):
        database.ring()
    with pytest.raises(Tampered, match="restore its newest copy"):
        opened.rotate(NEW)
    if damage != "another epoch":  # which only the master key tells
        with pytest.raises(Tampered, match="restore its newest copy"):
            copy_keyring(database.place(), FilePlace(tmp_path / "copy"), replace=True)
        assert not (tmp_path / "copy").exists()
    after = database.run("SELECT * FROM omoide_keyring"), database.run("SELECT * FROM omoide_keyring_owners")
    assert after == before


def test_a_key_that_comes_back_after_its_erasure_is_noticed(
    database: Database, filled: dict[str, bytes]
) -> None:
    rows = database.run("SELECT store, tag, wrapped FROM omoide_keyring_owners")
    ring = database.ring()
    ring.forget(OWNERS[0])
    ring.data_key("/user:another", create=True)
    database.run("DELETE FROM omoide_keyring_owners")
    for row in rows:  # as many as there were, from before
        database.run("INSERT INTO omoide_keyring_owners VALUES (%s, %s, %s)", *row)
    with pytest.raises(Tampered):
        database.ring()


def test_a_key_in_another_owners_row_is_refused(database: Database, filled: dict[str, bytes]) -> None:
    tags = [tag for (tag,) in database.run("SELECT tag FROM omoide_keyring_owners")]
    swap = "UPDATE omoide_keyring_owners SET tag = %s WHERE tag = %s"
    for new, old in (("moving", tags[0]), (tags[0], tags[1]), (tags[1], "moving")):
        database.run(swap, new, old)
    with pytest.raises(Tampered):
        database.ring().data_keys(OWNERS)


def test_another_keyring_under_an_open_one_makes_no_second_key(
    database: Database, filled: dict[str, bytes], tmp_path: Path
) -> None:
    opened = database.ring()
    Keyring.open(tmp_path / "other", OLD, store_id=STORE, create=True)
    database.place().revise(lambda _: (tmp_path / "other").read_bytes())
    for use in (
        lambda: opened.data_key(OWNERS[0], create=True),
        lambda: opened.data_key("/user:new", create=True),
        lambda: opened.forget(OWNERS[0]),
    ):
        with pytest.raises(KeyWrong, match="another keyring"):
            use()


def test_a_head_without_its_rows_is_no_keyring(
    database: Database, filled: dict[str, bytes], tmp_path: Path
) -> None:
    (tmp_path / "head").write_bytes(database.place().head())
    with pytest.raises(Tampered, match="restore its newest copy"):
        Keyring.open(tmp_path / "head", OLD, store_id=STORE, create=False)


def test_keyrings_of_two_stores_share_a_database(database: Database, filled: dict[str, bytes]) -> None:
    with ExitStack() as stack:
        place = DatabasePlace(database.url, store_id="another")
        stack.callback(place.close)
        other = Keyring.open(place, NEW, store_id="another", create=True)
        other.data_key(OWNERS[0], create=True)
        assert place.others() == [STORE]
        other.forget(OWNERS[0])
    ring = database.ring()
    assert (ring.data_keys(OWNERS), ring.epoch) == (filled, 0)
    with pytest.raises(KeyMissing):
        ring.data_key("/user:nobody", create=False)


class _Fixed:
    """A place that holds what it was given."""

    name = "fixed"

    def __init__(self, content: bytes) -> None:
        self._content = content

    def read(self) -> bytes:
        return self._content
