"""Postings: the blinded terms of each memory, packed, one row a memory (P7, ruling 23).

A scope's rows are read as a whole into its index in memory, where they are turned round into term → memories.
So a write is one small row instead of one a term, a query walks no table, and the cost of either never
depends on other scopes.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import delete, insert, select

from omoide.stores.log import chunks
from omoide.stores.tables import postings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from omoide.stores.scopes import ScopeRow

ENTRY = np.dtype([("term", "<i8"), ("frequency", "u1")])
"""One term of a memory as it lies in the row: nine bytes, without padding."""

_pack = struct.Struct("<qB").pack


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
        self._connection.execute(insert(postings), rows)

    def drop(self, numbers: Sequence[int]) -> None:
        """Remove memories from keyword search."""
        for chunk in chunks(numbers):
            self._connection.execute(
                delete(postings).where(postings.c.scope_id == self._scope.id, postings.c.memory_id.in_(chunk))
            )

    def read(self, *, identity: int, numbers: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
        """The packed terms of the scope's memories, or of some of them."""
        query = select(postings.c.memory_id, postings.c.terms).where(
            postings.c.scope_id == self._scope.id, postings.c.identity_id == identity
        )
        if numbers is None:
            return [(row[0], row[1]) for row in self._connection.execute(query)]
        found: list[tuple[int, bytes]] = []
        for chunk in chunks(numbers):
            found += [
                (row[0], row[1])
                for row in self._connection.execute(query.where(postings.c.memory_id.in_(chunk)))
            ]
        return found

    def _packed(self, frequencies: Mapping[str, int]) -> bytes:
        blind = self._scope.blinder.blind
        return b"".join(_pack(blind(term), min(255, count)) for term, count in frequencies.items())
