"""The log of one scope: sessions, and the messages that each of them shows, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, text, update

from omoide.domain.exchanges import LONGEST
from omoide.domain.instants import to_micros, zone_name
from omoide.domain.model import MessageState, Role
from omoide.domain.records import Entry, Logged, Session
from omoide.stores.fixed import Fixed, insert_rows, next_numbers
from omoide.stores.scopes import ScopeRow, new_uid
from omoide.stores.tables import messages, session_messages, session_scopes, sessions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import BindParameter, ColumnElement, Connection

T = TypeVar("T")

CHUNK = 500
"""Numbers in one IN list, below every database's limit on parameters."""


_LOGGED = (
    messages.c.id,
    messages.c.role,
    messages.c.speaker_id,
    messages.c.state,
    messages.c.hash,
    messages.c.at,
    messages.c.zone,
    messages.c.heard,
    messages.c.variant,
    messages.c.position,
)


# As one session shows them: a position there may differ from that in the scope.
_SHOWN = (*_LOGGED[:-1], session_messages.c.position)

# As text and not as a parameter, so that the partial index on it can serve.
PROVISIONAL = text("messages.state = 'provisional'")


_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_OF_SESSION = session_messages.c.session_id == bindparam("session")
_IN_SESSION = (
    select(*_SHOWN).join(session_messages, session_messages.c.message_id == messages.c.id).where(_OF_SESSION)
)
_SESSION = Fixed(
    select(sessions.c.id, sessions.c.named).where(
        sessions.c.scope_id == bindparam("scope"), sessions.c.tag == bindparam("tag")
    )
)
_TOUCH = Fixed(update(sessions).where(sessions.c.id == bindparam("session")).values(last_at=bindparam("now")))
_PATH = Fixed(
    _IN_SESSION.where(session_messages.c.position >= bindparam("since")).order_by(
        session_messages.c.position, messages.c.id
    )
)
_NEXT = Fixed(
    _IN_SESSION.where(session_messages.c.position > bindparam("position"))
    .order_by(session_messages.c.position)
    .limit(1)
)
_LAST_POSITION = Fixed(select(func.max(session_messages.c.position)).where(_OF_SESSION))
_LAST_SETTLED = Fixed(
    select(messages.c.position)
    .where(
        messages.c.scope_id == bindparam("scope"),
        messages.c.role == Role.USER.value,
        messages.c.state.in_([MessageState.SETTLED.value, MessageState.HIDDEN.value]),
    )
    .order_by(messages.c.position.desc())
    .limit(1)
)
_TEXTS = Fixed(
    select(messages.c.id, messages.c.uid, messages.c.text_sealed).where(messages.c.id.in_(_NUMBERS))
)
_FIRST = -(2**63)


