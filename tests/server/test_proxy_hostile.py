"""The proxy between clients and upstreams that send what nobody expects: the chat goes on."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx2
import pytest
from proxied import CHAT, talk
from serving import listening, serving, settled
from upstreams import sending

from omoide.cli.logs import noting
from omoide.config import Settings
from omoide.testing.replies import Reply, error_in_place, slow, truncated

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Omoide
    from omoide.testing import FakeModelServer

SAID = "오늘 바다에서 조개를 주웠어"


async def texts(omoide: Omoide) -> dict[str, list[str]]:
    """What each session shows, in order, by the session's name."""
    row = omoide.store.scope("민준", "하루")
    if row is None:
        return {}
    with omoide.store.read(row) as unit:
        paths = {
            name: [said.id for said in unit.log.path(number)]
            for number, name in unit.sessions.names().items()
        }
        words = unit.texts.open([number for path in paths.values() for number in path])
    return {name: [words[number] for number in path] for name, path in paths.items() if path}


def chunk(text: str, *, finish: str | None = None, index: int = 0) -> bytes:
    choice = {"index": index, "delta": {"content": text}, "finish_reason": finish}
    return json.dumps({"id": "x", "choices": [choice]}, ensure_ascii=False).encode()


EVENTS = [chunk("조개라니, "), chunk("예쁘다 🐚!"), chunk("", finish="stop"), b"[DONE]"]
PLAIN = b"".join(b"data: %s\n\n" % event for event in EVENTS)


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@pytest.mark.parametrize(
    "pieces",
    [
        cut(PLAIN, 1),  # UTF-8 cut anywhere
        cut(PLAIN, 7),
        [PLAIN],
        cut(PLAIN.replace(b"\n", b"\r\n"), 5),
        [PLAIN.replace(b"data: ", b"data:")],
        [b": hello\n\n" + PLAIN.replace(b"\n\n", b"\n\n: still here\n\n")],
        [b"event: message\nid: 7\nretry: 10\n" + PLAIN],
        [b"".join(b"data: %s\n\n" % event for event in EVENTS[:3]).rstrip()],  # no end, and no empty line
        [PLAIN.replace(b"}\n\n", b"}\n")],  # nor between events
        [b"".join(b"data: %s\n\n" % event for event in EVENTS[:3]), b'data: {"usage"'],
        [PLAIN.replace(b'"stop"', b"null")],  # no other end than that of the stream
        [PLAIN.replace(b'"choices": [', b'"choices":\ndata: [')],  # one event in two lines
        [PLAIN.replace(b'"id": "x", ', b'"usage": null, "obfuscation": "aaa", ')],
        [b"data: %s\n\n" % chunk("다른 대답", index=1), PLAIN, b"data: {}\n\n"],
        [b'data: {"choices": []}\n\n', PLAIN, b'data: {"choices": null, "usage": {}}\n\n'],
    ],
)
async def test_a_stream_in_any_shape_goes_down_as_it_is_and_is_understood(
    tmp_path: Path, pieces: list[bytes]
) -> None:
    async with (
        sending(*pieces) as up,
        serving(tmp_path, upstream=up.url) as (omoide, client),
    ):
        answer = await client.post(CHAT, json=talk(SAID, stream=True))
        assert answer.content == b"".join(pieces)
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID, "조개라니, 예쁘다 🐚!"]]


@pytest.mark.parametrize("said_to_be", ["text/plain", "application/json", "application/octet-stream"])
async def test_a_stream_that_is_said_to_be_something_else_is_understood(
    tmp_path: Path, said_to_be: str
) -> None:
    sent = b": hello\n\n" + PLAIN
    async with (
        sending(*cut(sent, 7), content_type=said_to_be) as up,
        serving(tmp_path, upstream=up.url) as (omoide, client),
    ):
        answer = await client.post(CHAT, json=talk(SAID, stream=True))
        assert (answer.content, answer.headers["content-type"]) == (sent, said_to_be)
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID, "조개라니, 예쁘다 🐚!"]]


