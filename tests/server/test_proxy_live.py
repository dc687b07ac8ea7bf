"""The proxy before real llama.cpp, whose template takes one system message, at the front, and no other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from openai import AsyncOpenAI
from serving import listening

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.live, pytest.mark.xdist_group("llama")]

TEA = "I like barley tea more than anything."
ASKED: list[Any] = [
    {"role": "system", "content": "You are Haru, a friend. You answer in one short sentence."},
    {"role": "user", "content": "Hello!"},
    {"role": "assistant", "content": "Welcome back!"},
    {"role": "user", "content": "Do you remember which tea I like?"},
]


async def prompt_tokens(url: str, messages: list[Any]) -> int:
    """How long the prompt is that the server makes of messages."""
    async with httpx2.AsyncClient(timeout=120) as client:
        body = {"model": "any", "messages": messages, "max_tokens": 1}
        answer = await client.post(f"{url}/chat/completions", json=body)
        return int(answer.json()["usage"]["prompt_tokens"])


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("place", ["system", "user"])
async def test_a_real_server_answers_with_memory_in_its_prompt(
    llama: str, tmp_path: Path, stream: bool, place: str
) -> None:
    upstream = f"{llama}/v1"
    async with listening(
        tmp_path, upstream=upstream, memory_place=place, recall_seconds=30, extraction="off"
    ) as (omoide, url):
        haru = omoide.scope(user="Minjun", character="Haru")
        await haru.observe(TEA, "Me too!", session="yesterday")
        client = AsyncOpenAI(base_url=f"{url}/u/Minjun/c/Haru/v1", api_key="x", timeout=120)
        given: dict[str, Any] = {"model": "any", "messages": ASKED, "max_tokens": 12, "temperature": 0}
        if stream:
            options = {"include_usage": True}
            chunks = await client.chat.completions.create(**given, stream=True, stream_options=options)
            seen = [chunk async for chunk in chunks]
            said = "".join(one.choices[0].delta.content or "" for one in seen if one.choices)
            usage = seen[-1].usage
        else:
            raw = await client.chat.completions.with_raw_response.create(**given)
            assert raw.headers["x-omoide-memory"] == "used=1"
            answer = raw.parse()
            said, usage = answer.choices[0].message.content or "", answer.usage
        await asyncio.gather(*omoide._others)
        assert said.strip()
        assert usage is not None
        assert usage.prompt_tokens > await prompt_tokens(upstream, ASKED) + 10
        await client.close()
