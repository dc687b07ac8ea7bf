"""Bringing what the store has changed to Qdrant, after each commit and whenever something waits."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

import numpy as np
from sqlalchemy import select

from omoide.errors import IndexForeign, IndexUnavailable, StoreError
from omoide.stores.copies import fill
from omoide.stores.debts import Debt, Debts, What
from omoide.stores.index.block import Block
from omoide.stores.marks import mark, marked
from omoide.stores.tables import identities
from omoide.stores.tenants import known_tenants
from omoide.stores.vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

    from omoide.domain.embedding import EmbeddingIdentity
    from omoide.stores.copies import CopyIndex
    from omoide.stores.database import Database
    from omoide.stores.qdrant.points import Points
    from omoide.stores.qdrant.reach import Reach
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

_SLICE: Final = 128
"""Vectors in one request that writes."""

OWED: Final = 64
"""Debts of a scope that are looked at, and paid in one transaction."""

_FILLING: Final = "filling"
"""The mark of a store all of whose changes Qdrant hears of, and not yet of all that was there before."""


class Follower:
    """Pays the debts of a store to one collection of Qdrant.

    Args:
        reach: the collection.
        database: where debts are noted, and the vectors are that are copied.
        space: the embedding space in use; without one, vectors are only taken out.
        index: the index that this is a part of.
    """

    def __init__(
        self, reach: Reach, *, database: Database, space: EmbeddingIdentity | None, index: CopyIndex
    ) -> None:
        self._reach = reach
        self._database = database
        self._space = space
        self._index = index
        self._identities: dict[str, int] = {}  # by tenant
        self._thread = threading.local()
        self._catching_up = threading.Lock()

    def owe(self, connection: Connection, scope: ScopeRow, what: What, numbers: Collection[int] = ()) -> None:
        """Note what a transaction changes, within it."""
        Debts(connection, tenant=scope.tenant).owe(scope.uid, what, numbers)
        self._touched().add(scope.uid)

    def settle(self, scope: ScopeRow) -> None:
        """Pay for what a transaction of this thread has changed, now that it is committed; or later."""
        touched = self._touched()
        if scope.uid in touched:
            touched.discard(scope.uid)
            self._pay(scope)

    def catch_up(self, store: Store) -> None:
        """Pay what is owed for the scopes of a store's tenant, and fill the collection where it is new.

        What cannot be done now waits for another time.

        Raises:
            IndexForeign: a collection of another maker stands in its place.
        """
        if self._reach.rests or not self._catching_up.acquire(blocking=False):
            return
        try:
            self._prepare(again=self._reach.behind)
            if self._space is not None and not self._reach.filled:
                fill(store, self._index, embedding=self._space.key)
                self._reach.filled = True
            self._pay_all(store)
        except IndexForeign:
            raise
        except (IndexUnavailable, StoreError) as error:
            self._reach.waits(error)
        finally:
            self._catching_up.release()

    def sweep(self, store: Store) -> int:
        """Take out what the store does not know: scopes, and points of others; returns how many there were.

        Raises:
            IndexUnavailable: Qdrant cannot answer now.
        """
        with self._reach.use() as points:
            there, foreign = points.scopes(
                tenant=store.tenant, others=lambda: known_tenants(self._database)[1:]
            )
        # Read later than that, so that a new scope of another process is not taken for a stray.
        strays = there - {scope.uid for scope in store.all_scopes()}
        for uid in strays:
            self._let_go(uid, tenant=store.tenant)
        return len(strays) + foreign

    def truth(self, connection: Connection, scope: ScopeRow, numbers: Collection[int]) -> Block:
        """The vectors that some memories have in the store, in the space in use."""
        identity = self._identity(connection, scope.tenant)
        if identity is None or not numbers:
            return Block(np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.float32))
        return Vectors(connection, scope, identity=identity, index=self._index).some(numbers)

    def _prepare(self, *, again: bool = False) -> None:
        """See that the collection is there, and make it if it is not.

        Where the store was changed and it did not hear of it, it is made anew.

        Args:
            again: also where it was there before.

        Raises:
            IndexUnavailable: Qdrant cannot be reached.
            IndexForeign: a collection of another maker stands in its place.
        """
        if self._space is None or (self._reach.filled and not again):
            return
        name, told = f"{self._index.name} ", f"{self._index.name} {self._space.key}"
        whole = self._database.of("")
        with self._reach.use() as points:
            there = points.collections.exists()
            with whole.read() as connection:
                known = marked(connection) or ""
            if there and known in (told, name + _FILLING):
                self._reach.filled = known == told
                return
            if not known.startswith(name):
                points.collections.clear()
            with whole.write() as connection:
                mark(connection, name + _FILLING)
            points.collections.make()

    def _touched(self) -> set[bytes]:
        """The scopes that this thread has changed since it settled them last."""
        found: set[bytes] = self._thread.__dict__.setdefault("touched", set())
        return found

    def _pay_all(self, store: Store) -> None:
        with store.database.read() as connection:
            owing = Debts(connection, tenant=store.tenant).scopes()
            known = store.scopes.with_uids(connection, owing) if owing else {}
        for uid in owing:
            scope = known.get(uid)
            if scope is None:
                self._let_go(uid, tenant=store.tenant)
            elif not self._pay(scope):
                return
        self._reach.caught_up()

    def _let_go(self, uid: bytes, *, tenant: str) -> None:
        """Take out a scope that is gone, or will not be opened again."""
        with self._database.of(tenant).write() as connection, self._reach.use() as points:
            points.erase(uid, tenant=tenant)
            Debts(connection, tenant=tenant).waive(uid)

    def _pay(self, scope: ScopeRow) -> bool:
        """Pay the debts of a scope, unless it cannot be done now; whether it was.

        It is done under the scope's lock, so that nobody else's older change arrives after a newer one.
        """
        if self._reach.rests:
            self._reach.behind = True
            return False
        database, left = self._database.of(scope.tenant), True
        try:
            self._prepare()
            while left:
                with database.write(scope=scope.id) as connection:
                    left = self._pay_some(connection, scope)
        except (IndexUnavailable, StoreError) as error:
            self._reach.waits(error)
            return False
        return True

    def _pay_some(self, connection: Connection, scope: ScopeRow) -> bool:
        """Pay some debts of a scope; whether there are more."""
        noted = Debts(connection, tenant=scope.tenant)
        debts = noted.of(scope.uid, limit=OWED)
        more = len(debts) == OWED
        if self._space is None:  # nothing can be put; but what is to go, goes
            debts = [debt for debt in debts if debt.what is not What.PUT]
        if not debts:
            return False
        gone, put = _numbers(debts, What.DROP), _numbers(debts, What.PUT)
        truth = self.truth(connection, scope, gone | put)
        with self._reach.use() as points:
            if any(debt.what is What.ERASE for debt in debts):
                points.erase(scope.uid, tenant=scope.tenant)
            if gone:
                points.drop(scope.uid, gone, everywhere=True)
            if stale := put - gone - set(truth.members.tolist()):
                points.drop(scope.uid, stale, everywhere=False)
            _put(points, scope, truth)
        noted.paid([debt.id for debt in debts])
        return more

    def _identity(self, connection: Connection, tenant: str) -> int | None:
        """The number that the embedding space in use has for a tenant."""
        if self._space is None:
            return None
        if tenant not in self._identities:
            query = select(identities.c.id).where(
                identities.c.tenant == tenant,
                identities.c.kind == "embedding",
                identities.c.key == self._space.key,
            )
            found = connection.execute(query).scalar()
            if found is None:
                return None
            self._identities[tenant] = int(found)
        return self._identities[tenant]


def _numbers(debts: Sequence[Debt], what: What) -> set[int]:
    return {number for debt in debts if debt.what is what for number in debt.numbers}


def _put(points: Points, scope: ScopeRow, block: Block) -> None:
    for start in range(0, len(block.members), _SLICE):
        part = slice(start, start + _SLICE)
        points.put(scope, Block(block.members[part], block.vectors[part]))
