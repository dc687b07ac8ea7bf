"""Windows of one scope: what is still to be read, what is being read, and what failed (P2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, delete, exists, func, insert, select, update

from omoide.domain.instants import from_micros
from omoide.domain.model import MessageState, Role
from omoide.domain.windows import Uncovered, Window
from omoide.errors import Superseded
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.scopes import new_uid
from omoide.stores.tables import messages, scopes, window_messages, windows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection

    from omoide.stores.scopes import ScopeRow

_READ_AT_ONCE = 400
"""Uncovered messages that are looked at to find the next window."""

_BYTES_A_TOKEN = 3
_CONTEXT = 4
LEFT = "left unread"
"""In place of a prompt's version, where nothing was to be read."""

_SETTLED = (MessageState.SETTLED.value, MessageState.HIDDEN.value)

_UNCOVERED = Fixed(
    select(messages.c.id, messages.c.role, func.length(messages.c.text_sealed), messages.c.recorded_at)
    .where(
        messages.c.scope_id == bindparam("scope"),
        messages.c.role.in_([Role.USER.value, Role.CHARACTER.value]),
        messages.c.state.in_(_SETTLED),
        messages.c.text_sealed.is_not(None),
        ~exists().where(window_messages.c.message_id == messages.c.id),
    )
    .order_by(messages.c.position)
    .limit(_READ_AT_ONCE)
)
_BEHIND = Fixed(
    select(scopes.c.id, scopes.c.uid).where(
        scopes.c.tenant == bindparam("tenant"), scopes.c.revision > scopes.c.extracted
    )
)


class WindowState(StrEnum):
    """Where a window stands: being read, waiting for another try, read, or read without anything to keep."""

    OPEN = "open"
    WAITING = "waiting"
    DONE = "done"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowReport:
    """A window as people see it.

    Attributes:
        id: a number.
        state: where it stands.
        messages: how many messages it holds.
        attempts: how often it was tried.
        next_try: when it is tried again; None unless it waits.
        failure: why it failed last, without any words of the conversation.
        prompt_version: the prompt that it was read with.
    """

    id: int
    state: WindowState
    messages: int
    attempts: int
    next_try: datetime | None = None
    failure: str | None = None
    prompt_version: str | None = None


