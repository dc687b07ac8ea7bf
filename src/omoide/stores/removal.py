"""Taking memories out of recall, for a time or for good, and a scope out of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, or_, select, update

from omoide.domain.model import Origin, Status
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.postings import Postings
from omoide.stores.tables import (
    evidence,
    feelings,
    leases,
    links,
    memories,
    memory_people,
    memory_scopes,
    messages,
    names,
    observations,
    participants,
    people,
    plans,
    postings,
    rehearsals,
    relationships,
    scopes,
    scores,
    session_messages,
    session_scopes,
    session_states,
    sessions,
    suppressions,
    told,
    vectors,
    window_messages,
    windows,
)
from omoide.stores.vectors import drop_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from omoide.stores.index.nearest import VectorIndex
    from omoide.stores.scopes import ScopeRow

_SUPPRESSED = Fixed(select(suppressions.c.message_id).where(suppressions.c.scope_id == bindparam("scope")))
_HELD = (Status.CONFIRMED, Status.FADED)
_CORRECTED = (Status.REPLACED, Status.SUPPRESSED)
_OF_MEMORY = (
    (evidence, evidence.c.memory_id),
    (scores, scores.c.memory_id),
    (observations, observations.c.memory_id),
    (memory_people, memory_people.c.memory_id),
    (told, told.c.memory_id),
    (plans, plans.c.memory_id),
    (links, links.c.from_id),
    (links, links.c.to_id),
    (rehearsals, rehearsals.c.memory_id),
    (memory_scopes, memory_scopes.c.memory_id),
)


class Removal:
    """Removes within one scope and one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int, index: VectorIndex) -> None:
        self._connection = connection
        self._scope = scope
        self._index = index
        self._now = now

    def unindex(self, numbers: Sequence[int]) -> None:
        """Take memories out of keyword and vector search, at once."""
        if not numbers:
            return
        Postings(self._connection, self._scope).drop(numbers)
        drop_vectors(self._connection, self._scope, numbers, index=self._index)
        for chunk in chunks(numbers):
            self._connection.execute(
                update(memory_scopes)
                .where(memory_scopes.c.scope_id == self._scope.id, memory_scopes.c.memory_id.in_(chunk))
                .values(embedded=0, analysed=0)
            )

    def suppress(self, message_numbers: Sequence[int]) -> None:
        """Let nothing be remembered from these messages again (ruling 3)."""
        known = self.suppressed()
        rows = [
            {
                "tenant": self._scope.tenant,
                "scope_id": self._scope.id,
                "message_id": number,
                "since": self._now,
            }
            for number in dict.fromkeys(message_numbers)
            if number not in known
        ]
        if rows:
            self._connection.execute(insert(suppressions), rows)

    def allow(self, message_numbers: Sequence[int]) -> None:
        """Take a suppression back."""
        for chunk in chunks(message_numbers):
            self._connection.execute(
                delete(suppressions).where(
                    suppressions.c.scope_id == self._scope.id, suppressions.c.message_id.in_(chunk)
                )
            )

    def suppressed(self) -> set[int]:
        """The messages from which nothing may be remembered."""
        return {number for (number,) in _SUPPRESSED.run(self._connection, {"scope": self._scope.id})}

    def unspeakable(self) -> set[int]:
        """The messages whose words no export holds: nothing but what was forgotten rests on them.

        What was corrected was not forgotten, nor was what an episode still tells.
        """
        query = (
            select(evidence.c.message_id, memories.c.status, memories.c.origin)
            .join(memories, memories.c.id == evidence.c.memory_id)
            .join(suppressions, suppressions.c.message_id == evidence.c.message_id)
            .where(suppressions.c.scope_id == self._scope.id)
        )
        forgotten, told = set[int](), set[int]()
        for message, status, origin in self._connection.execute(query):
            if status == Status.FORGOTTEN:
                forgotten.add(message)
            elif status in _CORRECTED or (origin == Origin.RULE and status in _HELD):
                told.add(message)
        return self.suppressed() - (told - forgotten)

    def purge(self, numbers: Sequence[int]) -> int:
        """Destroy memories, and the words of the messages that only they rest on.

        The messages themselves stay without words, so that a client that shows them again is recognised.

        Returns:
            How many messages lost their words.
        """
        rested = self._evidence(numbers)
        self.unindex(numbers)
        self._delete(numbers)
        silent = [number for number in rested if number not in self._still_needed(rested)]
        for chunk in chunks(silent):
            self._connection.execute(
                update(messages)
                .where(messages.c.id.in_(chunk))
                .values(text_sealed=None, raw_date_sealed=None)
            )
        return len(silent)

    def reset(self) -> tuple[int, int]:
        """Delete all that the scope holds, and keep the scope (P15).

        Returns:
            How many memories and how many messages are gone.
        """
        mine = select(memory_scopes.c.memory_id).where(memory_scopes.c.scope_id == self._scope.id)
        numbers = [int(number) for number in self._connection.execute(mine).scalars()]
        for table in (postings, vectors, rehearsals, suppressions, relationships, feelings, leases):
            self._connection.execute(delete(table).where(table.c.scope_id == self._scope.id))
        self._delete(numbers)
        gone = self._delete_log()
        self._connection.execute(
            update(scopes)
            .where(scopes.c.id == self._scope.id)
            .values(revision=scopes.c.revision + 1, epoch=scopes.c.epoch + 1)
        )
        self._index.erase(self._connection, self._scope)
        return len(numbers), gone

    def erase(self) -> tuple[int, int]:
        """Delete all that the scope holds, and the scope."""
        counts = self.reset()
        self._connection.execute(delete(scopes).where(scopes.c.id == self._scope.id))
        return counts

    def _delete(self, numbers: Sequence[int]) -> None:
        for chunk in chunks(numbers):
            for table, column in _OF_MEMORY:
                self._connection.execute(delete(table).where(column.in_(chunk)))
            # Who was at an event stays so, whatever they still tell of it.
            self._connection.execute(
                update(participants).where(participants.c.memory_id.in_(chunk)).values(memory_id=None)
            )
            self._connection.execute(
                update(memories).where(memories.c.replaced_by.in_(chunk)).values(replaced_by=None)
            )
            self._connection.execute(delete(memories).where(memories.c.id.in_(chunk)))

    def _delete_log(self) -> int:
        scope = self._scope.id
        my_windows = select(windows.c.id).where(windows.c.scope_id == scope)
        my_sessions = select(sessions.c.id).where(sessions.c.scope_id == scope)
        my_people = select(people.c.id).where(people.c.scope_id == scope)
        run = self._connection.execute
        run(delete(window_messages).where(window_messages.c.window_id.in_(my_windows)))
        run(delete(windows).where(windows.c.scope_id == scope))
        run(delete(session_messages).where(session_messages.c.session_id.in_(my_sessions)))
        run(update(messages).where(messages.c.scope_id == scope).values(parent_id=None))
        gone = run(delete(messages).where(messages.c.scope_id == scope)).rowcount
        run(delete(session_states).where(session_states.c.session_id.in_(my_sessions)))
        run(
            delete(session_scopes).where(
                or_(session_scopes.c.scope_id == scope, session_scopes.c.session_id.in_(my_sessions))
            )
        )
        run(update(sessions).where(sessions.c.scope_id == scope).values(parent_id=None))
        run(delete(sessions).where(sessions.c.scope_id == scope))
        run(delete(names).where(names.c.person_id.in_(my_people)))
        run(update(people).where(people.c.scope_id == scope).values(merged_into=None))
        run(delete(people).where(people.c.scope_id == scope))
        return int(gone)

    def _evidence(self, numbers: Sequence[int]) -> list[int]:
        found: set[int] = set()
        for chunk in chunks(numbers):
            query = select(evidence.c.message_id).where(evidence.c.memory_id.in_(chunk))
            found.update(self._connection.execute(query).scalars())
        return sorted(found)

    def _still_needed(self, message_numbers: Sequence[int]) -> set[int]:
        needed: set[int] = set()
        for chunk in chunks(message_numbers):
            query = (
                select(evidence.c.message_id)
                .join(memories, memories.c.id == evidence.c.memory_id)
                .where(
                    evidence.c.message_id.in_(chunk),
                    memories.c.status.in_(_HELD),
                    or_(memories.c.origin == Origin.RULE, memories.c.origin == Origin.EXTRACTED),
                )
            )
            needed.update(self._connection.execute(query).scalars())
        return needed
