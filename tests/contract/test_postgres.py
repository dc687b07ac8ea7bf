"""What a store on PostgreSQL promises when its role, pool, locks or values are not as they should be."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert, select, text

from omoide import Filter, Message, Omoide, Role
from omoide.errors import (
    InvalidInput,
    OmoideError,
    StoreBusy,
    StoreConflict,
    StoreCorrupt,
    StoreError,
    StoreLost,
    StoreReadOnly,
)
from omoide.stores.fixed import raw
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.tables import leases, meta, prompts
from postgres import OWNER, database_for, database_name, server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection

GUEST, SECRET = "guest", "a-password-of-tests"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return database_for(tmp_path / "x.db")


@pytest.fixture
def database(url: str) -> Iterator[PostgresDatabase]:
    opened = PostgresDatabase.open(url, wait=0.5)
    yield opened
    opened.close()


@pytest.fixture
def guest() -> Iterator[str]:
    """A role that may log in by a password, and nothing else."""
    server().role(GUEST, password=SECRET)
    yield GUEST
    with server().superuser() as connection:
        connection.execute(f"DROP ROLE {GUEST}")


def note(connection: Connection, key: str) -> None:
    connection.execute(insert(meta).values(key=key, value="1"))


def noted(database: PostgresDatabase, key: str) -> bool:
    with database.read() as connection:
        return connection.execute(select(meta.c.value).where(meta.c.key == key)).scalar() is not None


# Getting in


@pytest.mark.parametrize(
    ("role", "password", "name", "says"),
    [
        (GUEST, "wrong", "postgres", "refused the password"),
        (GUEST, None, "postgres", "refused the password"),
        ("nobody-is-called-so", "x", "postgres", "refused the password"),
        (OWNER, None, "there_is_none", "no such database on the server; create it first"),
    ],
)
def test_who_is_not_let_in_is_told_why_at_once(
    guest: str, role: str, password: str | None, name: str, says: str
) -> None:
    with pytest.raises(StoreError, match=says) as caught:
        PostgresDatabase.open(server().url(name, role=role, password=password))
    assert type(caught.value) is StoreError
    assert "wrong" not in str(caught.value)


def test_a_role_that_may_not_log_in_is_told_so(guest: str) -> None:
    with server().superuser() as connection:
        connection.execute(f"ALTER ROLE {guest} NOLOGIN")
    with pytest.raises(StoreError, match="does not let the role in"):
        PostgresDatabase.open(server().url("postgres", role=guest, password=SECRET))


def test_a_server_that_is_not_there_is_told_with_what_to_look_at() -> None:
    with pytest.raises(StoreLost, match="host and port"):
        PostgresDatabase.open("postgresql+psycopg://omoide:pass-word@127.0.0.1:9/omoide")


@pytest.mark.parametrize("location", ["postgresql+asyncpg://h/d", "postgresql://h:port/d"])
def test_what_is_no_address_is_refused(location: str) -> None:
    with pytest.raises(InvalidInput, match="psycopg"):
        PostgresDatabase.open(location)


def test_no_message_shows_a_password(guest: str) -> None:
    with pytest.raises(OmoideError) as caught:
        PostgresDatabase.open(server().url("there_is_none", role=guest, password=SECRET))
    assert SECRET not in str(caught.value)


# Rights


def test_a_role_without_rights_is_told_what_it_needs_and_works_once_it_has_it(url: str, guest: str) -> None:
    theirs = server().url(database_name(url), role=guest, password=SECRET)
    with pytest.raises(StoreReadOnly, match="usage and create on the schema, and all on its tables") as told:
        PostgresDatabase.open(theirs)
    assert "the right SELECT on the table 'alembic_version'" in str(told.value)
    with server().superuser(database_name(url)) as connection:
        connection.execute(f"GRANT USAGE, CREATE ON SCHEMA public TO {guest}")
        connection.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {guest}")
        connection.execute(f"GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {guest}")
    opened = PostgresDatabase.open(theirs)
    with opened.write() as connection:
        note(connection, "it works")
    opened.close()
    with server().superuser(database_name(url)) as connection:
        connection.execute(f"DROP OWNED BY {guest}")


def test_the_right_that_is_missing_is_named(database: PostgresDatabase, url: str) -> None:
    with server().superuser(database_name(url)) as connection:
        connection.execute(f"REVOKE INSERT ON meta FROM {OWNER}")
    lacks = "the right INSERT on the table 'meta', .*: GRANT SELECT, INSERT, UPDATE, DELETE ON meta gives"
    with pytest.raises(StoreReadOnly, match=lacks), database.write() as connection:
        note(connection, "x")
    with (
        pytest.raises(StoreReadOnly, match="a row of another tenant was to be written to the table"),
        database.of("acme").write() as connection,
    ):
        connection.execute(insert(leases).values(tenant="beta", scope_id=1, token="x", expires_at=1))
    with server().superuser(database_name(url)) as connection:
        connection.execute("CREATE TABLE foreign_table (x int)")
    with (
        pytest.raises(StoreReadOnly, match="does not own the table 'foreign_table'"),
        database.write() as connection,
    ):
        connection.execute(text("ALTER TABLE foreign_table ADD y int"))


def test_a_role_that_may_make_no_tables_leaves_an_empty_database_empty(tmp_path: Path, guest: str) -> None:
    server().create("for_nobody")
    with pytest.raises(StoreReadOnly, match="let it own the database"):
        PostgresDatabase.open(server().url("for_nobody", role=guest, password=SECRET))
    with server().superuser("for_nobody") as connection:
        found = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    server().drop("for_nobody")
    assert found == (0,)


def test_a_table_that_is_gone_is_told(database: PostgresDatabase, url: str) -> None:
    with server().superuser(database_name(url)) as connection:
        connection.execute("DROP TABLE meta")
    with pytest.raises(StoreCorrupt, match="restore a backup"):
        noted(database, "x")


# Waiting


def test_a_full_pool_is_told_and_nothing_is_lost(url: str) -> None:
    database = PostgresDatabase.open(url, pool=1, wait=0.2)
    with database.write(scope=1) as connection:
        with pytest.raises(StoreBusy, match="all connections were in use for"), database.read():
            pytest.fail("there was one left")
        note(connection, "first")
    with database.write(scope=2) as connection:
        note(connection, "second")
    assert noted(database, "first")
    assert noted(database, "second")
    database.close()


def test_a_server_without_a_connection_left_is_told(url: str) -> None:
    with server().superuser() as connection:
        connection.execute(f"ALTER DATABASE {database_name(url)} CONNECTION LIMIT 0")
    with pytest.raises(StoreBusy, match="max_connections"):
        PostgresDatabase.open(url)


def test_writers_of_one_scope_come_one_after_another_and_others_pass(database: PostgresDatabase) -> None:
    with database.write(scope=1):
        with pytest.raises(StoreBusy, match="locked"), database.write(scope=1):
            pytest.fail("two at once")
        with database.write(scope=2) as connection:
            note(connection, "beside")
        assert noted(database, "beside")


def test_a_reader_waits_for_nobody_and_sees_one_snapshot(database: PostgresDatabase) -> None:
    with database.read() as reading:
        before = reading.execute(select(meta.c.key)).all()
        with database.write() as connection:
            note(connection, "meanwhile")
        assert reading.execute(select(meta.c.key)).all() == before
    assert noted(database, "meanwhile")


def test_a_reader_cannot_write(database: PostgresDatabase) -> None:
    with pytest.raises(StoreReadOnly), database.read() as connection:
        note(connection, "x")


def test_a_connection_in_use_while_the_store_is_closed_is_closed_when_it_is_given_back(url: str) -> None:
    database = PostgresDatabase.open(url)
    with database.read() as connection:
        driver = raw(connection)
        database.close()
        assert connection.execute(text("SELECT 1")).scalar() == 1
    assert driver.closed


# Doing it again


def test_two_writers_that_wait_for_each_other_both_get_through(database: PostgresDatabase) -> None:
    both_hold_one = threading.Barrier(2)
    tries: list[int] = []

    def work(first: int, second: int) -> Callable[[], None]:
        def once() -> None:
            tries.append(first)
            with database.write(scope=first) as connection:
                if len(tries) <= 2:
                    both_hold_one.wait(5)
                raw(connection).execute("SET LOCAL lock_timeout = '10s'")
                raw(connection).execute("SELECT pg_advisory_xact_lock(%s)", (second,))
                note(connection, f"{first}")

        return once

    threads = [threading.Thread(target=database.again, args=(work(*pair),)) for pair in ((1, 2), (2, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert noted(database, "1")
    assert noted(database, "2")
    assert len(tries) == 3


_TWICE_REFUSED = """
CREATE SEQUENCE tries;
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF nextval('tries') <= 2 THEN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END IF;
  RETURN new;
