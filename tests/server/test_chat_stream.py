"""Talking with a character over HTTP: events as the design has them, and nothing lost on the way (H26)."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from serving import listening, serving, settled

from omoide.errors import ModelUnavailable
from omoide.server.access import Access, ApiKeys
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from omoide.domain.chat import Turn

STREAM = "/chat/stream"


def said(message: str = "오늘 드디어 시험 끝났어", **fields: Any) -> dict[str, Any]:
    return {"session_id": "저녁", "message": message, "user_name": "민준", "character": "sena", **fields}


def events(body: str) -> list[dict[str, Any]]:
    return [json.loads(event.removeprefix("data: ")) for event in body.split("\n\n") if event]


class WaitingModel(ScriptedModel):
    """Says the beginning, and the rest when it may; notes when nobody listens any more."""

    def __init__(self, beginning: str, rest: str = "") -> None:
        super().__init__()
        self.beginning = beginning
        self.rest = rest
        self.go_on = asyncio.Event()
        self.left = asyncio.Event()

    async def stream(self, turns: Sequence[Turn]) -> AsyncIterator[str]:
        try:
            yield self.beginning
            await self.go_on.wait()
            yield self.rest
        finally:
            self.left.set()


@pytest.mark.proves("H26")
async def test_a_turn_is_told_in_these_very_bytes(tmp_path: Path) -> None:
    model = ScriptedModel(replies=[["[EMOTION:", "happy]", "축하해", ", 민준!\n", "푹 쉬어"]])
    async with serving(tmp_path, models=model) as (_, client):
        answer = await client.post(STREAM, json=said())
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-accel-buffering"] == "no"
    *tokens, done, rest = answer.content.split(b"\n\n")
    contents = [event["content"] for event in events(answer.text)[:-1]]
    assert "".join(contents) == "축하해, 민준!\n푹 쉬어"
    assert tokens == [
        f'data: {{"type":"token","content":{json.dumps(content, ensure_ascii=False)}}}'.encode()
        for content in contents
    ]
    assert done.startswith(b'data: {"type":"done","emotion":"happy","intimacy_level":')
    assert done.endswith(b',"memories_used":0}')
    assert rest == b""


@pytest.mark.proves("H4")
@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 40])
async def test_no_event_holds_any_part_of_the_tag_however_it_is_split(tmp_path: Path, size: int) -> None:
    reply = "음… [EMOTION:shy] 나도 그 영화 [정말] 좋았어"
    pieces = [reply[start : start + size] for start in range(0, len(reply), size)]
    async with serving(tmp_path, models=ScriptedModel(replies=[pieces])) as (omoide, client):
        *tokens, done = events((await client.post(STREAM, json=said())).text)
        text = "".join(token["content"] for token in tokens)
        assert "EMOTION" not in text
        assert "[정말]" in text
        assert done["emotion"] == "shy"
        assert all(set(token) == {"type", "content"} and token["content"] for token in tokens)
        await settled(omoide)
        assert not any("EMOTION" in line for line in await omoide.scope(**WHO).export())


@pytest.mark.proves("H26")
async def test_what_was_said_is_remembered_and_counted_in_the_next_session(tmp_path: Path) -> None:
    model = ScriptedModel(replies=["보드게임 좋지!", "기억하지, 보드게임!"])
    async with serving(tmp_path, models=model, quiet_minutes=0) as (omoide, client):
        await client.post(STREAM, json=said("나는 보드게임을 정말 좋아해"))
        await settled(omoide)
        answer = await client.post(STREAM, json=said("보드게임 얘기 기억나?", session_id="다음 날"))
        assert events(answer.text)[-1]["memories_used"] == 1
        assert "보드게임" in model.seen[1][0].text
        shown = (await client.get("/metrics")).text
        assert 'omoide_chat_turns_total{ending="done"} 2.0' in shown
        assert 'omoide_recalls_total{outcome="found"} 1.0' in shown


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"message": " \n"}, 422),
        ({"character": "nobody"}, 404),
        ({"character": None}, 422),
        ({"user_name": None}, 422),
        ({"session_id": ""}, 422),
        ({"session_id": "a\0"}, 422),
        ({"user_name": "민\0준"}, 422),
        ({"character": "se\0na"}, 422),
        ({"message_id": "\x1b"}, 422),
        ({"mesage": "안녕"}, 422),
    ],
)
async def test_what_cannot_be_said_is_refused_before_the_first_byte(
    tmp_path: Path, fields: dict[str, Any], status: int
) -> None:
    async with serving(tmp_path, models=ScriptedModel(replies=["응"])) as (_, client):
        answer = await client.post(STREAM, json={**said(), **fields})
        assert answer.status_code == status
        assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


async def test_no_user_or_character_has_a_name_with_control_characters(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        for whose in ({"user": "민\0준", "character": "하루"}, {"user": "민준", "character": "하\x7f루"}):
            answer = await client.post("/api/observe", params=whose, json={"user": "안녕", "reply": "응"})
            assert answer.status_code == 422


async def test_the_only_character_of_the_folder_need_not_be_named(tmp_path: Path) -> None:
    folder = tmp_path / "characters" / "nabi"
    folder.mkdir(parents=True)
    (folder / "profile.yaml").write_text("name: 나비\nlanguage: ko\n", "utf-8")
    (folder / "prompt.jinja").write_text("너는 {{ name }}이다.", "utf-8")
    model = ScriptedModel(replies=["안녕!"])
    async with serving(tmp_path, models=model, characters=folder.parent) as (omoide, client):
        assert (await client.post(STREAM, json=said(character=None))).status_code == 200
        await settled(omoide)
        assert (await omoide.scopes())[0].character == "나비"


@pytest.mark.proves("H26")
async def test_trouble_before_the_first_byte_is_a_status_and_after_it_an_event(tmp_path: Path) -> None:
    broken = ModelUnavailable("the server went away")
    model = ScriptedModel(replies=[broken, ["조금만 ", broken], "이제 됐어"])
    async with serving(tmp_path, models=model) as (omoide, client):
        refused = await client.post(STREAM, json=said(message_id="1"))
        assert (refused.status_code, refused.json()["error"]["message"]) == (502, "the server went away")
        cut = await client.post(STREAM, json=said(message_id="1"))
        await settled(omoide)
        assert cut.status_code == 200
        assert events(cut.text)[-1] == {"type": "error", "message": "the server went away"}
        assert [event["type"] for event in events(cut.text)][-2:] == ["token", "error"]
        whole = events((await client.post(STREAM, json=said(message_id="1"))).text)
        assert whole[-1]["type"] == "done"
        await settled(omoide)
        assert [text for _, text in await log(omoide)] == [said()["message"], "이제 됐어"]
        again = events((await client.post(STREAM, json=said(message_id="1"))).text)
        assert again[0]["content"] == "이제 됐어"


async def test_a_message_that_is_being_answered_may_be_sent_again_later(tmp_path: Path) -> None:
    going_on, hangs = asyncio.Event(), asyncio.Event()

    class Waits(ScriptedModel):
        async def stream(self, turns: Sequence[Turn]) -> AsyncIterator[str]:
            hangs.set()
            await going_on.wait()
            async for piece in super().stream(turns):
                yield piece

    async with serving(tmp_path, models=Waits(replies=["안녕!"])) as (_, client):
        first = asyncio.create_task(client.post(STREAM, json=said(message_id="1")))
        await hangs.wait()
        refused = await client.post(STREAM, json=said(message_id="1"))
        assert (refused.status_code, refused.headers["retry-after"]) == (409, "1")
        assert refused.json()["error"]["type"] == "BeingAnswered"
        going_on.set()
        assert events((await first).text)[-1]["type"] == "done"
        again = events((await client.post(STREAM, json=said(message_id="1"))).text)
        assert again[0]["content"] == "안녕!"


@pytest.mark.proves("H26")
@pytest.mark.parametrize("broken", ["조금만", "조금만 (", "조금만 e\u0301"])
async def test_what_was_held_back_is_given_where_the_stream_breaks_off(tmp_path: Path, broken: str) -> None:
    model = ScriptedModel(replies=[[broken, ModelUnavailable("the server went away")]])
    async with serving(tmp_path, models=model) as (_, client):
        answer = events((await client.post(STREAM, json=said())).text)
        assert "".join(event.get("content", "") for event in answer) == broken
        assert answer[-1]["type"] == "error"


@pytest.mark.proves("H26")
async def test_when_the_client_goes_away_so_does_the_request_to_the_model(tmp_path: Path) -> None:
    model = WaitingModel("잠깐만, ")
    async with listening(tmp_path, models=model) as (omoide, url):
        async with (
            httpx2.AsyncClient() as client,
            client.stream("POST", url + STREAM, json=said()) as answer,
        ):
            assert "잠깐만" in await anext(answer.aiter_text())
        async with asyncio.timeout(10):
            await model.left.wait()
        await settled(omoide)
        assert (await log(omoide))[0] == ("user", said()["message"])


@pytest.mark.proves("H26")
async def test_when_the_client_goes_away_before_the_first_byte_the_message_stays(tmp_path: Path) -> None:
    class Silent(WaitingModel):
        async def stream(self, turns: Sequence[Turn]) -> AsyncIterator[str]:
            try:
                self.go_on.set()
                await asyncio.Event().wait()
                yield ""
            finally:
                self.left.set()

    model = Silent("")
    async with listening(tmp_path, models=model) as (omoide, url), httpx2.AsyncClient() as client:
        asking = asyncio.create_task(client.post(url + STREAM, json=said()))
        async with asyncio.timeout(10):
            await model.go_on.wait()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            await model.left.wait()
        assert [text for _, text in await log(omoide)] == [said()["message"]]


@pytest.mark.proves("H26")
async def test_the_first_piece_arrives_while_the_model_still_speaks(tmp_path: Path) -> None:
    model = WaitingModel("먼저, ", "그리고 나중")
    async with (
        listening(tmp_path, models=model) as (_, url),
        httpx2.AsyncClient() as client,
        client.stream("POST", url + STREAM, json=said()) as answer,
    ):
        pieces = answer.aiter_text()
        assert "먼저" in await anext(pieces)
        model.go_on.set()
        assert events("".join([piece async for piece in pieces]))[-1]["type"] == "done"


async def test_a_key_for_one_user_speaks_as_that_user_whatever_name_is_given(tmp_path: Path) -> None:
    key = ApiKeys(tmp_path / "keys.json").add(Access(label="game", users=frozenset({"민준"})))
    model = ScriptedModel(replies=["안녕!", "안녕!"])
    async with serving(tmp_path, local=False, key=key, models=model) as (omoide, client):
        assert (await client.post(STREAM, json=said(user_name="유나"))).status_code == 200
        await settled(omoide)
        assert [scope.user for scope in await omoide.scopes()] == ["민준"]
        assert (await client.post(STREAM, json=said(user_name=None))).status_code == 200


async def test_a_key_does_not_reach_other_users_or_characters(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    key = keys.add(Access(label="two", users=frozenset({"민준", "유나"}), characters=frozenset({"세나"})))
    async with serving(tmp_path, local=False, key=key, models=ScriptedModel(replies=["응"])) as (_, client):
        for fields in ({"user_name": "지호"}, {"character": "wren"}, {"character": "nobody"}):
            answer = await client.post(STREAM, json=said(**fields))
            assert answer.status_code == 403
            assert "wren" not in answer.text
        assert (await client.post(STREAM, json=said(character=None))).status_code == 200
        client.headers.pop("authorization")
        assert (await client.post(STREAM, json=said())).status_code == 401


WHO = {"user": "민준", "character": "세나"}


async def log(omoide: Any) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in await omoide.scope(**WHO).export()]
    return [(line["role"], line["text"]) for line in lines if "role" in line]