class Windows:
    """Reads and writes one scope's windows, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int) -> None:
        self._connection = connection
        self._scope = scope
        self._now = now

    def uncovered(self) -> tuple[list[Uncovered], int | None]:
        """The oldest settled messages that no window holds, and when the newest of them was recorded."""
        rows = _UNCOVERED.run(self._connection, {"scope": self._scope.id})
        found = [
            Uncovered(number=number, role=Role(role), tokens=size // _BYTES_A_TOKEN)
            for number, role, size, _ in rows
        ]
        return found, max((row[3] for row in rows), default=None)

    def open(self, held: Sequence[int]) -> Window:
        """Begin a window of these messages."""
        where = self._positions(held)
        made = self._connection.execute(
            insert(windows)
            .values(
                tenant=self._scope.tenant,
                uid=new_uid(),
                scope_id=self._scope.id,
                state=WindowState.OPEN.value,
                attempts=1,
                from_position=min(where),
                to_position=max(where),
            )
            .returning(windows.c.id)
        )
        number = int(made.scalar_one())
        rows = [{"tenant": self._scope.tenant, "window_id": number, "message_id": one} for one in held]
        self._connection.execute(insert(window_messages), rows)
        return Window(id=number, messages=tuple(held), context=self._context(min(where)), attempts=1)

    def again(self) -> Window | None:
        """Take up the oldest window that was left open, or that waits and is due; None if there is none.

        The caller holds the scope's lease, so an open window is one whose reader is gone.
        """
        query = (
            select(windows.c.id, windows.c.attempts, windows.c.from_position)
            .where(
                windows.c.scope_id == self._scope.id,
                (windows.c.state == WindowState.OPEN.value)
                | and_(windows.c.state == WindowState.WAITING.value, windows.c.next_try_at <= self._now),
            )
            .order_by(windows.c.from_position)
        )
        for number, attempts, begin in self._connection.execute(query).all():
            held = self._still_said(number)
            if not held:
                self._drop([number])
                continue
            self._connection.execute(
                update(windows)
                .where(windows.c.id == number)
                .values(state=WindowState.OPEN.value, attempts=attempts + 1)
            )
            return Window(id=number, messages=held, context=self._context(begin), attempts=attempts + 1)
        return None

    def close(self, window: Window, *, skipped: bool, prompt_version: str) -> None:
        """Note that a window was read, in the transaction that writes what came of it.

        Raises:
            Superseded: another worker has taken it over, or its messages have changed; write nothing.
        """
        state = WindowState.SKIPPED if skipped else WindowState.DONE
        self._mine(window)
        self._connection.execute(
            update(windows)
            .where(windows.c.id == window.id)
            .values(state=state.value, failure=None, next_try_at=None, prompt_version=prompt_version)
        )

    def fail(self, window: Window, *, failure: str, next_try: int) -> None:
        """Let a window wait for another try; one that was taken over is left alone."""
        self._connection.execute(
            update(windows)
            .where(
                windows.c.id == window.id,
                windows.c.attempts == window.attempts,
                windows.c.state == WindowState.OPEN.value,
            )
            .values(state=WindowState.WAITING.value, failure=failure, next_try_at=next_try)
        )

    def uncover(self, message_numbers: Iterable[int]) -> None:
        """Let messages be read again; a window that waits with them is made anew."""
        for chunk in chunks(list(message_numbers)):
            held = select(window_messages.c.window_id).where(window_messages.c.message_id.in_(chunk))
            unread = select(windows.c.id).where(
                windows.c.id.in_(held),
                windows.c.state.in_([WindowState.OPEN.value, WindowState.WAITING.value]),
            )
            self._drop([int(number) for number in self._connection.execute(unread).scalars()])
            self._connection.execute(
                delete(window_messages).where(
                    window_messages.c.message_id.in_(chunk),
                    window_messages.c.window_id.in_(
                        select(windows.c.id).where(windows.c.scope_id == self._scope.id)
                    ),
                )
            )

    def covered(self) -> list[int]:
        """The messages that were read, in log order."""
        query = (
            select(messages.c.id, messages.c.position)
            .join(window_messages, window_messages.c.message_id == messages.c.id)
            .join(windows, windows.c.id == window_messages.c.window_id)
            .where(
                windows.c.scope_id == self._scope.id,
                windows.c.state.in_([WindowState.DONE.value, WindowState.SKIPPED.value]),
            )
            .distinct()
            .order_by(messages.c.position)
        )
        return [int(number) for number in self._connection.execute(query).scalars()]

    def unread(self, *, since: int) -> int:
        """How many messages of users came since a moment that no window holds."""
        query = select(func.count()).where(*self._unread(since), messages.c.role == Role.USER.value)
        return int(self._connection.execute(query).scalar_one())

    def leave(self, *, since: int) -> int:
        """Leave unread what came since a moment and is not read yet; returns how many messages that are."""
        query = select(messages.c.id).where(*self._unread(since)).order_by(messages.c.position)
        left = [int(number) for number in self._connection.execute(query).scalars()]
        for chunk in chunks(left):
            number = self.open(chunk).id
            values = {"state": WindowState.SKIPPED.value, "prompt_version": LEFT}
            self._connection.execute(update(windows).where(windows.c.id == number).values(values))
        return len(left)

    def take_up(self) -> None:
        """Let be read what was left unread."""
        query = select(windows.c.id).where(
            windows.c.scope_id == self._scope.id, windows.c.prompt_version == LEFT
        )
        self._drop([int(number) for number in self._connection.execute(query).scalars()])
        self._connection.execute(update(scopes).where(scopes.c.id == self._scope.id).values(extracted=-1))

    def blocked(self, *, attempts: int) -> bool:
        """Whether a window waits that has failed less often than so: what comes later waits with it."""
        query = select(windows.c.id).where(
            windows.c.scope_id == self._scope.id,
            windows.c.state == WindowState.WAITING.value,
            windows.c.attempts < attempts,
        )
        return self._connection.execute(query.limit(1)).scalar() is not None

    def any_waiting(self) -> bool:
        """Whether any window waits for another try, or was left open."""
        query = select(windows.c.id).where(
            windows.c.scope_id == self._scope.id,
            windows.c.state.in_([WindowState.WAITING.value, WindowState.OPEN.value]),
        )
        return self._connection.execute(query.limit(1)).scalar() is not None

    def caught_up(self, revision: int) -> None:
        """Note that nothing of the scope is left to read, as of a revision."""
        self._connection.execute(
            update(scopes).where(scopes.c.id == self._scope.id).values(extracted=revision)
        )

    def revision(self) -> int:
        """The scope's revision now."""
        query = select(scopes.c.revision).where(scopes.c.id == self._scope.id)
        return int(self._connection.execute(query).scalar_one())

    def reports(self, *, limit: int = 100) -> list[WindowReport]:
        """The newest windows."""
        query = (
            select(windows, func.count(window_messages.c.message_id))
            .outerjoin(window_messages, window_messages.c.window_id == windows.c.id)
            .where(windows.c.scope_id == self._scope.id)
            .group_by(windows.c.id)
            .order_by(windows.c.id.desc())
            .limit(limit)
        )
        return [
            WindowReport(
                id=row.id,
                state=WindowState(row.state),
                messages=int(row[-1]),
                attempts=row.attempts,
                next_try=None
                if row.state != WindowState.WAITING.value or row.next_try_at is None
                else from_micros(row.next_try_at),
                failure=row.failure,
                prompt_version=row.prompt_version,
            )
            for row in self._connection.execute(query)
        ]

    def _unread(self, since: int) -> tuple[ColumnElement[bool], ...]:
        return (
            messages.c.scope_id == self._scope.id,
            messages.c.recorded_at >= since,
            messages.c.state.in_(_SETTLED),
            ~exists().where(window_messages.c.message_id == messages.c.id),
        )

    def _mine(self, window: Window) -> None:
        query = select(windows.c.state, windows.c.attempts).where(windows.c.id == window.id)
        found = self._connection.execute(query).one_or_none()
        mine = found is not None and (found.state, found.attempts) == (
            WindowState.OPEN.value,
            window.attempts,
        )
        if not mine or self._still_said(window.id) != window.messages:
            msg = f"the window {window.id!r} was taken over or has changed; nothing was written of it"
            raise Superseded(msg)

    def _still_said(self, number: int) -> tuple[int, ...]:
        """The messages of a window that nobody took back, in log order."""
        query = (
            select(messages.c.id)
            .join(window_messages, window_messages.c.message_id == messages.c.id)
            .where(
                window_messages.c.window_id == number,
                messages.c.state.in_(_SETTLED),
                messages.c.text_sealed.is_not(None),
            )
            .order_by(messages.c.position)
        )
        return tuple(int(found) for found in self._connection.execute(query).scalars())

    def _context(self, position: int) -> tuple[int, ...]:
        query = (
            select(messages.c.id)
            .where(
                messages.c.scope_id == self._scope.id,
                messages.c.position < position,
                messages.c.state.in_(_SETTLED),
                messages.c.text_sealed.is_not(None),
            )
            .order_by(messages.c.position.desc())
            .limit(_CONTEXT)
        )
        return tuple(int(found) for found in self._connection.execute(query).scalars())[::-1]

    def _positions(self, numbers: Sequence[int]) -> list[int]:
        query = select(messages.c.position).where(messages.c.id.in_(numbers))
        return [int(found) for found in self._connection.execute(query).scalars()]

    def _drop(self, numbers: Sequence[int]) -> None:
        if numbers:
            self._connection.execute(delete(window_messages).where(window_messages.c.window_id.in_(numbers)))
            self._connection.execute(delete(windows).where(windows.c.id.in_(numbers)))


def behind(connection: Connection, *, tenant: str) -> list[bytes]:
    """The ids of a tenant's scopes that have changed since everything of them was read."""
    return [uid for _, uid in _BEHIND.run(connection, {"tenant": tenant})]
