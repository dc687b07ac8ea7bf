"""The values of the model refuse what cannot be."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.layer import CONFIDENCE, Layer, check_confidence
from omoide.domain.model import Message, Past, Role, check_importance
from omoide.errors import InvalidInput

NEEDED = {Layer.DIRECT: {}, Layer.HEARD: {"source": "Mina"}, Layer.INFERRED: {"basis": "her silence"}}
RANGES = [(Layer.DIRECT, 8, 10), (Layer.HEARD, 5, 8), (Layer.INFERRED, 3, 6)]


@pytest.mark.proves("K3")
@pytest.mark.parametrize(("layer", "low", "high"), RANGES)
def test_confidence_stays_within_its_layer(layer: Layer, low: float, high: float) -> None:
    for fine in (low, (low + high) / 2, high):
        assert Past(layer=layer, confidence=fine, **NEEDED[layer]).confidence == fine
    for wrong in (low - 0.01, high + 0.01, 0, 11, float("nan"), float("inf")):
        with pytest.raises(InvalidInput, match="confidence"):
            Past(layer=layer, confidence=wrong, **NEEDED[layer])


@pytest.mark.proves("K3")
@pytest.mark.parametrize("source", [None, "", "  "])
def test_a_heard_memory_names_its_source(source: str | None) -> None:
    with pytest.raises(InvalidInput, match="who told it"):
        Past(layer=Layer.HEARD, confidence=6, source=source)


@pytest.mark.proves("K3")
@pytest.mark.parametrize("basis", [None, "", "\n"])
def test_an_inferred_memory_names_its_basis(basis: str | None) -> None:
    with pytest.raises(InvalidInput, match="guess"):
        Past(layer=Layer.INFERRED, confidence=4, basis=basis)


@pytest.mark.proves("K3")
@pytest.mark.parametrize("when", [{"age": -1}, {"absolute_day": -1}, {"age": 3, "absolute_day": -5}])
def test_nothing_is_lived_before_birth(when: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match="before birth"):
        Past(layer=Layer.DIRECT, confidence=9, **when)


@pytest.mark.proves("K3")
@pytest.mark.parametrize("layer", [Layer.HEARD, Layer.INFERRED])
def test_only_what_was_lived_has_an_age_or_a_day(layer: Layer) -> None:
    for when in ({"age": 7.5}, {"absolute_day": 0}):
        with pytest.raises(InvalidInput, match="only a lived memory"):
            Past(layer=layer, confidence=5.5, **NEEDED[layer], **when)


@pytest.mark.proves("K3")
def test_the_day_of_birth_can_be_lived_and_a_date_of_hearing_is_free_text() -> None:
    assert Past(layer=Layer.DIRECT, confidence=8, age=0, absolute_day=0).absolute_day == 0
    assert Past(layer=Layer.HEARD, confidence=5, source="Mina", heard_when="one winter").heard_when


def test_without_a_layer_confidence_lies_between_one_and_ten() -> None:
    assert CONFIDENCE[None] == (1, 10)
    assert check_confidence(1) == 1
    for wrong in (0.99, 10.01, -3, float("nan")):
        with pytest.raises(InvalidInput):
            check_confidence(wrong)


@given(st.floats())
def test_importance_is_kept_as_it_is_or_refused(value: float) -> None:
    if 1 <= value <= 10:
        assert check_importance(value) == value
    else:
        with pytest.raises(InvalidInput):
            check_importance(value)


def test_a_message_needs_a_time_with_a_zone_or_none() -> None:
    assert Message(role=Role.USER, text="a", at=datetime(2026, 1, 1, tzinfo=UTC)).at
    with pytest.raises(InvalidInput, match="zone"):
        Message(role=Role.USER, text="a", at=datetime(2026, 1, 1))
