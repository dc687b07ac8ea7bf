"""What a keyring holds to wherever it lies: in a file, or in rows of a database."""

from __future__ import annotations

import random
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from rings import NEW, OLD, STORE, Worker, place_at, ring_url

from omoide.errors import InvalidInput, KeyMissing, KeyWrong
from omoide.stores.keys.copies import copy_keyring, note_of
from omoide.stores.keys.keyring import Keyring, MasterKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omoide.stores.keys.database_place import DatabasePlace
    from omoide.stores.keys.places import FilePlace


class Rings:
    """Keyrings at one place, each opened as by a process of its own; all are closed in the end."""

    def __init__(self, where: str, stack: ExitStack) -> None:
        self.where = where
        self._stack = stack

    def place(self) -> FilePlace | DatabasePlace:
        place = place_at(self.where)
        self._stack.callback(place.close)
        return place

    def __call__(self, *, master: MasterKey = OLD, create: bool = False) -> Keyring:
        return Keyring.open(self.place(), master, store_id=STORE, create=create)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture(params=["file", "database"])
def ring(request: pytest.FixtureRequest, tmp_path: Path, stack: ExitStack) -> Rings:
    return Rings(str(tmp_path / "ring") if request.param == "file" else ring_url(tmp_path), stack)


@pytest.fixture(params=["file", "database"])
def other(request: pytest.FixtureRequest, tmp_path: Path, stack: ExitStack) -> Rings:
    folder = tmp_path / f"{tmp_path.name}-2"
    folder.mkdir()
    return Rings(str(folder / "ring") if request.param == "file" else ring_url(folder), stack)


def test_a_key_of_one_process_is_there_for_the_other(ring: Rings) -> None:
    first, second = ring(create=True), ring(create=True)
    made = first.data_key("/user:minjun", create=True)
    assert second.data_key("/user:minjun", create=False) == made
    assert second.data_key("/user:minjun", create=True) == made
    assert ring().data_keys(["/user:minjun", "/user:nobody"]) == {"/user:minjun": made}
    assert ring().data_keys([]) == {}


def test_an_erased_key_is_gone_for_all_at_once(ring: Rings) -> None:
    first, second = ring(create=True), ring(create=True)
    erased = first.data_key("/user:minjun", create=True)
    kept = first.data_key("/user:유나", create=True)
    assert second.data_key("/user:minjun", create=False) == erased
    assert first.forget("/user:minjun")
    with pytest.raises(KeyMissing):
        second.data_key("/user:minjun", create=False)
    assert second.data_keys(["/user:minjun"]) == {}
    assert second.data_key("/user:minjun", create=True) != erased
    assert second.data_key("/user:유나", create=False) == kept
    assert (first.epoch, second.epoch) == (1, 1)
    assert not first.forget("/user:nobody")


def test_another_master_key_shuts_out_who_does_not_have_it(ring: Rings) -> None:
    first, second = ring(create=True), ring()
    made = first.data_key("/user:minjun", create=True)
    first.rotate(NEW)
    assert first.data_key("/user:minjun", create=False) == made
    for wrong in (lambda: second.data_key("/user:minjun", create=False), ring):
        with pytest.raises(KeyWrong, match=NEW.fingerprint):
            wrong()
    assert ring(master=NEW).data_key("/user:minjun", create=False) == made


def test_a_wrong_master_key_is_refused_and_damages_nothing(ring: Rings) -> None:
    late = ring(create=True)
    key = late.data_key("/user:minjun", create=True)
    ring().rotate(NEW)
    before = ring.place().read()
    uses: list[Callable[[], object]] = [
        lambda: ring(create=True),
        lambda: late.data_key("/user:minjun", create=False),
        lambda: late.data_key("/user:new", create=True),
        lambda: late.forget("/user:minjun"),
        lambda: late.rotate(OLD),
        lambda: late.epoch,
        lambda: Keyring.open(ring.place(), NEW, store_id="another", create=False),
    ]
    for use in uses:
        with pytest.raises((KeyWrong, KeyMissing)):
            use()
    assert ring.place().read() == before
    assert ring(master=NEW).data_key("/user:minjun", create=False) == key


def test_threads_of_one_process_make_keys_at_the_same_time(ring: Rings) -> None:
    shared = ring(create=True)
    made: dict[str, set[bytes]] = {f"/user:{number}": set() for number in range(6)}

    def make() -> None:
        for owner, keys in made.items():
            keys.add(shared.data_key(owner, create=True))

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(keys) for keys in made.values()] == [1] * 6
    assert ring().data_keys(made) == {owner: next(iter(keys)) for owner, keys in made.items()}


