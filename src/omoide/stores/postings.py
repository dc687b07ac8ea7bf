"""Postings: the blinded terms of each memory, packed, one row a memory (P7, ruling 23).

A scope's rows are read as a whole into its index in memory, where they are turned round into term → memories.
So a write is one small row instead of one a term, a query walks no table, and the cost of either never
depends on other scopes.
"""

from __future__ import annotations

from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import bindparam, delete, select

from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed, insert_rows
from omoide.stores.tables import postings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import BindParameter, Connection

    from omoide.stores.scopes import ScopeRow
    from omoide.stores.sealing import Blinder

ENTRY = np.dtype([("term", "<i8"), ("frequency", "u1")])
"""One term of a memory as it lies in the row: nine bytes, without padding."""

_MOST = 255
"""The highest frequency that is told from lower ones."""

_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_OF_SCOPE = select(postings.c.memory_id, postings.c.terms).where(
    postings.c.scope_id == bindparam("scope"), postings.c.identity_id == bindparam("identity")
)
_ALL = Fixed(_OF_SCOPE)
_SOME = Fixed(_OF_SCOPE.where(postings.c.memory_id.in_(_NUMBERS)))
_DROP = Fixed(
    delete(postings).where(postings.c.scope_id == bindparam("scope"), postings.c.memory_id.in_(_NUMBERS))
)


class Postings:
    """Reads and writes one scope's postings, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def put(self, terms: Mapping[int, Mapping[str, int]], *, identity: int) -> None:
        """Write the terms of memories anew. `identity` is the analyser's number."""
        self.drop(list(terms))
        self.add(terms, identity=identity)

    def add(self, terms: Mapping[int, Mapping[str, int]], *, identity: int) -> None:
        """Write the terms of memories that have none yet."""
        packed = _packed(self._scope.blinder, list(terms.values()))
        rows = [
            {
                "tenant": self._scope.tenant,
                "scope_id": self._scope.id,
                "memory_id": number,
                "identity_id": identity,
                "terms": one,
            }
            for number, one in zip(terms, packed, strict=True)
        ]
        insert_rows(self._connection, postings, rows)

    def differing(self, terms: Mapping[int, Mapping[str, int]], *, identity: int) -> list[int]:
        """The memories whose terms are kept, but are not these."""
        kept = dict(self.read(identity=identity, numbers=list(terms)))
        packed = dict(zip(terms, _packed(self._scope.blinder, list(terms.values())), strict=True))
        return [number for number in kept if _in_order(kept[number]) != _in_order(packed[number])]

    def drop(self, numbers: Sequence[int]) -> None:
        """Remove memories from keyword search."""
        for chunk in chunks(numbers):
            _DROP.run(self._connection, {"scope": self._scope.id, "numbers": list(chunk)})

    def read(self, *, identity: int, numbers: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
        """The packed terms of the scope's memories, or of some of them."""
        values = {"scope": self._scope.id, "identity": identity}
        if numbers is None:
            return [(number, packed) for number, packed in _ALL.run(self._connection, values)]
        found: list[tuple[int, bytes]] = []
        for chunk in chunks(numbers):
            rows = _SOME.run(self._connection, {**values, "numbers": list(chunk)})
            found += [(number, packed) for number, packed in rows]
        return found


def _in_order(packed: bytes) -> bytes:
    return np.sort(np.frombuffer(packed, dtype=ENTRY)).tobytes()


def _packed(blinder: Blinder, memories: Sequence[Mapping[str, int]]) -> list[bytes]:
    """The row of each memory; all are packed at once, which takes a fraction of doing it one by one."""
    entries = np.empty(sum(map(len, memories)), dtype=ENTRY)
    entries["term"] = np.frombuffer(blinder.blind_all(chain.from_iterable(memories)), dtype=">i8")
    counts = chain.from_iterable(frequencies.values() for frequencies in memories)
    entries["frequency"] = np.minimum(np.fromiter(counts, np.int64, len(entries)), _MOST)
    together = entries.tobytes()
    ends = accumulate((len(one) * ENTRY.itemsize for one in memories), initial=0)
    return [together[start:end] for start, end in pairwise(ends)]
