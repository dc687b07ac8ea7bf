"""What a character saw of others, by the memory that holds it: whom in a column, the rest sealed (K5)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from omoide.domain.observation import Observation
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed, insert_rows
from omoide.stores.scopes import new_uid
from omoide.stores.tables import observations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import BindParameter, Connection

    from omoide.stores.scopes import ScopeRow

_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_OF = Fixed(
    select(
        observations.c.memory_id,
        observations.c.uid,
        observations.c.person_id,
        observations.c.confidence,
        observations.c.body_sealed,
    )
    .where(observations.c.memory_id.in_(_NUMBERS))
    .order_by(observations.c.memory_id, observations.c.id)
)


class Observations:
    """Reads and writes what one scope's memories saw of others, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def add(self, seen: Sequence[tuple[int, int, Observation]]) -> None:
        """Write observations, each with the numbers of its memory and of whom it is of."""
        rows = [self._row(*one) for one in seen]
        insert_rows(self._connection, observations, rows)

    def of(self, numbers: Sequence[int], *, names: Mapping[int, str]) -> dict[int, tuple[Observation, ...]]:
        """The observations of these memories, in the order in which they were written."""
        found: dict[int, tuple[Observation, ...]] = {}
        opened = self._scope.sealer.open_text
        for chunk in chunks(numbers):
            for memory, uid, person, confidence, sealed in _OF.run(
                self._connection, {"numbers": list(chunk)}
            ):
                body = json.loads(opened(sealed, row=uid))
                seen = Observation(person=names.get(person, "?"), confidence=confidence, **body)
                found[memory] = (*found.get(memory, ()), seen)
        return found

    def _row(self, memory: int, person: int, seen: Observation) -> dict[str, Any]:
        uid = new_uid()
        body = {"behaviour": seen.behaviour, "feeling": seen.feeling, "basis": seen.basis}
        kept = json.dumps({key: value for key, value in body.items() if value}, ensure_ascii=False)
        return {
            "tenant": self._scope.tenant,
            "uid": uid,
            "memory_id": memory,
            "person_id": person,
            "confidence": seen.confidence,
            "body_sealed": self._scope.sealer.seal_text(kept, row=uid),
        }
