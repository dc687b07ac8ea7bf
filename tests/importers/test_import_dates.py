from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from import_files import SEOUL

from omoide.importers import dates


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (1687155600123, datetime(2023, 6, 19, 6, 20, 0, 123000, tzinfo=UTC)),
        ("1687155600123", datetime(2023, 6, 19, 6, 20, 0, 123000, tzinfo=UTC)),
        (1687155600, datetime(2023, 6, 19, 6, 20, tzinfo=UTC)),
        ("1687155600", datetime(2023, 6, 19, 6, 20, tzinfo=UTC)),
        (1687155600.5, datetime(2023, 6, 19, 6, 20, 0, 500000, tzinfo=UTC)),
        ("June 19, 2023 2:20pm", datetime(2023, 6, 19, 14, 20, tzinfo=SEOUL)),
        ("June 9, 2023 12:05am", datetime(2023, 6, 9, 0, 5, tzinfo=SEOUL)),
        ("June 9, 2023 12:05 PM", datetime(2023, 6, 9, 12, 5, tzinfo=SEOUL)),
        ("Sep 1, 2024 5:34:07pm", datetime(2024, 9, 1, 17, 34, 7, tzinfo=SEOUL)),
        ("2023-7-2 @01h 3m 50s 82ms", datetime(2023, 7, 2, 1, 3, 50, 82000, tzinfo=SEOUL)),
        ("2024-07-12@01h31m37s", datetime(2024, 7, 12, 1, 31, 37, tzinfo=SEOUL)),
        ("2024-07-12@01h31m37s123ms", datetime(2024, 7, 12, 1, 31, 37, 123000, tzinfo=SEOUL)),
        ("2026-08-31 @00h00m01s", datetime(2026, 8, 31, 0, 0, 1, tzinfo=SEOUL)),
        ("2025-11-30T12:34:56.789Z", datetime(2025, 11, 30, 12, 34, 56, 789000, tzinfo=UTC)),
        ("2025-11-30T12:34:56.7891234+02:00", datetime(2025, 11, 30, 10, 34, 56, 789123, tzinfo=UTC)),
        ("2025-11-30T12:34:56", datetime(2025, 11, 30, 12, 34, 56, tzinfo=SEOUL)),
        (" 2025-11-30 12:34 ", datetime(2025, 11, 30, 12, 34, tzinfo=SEOUL)),
        ("2025-11-30", datetime(2025, 11, 30, tzinfo=SEOUL)),
    ],
)
def test_every_form_of_date_is_read(written: object, said: datetime) -> None:
    assert dates.read(written, zone=SEOUL) == said


@pytest.mark.parametrize(
    "written",
    [
        None, "", "  ", True, [], {}, "yesterday", "June 31, 2023 2:20pm", "Smarch 1, 2023 2:20pm",
        "June 1, 2023 13:20pm", "2024-13-12@01h31m37s", "2024-02-30T00:00:00", 0, -5, 42, "20230619",
        float("nan"), float("inf"), 10**30, 10**400, "9" * 500, "0001-01-01T00:00:00", "9999-12-31T23:59:59",
        "\ud800", "2025-11-30T\x00", "١٦٨٧١٥٥٦٠٠",
    ],
)  # fmt: skip
def test_what_is_no_date_is_unknown(written: object) -> None:
    assert dates.read(written, zone=SEOUL) is None


def test_a_local_date_follows_the_summer_time_of_its_zone() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    winter = dates.read("January 19, 2023 2:20pm", zone=berlin)
    summer = dates.read("2023-07-19@14h20m00s", zone=berlin)
    assert winter is not None
    assert summer is not None
    assert winter.utcoffset() == timedelta(hours=1)
    assert summer.utcoffset() == timedelta(hours=2)


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.datetimes().map(str)))
def test_any_value_gives_an_aware_time_or_none(written: object) -> None:
    said = dates.read(written, zone=SEOUL)
    assert said is None or said.astimezone(UTC).tzinfo is UTC
