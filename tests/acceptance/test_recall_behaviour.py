"""What comes to mind: found whatever the form, and nothing where nothing fits."""

from __future__ import annotations

import unicodedata
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from opening import NOW, opened
from recalling import TALK, haru, talked, texts

from omoide import Filter, Kind, Layer, Message, Noted, Past, Role
from omoide.recall.result import Slot
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from pathlib import Path

DAY = timedelta(days=1)
MORE_TALK = (
    ("오늘 날씨가 참 맑네요", "그러게요"),
    ("I walked in the rain for an hour", "Were you cold?"),
    ("아침마다 커피를 내려 마셔요", "향이 좋겠어요"),
    ("昨日は庭で本を読みました", "いいですね"),
    ("The train was late again", "Oh no"),
    ("창문 밖에 까치가 앉았어요", "반가운 손님이네요"),
    ("今天下了一整天的雨", "带伞了吗"),
)


@pytest.mark.proves("P11")
@pytest.mark.proves("F26")
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("私は猫を二匹飼っています", "猫"),
        ("他养了两只猫", "猫"),
        ("나 롤을 엄청 좋아해", "롤 좋아해?"),
        ("나 롤 엄청 좋아해", "롤을 좋아해?"),
        ("新しい職場は横浜です", "横浜"),
        ("결제 오류가 났다", "결제"),
        ("어제 민수한테 책을 받았어", "민수"),
        ("어제 민수 책을 읽었어", "민수는?"),
        ("서울에서 살아요", "서울"),
        ("서울 좋아요", "서울은?"),
        ("My sister's dogs are barking", "dog"),
        ("I adopted a dog yesterday", "dogs?"),
    ],
)
async def test_a_word_finds_its_memory_by_words_alone(tmp_path: Path, said: str, asked: str) -> None:
    """One or two characters, and whatever particle follows, in the text and in the query."""
    async with opened(tmp_path, embedder="none") as omoide:
        scope = haru(omoide)
        await scope.observe(user=said, session="s1")
        await talked(scope, [*TALK, *MORE_TALK])
        assert said in (await scope.recall(asked)).block


@pytest.mark.proves("P23")
@pytest.mark.proves("F74")
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (unicodedata.normalize("NFD", "내 별명은 달콩이야"), "달콩"),
        ("내 별명은 달콩이야", unicodedata.normalize("NFD", "달콩")),
        ("名前はﾐﾅﾄです", "ミナト"),
        ("名前はミナトです", "ﾐﾅﾄ"),
        ("暗号はＡＢＣ１２３です", "abc123"),
        ("password hint is ABC123", "ＡＢＣ１２３"),
    ],
)
async def test_the_form_in_which_a_word_is_written_does_not_matter(
    tmp_path: Path, said: str, asked: str
) -> None:
    """The words themselves stay as typed."""
    async with opened(tmp_path, embedder="none") as omoide:
        scope = haru(omoide)
        await scope.observe(user=said, session="s1")
        recall = await scope.recall(asked)
        assert [found.memory.evidence[0].quote for found in recall.memories] == [said]


@pytest.mark.proves("F24")
@pytest.mark.proves("F25")
@pytest.mark.parametrize(
    "asked",
    ["1+1은?", "what is the capital of Norway", "明日の株価は？", "오늘 야구 이겼다!!", "✨", "asdfgh"],
)
async def test_what_bears_on_nothing_brings_nothing(tmp_path: Path, asked: str) -> None:
    """An empty block beats a wrong memory."""
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        await talked(scope)
        recall = await scope.recall(asked)
        assert (recall.block, recall.memories) == ("", ())


@pytest.mark.proves("H21")
@pytest.mark.parametrize("asked", ["ㅋㅋㅋㅋ", "ㅠㅠ", "www", "笑", "lol", "hahaha", "哈哈哈", "😂😂"])
async def test_laughter_never_searches(tmp_path: Path, asked: str) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        await talked(scope)
        recall = await scope.recall(asked, session="s1")
        assert (recall.reason, recall.query, recall.block, recall.memories) == ("laughter", "", "", ())


