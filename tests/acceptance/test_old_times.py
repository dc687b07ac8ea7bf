"""Times before 1970 are times like others, and an unknown time is none of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from opening import NOW, opened

from omoide import Filter, Message, Noted, Role

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Recall

LAST = datetime(1970, 1, 1, tzinfo=UTC) - timedelta(microseconds=1)
"""As a number it is -1."""

TIMES = (
    datetime(2, 1, 1, tzinfo=UTC),
    datetime(1945, 8, 15, 3, tzinfo=UTC),
    LAST,
    datetime(1970, 1, 1, tzinfo=UTC),
)


def quotes(recall: Recall) -> set[str]:
    return {recalled.memory.evidence[0].quote for recalled in recall.memories}


@pytest.mark.parametrize("at", TIMES)
async def test_old_and_unknown_times_are_told_apart(tmp_path: Path, at: datetime) -> None:
    old, unknown = "등대에서 편지를 썼어요", "등대에서 노래를 불렀어요"
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.sync([Message(role=Role.USER, text=old, at=at)], session="old", live=False)
        await scope.sync([Message(role=Role.USER, text=unknown)], session="unknown", live=False)
        assert {memory.evidence[0].quote: memory.at for memory in await scope.memories()} == {
            old: at,
            unknown: None,
        }
        day = timedelta(days=1)
        cases = [
            (Filter(), {old, unknown}),
            (Filter(until=at + day), {old}),
            (Filter(until=NOW), {old}),
            (Filter(since=at), {old}),
            (Filter(since=at, until=at + timedelta(microseconds=1)), {old}),
            (Filter(since=at + day), set()),
            (Filter(until=at) if at.year > 2 else Filter(since=NOW), set()),
        ]
        for narrowed, expected in cases:
            assert quotes(await scope.recall("등대", filter=narrowed)) == expected, narrowed


async def test_a_question_about_a_time_before_1970_knows_what_was_known_then(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        for number, year in enumerate((1945, 1955, 1965)):
            said = Message(role=Role.USER, text=f"등대 이야기 {year}", at=datetime(year, 5, 1, tzinfo=UTC))
            await scope.sync([said], session=f"s{number}", live=False)
        for as_of, expected in (
            (1950, {1945}),
            (1960, {1945, 1955}),
            (1969, {1945, 1955, 1965}),
            (1940, set()),
        ):
            found = await scope.recall("등대", as_of=datetime(as_of, 1, 1, tzinfo=UTC))
            assert quotes(found) == {f"등대 이야기 {year}" for year in expected}


async def test_what_was_corrected_just_before_1970_stays_behind_its_correction(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        noted = Noted(text="민준은 등대지기다", at=LAST)
        [memory] = await scope.remember_all([noted])
        assert [recalled.memory.at for recalled in (await scope.recall("등대지기")).memories] == [LAST]
        await scope.correct(memory, "민준은 등대 화가다")
        assert [r.memory.text for r in (await scope.recall("등대")).memories] == ["민준은 등대 화가다"]
