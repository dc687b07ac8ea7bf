"""Chats that go on at a cluster, what of them was acknowledged, and what its store holds in the end."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx2
from sqlalchemy import func, select

from benchmarks.cluster import CHARACTER
from omoide import Omoide, Role
from omoide.stores.tables import messages, window_messages, windows
from omoide.testing import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_THINGS = ("tomatoes", "books", "photos", "letters", "shells", "coins", "songs", "stamps", "maps", "seeds")
_PLACES = ("garden", "attic", "station", "harbour", "library", "market", "museum", "kitchen", "valley")
_TURN = re.compile(r"\bturn-(\d+-\d+)\b")
_REPLY = re.compile(r"\breply-(\d+-\d+)\b")
_READ = ("done", "skipped")


@dataclass(slots=True)
class Chatter:
    """One user in one session with the character.

    Attributes:
        number: of the chat.
        ended: turns that were acknowledged: the reply ended with `done`, and was kept.
        firsts: milliseconds to the first token of each reply.
        again: requests that were sent again, under the same id.
        errors: what went wrong for good.
    """

    number: int
    ended: list[str] = field(default_factory=list)
    firsts: list[float] = field(default_factory=list)
    again: int = 0
    errors: list[str] = field(default_factory=list)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _said: int = 0

    @property
    def user(self) -> str:
        """The user's name."""
        return f"user{self.number}"

    async def say(self, client: httpx2.AsyncClient, urls: Sequence[str], *, tries: int) -> None:
        """Say the next thing, at one replica after another until it is answered."""
        async with self.turn:
            turn = f"{self.number}-{self._said}"
            self._said += 1
            thing, place = _THINGS[self._said % len(_THINGS)], _PLACES[self._said * 7 % len(_PLACES)]
            body = {
                "session_id": f"session-{self.number}",
                "message": f"This is turn-{turn}: I found {self._said + 2} {thing} at the {place} today.",
                "user_name": self.user,
                "character": CHARACTER,
                "message_id": turn,
            }
            for attempt in range(tries):
                url = urls[(self.number + self._said + attempt) % len(urls)]
                trouble = await self._try(client, f"{url}/chat/stream", body, turn)
                if trouble is None:
                    return
                self.again += 1
                await asyncio.sleep(min(2.0, 0.1 * 2**attempt))
            self.errors.append(trouble or "")

    async def _try(
        self, client: httpx2.AsyncClient, url: str, body: Mapping[str, str], turn: str
    ) -> str | None:
        """Send it once; what went wrong, or None."""
        begun, first = time.perf_counter(), True
        try:
            async with client.stream("POST", url, json=body) as answer:
                if answer.status_code != 200:
                    return f"HTTP {answer.status_code}"
                async for line in answer.aiter_lines():
                    if not line.startswith("data: "):
                        continue
                    event = json.loads(line.removeprefix("data: "))
                    if event["type"] == "token" and first:
                        first = False
                        self.firsts.append((time.perf_counter() - begun) * 1000)
                    elif event["type"] == "done":
                        if not event.get("kept", True):
                            return "not kept"  # answered without memory, and told so
                        self.ended.append(turn)
                        return None
                    elif event["type"] == "error":
                        return "error event"
        except httpx2.HTTPError as error:
            return type(error).__name__
        return "the stream broke off"


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """What a store holds of the chats.

    Attributes:
        lost_messages, lost_replies: turns that were acknowledged, and are not there.
        doubled_messages, doubled_replies: that stand there more than once.
        unread: messages of users that no window has read.
        read_twice: that two windows have read.
        windows: that were read.
        doubled_facts: facts that were drawn twice.
        facts: that were drawn.
    """

    lost_messages: int
    lost_replies: int
    doubled_messages: int
    doubled_replies: int
    unread: int
    read_twice: int
    windows: int
    doubled_facts: int
    facts: int

    @property
    def right(self) -> bool:
        """Whether nothing is lost and nothing is doubled."""
        faults = (
            self.lost_messages + self.lost_replies + self.doubled_messages + self.doubled_replies,
            self.read_twice + self.doubled_facts,
        )
        return not any(faults)


async def held(settings: Mapping[str, Any], chats: Sequence[Chatter]) -> Held:
    """Look into the store, once nothing works on it any more."""
    given = {name.removeprefix("OMOIDE_").lower(): value for name, value in settings.items()}
    given = {name: value for name, value in given.items() if name in ("store", "master_key_file", "keyring")}
    said: Counter[str] = Counter()
    replied: Counter[str] = Counter()
    facts: Counter[str] = Counter()
    async with Omoide.open(embedder=WordEmbedder(), worker=False, **given) as omoide:
        for chat in chats:
            if omoide.store.scope(chat.user, CHARACTER) is None:
                continue
            for line in await omoide.scope(user=chat.user, character=CHARACTER).export():
                row = json.loads(line)
                text = str(row.get("text") or "")
                if row.get("role") == Role.USER:
                    said.update(_TURN.findall(text))
                elif row.get("role") == Role.CHARACTER:
                    replied.update(_REPLY.findall(text))
                elif (memory := row.get("memory") or {}).get("kind") == "fact":
                    facts.update(_TURN.findall(memory["text"]))
        read, unread, twice = await omoide.run(lambda: _windows(omoide))
    ended = {turn for chat in chats for turn in chat.ended}
    return Held(
        lost_messages=len(ended - said.keys()),
        lost_replies=len(ended - replied.keys()),
        doubled_messages=sum(count > 1 for count in said.values()),
        doubled_replies=sum(count > 1 for count in replied.values()),
        unread=unread,
        read_twice=twice,
        windows=read,
        doubled_facts=sum(count > 1 for count in facts.values()),
        facts=sum(facts.values()),
    )


def _windows(omoide: Omoide) -> tuple[int, int, int]:
    """How many windows were read, how many messages none has read, and how many two have read."""
    covered = (
        select(window_messages.c.message_id, func.count().label("often"))
        .join(windows, windows.c.id == window_messages.c.window_id)
        .where(windows.c.state.in_(_READ))
        .group_by(window_messages.c.message_id)
        .subquery()
    )
    users = select(func.count()).select_from(messages).where(messages.c.role == Role.USER.value)
    with omoide.store.database.read() as connection:
        read = connection.execute(
            select(func.count()).select_from(windows).where(windows.c.state.in_(_READ))
        ).scalar_one()
        unread = connection.execute(
            users.where(messages.c.id.not_in(select(covered.c.message_id)))
        ).scalar_one()
        twice = connection.execute(select(func.count()).where(covered.c.often > 1)).scalar_one()
    return int(read), int(unread), int(twice)
