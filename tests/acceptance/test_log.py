"""The log as its clients use it: what is written, what is taken back, and what is remembered of it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from omoide import Omoide
from omoide.domain.model import Message, Role, Status
from omoide.errors import UnknownMessage
from omoide.testing import FixedClock, WordEmbedder
from postgres import place

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
GREETING = "어서 와! 오늘 하루는 어땠어?"


def said(text, **details):
    return Message(role=Role.USER, text=text, **details)


def reply(text, **details):
    return Message(role=Role.CHARACTER, text=text, **details)


def talk(*texts):
    """A conversation of people and character by turns."""
    return [said(text) if place % 2 == 0 else reply(text) for place, text in enumerate(texts)]


def dated(messages, *, at=START, step=timedelta(minutes=1)):
    return [replace(message, at=at + step * place) for place, message in enumerate(messages)]


@pytest.fixture
def clock():
    return FixedClock(START)


@pytest.fixture
async def omoide(tmp_path, clock):
    async with Omoide.open(
        place(tmp_path), embedder=WordEmbedder(), master_key_file=tmp_path / "key", clock=clock
    ) as opened:
        yield opened


@pytest.fixture
def haru(omoide):
    return omoide.scope(user="minjun", character="haru")


async def texts(scope, **narrowed):
    return sorted(memory.text for memory in await scope.memories(**narrowed))


async def found(scope, message, **details):
    return [recalled.memory.text for recalled in (await scope.recall(message, **details)).memories]


def log_of(omoide, scope):
    """What each session shows, in order."""
    with omoide.store.read(omoide.store.scope(scope.user, scope.character)) as unit:
        shown = {}
        for number, name in unit.sessions.names().items():
            path = unit.log.path(number)
            words = unit.texts.open(message.id for message in path)
            shown[name] = [words[message.id] for message in path]
    return shown


CATS = talk(
    "우리 고양이 이름은 감자야",
    "귀여운 이름이네",
    "내일 부산으로 여행 가",
    "바다 보러 가는구나",
    "요즘 피아노를 배우고 있어",
    "한 곡 들려줘",
)


async def test_importing_twice_changes_nothing(omoide, haru):
    first = await haru.sync(CATS, session="file", live=False)
    before = await haru.memories()
    second = await haru.sync(CATS, session="file", live=False)
    assert (first.added, first.made) == (6, 3)
    assert (second.added, second.withdrawn, second.made, second.suppressed) == (0, 0, 0, 0)
    assert await haru.memories() == before


async def test_importing_a_file_that_grew_adds_only_what_is_new(haru):
    await haru.sync(CATS[:4], session="file", live=False)
    grown = await haru.sync(CATS, session="file", live=False)
    assert (grown.added, grown.withdrawn, grown.made) == (2, 0, 1)


async def test_a_branch_file_that_shares_its_beginning_adds_only_what_is_new(omoide, haru):
    branch = [*CATS[:4], said("부산 여행은 취소했어"), reply("아쉽다")]
    await haru.sync(dated(CATS), session="main", live=False)
    recorded = await haru.sync(dated(branch), session="main - branch", live=False)
    assert (recorded.added, recorded.withdrawn, recorded.made) == (2, 0, 1)
    assert len(await haru.memories()) == 4
    assert log_of(omoide, haru)["main - branch"] == [message.text for message in branch]
    assert log_of(omoide, haru)["main"] == [message.text for message in CATS]


async def test_what_two_branches_share_is_remembered_until_neither_shows_it(omoide, haru):
    branch = [*CATS[:4], said("부산 여행은 취소했어"), reply("아쉽다")]
    await haru.sync(dated(CATS), session="a", live=False)
    await haru.sync(dated(branch), session="b", live=False)
    await haru.sync([dated(CATS)[0], dated(CATS)[1], *dated(CATS)[4:]], session="a", live=False)
    assert any("부산으로" in text for text in await texts(haru))
    await haru.sync([*dated(branch)[:2], *dated(branch)[4:]], session="b", live=False)
    assert not any("부산으로" in text for text in await texts(haru))


async def test_the_same_words_said_in_two_branches_are_two_messages(omoide, haru, clock):
    stems = {"a": CATS[:4], "b": [*CATS[:2], said("부산 여행은 취소했어"), reply("아쉽다")]}
    for name, stem in stems.items():
        await haru.sync(stem, session=name)
    for name, stem in stems.items():
        clock.advance(timedelta(hours=1))
        home = [*stem, said("이제 집에 왔어, 피곤하다"), reply("푹 쉬어")]
        assert (await haru.sync(home, session=name)).added == 2
    clock.advance(timedelta(hours=1))
    await haru.recall("피곤하다")
    tired = {memory.at for memory in await haru.memories() if "피곤" in memory.text}
    assert tired == {START + timedelta(hours=1), START + timedelta(hours=2)}


async def test_the_newest_exchange_is_remembered_only_with_the_next_message(haru):
    await haru.sync(CATS[:2], session="s")
    assert await texts(haru) == []
    assert await found(haru, "고양이 이름이 뭐였지?") == []
    await haru.sync(CATS[:3], session="s")
    assert await found(haru, "고양이 이름이 뭐였지?") == [
        "minjun: 우리 고양이 이름은 감자야\nharu: 귀여운 이름이네"
    ]


async def test_the_newest_exchange_is_remembered_once_another_session_goes_on(haru):
    await haru.sync(CATS[:2], session="s")
    await haru.sync(CATS[4:], session="other")
    assert await found(haru, "고양이 이름이 뭐였지?") == [
        "minjun: 우리 고양이 이름은 감자야\nharu: 귀여운 이름이네"
    ]


async def test_the_newest_exchange_is_remembered_after_ten_quiet_minutes(haru, clock):
    await haru.sync(CATS[:2], session="s")
    clock.advance(timedelta(minutes=9))
    assert await found(haru, "고양이 이름이 뭐였지?") == []
    clock.advance(timedelta(minutes=2))
    assert await found(haru, "고양이 이름이 뭐였지?") == [
        "minjun: 우리 고양이 이름은 감자야\nharu: 귀여운 이름이네"
    ]


async def test_a_reply_that_comes_after_its_question_was_settled_is_remembered_with_it(haru, clock):
    await haru.observe(user=CATS[0].text, session="s")
    await haru.sync(CATS[:2], session="s")
    clock.advance(timedelta(minutes=11))
    await haru.recall("고양이 이름이 뭐였지?")
    assert await texts(haru) == ["minjun: 우리 고양이 이름은 감자야\nharu: 귀여운 이름이네"]


@pytest.mark.proves("H6")
async def test_an_observed_exchange_is_one_episode_and_found_at_once(haru):
    recorded = await haru.observe(user="우리 고양이 이름은 감자야", reply="귀여운 이름이네", session="s")
    (memory,) = await haru.memories()
    assert (recorded.added, recorded.made) == (2, 1)
    assert [(quote.role, quote.quote) for quote in memory.evidence] == [
        (Role.USER, "우리 고양이 이름은 감자야"),
        (Role.CHARACTER, "귀여운 이름이네"),
    ]
    assert memory.at == START
    assert await found(haru, "고양이 이름이 뭐였지?") == [memory.text]


async def test_swipes_never_become_memories(omoide, haru, clock):
    for text in ("바다 보러 가는구나", "맛있는 것도 먹고 와", "기차 타고 가?"):
        await haru.sync([*CATS[:3], reply(text)], session="s")
        clock.advance(timedelta(seconds=20))
    await haru.sync([*CATS[:3], reply("기차 타고 가?"), said("응, 새벽 기차야")], session="s")
    ever = await texts(haru, statuses=tuple(Status))
    assert "minjun: 내일 부산으로 여행 가\nharu: 기차 타고 가?" in ever
    assert not any("바다" in text or "맛있는" in text for text in ever)
    assert await found(haru, "바다 보러 맛있는 것") == [] or all(
        "바다" not in text for text in await found(haru, "바다 보러 맛있는 것")
    )


async def test_a_swipe_of_the_greeting_replaces_it(omoide, haru):
    await haru.sync([reply(GREETING)], session="s")
    await haru.sync([reply("오랜만이야!")], session="s")
    await haru.sync([reply("오랜만이야!"), *CATS[:2]], session="s")
    assert log_of(omoide, haru)["s"] == ["오랜만이야!", CATS[0].text, CATS[1].text]


@pytest.mark.proves("F07")
async def test_what_was_edited_or_deleted_is_in_no_index_and_in_no_export(omoide, haru):
    sister = talk("내 여동생 이름은 수아야", "예쁜 이름이다", "사실 나 회사에서 잘렸어", "저런, 괜찮아?")
    await haru.sync(sister, session="s", live=False)
    await haru.vectorise()
    assert await found(haru, "회사에서 잘렸던 일")
    edited = [said("내 여동생 이름은 수애야"), *sister[1:]]
    ids = (await haru.sync(edited, session="s", live=False)).messages
    assert len(ids) == 1
    gone = next(one for one in (await haru.memories()) if "잘렸어" in one.text)
    for quote in gone.evidence:
        await haru.delete(quote.message)
    await haru.vectorise()
    for asked in ("여동생 이름이 수아였나?", "회사에서 잘렸던 일", "저런, 괜찮아?"):
        assert not [text for text in await found(haru, asked) if "수아" in text or "잘렸" in text]
    assert not [line for line in await haru.export() if "수아" in line or "잘렸" in line]
    row = omoide.store.scope(haru.user, haru.character)
    with omoide.store.read(row) as unit:
        (kept,) = unit.memories.numbers()
        assert unit.vectors(omoide.store.embedding).members() == {kept}


@pytest.mark.proves("P16")
@pytest.mark.proves("F07")
async def test_an_edit_replaces_what_was_remembered(omoide, haru):
    sister = talk("내 여동생 이름은 수아야", "예쁜 이름이다", "같이 저녁 먹기로 했어", "좋은 시간 보내")
    await haru.sync(sister, session="s", live=False)
    edited = [said("내 여동생 이름은 수애야"), *sister[1:]]
    recorded = await haru.sync(edited, session="s", live=False)
    assert (recorded.added, recorded.withdrawn, recorded.made, recorded.suppressed) == (1, 1, 1, 1)
    assert not any("수아" in text for text in await texts(haru))
    assert (await found(haru, "여동생 이름이 수아였나?"))[
        0
    ] == "minjun: 내 여동생 이름은 수애야\nharu: 예쁜 이름이다"
    assert log_of(omoide, haru)["s"] == [message.text for message in edited]


async def test_an_edit_keeps_the_time_at_which_it_was_said(haru, clock):
    await haru.sync(CATS[:2], session="s")
    await haru.sync(CATS[:4], session="s")
    clock.advance(timedelta(days=9))
    await haru.sync([said("우리 고양이 이름은 고구마야"), *CATS[1:4]], session="s")
    edited = next(memory for memory in await haru.memories() if "고구마" in memory.text)
    assert edited.at == START


async def test_what_is_inserted_stands_where_the_client_shows_it(omoide, haru, clock):
    await haru.sync(CATS[:4], session="s")
    shown = CATS[:4]
    for number in range(30):
        clock.advance(timedelta(minutes=1))
        shown = [
            *shown[:2],
            said(f"산책 {number}번째 이야기"),
            reply(f"{number}번째라니 부지런해"),
            *shown[2:],
        ]
        await haru.sync(shown, session="s")
        assert log_of(omoide, haru)["s"] == [message.text for message in shown]


@pytest.mark.proves("F15")
@pytest.mark.proves("P16")
async def test_a_rewind_takes_back_the_memories_of_what_it_removes(omoide, haru):
    ids = (await haru.sync(CATS, session="s", live=False)).messages
    recorded = await haru.rewind(ids[1])
    assert (recorded.withdrawn, recorded.suppressed) == (4, 2)
    assert await texts(haru) == ["minjun: 우리 고양이 이름은 감자야\nharu: 귀여운 이름이네"]
    assert await found(haru, "부산 여행 언제 가?") == []
    await haru.observe(user="내일 제주로 여행 가", reply="한라산도 가?", session="s")
    assert log_of(omoide, haru)["s"] == [*(m.text for m in CATS[:2]), "내일 제주로 여행 가", "한라산도 가?"]


async def test_a_rewind_to_what_is_no_longer_there_says_so(haru):
    ids = (await haru.sync(CATS, session="s", live=False)).messages
    await haru.rewind(ids[1])
    for call in (haru.rewind, haru.delete):
        with pytest.raises(UnknownMessage, match=ids[3]):
            await call(ids[3])
        with pytest.raises(UnknownMessage, match="nowhere"):
            await call("nowhere")


@pytest.mark.proves("P16")
async def test_a_rewind_and_its_undoing_bring_the_same_memories_back(haru):
    ids = (await haru.sync(CATS, session="s", live=False)).messages
    before = {memory.id: memory.text for memory in await haru.memories()}
    pinned = next(number for number, text in before.items() if "피아노" in text)
    await haru.pin(pinned)
    await haru.rewind(ids[1])
    await haru.sync(CATS, session="s", live=False)
    after = {memory.id: memory.text for memory in await haru.memories()}
    assert after == before
    assert [memory.id for memory in await haru.memories() if memory.pinned] == [pinned]


async def test_a_forgotten_memory_does_not_come_back_by_sync(haru):
    await haru.sync(CATS, session="s", live=False)
    forgotten = next(memory for memory in await haru.memories() if "부산" in memory.text)
    await haru.forget(forgotten.id)
    await haru.sync(CATS, session="s", live=False)
    await haru.sync(dated(CATS), session="copy", live=False)
    await haru.sync([*CATS[:3], reply("기차 타고 가?"), *CATS[4:]], session="s", live=False)
    assert not any("부산" in text for text in await texts(haru))


async def test_a_restored_memory_follows_what_its_words_have_become(haru):
    ids = (await haru.sync(CATS[:4], session="s", live=False)).messages
    cat, trip = reversed([memory.id for memory in await haru.memories()])
    await haru.forget(cat, trip)
    await haru.sync([CATS[0], reply("감자라니!"), CATS[2], CATS[3]], session="s", live=False)
    await haru.delete(ids[2])
    await haru.delete(ids[3])
    await haru.restore(cat)
    await haru.restore(trip)
    assert await texts(haru) == ["minjun: 우리 고양이 이름은 감자야\nharu: 감자라니!"]


@pytest.mark.proves("F07")
async def test_one_message_can_be_deleted(omoide, haru):
    ids = (await haru.sync(CATS, session="s", live=False)).messages
    await haru.delete(ids[2])
    await haru.delete(ids[3])
    assert log_of(omoide, haru)["s"] == [m.text for m in (*CATS[:2], *CATS[4:])]
    assert not any("부산" in text for text in await texts(haru))
    assert await found(haru, "부산 여행 바다") == []


async def test_a_message_of_two_branches_is_deleted_from_both(omoide, haru):
    ids = (await haru.sync(dated(CATS), session="a", live=False)).messages
    await haru.sync(dated([*CATS[:4], said("비가 와"), reply("우산 챙겨")]), session="b", live=False)
    await haru.delete(ids[2])
    assert all("내일 부산으로 여행 가" not in shown for shown in log_of(omoide, haru).values())
    assert not any("부산으로" in text for text in await texts(haru))


async def test_hidden_messages_are_still_remembered(haru):
    await haru.sync(CATS, session="s", live=False)
    hidden = [replace(message, hidden=True) for message in CATS[:4]]
    recorded = await haru.sync([*hidden, *CATS[4:]], session="s", live=False)
    assert (recorded.withdrawn, recorded.suppressed) == (0, 0)
    assert len(await haru.memories()) == 3
    assert (await found(haru, "부산 여행 바다"))[
        0
    ] == "minjun: 내일 부산으로 여행 가\nharu: 바다 보러 가는구나"


async def test_hiding_one_message_hides_no_other_with_the_same_words(omoide, haru):
    shown = talk("응", "들려줘", "응", "그래서?", "피아노를 배우고 있어", "멋지다")
    await haru.sync([replace(shown[0], hidden=True), *shown[1:]], session="s", live=False)
    with omoide.store.read(omoide.store.scope("minjun", "haru")) as unit:
        states = [message.state.value for message in unit.log.path(unit.sessions.find("s").id)]
    assert states == ["hidden", *["settled"] * 5]


async def test_of_interrupted_speech_only_what_was_heard_is_remembered(haru):
    secret = reply("내일 비밀 하나 알려줄게, 그게 뭐냐면 보물이 있어", heard=13)
    await haru.observe(messages=[said("무슨 얘기 하려고 했어?"), secret], session="s")
    (memory,) = await haru.memories()
    assert memory.text == "minjun: 무슨 얘기 하려고 했어?\nharu: 내일 비밀 하나 알려줄게"
    assert await found(haru, "보물이 있어?") == []


async def test_speech_that_is_cut_inside_an_emoji_keeps_whole_signs(haru):
    await haru.observe(
        messages=[said("우리 가족 사진 봤어?"), reply("귀여워👨‍👩‍👧 정말", heard=5)], session="s"
    )
    (memory,) = await haru.memories()
    assert memory.evidence[1].quote == "귀여워"


async def test_speech_that_goes_on_is_remembered_as_heard_in_the_end(haru):
    shown = [said("무슨 얘기 하려고 했어?"), reply("비밀 하나 알려줄게, 보물이 있어", heard=10)]
    await haru.sync(shown, session="s", live=False)
    await haru.sync([shown[0], replace(shown[1], heard=None)], session="s", live=False)
    assert await texts(haru) == ["minjun: 무슨 얘기 하려고 했어?\nharu: 비밀 하나 알려줄게, 보물이 있어"]


async def test_a_reply_that_nobody_heard_is_not_remembered(haru):
    await haru.observe(
        messages=[said("내일 부산으로 여행 가"), reply("보물 지도 챙겨", heard=0)], session="s"
    )
    await haru.observe(user="비 온대", reply="우산 챙겨", session="s")
    assert "minjun: 내일 부산으로 여행 가" in await texts(haru)


async def test_a_late_import_is_not_new(haru, clock):
    await haru.observe(user="요즘 테니스를 배워", reply="재밌겠다", session="now")
    await haru.sync(dated(CATS, at=START - timedelta(days=300)), session="old", live=False)
    newest = await haru.memories()
    assert "테니스" in newest[0].text
    assert newest[-1].at == START - timedelta(days=300)


async def test_an_undated_import_ends_before_what_is_said_next(haru, clock):
    await haru.sync(CATS, session="old", live=False)
    clock.advance(timedelta(microseconds=1))
    await haru.observe(user="요즘 테니스를 배워", reply="재밌겠다", session="now")
    newest = await haru.memories()
    assert "테니스" in newest[0].text
    assert [memory.at for memory in newest[1:]] == [None] * 3


@pytest.mark.parametrize(
    ("case", "dates"),
    [
        ("missing", [None] * 6),
        ("equal", [START] * 6),
        ("backward", [START - timedelta(hours=n) for n in range(6)]),
        ("some missing", [None, START, None, START - timedelta(days=3), None, START + timedelta(days=3)]),
        ("in the future", [START + timedelta(days=9000)] * 6),
    ],
)
async def test_the_order_of_a_file_holds_whatever_its_dates_say(omoide, haru, case, dates):
    shown = [replace(message, at=at) for message, at in zip(CATS, dates, strict=True)]
    await haru.sync(shown, session="s", live=False)
    assert log_of(omoide, haru)["s"] == [message.text for message in CATS]
    assert [m.text.split("\n")[0] for m in reversed(await haru.memories())] == [
        f"minjun: {message.text}" for message in CATS[::2]
    ]
    assert (await haru.sync(shown, session="s", live=False)).added == 0


async def test_words_of_the_system_and_blank_ones_are_never_stored(omoide, haru):
    system = Message(role=Role.SYSTEM, text="너는 하루다")
    recorded = await haru.sync([system, *CATS[:2], said(" \u200b")], session="s", live=False)
    assert (recorded.added, recorded.blank) == (2, 2)
    assert log_of(omoide, haru)["s"] == [CATS[0].text, CATS[1].text]
    assert (await haru.observe(messages=[system], session="s")).added == 0


@pytest.mark.proves("F04")
async def test_people_of_a_group_are_kept_apart(haru):
    await haru.observe(
        messages=[
            said("나 새우 알레르기 있어", speaker="u7", name="하린"),
            said("난 새우 없으면 못 살아", speaker="u9", name="준"),
            reply("극과 극이네"),
            said("회식 메뉴 추천해줘", speaker="u9", name="준"),
        ],
        session="r1",
    )
    assert "하린: 나 새우 알레르기 있어" in await texts(haru)
    assert "준: 난 새우 없으면 못 살아\nharu: 극과 극이네" in await texts(haru)


async def test_equal_words_of_two_people_are_two_messages(omoide, haru):
    shown = [
        said("새우 먹으러 가자", speaker="u7", name="하린"),
        reply("좋아, 어디로?"),
        said("새우 먹으러 가자", speaker="u9", name="준"),
        reply("둘이 통했네"),
    ]
    await haru.sync(shown, session="r1", live=False)
    await haru.sync([shown[0], *shown[1:]], session="r1", live=False)
    assert await texts(haru) == [
        "준: 새우 먹으러 가자\nharu: 둘이 통했네",
        "하린: 새우 먹으러 가자\nharu: 좋아, 어디로?",
    ]


async def test_one_external_id_is_one_message(omoide, haru):
    exchange = [said("내일 면접이야", external_id="m77"), reply("잘할 거야")]
    first = await haru.observe(messages=exchange, session="s")
    again = await haru.observe(messages=exchange, session="s")
    assert (first.added, again.added) == (2, 0)
    assert log_of(omoide, haru)["s"] == ["내일 면접이야", "잘할 거야"]
    assert len(await haru.memories()) == 1


async def test_one_external_id_in_two_calls_at_once_is_one_message(omoide, haru):
    exchange = [said("내일 면접이야", external_id="m77"), reply("잘할 거야", external_id="m78")]
    done = await asyncio.gather(*(haru.observe(messages=exchange, session="s") for _ in range(6)))
    assert sorted(recorded.added for recorded in done) == [0, 0, 0, 0, 0, 2]
    assert len(await haru.memories()) == 1


async def test_a_known_id_with_a_new_reply_keeps_the_reply(omoide, haru):
    await haru.observe(messages=[said("내일 면접이야", external_id="m77")], session="s")
    await haru.observe(messages=[said("내일 면접이야", external_id="m77"), reply("잘할 거야")], session="s")
    assert await texts(haru) == ["minjun: 내일 면접이야\nharu: 잘할 거야"]


async def test_what_is_said_off_the_record_is_not_kept(omoide, haru):
    recorded = await haru.observe(user="이건 비밀인데", reply="응", session="s", off_record=True)
    assert recorded.added == 0
    assert await omoide.scopes() == []


@pytest.mark.proves("P15")
async def test_a_session_never_limits_recall(haru):
    await haru.observe(user="우리 고양이 이름은 감자야", reply="귀여운 이름이네", session="monday")
    expected = ["minjun: 우리 고양이 이름은 감자야\nharu: 귀여운 이름이네"]
    for session in (None, "tuesday", "never seen"):
        assert await found(haru, "고양이 이름이 뭐였지?", session=session) == expected


@pytest.mark.proves("P15")
async def test_only_a_full_reset_deletes(omoide, haru):
    await haru.observe(user="우리 고양이 이름은 감자야", reply="귀여운 이름이네", session="s")
    other = omoide.scope(user="minjun", character="sora")
    await other.observe(user="우리 고양이 이름은 감자야", reply="알고 있어", session="s")
    await haru.reset()
    assert await haru.memories() == []
    assert len(await other.memories()) == 1


@pytest.mark.proves("P8")
async def test_sequence_numbers_count_from_one_in_each_scope(omoide):
    from sqlalchemy import select

    from omoide.stores.tables import memory_scopes

    for character in ("haru", "sora"):
        scope = omoide.scope(user="minjun", character=character)
        for text in ("피아노를 배워", "부산에 살아", "고양이를 키워"):
            await scope.observe(user=text, reply="그렇구나", session="s")
    with omoide.store.database.read() as connection:
        rows = connection.execute(
            select(memory_scopes.c.scope_id, memory_scopes.c.sequence).order_by(memory_scopes.c.memory_id)
        ).all()
    assert [sequence for _, sequence in rows] == [1, 2, 3, 1, 2, 3]
    assert len({scope for scope, _ in rows}) == 2


async def test_what_the_session_still_shows_is_not_recalled(haru):
    await haru.observe(user="우리 고양이 이름은 감자야", reply="귀여운 이름이네", session="s")
    assert await found(haru, "고양이 이름이 뭐였지?", session="s") == []
    assert len(await found(haru, "고양이 이름이 뭐였지?", session="other")) == 1


async def test_what_a_branch_shows_is_not_recalled_in_it(haru):
    await haru.sync(dated(CATS), session="a", live=False)
    await haru.sync(dated([*CATS[:4], said("비가 와"), reply("우산 챙겨")]), session="b", live=False)
    assert await found(haru, "고양이 이름이 뭐였지?", session="b") == []


async def test_what_the_session_no_longer_shows_is_recalled(haru):
    for number in range(8):
        await haru.observe(user=f"오늘은 {number}번째로 수영했어", reply=f"{number}번이나!", session="s")
    shown = await found(haru, "수영 몇 번 했어?", session="s", limit=50)
    assert sorted(shown) == [
        f"minjun: 오늘은 {number}번째로 수영했어\nharu: {number}번이나!" for number in (0, 1)
    ]


# Without a session's name


async def test_an_unnamed_conversation_grows_in_one_session(omoide, haru, clock):
    for end in (2, 4, 6):
        await haru.sync(CATS[:end])
        clock.advance(timedelta(minutes=1))
    await haru.sync(CATS[2:6])
    assert list(log_of(omoide, haru).values()) == [[message.text for message in CATS]]


async def test_an_unnamed_client_may_replace_its_newest_exchange(omoide, haru):
    await haru.sync(CATS)
    await haru.sync([*CATS[:5], reply("무슨 곡이야?")])
    await haru.sync([*CATS[:4], said("요즘 기타를 배우고 있어"), reply("멋지다")])
    assert list(log_of(omoide, haru).values()) == [
        [*(m.text for m in CATS[:4]), "요즘 기타를 배우고 있어", "멋지다"]
    ]


async def test_an_unnamed_client_that_departs_earlier_opens_a_branch(omoide, haru):
    await haru.sync(CATS, live=False)
    await haru.sync([*CATS[:2], said("요즘 기타를 배우고 있어"), reply("멋지다")], live=False)
    assert sorted(map(len, log_of(omoide, haru).values())) == [4, 6]
    assert len(await haru.memories()) == 4


@pytest.mark.parametrize("pause", [timedelta(seconds=5), timedelta(minutes=11), timedelta(days=1)])
async def test_a_new_unnamed_chat_with_the_same_greeting_deletes_nothing(omoide, haru, clock, pause):
    await haru.sync([reply(GREETING), *CATS[:2]])
    clock.advance(pause)
    recorded = await haru.sync([reply(GREETING), said("오늘은 영화를 봤어"), reply("무슨 영화?")])
    assert recorded.withdrawn == 0
    assert await texts(haru) == ["minjun: 우리 고양이 이름은 감자야\nharu: 귀여운 이름이네"]
    await haru.sync([reply(GREETING), *talk("오늘은 영화를 봤어", "무슨 영화?", "공포 영화!", "무서웠겠다")])
    assert len(await haru.memories()) == 2


@pytest.mark.proves("P16")
@pytest.mark.parametrize(
    ("first", "edited", "another"),
    [
        ("나는 땅콩 알레르기가 있어", "나는 호두 알레르기가 있어", "내 동생 이름은 지수야"),
        ("私はピーナッツアレルギーです", "私はくるみアレルギーです", "妹の名前は愛です"),
        ("I am allergic to peanuts", "I'm allergic to walnuts, not peanuts", "My sister is called Ada"),
        ("我对花生过敏", "我对核桃过敏", "我妹妹叫小雨"),
    ],
)
async def test_behind_one_greeting_an_edit_replaces_what_was_said_and_another_talk_does_not(
    omoide, haru, first, edited, another
):
    await haru.sync([reply(GREETING), *talk(first, "그렇구나, 기억할게")])
    assert (await haru.sync([reply(GREETING), *talk(edited, "아하, 알겠어")])).withdrawn == 2
    assert (await haru.sync([reply(GREETING), said(another)])).withdrawn == 0
    assert await texts(haru) == [f"minjun: {edited}\nharu: 아하, 알겠어"]
    assert (await haru.sync([reply(GREETING), *talk(another, "멋지다", "그렇지")])).withdrawn == 0
    assert sorted(log_of(omoide, haru).values()) == sorted(
        [[GREETING, edited, "아하, 알겠어"], [GREETING, another, "멋지다", "그렇지"]]
    )


async def test_a_first_message_that_nobody_answered_may_become_another_one(omoide, haru):
    await haru.sync([reply(GREETING), said("나는 땅콩 알레르기가 있어")])
    assert (await haru.sync([reply(GREETING), said("내 동생 이름은 지수야")])).withdrawn == 1


async def test_a_new_unnamed_chat_with_the_same_first_words_deletes_nothing(haru, clock):
    await haru.sync(talk("나 퇴근했어", "오늘도 수고했어, 저녁은 뭐 먹어?"))
    clock.advance(timedelta(days=1))
    assert (await haru.sync(talk("나 퇴근했어", "어서 와, 많이 힘들었지?"))).withdrawn == 0
