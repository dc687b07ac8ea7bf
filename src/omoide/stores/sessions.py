"""Sessions of one scope: their names, where they branched off, and which of them show a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, insert, select, update

from omoide.domain.model import MessageState, Role
from omoide.domain.records import Session
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.scopes import ScopeRow, new_uid
from omoide.stores.tables import messages, session_messages, session_scopes, sessions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

_SESSION = Fixed(
    select(sessions.c.id, sessions.c.named).where(
        sessions.c.scope_id == bindparam("scope"), sessions.c.tag == bindparam("tag")
    )
)
_NAMES = Fixed(
    select(sessions.c.id, sessions.c.uid, sessions.c.external_sealed)
    .where(sessions.c.scope_id == bindparam("scope"))
    .order_by(sessions.c.id)
)
_NEWEST = Fixed(
    select(sessions.c.id)
    .where(sessions.c.scope_id == bindparam("scope"))
    .order_by(sessions.c.last_at.desc(), sessions.c.id.desc())
    .limit(1)
)
_CHARACTERS = Fixed(
    select(messages.c.speaker_id)
    .distinct()
    .join(session_messages, session_messages.c.message_id == messages.c.id)
    .where(
        session_messages.c.session_id == bindparam("session"),
        messages.c.role == Role.CHARACTER.value,
        messages.c.state != MessageState.WITHDRAWN.value,
    )
)
_TOUCH = Fixed(update(sessions).where(sessions.c.id == bindparam("session")).values(last_at=bindparam("now")))


class Sessions:
    """Reads and writes one scope's sessions, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int) -> None:
        self._connection = connection
        self._scope = scope
        self._now = now

    def find(self, name: str) -> Session | None:
        """The session of this name."""
        tag = self._scope.blinder.tag(name, purpose="session")
        found = _SESSION.run(self._connection, {"scope": self._scope.id, "tag": tag})
        return Session(id=found[0][0], named=bool(found[0][1])) if found else None

    def start(self, name: str, *, named: bool = True, parent: int | None = None) -> Session:
        """A new session."""
        uid = new_uid()
        made = self._connection.execute(
            insert(sessions)
            .values(
                tenant=self._scope.tenant,
                uid=uid,
                scope_id=self._scope.id,
                tag=self._scope.blinder.tag(name, purpose="session"),
                external_sealed=self._scope.sealer.seal_text(name, row=uid),
                parent_id=parent,
                named=named,
                created_at=self._now,
                last_at=self._now,
            )
            .returning(sessions.c.id)
        )
        number = int(made.scalar_one())
        self._connection.execute(
            insert(session_scopes).values(
                tenant=self._scope.tenant, session_id=number, scope_id=self._scope.id
            )
        )
        return Session(id=number, named=named)

    def touch(self, session: int) -> None:
        """Note that something was said in the session just now."""
        _TOUCH.run(self._connection, {"session": session, "now": self._now})

    def name(self, number: int) -> str:
        """The name of the session with this number."""
        query = select(sessions.c.uid, sessions.c.external_sealed).where(sessions.c.id == number)
        row = self._connection.execute(query).one()
        return self._scope.sealer.open_text(row.external_sealed, row=row.uid)

    def names(self) -> dict[int, str]:
        """The name of each session, by number, oldest first."""
        opened = self._scope.sealer.open_text
        rows = _NAMES.run(self._connection, {"scope": self._scope.id})
        return {number: opened(sealed, row=uid) for number, uid, sealed in rows}

    def characters(self, name: str | None) -> set[int]:
        """The characters that speak in the session of this name, or in the newest one for None."""
        if name is None:
            newest = _NEWEST.run(self._connection, {"scope": self._scope.id})
            session = newest[0][0] if newest else None
        else:
            known = self.find(name)
            session = None if known is None else known.id
        if session is None:
            return set()
        return {int(speaker) for (speaker,) in _CHARACTERS.run(self._connection, {"session": session})}

    def with_most_of(self, contents: Iterable[bytes], *, limit: int) -> list[int]:
        """The sessions that show the most of these contents, the newest first where as many."""
        often = func.count(messages.c.hash.distinct())
        query = (
            select(session_messages.c.session_id)
            .join(messages, messages.c.id == session_messages.c.message_id)
            .where(messages.c.scope_id == self._scope.id, messages.c.hash.in_(list(contents)))
            .group_by(session_messages.c.session_id)
            .order_by(often.desc(), session_messages.c.session_id.desc())
            .limit(limit)
        )
        return [int(number) for number in self._connection.execute(query).scalars()]

    def showing(self, numbers: Sequence[int]) -> dict[int, set[int]]:
        """The messages among these that each session shows, by session."""
        found: dict[int, set[int]] = {}
        for chunk in chunks(numbers):
            query = select(session_messages.c.session_id, session_messages.c.message_id).where(
                session_messages.c.message_id.in_(chunk)
            )
            for session, message in self._connection.execute(query):
                found.setdefault(session, set()).add(message)
        return found

    def family(self, session: int) -> list[int]:
        """The session, and those that it branched off, the nearest first."""
        family, parent = [session], self._parent(session)
        while parent is not None:
            family.append(parent)
            parent = self._parent(parent)
        return family

    def _parent(self, session: int) -> int | None:
        query = select(sessions.c.parent_id).where(sessions.c.id == session)
        return self._connection.execute(query).scalar()
