"""Feelings are summed up by day in the person's own zone."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from omoide.domain.affect import Feeling, Felt, summary
from omoide.errors import InvalidInput

SEOUL = ZoneInfo("Asia/Seoul")


def felt(emotion: str, intensity: float, hour: int = 3, day: int = 10) -> Felt:
    return Felt(
        feeling=Feeling(emotion=emotion, intensity=intensity), at=datetime(2026, 3, day, hour, tzinfo=UTC)
    )


def test_nothing_felt_is_unknown_and_not_calm() -> None:
    assert summary([], zone=SEOUL) is None


@pytest.mark.proves("H18")
def test_the_dominant_feeling_is_the_one_felt_most_often() -> None:
    found = summary([felt("tired", 0.7), felt("happy", 0.4), felt("tired", 0.5)], zone=SEOUL)

    assert found is not None
    assert (found.dominant, found.counts) == ("tired", {"tired": 2, "happy": 1})
    assert found.intensity == pytest.approx(0.5333, abs=1e-3)


@pytest.mark.proves("H18")
def test_a_hard_day_has_a_strong_hard_feeling_and_a_faint_one_does_not_count() -> None:
    found = summary(
        [felt("tired", 0.6, day=10), felt("nervous", 0.2, day=11), felt("sad", 0.9, day=12)], zone=SEOUL
    )

    assert found is not None
    assert found.hard_days == (date(2026, 3, 10),)


def test_days_are_the_persons_own() -> None:
    found = summary([felt("tired", 0.9, hour=20, day=10)], zone=SEOUL)

    assert found is not None
    assert found.hard_days == (date(2026, 3, 11),)


@pytest.mark.parametrize(("emotion", "intensity"), [("hangry", 0.5), ("calm", 1.2), ("calm", -0.1)])
def test_an_unknown_emotion_or_an_impossible_strength_is_refused(emotion: str, intensity: float) -> None:
    with pytest.raises(InvalidInput):
        Feeling(emotion=emotion, intensity=intensity)
