"""A scope whose few memories all tell of one thing answers plain questions about it (ruling 35)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from opening import opened

from omoide.recall.phrasing import phrased
from omoide.recall.requests import is_request

if TYPE_CHECKING:
    from pathlib import Path

HOBBY = {
    "ko": (
        (
            "토마토를 베란다에 심었어|토마토 잎이 노래졌어|토마토 싹이 두 뼘 자랐어|토마토 가지를 잘랐어"
            "|토마토에 진딧물이 생겼어|드디어 토마토가 빨갛게 익었어"
        ),
        ("토마토 요즘 어때?", "토마토는 어떻게 됐더라?"),
        "원주율을 소수점 다섯째 자리까지 말해 봐",
    ),
    "ja": (
        (
            "トマトをベランダに植えた|トマトの葉が黄色い|トマトの芽が伸びた|トマトの枝を切ってみた"
            "|トマトに虫がついた|トマトがやっと赤くなった"
        ),
        ("トマトどう？", "トマトはどうなったんだっけ？"),
        "円周率を小数点以下五桁まで言って",
    ),
    "en": (
        (
            "I planted tomatoes|The tomatoes have yellow leaves|The tomato sprouts grew|I cut a tomato branch"
            "|There are bugs on my tomatoes|The tomatoes turned red"
        ),
        ("Are the tomatoes ripe?", "How tall did my tomatoes get?"),
        "Say pi to the fifth decimal place",
    ),
}


@pytest.mark.proves("F24")
@pytest.mark.parametrize("language", HOBBY)
async def test_few_memories_of_one_thing_answer_a_plain_question_by_its_words(
    tmp_path: Path, language: str
) -> None:
    told, questions, other = HOBBY[language]
    async with opened(tmp_path, embedder="none") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        for number, text in enumerate(told.split("|")):
            await scope.observe(text, "…", session=f"day {number}")
        found = [len((await scope.recall(question)).memories) for question in questions]
        nothing = await scope.recall(other)

    assert found == [6, 6]
    assert nothing.memories == ()


@pytest.mark.proves("F24")
@pytest.mark.parametrize(
    ("own", "of_the_world"),
    [
        ("내 취미가 뭐야?", "블랙홀이 뭐야?"),
        ("私の仕事は何ですか？", "ブラックホールは何ですか？"),
        ("我的梦想是什么？", "黑洞是什么？"),
        ("What do I like about git?", "How do I undo a commit in git?"),
    ],
)
def test_what_somebody_asks_about_themselves_is_no_request(own: str, of_the_world: str) -> None:
    assert not is_request(own, phrased(own))
    assert is_request(of_the_world, phrased(of_the_world))
