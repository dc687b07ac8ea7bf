"""Points of Qdrant as copies of a store's vectors: written, taken out and compared.

A point is a memory's vector in one scope. Beside it stand the tenant, the scope's uid and the memory's
number, and no word of anybody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID, uuid5

import numpy as np
from qdrant_client import models

from omoide.stores.index.block import Block
from omoide.stores.qdrant.collections import SCOPE, TENANT
from omoide.stores.scopes import uid_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import NDArray
    from qdrant_client import QdrantClient

    from omoide.stores.qdrant.collections import Collections
    from omoide.stores.scopes import ScopeRow

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]

_NUMBER: Final = "number"
_PAGE: Final = 1_000
_EXACT: Final = 100_000
"""Points of a scope from which on the server looks in its graph, instead of comparing each of them."""


@dataclass(frozen=True, slots=True)
class Near:
    """Some memories of a scope and their cosines with a query; both of shape (n,)."""

    numbers: IntArray
    cosines: FloatArray


class Points:
    """What lies in the collections of one store.

    Attributes:
        collections: where they are.
    """

    def __init__(self, collections: Collections) -> None:
        self.collections = collections

    def put(self, scope: ScopeRow, block: Block) -> None:
        """Write vectors of memories, over earlier ones of the same."""
        numbers, whose = block.members.tolist(), {TENANT: scope.tenant, SCOPE: uid_text(scope.uid)}
        points = models.Batch(
            ids=_ids(scope.uid, numbers),
            vectors=block.vectors.tolist(),
            payloads=[{**whose, _NUMBER: number} for number in numbers],
        )
        with self.collections.client() as client:
            client.upsert(self.collections.name, points)

    def drop(self, scope: bytes, numbers: Collection[int], *, everywhere: bool) -> None:
        """Take memories of a scope out, of the current collection or of those of all embedding spaces."""
        ids = models.PointIdsList(points=_ids(scope, numbers))
        with self.collections.client() as client:
            for name in self.collections.ours(client) if everywhere else [self.collections.name]:
                client.delete(name, points_selector=ids)

    def erase(self, scope: bytes, *, tenant: str) -> None:
        """Take a scope out of the collections of all embedding spaces."""
        all_of_it = models.FilterSelector(filter=_of(scope, tenant))
        with self.collections.client() as client:
            for name in self.collections.ours(client):
                client.delete(name, points_selector=all_of_it)

    def near(self, scope: ScopeRow, vector: FloatArray, *, limit: int, size: int) -> Near:
        """The memories of a scope that are nearest to a query, the nearest first.

        Args:
            scope: whose.
            vector: of the query.
            limit: how many at most.
            size: how many there are, roughly.
        """
        exact = models.SearchParams(exact=size <= _EXACT) if self.collections.remote else None
        with self.collections.client() as client:
            found = client.query_points(
                self.collections.name,
                query=vector.tolist(),
                query_filter=_of(scope.uid, scope.tenant),
                limit=limit,
                search_params=exact,
                with_payload=[_NUMBER],
            )
        return _near(found.points)

    def cosines(self, scope: ScopeRow, vector: FloatArray, numbers: Sequence[int]) -> Near:
        """How near some memories of a scope are to a query."""
        chosen = _of(scope.uid, scope.tenant, models.HasIdCondition(has_id=_ids(scope.uid, numbers)))
        with self.collections.client() as client:
            found = client.query_points(
                self.collections.name,
                query=vector.tolist(),
                query_filter=chosen,
                limit=len(numbers),
                search_params=models.SearchParams(exact=True) if self.collections.remote else None,
                with_payload=[_NUMBER],
            )
        return _near(found.points)

    def vectors(self, scope: ScopeRow, numbers: Sequence[int]) -> Block:
        """The vectors of some memories of a scope, without those that are not there."""
        ids = _ids(scope.uid, numbers)
        with self.collections.client() as client:
            records = client.retrieve(self.collections.name, ids=ids, with_payload=False, with_vectors=True)
        matrix = np.array([record.vector for record in records], dtype=np.float32)
        number = dict(zip(ids, numbers, strict=True))  # whatever is written beside the vector
        found = np.array([number[str(record.id)] for record in records], dtype=np.int64)
        return Block(found, matrix.reshape(len(records), self.collections.dimensions))

    def numbers(self, scope: bytes, *, tenant: str) -> set[int]:
        """The numbers of all memories of a scope that are there."""
        with self.collections.client() as client:
            found = self._each(client, self.collections.name, _of(scope, tenant))
            return {number for record in found if (number := _meant(scope, record)) is not None}

    def scopes(self, *, tenant: str, others: Callable[[], Collection[str]] = tuple) -> tuple[set[bytes], int]:
        """The uids of all scopes of a tenant that any of the store's collections holds something of.

        Points that are no memory of a scope are taken out: somebody else put them there.

        Args:
            tenant: whose.
            others: tells the tenants that have a name, for the one without: what is nobody's goes too.

        Returns:
            The uids, and how many points were taken out.
        """
        found: set[bytes] = set()
        foreign = 0
        with self.collections.client() as client:
            for name in self.collections.ours(client):
                strays = self._strays(client, name, tenant, found, others)
                for start in range(0, len(strays), _PAGE):
                    chosen = models.PointIdsList(points=strays[start : start + _PAGE])
                    client.delete(name, points_selector=chosen)
                foreign += len(strays)
        return found, foreign

    def _strays(
        self,
        client: QdrantClient,
        name: str,
        tenant: str,
        found: set[bytes],
        others: Callable[[], Collection[str]],
    ) -> list[int | str | UUID]:
        """The points of a collection that are nobody's; the scopes of the others are added to those found."""
        nobodys: list[int | str | UUID] = []
        of_another: list[tuple[object, int | str | UUID]] = []
        of_tenant = models.Filter(must=[_matches(TENANT, tenant)])
        if not tenant:
            of_tenant = models.Filter(must_not=[_matches(TENANT, other) for other in others()])
        for record in self._each(client, name, of_tenant):
            uid, whose = _uid(record), (record.payload or {}).get(TENANT)
            if whose != tenant:
                of_another.append((whose, record.id))
            elif uid is None or _meant(uid, record) is None:
                nobodys.append(record.id)
            else:
                found.add(uid)
        now = others() if of_another else ()  # asked again: one may have come meanwhile
        return nobodys + [point for whose, point in of_another if whose not in now]

    @staticmethod
    def _each(client: QdrantClient, name: str, chosen: models.Filter) -> Iterator[models.Record]:
        """The points of a collection that a filter lets through, without their vectors."""
        page = None
        while True:
            records, page = client.scroll(
                name,
                scroll_filter=chosen,
                limit=_PAGE,
                offset=page,
                with_payload=[TENANT, SCOPE, _NUMBER],
            )
            yield from records
            if page is None:
                return


