"""Structured and hybrid search through the library: what is found, in what order, and nothing of others."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from omoide import Omoide
from omoide.domain.diary import Diary, Unwritten
from omoide.domain.event import Event
from omoide.domain.layer import Layer
from omoide.domain.model import Kind, Past, Status
from omoide.domain.partial_date import PartialDate
from omoide.errors import EmbedderUnavailable, InvalidInput, UnknownScope
from omoide.testing import FailingEmbedder, WordEmbedder
from postgres import place

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from omoide import Scope

DAY = PartialDate.parse
OWN = Unwritten(scores=("반항심",))


def _lived(confidence: float = 9.0, **more: Any) -> Past:
    return Past(layer=Layer.DIRECT, confidence=confidence, **more)


LIFE = [
    Diary(
        id="tide",
        text="波に砂の城をさらわれて、わたしは泣きながら海に怒った。",
        past=_lived(age=5, absolute_day=1_900),
        day=DAY("2004-summer"),
        place="Los Angeles",
        scores={"frustration": 8.5, "sadness": 6.0},
        importance=6,
    ),
    Diary(
        id="kite",
        text="凧がいちばん高く上がった日、わたしは空を独り占めした。",
        past=_lived(age=7.9, absolute_day=2_880),
        day=DAY("2007-01-03"),
        place="ロサンゼルス",
        scores={"joy": 9.0, "frustration": 1.0},
        importance=4,
        people=("Mio",),
    ),
    Diary(
        id="piano",
        text="The piano exam again; my fingers would not obey me and I slammed the lid.",
        past=_lived(8.5, age=8, absolute_day=2_960),
        day=DAY("2007-05"),
        place="Los Angeles",
        scores={"frustration": 9.0},
        importance=7,
        event="piano exam",
    ),
    Diary(
        id="birthday",
        text="Mio told me that her birthday is the day after the first snow.",
        past=Past(layer=Layer.HEARD, confidence=6.5, source="Mio"),
        day=DAY("2010"),
        people=("Mio",),
        scores={"joy": 7.0},
        importance=5,
    ),
    Diary(
        id="envy",
        text="언니는 아마 내 상장이 부러웠던 것 같다.",
        past=Past(layer=Layer.INFERRED, confidence=4.0, basis="그날 말이 없었다"),
        day=DAY("2010-12"),
        place="서울 집",
        scores={"반항심": 7.5, "frustration": 7.0},
        importance=3,
    ),
]


@asynccontextmanager
async def _engine(folder: Path, embedder: Any = None) -> AsyncIterator[Omoide]:
    async with Omoide.open(
        place(folder), embedder=embedder or WordEmbedder(), master_key_file=folder / "key"
    ) as omoide:
        await omoide.add_events(
            [
                Event(name="piano exam", participants=("yuki",), category="school", day=DAY("2007-05-20")),
                Event(name="first snow", participants=("yuki",), category="Season"),
            ]
        )
        yield omoide


@asynccontextmanager
async def _scope(folder: Path, embedder: Any = None) -> AsyncIterator[Scope]:
    async with _engine(folder, embedder) as omoide:
        scope = omoide.scope(character="yuki")
        await scope.write(LIFE, profile=OWN)
        yield scope


async def _found(scope: Scope, text: str | None = None, **filters: Any) -> list[str | None]:
    return [memory.external_id for memory in await scope.search(text, **filters)]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"age": (5, 7), "place": "Los Angeles", "emotion": {"frustration": ">7"}}, ["tide"]),
        ({"age": "5..7", "order": "age"}, ["tide", "kite"]),
        ({"age": ">7", "order": "age"}, ["piano"]),
        ({"absolute_day": "..2880", "order": "-absolute_day"}, ["kite", "tide"]),
        ({"absolute_day": "<2880"}, ["tide"]),
        ({"emotion": "frustration>7", "order": "-frustration"}, ["piano", "tide"]),
        ({"emotion": "frustration>=7", "order": "-frustration"}, ["piano", "tide", "envy"]),
        ({"emotion": ["frustration>7", "sadness 5..7"]}, ["tide"]),
        ({"emotion": "반항심>7"}, ["envy"]),
        ({"day": "2007", "order": "day"}, ["kite", "piano"]),
        ({"day": "2004-summer..2007-01", "order": "-day"}, ["kite", "tide"]),
        ({"day": ">2007", "order": "day"}, ["birthday", "envy"]),
        ({"since": "2007-02", "until": "2010-06", "order": "day"}, ["piano", "birthday"]),
        ({"place": "los angeles", "order": "importance"}, ["tide", "piano"]),
        ({"place": "ロサンゼルス"}, ["kite"]),
        ({"place": "서울 집"}, ["envy"]),
        ({"layer": "heard"}, ["birthday"]),
        ({"layer": ["heard", "inferred"], "order": "-confidence"}, ["birthday", "envy"]),
        ({"confidence": "8..9", "order": "confidence,-importance"}, ["piano", "tide", "kite"]),
        ({"importance": ">5", "order": "-importance"}, ["piano", "tide"]),
        ({"event": "piano exam"}, ["piano"]),
        ({"category": "SCHOOL"}, ["piano"]),
        ({"category": "season"}, []),
        ({"people": "Mio", "order": "day"}, ["kite", "birthday"]),
        ({"kinds": "fact"}, []),
        ({"order": "layer,-importance"}, ["piano", "tide", "kite", "birthday", "envy"]),
        ({"order": "-frustration", "limit": 2}, ["piano", "tide"]),
        ({"order": "-sadness", "limit": 1}, ["tide"]),
        ({"order": "age"}, ["tide", "kite", "piano"]),
    ],
)
@pytest.mark.proves("K7")
async def test_memories_are_found_by_their_values_in_order(
    tmp_path: Path, filters: dict[str, Any], found: list[str]
) -> None:
    async with _scope(tmp_path) as scope:
        assert (await _found(scope, **filters))[: len(found) or None] == found


@pytest.mark.proves("K7")
async def test_an_event_filter_alone_leaves_out_memories_without_an_event(tmp_path: Path) -> None:
    async with _scope(tmp_path) as scope:
        everything = await _found(scope)

        assert len(everything) == len(LIFE)
        assert await _found(scope, event="piano exam") == ["piano"]
        assert await _found(scope, event="never was") == []


@pytest.mark.proves("K7")
async def test_what_has_no_value_comes_last_whichever_way_it_goes(tmp_path: Path) -> None:
    async with _scope(tmp_path) as scope:
        for order in ("age", "-age", "-반항심", "place", "-place", "event", "category"):
            memories = await scope.search(order=order)
            key = order.removeprefix("-")
            values = {
                "age": [memory.past.age if memory.past else None for memory in memories],
                "반항심": [memory.scores.get("반항심") for memory in memories],
                "place": [memory.place for memory in memories],
            }.get(key, [memory.event for memory in memories])
            missing = [value is None for value in values]
            assert len(memories) == len(LIFE)
            assert missing == sorted(missing), order


@pytest.mark.proves("K7")
async def test_names_are_ordered_though_they_are_sealed(tmp_path: Path) -> None:
    async with _scope(tmp_path) as scope:
        up = [memory.place for memory in await scope.search(order="place,importance")]
        down = [memory.place for memory in await scope.search(order="-place", limit=1)]

    assert up == ["Los Angeles", "Los Angeles", "ロサンゼルス", "서울 집", None]
    assert down == ["서울 집"]


@pytest.mark.proves("K7")
async def test_a_score_that_no_memory_has_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    known = r"'serenity'.*joy, sadness, anxiety, frustration, 반항심"
    async with _scope(tmp_path) as scope:
        with pytest.raises(InvalidInput, match=known):
            await scope.search(order="-serenity")
        for more in ({}, {"place": "nowhere"}, {"age": "90.."}):
            with pytest.raises(InvalidInput, match=known):
                await scope.search(emotion=["frustration>7", "serenity>1"], **more)
        with pytest.raises(InvalidInput, match=known):
            await scope.search("the piano", emotion="serenity>1")
        assert await _found(scope, emotion="frustration>9.9", order="-joy") == []


@pytest.mark.proves("K7")
async def test_the_basic_scores_may_be_asked_for_where_nothing_has_any(tmp_path: Path) -> None:
    async with _scope(tmp_path) as scope:
        for memory in await scope.memories():
            await scope.forget(memory.id)
        await scope.purge(now=True)
        assert await scope.search(emotion="joy>1", order="-sadness") == []


@pytest.mark.parametrize(
    "words", ["' OR 1=1 --", '" OR ""="', "%", "_", "*", "x'; DROP TABLE memories; --", "\\"]
)
@pytest.mark.proves("K7")
async def test_quotes_wildcards_and_sql_are_names_like_others(tmp_path: Path, words: str) -> None:
    odd = Diary(id="odd", text="An odd place.", past=_lived(), place=words, scores={words: 3.0})
    async with _scope(tmp_path) as scope:
        for name in ("place", "event", "category", "people"):
            assert await _found(scope, **{name: words}) == [], name
        for wrong in ({"emotion": {words: "<10"}}, {"age": words}):
            with pytest.raises(InvalidInput):
                await scope.search(**wrong)

        await scope.remember("x", kind=Kind.DIARY, past=_lived(), place=odd.place, scores=odd.scores)

        assert len(await scope.search(place=words)) == 1
        assert len(await scope.search(emotion={words: "3"}, order=words)) == 1
        assert len(await scope.search()) == len(LIFE) + 1


@pytest.mark.proves("K7")
async def test_only_confirmed_memories_of_the_scope_itself_are_found(tmp_path: Path) -> None:
    async with _engine(tmp_path) as omoide:
        scope, other = omoide.scope(character="yuki"), omoide.scope(character="mio")
        await scope.write(LIFE, profile=OWN)
        mine = Diary(
            id="mine", text="Nobody knows.", past=_lived(age=6), place="Los Angeles", scores={"anger": 9}
        )
        await other.write([mine], profile=Unwritten(scores=("anger",)))
        await scope.write(
            [Diary(id="maybe", text="Not judged yet.", past=_lived(age=6))], status=Status.CANDIDATE
        )
        gone = next(memory for memory in await scope.search() if memory.external_id == "tide")
        await scope.forget(gone.id)

        assert set(await _found(scope)) == {"kite", "piano", "birthday", "envy"}
        assert await _found(other, age="0..100") == ["mine"]
        assert await _found(scope, "Nobody knows") != ["mine"]
        with pytest.raises(InvalidInput):
            await scope.search(order="anger")

        await scope.restore(gone.id)
        assert "tide" in await _found(scope, age=5)

        with pytest.raises(UnknownScope):
            await omoide.scope(character="aoi").search()


@pytest.mark.proves("K8")
async def test_a_text_ranks_what_passes_the_filters(tmp_path: Path) -> None:
    async with _scope(tmp_path) as scope:
        assert (await _found(scope, "piano exam fingers"))[0] == "piano"
        assert "piano" not in await _found(scope, "piano exam fingers", layer="heard")
        assert (await _found(scope, "海の砂の城", age="5..8"))[0] == "tide"
        assert (await _found(scope, "her birthday and the first snow", people="Mio"))[0] == "birthday"
        assert await _found(scope, "piano", age="90..99") == []
        assert set(await _found(scope, "piano exam", place="los angeles")) == {"tide", "piano"}
        assert await _found(scope, "piano exam", place="ロサンゼルス") == ["kite"]
        assert await _found(scope, "piano exam", place="nowhere") == []
        assert await _found(scope, "piano exam", order="age", limit=3, age="0..20") == [
            "tide",
            "kite",
            "piano",
        ]


@pytest.mark.parametrize("embedder", ["none", FailingEmbedder(EmbedderUnavailable("away"))])
@pytest.mark.proves("K8")
async def test_without_an_embedder_words_alone_find(tmp_path: Path, embedder: Any) -> None:
    async with _scope(tmp_path, embedder) as scope:
        assert await _found(scope, "the piano") == ["piano"]
        assert await _found(scope, "상장") == ["envy"]
        assert await _found(scope, "凧", age=7) == ["kite"]
        assert await _found(scope, "submarine") == []


@pytest.mark.proves("K8")
async def test_of_what_is_as_near_the_important_comes_first(tmp_path: Path) -> None:
    same = "A paper boat went down the drain."
    async with _engine(tmp_path) as omoide:
        scope = omoide.scope(character="yuki")
        lives = [
            Diary(id=name, text=same, past=_lived(age=age), importance=worth)
            for name, age, worth in (("little", 4, 2), ("much", 5, 9), ("some", 6, 5))
        ]
        await scope.write(lives)

        assert await _found(scope, "paper boat") == ["much", "some", "little"]


@pytest.mark.proves("K8")
async def test_what_was_just_written_is_found_by_meaning(tmp_path: Path) -> None:
    async with _engine(tmp_path) as omoide:
        scope = omoide.scope(character="yuki")
        await scope.write(LIFE[:1], profile=OWN)
        await scope.search("海")
        await scope.write(LIFE[1:], profile=OWN)

        assert (await _found(scope, "piano exam fingers obey"))[0] == "piano"


async def test_talk_is_searched_too(tmp_path: Path) -> None:
    async with _engine(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.observe(user="나 어제 부산 바다에 다녀왔어!", reply="좋았겠다!", session="a")
        await scope.observe(user="요즘 기타를 배우고 있어", reply="멋져!", session="a")

        assert len(await scope.search(kinds="episode", importance="1..10")) == 2
        assert len(await scope.search(people="minjun")) == 2
        assert "부산" in (await scope.search("부산 바다"))[0].text
