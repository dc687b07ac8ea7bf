"""Collections of Qdrant as copies of a store's vectors: what is asked of them, and its errors in our words.

A point is a memory's vector in one scope. Beside it stand the tenant, the scope's uid and the memory's
number, and no word of anybody's. A collection bears our mark and the store's id, and one that does not is
never written to.
"""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import UUID, uuid5

import numpy as np
import portalocker
from qdrant_client import QdrantClient, models

from omoide.addresses import shown
from omoide.errors import IndexForeign, InvalidInput
from omoide.stores.keys.private_file import make_folder
from omoide.stores.qdrant.errors import InUse, our_errors
from omoide.stores.scopes import uid_text
from omoide.stores.vectors import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from omoide.config import Settings
    from omoide.domain.embedding import EmbeddingIdentity
    from omoide.stores.scopes import ScopeRow

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]

MEMORY: Final = ":memory:"

_TENANT, _SCOPE, _NUMBER = "tenant", "scope", "number"
_PAGE: Final = 1_000
_EXACT: Final = 100_000
"""Points of a scope from which on the server looks in its graph, instead of comparing each of them."""


@dataclass(frozen=True, slots=True)
class Near:
    """Some memories of a scope and their cosines with a query; both of shape (n,)."""

    numbers: IntArray
    cosines: FloatArray


class Points:
    """The collections of one store on one Qdrant; the current one is that of the embedding space in use.

    Args:
        settings: where Qdrant is, and how it is spoken to.
        store_id: of the store.
        space: the embedding space in use; without one, vectors are only taken out.
    """

    def __init__(self, settings: Settings, *, store_id: str, space: EmbeddingIdentity | None) -> None:
        self._settings = settings
        self._location = settings.qdrant_url
        self.address = _shown(self._location)
        self._mark = {"made by": "omoide", "store": store_id}
        self._prefix = f"omoide_{store_id}_"
        self._space = space
        self._remote = "://" in self._location
        self._lock = nullcontext() if self._remote else threading.RLock()
        self._opened: QdrantClient | None = None

    @property
    def dimensions(self) -> int:
        """The length of a vector; 0 without an embedding space."""
        return 0 if self._space is None else self._space.dimensions

    @property
    def name(self) -> str:
        """The current collection's: told by the store's id and the embedding space, and by nobody's words."""
        key = "" if self._space is None else self._space.key
        return self._prefix + sha256(key.encode()).hexdigest()[:16]

    def exists(self) -> bool:
        """Whether the current collection is there.

        Raises:
            IndexForeign: another one stands in its place.
        """
        with self._client() as client:
            if self.name not in self._names(client):
                return False
            self._check(client)
            return True

    def make(self) -> None:
        """Make the current collection, unless somebody was faster."""
        with self._client() as client:
            if self.name not in self._names(client):
                client.create_collection(
                    self.name,
                    vectors_config=models.VectorParams(size=self.dimensions, distance=models.Distance.COSINE),
                    hnsw_config=models.HnswConfigDiff(m=0, payload_m=16),  # a graph for each scope
                    metadata=self._mark,
                )
            self._check(client)
            if not self._remote:
                return  # it has no use for them
            scope = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
            tenant = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD)
            client.create_payload_index(self.name, _SCOPE, field_schema=scope)
            client.create_payload_index(self.name, _TENANT, field_schema=tenant)

    def clear(self) -> None:
        """Remove every collection of the store, of whatever embedding space."""
        with self._client() as client:
            for name in self._ours(client):
                client.delete_collection(name)

    def put(self, scope: ScopeRow, block: Block) -> None:
        """Write vectors of memories, over earlier ones of the same."""
        numbers, whose = block.members.tolist(), {_TENANT: scope.tenant, _SCOPE: uid_text(scope.uid)}
        points = models.Batch(
            ids=_ids(scope.uid, numbers),
            vectors=block.vectors.tolist(),
            payloads=[{**whose, _NUMBER: number} for number in numbers],
        )
        with self._client() as client:
            client.upsert(self.name, points)

    def drop(self, scope: bytes, numbers: Collection[int], *, everywhere: bool) -> None:
        """Take memories of a scope out, of the current collection or of those of all embedding spaces."""
        ids = models.PointIdsList(points=_ids(scope, numbers))
        with self._client() as client:
            for name in self._ours(client) if everywhere else [self.name]:
                client.delete(name, points_selector=ids)

    def erase(self, scope: bytes, *, tenant: str) -> None:
        """Take a scope out of the collections of all embedding spaces."""
        all_of_it = models.FilterSelector(filter=_of(scope, tenant))
        with self._client() as client:
            for name in self._ours(client):
                client.delete(name, points_selector=all_of_it)

    def near(self, scope: ScopeRow, vector: FloatArray, *, limit: int, size: int) -> Near:
        """The memories of a scope that are nearest to a query, the nearest first.

        Args:
            scope: whose.
            vector: of the query.
            limit: how many at most.
            size: how many there are, roughly.
        """
        exact = models.SearchParams(exact=size <= _EXACT) if self._remote else None
        with self._client() as client:
            found = client.query_points(
                self.name,
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
        with self._client() as client:
            found = client.query_points(
                self.name,
                query=vector.tolist(),
                query_filter=chosen,
                limit=len(numbers),
                search_params=models.SearchParams(exact=True) if self._remote else None,
                with_payload=[_NUMBER],
            )
        return _near(found.points)

    def vectors(self, scope: ScopeRow, numbers: Sequence[int]) -> Block:
        """The vectors of some memories of a scope, without those that are not there."""
        ids = _ids(scope.uid, numbers)
        with self._client() as client:
            records = client.retrieve(self.name, ids=ids, with_payload=False, with_vectors=True)
        matrix = np.array([record.vector for record in records], dtype=np.float32)
        number = dict(zip(ids, numbers, strict=True))  # whatever is written beside the vector
        found = np.array([number[str(record.id)] for record in records], dtype=np.int64)
        return Block(found, matrix.reshape(len(records), self.dimensions))

    def numbers(self, scope: bytes, *, tenant: str) -> set[int]:
        """The numbers of all memories of a scope that are there."""
        with self._client() as client:
            found = self._each(client, self.name, _of(scope, tenant))
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
        with self._client() as client:
            for name in self._ours(client):
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
        of_tenant = models.Filter(must=[_matches(_TENANT, tenant)])
        if not tenant:
            of_tenant = models.Filter(must_not=[_matches(_TENANT, other) for other in others()])
        for record in self._each(client, name, of_tenant):
            uid, whose = _uid(record), (record.payload or {}).get(_TENANT)
            if whose != tenant:
                of_another.append((whose, record.id))
            elif uid is None or _meant(uid, record) is None:
                nobodys.append(record.id)
            else:
                found.add(uid)
        now = others() if of_another else ()  # asked again: one may have come meanwhile
        return nobodys + [point for whose, point in of_another if whose not in now]

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

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
                with_payload=[_TENANT, _SCOPE, _NUMBER],
            )
            yield from records
            if page is None:
                return

    def _names(self, client: QdrantClient) -> list[str]:
        return [found.name for found in client.get_collections().collections]

    def _ours(self, client: QdrantClient) -> list[str]:
        """The collections of the store, of all embedding spaces; without those of another maker."""
        named = [name for name in self._names(client) if name.startswith(self._prefix)]
        return [name for name in named if self._marked(client.get_collection(name))]

    def _marked(self, found: models.CollectionInfo) -> bool:
        given = found.config.metadata or {}
        return all(given.get(key) == value for key, value in self._mark.items())

    def _check(self, client: QdrantClient) -> None:
        found = client.get_collection(self.name)
        vectors = found.config.params.vectors
        if not isinstance(vectors, models.VectorParams) or (vectors.size, vectors.distance) != (
            self.dimensions,
            models.Distance.COSINE,
        ):
            reason = f"it is not of {self.dimensions} numbers compared by cosine"
        elif not self._marked(found):
            reason = "it bears no mark of this store (which Qdrant keeps from version 1.16 on)"
        else:
            return
        msg = (
            f"the collection {self.name!r} of Qdrant at {self.address!r} was made by somebody else: "
            f"{reason}. It is left as it is; rename or remove it, or set qdrant_url to another Qdrant"
        )
        raise IndexForeign(msg)

    @contextmanager
    def _client(self) -> Iterator[QdrantClient]:
        """The client, made at first use; one thread at a time where Qdrant runs in the process."""
        with self._lock, our_errors(self.address, seconds=self._settings.qdrant_seconds):
            if self._opened is None:
                self._opened = self._connect()
            yield self._opened

    def _connect(self) -> QdrantClient:
        if self._location == MEMORY:
            return QdrantClient(location=MEMORY, force_disable_check_same_thread=True)
        if not self._remote:
            folder = Path(self._location).expanduser()
            make_folder(folder)
            _see_free(folder)
            return QdrantClient(path=str(folder), force_disable_check_same_thread=True)
        key = self._settings.qdrant_key
        return QdrantClient(
            url=self._location,
            # Not as `api_key`, which warns where the connection is plain; our documentation says so.
            headers=None if key is None else {"api-key": key.get_secret_value()},
            prefer_grpc=self._settings.qdrant_grpc is not None,
            grpc_port=self._settings.qdrant_grpc or 6334,
            timeout=self._settings.qdrant_seconds,
            check_compatibility=False,  # it would warn from a thread of its own
        )


