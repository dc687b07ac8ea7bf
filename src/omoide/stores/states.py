"""What a session's state follows from: what the character felt, and how warm all talk was (H1, H5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, func, literal_column, select

from omoide.domain.affect import Feeling
from omoide.domain.model import MessageState, Role, Status
from omoide.domain.session_state import WARM_EMOTIONS, WARM_FEELING, WARMTH
from omoide.stores.tables import feelings, memories, memory_scopes, messages, scores, session_messages

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Select

    from omoide.stores.scopes import ScopeRow

_DAY: ColumnElement[int] = literal_column("86400000000", BigInteger())
"""Microseconds; no parameter, for two of them are two values to a database that groups by them."""


class States:
    """Reads one scope's states, within one transaction.

    Nothing is kept of them but what they follow from: a rewind that withdraws messages takes their feelings
    and episodes along, and with these what came of them (ruling 6).
    """

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def feeling(self, session: int) -> Feeling | None:
        """What the character felt last in what the session shows."""
        shown = select(session_messages.c.message_id).where(
            session_messages.c.session_id == session,
            session_messages.c.message_id == feelings.c.message_id,
        )
        query = (
            select(feelings.c.emotion, feelings.c.intensity)
            .join(messages, messages.c.id == feelings.c.message_id)
            .where(feelings.c.scope_id == self._scope.id, messages.c.role == Role.CHARACTER, shown.exists())
            .order_by(feelings.c.at.desc(), feelings.c.id.desc())
            .limit(1)
        )
        row = self._connection.execute(query).first()
        return None if row is None else Feeling(emotion=row.emotion, intensity=row.intensity)

    def warm_days(self) -> dict[int, float]:
        """How warm all talk of the scope was, by day since 1970 in UTC."""
        days: dict[int, float] = {}
        for query in (self._warm_words(), self._warm_feelings()):
            for day, warm in self._connection.execute(query):
                days[int(day)] = days.get(int(day), 0.0) + float(warm)
        return days

    def _warm_words(self) -> Select[Any]:
        day = (memory_scopes.c.position // _DAY).label("on_day")
        return (
            select(day, func.sum(scores.c.value))
            .join(memory_scopes, memory_scopes.c.memory_id == scores.c.memory_id)
            .join(memories, memories.c.id == scores.c.memory_id)
            .where(
                memory_scopes.c.scope_id == self._scope.id,
                scores.c.name == WARMTH,
                memories.c.status != Status.SUPPRESSED,
            )
            .group_by("on_day")
        )

    def _warm_feelings(self) -> Select[Any]:
        day = (feelings.c.at // _DAY).label("on_day")
        return (
            select(day, func.count() * WARM_FEELING)
            .join(messages, messages.c.id == feelings.c.message_id)
            .where(
                feelings.c.scope_id == self._scope.id,
                feelings.c.emotion.in_(WARM_EMOTIONS),
                messages.c.role == Role.CHARACTER,
                messages.c.state != MessageState.WITHDRAWN,
            )
            .group_by("on_day")
        )
