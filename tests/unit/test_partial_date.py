"""Days as people remember them: read, written, and bounded."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.partial_date import PartialDate, Precision
from omoide.errors import InvalidInput


@pytest.mark.proves("K2")
@pytest.mark.parametrize(
    ("text", "begin", "end", "precision"),
    [
        ("2011", date(2011, 1, 1), date(2011, 12, 31), Precision.YEAR),
        ("2011-summer", date(2011, 6, 1), date(2011, 8, 31), Precision.SEASON),
        ("2011-winter", date(2011, 12, 1), date(2012, 2, 29), Precision.SEASON),
        ("2011-02", date(2011, 2, 1), date(2011, 2, 28), Precision.MONTH),
        ("2011-12", date(2011, 12, 1), date(2011, 12, 31), Precision.MONTH),
        ("2011-05-03", date(2011, 5, 3), date(2011, 5, 3), Precision.DAY),
        ("0794-10-22", date(794, 10, 22), date(794, 10, 22), Precision.DAY),
    ],
)
def test_a_partial_date_spans_the_days_it_may_be(
    text: str, begin: date, end: date, precision: Precision
) -> None:
    day = PartialDate.parse(text)
    assert (day.begin, day.end, day.precision, str(day)) == (begin, end, precision, text)
    assert PartialDate.of(day.begin, day.precision) == day


@pytest.mark.parametrize("text", ["2011-5-3", "2011-FALL", " 2011 "])
def test_other_spellings_are_brought_to_one(text: str) -> None:
    assert str(PartialDate.parse(text)) in {"2011-05-03", "2011-autumn", "2011"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "11",
        "2011-13",
        "2011-02-30",
        "2011-00",
        "2011-05-00",
        "2011-monsoon",
        "2011/05/03",
        "0000",
        "9999",
    ],
)
def test_what_is_no_day_is_refused_and_shown(text: str) -> None:
    with pytest.raises(InvalidInput):
        PartialDate.parse(text)


def test_parts_that_do_not_fit_are_refused() -> None:
    for given_parts in ({"day": 3}, {"month": 5, "season": "summer"}, {"season": "rain"}):
        with pytest.raises(InvalidInput):
            PartialDate(year=2011, **given_parts)


@given(st.dates(min_value=date(2, 1, 1), max_value=date(9997, 12, 31)))
def test_every_day_is_read_back_as_written(day: date) -> None:
    found = PartialDate(year=day.year, month=day.month, day=day.day)
    assert PartialDate.parse(str(found)) == found
    assert found.begin == found.end == found.at.date() == day


@given(
    st.builds(PartialDate, year=st.integers(2, 9997), month=st.none() | st.integers(1, 12)),
    st.builds(PartialDate, year=st.integers(2, 9997), season=st.sampled_from(["spring", "winter", "autumn"])),
)
def test_overlapping_is_mutual(one: PartialDate, other: PartialDate) -> None:
    assert one.overlaps(other) == other.overlaps(one)
    assert one.overlaps(one)
    assert one.begin <= one.end