@pytest.mark.parametrize("stream", [True, False])
async def test_an_upstream_that_packs_its_answer_all_the_same_is_understood(
    tmp_path: Path, stream: bool
) -> None:
    said = {"choices": [{"message": {"content": "조개라니, 예쁘다 🐚!"}, "finish_reason": "stop"}]}
    packed = gzip.compress(PLAIN if stream else json.dumps(said).encode())
    kind = "text/event-stream" if stream else "application/json"
    async with (
        sending(*cut(packed, 9), content_type=kind, content_encoding="gzip") as up,
        listening(tmp_path, upstream=up.url, ping_seconds=0.001) as (omoide, url),
        httpx2.AsyncClient() as client,
        client.stream("POST", url + CHAT, json=talk(SAID, stream=stream)) as answer,
    ):
        assert b"".join([piece async for piece in answer.aiter_raw()]) == packed
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID, "조개라니, 예쁘다 🐚!"]]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe\x00",
        b"data: nothing\n\n",
        b"data: " + b"[" * 100_000 + b"\n\n",
        b'data: {"choices": 7}\n\ndata: {"choices": {"a": 1}}\n\ndata: [1, 2]\n\n',
        b'data: {"choices": [7, null, {"delta": 3, "finish_reason": {"a": []}}]}\n\n',
        b'data: {"choices": [{"index": [], "delta": {"content": {"a": 1}}, "finish_reason": 1}]}\n\n',
        PLAIN.replace(b"data: [DONE]", b'data: {"error": {"message": "out of memory"}}'),
        PLAIN.replace(b'"stop"', b'"length"'),
        PLAIN.replace(b'"stop"', b"null").replace(b"data: [DONE]", b""),
        b"data: " + b"x" * 5_000_000,
    ],
)
@pytest.mark.parametrize("kind", ["text/event-stream", "application/json"])
async def test_an_answer_that_is_no_whole_reply_goes_down_as_it_is_and_is_not_kept(
    tmp_path: Path, body: bytes, kind: str
) -> None:
    async with (
        sending(*cut(body, 500_000), content_type=kind) as up,
        serving(tmp_path, upstream=up.url) as (omoide, client),
    ):
        answer = await client.post(CHAT, json=talk(SAID))
        assert answer.content == body
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID]]


async def test_an_error_with_status_200_passes_through_and_is_not_kept(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    upstream.replies.extend(
        [error_in_place(), truncated("반쪽짜리 대답입니다"), Reply(text="x", finish="refusal")]
    )
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        for _ in range(3):
            assert (await client.post(CHAT, json=talk(SAID))).status_code == 200
            await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID]]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"words"',
        b"\xff",
        b'{"messages": "hello"}',
        b'{"messages": []}',
        b'{"messages": [7]}',
        b'{"messages": [{"role": "user", "content": "x"}, null]}',
        b'{"messages":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"n": 1' + b"0" * 5000 + b"}",
        b'{"messages": [{"role": "user", "content": "x"}], "temperature": 1e999}',
        b'{"messages": [{"role": "user", "content": "x"}], "temperature": NaN}',
    ],
)
async def test_a_body_that_is_no_chat_goes_up_as_it_is(tmp_path: Path, content: bytes) -> None:
    async with (
        sending(b'{"error": {"message": "no"}}', content_type="application/json") as up,
        serving(tmp_path, upstream=up.url) as (omoide, client),
    ):
        answer = await client.post(CHAT, content=content, headers={"content-length": str(len(content))})
        assert answer.status_code == 200
        assert answer.headers["x-omoide-memory"] == "skipped; not understood"
        assert up.bodies == [content]
        assert await texts(omoide) == {}


IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("messages", "kept"),
    [
        ([{"role": "user", "content": [{"type": "text", "text": SAID}, IMAGE]}], [SAID, "그렇구나!"]),
        ([{"role": "user", "content": [IMAGE]}], []),
        ([{"role": "user", "content": None}], []),
        ([{"role": "user"}], []),
        ([{"content": SAID}], []),
        ([{"role": 7, "content": {"a": 1}}], []),
        ([{"role": "user", "content": ["x", None, {"text": 3}]}], []),
        ([{"role": "user", "content": "\x00\u200b \n"}], []),
        ([{"role": "user", "content": f"{SAID}\x00", "name": ["x"]}], [SAID, "그렇구나!"]),
        (
            [
                {"role": "user", "content": SAID},
                {"role": "assistant", "content": None, "tool_calls": [CALL]},
                {"role": "tool", "tool_call_id": "c1", "content": "맑음"},
            ],
            [SAID, "그렇구나!"],
        ),
        (
            [
                {"role": "user", "content": SAID},
                {"role": "assistant", "content": "찾아볼게.", "tool_calls": [CALL]},
                {"role": "tool", "tool_call_id": "c1", "content": "맑음"},
            ],
            [SAID, "찾아볼게.", "그렇구나!"],
        ),
    ],
)
async def test_messages_in_any_shape_reach_the_upstream_and_only_words_are_kept(
    tmp_path: Path, upstream: FakeModelServer, messages: list[dict[str, Any]], kept: list[str]
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        answer = await client.post(CHAT, json={"model": "fake", "messages": messages})
        assert answer.status_code == 200
        (sent,) = upstream.requests
        assert [one for one in sent.body["messages"] if one.get("role") != "system"] == messages
        await settled(omoide)
        assert [said for shown in (await texts(omoide)).values() for said in shown] == kept


async def test_a_reply_that_calls_a_tool_is_not_kept(tmp_path: Path, upstream: FakeModelServer) -> None:
    tools = [{"type": "function", "function": {"name": "weather", "parameters": {}}}]
    upstream.replies.extend([Reply(text='{"place": "바다"}', call=True)] * 2)
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        for stream in (True, False):
            await client.post(CHAT, json=talk(SAID, stream=stream, tools=tools))
            await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID]]


