"""New memories of one scope: their rows, and all that is written with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from omoide.domain.instants import to_micros, zone_name
from omoide.stores.bodies import sealed_body
from omoide.stores.fixed import Fixed, insert_rows, next_numbers
from omoide.stores.lookups import place_tag
from omoide.stores.observations import Observations
from omoide.stores.plans import Plans
from omoide.stores.scopes import ScopeRow, new_uid
from omoide.stores.tables import evidence, memories, memory_people, memory_scopes, scores, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from omoide.domain.records import Draft

_LAST_SEQUENCE = Fixed(
    select(memory_scopes.c.sequence)
    .where(memory_scopes.c.scope_id == bindparam("scope"))
    .order_by(memory_scopes.c.memory_id.desc())
    .limit(1)
)


class NewMemories:
    """Writes memories that were not there, within one transaction.

    Args:
        connection: of the transaction.
        scope: whose they are.
        now: when they are recorded.
    """

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int) -> None:
        self._connection = connection
        self._scope = scope
        self._now = now

    def add(self, drafts: Sequence[Draft], *, change: int, analysed: int) -> list[int]:
        """Write memories with all that belongs to them, and give their numbers.

        Args:
            drafts: what to write.
            change: the scope's revision that this transaction brings.
            analysed: the number of the analyser whose terms of them it writes as well.
        """
        if not drafts:
            return []
        numbers = next_numbers(self._connection, memories, len(drafts))
        rows = [{"id": number, **self._values(draft)} for number, draft in zip(numbers, drafts, strict=True)]
        insert_rows(self._connection, memories, rows)
        self._link(drafts, numbers, change, analysed)
        self._write_evidence(drafts, numbers)
        self._write_scores(drafts, numbers)
        self._write_people(drafts, numbers)
        planned = zip(rows, drafts, strict=True)
        Plans(self._connection, self._scope).add(
            {row["id"]: (row["uid"], draft.plan) for row, draft in planned if draft.plan is not None}
        )
        Observations(self._connection, self._scope).add(
            [
                (number, person, seen)
                for number, draft in zip(numbers, drafts, strict=True)
                for person, seen in draft.observations
            ]
        )
        return list(numbers)

    def _values(self, draft: Draft) -> dict[str, Any]:
        uid, past = new_uid(), draft.past
        return {
            "tenant": self._scope.tenant,
            "uid": uid,
            "kind": draft.kind.value,
            "origin": draft.origin.value,
            "status": draft.status.value,
            "session_id": draft.session,
            "subject_id": draft.subject,
            "layer": None if past is None else past.layer.value,
            "mode": draft.mode.value,
            "valid_from": None if draft.valid_from is None else to_micros(draft.valid_from),
            "valid_until": None if draft.valid_until is None else to_micros(draft.valid_until),
            "importance": draft.importance,
            "confidence": draft.confidence if past is None else past.confidence,
            "confirmed": draft.confirmed,
            "pinned": draft.pinned,
            "at": None if draft.at is None else to_micros(draft.at),
            "zone": None if draft.at is None else zone_name(draft.at),
            "day_precision": None if draft.day is None else draft.day.precision.value,
            "event_id": draft.event,
            "age": None if past is None else past.age,
            "absolute_day": None if past is None else past.absolute_day,
            "place_tag": None if draft.place is None else place_tag(self._scope, draft.place),
            "recorded_at": self._now,
            "external_tag": (
                None
                if draft.external_id is None
                else self._scope.blinder.tag(draft.external_id, purpose="external")
            ),
            "body_sealed": sealed_body(self._scope, draft, uid),
        }

    def _link(self, drafts: Sequence[Draft], numbers: Sequence[int], change: int, analysed: int) -> None:
        last = _LAST_SEQUENCE.run(self._connection, {"scope": self._scope.id})
        rows = [
            {
                "tenant": self._scope.tenant,
                "scope_id": self._scope.id,
                "memory_id": number,
                "position": draft.position,
                "sequence": sequence,
                "change": change,
                "analysed": analysed,
            }
            for sequence, (draft, number) in enumerate(
                zip(drafts, numbers, strict=True), last[0][0] + 1 if last else 1
            )
        ]
        insert_rows(self._connection, memory_scopes, rows)

    def _write_evidence(self, drafts: Sequence[Draft], numbers: Sequence[int]) -> None:
        rows = [
            {
                "tenant": self._scope.tenant,
                "memory_id": number,
                "place": place,
                "message_id": message,
                "start": start,
                "end": end,
            }
            for draft, number in zip(drafts, numbers, strict=True)
            for place, (message, start, end) in enumerate(draft.evidence)
        ]
        insert_rows(self._connection, evidence, rows)

    def _write_people(self, drafts: Sequence[Draft], numbers: Sequence[int]) -> None:
        for table, people, when in (
            (memory_people, [draft.involved for draft in drafts], {}),
            (told, [draft.told for draft in drafts], {"at": self._now}),
        ):
            rows = [
                {"tenant": self._scope.tenant, "memory_id": number, "person_id": person, **when}
                for number, them in zip(numbers, people, strict=True)
                for person in dict.fromkeys(them)
            ]
            insert_rows(self._connection, table, rows)

    def _write_scores(self, drafts: Sequence[Draft], numbers: Sequence[int]) -> None:
        rows = [
            {"tenant": self._scope.tenant, "memory_id": number, "name": name, "value": value}
            for draft, number in zip(drafts, numbers, strict=True)
            for name, value in draft.scores
        ]
        insert_rows(self._connection, scores, rows)
