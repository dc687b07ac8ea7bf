"""What was said of "tomorrow" is shown with the day on which it was said, and is never tomorrow for ever."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from opening import opened

from omoide.testing import FixedClock

if TYPE_CHECKING:
    from pathlib import Path

SEOUL = ZoneInfo("Asia/Seoul")
TUESDAY = datetime(2026, 3, 3, 22, 10, tzinfo=SEOUL)
SAID = [
    ("ko", "내일 운전면허 시험이야ㅠ", "운전면허 시험 말이야", ("4일 전", "2주 전")),
    ("ja", "明日は運転免許の試験だよ", "運転免許の試験のこと", ("4日前", "2週間前")),
    ("en", "My driving test is tomorrow", "About the driving test", ("4 days ago", "2 weeks ago")),
    ("zh", "明天考驾照，好紧张", "考驾照的事", ("4天前", "2周前")),
]


@pytest.mark.proves("F05")
@pytest.mark.parametrize(("spoken", "told", "asked", "ago"), SAID)
async def test_tomorrow_of_the_past_stands_under_its_own_day_and_grows_older(
    tmp_path: Path, spoken: str, told: str, asked: str, ago: tuple[str, str]
) -> None:
    clock = FixedClock(TUESDAY)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await scope.observe(user=told, reply="!", session="s1", at=TUESDAY)
        await scope.vectorise()
        for days, past in zip((4, 14), ago, strict=True):
            clock.advance(timedelta(days=days))
            block = (await scope.recall(asked)).block
            assert f"[2026-03-03, {past}] u: {told}" in block, spoken
