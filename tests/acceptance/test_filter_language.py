"""A recall's filter is written as a search is, and means the same (K7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from opening import NOW, opened

from omoide import Filter, Layer, Omoide, Past
from omoide.domain.diary import Diary
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

DIRECT = Past(layer=Layer.DIRECT, confidence=9)
TEXTS = {
    "ko": ("유나와 등대까지 걸었다.", "혼자 등대를 그렸다."),
    "ja": ("志帆と灯台まで歩いた。", "ひとりで灯台を描いた。"),
    "en": ("I walked to the lighthouse with June.", "I drew the lighthouse alone."),
}
CALLED = {"ko": "유나", "ja": "志帆", "en": "June"}
ASKED = {"ko": "등대 기억나?", "ja": "灯台のこと覚えてる?", "en": "Do you remember the lighthouse?"}


async def _written(omoide: Omoide, language: str) -> None:
    together, alone = TEXTS[language]
    own = omoide.scope(character="Sora")
    await own.write(
        [
            Diary(
                text=together,
                past=DIRECT,
                people=(CALLED[language],),
                scores={"frustration": 8, "joy": 2},
                importance=7,
            ),
            Diary(text=alone, past=DIRECT, scores={"frustration": 3, "joy": 6}, importance=4),
        ]
    )
    await own.vectorise()


@pytest.mark.proves("K7")
@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("user", [None, "minjun"])
async def test_people_of_a_filter_take_part_speak_or_are_meant(
    tmp_path: Path, language: str, user: str | None
) -> None:
    async with opened(tmp_path) as omoide:
        await _written(omoide, language)
        scope = omoide.scope(user=user, character="Sora")
        name = CALLED[language]
        found = await scope.recall(ASKED[language], filter=Filter(people=(name,)))
        nobody = await scope.recall(ASKED[language], filter=Filter(people="Nobody"))
        sought = await omoide.scope(character="Sora").search(people=[name])

    assert [one.memory.text for one in found.memories] == [TEXTS[language][0]]
    assert [memory.text for memory in sought] == [TEXTS[language][0]]
    assert nobody.memories == ()


@pytest.mark.proves("K7")
@pytest.mark.parametrize(
    ("narrowed", "places"),
    [
        ({"emotion": {"frustration": ">7"}}, {0}),
        ({"emotion": ["frustration>7", "joy<3"]}, {0}),
        ({"emotion": "joy=5..7"}, {1}),
        ({"emotion": {"joy": (5, 7)}}, {1}),
        ({"emotion": {"joy": 2}}, {0, 1}),  # a bare number is the least, and not the only one
        ({"emotion": {"frustration": 8}}, {0}),
        ({"importance": "4..5"}, {1}),
        ({"importance": ">4"}, {0}),
        ({"importance": (None, 4)}, {1}),
        ({"importance": 4}, {0, 1}),
        ({"importance": 4.5}, {0}),
        ({"kinds": "diary", "layers": ["direct"]}, {0, 1}),
        ({"layers": "heard"}, set()),
    ],
)
async def test_a_filter_takes_the_forms_of_a_search(
    tmp_path: Path, narrowed: dict[str, Any], places: set[int]
) -> None:
    async with opened(tmp_path) as omoide:
        await _written(omoide, "en")
        own = omoide.scope(character="Sora")
        found = await own.recall(ASKED["en"], filter=Filter(**narrowed))

    assert {one.memory.text for one in found.memories} == {TEXTS["en"][place] for place in places}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"emotion": {"frustration": "much"}}, "frustration='much' cannot be read; write 5..7"),
        ({"emotion": {"frustration": None}}, "frustration=None cannot be read"),
        ({"emotion": {"joy": 11}}, "joy=11: it lies between 0 and 10"),
        ({"emotion": "frustration"}, "write frustration>7"),
        ({"emotion": 7}, "emotion=7 is neither"),
        ({"importance": "high"}, "importance='high' cannot be read"),
        ({"importance": 0.5}, "importance=0.5: it lies between 1 and 10"),
        ({"importance": True}, "importance=True cannot be read"),
        ({"people": 3}, "people=3 is neither"),
        ({"place": " "}, "names nothing"),
        ({"kinds": "story"}, "no kind is called 'story'"),
        ({"since": "2011"}, "since='2011' is no time; give a datetime with its zone"),
        ({"until": NOW.date()}, "until='2026-06-10' is no time"),
    ],
)
def test_a_filter_that_cannot_be_read_shows_its_value_and_the_way_out(
    wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        Filter(**wrong)
    assert said in str(refused.value)
