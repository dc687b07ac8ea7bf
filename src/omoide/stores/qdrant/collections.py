"""The collections of one store on one Qdrant: which are ours, made and removed, and the way to them.

A collection bears our mark and the store's id, and one that does not is never written to.
"""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import portalocker
from qdrant_client import QdrantClient, models

from omoide.addresses import shown
from omoide.errors import IndexForeign, InvalidInput
from omoide.stores.keys.private_file import make_folder
from omoide.stores.qdrant.errors import InUse, our_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.config import Settings
    from omoide.domain.embedding import EmbeddingIdentity

MEMORY: Final = ":memory:"

TENANT: Final = "tenant"
SCOPE: Final = "scope"
"""Fields beside a vector by which collections are divided."""


class Collections:
    """The collections of one store on one Qdrant; the current one is that of the embedding space in use.

    Args:
        settings: where Qdrant is, and how it is spoken to.
        store_id: of the store.
        space: the embedding space in use; without one, vectors are only taken out.

    Attributes:
        address: where Qdrant is, as it may be shown.
        remote: whether it is a server, and no part of this process.
    """

    def __init__(self, settings: Settings, *, store_id: str, space: EmbeddingIdentity | None) -> None:
        self._settings = settings
        self._location = settings.qdrant_url
        self.address = _shown(self._location)
        self._mark = {"made by": "omoide", "store": store_id}
        self._prefix = f"omoide_{store_id}_"
        self._space = space
        self.remote = "://" in self._location
        self._lock = nullcontext() if self.remote else threading.RLock()
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
        with self.client() as client:
            if self.name not in self._names(client):
                return False
            self._check(client)
            return True

    def make(self) -> None:
        """Make the current collection, unless somebody was faster."""
        with self.client() as client:
            if self.name not in self._names(client):
                client.create_collection(
                    self.name,
                    vectors_config=models.VectorParams(size=self.dimensions, distance=models.Distance.COSINE),
                    hnsw_config=models.HnswConfigDiff(m=0, payload_m=16),  # a graph for each scope
                    metadata=self._mark,
                )
            self._check(client)
            if not self.remote:
                return  # it has no use for them
            scope = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
            tenant = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD)
            client.create_payload_index(self.name, SCOPE, field_schema=scope)
            client.create_payload_index(self.name, TENANT, field_schema=tenant)

    def clear(self) -> None:
        """Remove every collection of the store, of whatever embedding space."""
        with self.client() as client:
            for name in self.ours(client):
                client.delete_collection(name)

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _names(self, client: QdrantClient) -> list[str]:
        return [found.name for found in client.get_collections().collections]

    def ours(self, client: QdrantClient) -> list[str]:
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
    def client(self) -> Iterator[QdrantClient]:
        """The client, made at first use; one thread at a time where Qdrant runs in the process."""
        with self._lock, our_errors(self.address, seconds=self._settings.qdrant_seconds):
            if self._opened is None:
                self._opened = self._connect()
            yield self._opened

    def _connect(self) -> QdrantClient:
        if self._location == MEMORY:
            return QdrantClient(location=MEMORY, force_disable_check_same_thread=True)
        if not self.remote:
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
