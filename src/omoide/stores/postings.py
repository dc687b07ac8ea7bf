"""Postings: the blinded terms of each memory, packed, one row a memory (P7, ruling 23).

A scope's rows are read as a whole into its index in memory, where they are turned round into term → memories.
So a write is one small row instead of one a term, a query walks no table, and the cost of either never
depends on other scopes.
"""

from __future__ import annotations

import struct
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

ENTRY = np.dtype([("term", "<i8"), ("frequency", "u1")])
"""One term of a memory as it lies in the row: nine bytes, without padding."""

_pack = struct.Struct("<qB").pack


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
        if not terms:
            return
        self.drop(list(terms))
        rows = [
            {
                "tenant": self._scope.tenant,
                "scope_id": self._scope.id,
                "memory_id": number,
                "identity_id": identity,
                "terms": self._packed(frequencies),
            }
            for number, frequencies in terms.items()
        ]
        insert_rows(self._connection, postings, rows)

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

    def _packed(self, frequencies: Mapping[str, int]) -> bytes:
        blind = self._scope.blinder.blind
        return b"".join([_pack(blind(term), min(255, count)) for term, count in frequencies.items()])
