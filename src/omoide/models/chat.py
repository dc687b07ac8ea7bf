"""A chat model on a server: retries, a circuit, and one repair of what cannot be read (H14, H25)."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import aclosing, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeVar

from omoide.domain.chat import Answer, Turn, Usage
from omoide.domain.circuit import Circuit
from omoide.errors import MissingExtra, ModelError, ModelRefused, ModelUnavailable, UnreadableAnswer
from omoide.models.calls import CallFailed, schema_of
from omoide.models.wire import LONGEST_WAIT, WAITS, Sleep
from omoide.prompts.parsing import Unreadable, declines, read_answer, without_thinking
from omoide.prompts.thinking import Spoken

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence

    from omoide.models.calls import Heard
    from omoide.models.chat_wire import Wire
    from omoide.models.endpoint import Endpoint

T = TypeVar("T")
_log = logging.getLogger("omoide")

FAILURES: Final = 5
"""Calls in a row whose failing opens the circuit."""

REST: Final = 30.0
"""Seconds that the server is left alone then."""

_SHOWN: Final = 20_000
"""Characters of an unreadable answer that its repair shows."""


def _not_counted(_usage: Usage) -> None:
    """Nobody wants to know."""


class ServedModel:
    """A `ChatModel` on a server that speaks like OpenAI, or on Anthropic's.

    Rate limits, server errors and broken connections are tried again after 2, 4 and 8 seconds, or after what
    ``Retry-After`` says, at most 30. A time limit is not: a slow server would only get slower.

    Args:
        endpoint: which model, where, and how.
        key: the API key, for servers that want one.
        sleep: waits between attempts.
        clock: seconds that never go back, for the circuit.

    Raises:
        MissingExtra: pydantic-ai is not installed.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        key: str | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint = endpoint
        self._sleep = sleep
        self._circuit = Circuit(f"the model {endpoint}", clock=clock, failures=FAILURES, rest=REST)
        self._wire = _wire(endpoint, key)
        self._plain = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    @property
    def trouble(self) -> str | None:
        """Why the server is left alone at this moment; None where it is not."""
        return self._circuit.trouble if self._circuit.rests else None

    async def stream(
        self, turns: Sequence[Turn], *, count: Callable[[Usage], None] = _not_counted
    ) -> AsyncGenerator[str, None]:
        """The reply, piece by piece, without what the model thinks aloud before it.

        Args:
            turns: the prompt.
            count: is told what each call cost.

        Raises:
            ModelError: there is no reply, or it broke off.
        """
        self._check()
        waits = iter(WAITS)
        said = done = False
        while not done:
            heard: list[Heard] = []
            try:
                async with aclosing(self._spoken(turns, heard)) as pieces:
                    async for piece in pieces:
                        said = True
                        yield piece
                done = True
            except CallFailed as failed:
                # What was said already cannot be taken back.
                if said or not await self._goes_on(failed, waits):
                    self._note(failed)
                    raise failed.error from None
            finally:
                for one in heard:
                    count(one.usage)
        self._circuit.succeeded()
        if not said or heard[-1].refused:
            raise self._refused()

    async def answer(
        self, turns: Sequence[Turn], form: type[T], *, count: Callable[[Usage], None] = _not_counted
    ) -> Answer[T]:
        """An answer of a given type; if it cannot be read, the model is told why, and asked once more.

        Args:
            turns: the prompt.
            form: a pydantic model.
            count: is told what was spent where there is no answer that could tell it, also where nobody
                waits for one any longer.

        Raises:
            ModelError: there is no answer of that type.
        """
        usage = Usage()
        asked = list(turns)
        try:
            for last in (False, True):
                heard = await self._ask(asked, form, lost=count)
                usage += heard.usage
                found = self._read(heard, form)
                if not isinstance(found, Unreadable):
                    return Answer(value=found, usage=usage)
                expected = found.expected
                if heard.cut or last:
                    break
                asked += [Turn("assistant", heard.text[:_SHOWN]), Turn("user", _repair(found, form))]
            raise self._unreadable(form, expected, cut=heard.cut)
        except (ModelError, asyncio.CancelledError):
            count(usage)
            raise

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()

    async def _spoken(self, turns: Sequence[Turn], heard: list[Heard]) -> AsyncGenerator[str, None]:
        filtered = Spoken()
        async with aclosing(self._wire.stream(turns, ended=heard.append)) as pieces:
            async for piece in pieces:
                if spoken := filtered.feed(piece):
                    yield spoken
        if rest := filtered.rest():
            yield rest

    async def _ask(
        self, turns: Sequence[Turn], form: type[object], *, lost: Callable[[Usage], None]
    ) -> Heard:
        """Ask in the way that is set; where the server does not take it, in the way that all do (F29)."""
        try:
            if self._plain:
                return await self._tried(lambda: self._wire.ask(turns, form, lost=lost, plain=True))
            try:
                return await self._tried(lambda: self._wire.ask(turns, form, lost=lost))
            except CallFailed as failed:
                if not failed.form:
                    raise
            heard = await self._tried(lambda: self._wire.ask(turns, form, lost=lost, plain=True))
        except CallFailed as failed:
            raise failed.error from None
        self._plain = True
        _log.warning(
            "the model %s refuses %s output; it is asked in the prompt", self._endpoint, self._endpoint.output
        )
        return heard

    async def _tried(self, call: Callable[[], Awaitable[Heard]]) -> Heard:
        self._check()
        waits = iter(WAITS)
        while True:
            try:
                heard = await call()
            except CallFailed as failed:
                if not await self._goes_on(failed, waits):
                    self._note(failed)
                    raise
            else:
                self._circuit.succeeded()
                return heard

    async def _goes_on(self, failed: CallFailed, waits: Iterator[float]) -> bool:
        """Whether to try again, after the wait for it."""
        wait = next(waits, None)
        if wait is None or not failed.passes:
            return False
        await self._sleep(min(failed.wait or wait, LONGEST_WAIT))
        return True

    def _note(self, failed: CallFailed) -> None:
        if failed.down:
            self._circuit.failed(str(failed.error))

    def _check(self) -> None:
        if not self._circuit.may_try():
            raise ModelUnavailable(self._circuit.trouble)

    def _read(self, heard: Heard, form: type[T]) -> T | Unreadable:
        silent = not without_thinking(heard.text).strip() and not heard.cut
        if heard.refused or silent or declines(heard.text):
            raise self._refused()
        return read_answer(heard.text, form)

    def _refused(self) -> ModelRefused:
        return ModelRefused(f"the model {self._endpoint} declined or said nothing; another model may not")

    def _unreadable(self, form: type[object], expected: str, *, cut: bool) -> UnreadableAnswer:
        why = (
            "the limit of tokens cut it off; raise max_tokens, or the server's own limit"
            if cut
            else "also after one repair; set another output (native, tool, prompted), or take another model"
        )
        wrong = f" ({expected})" if expected and not cut else ""
        return UnreadableAnswer(
            f"what the model {self._endpoint} said is no {form.__name__} that can be read{wrong}: {why}",
            expected=expected,
        )


def load() -> None:
    """Load what speaks to servers like OpenAI's, if it is installed; that takes a second."""
    with suppress(ImportError):
        import_module("pydantic_ai.models.openai")
        import_module("omoide.models.chat_wire")


def _repair(found: Unreadable, form: type[object]) -> str:
    # With the schema, for servers that dropped it without a word.
    schema = json.dumps(schema_of(form), ensure_ascii=False, separators=(",", ":"))
    return (
        f"Your answer cannot be used:\n{found.problem}\n"
        f"Answer once more, with one whole JSON object and nothing else. It has this schema:\n{schema}"
    )


def _wire(endpoint: Endpoint, key: str | None) -> Wire:
    try:
        from omoide.models.chat_wire import Wire
    except ImportError as error:
        msg = f"chat models need the extra 'llm' ({error.name} is missing); pip install 'omoide[llm]'"
        raise MissingExtra(msg) from error
    return Wire(endpoint, key=key)
