"""One turn of a chat: prompt, stream, emotion tag, and the exchange into the log (H1 to H4, H26)."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from omoide.domain import salience
from omoide.domain.chat import Task, Turn
from omoide.domain.emotion_tag import EmotionTag
from omoide.domain.model import Message, Role
from omoide.domain.session_state import SessionState, intimacy, topics, warmth
from omoide.domain.text import clean, is_blank
from omoide.errors import InvalidInput, MissingExtra, ModelError, ModelUnavailable, SealError, StoreError
from omoide.prompts import chat as phrases
from omoide.retain.turns import Past, Turns
from omoide.words.topics import content_words

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence

    from omoide.characters import Characters, Sheet
    from omoide.engine import Engine
    from omoide.recall.result import Recall
    from omoide.scope import Scope
    from omoide.stores.scopes import ScopeRow

_log = logging.getLogger("omoide")

NO_MODEL: Final = (
    "no chat model is set; set model and model_url (OMOIDE_MODEL, OMOIDE_MODEL_URL), such as "
    "http://127.0.0.1:11434/v1 for a model of your own"
)

_WRITTEN_WITHIN: Final = 5.0
"""Seconds that the end of a turn waits until its reply is in the log; a store in trouble holds nobody up."""

_NOTHING: Final = "the model said nothing; send the message again"


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """A piece of the reply, without any part of an emotion tag."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """The reply has ended.

    Attributes:
        reply: all of it.
        emotion: what the character feels now.
        intimacy_level: how close it is to the user, 0 to 10, not rounded.
        memories_used: memories in the block that the model was shown.
        degraded: what of memory did not work, in a few words each.
        kept: whether the turn is in the log; false where the store failed, or it was taken back meanwhile.
        recall: what was recalled, with the reasons.
    """

    reply: str
    emotion: str
    intimacy_level: float
    memories_used: int
    degraded: tuple[str, ...]
    kept: bool
    recall: Recall


@dataclass(frozen=True, kw_only=True, slots=True)
class Failed:
    """There is no reply, or it broke off. The message can be sent again, also where it is in the log.

    Attributes:
        message: what is wrong, for people; never words of a conversation.
        recall: what was recalled for it.
    """

    message: str
    recall: Recall


Event: TypeAlias = Token | Done | Failed
_Heard: TypeAlias = "asyncio.Future[tuple[ScopeRow, str | None]]"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ready:
    """What a message of the user needs to be answered.

    Attributes:
        scope, sheet, session: whose talk it is, and where.
        said: the message.
        past: what the session holds before it.
        state: how the character stands before it.
        prompt: the system prompt, all but what memory adds.
    """

    scope: Scope
    sheet: Sheet
    session: str
    said: Message
    past: Past
    state: SessionState
    prompt: str


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
        self._storing: dict[tuple[str | None, str, str], asyncio.Future[bool]] = {}
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
            InvalidInput: a blank message or name, an id that belongs to another message, or one that is being
                answered at this moment.
            UnknownCharacter: nobody is called so.
        """
        if is_blank(clean(message)):
            msg = f"a message needs something to read in it, got {message[:20]!r}"
            raise InvalidInput(msg)
        # Not in the engine's threads, which may all wait for the store.
        sheet = await asyncio.to_thread(self._characters.find, character)
        scope = self._engine.scope(user=user, character=sheet.name)
        await self._stored(scope, session)
        said = Message(role=Role.USER, text=message, name=user_name, external_id=message_id)
        with self._once(scope, message_id):
            recall, ready = await asyncio.gather(
                scope.recall(message, session=session),
                self._engine.unless_silent(
                    lambda: self._ready(scope, sheet, session, said, self._past(scope, session, said))
                ),
            )
            if ready is None:
                nothing = Past(warm_days={}, today=0)
                ready, heard = self._ready(scope, sheet, session, said, nothing), None
            elif ready.past.answer is not None:
                yield Token(text=ready.past.answer)
                yield _done(ready.state, ready.past.answer, recall, kept=True)
                return
            else:
                heard = await self._hear(ready)
            async with aclosing(self._replied(ready, recall, heard)) as events:
                async for event in events:
                    yield event

    async def state(self, *, user: str, character: str, session: str) -> SessionState:
        """How a character stands in a session at this moment (H1)."""
        sheet = await self._engine.read(lambda: self._characters.find(character))
        scope = self._engine.scope(user=user, character=sheet.name)
        await self._stored(scope, session)
        return _state(await self._engine.read(lambda: self._past(scope, session, None)), None)

    async def settled(self) -> None:
        """Wait until every reply that was given is in the log."""
        for storing in list(self._storing.values()):
            await asyncio.wait({storing})

    async def _replied(
        self, ready: _Ready, recall: Recall, heard: _Heard | None
    ) -> AsyncGenerator[Event, None]:
        """Ask the model, and give on what it says."""
        tag = EmotionTag(ready.sheet.profile.emotions)
        given, trouble, whole = list[str](), "", False
        try:
            try:
                async with aclosing(self._pieces(self._shown(ready, recall))) as pieces:
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
            stored = self._keep(ready, heard, reply, state if whole else None)
        if not whole:
            yield Failed(message=trouble or _NOTHING, recall=recall)
            return
        kept = False
        if stored is not None:  # what is told to be done has been written, wherever the next turn comes in
            with suppress(TimeoutError):
                await self._engine.patience.spent_on(lambda: asyncio.shield(stored), most=_WRITTEN_WITHIN)
            kept = stored.done() and stored.result()
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
                    async with asyncio.timeout(seconds):
                        piece = await anext(stream, None)
                except TimeoutError:
                    msg = f"the model {model.name!r} said nothing for {seconds:g} seconds; try again"
                    raise ModelUnavailable(msg) from None
                if piece is None:
                    return
                yield piece

    def _ready(self, scope: Scope, sheet: Sheet, session: str, said: Message, past: Past) -> _Ready:
        """Everything for the prompt but what memory adds; at the same time as that."""
        state = _state(past, said.text)
        user = said.name or scope.user or ""
        parts = (
            sheet.prompt(user, state),
            phrases.tag(sheet.profile.language, sheet.profile.emotions),
            phrases.began(sheet.profile.language, sheet.greeting(user)) if past.whole else "",
        )
        prompt = "\n\n".join(part for part in parts if part)
        return _Ready(
            scope=scope, sheet=sheet, session=session, said=said, past=past, state=state, prompt=prompt
        )

    def _past(self, scope: Scope, session: str, said: Message | None) -> Past:
        row = self._engine.store.scope(scope.user, scope.character)
        if row is None:
            return Past(warm_days={}, today=0)
        return self._turns.past(row, session=session, message=said, turns=self._engine.settings.turns)

    def _shown(self, ready: _Ready, recall: Recall) -> list[Turn]:
        """The prompt: one system turn, the last turns as they were said, and the message (H2, P1).

        What changes with every turn stands in the system turn or in front of the message, by a setting.
        """
        moving = [phrases.mood(ready.sheet.profile.language, ready.state), recall.block]
        first = self._engine.settings.memory_place == "system"
        system = [ready.prompt, recall.standing, *(moving if first else [])]
        message = [*([] if first else moving), ready.said.text]
        return [
            Turn("system", "\n\n".join(part for part in system if part)),
            *phrases.in_turn([*ready.past.turns, (Role.USER, "\n\n".join(part for part in message if part))]),
        ]

    async def _hear(self, ready: _Ready) -> _Heard | None:
        """Have the message written, and wait for that, but not for a lock that lasts: then it comes later."""
        try:
            heard = await self._engine.patience.begun(lambda: self._engine.run(partial(self._heard, ready)))
        except StoreError as error:
            _log.error("a turn goes on without the store: %s", error)
            return None
        if heard is None or not heard.done():
            _log.error("a turn goes on before its message is in the store, which gives no answer")
        return heard

    def _heard(self, ready: _Ready) -> tuple[ScopeRow, str | None]:
        row = self._engine.store.meet(ready.scope.user, ready.scope.character)
        return row, self._turns.hear(row, ready.said, session=ready.session)

    def _keep(
        self, ready: _Ready, heard: _Heard | None, reply: str, state: SessionState | None
    ) -> asyncio.Future[bool] | None:
        """Write the reply after it has gone out, without a state where it broke off; tells whether it is."""
        if heard is None or is_blank(reply):
            return None
        said = Message(
            role=Role.CHARACTER,
            text=reply,
            name=ready.sheet.called,
            feeling=None if state is None else state.feeling,
        )
        key = ready.scope.user, ready.scope.character, ready.session
        stored = self._storing[key] = asyncio.get_running_loop().create_future()

        async def store(*, kept: bool = False) -> None:
            try:
                row, number = await heard
                kept = number is None or await self._engine.run(
                    lambda: self._turns.answer(row, said, to=number, session=ready.session, whole=bool(state))
                )
                self._engine.vectorise_soon(row)
                self._engine.worker.notice(row)
            except (StoreError, SealError, InvalidInput) as error:
                _log.error("a reply could not be kept: %s", error)
            finally:
                stored.set_result(kept)
                if self._storing.get(key) is stored:
                    del self._storing[key]

        self._engine.soon(store())
        return stored

    async def _stored(self, scope: Scope, session: str) -> None:
        """Wait until the reply before is in the log, or the store is known to be silent."""
        storing = self._storing.get((scope.user, scope.character, session))
        if storing is not None:
            with suppress(TimeoutError):
                await self._engine.patience.spent_on(lambda: asyncio.shield(storing))

    @contextmanager
    def _once(self, scope: Scope, message_id: str | None) -> Iterator[None]:
        """Let a message be answered once at a time."""
        if message_id is None:
            yield
            return
        key = scope.user, scope.character, message_id
        if key in self._answering:
            msg = f"the message {message_id!r} is being answered; wait for that answer"
            raise InvalidInput(msg)
        self._answering.add(key)
        try:
            yield
        finally:
            self._answering.discard(key)


def _state(past: Past, message: str | None) -> SessionState:
    """How a character stands, by what the session shows and the new message of the user."""
    said = past.said if message is None else (*past.said, message)
    known = SessionState(
        intimacy=intimacy(past.warm_days), topics=topics([content_words(text) for text in said])
    )
    if past.feeling is None:
        return known
    return replace(known, emotion=past.feeling.emotion, intensity=past.feeling.intensity)


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
