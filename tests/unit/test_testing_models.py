"""The scripted model, and the server that pretends to have one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import anthropic
import httpx2
import openai
import pytest
from pydantic import BaseModel

from omoide.domain.chat import Task, Turn, Usage
from omoide.errors import ModelRefused, ModelUnavailable, UnreadableAnswer
from omoide.testing import FakeModelServer, Reply, ScriptedModel, replies

if TYPE_CHECKING:
    from collections.abc import Iterator

TURNS = [Turn("system", "s"), Turn("user", "오늘 어땠어?")]
ASKED = [{"role": "user", "content": "오늘 어땠어?"}]
TOOL = {
    "name": "answer",
    "description": "d",
    "parameters": {"type": "object", "properties": {"mood": {"type": "string"}}},
}


class Mood(BaseModel):
    """A small typed answer."""

    mood: str


@pytest.fixture
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer("좋았어!") as server:
        yield server


async def said(model: ScriptedModel) -> list[str]:
    return [piece async for piece in model.stream(TURNS)]


async def test_a_script_is_said_in_its_order_and_then_ends():
    model = ScriptedModel(
        replies=["하나", ["두", "울"]], answers=[{"mood": "a"}, '{"mood": "b"}', Mood(mood="c")]
    )

    assert ["".join(await said(model)), await said(model)] == ["하나", ["두", "울"]]
    assert [(await model.answer(TURNS, Mood)).value.mood for _ in range(3)] == ["a", "b", "c"]
    with pytest.raises(ModelUnavailable):
        await said(model)
    with pytest.raises(ModelUnavailable):
        await model.answer(TURNS, Mood)
    assert model.seen == [tuple(TURNS)] * 7


async def test_a_rule_sees_the_turns():
    model = ScriptedModel(
        replies=lambda turns: turns[-1].text[::-1], answers=lambda turns: {"mood": turns[0].text}
    )

    assert "".join(await said(model)) == "?어땠어 늘오"
    answer = await model.answer(TURNS, Mood)
    assert answer.value == Mood(mood="s")
    assert answer.usage.calls == 1
    assert answer.usage.prompt > 0


async def test_errors_come_where_the_script_has_them():
    model = ScriptedModel(
        replies=[ModelRefused("no"), ["안", ModelUnavailable("gone")]],
        answers=[ModelRefused("no"), "no JSON", {"feeling": 1}],
    )
    with pytest.raises(ModelRefused):
        await said(model)
    with pytest.raises(ModelUnavailable, match="gone"):
        await said(model)
    for error in (ModelRefused, UnreadableAnswer, UnreadableAnswer):
        with pytest.raises(error):
            await model.answer(TURNS, Mood)


async def test_it_does_every_task_and_notes_the_cost():
    model = ScriptedModel()
    for task in Task:
        assert await model.model(task) is model
    model.spent(Task.CHAT, Usage(calls=1, prompt=2, answer=3))
    model.spent(Task.CHAT, Usage(calls=1, prompt=2, answer=3))

    assert model.costs == {Task.CHAT: Usage(calls=2, prompt=4, answer=6)}


async def test_the_official_client_of_openai_understands_it(server: FakeModelServer):
    server.replies += ["안녕", "안녕", '{"mood": "good"}']
    async with openai.AsyncOpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
        whole = await client.chat.completions.create(model="fake", messages=ASKED)
        assert whole.choices[0].message.content == "안녕"
        assert whole.usage.prompt_tokens > 0
        stream = await client.chat.completions.create(
            model="fake", messages=ASKED, stream=True, stream_options={"include_usage": True}
        )
        chunks = [chunk async for chunk in stream]
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "안녕"
        assert chunks[-1].usage.completion_tokens > 0
        called = await client.chat.completions.create(
            model="fake", messages=ASKED, tools=[{"type": "function", "function": TOOL}]
        )
        assert json.loads(called.choices[0].message.tool_calls[0].function.arguments) == {"mood": "good"}
        assert [model.id async for model in client.models.list()] == ["fake"]
        made = await client.embeddings.create(model="fake", input=["a", "고양이"])
        assert [len(one.embedding) for one in made.data] == [64, 64]


async def test_the_official_client_of_anthropic_understands_it(server: FakeModelServer):
    server.replies += ["안녕", Reply(text="안녕", thinking="hm"), '{"mood": "good"}']
    async with anthropic.AsyncAnthropic(base_url=server.anthropic_url, api_key="k", max_retries=0) as client:
        whole = await client.messages.create(model="fake", max_tokens=9, system="s", messages=ASKED)
        assert whole.content[0].text == "안녕"
        async with client.messages.stream(model="fake", max_tokens=9, messages=ASKED) as stream:
            assert "".join([piece async for piece in stream.text_stream]) == "안녕"
        tool = {"name": "answer", "input_schema": TOOL["parameters"]}
        called = await client.messages.create(model="fake", max_tokens=9, messages=ASKED, tools=[tool])
        assert called.content[0].input == {"mood": "good"}

    assert server.requests[0].turns == (Turn("system", "s"), Turn("user", "오늘 어땠어?"))


@pytest.mark.parametrize(
    ("messages", "status"),
    [
        ([{"role": "system", "content": "a"}, *ASKED], 200),
        ([{"role": "system", "content": "a"}, {"role": "system", "content": "b"}, *ASKED], 400),
        ([*ASKED, {"role": "system", "content": "b"}], 400),
    ],
)
def test_a_second_system_message_is_refused_as_templates_do(
    server: FakeModelServer, messages: list[dict[str, str]], status: int
):
    body = {"model": "fake", "messages": messages}
    answer = httpx2.post(f"{server.url}/chat/completions", json=body)

    assert answer.status_code == status


def test_replies_in_line_come_first_then_the_rule():
    with FakeModelServer(lambda asked: asked.turns[-1].text) as server:
        server.replies += [replies.rate_limited(3), replies.failing(503), replies.page()]
        body = {"model": "fake", "messages": ASKED}
        answers = [httpx2.post(f"{server.url}/chat/completions", json=body) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [429, 503, 200, 200]
    assert answers[0].headers["retry-after"] == "3"
    assert answers[2].headers["content-type"] == "text/html"
    assert answers[3].json()["choices"][0]["message"]["content"] == "오늘 어땠어?"
    assert len(server.requests) == 4


def test_a_stream_may_break_off(server: FakeModelServer):
    server.replies.append(replies.dropping("안녕하세요 여러분", after=3))
    body = {"model": "fake", "messages": ASKED, "stream": True}

    with (
        httpx2.stream("POST", f"{server.url}/chat/completions", json=body) as answer,
        pytest.raises(httpx2.RemoteProtocolError),
    ):
        answer.read()


def test_what_it_does_not_know_is_not_found(server: FakeModelServer):
    assert httpx2.get(f"{server.url}/nothing").status_code == 404
    assert httpx2.post(f"{server.url}/nothing", json={}).status_code == 404
