"""What the proxy is in the middle of: which turn of a session is the newest, and what the upstream holds."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.model import Message
    from omoide.scope import Scope

V = TypeVar("V")

_MOST: Final = 10_000
"""Sessions and answers that are known; the one that was used longest ago is forgotten first."""

_FEWER: Final = 1_000
"""Sessions of which it is known how their last turn left them."""

_TAIL: Final = 12
"""Messages at a conversation's end that are kept of one that the upstream holds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """A conversation that the upstream holds, as it stood after one of its answers.

    Attributes:
        session: the session's name.
        messages: the newest ones, each with a role and content.
    """

    session: str | None
    messages: tuple[dict[str, Any], ...]


class Conversations:
    """What goes on, as long as the server runs.

    What it forgets costs no memory: a swipe may then be taken for new words.
    """

    def __init__(self) -> None:
        self._turns: OrderedDict[tuple[str | None, ...], int] = OrderedDict()
        self._held: OrderedDict[tuple[str | None, ...], Held] = OrderedDict()
        self._left: OrderedDict[tuple[str | None, ...], _Left] = OrderedDict()
        self._locks: WeakValueDictionary[tuple[str | None, ...], asyncio.Lock] = WeakValueDictionary()
        self._count = 0

    def order(self, scope: Scope) -> asyncio.Lock:
        """What lets the writes of a scope come in the order of their requests."""
        key = (scope.tenant, scope.user, scope.character)
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock

    def begin(self, scope: Scope, session: str) -> int:
        """Begin a turn in a session; returns its number."""
        self._count += 1
        _put(self._turns, (scope.tenant, scope.user, scope.character, session), self._count)
        return self._count

    def is_newest(self, scope: Scope, session: str, turn: int) -> bool:
        """Whether no other turn of the session has begun since."""
        return self._turns.get((scope.tenant, scope.user, scope.character, session), turn) == turn

    def leave(
        self, scope: Scope, session: str | None, talk: Sequence[Message], *, name: str, turn: int
    ) -> None:
        """Know how a turn has left a session.

        Args:
            scope: whose.
            session: the client's own name for it; None where it has none.
            talk: what the log shows of it now.
            name: the name in the log.
            turn: the turn's number.
        """
        left = _Left(name=name, turn=turn, marks=_marks(talk))
        _put(
            self._left, (scope.tenant, scope.user, scope.character, session, talk[-1].text), left, most=_FEWER
        )

    def goes_on(self, scope: Scope, session: str | None, talk: Sequence[Message]) -> str | None:
        """A session's name in the log, where its last turn left all of the talk but its last message.

        The talk may begin later than what was left, for its beginning may be cut off.
        """
        if len(talk) < 2:
            return None
        left = self._left.get((scope.tenant, scope.user, scope.character, session, talk[-2].text))
        if left is None or left.marks[1 - len(talk) :] != _marks(talk[:-1]):
            return None
        return left.name if self.is_newest(scope, left.name, left.turn) else None

    def hold(
        self, scope: Scope, name: str, *, session: str | None, messages: Sequence[dict[str, Any]]
    ) -> None:
        """Know what the upstream holds under the name of an answer or a conversation."""
        held = Held(session=session, messages=tuple(messages[-_TAIL:]))
        _put(self._held, (scope.tenant, scope.user, scope.character, name), held)

    def held(self, scope: Scope, name: str) -> Held | None:
        """What the upstream holds under a name, as far as it is known here."""
        return self._held.get((scope.tenant, scope.user, scope.character, name))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Left:
    name: str
    turn: int
    marks: tuple[int, ...]


def _marks(talk: Sequence[Message]) -> tuple[int, ...]:
    return tuple(hash((message.role, message.text)) for message in talk)


def _put(
    where: OrderedDict[tuple[str | None, ...], V],
    key: tuple[str | None, ...],
    value: V,
    *,
    most: int = _MOST,
) -> None:
    where[key] = value
    where.move_to_end(key)
    if len(where) > most:
        where.popitem(last=False)
