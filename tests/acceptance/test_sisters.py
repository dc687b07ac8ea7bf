"""Three sisters, and two smaller pairs: what each remembers, has heard and only guesses (K1 to K7, K12)."""

from __future__ import annotations

import asyncio
import shutil
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from opening import opened

from omoide.authoring import carry_in, read_folder
from omoide.domain.layer import Layer
from omoide.domain.model import Kind
from postgres import on_postgres

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from omoide import Omoide
    from omoide.recall.result import Recall

SAMPLES = Path(__file__).parents[2] / "samples"
SISTERS = ("志帆", "朱里", "小春")
PAIRS = {"brothers-ko": ("태오", "이안"), "siblings-en": ("Marnie", "Tobias")}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store that holds every sample."""
    folder = tmp_path_factory.mktemp("lives")

    async def fill() -> None:
        async with opened(folder, zone="Asia/Tokyo") as engine:
            for sample in ("sisters", *PAIRS):
                await carry_in(engine, read_folder(SAMPLES / sample))

    asyncio.run(fill())
    return folder


@pytest.fixture
async def omoide(filled: Path, tmp_path: Path) -> AsyncIterator[Omoide]:
    if not on_postgres():
        shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    async with opened(filled if on_postgres() else tmp_path, zone="Asia/Tokyo") as engine:
        yield engine


def found(recall: Recall, name: str) -> str:
    """The line of the block that shows the memory of this name."""
    [memory] = [one.memory for one in recall.memories if one.memory.external_id == name]
    opening = memory.text.split("\n", maxsplit=1)[0][:20]
    [line] = [line for line in recall.block.splitlines() if opening in line]
    return line


@pytest.mark.proves("K1", "K12")
async def test_three_sisters_have_a_hundred_memories_and_a_dozen_events_between_them(omoide: Omoide) -> None:
    pasts = {name: await omoide.scope(character=name).memories(kinds=[Kind.DIARY]) for name in SISTERS}
    told = [memory for past in pasts.values() for memory in past]
    shared = [event for event in await omoide.events() if set(event.participants) & set(SISTERS)]

    assert (len(told), len(shared)) == (100, 12)
    assert {memory.past.layer for memory in told if memory.past} == set(Layer)
    ages = [memory.past.age for memory in told if memory.past and memory.past.age is not None]
    assert (min(ages), max(ages)) == (3, 20)
    assert len({memory.place for memory in told}) >= 5
    for name, past in pasts.items():
        layers = {memory.past.layer for memory in past if memory.past}
        assert layers == set(Layer), name
        assert not {memory.external_id for memory in past} & {
            memory.external_id for other, others in pasts.items() if other != name for memory in others
        }


@pytest.mark.proves("K12")
@pytest.mark.parametrize("sample", PAIRS)
async def test_smaller_pairs_live_in_korean_and_in_english(sample: str, omoide: Omoide) -> None:
    pasts = [await omoide.scope(character=name).memories() for name in PAIRS[sample]]

    assert sum(map(len, pasts)) == 14
    assert all({memory.past.layer for memory in past if memory.past} == set(Layer) for past in pasts)


@pytest.mark.proves("K7")
async def test_ages_five_to_seven_in_los_angeles_with_frustration_above_seven(omoide: Omoide) -> None:
    asked = {
        name: await omoide.scope(character=name).search(
            age=(5, 7), place="ロサンゼルス", emotion={"frustration": ">7"}, order="-frustration"
        )
        for name in SISTERS
    }

    assert {name: [one.external_id for one in memories] for name, memories in asked.items()} == {
        "志帆": ["発表会の二行目", "言葉のない教室"],
        "朱里": ["列に並べない", "通じない鬼ごっこ", "立って拍手", "手をにぎった空港"],
        "小春": [],
    }
    for memories in asked.values():
        scores = [memory.scores["frustration"] for memory in memories]
        assert scores == sorted(scores, reverse=True)
        assert all(score > 7 for score in scores)


@pytest.mark.proves("K6")
async def test_every_side_of_one_event_stands_side_by_side(omoide: Omoide) -> None:
    lost = await omoide.event("水族館の迷子")
    concert = await omoide.event("文化祭のライブ")

    assert lost.event.day is not None
    assert lost.event.day.begin == date(2009, 5, 17)
    assert [(one.character, one.age, one.account and one.account.external_id) for one in lost.sides] == [
        ("志帆", 8, "水族館の十七分"),
        ("朱里", 5, "水族館で走った"),
        ("小春", 3, "くらげの部屋"),
    ]
    away = next(one for one in concert.sides if one.character == "志帆")
    assert (away.present, away.age, away.account) == (False, None, None)
    assert [one.external_id for one in away.told] == ["止まらなかった曲"]


@pytest.mark.proves("K3", "K4")
@pytest.mark.parametrize(
    ("character", "asked", "memory", "named"),
    [
        ("小春", "志帆の誕生日、知ってる?", "志帆ちゃんの誕生日", "祖父から聞いた"),
        ("志帆", "朱里の誕生日はいつ?", "朱里の生まれた日", "母から聞いた"),
        ("태오", "이안이 생일이 언제인지 알아?", "이안의 생일", "할머니에게서 들은"),
        ("Marnie", "Do you know Toby's birthday?", "tobys-birthday", "heard from Gran"),
    ],
)
async def test_a_birthday_is_known_by_hearsay_and_told_as_such(
    character: str, asked: str, memory: str, named: str, omoide: Omoide
) -> None:
    recall = await omoide.scope(character=character).recall(asked)

    assert named in found(recall, memory)


@pytest.mark.proves("K3", "K4")
@pytest.mark.parametrize(
    ("character", "asked", "memory", "hedge"),
    [
        (
            "朱里",
            "空港で、あのとき志帆は何を考えていたんだろう?",
            "空港の志帆ねえ",
            "間違いかもしれない推測、理由: ",
        ),
        ("小春", "志帆が誕生日を祝わない理由は何だと思う?", "祝わない理由", "間違いかもしれない推測、理由: "),
        ("이안", "형은 그때 무슨 생각을 했을까?", "배 위의 형", "틀릴 수 있는 짐작, 까닭: "),
        (
            "Tobias",
            "What was Marnie thinking then?",
            "what-marnie-was-thinking",
            "a guess, may be wrong, from: ",
        ),
    ],
)
async def test_what_another_was_thinking_is_answered_as_a_guess(
    character: str, asked: str, memory: str, hedge: str, omoide: Omoide
) -> None:
    recall = await omoide.scope(character=character).recall(asked)

    assert hedge in found(recall, memory)


@pytest.mark.proves("K5")
async def test_what_was_seen_of_another_is_plain_and_what_she_felt_a_guess(omoide: Omoide) -> None:
    recall = await omoide.scope(character="志帆").recall("時計が止まった日、朱里は何をしていた?")

    line = found(recall, "止まった針")
    assert "朱里の様子: 両手をうしろに隠したまま下を向いていた" in line
    assert "たぶんこわかった（推測" in line


@pytest.mark.proves("K1")
@pytest.mark.parametrize("character", SISTERS)
async def test_no_sister_is_shown_what_another_remembers(character: str, omoide: Omoide) -> None:
    own = {memory.id for memory in await omoide.scope(character=character).memories()}
    scope = omoide.scope(character=character)

    for event in await omoide.events():
        recall = await scope.recall(f"{event.name}のこと、覚えてる?", limit=50)
        assert {one.memory.id for one in recall.memories} <= own
        assert {one.id for one in await scope.search(event=event.name)} <= own
        assert event.description not in recall.block
