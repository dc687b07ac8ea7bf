"""One call to a chat model through pydantic-ai, which knows the formats of the servers (H25).

Nothing here is imported before the first call: pydantic-ai is an extra, and takes a second to load. Of it
only single requests are used. Its own repair of answers is not: that needs its agents, keeps the talk about a
bad answer in shapes that some chat templates refuse, and shows no usage of what failed.
"""

from __future__ import annotations

import asyncio
import warnings
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import httpx2
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UsageExtractionFailedWarning,
)
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from omoide.domain.chat import Turn, Usage
from omoide.domain.text import tokens
from omoide.errors import InvalidInput, ModelUnavailable, UnreadableAnswer
from omoide.models.bounded import bounded_client
from omoide.models.calls import CallFailed, Heard, schema_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from omoide.models.endpoint import Endpoint, Output

_CONNECT: Final = 5.0
"""Seconds for a connection."""

_STREAM: Final = 10.0
"""A whole reply may take so many times the limit of its first word."""

_PASSING: Final = (ModelRateLimitError, ModelUnavailableError, ModelServerError, ModelConnectionError)
_UNCHECKED: Final = (AttributeError, LookupError, TypeError, ValueError)
"""What comes of an answer of another form, into which pydantic-ai looks without a check."""

_GIVEN_UP: Final = (asyncio.CancelledError, GeneratorExit, ModelRequestTimeout, ModelTimeoutError)
"""How a call ends that nobody waits for any longer; the server has worked on it, and charges for that."""

_TOO_LONG: Final = ModelContextWindowExceededError
_REFUSED_FORM: Final = (400, 405, 415, 422, 501)
"""Statuses of servers that do not take a request of this form."""


class Wire:
    """Calls one model on one server.

    Args:
        endpoint: which one, and how.
        key: the API key, for servers that want one.
    """

    def __init__(self, endpoint: Endpoint, *, key: str | None) -> None:
        # Servers that leave counts out are no news on a terminal; what is not told is estimated.
        warnings.filterwarnings("ignore", category=UsageExtractionFailedWarning)
        self._endpoint = endpoint
        self._client = bounded_client()
        self._model = _model(endpoint, key=key, client=self._client)

    async def ask(
        self,
        turns: Sequence[Turn],
        form: type[object],
        *,
        lost: Callable[[Usage], None],
        plain: bool = False,
    ) -> Heard:
        """Ask for a typed answer.

        Args:
            turns: the prompt.
            form: the type.
            lost: is told what a call has cost, as we estimate it, that nobody waited for to its end.
            plain: ask in the way that every server knows: streamed, with the schema in the prompt, and
                without any other parameter.

        Raises:
            CallFailed: there is no answer.
        """
        messages = _messages(turns)
        parameters = _parameters("prompted" if plain else self._endpoint.output, form)
        if plain:
            return await self._ask_plainly(turns, messages, parameters, lost)
        with _Call(self._endpoint, turns, lost):
            response = await model_request(
                self._model,
                messages,
                model_settings=self._settings(request_timeout=self._endpoint.seconds),
                model_request_parameters=parameters,
            )
        return _heard(response, turns)

    async def stream(
        self, turns: Sequence[Turn], *, ended: Callable[[Heard], None]
    ) -> AsyncGenerator[str, None]:
        """Ask for a reply; `ended` is told what was heard, also where the caller goes away before the end.

        Raises:
            CallFailed: there is no reply, or it broke off.
        """
        told = False

        def lost(usage: Usage) -> None:
            if not told:
                ended(Heard(text="", usage=usage))

        with _Call(self._endpoint, turns, lost):
            settings = self._settings(
                first_event_timeout=self._endpoint.seconds, request_timeout=self._endpoint.seconds * _STREAM
            )
            async with model_request_stream(self._model, _messages(turns), model_settings=settings) as events:
                try:
                    async for event in events:
                        if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
                            yield event.part.content
                        elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                            yield event.delta.content_delta
                finally:
                    told = True
                    ended(_heard(events.get(), turns))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _ask_plainly(
        self,
        turns: Sequence[Turn],
        messages: list[ModelMessage],
        parameters: ModelRequestParameters,
        lost: Callable[[Usage], None],
    ) -> Heard:
        settings = _limits(self._endpoint, request_timeout=self._endpoint.seconds)
        with _Call(self._endpoint, turns, lost):
            async with model_request_stream(
                self._model, messages, model_settings=settings, model_request_parameters=parameters
            ) as events:
                async for _ in events:
                    pass
                return _heard(events.get(), turns)

    def _settings(self, *, request_timeout: float, first_event_timeout: float | None = None) -> ModelSettings:
        settings = _limits(self._endpoint, request_timeout=request_timeout)
        if first_event_timeout is not None:
            settings["first_event_timeout"] = first_event_timeout
        if self._endpoint.temperature is not None:
            settings["temperature"] = self._endpoint.temperature
        if self._endpoint.max_tokens is not None:
            settings["max_tokens"] = self._endpoint.max_tokens
        return settings


def _limits(endpoint: Endpoint, *, request_timeout: float) -> ModelSettings:
    seconds = endpoint.seconds
    # Which httpx the setting is typed with hangs on what else is installed.
    timeout: Any = httpx2.Timeout(seconds, connect=min(seconds, _CONNECT))
    return ModelSettings(
        timeout=timeout,
        request_timeout=request_timeout,
        max_retries=0,  # ours wait as P6 says, and stop where the circuit does
    )


