"""Keyrings of the contract tests: where they lie, and processes that work on them and can be killed."""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from psycopg.errors import DuplicateDatabase

from omoide.errors import KeyWrong
from omoide.stores.keys.database_place import DatabasePlace
from omoide.stores.keys.keyring import Keyring, MasterKey
from omoide.stores.keys.places import FilePlace
from postgres import server

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

OLD, NEW = MasterKey(b"o" * 32), MasterKey(b"n" * 32)
STORE = "a store"

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])


def ring_url(folder: Path) -> str:
    """A database for keyrings, without any table of ours."""
    name = "k" + folder.name.replace("-", "_").lower()[-40:]
    try:
        return server().create(name)
    except DuplicateDatabase:
        return server().url(name)


def place_at(where: str, *, store: str = STORE) -> FilePlace | DatabasePlace:
    """The place of a path or an address."""
    return DatabasePlace(where, store_id=store) if "://" in where else FilePlace(Path(where))


class Worker:
    """A process of its own that makes and erases keys, and tells of each once it is done.

    Args:
        where: the place.
        name: of its owners, which are numbered.
        make: how many it makes; 0 for as many as it can.
        erase: which of them it erases again: 1 for each, 2 for each second; 0 for none.
    """

    def __init__(self, where: str, *, name: str, make: int = 0, erase: int = 0) -> None:
        self._told, telling = _processes.Pipe(duplex=False)
        given = (where, name, make, erase, telling)
        self.process: BaseProcess = _processes.Process(target=_work, args=given, daemon=True)
        self.process.start()
        telling.close()

    def wait(self, steps: int) -> list[tuple[str, str, bytes]]:
        """The next so many things that it tells: what it does, to which owner, and the key."""
        return [self._told.recv() for _ in range(steps)]

    def rest(self) -> list[tuple[str, str, bytes]]:
        """Everything else, until it has ended."""
        told = []
        with suppress(EOFError):
            while True:
                told.append(self._told.recv())
        self._told.close()
        self.process.join(60)
        self.process.close()
        return told


def _work(where: str, name: str, make: int, erase: int, telling: Connection) -> None:
    ring = Keyring.open(place_at(where), OLD, store_id=STORE, create=True)
    number = 0
    while not make or number < make:
        owner = f"/user:{name}{number}"
        try:
            telling.send(("made", owner, ring.data_key(owner, create=True)))
        except KeyWrong:
            telling.send(("refused", owner, b""))
            return
        if erase and number % erase == 0:
            telling.send(("erasing", owner, b""))
            ring.forget(owner)
            telling.send(("erased", owner, b""))
        number += 1
