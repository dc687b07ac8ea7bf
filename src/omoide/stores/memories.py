"""Memories of one scope: their rows, their evidence, and their way in and out of recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import bindparam, select, update

from omoide.domain.model import Kind, Origin, Status
from omoide.domain.records import Draft, Opened, Standing, Strength
from omoide.stores.added import NewMemories
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.opening import Opening
from omoide.stores.scopes import ScopeRow, uid_text
from omoide.stores.tables import (
    evidence,
    memories,
    memory_scopes,
    scores,
    session_messages,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import BindParameter, Connection


# Built once: to build a statement costs more than to run it.
_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_RESTING_ON = Fixed(
    select(evidence.c.memory_id)
    .join(memories, memories.c.id == evidence.c.memory_id)
    .where(evidence.c.message_id.in_(_NUMBERS), memories.c.origin == Origin.RULE.value)
)
_SHOWN = Fixed(
    select(evidence.c.memory_id)
    .distinct()
    .join(session_messages, session_messages.c.message_id == evidence.c.message_id)
    .where(
        session_messages.c.session_id == bindparam("session"),
        session_messages.c.position >= bindparam("since"),
    )
)
_STANDING = Fixed(
    select(memories.c.id, memories.c.kind, memories.c.origin, memories.c.status, memories.c.pinned).where(
        memories.c.id.in_(_NUMBERS)
    )
)
_STRENGTH = Fixed(
    select(
        memories.c.id,
        memories.c.kind,
        memories.c.pinned,
        memories.c.importance,
        memories.c.confirmed,
        memories.c.recorded_at,
    ).where(memories.c.id.in_(_NUMBERS))
)
_EVIDENCE = Fixed(
    select(evidence.c.memory_id, evidence.c.message_id)
    .where(evidence.c.memory_id.in_(_NUMBERS))
    .order_by(evidence.c.memory_id, evidence.c.place)
)


class Memories:
    """Reads and writes one scope's memories, within one transaction.

    `change` is the scope's revision that this transaction brings; every row it touches is stamped with it,
    so that caches reload what changed and no more.
    """

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int) -> None:
        self._connection = connection
        self._scope = scope
        self._now = now

    def add(self, drafts: Sequence[Draft], *, change: int, analysed: int = 0) -> list[int]:
        """Write memories with all that belongs to them, and make them known to the scope.

        `analysed` is the number of the analyser whose terms of them this transaction writes as well.
        """
        new = NewMemories(self._connection, self._scope, now=self._now)
        return new.add(drafts, change=change, analysed=analysed)

    def resting_on(self, message_numbers: Sequence[int]) -> list[Standing]:
        """The rule-made memories that rest on any of these messages."""
        found: set[int] = set()
        for chunk in chunks(message_numbers):
            rows = _RESTING_ON.run(self._connection, {"numbers": list(chunk)})
            found.update(number for (number,) in rows)
        return self.standing(sorted(found))

    def shown(self, session: int, *, since: int) -> list[int]:
        """Numbers of the memories that rest on what a session shows from a position on."""
        rows = _SHOWN.run(self._connection, {"session": session, "since": since})
        return [number for (number,) in rows]

    def standing(self, numbers: Sequence[int]) -> list[Standing]:
        """Where these memories stand, in the order of their numbers."""
        rests = self.rests(numbers)
        found = []
        for chunk in chunks(numbers):
            rows = _STANDING.run(self._connection, {"numbers": list(chunk)})
            found += [
                Standing(
                    id=number,
                    kind=Kind(kind),
                    origin=Origin(origin),
                    status=Status(status),
                    pinned=bool(pinned),
                    evidence=tuple(rests.get(number, ())),
                )
                for number, kind, origin, status, pinned in rows
            ]
        return sorted(found, key=lambda standing: standing.id)

    def strengths(self, numbers: Sequence[int]) -> list[Strength]:
        """What decides how well these memories are retained; no words are opened for it."""
        return [
            Strength(
                id=number,
                kind=Kind(kind),
                pinned=bool(pinned),
                importance=importance,
                confirmed=confirmed,
                recorded_at=recorded_at,
            )
            for chunk in chunks(numbers)
            for number, kind, pinned, importance, confirmed, recorded_at in _STRENGTH.run(
                self._connection, {"numbers": list(chunk)}
            )
        ]

    def number(self, uid: UUID) -> int | None:
        """The number of the memory with this id, if it is one of the scope's."""
        query = (
            select(memories.c.id)
            .join(memory_scopes, memory_scopes.c.memory_id == memories.c.id)
            .where(memories.c.uid == uid.bytes, memory_scopes.c.scope_id == self._scope.id)
        )
        found = self._connection.execute(query).scalar()
        return None if found is None else int(found)

    def ids(self, numbers: Sequence[int]) -> dict[int, str]:
        """The ids of memories, by number."""
        found = {}
        for chunk in chunks(numbers):
            query = select(memories.c.id, memories.c.uid).where(memories.c.id.in_(chunk))
            found.update({row.id: uid_text(row.uid) for row in self._connection.execute(query)})
        return found

    def called(self, memory: str) -> int | None:
        """The number of the memory with this id as it is written, if it is one of the scope's."""
        try:
            return self.number(UUID(memory))
        except ValueError:
            return None

    def numbers(
        self,
        *,
        statuses: Iterable[Status] = (Status.CONFIRMED,),
        kinds: Iterable[Kind] = (),
        before: int | None = None,
        limit: int | None = None,
    ) -> list[int]:
        """Numbers of the scope's memories, newest in the log first."""
        query = (
            select(memories.c.id)
            .join(memory_scopes, memory_scopes.c.memory_id == memories.c.id)
            .where(
                memory_scopes.c.scope_id == self._scope.id,
                memories.c.status.in_([status.value for status in statuses]),
            )
            .order_by(memory_scopes.c.position.desc(), memories.c.id.desc())
        )
        if kinds := tuple(kinds):
            query = query.where(memories.c.kind.in_([kind.value for kind in kinds]))
        if before is not None:
            query = query.where(memories.c.retired_at <= before)
        if limit is not None:
            query = query.limit(limit)
        return [int(number) for number in self._connection.execute(query).scalars()]

    def move(
        self,
        numbers: Sequence[int],
        status: Status,
        *,
        change: int,
        replaced_by: int | None = None,
    ) -> None:
        """Change the status of memories; whatever is not confirmed any more is retired as of now."""
        values: dict[str, Any] = {
            "status": status.value,
            "retired_at": None if status is Status.CONFIRMED else self._now,
            "replaced_by": replaced_by,
        }
        for chunk in chunks(numbers):
            self._connection.execute(update(memories).where(memories.c.id.in_(chunk)).values(values))
        self.stamp(numbers, change=change)

    def set_pinned(self, number: int, pinned: bool, *, change: int) -> None:
        """Pin or unpin a memory."""
        self._connection.execute(update(memories).where(memories.c.id == number).values(pinned=pinned))
        self.stamp([number], change=change)

    def stamp(self, numbers: Sequence[int], *, change: int) -> None:
        """Mark memories as changed, so that caches read them anew."""
        for chunk in chunks(numbers):
            self._connection.execute(
                update(memory_scopes)
                .where(memory_scopes.c.scope_id == self._scope.id, memory_scopes.c.memory_id.in_(chunk))
                .values(change=change)
            )

    def open(
        self,
        numbers: Sequence[int],
        *,
        names: Mapping[int, str],
        sessions: Mapping[int, str],
        shut: set[int] | None = None,
    ) -> list[Opened]:
        """Memories with their words, in the order asked for; those that are gone are left out.

        Args:
            numbers: which.
            names: the name of each person of the scope.
            sessions: the name of each session; one that is missing is left open.
            shut: where to note the memories whose words cannot be opened, which are left out then (P17).

        Raises:
            Tampered: words cannot be opened, and `shut` is None.
        """
        opening = Opening(self._connection, self._scope, names=names, sessions=sessions, shut=shut)
        return opening.memories(numbers)

    def rests(self, numbers: Sequence[int]) -> dict[int, list[int]]:
        """The messages that memories rest on, by number; nothing for those that rest on none."""
        found: dict[int, list[int]] = {}
        for chunk in chunks(numbers):
            for memory, message in _EVIDENCE.run(self._connection, {"numbers": list(chunk)}):
                found.setdefault(memory, []).append(message)
        return found

    def scores(self, number: int) -> dict[str, float]:
        """The scores of one memory by name."""
        query = select(scores.c.name, scores.c.value).where(scores.c.memory_id == number)
        return {row[0]: row[1] for row in self._connection.execute(query)}

    def external(self, external_id: str) -> int | None:
        """The number of the memory that its source calls so, whatever its status."""
        query = (
            select(memories.c.id)
            .join(memory_scopes, memory_scopes.c.memory_id == memories.c.id)
            .where(
                memory_scopes.c.scope_id == self._scope.id,
                memories.c.external_tag == self._scope.blinder.tag(external_id, purpose="external"),
            )
            .order_by(memories.c.id.desc())
        )
        found = self._connection.execute(query).scalar()
        return None if found is None else int(found)
