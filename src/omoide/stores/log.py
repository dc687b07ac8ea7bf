"""The log of one scope: the messages that each of its sessions shows, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import bindparam, delete, func, or_, select, update

from omoide.domain.exchanges import LONGEST
from omoide.domain.instants import to_micros, zone_name
from omoide.domain.model import MessageState, Role
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed, insert_rows, next_numbers
from omoide.stores.logged import LOGGED, PROVISIONAL, SHOWN, from_entry, from_row
from omoide.stores.scopes import ScopeRow, new_uid
from omoide.stores.tables import messages, session_messages, sessions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

    from omoide.domain.records import Entry, Logged
    from omoide.stores.sessions import Sessions
    from omoide.stores.texts import Texts


_OF_SESSION = session_messages.c.session_id == bindparam("session")
_IN_SESSION = (
    select(*SHOWN).join(session_messages, session_messages.c.message_id == messages.c.id).where(_OF_SESSION)
)
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
_NEWEST = Fixed(
    select(messages.c.id)
    .where(messages.c.scope_id == bindparam("scope"), messages.c.role == bindparam("role"))
    .order_by(messages.c.position.desc())
    .limit(bindparam("limit"))
)
_PROVISIONAL = Fixed(
    select(*LOGGED).where(
        messages.c.scope_id == bindparam("scope"),
        PROVISIONAL,
        messages.c.session_id != bindparam("besides"),
        messages.c.recorded_at <= bindparam("before"),
    )
)
_BETWEEN = (
    _OF_SESSION,
    session_messages.c.position > bindparam("after"),
    session_messages.c.position < bindparam("before"),
)
_SPOKEN = (
    select(messages.c.speaker_id, messages.c.role, session_messages.c.position)
    .join(session_messages, session_messages.c.message_id == messages.c.id)
    .where(*_BETWEEN)
    .limit(1)
)
_NEWEST_FIRST = _SPOKEN.order_by(session_messages.c.position.desc())
_OF_PERSON = messages.c.role == Role.USER.value
_LAST_OF_PERSON = Fixed(_NEWEST_FIRST.where(_OF_PERSON))
_LAST_OF_OTHER = Fixed(_NEWEST_FIRST.where(or_(~_OF_PERSON, messages.c.speaker_id != bindparam("speaker"))))
_FROM_LAST = Fixed(_NEWEST_FIRST.offset(bindparam("skipped")))
_FIRST_SPOKEN = Fixed(_SPOKEN.order_by(session_messages.c.position))
_LENGTH = Fixed(select(func.count()).select_from(session_messages).where(*_BETWEEN))
_LATELY_SAID = Fixed(
    select(session_messages.c.position)
    .join(messages, messages.c.id == session_messages.c.message_id)
    .where(_OF_SESSION, _OF_PERSON, messages.c.state != MessageState.HIDDEN.value)
    .order_by(session_messages.c.position.desc(), messages.c.id.desc())
    .limit(bindparam("turns"))
)
_FIRST, _LAST = -(2**63), 2**63 - 1
_NO_SESSION = -1


class Log:
    """Reads and writes one scope's log, within one transaction."""

    def __init__(
        self, connection: Connection, scope: ScopeRow, *, now: int, sessions: Sessions, texts: Texts
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._now = now
        self._sessions = sessions
        self._texts = texts
        # What this transaction wrote, so that it need not be read again.
        self._uids: dict[int, bytes] = {}

    def path(self, session: int, *, since: int | None = None) -> list[Logged]:
        """What the session shows now, in order; from one position on where `since` is given."""
        values = {"session": session, "since": _FIRST if since is None else since}
        return [from_row(row) for row in _PATH.run(self._connection, values)]

    def begin(self, session: int, *, before: int | None = None) -> int | None:
        """From which position on the exchanges that a change may touch are to be cut anew.

        Args:
            session: the session's number.
            before: the position of the first change; None for what is added at the end.

        Returns:
            The position where the exchange begins that holds the last message before the change, or its last
            piece where it is a long one; None for the session's beginning.
        """
        place = {"session": session, "after": _FIRST, "before": _LAST if before is None else before}
        said = _LAST_OF_PERSON.run(self._connection, place)
        if not said:
            return None
        speaker, _, position = said[0]
        other = _LAST_OF_OTHER.run(self._connection, {**place, "before": position, "speaker": speaker})
        if other:
            place["after"] = other[0][2]
        ((length,),) = _LENGTH.run(self._connection, place)
        ((_, role, begin),) = _FROM_LAST.run(self._connection, {**place, "skipped": (length - 1) % LONGEST})
        if role != Role.USER:
            # A piece that begins with a character's words is none without those before it.
            ((_, _, begin),) = _FIRST_SPOKEN.run(self._connection, place)
        return int(begin)

    def last_position(self, session: int) -> int | None:
        """The last position in a session."""
        ((found,),) = _LAST_POSITION.run(self._connection, {"session": session})
        return None if found is None else int(found)

    def last_settled(self) -> int | None:
        """The position of the last settled message of a person in the whole scope."""
        found = _LAST_SETTLED.run(self._connection, {"scope": self._scope.id})
        return int(found[0][0]) if found else None

    def newest(self, role: Role, *, limit: int) -> list[int]:
        """The newest messages of a role in the whole scope, those that were taken back too."""
        values = {"scope": self._scope.id, "role": role.value, "limit": limit}
        return [int(number) for (number,) in _NEWEST.run(self._connection, values)]

    def next_shown(self, session: int, position: int) -> Logged | None:
        """What the session shows right after a position; None at its end."""
        found = _NEXT.run(self._connection, {"session": session, "position": position})
        return from_row(found[0]) if found else None

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
        said = ((row["id"], entry.message.text) for row, entry in zip(rows, entries, strict=True))
        self._texts.note({number: text for number, text in said if text})
        self._uids.update({row["id"]: row["uid"] for row in rows})
        logged = [from_entry(entry, row["id"]) for entry, row in zip(entries, rows, strict=True)]
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
        """Messages of these contents that the session, or one that it branched off until then, showed once.

        What was said in the other session after the branch began is another saying of the same words.

        Returns:
            By content, those that the session does not show now, in order.
        """
        family = self._sessions.family(session)
        shown = select(session_messages.c.message_id).where(
            session_messages.c.session_id == session, session_messages.c.message_id == messages.c.id
        )
        began = select(sessions.c.created_at).where(sessions.c.id == session).scalar_subquery()
        found: dict[bytes, list[Logged]] = {}
        for chunk in chunks(list(contents)):
            query = (
                select(*LOGGED)
                .where(
                    messages.c.scope_id == self._scope.id,
                    messages.c.hash.in_(chunk),
                    messages.c.session_id.in_(family),
                    or_(messages.c.session_id == session, messages.c.recorded_at <= began),
                    ~shown.exists(),
                )
                .order_by(messages.c.position, messages.c.id)
            )
            for row in self._connection.execute(query):
                found.setdefault(row.hash, []).append(from_row(row))
        return found

    def set_state(self, numbers: Sequence[int], state: MessageState) -> None:
        """Move messages to another state."""
        for chunk in chunks(numbers):
            self._connection.execute(
                update(messages).where(messages.c.id.in_(chunk)).values(state=state.value)
            )

    def provisional(self, *, besides: int | None = None, before: int | None = None) -> list[Logged]:
        """Provisional messages: those said outside one session, or written before an instant."""
        values = {
            "scope": self._scope.id,
            "besides": _NO_SESSION if besides is None else besides,
            "before": _LAST if before is None else before,
        }
        return [from_row(row) for row in _PROVISIONAL.run(self._connection, values)]

    def of(self, numbers: Sequence[int]) -> list[Logged]:
        """Messages by number, whatever their state, in log order."""
        found = []
        for chunk in chunks(numbers):
            query = select(*LOGGED).where(messages.c.scope_id == self._scope.id, messages.c.id.in_(chunk))
            found += [from_row(row) for row in self._connection.execute(query)]
        return sorted(found, key=lambda message: (message.position, message.id))

    def find(self, uid: bytes) -> tuple[Logged, int] | None:
        """The message of this id, and the session that it was said in."""
        row = self._connection.execute(
            select(messages.c.session_id, *LOGGED).where(
                messages.c.scope_id == self._scope.id, messages.c.uid == uid
            )
        ).first()
        return None if row is None else (from_row(row[1:]), row.session_id)

    def called(self, name: str) -> tuple[Logged, int] | None:
        """The message of this id, ours as text or else its source's, and the session that it was said in."""
        try:
            found = self.find(UUID(name).bytes)
        except ValueError:
            found = None
        return found or self.find_external(name)

    def learn(self, number: int, content: bytes) -> None:
        """Know a message without words again by a hash of them."""
        self._connection.execute(update(messages).where(messages.c.id == number).values(hash=content))

    def find_external(self, external: str) -> tuple[Logged, int] | None:
        """The newest message that its source calls so, and the session that it was said in."""
        return next(iter(self.every_external(external)), None)

    def every_external(self, external: str) -> list[tuple[Logged, int]]:
        """All messages that their source calls so, newest first, and the session that each was said in."""
        rows = self._connection.execute(
            select(messages.c.session_id, *LOGGED)
            .where(
                messages.c.scope_id == self._scope.id,
                messages.c.external_tag == self.external_tag(external),
                messages.c.state != MessageState.WITHDRAWN,
            )
            .order_by(messages.c.id.desc())
        )
        return [(from_row(row[1:]), row.session_id) for row in rows]

    def shown_since(self, session: int, *, turns: int) -> int | None:
        """The position from which a prompt with so many messages of the user shows the session."""
        found = _LATELY_SAID.run(self._connection, {"session": session, "turns": turns})
        return int(found[-1][0]) if found and turns else None

    def uids(self, numbers: Iterable[int]) -> dict[int, bytes]:
        """The ids of messages."""
        wanted = list(numbers)
        found = {number: self._uids[number] for number in wanted if number in self._uids}
        for chunk in chunks([number for number in wanted if number not in found]):
            query = select(messages.c.id, messages.c.uid).where(messages.c.id.in_(chunk))
            found.update((row.id, row.uid) for row in self._connection.execute(query))
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
            "text_sealed": seal(message.text, row=uid) if message.text else None,
        }