END $$;
CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON messages {when} FOR EACH ROW EXECUTE FUNCTION refuse();
"""


@pytest.mark.parametrize("when", ["NOT DEFERRABLE", "DEFERRABLE INITIALLY DEFERRED"])
@pytest.mark.parametrize("state", ["40001", "40P01", "25P03"])
async def test_what_another_transaction_undid_is_done_again(
    url: str, tmp_path: Path, state: str, when: str
) -> None:
    """Deferred, it is the commit that fails."""
    async with Omoide.open(url, embedder="none", master_key_file=tmp_path / "key", worker=False) as omoide:
        haru = omoide.scope(user="minjun", character="haru")
        await haru.observe(user="나는 등대를 좋아해", session="s")
        with server().superuser(database_name(url)) as connection:
            connection.execute(_TWICE_REFUSED.format(state=state, when=when))
            connection.execute("GRANT ALL ON SEQUENCE tries TO PUBLIC")
        await haru.observe(user="나는 보리차를 좋아해", session="s")
        told = [one.text for one in await haru.memories()]
        assert len(told) == len(set(told)) == 2


def test_what_was_half_written_is_not_done_again(database: PostgresDatabase) -> None:
    tries = []

    def two_transactions() -> None:
        tries.append(1)
        with database.write() as connection:
            note(connection, f"{len(tries)}")
        with database.write() as connection:
            connection.execute(text("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$"))

    with pytest.raises(StoreConflict):
        database.again(two_transactions)
    assert len(tries) == 1


def test_what_never_gets_through_ends(database: PostgresDatabase) -> None:
    tries = []

    def refused() -> None:
        tries.append(1)
        with database.write() as connection:
            connection.execute(text("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$"))

    with pytest.raises(StoreConflict, match="try again"):
        database.again(refused)
    assert len(tries) == 6


# Stopping in the middle


@pytest.mark.parametrize("then", [lambda connection: note(connection, "late"), lambda _: None])
def test_a_writer_that_stops_for_long_has_written_nothing_and_knows_it(
    database: PostgresDatabase, then: Callable[[Connection], None]
) -> None:
    """Whether it goes on to write or to commit."""

    def stopping() -> None:
        with database.write(scope=1) as connection:
            note(connection, "early")
            raw(connection).execute("SET LOCAL idle_in_transaction_session_timeout = '100ms'")
            threading.Event().wait(0.4)
            then(connection)

    with pytest.raises(StoreLost, match="nothing was changed"):
        stopping()
    assert not noted(database, "early")
    with database.write(scope=1) as connection:
        note(connection, "early")


def test_writers_give_up_sooner_than_others_wait_for_them(url: str) -> None:
    database = PostgresDatabase.open(url)
    with database.write(scope=1) as connection:
        shown = [
            raw(connection).execute(f"SHOW {name}").fetchone()[0]
            for name in ("idle_in_transaction_session_timeout", "lock_timeout")
        ]
    database.close()
    assert shown == ["10s", "15s"]


_PAUSED = """
import sys, time
from sqlalchemy import insert
from omoide.stores.fixed import raw
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.tables import meta