@pytest.mark.proves("F23")
@pytest.mark.proves("P12")
async def test_a_vague_message_searches_for_what_was_just_talked_about(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        await talked(scope, [*TALK, ("토익 시험 문법이 늘 걱정돼요", "같이 해봐요")], session="old")
        await scope.observe(user="다음 주 토익 시험 진짜 걱정돼", reply="문법이 약하다 했지?", session="new")
        recall = await scope.recall("응... 뭐부터 하지?", session="new")
        assert "토익 시험" in recall.query
        assert "문법이 약하다 했지" not in recall.query
        assert "토익 시험 문법이 늘 걱정돼요" in texts(recall)[0]


async def test_what_the_prompt_still_shows_is_not_said_again(tmp_path: Path) -> None:
    async with opened(tmp_path, turns=2) as omoide:
        scope = haru(omoide)
        await talked(scope)
        assert (await scope.recall("동생이 대학에 갔다고?", session="s1")).memories == ()
        assert "동생" in (await scope.recall("동생이 대학에 갔다고?", session="s2")).block
        assert "감자" in (await scope.recall("우리 고양이 이름은?", session="s1")).block


@pytest.mark.proves("F81")
async def test_the_same_thing_said_again_is_recalled_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        for number in range(5):
            await scope.observe(user="우리 고양이 이름은 감자예요", reply="귀엽다", session=f"s{number}")
        await talked(scope)
        recall = await scope.recall("우리 고양이 이름은?")
        assert sum("감자" in text for text in texts(recall)) <= 2
        assert texts(recall).count("minjun: 우리 고양이 이름은 감자예요\nharu: 귀엽다") == 1


@pytest.mark.proves("F81")
@pytest.mark.parametrize(
    ("said", "asked", "shown"),
    [
        ("우리 고양이 이름은 감자예요", "우리 고양이 이름은?", "{day}에도 한 이야기"),
        ("うちの猫の名前はもちです", "うちの猫の名前は？", "{day}にもした話"),
        ("My cat is called Biscuit", "What is my cat called?", "said on {day} too"),
        ("我的猫叫年糕", "我的猫叫什么？", "{day}也说过"),
    ],
)
async def test_what_was_said_twice_names_both_occasions(
    tmp_path: Path, said: str, asked: str, shown: str
) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        messages = []
        for ago in (9, 2):
            message = Message(role=Role.USER, text=said, at=NOW - ago * DAY)
            recorded = await scope.observe(messages=[message], session=f"s{ago}")
            messages += recorded.messages
        await scope.vectorise()
        recall = await scope.recall(asked)
        assert len(recall.memories) == 1
        assert {quote.message for quote in recall.memories[0].memory.evidence} == set(messages)
        days = [shown.format(day=(NOW - ago * DAY).date().isoformat()) for ago in (9, 2)]
        assert sum(day in recall.block for day in days) == 1
        assert recall.block.count(said) == 1


async def test_one_name_of_many_is_a_word_to_look_for(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        titles = [f"Title{letter}" for letter in "ABCDEFGHIJKL"]
        said = [Message(role=Role.USER, speaker=title, text="It was built long ago") for title in titles]
        said[-1] = Message(role=Role.USER, speaker=titles[-1], text="Nothing alike")
        said.append(Message(role=Role.USER, speaker="Other", text="TitleL stands by the river"))
        await scope.observe(messages=said, session="pages")
        await scope.vectorise()
        recall = await scope.recall("What about TitleL?")
        assert "TitleL stands" in "".join(texts(recall)[:2])


@pytest.mark.proves("F88")
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("바다에 다녀왔어요", "지난주에 우리 어디 갔었지?"),
        ("海に行ってきました", "先週はどこに行ったっけ？"),
        ("我们去看海了", "上周我们去哪儿了？"),
        ("we drove down to the sea", "Where did we go last week?"),
    ],
)
async def test_a_time_in_the_question_finds_what_happened_then(tmp_path: Path, said: str, asked: str) -> None:
    """The third of June lies in the week before the tenth, though no word is shared."""
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        await scope.observe(user=said, session="s1", at=NOW - 7 * DAY)
        await scope.observe(user="조용한 하루였어요", session="s2", at=NOW - 40 * DAY)
        recall = await scope.recall(asked)
        assert recall.memories[0].memory.evidence[0].quote == said
        assert recall.memories[0].why.slot in (Slot.TIME, Slot.SEARCH)


