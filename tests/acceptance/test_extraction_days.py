"""Days and times in figures stand where the talk named them in words, and fall where it did not."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from extracting import EXTRACTED, fact, heard

from omoide import Kind

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.proves("F02", "F05")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I get up at half five every day", "gets up at 5:30 every day"),
        ("매일 다섯 시 반에 일어나", "매일 5시 30분에 일어난다"),
        ("毎日五時半に起きてる", "毎日5時30分に起きる"),
        ("3時過ぎたら空いてる", "3時以降は空いている"),
    ],
)
async def test_a_time_in_figures_stands_where_it_was_said_in_words(
    tmp_path: Path, said: str, text: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, "ok", facts=[fact(text, 1, said)])
        (kept,) = await talk.scope.memories(kinds=EXTRACTED)

    assert kept.text == text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I get up at half five every day", "gets up at 5:40 every day"),
        ("매일 다섯 시 반에 일어나", "매일 5시 40분에 일어난다"),
        ("毎日五時半に起きてる", "毎日5時40分に起きる"),
    ],
)
async def test_another_time_falls(tmp_path: Path, said: str, text: str) -> None:
    async with heard(tmp_path) as talk:
        found = await talk.told(said, "ok", facts=[fact(text, 1, said)])

    assert found.dropped == {"unsupported": 1}


async def test_a_date_in_figures_counts_as_heard_where_it_was_said_in_words(tmp_path: Path) -> None:
    said = "van fell through, so the move's pushed to july 4th"
    async with heard(tmp_path) as talk:
        await talk.told(said, "ok", summary="The move was put off to 2026-07-04.")
        (kept,) = await talk.scope.memories(kinds=[Kind.SUMMARY])
        assert kept.text == "The move was put off to 2026-07-04."


async def test_a_date_that_nobody_said_bears_nothing_out(tmp_path: Path) -> None:
    said = "van fell through, so the move's pushed to july 4th"
    async with heard(tmp_path) as talk:
        right = fact("had a van that fell through", 1, "van fell through")
        found = await talk.told(said, "ok", facts=[right], summary="The move was put off to 2026-07-14.")
        assert found.dropped == {"unsupported": 1}


@pytest.mark.parametrize("words", ["saturday july 18th", "july 18th", ""])
async def test_a_plan_has_the_day_that_a_weekday_and_a_date_name(tmp_path: Path, words: str) -> None:
    said = "the wedding is on saturday july 18th"
    plan = {
        "text": "wedding",
        "who": "haneul",
        "due": "2026-07-18",
        "due_words": words,
        "evidence": [{"m": 1, "words": said}],
    }
    async with heard(tmp_path) as talk:
        await talk.told(said, "ok", plans=[plan])
        (kept,) = await talk.scope.memories(kinds=[Kind.PLAN])

    assert kept.plan is not None
    assert kept.plan.due == datetime(2026, 7, 17, 15, tzinfo=UTC)  # midnight where it was said
