"""The relationship of one scope: one version holds, earlier ones stay with their last message (P22)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, insert, select, update

from omoide.domain.instants import from_micros
from omoide.domain.model import MessageState
from omoide.domain.relationship import Relationship
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.scopes import new_uid
from omoide.stores.tables import messages, relationships, window_messages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import BindParameter, Connection

    from omoide.stores.scopes import ScopeRow

_CURRENT = Fixed(
    select(relationships.c.uid, relationships.c.body_sealed).where(
        relationships.c.scope_id == bindparam("scope"), relationships.c.current
    )
)

_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_RESTING = Fixed(
    select(relationships.c.id).where(
        relationships.c.scope_id == bindparam("scope"), relationships.c.last_message_id.in_(_NUMBERS)
    )
)

_last, _beside = window_messages.alias("of_the_last"), window_messages.alias("beside_it")
_DRAWN = Fixed(
    select(relationships.c.id)
    .join(_last, _last.c.message_id == relationships.c.last_message_id)
    .join(_beside, _beside.c.window_id == _last.c.window_id)
    .where(relationships.c.scope_id == bindparam("scope"), _beside.c.message_id.in_(_NUMBERS))
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """One version of a relationship, when it was written, and whether it holds now."""

    relationship: Relationship
    recorded_at: datetime
    current: bool


class _Drawn(NamedTuple):
    """A version that was drawn from talk, and the last message of it."""

    number: int
    uid: bytes
    last_message: int
    relationship: Relationship


class Relationships:
    """Reads and writes one scope's relationship, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int) -> None:
        self._connection = connection
        self._scope = scope
        self._now = now

    def current(self) -> Relationship | None:
        """The one that holds; None before anything was said of it."""
        rows = _CURRENT.run(self._connection, {"scope": self._scope.id})
        return self._opened(*rows[0]) if rows else None

    def history(self) -> list[Version]:
        """All versions, newest first."""
        query = (
            select(relationships)
            .where(relationships.c.scope_id == self._scope.id)
            .order_by(relationships.c.id.desc())
        )
        return [
            Version(
                relationship=self._opened(row.uid, row.body_sealed),
                recorded_at=from_micros(row.recorded_at),
                current=bool(row.current),
            )
            for row in self._connection.execute(query)
        ]

    def add(self, relationship: Relationship, *, last_message: int | None) -> None:
        """Write a version; it holds unless one is known that rests on later messages."""
        uid = new_uid()
        self._connection.execute(
            insert(relationships).values(
                tenant=self._scope.tenant,
                uid=uid,
                scope_id=self._scope.id,
                current=False,
                last_message_id=last_message,
                body_sealed=self._scope.sealer.seal_text(_written(relationship), row=uid),
                recorded_at=self._now,
            )
        )
        self._choose()

    def follow(self, message_numbers: Sequence[int]) -> None:
        """Where a version ends with one of these, let the newest hold whose last message still stands."""
        if any(self._resting(chunk) for chunk in chunks(message_numbers)):
            self._choose()

    def take_back(self, message_numbers: Sequence[int], *, withdrawn: bool) -> None:
        """Let no version tell any longer what was first told of it with these messages.

        A version is drawn from the window that ends with its last message, and goes on in those after it, in
        whatever words.

        Args:
            message_numbers: which messages.
            withdrawn: whether they are out of the log, and a version that ends with one of them falls by
                itself; otherwise they were only forgotten.
        """
        falling = set(message_numbers) if withdrawn else set()
        touched = {number for chunk in chunks(message_numbers) for number in self._drawn_from(chunk)}
        drawn = self._drawn() if touched else []
        told = [one.relationship for one in drawn]
        for first, one in enumerate(drawn):
            if one.number in touched:
                before, brought = (told[first - 1] if first else Relationship()), told[first]
                begin = first + 1 if one.last_message in falling else first
                told[begin:] = [version.without(brought, before=before) for version in told[begin:]]
        for one, left in zip(drawn, told, strict=True):
            if left != one.relationship:
                body = self._scope.sealer.seal_text(_written(left), row=one.uid)
                self._connection.execute(
                    update(relationships).where(relationships.c.id == one.number).values(body_sealed=body)
                )

    def _drawn_from(self, message_numbers: Sequence[int]) -> list[int]:
        values = {"scope": self._scope.id, "numbers": list(message_numbers)}
        return [number for (number,) in _DRAWN.run(self._connection, values)]

    def _drawn(self) -> list[_Drawn]:
        """The versions that were drawn from talk, in its order."""
        query = (
            select(relationships.c.id, relationships.c.uid, messages.c.id, relationships.c.body_sealed)
            .join(messages, messages.c.id == relationships.c.last_message_id)
            .where(relationships.c.scope_id == self._scope.id)
            .order_by(messages.c.position, relationships.c.id)
        )
        return [
            _Drawn(number, uid, last, self._opened(uid, sealed))
            for number, uid, last, sealed in self._connection.execute(query)
        ]

    def _resting(self, numbers: Sequence[int]) -> bool:
        values = {"scope": self._scope.id, "numbers": list(numbers)}
        return bool(_RESTING.run(self._connection, values))

    def _choose(self) -> None:
        newest = self._newest_standing()
        of_scope = update(relationships).where(relationships.c.scope_id == self._scope.id)
        self._connection.execute(of_scope.where(relationships.c.current).values(current=False))
        if newest is not None:
            self._connection.execute(of_scope.where(relationships.c.id == newest).values(current=True))

    def _newest_standing(self) -> int | None:
        query = (
            select(relationships.c.id, relationships.c.recorded_at, messages.c.position)
            .outerjoin(messages, messages.c.id == relationships.c.last_message_id)
            .where(
                relationships.c.scope_id == self._scope.id,
                (messages.c.id.is_(None)) | (messages.c.state != MessageState.WITHDRAWN.value),
            )
        )
        rows = self._connection.execute(query).all()
        # A version by hand rests on no message; its place is when it was written.
        placed = [(row.recorded_at if row.position is None else row.position, int(row.id)) for row in rows]
        return max(placed)[1] if placed else None

    def _opened(self, uid: bytes, sealed: bytes) -> Relationship:
        body: dict[str, Any] = json.loads(self._scope.sealer.open(sealed, row=uid))
        kept: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in body.items()
        }
        return Relationship(**kept)


def _written(relationship: Relationship) -> str:
    return json.dumps(asdict(relationship), ensure_ascii=False)