async def test_of_several_replies_none_is_kept_before_one_is_chosen(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await client.post(CHAT, json=talk(SAID, n=3))
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID]]
        await client.post(CHAT, json=talk(SAID, "세 번째 대답이야", "응, 많이 주웠어"))
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [
            [SAID, "세 번째 대답이야", "응, 많이 주웠어", "그렇구나!"]
        ]


@pytest.mark.parametrize("words", ["half \\ud83d of a pair", "\\udc1a조개", "\\ud800"])
async def test_half_a_surrogate_pair_goes_up_as_it_came(tmp_path: Path, words: str) -> None:
    body = f'{{"messages": [{{"role": "user", "content": "{words} {SAID}"}}], "top_p": 0.5}}'
    async with (
        sending(PLAIN) as up,
        serving(tmp_path, upstream=up.url) as (omoide, client),
    ):
        answer = await client.post(CHAT, content=body.encode())
        assert answer.headers["x-omoide-memory"].startswith("used=")
        assert json.loads(up.bodies[0])["messages"][-1] == json.loads(body)["messages"][0]
        await settled(omoide)
        (kept,) = (await texts(omoide)).values()
        assert kept[0].endswith(SAID)


@pytest.mark.parametrize("depth", [200, 900, 990, 5_000])
async def test_a_deeply_nested_body_goes_up_whole(tmp_path: Path, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    body = f'{{"messages": [{{"role": "user", "content": "{SAID}"}}], "odd": {deep}, "user": "x"}}'.encode()
    async with (
        sending(PLAIN) as up,
        serving(tmp_path, upstream=up.url) as (_, client),
    ):
        assert (await client.post(CHAT, content=body)).content == PLAIN
        assert up.bodies[0].count(b"[") >= depth


async def test_a_message_of_a_megabyte_goes_up_whole(tmp_path: Path, upstream: FakeModelServer) -> None:
    long = "나는 바다에서 조개를 주웠어. " * 30_000
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        answer = await client.post(CHAT, json=talk(long))
        assert answer.json()["choices"][0]["message"]["content"] == "그렇구나!"
        assert upstream.requests[0].turns[-1].text == long
        await settled(omoide)
        ((first, _),) = (await texts(omoide)).values()
        assert first.startswith("나는 바다에서")


async def test_two_thousand_messages_are_taken_over_at_once(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    said = [f"{number}번째 이야기는 조개 {number * 7}개에 대한 것이야" for number in range(2_001)]
    async with serving(tmp_path, upstream=upstream.url, recall_seconds=0.001) as (omoide, client):
        answer = await client.post(CHAT, json=talk(*said))
        assert answer.headers["x-omoide-memory"] == "skipped; too slow"
        assert len(upstream.requests[0].turns) == 2_001
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[*said, "그렇구나!"]]


@pytest.mark.parametrize(
    ("user", "character", "whose"),
    [
        ("a/b", "c/d", ("a/b", "c/d")),
        ("c", "u", ("c", "u")),
        ("민준\x00", "하루", None),
        ("a?b#c", "%", ("a?b#c", "%")),
        ("..", "v1", ("..", "v1")),
        ("{{user}}", "하루", None),
        ("나 {{user}}", "하루", None),
        ("민준", "<BOT>", None),
        ("x" * 513, "하루", None),
        ("\u200b", "하루", None),
    ],
)
async def test_names_of_any_kind_in_the_path(
    tmp_path: Path, upstream: FakeModelServer, user: str, character: str, whose: tuple[str, str] | None
) -> None:
    names = f"/u/{quote(user, safe='')}/c/{quote(character, safe='')}"
    async with listening(tmp_path, upstream=upstream.url) as (omoide, url), httpx2.AsyncClient() as client:
        for path in ("/v1/chat/completions", "/chat/completions"):
            answer = await client.post(f"{url}{names}{path}".replace("/../", "/%2E%2E/"), json=talk(SAID))
            assert answer.json()["choices"][0]["message"]["content"] == "그렇구나!"
        assert (await client.get(f"{url}{names}/v1/models".replace("/../", "/%2E%2E/"))).status_code == 200
        assert {asked.path for asked in upstream.requests} == {"/v1/chat/completions"}
        await settled(omoide)
        scopes = [(scope.user, scope.character) for scope in await omoide.scopes()]
        assert scopes == ([] if whose is None else [whose])


async def test_a_client_that_leaves_before_the_answer_begins_ends_the_request_above(tmp_path: Path) -> None:
    async with (
        sending(PLAIN, delay=30) as up,
        listening(tmp_path, upstream=up.url) as (omoide, url),
    ):
        async with httpx2.AsyncClient() as client:
            asking = asyncio.create_task(client.post(url + CHAT, json=talk(SAID)))
            while not up.bodies:
                await asyncio.sleep(0.01)
            asking.cancel()
        async with asyncio.timeout(20):
            await up.left.wait()
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID]]


