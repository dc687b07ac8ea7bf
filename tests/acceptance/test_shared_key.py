"""One master key for several stores: a rotation tells of the others; what only looks makes nothing."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine, refused

from omoide.stores.postgres.database import PostgresDatabase
from postgres import place, server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from command_line import Ran

WHOSE = ("--user", "민준", "--character", "하루")


@pytest.fixture
def empty() -> Iterator[str]:
    """A database of PostgreSQL without a table."""
    yield server().create("nothing_yet")
    server().drop("nothing_yet")


@pytest.fixture
def other() -> Iterator[str]:
    yield server().create("other_store")
    server().drop("other_store")


def _as_told(omoide: CommandLine, command: str, **changed: str) -> Ran:
    """Run a command line with the settings before it, as it was told."""
    words = shlex.split(command)
    start = words.index("omoide")
    with pytest.MonkeyPatch.context() as patch:
        for setting in words[:start]:
            patch.setenv(*setting.split("=", 1))
        return omoide(*(changed.get(word, word) for word in words[start + 1 :]))


def test_no_store_under_the_old_key_is_lost_by_a_rotation(
    omoide: CommandLine, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = [omoide.store, str(place(omoide.home / "store", "b.db")), other]
    for store, drink in zip(stores, ("barley", "plum", "cider"), strict=True):
        monkeypatch.setenv("OMOIDE_STORE", store)
        omoide("remember", f"likes {drink}", *WHOSE, "--new")
    monkeypatch.setenv("OMOIDE_STORE", stores[0])

    done = omoide("key", "rotate", "--json")

    assert len(done.json["others"]) == 2
    for one in done.json["others"]:
        assert one["keyring"] in done.err
        assert one["command"] in done.err
    last = done.err.splitlines()[-1]
    assert done.json["left"] in last
    assert "only when no store needs the old key" in last
    for store, drink in zip(stores[1:], ("plum", "cider"), strict=True):
        monkeypatch.setenv("OMOIDE_STORE", store)
        told = refused(omoide("memories", *WHOSE, status=1))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("OMOIDE_MASTER_KEY_FILE", done.json["left"])
            assert drink in omoide("memories", *WHOSE).out  # the old key still opens it
        assert "omoide key rotate" in told
        assert "omoide key rotate" in refused(omoide("key", "rotate", status=1))
    monkeypatch.setenv("OMOIDE_STORE", stores[0])
    for one in done.json["others"]:
        told = shlex.split(one["command"])[-3]  # an address on PostgreSQL may have to be completed
        name = told.partition("?")[0].rpartition("/")[2]
        (meant,) = [store for store in stores if store.partition("?")[0].endswith(f"/{name}")]
        assert one["sure"] == (meant == told and "://" not in told)
        ran = _as_told(omoide, one["command"], **{told: meant})
        assert done.json["new"] in ran.out
    assert not (omoide.home / "config" / "omoide" / "master.key.new").exists()
    (omoide.home / done.json["left"]).unlink()  # as it was told
    for store, drink in zip(stores, ("barley", "plum", "cider"), strict=True):
        monkeypatch.setenv("OMOIDE_STORE", store)
        assert drink in omoide("memories", *WHOSE).out


def test_a_second_rotation_still_tells_of_who_has_the_first_key(omoide: CommandLine) -> None:
    omoide("remember", "likes barley", *WHOSE, "--new")
    b = str(omoide.home / "data" / "omoide" / "b.db")
    omoide("remember", "likes plum", *WHOSE, "--new", "--store", b)
    first = omoide("key", "rotate", "--json").json
    (other,) = omoide("key", "rotate", "--json").json["others"]
    assert (first["left"] in other["command"], other["sure"]) == (True, True)
    last = _as_told(omoide, other["command"])
    assert "found 0" in last.err
    assert "plum" in omoide("memories", *WHOSE, "--store", b).out


def test_an_old_key_from_the_environment_is_told_without_a_file(
    omoide: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMOIDE_MASTER_KEY", "A" * 43 + "=")
    omoide("remember", "likes barley", *WHOSE, "--new")
    b = str(omoide.home / "data" / "omoide" / "b.db")
    omoide("remember", "likes plum", *WHOSE, "--new", "--store", b)
    new = str(omoide.home / "config" / "omoide" / "new.key")
    (other,) = omoide("key", "rotate", "--new", new, "--json").json["others"]
    assert other["command"].startswith("omoide key rotate")
    _as_told(omoide, other["command"])
    monkeypatch.delenv("OMOIDE_MASTER_KEY")
    monkeypatch.setenv("OMOIDE_MASTER_KEY_FILE", new)
    for store, drink in ((omoide.store, "barley"), (b, "plum")):
        assert drink in omoide("memories", *WHOSE, "--store", store).out


def test_what_only_looks_makes_nothing_in_an_empty_database(
    omoide: CommandLine, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMOIDE_STORE", empty)
    found = omoide("doctor", "--json").json
    told = {one["what"]: (one["state"], one["detail"]) for one in found["findings"]}
    assert told["master key"][0] == "note"
    assert "the first write makes" in told["master key"][1]
    assert told["store"][0] == "note"
    monkeypatch.setenv("OMOIDE_VECTORS", "pgvector")
    found = omoide("doctor", "--json", status=1).json["findings"]  # told before there is a store
    assert [one["what"] for one in found if one["state"] == "wrong"] == ["extension vector"]
    assert "there is no store" in refused(omoide("memories", *WHOSE, status=1))
    assert "there is no store" in refused(omoide("recall", "hello", *WHOSE, status=1))
    assert "there is no store" in refused(omoide("key", "rotate", status=1))
    omoide("backup", str(omoide.home / "backup.db"), status=1)
    monkeypatch.delenv("OMOIDE_VECTORS")
    with server().superuser("nothing_yet") as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert tables == []
    assert not list(omoide.home.rglob("*.key")) + list(omoide.home.rglob("*.keyring"))

    PostgresDatabase.open(empty).close()  # tables, and nobody has written
    assert json.loads(omoide("doctor", "--json").out)["healthy"]
    assert not list(omoide.home.rglob("*.key"))
    omoide("remember", "likes plum", *WHOSE, "--new")
    assert "plum" in omoide("memories", *WHOSE).out
    assert "fits" in omoide("doctor").out
