"""Feelings of one scope: written with what was said, and read back by time (H17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, insert, select

from omoide.domain.affect import Feeling, Felt
from omoide.domain.instants import from_micros
from omoide.domain.model import MessageState, Role
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.scopes import new_uid
from omoide.stores.tables import feelings, messages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from omoide.stores.scopes import ScopeRow

_ANY = Fixed(select(feelings.c.id).where(feelings.c.scope_id == bindparam("scope")).limit(1))


class FeltRows:
    """Reads and writes one scope's feelings, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def add(
        self,
        feeling: Feeling,
        *,
        person: int,
        message: int,
        at: int,
        zone: str | None,
        trigger: str = "",
    ) -> None:
        """Note what a person felt when saying something, and what brought it about where that is known."""
        uid = new_uid()
        self._connection.execute(
            insert(feelings).values(
                tenant=self._scope.tenant,
                uid=uid,
                scope_id=self._scope.id,
                message_id=message,
                subject_id=person,
                emotion=feeling.emotion,
                intensity=feeling.intensity,
                trigger_sealed=self._scope.sealer.seal_text(trigger, row=uid) if trigger else None,
                at=at,
                zone=zone,
            )
        )

    def known(self, message_numbers: Sequence[int]) -> set[tuple[int, int]]:
        """Of which messages the feelings are known, each with whose they are."""
        found: set[tuple[int, int]] = set()
        for chunk in chunks(message_numbers):
            query = select(feelings.c.message_id, feelings.c.subject_id).where(
                feelings.c.scope_id == self._scope.id, feelings.c.message_id.in_(chunk)
            )
            found.update((row.message_id, row.subject_id) for row in self._connection.execute(query))
        return found

    def strength(self, message_numbers: Sequence[int]) -> dict[int, float]:
        """How strong at most, 0 to 1, was what people felt at messages of their own, where that is known."""
        found: dict[int, float] = {}
        for chunk in chunks(message_numbers):
            query = (
                select(feelings.c.message_id, func.max(feelings.c.intensity))
                .join(messages, messages.c.id == feelings.c.message_id)
                .where(
                    feelings.c.scope_id == self._scope.id,
                    feelings.c.message_id.in_(chunk),
                    feelings.c.subject_id == messages.c.speaker_id,
                    messages.c.role == Role.USER.value,
                )
                .group_by(feelings.c.message_id)
            )
            found.update((number, strongest) for number, strongest in self._connection.execute(query))
        return found

    def all(self) -> list[tuple[int, Feeling, str]]:
        """All that was felt: the message, the feeling, and what brought it about; in order of time."""
        query = select(feelings).where(
            feelings.c.scope_id == self._scope.id, feelings.c.message_id.is_not(None)
        )
        opened = self._scope.sealer.open_text
        return [
            (
                row.message_id,
                Feeling(emotion=row.emotion, intensity=row.intensity),
                "" if row.trigger_sealed is None else opened(row.trigger_sealed, row=row.uid),
            )
            for row in self._connection.execute(query.order_by(feelings.c.at, feelings.c.id))
        ]

    def any(self) -> bool:
        """Whether anything is known of feelings in this scope."""
        return bool(_ANY.run(self._connection, {"scope": self._scope.id}))

    def of(self, person: int, *, since: int, until: int) -> list[Felt]:
        """What a person felt in a stretch of time, oldest first; what was taken back counts no more."""
        query = (
            select(feelings.c.emotion, feelings.c.intensity, feelings.c.at, feelings.c.zone)
            .add_columns(feelings.c.uid, feelings.c.trigger_sealed)
            .join(messages, messages.c.id == feelings.c.message_id)
            .where(
                feelings.c.scope_id == self._scope.id,
                feelings.c.subject_id == person,
                feelings.c.at >= since,
                feelings.c.at <= until,
                messages.c.state != MessageState.WITHDRAWN,
            )
            .order_by(feelings.c.at)
        )
        opened = self._scope.sealer.open_text
        return [
            Felt(
                feeling=Feeling(emotion=emotion, intensity=intensity),
                at=from_micros(at, zone),
                trigger="" if sealed is None else opened(sealed, row=uid),
            )
            for emotion, intensity, at, zone, uid, sealed in self._connection.execute(query)
        ]