def _model(endpoint: Endpoint, *, key: str | None, client: httpx2.AsyncClient) -> Model:
    # Both clients take keys from the environment where none is given, and would send them to any address.
    key = key or "none"
    if endpoint.provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        anthropic = AnthropicProvider(api_key=key, base_url=endpoint.address, http_client=client)
        profile = ModelProfile(supports_json_schema_output=True)
        return AnthropicModel(endpoint.model, provider=anthropic, profile=profile)
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    server = OpenAICompatibleProvider("server", base_url=endpoint.address, api_key=key, http_client=client)
    return OpenAIChatModel(endpoint.model, provider=server, profile=_PROFILE)


_PROFILE: Final = OpenAIModelProfile(
    # One system message, and first: templates of llama.cpp refuse any other.
    supports_inline_system_prompts=False,
    openai_chat_supports_multiple_system_messages=False,
    # What only OpenAI itself is sure to know is not sent.
    openai_chat_supports_max_completion_tokens=False,
    openai_supports_strict_tool_definition=False,
    supports_json_object_output=False,
    supports_json_schema_output=True,
    # It looks for tags of thoughts in pieces that are a whole tag, and loses replies that are cut otherwise;
    # ours are found wherever they are cut. These come in no answer.
    thinking_tags=("\0thought", "\0said"),
)


def _messages(turns: Sequence[Turn]) -> list[ModelMessage]:
    """The turns as messages, in which roles alternate, for some templates refuse what does not."""
    if any(turn.role == "system" for turn in turns[1:]):
        msg = "a prompt has at most one system turn, and it comes first; join them"
        raise InvalidInput(msg)
    messages: list[ModelMessage] = []
    for role, group in groupby(turns, lambda turn: turn.role):
        text = "\n\n".join(turn.text for turn in group)
        part = SystemPromptPart(text) if role == "system" else UserPromptPart(text)
        if role == "assistant":
            messages.append(ModelResponse(parts=[TextPart(text)]))
        elif messages and isinstance(messages[-1], ModelRequest):
            messages[-1] = ModelRequest(parts=[*messages[-1].parts, part])
        else:
            messages.append(ModelRequest(parts=[part]))
    return messages


def _parameters(output: Output, form: type[object]) -> ModelRequestParameters:
    schema = schema_of(form)
    if output == "tool":
        tool = ToolDefinition(
            name="answer", description="Give the answer.", parameters_json_schema=schema, kind="output"
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    shape = OutputObjectDefinition(json_schema=schema, name="answer")
    return ModelRequestParameters(output_mode=output, output_object=shape)


def _heard(response: ModelResponse, turns: Sequence[Turn]) -> Heard:
    calls = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    said = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    text = calls[0] if calls else said
    usage = response.usage
    return Heard(
        text=text,
        usage=Usage(
            calls=1,
            prompt=usage.input_tokens or Usage.of_prompt(turns).prompt,
            answer=usage.output_tokens or tokens(text),
        ),
        cut=response.finish_reason == "length",
        refused=response.finish_reason == "content_filter",
    )


class _Call:
    """A call: errors of pydantic-ai become ours, without what they say, for it may repeat the talk.

    What nobody waited for to its end is told of, since it is charged for.
    """

    def __init__(self, endpoint: Endpoint, turns: Sequence[Turn], lost: Callable[[Usage], None]) -> None:
        self._endpoint = endpoint
        self._turns = turns
        self._lost = lost

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Raise what an error means."""
        if isinstance(error, _GIVEN_UP) and not _connecting(error):
            self._lost(Usage.of_prompt(self._turns))
        if isinstance(error, (AgentRunError, *_UNCHECKED)):
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> CallFailed:
        where = f"the model {self._endpoint}"
        if isinstance(error, ModelHTTPError):
            told = f"{where} answered with status {error.status_code}; {_way_out(error)}"
            form = error.status_code in _REFUSED_FORM and not isinstance(error, _TOO_LONG)
            passes = isinstance(error, _PASSING)
            return CallFailed(
                ModelUnavailable(told), passes=passes, down=passes, wait=error.retry_after, form=form
            )
        if isinstance(error, ModelRequestTimeout | ModelTimeoutError):
            told = f"{where} took more than {self._endpoint.seconds:g} seconds; raise its limit of seconds"
            return CallFailed(ModelUnavailable(told), passes=_connecting(error), down=True)
        if isinstance(error, ModelConnectionError):
            told = f"{where} cannot be reached, or broke off; see whether the server runs"
            return CallFailed(ModelUnavailable(told), passes=True, down=True)
        if isinstance(error, ModelAPIError) and error.in_stream:
            return CallFailed(
                ModelUnavailable(f"{where} broke off with an error; look into the log of the model's server")
            )
        told = f"what {where} sent is no answer in the format of {self._endpoint.provider!r}; check its url"
        return CallFailed(UnreadableAnswer(told))


def _connecting(error: BaseException) -> bool:
    """Whether the time was up before anything was asked."""
    return isinstance(error, ModelTimeoutError) and error.phase == "connect"


def _way_out(error: ModelHTTPError) -> str:
    if isinstance(error, ModelAuthenticationError):
        return "set its key (model_key, or the variable that its key_env names)"
    if isinstance(error, ModelNotFoundError):
        return "see that the model is there, and that the url ends as the server wants it, such as /v1"
    if isinstance(error, ModelRateLimitError):
        return "it limits the rate; wait, or take another model"
    if isinstance(error, _PASSING):
        return "look into the log of the model's server"
    return "it refuses the request: shorten it, or set another output (native, tool, prompted)"
