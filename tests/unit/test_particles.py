"""Korean particles: the form that fits behind a word, and no prompt that leaves the choice to its reader."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.particles import Ending, ending_of, particle
from omoide.errors import InvalidInput
from omoide.prompts.phrases import PHRASES
from omoide.prompts.sandbox import render

ROOT: Final = Path(__file__).parents[2]
_EITHER = re.compile(r"\(으\)|[은는이가을를와과]\([은는이가을를와과]\)|\(이\)[다나라]")
_FIXED = re.compile(r"\}\}?\"?(?:[은는이가을를와과]|으?로)(?![가-힣])")


@pytest.mark.parametrize(
    ("word", "ending"),
    [
        ("나오", Ending.VOWEL),
        ("시온", Ending.CONSONANT),
        ("하늘", Ending.RIEUL),
        (unicodedata.normalize("NFD", "하늘"), Ending.RIEUL),  # in parts, as some systems write it
        ("민수(형)", Ending.CONSONANT),
        ("“서울”…", Ending.RIEUL),
        ("Mina", Ending.VOWEL),
        ("Tom", Ending.CONSONANT),
        ("Jane", Ending.CONSONANT),
        ("Jack", Ending.CONSONANT),
        ("Mike", Ending.VOWEL),
        ("Bob", Ending.CONSONANT),
        ("Jacob", Ending.CONSONANT),
        ("Scott", Ending.CONSONANT),
        ("Herb", Ending.VOWEL),
        ("David", Ending.VOWEL),
        ("Nicole", Ending.RIEUL),
        ("Bill", Ending.RIEUL),
        ("Alex", Ending.VOWEL),
        ("URL", Ending.RIEUL),
        ("IBM", Ending.CONSONANT),
        ("KBS", Ending.VOWEL),
        ("팀 R", Ending.RIEUL),
        ("제2", Ending.VOWEL),
        ("3", Ending.CONSONANT),
        ("1", Ending.RIEUL),
        ("7호 8", Ending.RIEUL),
        ("2010", Ending.CONSONANT),
        ("蓮", Ending.VOWEL),
        ("レン", Ending.CONSONANT),
        ("🌊", Ending.VOWEL),
        ("", Ending.VOWEL),
    ],
)
def test_a_word_ends_in_the_sound_that_is_read(word: str, ending: Ending) -> None:
    assert ending_of(word) is ending


@pytest.mark.parametrize(
    ("word", "forms", "whole"),
    [
        ("나오", "이/가", "나오가"),
        ("시온", "이/가", "시온이"),
        ("하늘", "은/는", "하늘은"),
        ("하늘", "과/와", "하늘과"),
        ("하늘", "으로/로", "하늘로"),
        ("시온", "으로/로", "시온으로"),
        ("나오", "으로/로", "나오로"),
        ("하늘", "이다/다", "하늘이다"),
        ("Tom", "을/를", "Tom을"),
    ],
)
def test_a_particle_has_the_form_that_fits(word: str, forms: str, whole: str) -> None:
    assert particle(word, forms) == whole


@given(st.text())
def test_any_name_has_a_particle(name: str) -> None:
    assert particle(name, "이/가")[len(name) :] in ("이", "가")


def test_a_template_chooses_particles_too() -> None:
    assert render('{{ name | particle("과/와") }}', {"name": "시온"}, name="x") == "시온과"
    with pytest.raises(InvalidInput):
        render('{{ name | particle("과") }}', {"name": "시온"}, name="x")


def test_no_prompt_leaves_a_particle_to_its_reader() -> None:
    templates = [*ROOT.glob("src/omoide/prompts/*/ko.jinja"), *ROOT.glob("s*/**/prompt.jinja")]
    texts = {str(file): file.read_text(encoding="utf-8") for file in templates}
    phrases = PHRASES["ko"]
    texts |= {name: str(getattr(phrases, name)) for name in phrases.__slots__}

    assert len(templates) > 5
    assert [name for name, text in texts.items() if _EITHER.search(text) or _FIXED.search(text)] == []