@pytest.mark.proves("P9")
@pytest.mark.proves("P15")
async def test_a_new_session_keeps_all_memories(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await talked(haru(omoide))
        for session in ("s1", "another", None):
            assert (
                "감자" in (await haru(omoide).recall("우리 고양이 이름은?", session=session)).block
                or session == "s1"
            )


@pytest.mark.proves("F13")
async def test_no_character_and_no_user_reads_what_another_was_told(tmp_path: Path) -> None:
    secret = "이거 비밀인데 다음 달에 회사를 그만둬요"
    async with opened(tmp_path) as omoide:
        arin = omoide.scope(user="minjun", character="arin")
        await arin.observe(user=secret, reply="알겠어요", session="s1")
        others = [
            omoide.scope(user="minjun", character="bella"),
            omoide.scope(user="seoyeon", character="arin"),
        ]
        for other in others:
            await other.observe(user="저는 딸기를 좋아해요", reply="저도요", session="s1")
            assert "비밀" not in (await other.recall(secret, session="s1")).prompt
            assert "비밀" not in (await other.recall(secret, fusion="published")).prompt
            filtered = Filter(people=frozenset({"minjun"}))
            assert "비밀" not in (await other.recall(secret, filter=filtered)).prompt


async def test_filters_narrow_what_may_come(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        past = Past(layer=Layer.HEARD, confidence=6, source="할머니")
        await scope.remember_all(
            [
                Noted(text="등대 사실", kind=Kind.FACT, importance=3, at=NOW - 10 * DAY, place="부산"),
                Noted(text="등대 규칙", kind=Kind.WORLD, importance=8, at=NOW - 5 * DAY),
                Noted(
                    text="등대 일기",
                    kind=Kind.DIARY,
                    past=past,
                    at=NOW - DAY,
                    scores={"joy": 8, "sadness": 1},
                ),
            ]
        )
        await scope.observe(user="등대 대화를 좋아해요", session="s1")
        await scope.vectorise()
        cases = [
            (Filter(kinds=frozenset({Kind.FACT})), {"등대 사실"}),
            (Filter(layers=frozenset({Layer.HEARD})), {"등대 일기"}),
            (Filter(importance=7), {"등대 규칙"}),
            (Filter(since=NOW - 6 * DAY, until=NOW - 2 * DAY), {"등대 규칙"}),
            (Filter(until=NOW - 5 * DAY), {"등대 사실"}),
            (Filter(place="부산"), {"등대 사실"}),
            (Filter(place=unicodedata.normalize("NFD", "부산")), {"등대 사실"}),
            (Filter(place="서울"), set()),
            (Filter(emotion={"joy": 7}), {"등대 일기"}),
            (Filter(emotion={"joy": 7, "sadness": 2}), set()),
            (Filter(people=frozenset({"minjun"})), {"등대 사실", "minjun: 등대 대화를 좋아해요"}),
            (Filter(people=frozenset({"nobody"})), set()),
        ]
        for narrowed, expected in cases:
            assert set(texts(await scope.recall("등대", filter=narrowed))) == expected, narrowed


async def test_a_question_about_the_past_knows_only_what_was_known_then(tmp_path: Path) -> None:
    clock = FixedClock(NOW - 30 * DAY)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = haru(omoide)
        await scope.observe(user="저는 등대 옆에 살아요", session="s1")
        clock.advance(20 * DAY)
        await scope.observe(user="저는 등대 그림을 샀어요", session="s1")
        clock.advance(10 * DAY)
        await scope.vectorise()
        then = await scope.recall("등대", as_of=NOW - 15 * DAY)
        assert texts(then) == ["minjun: 저는 등대 옆에 살아요"]
        assert "15일 전" in then.block or "2주 전" in then.block
        assert len((await scope.recall("등대")).memories) == 2
        assert (await scope.recall("등대", as_of=NOW - 31 * DAY)).memories == ()


@pytest.mark.proves("P14")
async def test_two_places_are_held_for_what_is_important(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        await scope.remember_all(
            [
                Noted(text="민준은 갑각류 알레르기가 있다", importance=9),
                Noted(text="할머니가 돌아가셨다", importance=8),
                Noted(text="이사를 했다", importance=7),
                Noted(text="연필을 샀다", importance=2),
            ]
        )
        notes = [Noted(text=f"{number}번 등대에 다녀왔다", importance=3) for number in range(20)]
        await scope.remember_all(notes)
        await scope.vectorise()
        for way in ("standard", "published"):
            recall = await scope.recall("등대 기억나?", fusion=way)
            held = [found.memory.text for found in recall.memories if found.why.slot is Slot.IMPORTANCE]
            assert held == ["민준은 갑각류 알레르기가 있다", "할머니가 돌아가셨다"]
            assert len(recall.memories) == 12
        assert (await scope.recall("ㅋㅋㅋ")).memories == ()


@pytest.mark.proves("P14")
async def test_nothing_is_held_by_default_where_nothing_was_found(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        await scope.remember("민준은 갑각류 알레르기가 있다", importance=9)
        await scope.vectorise()
        assert (await scope.recall("what is the capital of Norway")).memories == ()


@pytest.mark.proves("P17")
async def test_the_published_way_without_vectors_falls_back_to_the_newest(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder="none") as omoide:
        scope = haru(omoide)
        for number in range(30):
            await scope.remember(f"{number}번 일이 있었다", at=NOW - (30 - number) * DAY, importance=2)
        recall = await scope.recall("what is the capital of Norway", fusion="published")
        assert texts(recall) == [f"{number}번 일이 있었다" for number in range(29, 17, -1)]


@pytest.mark.proves("P13")
async def test_the_published_fusion_adds_reciprocal_ranks(tmp_path: Path) -> None:
    async with opened(tmp_path, forgetting="none") as omoide:
        scope = haru(omoide)
        await talked(scope)
        recall = await scope.recall("우리 고양이 이름은?", fusion="published")
        first, *rest = recall.memories
        assert "감자" in first.memory.text
        assert first.why.score == pytest.approx(1 / 60 + 1 / 60, rel=1e-4)
        assert len(rest) == 4
        for found in rest:
            if found.why.words is None and found.why.meaning and found.why.meaning.score > 0:
                assert found.why.score == pytest.approx(1 / (60 + found.why.meaning.rank), rel=1e-4)


async def test_every_memory_says_why_it_came(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        await talked(scope)
        (best, *_) = (await scope.recall("우리 고양이 이름은?")).memories
        assert "감자" in best.memory.text
        assert (best.why.meaning and best.why.meaning.rank, best.why.words and best.why.words.rank) == (0, 0)
        assert best.why.slot is Slot.SEARCH
        assert best.memory.evidence[0].quote == "우리 고양이 이름은 감자예요"
