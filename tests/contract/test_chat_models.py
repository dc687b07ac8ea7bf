"""Chat models are interchangeable: each server and each way of asking gives the same answers and errors."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, aclosing

import pytest
from pydantic import BaseModel, Field

from omoide.domain.chat import Turn, Usage
from omoide.errors import InvalidInput, ModelRefused, ModelUnavailable, UnreadableAnswer
from omoide.models.chat import ServedModel
from omoide.models.endpoint import Endpoint
from omoide.testing import FakeModelServer, Reply, replies

pytestmark = pytest.mark.proves("H25")

PROVIDERS = ("openai", "anthropic")
OUTPUTS = ("native", "tool", "prompted")
SECRET = "우리 할머니 비밀 레시피"
TURNS = [Turn("system", "You read diaries."), Turn("user", f"{SECRET}: 간장과 생강")]

Build = Callable[..., ServedModel]


class Mood(BaseModel):
    """A small typed answer."""

    mood: str
    strength: int = Field(ge=1, le=10)


GLAD = {"mood": "기쁨", "strength": 7}


class Sleeps(list[float]):
    """Notes how long it was asked to sleep, and does not."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


class Seconds:
    """Seconds that move only when told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer(GLAD) as server:
        yield server


@pytest.fixture
def sleeps() -> Sleeps:
    return Sleeps()


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def build(
    provider: str, server: FakeModelServer, sleeps: Sleeps, seconds: Seconds
) -> AsyncIterator[Build]:
    async with AsyncExitStack() as stack:

        def build(**settings: object) -> ServedModel:
            url = server.url if provider == "openai" else server.anthropic_url
            endpoint = Endpoint(**{"model": "fake", "provider": provider, "url": url, **settings})
            model = ServedModel(endpoint, key="secret-key", sleep=sleeps, clock=seconds)
            stack.push_async_callback(model.aclose)
            return model

        yield build


async def said(model: ServedModel) -> str:
    return "".join([piece async for piece in model.stream(TURNS)])


@pytest.mark.proves("H14")
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize(
    "reply",
    [
        Reply.of(GLAD),
        replies.fenced(GLAD),
        replies.thinking(GLAD),
        replies.thinking(GLAD, tag="thinking"),
        replies.commas(GLAD),
        replies.injecting(GLAD),
        Reply(text='{"mood": "기쁨", "strength": 7}', thinking='{"mood": "not this", "strength": 1}'),
        Reply(text='[{"mood": "기쁨", "strength": 7}]', call=False),
        Reply(text='{"answer": {"mood": "기쁨", "strength": "7"}}'),
    ],
)
async def test_an_answer_is_read_in_whatever_way_it_comes(
    build: Build, server: FakeModelServer, output: str, reply: Reply
) -> None:
    server.replies.append(reply)

    answer = await build(output=output).answer(TURNS, Mood)

    assert answer.value == Mood(mood="기쁨", strength=7)
    assert answer.usage.calls == len(server.requests) == 1
    assert answer.usage.prompt > 0 < answer.usage.answer


@pytest.mark.parametrize("output", OUTPUTS)
async def test_one_system_message_stands_first_also_in_a_repair(
    build: Build, server: FakeModelServer, output: str
) -> None:
    server.replies += [Reply(text='{"mood": "기쁨", "strength": 70}'), GLAD]

    answer = await build(output=output).answer(TURNS, Mood)

    assert answer.value.strength == 7
    assert answer.usage.calls == 2
    for asked in server.requests:
        assert [turn.role for turn in asked.turns].count("system") == 1
        assert asked.turns[0].role == "system"
    repair = server.requests[1].turns[-1]
    assert repair.role == "user"
    assert "strength: Input should be less than or equal to 10" in repair.text
    assert '"maximum":10' in repair.text


async def test_how_an_answer_is_asked_for_is_a_setting(
    provider: str, build: Build, server: FakeModelServer
) -> None:
    for output in OUTPUTS:
        await build(output=output).answer(TURNS, Mood)

    native, tool, prompted = (asked.body for asked in server.requests)
    schema = "response_format" if provider == "openai" else "output_config"
    assert [schema in body for body in (native, tool, prompted)] == [True, False, False]
    assert ["tools" in body for body in (native, tool, prompted)] == [False, True, False]
    assert '"strength"' in server.requests[2].turns[0].text
    assert not {"temperature", "top_p"} & (native.keys() | tool.keys() | prompted.keys())


@pytest.mark.proves("H14", "F12", "F28")
@pytest.mark.parametrize(
    ("bad", "error", "calls"),
    [
        (replies.refusing(), ModelRefused, 1),
        (replies.declining(), ModelRefused, 1),
        (replies.declining("죄송하지만 이 대화는 요약해 드릴 수 없습니다."), ModelRefused, 1),
        (replies.declining("申し訳ありませんが、お答えできません。"), ModelRefused, 1),
        (replies.declining("抱歉,我无法回答。"), ModelRefused, 1),
        (replies.empty(), ModelRefused, 1),
        (replies.truncated(GLAD), UnreadableAnswer, 1),
        (Reply(text=f"Internal error near {SECRET}", call=False), UnreadableAnswer, 2),
        (Reply(text='{"feeling": "glad"}'), UnreadableAnswer, 2),
        (Reply(text='{"mood": "glad", "strength": NaN}'), UnreadableAnswer, 2),
        (Reply(text="[" * 5_000, call=False), UnreadableAnswer, 2),
        (replies.page(), UnreadableAnswer, 1),
        (replies.error_in_place(f"overloaded near {SECRET}"), UnreadableAnswer, 1),
        (Reply(body=b"\xff\xfe\x00"), UnreadableAnswer, 1),
        (Reply(body=b""), UnreadableAnswer, 1),
        (Reply(body=b"[]"), UnreadableAnswer, 1),
        (
            Reply(body=b'{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[]}'),
            UnreadableAnswer,
            1,
        ),
        (replies.failing(400), ModelUnavailable, 2),
        (replies.failing(401), ModelUnavailable, 1),
        (replies.failing(404), ModelUnavailable, 1),
    ],
)
async def test_what_is_no_answer_is_an_error_without_words_of_the_talk(
    build: Build, server: FakeModelServer, bad: Reply, error: type[Exception], calls: int
) -> None:
    server.replies += [bad] * 5
    lost: list[Usage] = []

    with pytest.raises(error) as raised:
        await build().answer(TURNS, Mood, count=lost.append)

    assert len(server.requests) == calls
    for word in (*SECRET.split(), "secret-key", "glad", "죄송"):
        assert word not in str(raised.value)
    assert "'fake'" in str(raised.value)
    assert raised.value.__cause__ is None
    assert len(lost) == 1


async def test_an_endless_answer_is_given_up(build: Build, server: FakeModelServer) -> None:
    server.replies += [replies.huge(32)] * 2

    with pytest.raises(UnreadableAnswer):
        await build().answer(TURNS, Mood)


@pytest.mark.proves("F29")
@pytest.mark.parametrize(
    ("refuses", "output"),
    [
        ({"tools"}, "tool"),
        ({"tool_choice"}, "tool"),
        ({"response_format", "output_config"}, "native"),
        ({"temperature"}, "prompted"),
    ],
)
async def test_a_server_that_refuses_a_form_is_asked_plainly_from_then_on(
    provider: str, sleeps: Sleeps, refuses: set[str], output: str
) -> None:
    with FakeModelServer(GLAD, refuses=refuses) as server:
        url = server.url if provider == "openai" else server.anthropic_url
        endpoint = Endpoint(model="fake", provider=provider, url=url, output=output, temperature=0.5)
        async with AsyncExitStack() as stack:
            model = ServedModel(endpoint, sleep=sleeps)
            stack.push_async_callback(model.aclose)
            for _ in range(2):
                assert (await model.answer(TURNS, Mood)).value.mood == "기쁨"

    assert len(server.requests) == 3
    assert sleeps == []
    last = server.requests[-1]
    assert last.body["stream"] is True
    assert '"strength"' in last.turns[0].text


@pytest.mark.proves("P6", "F28")
@pytest.mark.parametrize(
    ("bad", "waits"),
    [
        (replies.rate_limited(), [2, 4]),
        (replies.rate_limited(7), [7, 7]),
        (replies.rate_limited(500), [30, 30]),
        (replies.failing(500), [2, 4]),
        (replies.failing(503), [2, 4]),
        (replies.dropping(), [2, 4]),
    ],
)
@pytest.mark.parametrize("typed", [True, False])
async def test_what_passes_is_tried_again_after_a_wait(
    build: Build, server: FakeModelServer, sleeps: Sleeps, bad: Reply, waits: list[float], typed: bool
) -> None:
    server.replies += [bad, bad]

    model = build()
    if typed:
        assert (await model.answer(TURNS, Mood)).value.strength == 7
    else:
        assert '"strength": 7' in await said(model)

    assert sleeps == waits


async def test_after_three_retries_it_is_given_up(
    build: Build, server: FakeModelServer, sleeps: Sleeps
) -> None:
    server.replies += [replies.failing(502)] * 9

    with pytest.raises(ModelUnavailable, match="status 502"):
        await build().answer(TURNS, Mood)

    assert sleeps == [2, 4, 8]
    assert len(server.requests) == 4


@pytest.mark.proves("F16")
async def test_after_five_calls_in_vain_nobody_tries_for_half_a_minute(
    build: Build, server: FakeModelServer, seconds: Seconds
) -> None:
    model = build()
    server.replies += [replies.failing(500)] * 20
    for _ in range(5):
        with pytest.raises(ModelUnavailable, match="status 500"):
            await model.answer(TURNS, Mood)
    asked = len(server.requests)

    for _ in range(3):
        with pytest.raises(ModelUnavailable, match="5 times in a row"):
            await model.answer(TURNS, Mood)
        with pytest.raises(ModelUnavailable, match="5 times in a row"):
            await said(model)
    assert len(server.requests) == asked == 20

    seconds.now += 30
    assert (await model.answer(TURNS, Mood)).value.strength == 7


async def test_bad_answers_and_bad_keys_do_not_open_the_circuit(
    build: Build, server: FakeModelServer
) -> None:
    model = build()
    server.replies += [replies.declining(), replies.failing(401)] * 4
    for _ in range(8):
        with pytest.raises((ModelRefused, ModelUnavailable)):
            await model.answer(TURNS, Mood)

    assert (await model.answer(TURNS, Mood)).value.strength == 7


@pytest.mark.parametrize("reply", [replies.slow(GLAD, delay=5), replies.slow(GLAD, pause=0.06)])
async def test_a_slow_server_is_not_waited_for_longer_than_set(
    build: Build, server: FakeModelServer, sleeps: Sleeps, reply: Reply
) -> None:
    server.replies.append(reply)
    model = build(seconds=0.3)
    started = time.monotonic()

    if reply.delay:
        with pytest.raises(ModelUnavailable, match=r"more than 0.3 seconds"):
            await model.answer(TURNS, Mood)
        server.replies.append(reply)
        with pytest.raises(ModelUnavailable, match=r"more than 0.3 seconds"):
            await said(model)
    else:
        assert await said(model)  # the pieces come steadily

    assert time.monotonic() - started < 3
    assert sleeps == []


async def test_a_reply_comes_in_pieces_as_they_are_said(build: Build, server: FakeModelServer) -> None:
    server.replies.append(Reply(text="응, 잘 지냈어! 오늘은 뭐 했어?", piece=3, pause=0.02))
    pieces = [piece async for piece in build().stream(TURNS)]

    assert "".join(pieces) == "응, 잘 지냈어! 오늘은 뭐 했어?"
    assert len(pieces) > 4


@pytest.mark.parametrize("piece", [1, 3, 7, 8, 200])
async def test_thinking_aloud_is_no_part_of_a_reply(
    build: Build, server: FakeModelServer, piece: int
) -> None:
    text = "<think>\n비밀 생각\n</think>\n\n안녕! <think>은 태그야."
    server.replies.append(Reply(text=text, piece=piece))

    assert await said(build()) == "안녕! <think>은 태그야."


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (replies.refusing(), ModelRefused),
        (replies.empty(), ModelRefused),
        (Reply(text="<think>hm"), ModelRefused),
        (replies.page(), UnreadableAnswer),
        (replies.failing(401), ModelUnavailable),
    ],
)
async def test_no_reply_is_an_error(
    build: Build, server: FakeModelServer, reply: Reply, error: type[Exception]
) -> None:
    server.replies.append(reply)

    with pytest.raises(error):
        await said(build())


async def test_a_reply_that_breaks_off_is_not_begun_again(
    build: Build, server: FakeModelServer, sleeps: Sleeps
) -> None:
    server.replies.append(replies.dropping("안녕하세요 반가워요 잘 지냈어요?", after=5))
    pieces: list[str] = []

    async def listen() -> None:
        async for piece in build().stream(TURNS):
            pieces.append(piece)  # noqa: PERF401 - what came before the error counts

    with pytest.raises(ModelUnavailable):
        await listen()

    assert pieces
    assert sleeps == []
    assert len(server.requests) == 1


@pytest.mark.parametrize("usage", ['{"total_tokens":3}', '{"completion_tokens":2}', "{}"])
async def test_counts_that_a_server_leaves_out_are_estimated_without_a_word(
    provider: str, build: Build, server: FakeModelServer, usage: str
) -> None:
    if provider != "openai":
        pytest.skip("of this format only OpenAI's is spoken by servers of every kind")
    said = '{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}'
    last = f'{{"id":"c","model":"m","choices":[],"usage":{usage}}}'
    events = "".join(f"data: {event}\n\n" for event in (said, last, "[DONE]"))
    server.replies.append(Reply(body=events.encode(), content_type="text/event-stream"))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = build()
        assert [piece async for piece in model.stream(TURNS)] == ["Hi"]
    assert not told


def _half(provider: str, *ends: str, kind: str = "text/event-stream") -> Reply:
    """A stream whose connection is closed in the usual way, after half a reply and what may end it."""
    if provider == "openai":
        events = ['{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"Half a re"}}]}']
    else:
        message = '{"id":"m","type":"message","role":"assistant","model":"m","content":[],'
        message += '"usage":{"input_tokens":1,"output_tokens":1}}'
        delta = '"index":0,"delta":{"type":"text_delta","text":"Half a re"}'
        events = [
            f'{{"type":"message_start","message":{message}}}',
            '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
            f'{{"type":"content_block_delta",{delta}}}',
        ]
    named = [f"event: {json.loads(one)['type']}\n" if '{"type"' in one[:8] else "" for one in events]
    body = "".join(f"{name}data: {one}\n\n" for name, one in zip(named, events, strict=True))
    return Reply(body=(body + "".join(ends)).encode(), content_type=kind)


@pytest.mark.parametrize("kind", ["text/event-stream", "Text/Event-Stream; charset=utf-8", "text/plain"])
async def test_a_stream_that_just_stops_broke_off(
    build: Build, server: FakeModelServer, provider: str, sleeps: Sleeps, kind: str
) -> None:
    words = r"""a comment: \"finish_reason\": \"stop\" data: [DONE]"""
    server.replies.append(_half(provider, f": {words}\n\n", kind=kind))
    pieces: list[str] = []

    async def listen() -> None:
        async for piece in build().stream(TURNS):
            pieces.append(piece)  # noqa: PERF401 - what came before the error counts

    with pytest.raises(ModelUnavailable, match="broke off"):
        await listen()

    assert "".join(pieces) == "Half a re"
    assert sleeps == []