async def test_an_upstream_that_is_slow_to_begin_is_waited_for(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    upstream.replies.extend([slow("천천히", delay=0.3)] * 2)
    async with listening(tmp_path, upstream=upstream.url, ping_seconds=0.05) as (omoide, url):
        async with httpx2.AsyncClient() as client:
            for stream in (True, False):
                answer = await client.post(url + CHAT, json=talk(SAID, stream=stream))
                assert answer.status_code == 200
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID, "천천히"]]


async def test_an_upstream_that_closes_a_kept_connection_between_turns_is_called_anew(tmp_path: Path) -> None:
    body = json.dumps({"choices": [{"message": {"content": "응"}, "finish_reason": "stop"}]}).encode()

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        kind = b"content-type: application/json\r\nconnection: keep-alive\r\n"
        writer.write(b"HTTP/1.1 200 OK\r\n%bcontent-length: %d\r\n\r\n%b" % (kind, len(body), body))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(once, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        async with serving(tmp_path, upstream=url) as (_, client):
            for _ in range(3):
                answer = await client.post(CHAT, json=talk(SAID))
                assert answer.json()["choices"][0]["message"]["content"] == "응"
                await asyncio.sleep(0.02)


@pytest.mark.parametrize("named", [True, False])
async def test_two_sessions_of_one_scope_at_once_stay_apart(
    tmp_path: Path, upstream: FakeModelServer, named: bool
) -> None:
    places = {"바다": ["바다에 갔어", "배를 탔어", "수영했어"], "산": ["산에 갔어", "꽃을 봤어", "내려왔어"]}

    async def live(client: httpx2.AsyncClient, url: str, name: str) -> None:
        shown: list[str] = []
        for words in places[name]:
            shown.append(words)
            headers = {"x-omoide-session": quote(name)} if named else {}
            answer = await client.post(url + CHAT, json=talk(*shown), headers=headers)
            shown.append(answer.json()["choices"][0]["message"]["content"])

    async with listening(tmp_path, upstream=upstream.url) as (omoide, url), httpx2.AsyncClient() as client:
        await asyncio.gather(*(live(client, url, name) for name in places))
        await settled(omoide)
        expected = [[words for said in place for words in (said, "그렇구나!")] for place in places.values()]
        assert sorted((await texts(omoide)).values()) == sorted(expected)


@pytest.mark.parametrize("second", [SAID, "오늘 바다에서 진주를 주웠어"])
async def test_a_swipe_while_the_first_reply_still_streams_keeps_the_second(
    tmp_path: Path, upstream: FakeModelServer, second: str
) -> None:
    before = ("안녕", "어서 와", "어제는 잤어", "잘했네")
    upstream.replies.extend([slow("첫 번째 대답이야 정말로", pause=0.15), "두 번째 대답이야"])
    async with listening(tmp_path, upstream=upstream.url) as (omoide, url), httpx2.AsyncClient() as client:
        first = asyncio.create_task(client.post(url + CHAT, json=talk(*before, SAID, stream=True)))
        while not upstream.requests:
            await asyncio.sleep(0.01)
        await client.post(url + CHAT, json=talk(*before, second, stream=True))
        assert not first.done()
        assert "[DONE]" in (await first).text
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[*before, second, "두 번째 대답이야"]]


