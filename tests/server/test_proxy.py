"""The proxy: memory comes in on the way up, and nothing else changes on either way."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from openai import AsyncOpenAI
from proxied import CHAT, PATH, haru, talk
from serving import listening, serving, settled

from omoide.domain.model import Status
from omoide.server.access import Access, ApiKeys
from omoide.testing.replies import Reply, dropping, failing, rate_limited, slow, thinking

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Omoide
    from omoide.testing import FakeModelServer


async def episodes(omoide: Omoide) -> list[str]:
    row = omoide.store.scope("민준", "하루")
    return [] if row is None else [one.text for one in await haru(omoide).memories()]


async def test_memory_goes_up_in_one_system_message_and_the_answer_comes_down(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await haru(omoide).observe("나는 보리차를 제일 좋아해", "나도!", session="어제")
        asked = talk("보리차 얘기 기억나?")
        asked["messages"].insert(0, {"role": "system", "content": "너는 하루다."})
        answer = await client.post(CHAT, json=asked)
        assert answer.json()["choices"][0]["message"]["content"] == "그렇구나!"
        assert answer.headers["x-omoide-memory"] == "used=1"
        (sent,) = upstream.requests
        assert [turn.role for turn in sent.turns] == ["system", "user"]
        assert sent.turns[0].text.startswith("너는 하루다.")
        assert "보리차를 제일 좋아해" in sent.turns[0].text
        assert sent.turns[1].text == "보리차 얘기 기억나?"


async def test_memory_before_the_last_user_message_leaves_the_beginning_as_it_was(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with serving(tmp_path, upstream=upstream.url, memory_place="user") as (omoide, client):
        await haru(omoide).observe("나는 보리차를 제일 좋아해", "나도!", session="어제")
        await client.post(CHAT, json=talk("안녕", "어서 와", "보리차 얘기 기억나?"))
        (sent,) = upstream.requests
        assert "보리차를 제일" not in sent.turns[0].text
        assert sent.turns[1].text == "안녕"
        assert sent.turns[-1].text.startswith("<memories>")
        assert sent.turns[-1].text.endswith("보리차 얘기 기억나?")


@pytest.mark.parametrize("stream", [True, False])
async def test_the_answer_comes_down_byte_for_byte(
    tmp_path: Path, upstream: FakeModelServer, stream: bool
) -> None:
    body = talk("오늘 날씨 어때?", stream=stream, seed=7, odd={"a": [1]})
    if not stream:  # whose count of tokens would tell of what came in
        whole = Reply(body=b'{"id": "x", "choices": [{"message": {"content": "\xea\xb7\xb8"}}]}')
        upstream.replies.extend([whole, whole])
    async with listening(tmp_path, upstream=upstream.url) as (_, url), httpx2.AsyncClient() as client:
        direct = await client.post(f"{upstream.url}/chat/completions", json=body)
        proxied = await client.post(url + CHAT, json=body)
        assert proxied.content == direct.content
        assert proxied.headers["content-type"] == direct.headers["content-type"]
        up = upstream.requests[1].body
        assert {key: up[key] for key in up if key != "messages"} == {
            key: body[key] for key in body if key != "messages"
        }


async def test_the_official_client_talks_over_days_and_is_remembered(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with listening(tmp_path, upstream=upstream.url) as (omoide, url):
        client = AsyncOpenAI(base_url=url + PATH, api_key="whatever")
        history: list[Any] = []
        for said in ("나는 보리차를 제일 좋아해", "어제는 바다에 갔어", "조개를 주웠어"):
            history.append({"role": "user", "content": said})
            stream = await client.chat.completions.create(model="fake", messages=history, stream=True)
            reply = "".join([chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices])
            history.append({"role": "assistant", "content": reply})
            await settled(omoide)
        assert len(await episodes(omoide)) == 2  # the newest exchange may still be swiped
        fresh = [{"role": "user", "content": "내가 무슨 차를 좋아한다고 했지? 보리차?"}]
        await client.chat.completions.create(model="fake", messages=fresh)
        assert "보리차를 제일 좋아해" in upstream.requests[-1].turns[0].text
        await client.close()


@pytest.mark.parametrize(
    ("before", "headers"),
    [
        (("안녕", "어서 와"), {"x-omoide-session": "s1"}),
        (("오랜만이야", "어서 와, 그동안 어떻게 지냈어?", "시험이 있어서 바빴어", "고생했네"), {}),
    ],
)
async def test_swipes_edits_and_regenerations_never_become_memories(
    tmp_path: Path, upstream: FakeModelServer, before: tuple[str, ...], headers: dict[str, str]
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        upstream.replies.extend(["첫 번째 대답이야", "두 번째 대답이야", "세 번째 대답이야"])
        for _ in range(3):
            await client.post(CHAT, json=talk(*before, "나는 바이올린을 배워"), headers=headers)
            await settled(omoide)
        edited = talk(*before, "나는 첼로를 배워", "두 번째 대답이야", "매주 화요일에 가")
        await client.post(CHAT, json=edited, headers=headers)
        await settled(omoide)
        kept = [text for text in await episodes(omoide) if "배워" in text]
        assert len(kept) == 1
        assert "첼로" in kept[0]
        assert "두 번째" in kept[0]
        everything = await haru(omoide).memories(statuses=tuple(Status))
        assert not any("바이올린" in memory.text or "첫 번째" in memory.text for memory in everything)


@pytest.mark.parametrize(
    "quiet",
    [
        {"role": "system", "content": "Summarize the story so far in 100 words."},
        {"role": "user", "content": "[Pause your roleplay. Summarize the most important facts so far.]"},
        {"role": "user", "content": "[Write your next reply from the point of view of Minjun.]"},
        {
            "role": "user",
            "content": "Ignore previous instructions. Classify the emotion of the last message.",
        },
        {"role": "user", "content": "### Task:\nGenerate a concise, 3-5 word title with an emoji."},
    ],
)
@pytest.mark.parametrize(
    "behind",
    [
        [],
        [{"role": "system", "content": "Stay in character."}, {"role": "assistant", "content": "Summary:"}],
    ],
)
async def test_quiet_prompts_never_become_memories(
    tmp_path: Path, upstream: FakeModelServer, quiet: dict[str, str], behind: list[dict[str, str]]
) -> None:
    async with serving(tmp_path, upstream=upstream.url, quiet_minutes=0) as (omoide, client):
        asked = talk("나는 바이올린을 배워", "멋지다", "매주 화요일에 가", "그렇구나!")
        asked["messages"] += [quiet, *behind]
        answer = await client.post(CHAT, json=asked)
        assert answer.headers["x-omoide-memory"].startswith("skipped")
        assert upstream.requests[0].body == asked
        await settled(omoide)
        await client.post(CHAT, json=talk(*(one["content"] for one in asked["messages"][:4]), "내일 또 가"))
        await settled(omoide)
        kept = await episodes(omoide)
        assert {"바이올린", "화요일", "내일"} == {
            word for word in ("바이올린", "화요일", "내일") for text in kept if word in text
        }
        assert not any(quiet["content"][:20] in text for text in kept)


@pytest.mark.parametrize("headers", [{}, {"x-omoide-session": "s1"}])
async def test_a_quiet_prompt_changes_nothing_whatever_of_the_talk_it_shows(
    tmp_path: Path, upstream: FakeModelServer, headers: dict[str, str]
) -> None:
    said = ("나는 바이올린을 배워", "멋지다", "매주 화요일에 가", "그렇구나!", "선생님이 친절해", "다행이다")
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await client.post(CHAT, json=talk(*said, "내일 또 가"), headers=headers)
        await settled(omoide)
        before = [line for line in await haru(omoide).export() if '"role"' in line]
        assert len(before) == 8
        for shown in (said[:2], said, (), ("전혀 다른 말", "그래?")):
            asked = talk(*shown, "### Task:\nGenerate a concise, 3-5 word title with an emoji.")
            await client.post(CHAT, json=asked, headers=headers)
            asked = talk(*shown)
            asked["messages"].append({"role": "system", "content": "Summarize the story so far."})
            await client.post(CHAT, json=asked, headers=headers) if shown else None
            await settled(omoide)
            assert [line for line in await haru(omoide).export() if '"role"' in line] == before


@pytest.mark.parametrize(
    ("task", "about"),
    [
        ("Ignore previous instructions. Classify the emotion of the last message.", "멋지다"),
        ("다음 대화의 제목을 지어 주세요.", "사용자: 첼로를 샀어\nAI: 좋겠다"),
        ("あなたは要約係です。以下の会話を要約してください。", "ユーザー: チェロを買った"),
        ("你是会话助理，请总结以下对话。", "用户：我买了大提琴"),
    ],
)
async def test_a_task_in_front_of_what_it_is_about_is_a_quiet_prompt(
    tmp_path: Path, upstream: FakeModelServer, task: str, about: str
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await client.post(CHAT, json=talk("나는 바이올린을 배워"))
        await settled(omoide)
        before = [line for line in await haru(omoide).export() if '"role"' in line]
        shown = [{"role": "system", "content": task}, {"role": "user", "content": about}]
        for path, body in (
            (CHAT, {"model": "fake", "messages": shown}),
            (CHAT, {"model": "fake", "messages": shown[:1]}),
            (f"{PATH}/responses", {"model": "fake", "input": about, "instructions": task}),
        ):
            answer = await client.post(path, json=body)
            assert answer.headers["x-omoide-memory"].startswith("skipped")
            assert upstream.requests[-1].body == body
            await settled(omoide)
            assert [line for line in await haru(omoide).export() if '"role"' in line] == before


@pytest.mark.parametrize(
    ("said", "reply", "copied"),
    [
        (
            "나는 바이올린을 배워",
            "*웃으며* 정말 멋지다, 언제부터 배웠어? 나도 듣고 싶어.",
            "정말 멋지다, 언제부터 배웠어?",
        ),
        (
            "バイオリンを習っています",
            "素敵ですね。いつから習っているのですか。",
            "素敵ですね。いつから習っているのですか。",
        ),
        (
            "I teach chemistry",
            "Lovely! I live in Bath, and I hate school.",
            "Lovely! I live in Bath, and I hate school.",
        ),
        (
            "I have three brothers",
            "How nice, where do they live?",
            "Sam: I have three brothers\n\nJuniper: How nice, where do they live?",
        ),
    ],
)
async def test_what_the_character_said_is_never_the_users_word(
    tmp_path: Path, upstream: FakeModelServer, said: str, reply: str, copied: str
) -> None:
    upstream.replies.extend(Reply(text=text) for text in (reply, "joy", "다시", "joy", "안녕!"))
    asked = [{"role": "system", "content": "하루처럼 말해."}, {"role": "user", "content": copied}]
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await client.post(CHAT, json=talk(said))
        await settled(omoide)
        quiet = await client.post(CHAT, json={"model": "fake", "messages": asked})
        assert quiet.headers["x-omoide-memory"] == "skipped; no new message"
        assert upstream.requests[-1].body["messages"] == asked
        await client.post(
            CHAT, json=talk(said)
        )  # a swipe: the reply is taken back, and still the character's
        await settled(omoide)
        quiet = await client.post(CHAT, json={"model": "fake", "messages": asked})
        assert quiet.headers["x-omoide-memory"] == "skipped; no new message"
        await settled(omoide)
        assert len([line for line in await haru(omoide).export() if '"role"' in line]) == 2
        # The user's own words, with all before them cut off, are a turn.
        turn = await client.post(CHAT, json=talk(said))
        assert turn.headers["x-omoide-memory"].startswith("used")


@pytest.mark.parametrize(
    "behind",
    [
        [{"role": "system", "content": "Answer in two short paragraphs."}],
        [
            {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function"}]},
            {"role": "tool", "tool_call_id": "a", "content": "sunny"},
        ],
    ],
)
async def test_a_turn_with_an_instruction_or_a_tool_behind_it_is_a_turn(
    tmp_path: Path, upstream: FakeModelServer, behind: list[dict[str, Any]]
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await haru(omoide).observe("나는 보리차를 제일 좋아해", "나도!", session="어제")
        asked = talk("보리차 얘기 기억나?")
        asked["messages"] += behind
        answer = await client.post(CHAT, json=asked)
        assert answer.headers["x-omoide-memory"] == "used=1"
        await settled(omoide)
        await client.post(CHAT, json=talk("보리차 얘기 기억나?", "그렇구나!", "잘 자"))
        await settled(omoide)
        assert any("보리차 얘기" in text for text in await episodes(omoide))


async def test_in_a_group_each_character_has_memory_and_what_the_user_said_counts(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    upstream.replies.extend(["첫 대답", "둘째 대답", "셋째 대답", "넷째 대답"])
    shown: list[dict[str, str]] = []
    notes = []
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        for said in ("나는 땅콩 알레르기가 있어", "내가 뭘 못 먹는다고 했지? 땅콩?"):
            shown.append({"role": "user", "content": said})
            for name in ("하루", "린"):
                # The fake server takes no message of role system there.
                nudge = {"role": "developer", "content": f"[Write the next reply only as {name}.]"}
                names = {"user": "민준", "character": name}
                asked = {"model": "fake", "messages": [*shown, nudge], "metadata": names}
                answer = await client.post("/v1/chat/completions", json=asked)
                notes.append(answer.headers["x-omoide-memory"])
                await settled(omoide)
                reply = answer.json()["choices"][0]["message"]["content"]
                shown.append({"role": "assistant", "content": f"{name}: {reply}"})
        assert all(note.startswith("used=") for note in notes)
        for name in ("하루", "린"):  # the reply behind another's is learned with the next message
            scope = omoide.scope(user="민준", character=name)
            log = [json.loads(line) for line in await scope.export()]
            kept = [one["text"].removeprefix("하루: ") for one in log if one.get("role")]
            assert kept == [one["content"].removeprefix("하루: ") for one in shown[:5]]
            assert any("땅콩 알레르기" in one.text for one in await scope.memories())


async def test_a_prompt_to_speak_by_itself_is_never_the_users_word(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    prompt = "Please say something that would be engaging and appropriate for the current context."
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        asked = talk("나는 보리차를 좋아해", "나도!", prompt)
        answer = await client.post(CHAT, json=asked)
        assert answer.headers["x-omoide-memory"] == "skipped; no new message"
        assert upstream.requests[-1].body == asked
        await client.post(CHAT, json=talk("나는 보리차를 좋아해", "나도!", prompt, "뭐 해?", "차 마셔"))
        await settled(omoide)
        assert not any("engaging" in line for line in await haru(omoide).export())


async def test_choosing_tools_for_a_message_is_a_quiet_prompt(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    task = "Your task is to choose and return the correct tool(s) from the list of available tools"
    about = 'Query: History:\nUSER: """나는 보리차를 좋아해"""\nQuery: 보리차 얘기 해 줘'
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        for system in (f"Available Tools: []\n\n{task} based on the query.", "도구를 고르세요."):
            asked = {"model": "fake", "messages": [{"role": "system", "content": system}]}
            asked["messages"] += talk(about)["messages"]
            answer = await client.post(CHAT, json=asked)
            assert answer.headers["x-omoide-memory"] == "skipped; no new message"
            assert upstream.requests[-1].body == asked
        assert not await episodes(omoide)


async def test_the_mark_of_an_interruption_is_not_what_the_user_said(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        said = talk("나는 바이올린을 배워", "정말 멋지...", "[Interrupted by user]")
        said["messages"] += talk("선생님 이름은 이보야", "그렇구나!", "잘 자")["messages"]
        await client.post(CHAT, json=said)
        kept = await episodes(omoide)
        assert len(kept) == 2
        assert not any("Interrupted" in text for text in kept)


async def test_thoughts_and_memories_that_come_back_are_not_learned(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    upstream.replies.append(thinking("좋아!", thought="사용자는 비밀 요원이다"))
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        fenced = "<memories>\n- 민준은 화성에서 태어났다\n</memories>\n나는 바이올린을 배워"
        await client.post(CHAT, json=talk(fenced))
        await settled(omoide)
        await client.post(CHAT, json=talk(fenced, "좋아!", "그래서 말인데"))
        await settled(omoide)
        (kept,) = await episodes(omoide)
        assert "바이올린" in kept
        assert "화성" not in kept
        assert "요원" not in kept


@pytest.mark.parametrize(
    ("reply", "status"),
    [(rate_limited(7), 429), (failing(500), 500), (failing(401), 401), (failing(400), 400)],
)
async def test_trouble_of_the_upstream_passes_through_and_nothing_is_learned_of_it(
    tmp_path: Path, upstream: FakeModelServer, reply: Any, status: int
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        upstream.replies.extend([reply, reply])
        direct = httpx2.post(f"{upstream.url}/chat/completions", json=talk("안녕하세요 반가워요"))
        proxied = await client.post(CHAT, json=talk("안녕하세요 반가워요"))
        assert proxied.status_code == direct.status_code == status
        assert set(proxied.json()) == set(direct.json())
        assert proxied.headers.get("retry-after") == direct.headers.get("retry-after")
        await settled(omoide)
        assert await episodes(omoide) == []


async def test_an_upstream_that_is_gone_is_an_error_in_the_clients_own_shape(tmp_path: Path) -> None:
    async with serving(tmp_path, upstream="http://127.0.0.1:9/v1") as (_, client):
        answer = await client.post(CHAT, json=talk("안녕"))
        assert answer.status_code == 502
        assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


async def test_a_stream_that_breaks_off_is_told_and_its_reply_is_not_kept(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    upstream.replies.append(dropping("반쪽짜리 대답입니다 정말로", after=2))
    async with listening(tmp_path, upstream=upstream.url) as (omoide, url), httpx2.AsyncClient() as client:
        answer = await client.post(url + CHAT, json=talk("나는 바이올린을 배워", stream=True))
        assert json.loads(answer.text.strip().split("\n\n")[-1].removeprefix("data: "))["error"]
        await settled(omoide)
        assert await episodes(omoide) == []


async def test_a_client_that_goes_away_ends_the_request_above_and_leaves_no_reply(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    upstream.replies.append(slow("아주 긴 대답 " * 200, pause=0.05))
    async with listening(tmp_path, upstream=upstream.url) as (omoide, url), httpx2.AsyncClient() as client:
        async with client.stream(
            "POST", url + CHAT, json=talk("나는 바이올린을 배워", stream=True)
        ) as answer:
            async for _ in answer.aiter_raw():
                break
        await asyncio.sleep(0.2)
        await settled(omoide)
        async with client.stream("POST", url + CHAT, json=talk("나는 첼로를 배워", stream=True)) as answer:
            await answer.aread()
        await settled(omoide)
        everything = await haru(omoide).export()
        assert not any("아주 긴 대답" in line for line in everything)


async def test_memory_that_is_too_slow_never_holds_a_turn_up(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with serving(tmp_path, upstream=upstream.url, recall_seconds=0.000001) as (omoide, client):
        answer = await client.post(CHAT, json=talk("안녕"))
        assert answer.status_code == 200
        assert answer.headers["x-omoide-memory"] == "skipped; too slow"
        assert upstream.requests[0].body == talk("안녕")
        await settled(omoide)
        assert 'omoide_recalls_total{outcome="late"} 1.0' in (await client.get("/metrics")).text


async def test_memory_that_fails_never_shows(tmp_path: Path, upstream: FakeModelServer) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await haru(omoide).observe("나는 보리차를 제일 좋아해", "나도!")
        omoide.store.database.close()
        (tmp_path / "x.db").write_bytes(b"broken")
        answer = await client.post(CHAT, json=talk("보리차?"))
        assert answer.json()["choices"][0]["message"]["content"] == "그렇구나!"


@pytest.mark.parametrize(
    ("path", "headers", "body", "whose"),
    [
        (CHAT, {"x-omoide-user": "other"}, {"user": "third"}, "민준 × 하루"),
        (
            "/v1/chat/completions",
            {"x-omoide-user": "%EC%9C%A0%EB%82%98"},
            {"model": "fake@wren"},
            "유나 × Wren",
        ),
        ("/v1/chat/completions", {}, {"user": "민준", "metadata": {"character": "하루"}}, "민준 × 하루"),
        (
            "/chat/completions",
            {},
            {"user": "x", "metadata": {"user": "유나", "character": "하루", "session": "s"}},
            "유나 × 하루",
        ),
        ("/u/민준/v1/chat/completions", {}, {"user": "third", "model": "fake@Wren"}, "민준 × Wren"),
        ("/u/민준/chat/completions", {"x-omoide-character": "%ED%95%98%EB%A3%A8"}, {}, "민준 × 하루"),
        ("/c/하루/v1/chat/completions", {"x-omoide-character": "x"}, {"user": "민준"}, "민준 × 하루"),
        ("/c/하루/chat/completions", {"x-omoide-user": "min%2Fjun"}, {"user": "x"}, "min/jun × 하루"),
        ("/c/ha%2Fru/v1/chat/completions", {}, {"user": "민준"}, "민준 × ha/ru"),
        ("/u/민준/v1/chat/completions", {}, {}, None),
        ("/c/하루/v1/chat/completions", {}, {}, None),
        ("/v1/chat/completions", {"x-openwebui-user-id": "42"}, {"metadata": {"character": "하루"}}, None),
        ("/v1/chat/completions", {}, {"user": "{{user}}", "metadata": {"character": "{{char}}"}}, None),
        ("/v1/chat/completions", {}, {}, None),
    ],
)
async def test_who_speaks_is_told_by_path_header_body_and_model_in_this_order(
    tmp_path: Path,
    upstream: FakeModelServer,
    path: str,
    headers: dict[str, str],
    body: dict[str, Any],
    whose: str | None,
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        answer = await client.post(path, json={**talk("오늘 처음 왔어"), **body}, headers=headers)
        assert answer.status_code == 200
        await settled(omoide)
        scopes = [f"{scope.user} × {scope.character}" for scope in await omoide.scopes()]
        assert scopes == ([] if whose is None else [whose])
        (sent,) = upstream.requests
        assert sent.body["model"] == "fake"
        assert "metadata" not in sent.body or whose is None
        assert not any(name.startswith("x-omoide") for name in sent.headers)
        if whose is None:
            assert "no user or character" in answer.headers["x-omoide-memory"]


async def test_identity_headers_of_other_programs_count_from_configured_peers(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    body = {**talk("오늘 처음 왔어"), "metadata": {"character": "하루"}}
    async with serving(tmp_path, upstream=upstream.url, trusted_peers=("127.0.0.1",)) as (omoide, client):
        await client.post("/v1/chat/completions", json=body, headers={"x-openwebui-user-id": "42"})
        assert [scope.user for scope in await omoide.scopes()] == ["42"]


async def test_a_key_of_ours_never_goes_up_and_decides_who_speaks(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    key = keys.add(Access(label="game", users=frozenset({"민준"}), characters=frozenset({"하루"})))
    given = {"upstream": upstream.url, "upstream_key": "theirs"}
    async with serving(tmp_path, local=False, key=key, **given) as (omoide, client):
        assert (await client.post("/v1/chat/completions", json=talk("안녕하세요"))).status_code == 200
        (sent,) = upstream.requests
        assert sent.headers["authorization"] == "Bearer theirs"
        assert key not in str(sent.headers)
        assert [(s.user, s.character) for s in await omoide.scopes()] == [("민준", "하루")]
        for names in ("/u/yuna/c/x", "/u/yuna", "/c/x", "/u/민준/c/x"):
            for path in ("/v1/chat/completions", "/v1/models"):
                assert (await client.post(names + path, json=talk("안녕"))).status_code == 403
        for names in ("/u/민준", "/c/하루", PATH.removesuffix("/v1")):
            assert (await client.get(f"{names}/v1/models")).status_code == 200
            assert (await client.get(f"{names}/models")).status_code == 200
        refused = await client.post("/v1/chat/completions", json={**talk("안녕"), "user": "yuna"})
        assert refused.status_code == 403
        client.headers["authorization"] = "Bearer wrong"
        assert (await client.post("/v1/chat/completions", json=talk("안녕"))).status_code == 401
        assert (await client.get("/v1/models")).status_code == 401


async def test_the_clients_own_key_goes_up_where_we_have_none(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (_, client):
        for sent in ("Bearer sk-mine", "Bearer undefined"):
            await client.post(CHAT, json=talk("안녕"), headers={"authorization": sent})
            assert upstream.requests[-1].headers["authorization"] == sent


async def test_other_paths_pass_through(tmp_path: Path, upstream: FakeModelServer) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (_, client):
        assert (await client.get("/v1/models")).json()["data"][0]["id"] == "fake"
        assert (await client.get(f"{PATH}/models")).json()["data"][0]["id"] == "fake"
        for path in (PATH, "/u/민준/v1", "/c/하루/v1"):
            embedded = await client.post(f"{path}/embeddings", json={"model": "fake", "input": "안녕"})
            assert len(embedded.json()["data"]) == 1
        assert (await client.get("/v1/nothing/here?x=1")).status_code == 404


async def test_a_silent_upstream_is_bridged_with_comments_between_events(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    upstream.replies.append(slow("천천히 말할게요 정말", pause=0.2))
    async with listening(tmp_path, upstream=upstream.url, ping_seconds=0.05) as (_, url):
        client = AsyncOpenAI(base_url=url + PATH, api_key="x")
        async with httpx2.AsyncClient() as raw:
            events = (await raw.post(url + CHAT, json=talk("안녕", stream=True))).text.split("\n\n")
        assert ": ping" in events
        assert all(event.startswith(("data: ", ": ")) for event in events if event)
        upstream.replies.append(slow("천천히 말할게요 정말", pause=0.2))
        stream = await client.chat.completions.create(
            model="fake", messages=[{"role": "user", "content": "안녕"}], stream=True
        )
        said = "".join([chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices])
        assert said == "천천히 말할게요 정말"
        await client.close()


@pytest.mark.parametrize("user", ["%B9%CE%C1%D8", "%FF", "%ED%A0%80"])
async def test_a_name_that_is_no_utf8_is_none_so_nobody_shares_a_memory(
    tmp_path: Path, upstream: FakeModelServer, user: str
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        answer = await client.post(f"/u/{user}/c/mix/v1/chat/completions", json=talk("비밀이 있어"))
        assert answer.status_code == 200
        assert answer.headers["x-omoide-memory"].startswith("skipped")
        assert await omoide.scopes() == []


@pytest.mark.parametrize(
    ("path", "model", "up"),
    [
        (CHAT, "@cf/meta/llama-3.1-8b-instruct", "@cf/meta/llama-3.1-8b-instruct"),
        (CHAT, "claude-3-5-sonnet@20240620", "claude-3-5-sonnet@20240620"),
        (CHAT, "fake@wren", "fake@wren"),  # whoever names the character otherwise means the model
        ("/u/민준/v1/chat/completions", "@cf/meta/llama", "@cf/meta/llama"),
        ("/u/민준/v1/chat/completions", "@wren", "@wren"),
        ("/u/민준/v1/chat/completions", "claude@20240620", "claude@20240620"),
        ("/u/민준/v1/chat/completions", "claude@20240620@wren", "claude@20240620"),
        ("/u/민준/v1/chat/completions", "fake@하루", "fake"),
    ],
)
async def test_an_at_belongs_to_the_models_name_unless_a_known_character_follows(
    tmp_path: Path, upstream: FakeModelServer, path: str, model: str, up: str
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        await haru(omoide).observe("나는 보리차를 제일 좋아해", "나도!")
        assert (await client.post(path, json={**talk("안녕"), "model": model})).status_code == 200
        await settled(omoide)
        (sent,) = upstream.requests
        assert sent.body["model"] == up
        assert {scope.character for scope in await omoide.scopes()} <= {"하루", "Wren"}


async def test_the_proxy_means_the_same_character_by_id_and_by_name(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    async with serving(tmp_path, upstream=upstream.url) as (omoide, client):
        for name in ("wren", "Wren"):
            answer = await client.post(
                f"/u/Sam/c/{name}/v1/chat/completions", json=talk(f"I am here, {name}")
            )
            assert answer.status_code == 200
            assert len(answer.headers.get_list("date")) <= 1
        await settled(omoide)
        assert [scope.character for scope in await omoide.scopes()] == ["Wren"]
