"""One request for a reply: from what it shows, over what comes to mind, to the reply in the log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from omoide.server.proxy.identity import without_identity
from omoide.server.proxy.memory import keep, mind
from omoide.server.proxy.turns import message_of, reply_of, turns_of

if TYPE_CHECKING:
    from omoide.engine import Engine
    from omoide.server.proxy.conversations import Conversations
    from omoide.server.proxy.identity import Identity
    from omoide.server.proxy.memory import Minded
    from omoide.server.proxy.watch import Watcher
    from omoide.server.proxy.wire import Body, Wire


class ProxiedTurn:
    """A turn of a conversation between a client and the upstream.

    Args:
        engine: remembers.
        conversations: what else goes on.
        wire: the request's format.
        body: of the request.
        whose: whose memory is meant; user and character are known.

    Attributes:
        unseen: whether it goes on from what only the upstream knows.
    """

    def __init__(
        self, engine: Engine, conversations: Conversations, wire: Wire, body: Body, whose: Identity
    ) -> None:
        self._engine = engine
        self._conversations = conversations
        self._wire = wire
        self._body = body
        self._model = whose.model
        self._scope = engine.scope(user=whose.user, character=whose.character or "")
        name = wire.continues(body)
        held = None if name is None else conversations.held(self._scope, name)
        shown = [*(() if held is None else held.messages), *wire.messages(body)]
        self._turns = turns_of(shown, several=_several(body), whole=name is None or held is not None)
        self._session = whose.session or (name if held is None else held.session)
        self.unseen = name is not None and held is None

    async def mind(self) -> Minded:
        """What comes to mind; the log is brought in line with what the request shows."""
        minded = await mind(
            self._scope,
            self._turns,
            session=self._session,
            within=self._engine.settings.recall_seconds,
            conversations=self._conversations,
        )
        self._engine.soon(_written(minded))
        return minded

    def encoded(self, content: bytes, minded: Minded) -> bytes:
        """The body with memory and without our keys; the client's own bytes where nothing changes."""
        body, made = self._body, without_identity(self._body, model=self._model)
        if minded.recall is not None:
            made = self._wire.with_memory(
                made,
                standing=minded.recall.standing,
                block=minded.recall.block,
                before_user=self._engine.settings.memory_place == "user",
            )
        elif made.keys() == body.keys() and all(made[key] is body[key] for key in made):
            return content
        try:
            return json.dumps(made, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return json.dumps(made).encode()  # half a surrogate pair, which JSON can hold and UTF-8 cannot

    def ended(self, watcher: Watcher, minded: Minded, *, key: str | None) -> None:
        """Keep what was said, once the answer has come to its end.

        Args:
            watcher: has seen the answer.
            minded: what came to mind before it.
            key: the client's own for the upstream.
        """
        said = [message_of(one) for one in self._turns.talk]
        if watcher.complete:
            if isinstance(model := self._model or self._body.get("model"), str):
                self._engine.models.offer(model, key=key)
            if self._turns.turn and (reply := reply_of(watcher.text)):
                self._engine.soon(self._kept(reply, minded))
                said.append({"role": "assistant", "content": reply})
        for name in self._wire.holders(self._body, watcher):
            self._conversations.hold(self._scope, name, session=minded.session, messages=said)

    async def _kept(self, reply: str, minded: Minded) -> None:
        await keep(
            self._scope,
            self._turns,
            reply,
            session=self._session,
            written=await minded.written,
            conversations=self._conversations,
        )


def _several(body: Body) -> bool:
    return isinstance(body.get("n"), int) and body["n"] > 1


async def _written(minded: Minded) -> None:
    await minded.written
