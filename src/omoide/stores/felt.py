"""Feelings of one scope: written with what was said, and read back by time (H17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select

from omoide.domain.affect import Feeling, Felt
from omoide.domain.instants import from_micros
from omoide.domain.model import MessageState
from omoide.stores.fixed import Fixed
from omoide.stores.scopes import new_uid
from omoide.stores.tables import feelings, messages

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from omoide.stores.scopes import ScopeRow

_ANY = Fixed(select(feelings.c.id).where(feelings.c.scope_id == bindparam("scope")).limit(1))


class FeltRows:
    """Reads and writes one scope's feelings, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def add(self, feeling: Feeling, *, person: int, message: int, at: int, zone: str | None) -> None:
        """Note what a person felt when saying something."""
        self._connection.execute(
            insert(feelings).values(
                tenant=self._scope.tenant,
                uid=new_uid(),
                scope_id=self._scope.id,
                message_id=message,
                subject_id=person,
                emotion=feeling.emotion,
                intensity=feeling.intensity,
                at=at,
                zone=zone,
            )
        )

    def any(self) -> bool:
        """Whether anything is known of feelings in this scope."""
        return bool(_ANY.run(self._connection, {"scope": self._scope.id}))

    def of(self, person: int, *, since: int, until: int) -> list[Felt]:
        """What a person felt in a stretch of time, oldest first; what was taken back counts no more."""
        query = (
            select(feelings.c.emotion, feelings.c.intensity, feelings.c.at, feelings.c.zone)
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
        return [
            Felt(feeling=Feeling(emotion=emotion, intensity=intensity), at=from_micros(at, zone))
            for emotion, intensity, at, zone in self._connection.execute(query)
        ]