def test_a_rotation_disturbs_no_thread_of_its_process(ring: Rings) -> None:
    shared = ring(create=True)
    expected = {owner: shared.data_key(owner, create=True) for owner in ("/user:a", "/user:b")}
    stop = threading.Event()
    wrong: list[BaseException] = []

    def read() -> None:
        try:
            number = 0
            while not stop.is_set():
                assert shared.data_keys(expected) == expected
                shared.data_key(f"/user:new {number}", create=True)
                number += 1
        except BaseException as error:
            wrong.append(error)
            raise

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(10):
        shared.rotate(MasterKey(bytes([number]) * 32))
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_two_processes_that_add_owners_at_once_lose_none(ring: Rings) -> None:
    workers = [Worker(ring.where, name=name, make=40) for name in ("one ", "two ", "two ")]
    keys = [{owner: key for _, owner, key in worker.rest()} for worker in workers]
    assert [len(made) for made in keys] == [40, 40, 40]
    assert keys[1] == keys[2]
    assert ring().data_keys([*keys[0], *keys[1]]) == keys[0] | keys[1]


@pytest.mark.proves("P7")
def test_an_erasure_takes_no_key_that_another_process_adds(ring: Rings) -> None:
    adding = Worker(ring.where, name="kept ", make=60)
    erasing = [Worker(ring.where, name="gone ", make=20, erase=1) for _ in range(2)]
    kept = {owner: key for _, owner, key in adding.rest()}
    told = [step for worker in erasing for step in worker.rest()]
    gone = {owner for what, owner, _ in told if what == "erased"}
    last = ring()
    assert len(kept) == 60
    assert last.data_keys(kept) == kept
    assert len(gone) == 20
    assert last.data_keys(gone) == {}
    assert 20 <= last.epoch <= 40


def test_a_rotation_keeps_what_another_process_adds_meanwhile(ring: Rings) -> None:
    worker = Worker(ring.where, name="")
    told = worker.wait(20)
    ring().rotate(NEW)
    told += worker.rest()
    what, refused, _ = told.pop()
    assert what == "refused"
    last = ring(master=NEW)
    assert last.data_keys([owner for _, owner, _ in told]) == {owner: key for _, owner, key in told}
    assert last.data_keys([refused]) == {}


def test_a_process_that_is_killed_leaves_all_that_it_has_told(ring: Rings) -> None:
    keys: dict[str, bytes] = {}
    erasing: set[str] = set()
    erased: set[str] = set()
    for attempt in range(5):
        worker = Worker(ring.where, name=f"{attempt} ", erase=3)
        told = worker.wait(random.Random(attempt).randrange(1, 30))
        worker.process.kill()
        for what, owner, key in told + worker.rest():
            if what == "made":
                keys[owner] = key
            (erasing if what == "erasing" else erased if what == "erased" else set()).add(owner)
        found = ring().data_keys(keys)
        for owner, key in keys.items():
            assert owner in erasing or found[owner] == key
            assert owner not in erased or owner not in found
    assert len(erased) <= ring().epoch <= len(erasing)


def test_a_copy_opens_wherever_it_is_put(ring: Rings, other: Rings) -> None:
    first = ring(create=True)
    keys = {f"/user:{name}": first.data_key(f"/user:{name}", create=True) for name in ("a", "b", "가")}
    first.forget("/user:a")
    del keys["/user:a"]
    copy_keyring(ring.place(), other.place(), replace=False)
    copy_keyring(ring.place(), other.place(), replace=False)  # it is there already
    opened = other()
    assert (opened.data_keys(keys), opened.epoch) == (keys, 1)
    copy_keyring(ring.place(), other.place(), replace=False)
    added = opened.data_key("/user:c", create=True)
    with pytest.raises(InvalidInput, match="not replaced"):  # it has a key more
        copy_keyring(ring.place(), other.place(), replace=True)
    assert other().data_keys([*keys, "/user:c"]) == {**keys, "/user:c": added}


def test_a_copy_under_an_open_keyring_is_seen(ring: Rings, other: Rings) -> None:
    first = ring(create=True)
    key, erased = (first.data_key(f"/user:{name}", create=True) for name in ("a", "b"))
    copy_keyring(ring.place(), other.place(), replace=False)
    opened = other()
    assert opened.data_keys(["/user:b"]) == {"/user:b": erased}
    first.forget("/user:b")
    copy_keyring(ring.place(), other.place(), replace=True)
    assert opened.data_keys(["/user:a", "/user:b"]) == {"/user:a": key}
    assert opened.data_key("/user:c", create=True) == other().data_key("/user:c", create=False)
    copied = note_of(other.place())
    assert (copied.store, copied.master, copied.epoch) == (STORE, OLD.fingerprint, 1)