class Log:
    """Reads and writes one scope's log, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int) -> None:
        self._connection = connection
        self._scope = scope
        self._now = now
        # What this transaction wrote, so that it need not be read again.
        self._just_written: dict[int, str] = {}
        self._uids: dict[int, bytes] = {}

    def session(self, name: str) -> Session | None:
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

    def session_name(self, number: int) -> str:
        """The name of the session with this number."""
        query = select(sessions.c.uid, sessions.c.external_sealed).where(sessions.c.id == number)
        row = self._connection.execute(query).one()
        return self._scope.sealer.open_text(row.external_sealed, row=row.uid)

    def session_names(self) -> dict[int, str]:
        """The name of each session, by number, oldest first."""
        query = select(sessions.c.id, sessions.c.uid, sessions.c.external_sealed).where(
            sessions.c.scope_id == self._scope.id
        )
        opened = self._scope.sealer.open_text
        return {row.id: opened(row.external_sealed, row=row.uid) for row in self._connection.execute(query)}

    def path(self, session: int, *, since: int | None = None) -> list[Logged]:
        """What the session shows now, in order; from one position on where `since` is given."""
        values = {"session": session, "since": _FIRST if since is None else since}
        return [_logged(row) for row in _PATH.run(self._connection, values)]

    def begin(self, session: int, *, before: int | None = None) -> int | None:
        """From which position on the exchanges that a change may touch are to be cut anew.

        Args:
            session: the session's number.
            before: the position of the first change; None for what is added at the end.

        Returns:
            The position where the exchange begins that holds the last message before the change, or its last
            piece where it is a long one; None for the session's beginning.
        """
        shown = session_messages.c.session_id == session
        if before is not None:
            shown = and_(shown, session_messages.c.position < before)
        said = self._last(shown, messages.c.role == Role.USER)
        if said is None:
            return None
        speaker, position = said
        other = self._last(
            and_(shown, session_messages.c.position < position),
            or_(messages.c.role != Role.USER, messages.c.speaker_id != speaker),
        )
        if other is not None:
            shown = and_(shown, session_messages.c.position > other[1])
        length = self._connection.execute(select(func.count()).where(shown)).scalar_one()
        place = session_messages.c.position
        there = (
            select(messages.c.role, place)
            .join(session_messages, session_messages.c.message_id == messages.c.id)
            .where(shown)
            .limit(1)
        )
        last = there.order_by(place.desc()).offset((length - 1) % LONGEST)
        begin = self._connection.execute(last).one()
        if begin.role != Role.USER:
            # A piece that begins with a character's words is none without those before it.
            begin = self._connection.execute(there.order_by(place)).one()
        return int(begin.position)

    def _last(self, *conditions: ColumnElement[bool]) -> tuple[int, int] | None:
        """The speaker and the position of the last message that fits."""
        query = (
            select(messages.c.speaker_id, session_messages.c.position)
            .join(session_messages, session_messages.c.message_id == messages.c.id)
            .where(*conditions)
            .order_by(session_messages.c.position.desc())
            .limit(1)
        )
        row = self._connection.execute(query).first()
        return None if row is None else (row.speaker_id, row.position)

    def last_position(self, session: int) -> int | None:
        """The last position in a session."""
        ((found,),) = _LAST_POSITION.run(self._connection, {"session": session})
        return None if found is None else int(found)

    def last_settled(self) -> int | None:
        """The position of the last settled message of a person in the whole scope."""
        found = _LAST_SETTLED.run(self._connection, {"scope": self._scope.id})
        return int(found[0][0]) if found else None

    def next_shown(self, session: int, position: int) -> Logged | None:
        """What the session shows right after a position; None at its end."""
        found = _NEXT.run(self._connection, {"session": session, "position": position})
        return _logged(found[0]) if found else None

    def add(self, session: int, entries: Sequence[Entry]) -> list[Logged]:
        """Write messages and show them in the session."""
        if not entries:
            return []
        rows = [
            {"id": number, **self._values(session, entry)}
            for number, entry in zip(
                next_numbers(self._connection, messages, len(entries)), entries, strict=True
            )
        ]
        insert_rows(self._connection, messages, rows)
        self._just_written.update(
            {row["id"]: entry.message.text for row, entry in zip(rows, entries, strict=True)}
        )
        self._uids.update({row["id"]: row["uid"] for row in rows})
        logged = [_written(entry, row["id"]) for entry, row in zip(entries, rows, strict=True)]
        self.show(session, logged)
        return logged

    def show(self, session: int, shown: Iterable[Logged]) -> None:
        """Let the session show messages that are in the log already."""
        rows = [
            {
                "tenant": self._scope.tenant,
                "session_id": session,
                "position": message.position,
                "message_id": message.id,
            }
            for message in shown
        ]
        insert_rows(self._connection, session_messages, rows)

    def move(self, session: int, moved: Iterable[Logged]) -> None:
        """Let messages that the session shows stand at other positions."""
        for message in moved:
            self._connection.execute(
                update(session_messages)
                .where(session_messages.c.session_id == session, session_messages.c.message_id == message.id)
                .values(position=message.position)
            )

    def withdraw(self, session: int, withdrawn: Sequence[int]) -> list[int]:
        """Let the session show these no longer.

        Returns:
            Those that no session shows any more; they are withdrawn, softly.
        """
        gone: list[int] = []
        for chunk in chunks(withdrawn):
            self._connection.execute(
                delete(session_messages).where(
                    session_messages.c.session_id == session, session_messages.c.message_id.in_(chunk)
                )
            )
            kept = set(
                self._connection.execute(
                    select(session_messages.c.message_id).where(session_messages.c.message_id.in_(chunk))
                ).scalars()
            )
            gone += [number for number in chunk if number not in kept]
        self.set_state(gone, MessageState.WITHDRAWN)
        return gone

    def absent(self, session: int, contents: Iterable[bytes]) -> dict[bytes, list[Logged]]:
        """Messages of these contents that the session, or one that it branched off, showed once.

        Returns:
            By content, those that the session does not show now, in order.
        """
        family = self._family(session)
        shown = select(session_messages.c.message_id).where(
            session_messages.c.session_id == session, session_messages.c.message_id == messages.c.id
        )
        found: dict[bytes, list[Logged]] = {}
        for chunk in chunks(list(contents)):
            query = (
                select(*_LOGGED)
                .where(
                    messages.c.scope_id == self._scope.id,
                    messages.c.hash.in_(chunk),
                    messages.c.session_id.in_(family),
                    ~shown.exists(),
                )
                .order_by(messages.c.position, messages.c.id)
            )
            for row in self._connection.execute(query):
                found.setdefault(row.hash, []).append(_logged(row))
        return found

    def _family(self, session: int) -> list[int]:
        family, parent = [session], self._parent(session)
        while parent is not None:
            family.append(parent)
            parent = self._parent(parent)
        return family

    def _parent(self, session: int) -> int | None:
        query = select(sessions.c.parent_id).where(sessions.c.id == session)
        return self._connection.execute(query).scalar()

    def set_state(self, numbers: Sequence[int], state: MessageState) -> None:
        """Move messages to another state."""
        for chunk in chunks(numbers):
            self._connection.execute(
                update(messages).where(messages.c.id.in_(chunk)).values(state=state.value)
            )

    def provisional(self, *, besides: int | None = None, before: int | None = None) -> list[Logged]:
        """Provisional messages: those said outside one session, or written before an instant."""
        query = select(*_LOGGED).where(messages.c.scope_id == self._scope.id, PROVISIONAL)
        if besides is not None:
            query = query.where(messages.c.session_id != besides)
        if before is not None:
            query = query.where(messages.c.recorded_at <= before)
        return [_logged(row) for row in self._connection.execute(query)]

    def sessions_with(self, contents: Iterable[bytes], *, limit: int) -> list[int]:
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

    def sessions_showing(self, numbers: Sequence[int]) -> dict[int, set[int]]:
        """The messages among these that each session shows, by session."""
        found: dict[int, set[int]] = {}
        for chunk in chunks(numbers):
            query = select(session_messages.c.session_id, session_messages.c.message_id).where(
                session_messages.c.message_id.in_(chunk)
            )
            for session, message in self._connection.execute(query):
                found.setdefault(session, set()).add(message)
        return found

    def find(self, uid: bytes) -> tuple[Logged, int] | None:
        """The message of this id, and the session that it was said in."""
        row = self._connection.execute(
            select(messages.c.session_id, *_LOGGED).where(
                messages.c.scope_id == self._scope.id, messages.c.uid == uid
            )
        ).first()
        return None if row is None else (_logged(row[1:]), row.session_id)

    def find_external(self, external: str) -> tuple[Logged, int] | None:
        """The newest message that its source calls so, and the session that it was said in."""
        row = self._connection.execute(
            select(messages.c.session_id, *_LOGGED)
            .where(
                messages.c.scope_id == self._scope.id,
                messages.c.external_tag == self.external_tag(external),
                messages.c.state != MessageState.WITHDRAWN,
            )
            .order_by(messages.c.id.desc())
        ).first()
        return None if row is None else (_logged(row[1:]), row.session_id)

    def last_said(self, session: int, *, limit: int) -> list[str]:
        """The last messages of people in a session, oldest first."""
        query = (
            select(messages.c.id)
            .join(session_messages, session_messages.c.message_id == messages.c.id)
            .where(session_messages.c.session_id == session, messages.c.role == Role.USER)
            .order_by(session_messages.c.position.desc(), messages.c.id.desc())
            .limit(limit)
        )
        numbers = [int(number) for number in self._connection.execute(query).scalars()]
        said = self.texts(numbers)
        return [said[number] for number in reversed(numbers) if number in said]

    def shown_since(self, session: int, *, turns: int) -> int | None:
        """The position from which a prompt with so many messages of the user shows the session."""
        query = (
            select(session_messages.c.position)
            .join(messages, messages.c.id == session_messages.c.message_id)
            .where(
                session_messages.c.session_id == session,
                messages.c.role == Role.USER,
                messages.c.state != MessageState.HIDDEN,
            )
            .order_by(session_messages.c.position.desc(), messages.c.id.desc())
            .limit(turns)
        )
        found = [int(position) for position in self._connection.execute(query).scalars()]
        return found[-1] if found and turns else None

    def texts(self, numbers: Iterable[int]) -> dict[int, str]:
        """The words of messages; those whose words were forgotten for good are left out."""
        opened = self._scope.sealer.open_text
        wanted = list(numbers)
        found = {number: self._just_written[number] for number in wanted if number in self._just_written}
        for chunk in chunks([number for number in wanted if number not in found]):
            for number, uid, sealed in _TEXTS.run(self._connection, {"numbers": list(chunk)}):
                if sealed is not None:
                    found[number] = opened(sealed, row=uid)
        return found

    def uids(self, numbers: Iterable[int]) -> dict[int, bytes]:
        """The ids of messages."""
        wanted = list(numbers)
        found = {number: self._uids[number] for number in wanted if number in self._uids}
        for chunk in chunks([number for number in wanted if number not in found]):
            query = select(messages.c.id, messages.c.uid).where(messages.c.id.in_(chunk))
            found.update((row.id, row.uid) for row in self._connection.execute(query))
        return found

    def details(self, numbers: Iterable[int]) -> dict[int, tuple[str, str | None, str | None]]:
        """The id of each message, its source's own id, and its date as the source wrote it."""
        opened = self._scope.sealer.open_text
        columns = (messages.c.external_sealed, messages.c.raw_date_sealed)
        found: dict[int, tuple[str, str | None, str | None]] = {}
        for chunk in chunks(list(numbers)):
            query = select(messages.c.id, messages.c.uid, *columns).where(messages.c.id.in_(chunk))
            for number, uid, external, raw_date in self._connection.execute(query):
                found[number] = (
                    str(UUID(bytes=uid)),
                    None if external is None else opened(external, row=uid + b"external"),
                    None if raw_date is None else opened(raw_date, row=uid + b"date"),
                )
        return found

    def external_tag(self, external: str) -> bytes:
        """How the log looks up a source's own id."""
        return self._scope.blinder.tag(external, purpose="external")

    def _values(self, session: int, entry: Entry) -> dict[str, Any]:
        message, uid, seal = entry.message, new_uid(), self._scope.sealer.seal_text
        external = message.external_id
        return {
            "tenant": self._scope.tenant,
            "uid": uid,
            "scope_id": self._scope.id,
            "session_id": session,
            "parent_id": entry.parent,
            "variant": entry.variant,
            "state": entry.state.value,
            "role": message.role.value,
            "speaker_id": entry.speaker,
            "position": entry.position,
            "hash": entry.hash,
            "external_tag": None if external is None else self.external_tag(external),
            "external_sealed": None if external is None else seal(external, row=uid + b"external"),
            "at": None if message.at is None else to_micros(message.at),
            "zone": None if message.at is None else zone_name(message.at),
            "raw_date_sealed": None
            if message.raw_date is None
            else seal(message.raw_date, row=uid + b"date"),
            "heard": message.heard,
            "recorded_at": self._now,
            "text_sealed": seal(message.text, row=uid),
        }


_ROLES = {role.value: role for role in Role}
_STATES = {state.value: state for state in MessageState}


def _logged(row: Sequence[Any]) -> Logged:
    """A row of the columns of `_LOGGED`."""
    number, role, speaker, state, content, at, zone, heard, variant, position = row
    return Logged(
        id=number,
        role=_ROLES[role],
        speaker=speaker,
        state=_STATES[state],
        position=position,
        hash=content,
        at=at,
        zone=zone,
        heard=heard,
        variant=variant,
    )


def _written(entry: Entry, number: int) -> Logged:
    return Logged(
        id=number,
        role=entry.message.role,
        speaker=entry.speaker,
        state=entry.state,
        position=entry.position,
        hash=entry.hash,
        at=None if entry.message.at is None else to_micros(entry.message.at),
        zone=None if entry.message.at is None else zone_name(entry.message.at),
        heard=entry.message.heard,
        variant=entry.variant,
    )


def chunks(numbers: Sequence[T]) -> Iterable[Sequence[T]]:
    """Pieces of a list that fit one IN list."""
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]
