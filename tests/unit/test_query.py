"""The filter language: every way to write it means the same, and what means nothing is refused."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.bounds import GRAMMAR, Bounds, bounds
from omoide.domain.instants import to_micros
from omoide.domain.layer import Layer
from omoide.domain.model import Kind
from omoide.domain.partial_date import PartialDate
from omoide.domain.query import Key, Order, search
from omoide.errors import InvalidInput


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("5..7", Bounds(low=5, high=7)),
        (" 5 .. 7 ", Bounds(low=5, high=7)),
        ("=5..7", Bounds(low=5, high=7)),
        ("5..", Bounds(low=5)),
        ("..7", Bounds(high=7)),
        (">7", Bounds(low=7, above=True)),
        (">=7", Bounds(low=7)),
        ("<3.5", Bounds(high=3.5, below=True)),
        ("<= 3", Bounds(high=3)),
        ("=5", Bounds(low=5, high=5)),
        ("5", Bounds(low=5, high=5)),
        ("-2..2", Bounds(low=-2, high=2)),
        ("５..７", Bounds(low=5, high=7)),
        ("＞7", Bounds(low=7, above=True)),
        ((5, 7), Bounds(low=5, high=7)),
        ((None, 7), Bounds(high=7)),
        (6, Bounds(low=6, high=6)),
        (Bounds(low=1), Bounds(low=1)),
    ],
)
@pytest.mark.proves("K7")
def test_numbers_mean_the_same_however_they_are_written(written: Any, meant: Bounds) -> None:
    assert bounds(written, name="importance") == meant


@pytest.mark.parametrize(
    "written",
    [
        "",
        "..",
        ">",
        "seven",
        "7..5",
        "5...7",
        "5..7..9",
        ">=",
        "=>7",
        "5 7",
        "1e3",
        "0x10",
        "'; DROP TABLE memories; --",
        "5 OR 1=1",
        "9" * 400,
        "٥",
        float("nan"),
        float("inf"),
        (None, None),
        (1, 2, 3),
        (7, 5),
        Bounds(low=3, high=3, above=True),
    ],
)
def test_numbers_that_mean_nothing_are_refused_with_the_grammar(written: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        bounds(written, name="age")

    assert f"age={written!r}" in str(caught.value)
    assert GRAMMAR in str(caught.value)


@given(st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_a_range_reads_back_as_its_ends(one: int, other: int) -> None:
    low, high = sorted((one, other))

    assert bounds(f"{low}..{high}", name="age") == bounds((low, high), name="age")


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for name in ("age", "day", "emotion", "order"):
        with suppress(InvalidInput):
            search(zone=UTC, **{name: text})


@pytest.mark.parametrize(
    ("written", "low", "high"),
    [
        ((5, 7), 5, 8),  # somebody is 7 until the day of becoming 8
        ("6", 6, 7),
        (">7", 8, None),
        (">=7", 7, None),
        ("<5", None, 5),
        ("<=5", None, 6),
    ],
)
@pytest.mark.proves("K7")
def test_ages_are_counted_in_full_years(written: Any, low: float | None, high: float | None) -> None:
    asked = search(zone=UTC, age=written)

    assert asked.age is not None
    assert (asked.age.low, asked.age.high) == (low, high)
    assert not asked.age.above
    assert asked.age.below is (high is not None)


def _span(low: str | None, high: str | None, zone: Any = UTC) -> tuple[int | None, int | None]:
    ends = [None if end is None else datetime.fromisoformat(end).replace(tzinfo=zone) for end in (low, high)]
    low_at, high_at = (None if end is None else to_micros(end) for end in ends)
    return low_at, high_at


@pytest.mark.parametrize(
    ("day", "low", "high"),
    [
        ("2011", "2011-01-01", "2012-01-01"),
        ("2011-summer", "2011-06-01", "2011-09-01"),
        ("2011-winter", "2011-12-01", "2012-03-01"),
        ("2011-05", "2011-05-01", "2011-06-01"),
        ("2011-05-03", "2011-05-03", "2011-05-04"),
        ("2011..2013-05", "2011-01-01", "2013-06-01"),
        ("1871..", "1871-01-01", None),
        ("..2011", None, "2012-01-01"),
        (">2011", "2012-01-01", None),
        (">=2011", "2011-01-01", None),
        ("<2011", None, "2011-01-01"),
        ("<=2011", None, "2012-01-01"),
        (date(2011, 5, 3), "2011-05-03", "2011-05-04"),
        (PartialDate(year=2011, month=5), "2011-05-01", "2011-06-01"),
        (("2011", PartialDate(year=2012)), "2011-01-01", "2013-01-01"),
    ],
)
@pytest.mark.proves("K7")
def test_days_count_as_a_whole(day: Any, low: str | None, high: str | None) -> None:
    seoul = ZoneInfo("Asia/Seoul")

    asked = search(zone=seoul, day=day)

    assert asked.at is not None
    assert (asked.at.low, asked.at.high) == _span(low, high, seoul)


def test_since_and_until_narrow_days_further() -> None:
    asked = search(zone=UTC, day="2011", since="2011-03", until="2011-05")

    assert asked.at is not None
    assert (asked.at.low, asked.at.high) == _span("2011-03-01", "2011-05-01")


@pytest.mark.parametrize(
    "filters",
    [
        {"day": "2011-13"},
        {"day": "yesterday"},
        {"day": "2012..2011"},
        {"since": "2012", "until": "2011"},
        {"day": "2011", "since": "2013"},
        {"layer": "dreamt"},
        {"kinds": ["diary", "poem"]},
        {"emotion": "joy"},
        {"emotion": ">7"},
        {"emotion": {" ": ">7"}},
        {"emotion": "joy>x' OR '1'='1"},
        {"order": "-"},
        {"order": "age,,day"},
        {"place": " \u200b"},
        {"limit": 0},
        {"limit": 1_000_001},
        {"people": ["x"] * 1_000_000},
        {"emotion": {f"e{number}": ">1" for number in range(1_000)}},
        {"emotion": ["joy>1"] * 17},
        {"emotion": ["frustration>7", "frustration<3"]},
        {"emotion": ["frustration>7", "joy=5", "frustration<=7"]},
        {"emotion": ["joy=5", "joy=6"]},
        {"order": ",".join(f"e{number}" for number in range(1_000))},
    ],
)
def test_a_filter_that_means_nothing_is_refused_with_its_value(filters: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"got|cannot be read|is called|lies in|names nothing|ends before"):
        search(zone=UTC, **filters)


@pytest.mark.parametrize(
    ("written", "name", "meant"),
    [
        ({"frustration": ">7"}, "frustration", Bounds(low=7, above=True)),
        ("frustration>7", "frustration", Bounds(low=7, above=True)),
        (["frustration 5..7"], "frustration", Bounds(low=5, high=7)),
        ("frustration=5..7", "frustration", Bounds(low=5, high=7)),
        ("반항심 >= 3", "반항심", Bounds(low=3)),
        ("反抗心<=2", "反抗心", Bounds(high=2)),
        ("first love ..2", "first love", Bounds(high=2)),
    ],
)
def test_emotions_of_any_name_are_asked_for(written: Any, name: str, meant: Bounds) -> None:
    assert search(zone=UTC, emotion=written).emotion == ((name, meant),)


def test_orders_name_keys_and_scores_up_and_down() -> None:
    written = search(zone=UTC, order=["-frustration,age", "-age"]).order

    assert written == (Order(by="frustration", down=True), Order(by=Key.AGE))


def test_names_of_layers_and_kinds_may_be_one_or_many() -> None:
    asked = search(zone=UTC, layer="heard", kinds=[Kind.DIARY, "diary", "fact"])

    assert (asked.layers, asked.kinds) == ((Layer.HEARD,), (Kind.DIARY, Kind.FACT))


def test_a_text_alone_narrows_nothing() -> None:
    assert not search("rain", zone=UTC, order="age", limit=3).narrows
    assert search("rain", zone=UTC, layer="direct").narrows


@pytest.mark.parametrize(
    "filters",
    [
        {"age": [5, 7]},
        {"age": ("5", 7)},
        {"age": True},
        {"age": {"low": 5}},
        {"age": 10**400},
        {"age": (None, 10**30)},
        {"confidence": b"5"},
        {"importance": object()},
        {"emotion": 7},
        {"emotion": [7]},
        {"emotion": {"joy": [1]}},
        {"emotion": {7: 1}},
        {"day": 2011},
        {"since": 5},
        {"until": [1]},
        {"place": 5},
        {"event": ["the fair"]},
        {"category": 1.5},
        {"layer": 5},
        {"layer": [None]},
        {"kinds": 1},
        {"people": 5},
        {"people": [5]},
        {"people": ""},
        {"order": 5},
        {"order": [None]},
        {"limit": "10"},
        {"limit": 2.5},
        {"limit": True},
        {"text": 5},
    ],
)
def test_a_filter_of_a_wrong_type_is_refused_too(filters: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        search(**filters, zone=UTC)


@pytest.mark.parametrize(
    "filters",
    [
        {"confidence": 11},
        {"confidence": "<1"},
        {"importance": 0},
        {"importance": ">10"},
        {"age": -1},
        {"age": "..-1"},
        {"absolute_day": "<0"},
        {"emotion": "joy>10"},
        {"emotion": {"joy": -1}},
    ],
)
def test_a_filter_that_nothing_could_pass_is_refused(filters: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="nothing can pass"):
        search(**filters, zone=UTC)


@pytest.mark.parametrize(
    "written", [{"emotion": {"joy": [5, 7]}}, {"emotion": {"joy": [">3", "<8"]}}, {"age": [5, 7]}]
)
def test_a_list_is_no_range_and_how_one_is_written_is_told(written: Any) -> None:
    with pytest.raises(
        InvalidInput, match=r"both ends as a tuple such as \(5, 7\) .* or a text: write 5\.\.7"
    ):
        search(zone=UTC, **written)