async def test_the_last_event_counts_without_an_empty_line_after_it(
    build: Build, server: FakeModelServer, provider: str
) -> None:
    if provider == "openai":
        choice = '{"index":0,"delta":{"content":"ply"},"finish_reason":"stop"}'
        last = 'data: {"id":"c","model":"m","choices":[' + choice + "]}"
    else:
        delta = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ply"}}'
        last = f"event: message_delta\ndata: {_STOPPED}\n\nevent: content_block_delta\ndata: {delta}"
    server.replies.extend(_half(provider, last, end) for end in ("", "\n", "\r\n", "\n\n"))

    assert [await said(build()) for _ in range(4)] == ["Half a reply"] * 4


_STOPPED = '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}'
_ENDS = {
    "openai": [
        "data: [DONE]\n\n",
        "data:[DONE]",
        'data: {"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
        'data: {"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason" : "length"}]}\n\n',
    ],
    "anthropic": [
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
        f"event: message_delta\ndata: {_STOPPED}\n\n",
    ],
}


@pytest.mark.parametrize("number", range(4))
async def test_a_stream_is_whole_by_whichever_end_its_server_sends(
    build: Build, server: FakeModelServer, provider: str, number: int
) -> None:
    ends = _ENDS[provider]
    server.replies.append(_half(provider, ends[number % len(ends)]))

    assert await said(build()) == "Half a re"


