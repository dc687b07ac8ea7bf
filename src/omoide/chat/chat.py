"""One turn of a chat: prompt, stream, emotion tag, and the exchange into the log (H1 to H4, H26)."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from omoide.chat.events import Done, Failed, Token
from omoide.chat.keeping import Keeping
from omoide.chat.ready import Ready, state_at
from omoide.domain import salience
from omoide.domain.chat import Task
from omoide.domain.emotion_tag import EmotionTag
from omoide.domain.model import Message, Role
from omoide.domain.session_state import intimacy, warmth
from omoide.domain.text import clean, is_blank
from omoide.errors import BeingAnswered, InvalidInput, MissingExtra, ModelError, ModelUnavailable
from omoide.retain.turns import Past, Turns

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence

    from omoide.characters import Characters
    from omoide.chat.events import Event
    from omoide.chat.keeping import Heard
    from omoide.domain.chat import Turn
    from omoide.domain.session_state import SessionState
    from omoide.engine import Engine
    from omoide.recall.result import Recall
    from omoide.scope import Scope

NO_MODEL: Final = (
    "no chat model is set; set model and model_url (OMOIDE_MODEL, OMOIDE_MODEL_URL), such as "
    "http://127.0.0.1:11434/v1 for a model of your own"
)

_NOTHING: Final = "the model said nothing; send the message again"
_LONGER: Final = 1.1
"""How much longer than its own limit a model is waited for: it keeps to that itself, and so learns of a
server that hangs, and leaves it alone after a while."""


class Chat:
    """Lets users talk with characters.

    The user's message is in the log before the model is asked. The reply is written after the last piece of
    it has gone out, and before `Done` tells so; the next turn of the session waits until it is there. A reply
    that breaks off, because the model fails or the client goes away, is kept as far as it was given out, and
    stays open: to send the message again under its id asks anew and takes the broken one back; to go on with
    another message leaves it as what was said.

    Where the store fails, the talk goes on (F16) without what came before; `Done` says it was not kept.

    Args:
        engine: remembers.
        characters: who can be talked with.
    """

    def __init__(self, engine: Engine, characters: Characters) -> None:
        self._engine = engine
        self._characters = characters
        self._turns = Turns(engine.store, engine.recorder)
        self._keeping = Keeping(engine, self._turns)
        self._answering: set[tuple[str | None, str, str]] = set()

    async def turn(
        self,
        *,
        user: str,
        character: str,
        session: str,
        message: str,
        user_name: str | None = None,
        message_id: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Say something to a character, and hear what it answers.

        Args:
            user: who speaks.
            character: the character's id, name or nickname.
            session: the conversation.
            message: what the user says.
            user_name: what the character calls the user.
            message_id: the client's own id of the message. Where it was answered already, that answer is
                given again, and nothing is written.

        Yields:
            The reply piece by piece, then how it ended: `Done` or `Failed`.

        Raises:
            InvalidInput: a blank message or name, or an id that belongs to another message.
            BeingAnswered: the message of that id is being answered at this moment.
            UnknownCharacter: nobody is called so.
        """
        if is_blank(clean(message)):
            msg = f"a message needs something to read in it, got {message[:20]!r}"
            raise InvalidInput(msg)
        # Not in the engine's threads, which may all wait for the store.
        sheet = await asyncio.to_thread(self._characters.find, character)
        scope = self._engine.scope(user=user, character=sheet.name)
        await self._keeping.stored(scope, session)
        said = Message(role=Role.USER, text=message, name=user_name, external_id=message_id)
        with self._once(scope, message_id):
            recall, ready = await asyncio.gather(
                scope.recall(message, session=session),
                self._engine.unless_silent(
                    lambda: Ready.of(scope, sheet, session, said, self._past(scope, session, said))
                ),
            )
            if ready is None:
                nothing = Past(warm_days={}, today=0)
                ready, heard = Ready.of(scope, sheet, session, said, nothing), None
            elif ready.past.answer is not None:
                yield Token(text=ready.past.answer)
                yield _done(ready.state, ready.past.answer, recall, kept=True)
                return
            else:
                heard = await self._keeping.hear(ready)
            async with aclosing(self._replied(ready, recall, heard)) as events:
                async for event in events:
                    yield event

    async def state(self, *, user: str, character: str, session: str) -> SessionState:
        """How a character stands in a session at this moment (H1)."""
        sheet = await self._engine.read(lambda: self._characters.find(character))
        scope = self._engine.scope(user=user, character=sheet.name)
        await self._keeping.stored(scope, session)
        return state_at(await self._engine.read(lambda: self._past(scope, session, None)), None)

    async def settled(self) -> None:
        """Wait until every reply that was given is in the log."""
        await self._keeping.settled()

    async def _replied(
        self, ready: Ready, recall: Recall, heard: Heard | None
    ) -> AsyncGenerator[Event, None]:
        """Ask the model, and give on what it says."""
        in_system = self._engine.settings.memory_place == "system"
        tag = EmotionTag(ready.sheet.profile.emotions)
        given, trouble, whole = list[str](), "", False
        try:
            try:
                async with aclosing(self._pieces(ready.shown(recall, in_system=in_system))) as pieces:
                    async for piece in pieces:
                        if text := tag.feed(piece):
                            given.append(text)
                            yield Token(text=text)
            except (ModelError, MissingExtra) as error:
                trouble = str(error)
            given.append(tag.finish())
            whole = not trouble and not is_blank("".join(given))
            if given[-1]:
                yield Token(text=given[-1])
        finally:
            # Also where the client has gone away: what it was given was said.
            reply = "".join(given)
            state = ready.state.moved(tag.emotion) if whole else ready.state
            stored = self._keeping.reply(ready, heard, reply, state if whole else None)
        if not whole:
            yield Failed(message=trouble or _NOTHING, recall=recall)
            return
        # What is told to be done has been written, wherever the next turn comes in.
        kept = await self._keeping.written(stored)
        warm = warmth(salience.score(ready.said.text, reply).signals, emotion=state.emotion)
        yield _done(_closer(state, ready.past, warm), reply, recall, kept=kept)

    async def _pieces(self, turns: Sequence[Turn]) -> AsyncGenerator[str, None]:
        """The model's words as they come.

        Raises:
            ModelError: it says nothing for too long, or fails.
        """
        model = await self._engine.models.model(Task.CHAT)
        if model is None:
            raise ModelUnavailable(NO_MODEL)
        seconds = self._engine.settings.model_seconds
        async with aclosing(_closing(model.stream(turns))) as stream:
            while True:
                try:
                    async with asyncio.timeout(seconds * _LONGER):
                        piece = await anext(stream, None)
                except TimeoutError:
                    msg = f"the model {model.name!r} said nothing for {seconds:g} seconds; try again"
                    raise ModelUnavailable(msg) from None
                if piece is None:
                    return
                yield piece

    def _past(self, scope: Scope, session: str, said: Message | None) -> Past:
        row = self._engine.store.scope(scope.user, scope.character)
        if row is None:
            return Past(warm_days={}, today=0)
        return self._turns.past(row, session=session, message=said, turns=self._engine.settings.turns)

    @contextmanager
    def _once(self, scope: Scope, message_id: str | None) -> Iterator[None]:
        """Let a message be answered once at a time."""
        if message_id is None:
            yield
            return
        key = scope.user, scope.character, message_id
        if key in self._answering:
            msg = f"the message {message_id!r} is being answered; wait for that answer, and ask again"
            raise BeingAnswered(msg)
        self._answering.add(key)
        try:
            yield
        finally:
            self._answering.discard(key)


def _closer(state: SessionState, past: Past, warm: float) -> SessionState:
    """The state after a warm exchange."""
    days = {**past.warm_days, past.today: past.warm_days.get(past.today, 0.0) + warm}
    return replace(state, intimacy=intimacy(days))


def _done(state: SessionState, reply: str, recall: Recall, *, kept: bool) -> Done:
    return Done(
        reply=reply,
        emotion=state.emotion,
        intimacy_level=state.intimacy,
        memories_used=recall.in_block,
        degraded=recall.degraded,
        kept=kept,
        recall=recall,
    )


def _closing(stream: AsyncIterator[str]) -> AsyncGenerator[str, None]:
    """The port promises that closing ends the request."""
    return cast("AsyncGenerator[str, None]", stream)