def _see_free(folder: Path) -> None:
    """See that no other process has the folder open, for the client would leave files open in refusing it."""
    lock = folder / ".lock"
    if lock.exists():
        with lock.open("r+") as file:
            try:
                portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
            except portalocker.LockException as error:
                raise InUse from error
            portalocker.unlock(file)


def _shown(location: str) -> str:
    """Where Qdrant is, as it may be shown.

    Raises:
        InvalidInput: it looks like a server, and would be taken for a folder.
    """
    if re.fullmatch(r"[\w.-]+:\d+(/.*)?", location, re.ASCII):
        msg = f"qdrant_url is a URL, a folder or ':memory:', got {location!r}; write 'http://{location}'"
        raise InvalidInput(msg)
    return shown(location)


def _ids(scope: bytes, numbers: Collection[int]) -> list[int | str | UUID]:
    space = UUID(bytes=scope)
    return [str(uuid5(space, str(number))) for number in numbers]


def _matches(field: str, value: str) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchValue(value=value))


def _of(scope: bytes, tenant: str, *more: models.HasIdCondition) -> models.Filter:
    return models.Filter(must=[_matches(_SCOPE, uid_text(scope)), _matches(_TENANT, tenant), *more])


def _uid(record: models.Record) -> bytes | None:
    """The scope that a point says it is of."""
    told = (record.payload or {}).get(_SCOPE)
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