async def test_closing_a_reply_ends_the_request_and_counts_what_was_said(
    build: Build, server: FakeModelServer
) -> None:
    server.replies.append(Reply(text="아" * 400, piece=1, pause=0.01))
    spent: list[Usage] = []

    async with aclosing(build().stream(TURNS, count=spent.append)) as pieces:
        async for _ in pieces:
            break

    assert len(spent) == 1
    assert 0 < spent[0].answer < 400


async def test_cancelling_ends_a_call(build: Build, server: FakeModelServer) -> None:
    server.replies.append(replies.slow(GLAD, delay=10))
    started = time.monotonic()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await build().answer(TURNS, Mood)

    assert time.monotonic() - started < 2


async def test_a_second_system_turn_is_a_mistake(build: Build) -> None:
    with pytest.raises(InvalidInput, match="one system turn"):
        await build().answer([*TURNS, Turn("system", "and this")], Mood)


async def test_turns_of_one_role_become_one_message(build: Build, server: FakeModelServer) -> None:
    await build().answer([*TURNS, Turn("user", "b"), Turn("assistant", "c"), Turn("user", "d")], Mood)

    roles = [turn.role for turn in server.requests[0].turns]
    assert roles == ["system", "user", "assistant", "user"]


async def test_settings_of_the_endpoint_are_sent(build: Build, server: FakeModelServer) -> None:
    await build(temperature=0.3, max_tokens=99).answer(TURNS, Mood)

    body = server.requests[0].body
    assert (body["temperature"], body["max_tokens"]) == (0.3, 99)


async def test_no_key_of_the_environment_goes_to_a_server(
    server: FakeModelServer, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "from-the-environment")
    url = server.url if provider == "openai" else server.anthropic_url
    model = ServedModel(Endpoint(model="fake", provider=provider, url=url))
    await model.answer(TURNS, Mood)
    await model.aclose()

    assert "from-the-environment" not in str(server.requests[0].headers)


def test_without_the_extra_its_name_is_told() -> None:
    code = (
        "import sys\n"
        "sys.modules['pydantic_ai'] = None\n"
        "from omoide.models.chat import ServedModel\n"
        "from omoide.models.endpoint import Endpoint\n"
        "ServedModel(Endpoint(model='m', url='http://127.0.0.1/v1'))"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)

    assert "omoide.errors.MissingExtra: chat models need the extra 'llm'" in ran.stderr


def test_nothing_of_it_is_loaded_before_it_is_used() -> None:
    code = (
        "import sys, omoide.cli, omoide.bootstrap, omoide.models.tasks\n"
        "sys.exit(any(name.split('.')[0] in ('pydantic_ai', 'openai', 'anthropic') for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