async def test_a_client_that_comes_again_is_heard_once(tmp_path: Path, upstream: FakeModelServer) -> None:
    upstream.replies.extend([slow("아주 긴 대답 " * 100, pause=0.05)] * 2)
    async with listening(tmp_path, upstream=upstream.url) as (omoide, url), httpx2.AsyncClient() as client:
        for _ in range(2):
            async with client.stream("POST", url + CHAT, json=talk(SAID, stream=True)) as answer:
                await anext(answer.aiter_raw())
        await client.post(url + CHAT, json=talk(SAID, stream=True))
        await asyncio.sleep(0.1)
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID, "그렇구나!"]]


async def test_a_client_that_leaves_with_the_last_words_has_heard_them(tmp_path: Path) -> None:
    async with (
        sending(PLAIN, *[b": bye\n\n"] * 2_000) as up,
        listening(tmp_path, upstream=up.url) as (omoide, url),
        httpx2.AsyncClient() as client,
    ):
        async with client.stream("POST", url + CHAT, json=talk(SAID, stream=True)) as answer:
            await anext(answer.aiter_raw())
        for _ in range(200):
            await asyncio.sleep(0.01)
            await settled(omoide)
            if len(next(iter((await texts(omoide)).values()))) == 2:
                break
        assert list((await texts(omoide)).values()) == [[SAID, "조개라니, 예쁘다 🐚!"]]


async def test_talk_that_goes_on_is_recalled_before_it_is_written_and_edits_after(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        shown = ["나는 보리차를 제일 좋아해", "그렇구나!", "내일은 시험이야", "그렇구나!", "이제 잘게"]
        told = []
        for size in (1, 3, 5, 5):
            answer = await client.post(CHAT, json=talk(*shown[:size]))
            told.append("sync" in answer.headers["server-timing"])
            await settled(omoide)
        assert told == [True, False, False, True]  # the last one is a swipe
        assert list((await texts(omoide)).values()) == [[*shown, "그렇구나!"]]


async def test_a_beginning_that_is_cut_off_is_no_edit(tmp_path: Path, upstream: FakeModelServer) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        shown = ["나는 보리차를 제일 좋아해", "그렇구나!", "내일은 시험이야", "그렇구나!", "이제 잘게"]
        await client.post(CHAT, json=talk(*shown[:3]))
        await settled(omoide)
        answer = await client.post(CHAT, json=talk(*shown[2:]))
        assert "sync" not in answer.headers["server-timing"]
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[*shown, "그렇구나!"]]


@pytest.mark.parametrize(("method", "path"), [("POST", CHAT), ("POST", "/v1/files/f1/content")])
async def test_an_answer_that_is_cut_off_is_never_whole_for_the_client(
    tmp_path: Path, method: str, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with noting(Settings.read()):
        async with (
            sending(b'{"choices": [', cut=True, content_type="application/json") as upstream,
            listening(tmp_path, upstream=upstream.url) as (_, url),
            httpx2.AsyncClient() as client,
        ):
            with pytest.raises(httpx2.RemoteProtocolError):
                await client.request(method, url + path, json=talk("안녕"))
    noted = capsys.readouterr().err
    assert "WARNING the upstream failed: RemoteProtocolError" in noted
    assert "ERROR" not in noted


@pytest.mark.parametrize(
    "sent",
    [PLAIN, PLAIN.replace(b"data: [DONE]\n\n", b"").rstrip(), PLAIN.replace(b"\n\ndata: [DONE]\n\n", b"\n")],
)
async def test_a_reply_that_was_whole_before_its_stream_broke_off_is_kept(
    tmp_path: Path, sent: bytes
) -> None:
    async with (
        sending(sent, cut=True) as upstream,
        listening(tmp_path, upstream=upstream.url) as (omoide, url),
        httpx2.AsyncClient() as client,
    ):
        answer = await client.post(url + CHAT, json=talk(SAID, stream=True))
        assert answer.content.startswith(sent)
        assert b"upstream_error" in answer.content
        await settled(omoide)
        assert list((await texts(omoide)).values()) == [[SAID, "조개라니, 예쁘다 🐚!"]]


async def test_trouble_within_an_event_is_told_in_one_of_its_own(tmp_path: Path) -> None:
    async with (
        sending(b'data: {"choices": [{"delta"', cut=True) as upstream,
        listening(tmp_path, upstream=upstream.url) as (_, url),
        httpx2.AsyncClient() as client,
    ):
        answer = await client.post(url + CHAT, json=talk("안녕", stream=True))
        half, told = answer.text.strip().split("\n\n")
        assert half == 'data: {"choices": [{"delta"'
        assert json.loads(told.removeprefix("data: "))["error"]["type"] == "upstream_error"
