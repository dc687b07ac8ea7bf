"""Playing a conversation as it happened: told exchange by exchange, read by the worker when a window is due.

The clock follows the conversation, so that a window is read when it would have been, and sees the day that
it would have seen. A second store, in which nothing is extracted, is told the same.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from benchmarks.extraction_reader import Reader, Stage
from benchmarks.recall import instant
from benchmarks.vectors import Lent
from omoide import Message, Omoide, Role
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence
    from contextlib import AbstractAsyncContextManager

    from omoide import Memory, Scope

_CHARACTERS = frozenset({"assistant", "character"})
_BEGIN = datetime(2026, 1, 1, 9, tzinfo=UTC)
"""When a conversation without times begins."""


@dataclass(frozen=True, kw_only=True)
class Played:
    """One conversation after it was played.

    Attributes:
        scope: with extracted memories.
        names: the id in the data of each message that was told.
        memories: what was extracted and holds.
    """

    omoide: Omoide
    scope: Scope
    names: dict[str, str]
    memories: list[Memory] = field(default_factory=list)


@asynccontextmanager
async def played(
    conversation: str, messages: Sequence[dict[str, Any]], stage: Stage
) -> AsyncIterator[Played]:
    """Play a conversation, or as much of it as was not played yet and the limit allows.

    Raises:
        Stopped: the model cannot be asked.
    """
    clock = FixedClock(messages_begin(messages))
    async with _opened(stage, f"{conversation}.db", clock) as omoide:
        scope = _scope(omoide, conversation, messages)
        names = await _told(omoide, scope, messages)
        known = set(names.values())
        reader = Reader(omoide, scope, conversation, stage, clock=clock)
        for exchange in exchanges(message for message in messages if message["text"].strip()):
            if exchange[0]["id"] in known:
                _go_on(clock, exchange)
            else:
                await _wait_for(exchange, clock, scope, reader)
                if stage.limit.reached:
                    break
                names |= await tell(scope, exchange, clock)
            await reader.read()
        else:
            clock.advance(timedelta(hours=1))
            await reader.read()
        await scope.vectorise()
        memories = [memory for memory in await scope.memories() if memory.origin.value == "extracted"]
        yield Played(omoide=omoide, scope=scope, names=names, memories=memories)


@asynccontextmanager
async def untaught(
    conversation: str, messages: Sequence[dict[str, Any]], stage: Stage, *, told: Iterable[str]
) -> AsyncIterator[tuple[Scope, dict[str, str]]]:
    """The same conversation in a store in which nothing is extracted, and the names of its messages."""
    clock, wanted = FixedClock(messages_begin(messages)), set(told)
    async with _opened(stage, f"{conversation}.plain.db", clock, extraction="off") as omoide:
        scope = _scope(omoide, conversation, messages)
        names = await _told(omoide, scope, messages)
        for exchange in exchanges(message for message in messages if message["id"] in wanted):
            if exchange[0]["id"] not in set(names.values()):
                names |= await tell(scope, exchange, clock)
        await scope.vectorise()
        yield scope, names


def exchanges(messages: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Messages by exchange: what a user says, and what is answered to it; never over two sessions."""
    found: list[list[dict[str, Any]]] = []
    for message in messages:
        if not found or role_of(message) is Role.USER or found[-1][-1]["session"] != message["session"]:
            found.append([])
        found[-1].append(message)
    return found


def role_of(message: dict[str, Any]) -> Role:
    """The role in which a message of the data is told."""
    return Role.CHARACTER if message.get("role") in _CHARACTERS else Role.USER


async def tell(scope: Scope, exchange: Sequence[dict[str, Any]], clock: FixedClock) -> dict[str, str]:
    """Tell a scope one exchange; returns the names of its messages."""
    _go_on(clock, exchange)
    recorded = await scope.observe(
        messages=[
            Message(
                role=role_of(line),
                speaker=line["speaker"],
                text=line["text"],
                at=instant(line["time"]),
                external_id=line["id"],
            )
            for line in exchange
        ],
        session=str(exchange[0]["session"]),
    )
    return dict(zip(recorded.messages, (line["id"] for line in exchange), strict=True))


def messages_begin(messages: Sequence[dict[str, Any]]) -> datetime:
    """When a conversation begins."""
    return instant(messages[0]["time"]) or _BEGIN


def _go_on(clock: FixedClock, exchange: Sequence[dict[str, Any]]) -> None:
    last = instant(exchange[-1]["time"]) or clock.now() + timedelta(minutes=1)
    clock.advance(max(last - clock.now(), timedelta()))


async def _wait_for(
    exchange: Sequence[dict[str, Any]], clock: FixedClock, scope: Scope, reader: Reader
) -> None:
    """Let the quiet before an exchange pass; after long enough a smaller window is read too."""
    quiet = timedelta(minutes=reader.quiet_minutes, seconds=1)
    begin = instant(exchange[0]["time"])
    if begin is not None and begin - clock.now() > quiet:
        clock.advance(quiet)
        await scope.vectorise()
        await reader.read()


def _opened(stage: Stage, store: str, clock: FixedClock, **more: Any) -> AbstractAsyncContextManager[Omoide]:
    settings = {"master_key_file": stage.folder / "master.key", "worker": False, **stage.settings, **more}
    embedder: Lent | Literal["none"] = "none" if stage.embedder is None else Lent(stage.embedder)
    return Omoide.open(stage.folder / store, embedder=embedder, clock=clock, **settings)


def _scope(omoide: Omoide, conversation: str, messages: Sequence[dict[str, Any]]) -> Scope:
    """The scope of the first user and the first character who speak."""
    first = {role: [m["speaker"] for m in messages if role_of(m) is role][:1] for role in Role}
    user, character = first[Role.USER] or [conversation], first[Role.CHARACTER] or ["listener"]
    return omoide.scope(user=user[0], character=character[0])


async def _told(omoide: Omoide, scope: Scope, messages: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The names of the messages that an earlier run has told already."""
    row = omoide.store.scope(scope.user, scope.character)
    if row is None:
        return {}

    def look() -> dict[str, str]:
        with omoide.store.read(row) as unit:
            found = {message["id"]: unit.log.find_external(message["id"]) for message in messages}
            numbers = {logged[0].id: name for name, logged in found.items() if logged is not None}
            return {str(UUID(bytes=uid)): numbers[number] for number, uid in unit.log.uids(numbers).items()}

    return await omoide.run(look)
