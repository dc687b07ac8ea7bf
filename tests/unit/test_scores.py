"""What a model gives as a score is read in whatever shape it comes."""

from __future__ import annotations

import pytest

from omoide.prompts.parsing import Unreadable, read_answer
from omoide.retain.extraction.scoring import Score, read_score

GIVEN = [
    ('{"score": 0.3}', 0.3),
    ('{"score": "0,3"}', 0.3),
    ("0.9", 0.9),
    ("Score: 0.8", 0.8),
    ("점수: 0.8", 0.8),
    ("点数：0.7。", 0.7),
    ("**0.6**", 0.6),
    ("<think>7 things</think>\n0.2", 0.2),
    ("8/10", 0.8),
    ("1/10", 0.1),
    ("7", 0.7),
    ('{"score": 7}', 0.7),
    ('{"score": 10}', 1.0),
    ('{"score": 1}', 1.0),
    ('{"score": 85}', 1.0),
    ('{"score": -2}', 0.0),
    ('{"score": 1e400}', 0.4),
    ('{"score": null}', 0.4),
]


@pytest.mark.proves("H8")
@pytest.mark.parametrize(("said", "score"), GIVEN)
def test_a_score_is_read_with_and_without_its_name_and_of_one_or_of_ten(said: str, score: float) -> None:
    found = read_answer(said, Score)

    assert isinstance(found, Score)
    assert read_score(found.score) == pytest.approx(score)


@pytest.mark.parametrize("said", ["I would say it is worth keeping", "In 2024 they met 3 times", "none"])
def test_words_around_a_number_are_no_score(said: str) -> None:
    assert isinstance(read_answer(said, Score), Unreadable)