def _ids(scope: bytes, numbers: Collection[int]) -> list[int | str | UUID]:
    space = UUID(bytes=scope)
    return [str(uuid5(space, str(number))) for number in numbers]


def _matches(field: str, value: str) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchValue(value=value))


def _of(scope: bytes, tenant: str, *more: models.HasIdCondition) -> models.Filter:
    return models.Filter(must=[_matches(SCOPE, uid_text(scope)), _matches(TENANT, tenant), *more])


def _uid(record: models.Record) -> bytes | None:
    """The scope that a point says it is of."""
    told = (record.payload or {}).get(SCOPE)
    try:
        return UUID(told).bytes if isinstance(told, str) else None
    except ValueError:
        return None


def _meant(scope: bytes, record: models.Record) -> int | None:
    """The memory of a scope that a point is of; None where it is none of ours."""
    number = _number(record)
    return number if number >= 0 and _ids(scope, [number]) == [str(record.id)] else None


def _number(found: models.Record | models.ScoredPoint) -> int:
    """The number of a memory that a point says it is of; -1 where it says none."""
    told = (found.payload or {}).get(_NUMBER)
    return told if isinstance(told, int) and 0 <= told < 1 << 63 else -1


def _near(found: Sequence[models.ScoredPoint]) -> Near:
    numbers = np.array([_number(one) for one in found], dtype=np.int64)
    return Near(numbers, np.array([one.score for one in found], dtype=np.float32))