database = PostgresDatabase.open(sys.argv[1])

def work():
    with database.write(scope=1) as connection:
        connection.execute(insert(meta).values(key="paused", value="1"))
        raw(connection).execute("SET LOCAL idle_in_transaction_session_timeout = '500ms'")
        print("holding", flush=True)
        sys.stdin.readline()

database.again(work)
print("done", flush=True)
"""


def test_a_process_that_is_paused_holds_nobody_up_and_writes_once(url: str) -> None:
    waiting = PostgresDatabase.open(url)
    command = [sys.executable, "-c", _PAUSED, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as paused:
        assert paused.stdin is not None
        assert paused.stdout is not None
        assert paused.stdout.readline() == "holding\n"
        paused.send_signal(signal.SIGSTOP)
        with waiting.write(scope=1) as connection:
            note(connection, "meanwhile")
        assert not noted(waiting, "paused")
        paused.send_signal(signal.SIGCONT)
        out, _ = paused.communicate("\n\n\n", timeout=60)
    assert out.splitlines() == ["holding", "done"]
    assert noted(waiting, "paused")
    assert noted(waiting, "meanwhile")
    waiting.close()


# Values


@pytest.mark.parametrize(
    ("values", "says"),
    [({"body": "a\0b"}, "NUL"), ({"version": 2**40}, "larger")],
)
def test_values_that_it_cannot_hold_are_refused_as_such(
    database: PostgresDatabase, values: dict[str, Any], says: str
) -> None:
    usual = {"name": "n", "language": "ko", "version": 1, "body": "b"}
    with pytest.raises(InvalidInput, match=says), database.write() as connection:
        connection.execute(insert(prompts).values({**usual, **values}))


NOTHING_PLAIN = "a\0b\x1f"


@pytest.mark.parametrize("on", ["sqlite", "postgresql"])
async def test_whatever_people_write_is_taken_alike_by_both_databases(tmp_path: Path, on: str) -> None:
    store = database_for(tmp_path / "x.db") if on == "postgresql" else tmp_path / "x.db"
    async with Omoide.open(store, embedder="none", master_key_file=tmp_path / "key", worker=False) as omoide:
        with pytest.raises(InvalidInput, match="control characters"):
            omoide.scope(user=f"minjun{NOTHING_PLAIN}", character="haru")
        haru = omoide.scope(user="minjun", character="haru")
        said = Message(
            role=Role.USER,
            text=f"나는 보리차{NOTHING_PLAIN}를 좋아해",
            heard=2**70,
            speaker="m\0",
            name="Minjun\0b",
        )
        await haru.observe(messages=[said], session=f"s{NOTHING_PLAIN}")
        await haru.remember("A picnic", place=f"Busan{NOTHING_PLAIN}", external_id=NOTHING_PLAIN)
        assert len(await haru.memories()) == 2
        assert len(await haru.search(place=f"Busan{NOTHING_PLAIN}")) == 1
        with pytest.raises(InvalidInput, match="a score has a name"):
            await haru.remember("A picnic", scores={NOTHING_PLAIN: 3.0})
        with pytest.raises(InvalidInput, match="a score has a name"):
            Filter(emotion={NOTHING_PLAIN: 3.0})
        assert {person.id: person.name for person in await haru.people()}["m\0"] == "Minjunb"
