"""The store: one transaction at a time on one scope, and the scopes' indexes in memory."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import insert, select

from omoide.errors import IndexUnavailable, StoreError
from omoide.stores.database import NotAtHand
from omoide.stores.events import Events
from omoide.stores.index.cache import Cached, IndexCache
from omoide.stores.index.nearest import InProcess
from omoide.stores.index.refresh import Known, State, refresh, state_of
from omoide.stores.index.scope_index import LARGE, Snapshot
from omoide.stores.scopes import ScopeRow, Scopes, ShutScope
from omoide.stores.tables import identities
from omoide.stores.unit import Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sqlalchemy import Connection

    from omoide.domain.model import Role
    from omoide.domain.relationship import Relationship
    from omoide.stores.database import Database
    from omoide.stores.index.block import Block
    from omoide.stores.index.nearest import VectorIndex
    from omoide.stores.index.scope_index import FloatArray, IntArray
    from omoide.stores.keys.keyring import Keyring

_log = logging.getLogger("omoide")

_PASTLESS = 2.0
"""Seconds for which a character is taken to have no past, after it had none; others may write one."""

_REMEMBERED = 10_000
_IN_PROCESS = InProcess()


@dataclass(frozen=True, slots=True)
class Recalling:
    """A scope as one recall sees it: its rows, its index, the names of its people and sessions.

    `common` are the names that say little by themselves; `own` holds the numbers of the scope's user and
    character themselves, `characters` counts the characters that speak; `feels` tells whether anything is
    known of feelings, and `linked` whether memories lead to others; `said` are the positions of what people
    said, sorted. `index` compares vectors; `trouble` says why it cannot, and `lacking` that it lacks some.
    """

    unit: Unit
    state: State
    snapshot: Snapshot
    names: dict[int, str]
    common: tuple[str, ...]
    own: dict[Role, int]
    characters: int
    relationship: Relationship | None
    said: IntArray
    feels: bool
    linked: bool
    sessions: dict[int, str]
    index: VectorIndex
    trouble: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)

    def nearness(self, vector: FloatArray | None, *, sure: IntArray | None = None) -> FloatArray:
        """Cosines with a query, one a row of the snapshot; NaN where none is known, as in trouble.

        In a large scope another index may guess those of rows that are far away, but for those in `sure`.
        """
        snapshot = self.snapshot
        if vector is not None and not self.trouble:
            try:
                found = self.index.nearness(
                    self.unit.connection, self.unit.scope, snapshot, vector, sure=sure
                )
            except IndexUnavailable as error:
                self.trouble.append(f"{error}; recalled by words alone")
            else:
                self._note_lacking(found)
                return found
        return np.full(len(snapshot.rows), np.nan, dtype=np.float32)

    def vectors(self, rows: Sequence[int] | IntArray) -> FloatArray:
        """The vectors of some rows; shape (k, dimensions), NaN where none is known, as in trouble."""
        wanted = np.asarray(rows, dtype=np.intp)
        if not self.trouble:
            try:
                return self.index.vectors(self.unit.connection, self.unit.scope, self.snapshot, wanted)
            except IndexUnavailable as error:
                self.trouble.append(str(error))
        return np.full((len(wanted), 0), np.nan, dtype=np.float32)

    def _note_lacking(self, cosines: FloatArray) -> None:
        """Note, once, that the index lacks vectors which the store has."""
        lacking = int((self.snapshot.embedded & np.isnan(cosines)).sum())
        if lacking and not self.lacking:
            self.lacking.append(
                f"the index lacks the vectors of {lacking} memories, or has them in another size; they were "
                "recalled by words alone; run `omoide reindex --verify`"
            )


class Store:
    """Everything kept, behind two kinds of transaction: `read` and `write`.

    Args:
        database: where the rows are.
        keyring: the keys that open them.
        clock: microseconds since 1970.
        embedding: the key of the embedding space in use, or None without an embedder.
        analyser: the key of the text analysis in use.
        tenant: whose rows are read and written; the database knows it too.
        cache_bytes: memory for the scopes' indexes, roughly; the least recently used ones go first.
        cache: in place of one of its own, that of another store.
        large_scope: memories from which a scope's vectors are scored in two steps.
        index: compares vectors; in the process, unless another is given.
    """

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        clock: Callable[[], int],
        embedding: str | None,
        analyser: str,
        tenant: str = "",
        cache_bytes: int = 256 * 1024 * 1024,
        cache: IndexCache | None = None,
        large_scope: int = LARGE,
        index: VectorIndex = _IN_PROCESS,
    ) -> None:
        self.index = index
        self._large = large_scope
        self.database = database
        self.keyring = keyring
        self.scopes = Scopes(keyring, tenant=tenant)
        self._clock = clock
        self._keys = embedding, analyser
        self._cache = IndexCache(cache_bytes) if cache is None else cache
        self._pastless: dict[str, float] = {}
        self.analyser = self._identity("analyser", analyser)
        self.embedding = None if embedding is None else self._identity("embedding", embedding)

    def of(self, tenant: str) -> Store:
        """The store of another tenant, over the same connections, keys and cache, which this one closes."""
        embedding, analyser = self._keys
        return Store(
            self.database.of(tenant),
            self.keyring,
            clock=self._clock,
            embedding=embedding,
            analyser=analyser,
            tenant=tenant,
            cache=self._cache,
            large_scope=self._large,
            index=self.index,
        )

    @contextmanager
    def read(self, scope: ScopeRow) -> Iterator[Unit]:
        """One snapshot of a scope."""
        with self.database.read() as connection:
            yield self.unit(connection, scope)

    @contextmanager
    def write(self, scope: ScopeRow) -> Iterator[Unit]:
        """One transaction that writes to a scope: all of it or nothing."""
        with self.database.write(scope=scope.id) as connection:
            yield self.unit(connection, scope)
        if not self.index.in_process:
            self.index.settle(scope)

    def unit(self, connection: Connection, scope: ScopeRow) -> Unit:
        """What can be done in a scope within a transaction that has begun."""
        return Unit(connection, scope, now=self._clock(), index=self.index)

    def scope(self, user: str | None, character: str) -> ScopeRow | None:
        """The scope of these two, or None if they have never met."""
        with self.database.read() as connection:
            return self.scopes.find(connection, user, character)

    def past_of(self, character: str) -> ScopeRow | None:
        """The scope of a character alone; that there is none is looked up once in `_PASTLESS` seconds."""
        known = self.scopes.opened(None, character)
        if known is not None:
            return known
        looked = self._pastless.get(character)
        if looked is not None and time.monotonic() - looked < _PASTLESS:
            return None
        found = self.scope(None, character)
        if found is None:
            if len(self._pastless) >= _REMEMBERED:
                self._pastless.clear()
            self._pastless[character] = time.monotonic()
        return found

    def meet(self, user: str | None, character: str) -> ScopeRow:
        """The scope of these two, made if they have never met.

        Where an erasure of the user was not finished, it is now, if it can be.

        Raises:
            KeyMissing: there is something of the user that no key opens, and that was not erased.
        """
        found = self.scope(user, character)
        if found is not None:
            return found
        with self.database.write() as connection:
            made = self.scopes.create(connection, user, character, now=self._clock())
            left = [] if user is None else self.scopes.shut_ones(connection, user=user)
        if user is None:
            self._pastless.pop(character, None)
        try:
            for shut in left:
                self.delete_shut(shut)
        except StoreError as error:
            _log.warning("an erasure is not finished, see `omoide doctor`: %s", error)
        return made

    def delete_shut(self, shut: ShutScope) -> tuple[int, int]:
        """Delete the rows of a scope that an erasure has shut; how many memories and messages they were."""
        with self.write(shut.row) as unit:
            return unit.removal.erase() if self.scopes.is_still_shut(unit.connection, shut) else (0, 0)

    def all_scopes(self) -> list[ScopeRow]:
        """Every scope, oldest first."""
        with self.database.read() as connection:
            return self.scopes.all(connection)

    def knows(self, user: str) -> bool:
        """Whether anything is there of a user, be it what an erasure has left."""
        with self.database.read() as connection:
            return bool(self.scopes.of_user(connection, user) or self.scopes.shut_ones(connection, user=user))

    def left_of_erasures(self) -> int:
        """How many scopes are to be erased still, or open with no key."""
        with self.database.read() as connection:
            return len(self.scopes.shut_ones(connection)) + len(self.scopes.unopened(connection))

    @contextmanager
    def recalling(self, scope: ScopeRow, *, fresh: Block | None = None) -> Iterator[Recalling]:
        """One snapshot of a scope together with its index, brought up to date.

        Args:
            scope: which.
            fresh: vectors that will be written later, and count from now on.

        Raises:
            UnknownScope: the scope was erased meanwhile.
            NotAtHand: it is wanted at once, and something has to be read first, or somebody else reads it.
        """
        hurried = self.database.hurried
        if hurried and not self.index.in_process:
            raise NotAtHand
        cached = self._cache.used(scope.uid)
        with cached.turn(waits=not hurried), self.read(scope) as unit:
            state, known = state_of(unit), cached.known
            if not known.is_current(state):
                if hurried:
                    raise NotAtHand
                self._refresh(cached, unit, state)
            if fresh is not None:
                known.index.lend(fresh)
            yield Recalling(
                unit=unit,
                state=state,
                snapshot=known.index.snapshot(),
                names=known.names,
                common=known.common,
                own=known.own,
                characters=len(known.cast),
                relationship=known.relationship,
                said=known.index.said,
                feels=known.feels,
                linked=known.linked,
                sessions=known.sessions,
                index=self.index,
            )

    def known(self, scope: ScopeRow) -> Known | None:
        """What is known of a scope in memory, without a look at the store; it may be behind it."""
        cached = self._cache.get(scope.uid)
        return None if cached is None or cached.known.index.revision < 0 else cached.known

    def events(self, connection: Connection) -> Events:
        """The store's events, within one transaction."""
        return Events(connection, self.scopes.event_keys())

    @property
    def tenant(self) -> str:
        """Whose rows are read and written; empty where there is one customer only."""
        return self.scopes.tenant

    def now(self) -> int:
        """Microseconds since 1970."""
        return self._clock()

    def names(self, unit: Unit) -> dict[int, str]:
        """The name of each person of a scope."""
        return unit.people.names()

    def drop_cache(self, scope: ScopeRow) -> None:
        """Forget a scope's index, after its rows are gone."""
        self._cache.drop(scope.uid)
        self.scopes.forget(scope)

    def close(self) -> None:
        """Close the database, and an index apart from it."""
        self.index.close()
        self.keyring.close()
        self.database.close()

    def _identity(self, kind: str, key: str) -> int:
        query = select(identities.c.id).where(
            identities.c.tenant == self.tenant, identities.c.kind == kind, identities.c.key == key
        )
        with self.database.read() as connection:
            found = connection.execute(query).scalar()
        if found is not None:
            return int(found)
        with self.database.write() as connection:
            found = connection.execute(query).scalar()
            if found is not None:
                return int(found)
            made = connection.execute(
                insert(identities).values(tenant=self.tenant, kind=kind, key=key).returning(identities.c.id)
            )
            return int(made.scalar_one())

    def _refresh(self, cached: Cached, unit: Unit, state: State) -> None:
        """Bring a scope's index up to date, and let others go if it has grown too large."""
        refresh(
            cached.known,
            unit,
            state,
            embedding=self.embedding,
            analyser=self.analyser,
            large=self._large,
            in_process=self.index.in_process,
        )
        self._cache.weigh(unit.scope.uid, cached)
