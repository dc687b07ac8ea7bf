"""What the prompt shows word for word is not recalled; what is older comes through recall alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from opening import opened

if TYPE_CHECKING:
    from pathlib import Path

SAID = [
    ("ko", "우리 집 앵무새 이름은 두부야", "앵무새 이름이 뭐였지?", "오늘은 산책을 {}번 했어"),
    ("ja", "うちのオウムの名前は豆腐だよ", "オウムの名前は？", "今日は散歩を{}回した"),
    ("en", "Our parrot is called Tofu", "What is the parrot called?", "Today I walked {} times"),
]


@pytest.mark.proves("H2")
@pytest.mark.parametrize(("language", "told", "asked", "filler"), SAID)
async def test_a_fact_comes_back_once_the_prompt_no_longer_shows_it(
    tmp_path: Path, language: str, told: str, asked: str, filler: str
) -> None:
    async with opened(tmp_path, turns=6) as omoide:
        scope = omoide.scope(user="u", character="c")
        await scope.observe(told, "!", session="s")
        for number in range(5):
            await scope.observe(filler.format(number + 2), "!", session="s")
        shown = await scope.recall(asked, session="s")
        await scope.observe(filler.format(9), "!", session="s")
        older = await scope.recall(asked, session="s")
        elsewhere = await scope.recall(asked, session="another")

    assert told not in shown.block, language
    assert told in older.block
    assert told in elsewhere.block
