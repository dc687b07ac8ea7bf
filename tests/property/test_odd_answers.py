"""Whatever a model puts into the fields of an answer is read, or is unreadable; nothing is raised (H14)."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.model import Role
from omoide.domain.redaction import Redaction
from omoide.factory.answers import Dangers, DiaryAnswer, Marks
from omoide.prompts.parsing import Unreadable, read_answer, read_value
from omoide.retain.extraction.ground import ground
from omoide.retain.extraction.schema import Reading
from omoide.retain.extraction.scoring import Score, read_score
from omoide.retain.extraction.view import Line, View

LINE = Line(
    m=1,
    number=1,
    role=Role.USER,
    speaker=1,
    name="Ines",
    text="I keep bees",
    at=datetime(2026, 5, 4, tzinfo=UTC),
    position=1,
)
VIEW = View(
    lines=(LINE,),
    context=(),
    language="en",
    now=datetime(2026, 5, 4, tzinfo=UTC),
    user=1,
    character=2,
    names={1: "Ines", 2: "Wren"},
    nicknames={},
    relationship=None,
)
ITEM = {
    "text": "keeps bees",
    "about": "Ines",
    "mode": "asserted",
    "evidence": [{"m": 1, "words": "keep bees"}],
}
FIELDS = {
    "facts": [*ITEM, "category", "importance", "confidence", "since", "until", "relation", "known"],
    "plans": [*ITEM, "importance", "due", "due_words", "condition", "state", "relation", "known"],
    "guidance": [*ITEM, "relation", "known"],
    "details": ["kind", "who", "text", "context", "m"],
    "people": ["name", "called", "by"],
    "feelings": ["who", "emotion", "intensity", "trigger", "m"],
}
ODD = [
    *(None, True, False, 0, -1, 1.5, 10**30, 10**400, -(10**400), float("inf"), float("nan"), 1e308, 5e-324),
    *("", " ", "9" * 400, "1e999", "-0", "m1", "[1]", "٣", "²", "½", "一", "Infinity", "null", "x" * 5000),
    *("\x00", "\ud800", "\u202e", [], {}, [[]], [None], {"m": None}, [1, "a", {}], {"a": {"b": []}}),
]
ANSWERS = (Reading, Score, DiaryAnswer, Marks, Dangers)


def answer(name: str, field: str, value: object) -> dict[str, object]:
    """An answer of which one field is this."""
    felt = {"who": "Ines", "emotion": "calm", "m": 1}
    detail = {"kind": "quote", "who": "Ines", "text": "keep bees", "m": 1}
    whole = {"feelings": felt, "details": detail, "people": {"name": "Ines", "called": "Bee"}}.get(name, ITEM)
    return {"summary": "Ines keeps bees.", name: [{**whole, field: value}]}


@pytest.mark.proves("H14")
@pytest.mark.parametrize(("name", "field"), [(name, field) for name in FIELDS for field in FIELDS[name]])
def test_an_odd_value_in_any_field_raises_nothing(name: str, field: str) -> None:
    for value in ODD:
        found = read_value(answer(name, field, value), Reading)
        if isinstance(found, Reading):
            ground(found, VIEW, redact=Redaction())


@pytest.mark.proves("H14")
@pytest.mark.parametrize("literal", ["1e400", "-1e400", "9" * 400, "9" * 5000, '"' + "9" * 400 + '"', "NaN"])
@pytest.mark.parametrize(
    ("name", "field"), [("facts", "confidence"), ("feelings", "m"), ("feelings", "intensity")]
)
def test_a_number_beyond_all_numbers_costs_no_other_field(name: str, field: str, literal: str) -> None:
    text = json.dumps(answer(name, field, "HERE")).replace('"HERE"', literal)
    found = read_answer(text, Reading)

    assert isinstance(found, Reading)
    assert found.summary == "Ines keeps bees."
    ground(found, VIEW, redact=Redaction())


JSON = st.recursive(
    st.one_of(st.sampled_from(ODD[:20]), st.text(max_size=8), st.integers(), st.floats()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = sorted({name for form in ANSWERS for name in form.model_fields} - {"unread"})


@pytest.mark.proves("H14")
@given(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=6))
def test_any_values_under_the_names_of_an_answer_are_read_or_unreadable(value: dict[str, object]) -> None:
    for form in ANSWERS:
        found = read_value(value, form)
        assert isinstance(found, form | Unreadable)
        if isinstance(found, Reading):
            ground(found, VIEW, redact=Redaction())
        if isinstance(found, Score):
            assert 0.0 <= read_score(found.score) <= 1.0
