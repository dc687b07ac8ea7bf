"""The proxy's Responses API: memory in the instructions, and conversations that the upstream holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from openai import AsyncOpenAI
from proxied import PATH, RESPONSES, haru
from serving import listening, serving, settled

from omoide.server.access import Access, ApiKeys
from omoide.testing.replies import Reply, failing, truncated

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Omoide
    from omoide.testing import FakeModelServer


def said(role: str, *texts: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text} for text in texts]}


async def texts(omoide: Omoide) -> list[list[str]]:
    """What each session shows, in order."""
    row = omoide.store.scope("민준", "하루")
    if row is None:
        return []
    with omoide.store.read(row) as unit:
        paths = [[said.id for said in unit.log.path(number)] for number in unit.sessions.names()]
        words = unit.texts.open([number for path in paths for number in path])
    return [[words[number] for number in path] for path in paths if path]


@pytest.mark.parametrize("stream", [True, False])
async def test_the_official_client_is_remembered(
    tmp_path: Path, upstream: FakeModelServer, stream: bool
) -> None:
    async with listening(tmp_path, upstream=upstream.url) as (omoide, url):
        await haru(omoide).observe("나는 보리차를 제일 좋아해", "나도!", session="어제")
        client = AsyncOpenAI(base_url=url + PATH, api_key="whatever")
        reply = await client.responses.create(
            model="fake", input="보리차 얘기 기억나?", instructions="너는 하루다.", stream=stream
        )
        if stream:
            events = [event async for event in reply]
            assert "".join(event.delta for event in events if event.type.endswith(".delta")) == "그렇구나!"
            assert events[-1].type == "response.completed"
        else:
            assert reply.output_text == "그렇구나!"
        await settled(omoide)
        (sent,) = upstream.requests
        assert [turn.role for turn in sent.turns] == ["system", "user"]
        assert sent.turns[0].text.startswith("너는 하루다.")
        assert "보리차를 제일 좋아해" in sent.turns[0].text
        assert sent.body["input"] == "보리차 얘기 기억나?"
        assert ["보리차 얘기 기억나?", "그렇구나!"] in await texts(omoide)
        await client.close()


@pytest.mark.parametrize("stream", [True, False])
async def test_the_answer_comes_down_byte_for_byte(
    tmp_path: Path, upstream: FakeModelServer, stream: bool
) -> None:
    if not stream:
        upstream.replies.extend([Reply(body=b'{"id": "r", "odd":[1,2 ] }')] * 2)
    body = {"model": "fake", "input": "안녕", "stream": stream, "store": False}
    async with listening(tmp_path, upstream=upstream.url) as (_, url), httpx2.AsyncClient() as client:
        direct = await client.post(f"{upstream.url}/responses", json=body)
        proxied = await client.post(url + RESPONSES, json=body)
        assert proxied.content.replace(b"resp_2", b"resp_1") == direct.content
        up = upstream.requests[1].body
        assert {**up, "instructions": None} == {**body, "instructions": None}


@pytest.mark.parametrize("place", ["system", "user"])
@pytest.mark.parametrize("first", [[], [said("developer", "너는 하루다.")]])
async def test_memory_goes_into_items_without_a_second_system_message(
    tmp_path: Path, upstream: FakeModelServer, place: str, first: list[Any]
) -> None:
    async with serving(tmp_path, upstream=upstream.url, memory_place=place) as (omoide, client):
        await haru(omoide).observe("나는 보리차를 제일 좋아해", "나도!", session="어제")
        shown = [*first, said("user", "안녕"), said("assistant", "어서 와"), said("user", "보리차 기억나?")]
        await client.post(RESPONSES, json={"model": "fake", "input": shown})
        (sent,) = upstream.requests
        assert sum(turn.role in ("system", "developer") for turn in sent.turns) == 1
        holds = next(turn for turn in sent.turns if "보리차를 제일" in turn.text)
        assert holds.role == ("user" if place == "user" else first[0]["role"] if first else "system")
        assert [turn.text for turn in sent.turns if turn.role == "assistant"] == ["어서 와"]
        await settled(omoide)
        assert ["안녕", "어서 와", "보리차 기억나?", "그렇구나!"] in await texts(omoide)


@pytest.mark.parametrize("by", ["response", "conversation"])
async def test_a_conversation_that_the_upstream_holds_goes_on_in_one_session(
    tmp_path: Path, upstream: FakeModelServer, by: str
) -> None:
    upstream.replies.extend(["응?", "응!", "응.", "응…"])
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        more: dict[str, Any] = {"conversation": {"id": "conv_1"}} if by == "conversation" else {}
        for words in ("오늘 바다에 갔어", "응", "조개를 주웠어", "응"):
            answer = await client.post(RESPONSES, json={"model": "fake", "input": words, **more})
            assert answer.headers["x-omoide-memory"].startswith("used=")
            if by == "response":
                more = {"previous_response_id": answer.json()["id"]}
            await settled(omoide)
        assert await texts(omoide) == [
            ["오늘 바다에 갔어", "응?", "응", "응!", "조개를 주웠어", "응.", "응", "응…"]
        ]
        assert upstream.requests[-1].body["input"] == "응"


async def test_a_swipe_of_a_conversation_that_the_upstream_holds_takes_the_first_reply_back(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    upstream.replies.extend(["어서 와", "첫 번째 대답이야", "두 번째 대답이야"])
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        first = (await client.post(RESPONSES, json={"model": "fake", "input": "안녕"})).json()["id"]
        for words in ("나는 바이올린을 배워", "나는 첼로를 배워"):
            asked = {"model": "fake", "input": words, "previous_response_id": first}
            await client.post(RESPONSES, json=asked)
            await settled(omoide)
        assert await texts(omoide) == [["안녕", "어서 와", "나는 첼로를 배워", "두 번째 대답이야"]]


async def test_what_comes_after_words_that_nobody_here_has_seen_takes_nothing_back(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    for round_, words in enumerate(("나는 바이올린을 배워", "나는 바이올린을 배워")):
        async with serving(tmp_path, upstream=upstream.url) as (omoide, client):  # as after a restart
            asked = {"model": "fake", "input": words, "previous_response_id": f"unknown {round_}"}
            headers = {"x-omoide-session": "s"}
            answer = await client.post(RESPONSES, json=asked, headers=headers)
            await settled(omoide)
            asked = {"model": "fake", "input": "매주 가", "previous_response_id": answer.json()["id"]}
            await client.post(RESPONSES, json=asked, headers=headers)
            await settled(omoide)
            shown = await texts(omoide)
    assert shown == [["나는 바이올린을 배워", "그렇구나!", "매주 가", "그렇구나!"] * 2]


async def test_one_users_conversations_are_nothing_to_another(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        answer = await client.post(RESPONSES, json={"model": "fake", "input": "내 비밀 번호는 바다야"})
        asked = {"model": "fake", "input": "안녕", "previous_response_id": answer.json()["id"]}
        await client.post("/u/yuna/c/haru/v1/responses", json=asked)
        await settled(omoide)
        theirs = await omoide.scope(user="yuna", character="haru").export()
        assert not any("바다" in line for line in theirs)


async def test_a_limited_key_reaches_nothing_that_the_upstream_holds_of_others(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    other = keys.add(Access(label="all"))
    key = keys.add(Access(label="game", users=frozenset({"yuna"}), characters=frozenset({"haru"})))
    given = {"upstream": upstream.url, "upstream_key": "theirs"}
    async with serving(tmp_path, local=False, key=key, **given) as (omoide, client):
        theirs = {"authorization": f"Bearer {other}"}
        told = {"model": "fake", "input": "내 비밀 번호는 바다야"}
        secret = (await client.post(RESPONSES, json=told, headers=theirs)).json()["id"]
        asked = {"model": "fake", "input": "안녕"}
        going_on = {**asked, "previous_response_id": secret}
        assert (await client.post("/v1/responses", json=going_on)).status_code == 403
        for path in (f"responses/{secret}", "files", "files/f1/content", "conversations/c1"):
            assert (await client.get(f"/v1/{path}")).status_code == 403
        assert len(upstream.requests) == 1
        own = (await client.post("/v1/responses", json=asked)).json()["id"]
        await settled(omoide)
        again = await client.post("/v1/responses", json={**asked, "previous_response_id": own})
        assert again.status_code == 200
        assert (await client.get("/v1/models")).status_code == 200


async def test_what_a_tool_gave_belongs_to_the_turn_that_called_for_it(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}"}
    gave = {"type": "function_call_output", "call_id": "c1", "output": "맑음"}
    upstream.replies.append(
        Reply(body=b'{"id":"resp_t","status":"completed","output":[{"type":"function_call","call_id":"c1"}]}')
    )
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await haru(omoide).observe("나는 보리차를 제일 좋아해", "나도!", session="어제")
        first = await client.post(RESPONSES, json={"model": "fake", "input": "보리차 얘기 기억나?"})
        await settled(omoide)
        for shown, more in (
            ([gave], {"previous_response_id": first.json()["id"]}),
            ([said("user", "보리차 얘기 기억나?"), call, gave], {}),
        ):
            answer = await client.post(RESPONSES, json={"model": "fake", "input": shown, **more})
            await settled(omoide)
            assert answer.headers["x-omoide-memory"] == "used=1"
            assert (await texts(omoide))[1:] == [["보리차 얘기 기억나?", "그렇구나!"]]


@pytest.mark.parametrize(
    "reply", [truncated("반쪽짜리 대답입니다"), failing(500), Reply(body=b'{"error": {}}')]
)
async def test_a_reply_that_is_not_whole_is_not_kept(
    tmp_path: Path, upstream: FakeModelServer, reply: Reply
) -> None:
    upstream.replies.append(reply)
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await client.post(RESPONSES, json={"model": "fake", "input": "안녕", "stream": True})
        await settled(omoide)
        assert await texts(omoide) == [["안녕"]]


@pytest.mark.parametrize(
    "body",
    [
        {"input": 7},
        {"input": []},
        {"input": ["안녕"]},
        {"input": "안녕", "instructions": ["x"]},
        {"prompt": {"id": "pmpt_1"}},
    ],
)
async def test_what_is_no_request_that_we_know_goes_up_as_it_is(
    tmp_path: Path, upstream: FakeModelServer, body: dict[str, Any]
) -> None:
    upstream.replies.append(Reply(body=b"{}"))
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        answer = await client.post(RESPONSES, json={"model": "fake", **body})
        assert answer.headers["x-omoide-memory"] == "skipped; not understood"
        assert await texts(omoide) == []


async def test_quiet_prompts_never_become_memories(tmp_path: Path, upstream: FakeModelServer) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        first = await client.post(RESPONSES, json={"model": "fake", "input": "나는 바이올린을 배워"})
        quiet = {"model": "fake", "input": "### Task:\nGenerate a title.", "previous_response_id": "resp_1"}
        assert first.json()["id"] == "resp_1"
        await settled(omoide)
        answer = await client.post(RESPONSES, json=quiet)
        assert answer.headers["x-omoide-memory"].startswith("skipped")
        assert upstream.requests[-1].body == quiet
        await settled(omoide)
        assert await texts(omoide) == [["나는 바이올린을 배워", "그렇구나!"]]
