"""Diaries, observations and events: what they hold, and what they refuse."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.diary import Diary, Unwritten
from omoide.domain.diary_scores import importance_of, scores_of
from omoide.domain.event import Event
from omoide.domain.layer import Layer
from omoide.domain.lifetime import at_event, lived
from omoide.domain.model import Past
from omoide.domain.observation import Observation
from omoide.domain.partial_date import PartialDate
from omoide.errors import InvalidInput

LIVED = Past(layer=Layer.DIRECT, confidence=9)
TOLD = Past(layer=Layer.HEARD, confidence=6, source="grandmother")
TODAY = date(2026, 6, 10)
BORN = date(2005, 5, 1)


def diary(**given_fields: Any) -> Diary:
    return Diary(**{"text": "I hid behind the piano.", "past": LIVED, **given_fields})


@pytest.mark.proves("K3")
@pytest.mark.parametrize(
    ("layer", "confidence"),
    [
        (Layer.DIRECT, 7.9),
        (Layer.DIRECT, 10.1),
        (Layer.HEARD, 4.9),
        (Layer.HEARD, 8.1),
        (Layer.INFERRED, 2.9),
        (Layer.INFERRED, 6.1),
        (Layer.DIRECT, float("nan")),
    ],
)
def test_a_confidence_outside_its_layer_is_refused(layer: Layer, confidence: float) -> None:
    with pytest.raises(InvalidInput, match="confidence"):
        Past(layer=layer, confidence=confidence, source="mother", basis="her face")


@pytest.mark.proves("K3")
def test_heard_needs_a_source_and_inferred_a_basis() -> None:
    with pytest.raises(InvalidInput, match="told it"):
        Past(layer=Layer.HEARD, confidence=6, source=" ")
    with pytest.raises(InvalidInput, match="rests on"):
        Past(layer=Layer.INFERRED, confidence=5)


@pytest.mark.proves("K5")
@pytest.mark.parametrize(
    "wrong",
    [
        {"feeling": "angry"},
        {"basis": "her face"},
        {"feeling": " ", "basis": "her face"},
        {"confidence": 8.0},
        {"confidence": 2.0},
        {"behaviour": " "},
        {"person": ""},
    ],
)
def test_a_feeling_of_another_is_a_guess_with_a_basis(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Observation(**{"person": "Rin", "behaviour": "slammed the door", **wrong})


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": " \u200b"},
        {"importance": 0.5},
        {"importance": 11},
        {"scores": {"joy": 10.5}},
        {"scores": {"joy": float("nan")}},
        {"people": ("",)},
        {"place": " "},
        {"id": "d7", "past": Past(layer=Layer.HEARD, confidence=6, source="D7")},
        {"id": "d7", "past": Past(layer=Layer.INFERRED, confidence=5, basis="d7")},
    ],
)
@pytest.mark.proves("K2")
def test_a_diary_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        diary(**wrong)


@pytest.mark.proves("K2")
def test_only_scores_that_the_character_has_are_known() -> None:
    with pytest.raises(InvalidInput, match="defiance"):
        diary(scores={"defiance": 6}).check("Sora", Unwritten())
    diary(scores={"defiance": 6}).check("Sora", Unwritten(scores=("defiance",)))


def test_nobody_is_their_own_source_or_observes_themselves() -> None:
    with pytest.raises(InvalidInput, match="from themselves"):
        diary(past=Past(layer=Layer.HEARD, confidence=6, source="SORA")).check("Sora", Unwritten())
    seen = Observation(person="Sora", behaviour="laughed")
    with pytest.raises(InvalidInput, match="somebody else"):
        diary(observations=(seen,)).check("Sora", Unwritten())


@pytest.mark.proves("K6")
@pytest.mark.parametrize(
    "wrong",
    [
        {"participants": ()},
        {"participants": ("Sora", "Sora")},
        {"participants": ("가람", "\u1100\u1161\u1105\u1161\u11b7")},
        {"participants": (" ",)},
        {"name": " "},
        {"weight": 11},
        {"weight": float("nan")},
        {"category": ""},
    ],
)
def test_an_event_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Event(**{"name": "The flood", "participants": ("Sora",), **wrong})


def moment(day: str | None, **known: Any) -> tuple[str | None, float | None, int | None]:
    past = Past(layer=Layer.DIRECT, confidence=9, **known)
    found = lived(None if day is None else PartialDate.parse(day), past, birthday=BORN, today=TODAY)
    return None if found.day is None else str(found.day), found.age, found.absolute_day


@pytest.mark.proves("K2")
@pytest.mark.parametrize(
    ("day", "known", "expected"),
    [
        ("2011-05-03", {}, ("2011-05-03", 6.0, 2193)),
        ("2011-04-30", {}, ("2011-04-30", 5.0, 2190)),
        ("2005-05-01", {}, ("2005-05-01", 0.0, 0)),
        (None, {"absolute_day": 2193}, ("2011-05-03", 6.0, 2193)),
        (None, {"age": 6}, (None, 6, None)),
        (None, {}, (None, None, None)),
        ("2011", {}, ("2011", 6.0, 2253)),
        ("2011", {"age": 5}, ("2011", 5, 2253)),
        ("2011-summer", {"absolute_day": 2225}, ("2011-summer", 6.0, 2225)),
        ("2005", {}, ("2005", 0.0, 122)),
        ("2026", {}, ("2026", 20.0, 7630)),
    ],
)
def test_a_birthday_gives_age_and_absolute_day(
    day: str | None, known: dict[str, Any], expected: tuple[str | None, float | None, int | None]
) -> None:
    assert moment(day, **known) == expected


@pytest.mark.proves("K2")
@pytest.mark.parametrize(
    ("day", "known", "shown"),
    [
        ("2011-05-03", {"age": 9}, ("age=9", "6 derived")),
        ("2011-05-03", {"absolute_day": 5}, ("absolute_day=5", "2193 derived")),
        ("2011", {"age": 9}, ("age=9", "5 to 6 derived")),
        (None, {"absolute_day": 2193, "age": 9}, ("age=9", "6 derived")),
    ],
)
def test_contradictions_show_what_is_given_and_what_is_derived(
    day: str | None, known: dict[str, Any], shown: tuple[str, str]
) -> None:
    with pytest.raises(InvalidInput) as refused:
        moment(day, **known)
    assert all(part in str(refused.value) for part in shown)


@pytest.mark.proves("K3")
@pytest.mark.parametrize(
    ("day", "known"),
    [
        ("2005-04-30", {}),
        ("1999", {}),
        ("2026-06-11", {}),
        ("2027", {}),
        (None, {"absolute_day": 9_000}),
        (None, {"absolute_day": 900_000_000}),
        (None, {"age": 30}),
    ],
)
def test_nothing_is_lived_through_before_birth_or_in_the_future(
    day: str | None, known: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput):
        moment(day, **known)


def test_somebody_born_on_a_leap_day_grows_older_in_march() -> None:
    def age(day: str) -> float | None:
        found = lived(PartialDate.parse(day), LIVED, birthday=date(2004, 2, 29), today=TODAY)
        return found.age

    assert (age("2011-02-28"), age("2011-03-01"), age("2012-02-29")) == (6.0, 7.0, 8.0)


@given(st.dates(BORN, TODAY))
def test_derived_values_never_contradict_themselves(day: date) -> None:
    at = PartialDate(year=day.year, month=day.month, day=day.day)
    first = lived(at, LIVED, birthday=BORN, today=TODAY)
    given_all = Past(layer=Layer.DIRECT, confidence=9, age=first.age, absolute_day=first.absolute_day)
    again = lived(at, given_all, birthday=BORN, today=TODAY)
    assert (again.age, again.absolute_day, again.derived) == (first.age, first.absolute_day, ())
    assert at_event(at, birthday=BORN, today=TODAY) == (first.age, first.absolute_day)


def felt(**given_fields: Any) -> dict[str, float]:
    return scores_of(diary(**given_fields), ())[0]


@pytest.mark.proves("K2")
def test_scores_that_are_not_given_have_their_plain_values() -> None:
    scores, derived = scores_of(diary(scores={"sadness": 6.5}), ("defiance",))
    assert scores == {"joy": 5.0, "sadness": 6.5, "anxiety": 0.0, "frustration": 0.0, "defiance": 0.0}
    assert derived == ("joy", "anxiety", "frustration", "defiance")
    assert felt(text="The bus was blue.") == {"joy": 5.0, "sadness": 0.0, "anxiety": 0.0, "frustration": 0.0}


@pytest.mark.proves("K2")
@pytest.mark.parametrize(
    ("name", "emotion", "text"),
    [
        ("sadness", "슬픔", "감자가 떠난 날, 나는 이불 속에서 울었다."),
        ("sadness", "悲しい", "駅で手を振りながら、涙が止まらなかった。"),
        ("sadness", "heartbroken", "I cried until the lamp went out."),
        ("sadness", "悲伤", "我在车站哭了很久。"),
        ("anxiety", "불안", "발표 전날 밤, 너무 무서워서 잠이 오지 않았다."),
        ("anxiety", "不安", "明日の発表が怖くて眠れなかった。"),
        ("anxiety", "nervous", "I was so scared that my knees shook."),
        ("frustration", "답답함", "아무도 내 말을 듣지 않아 짜증이 났다."),
        ("frustration", "悔しさ", "何度やっても勝てなくて、悔しかった。"),
        ("frustration", "angry", "It was unfair, and I was furious."),
    ],
)
def test_scores_are_worked_out_from_the_emotion_and_the_words(name: str, emotion: str, text: str) -> None:
    scores = felt(emotion=emotion, text=text)
    assert max(("sadness", "anxiety", "frustration"), key=scores.__getitem__) == name
    assert scores[name] > 6.5
    assert scores["joy"] < 5
    named = felt(emotion=emotion, text="."), felt(text=text)
    assert all(3 <= found[name] <= scores[name] for found in named)


@pytest.mark.parametrize(
    ("emotion", "text"),
    [
        ("기쁨", "언니들과 처음 바다를 본 날, 정말 행복했다."),
        ("嬉しい", "三人で花火を見て、ずっと笑っていた。"),
        ("joy", "We laughed all the way home."),
        ("开心", "那天我们一起放风筝，非常快乐。"),
    ],
)
def test_joy_rises_above_its_plain_value(emotion: str, text: str) -> None:
    assert felt(emotion=emotion, text=text)["joy"] > 8


def test_a_score_of_the_characters_own_is_found_by_its_name() -> None:
    scores, _ = scores_of(diary(emotion="Defiance, pure and simple"), ("defiance",))
    assert scores["defiance"] >= 6.5


@given(st.text(max_size=200), st.text(max_size=40))
def test_worked_out_values_keep_to_their_ranges(text: str, emotion: str) -> None:
    shown = diary(text=f"x{text}", emotion=f"x{emotion}")
    scores, _ = scores_of(shown, ("反抗",))
    assert all(0 <= value <= 10 for value in scores.values())
    assert 1 <= importance_of(shown.text, scores) <= 10


@pytest.mark.proves("K8")
def test_importance_follows_what_is_told_and_how_strongly_it_was_felt() -> None:
    quiet = importance_of("The bus was blue.", {"joy": 5.0, "anxiety": 0.0})
    strong = importance_of("The bus was blue.", {"joy": 5.0, "anxiety": 9.0})
    told = importance_of("My first birthday without grandmother.", {"joy": 2.0, "sadness": 9.0})
    assert quiet < strong < told
