"""A wording in place of a built-in prompt is tried before it holds (P4, ruling 27)."""

from __future__ import annotations

import pytest

from omoide.errors import InvalidInput
from omoide.prompts.sandbox import check, render
from omoide.prompts.templates import Templates, built_in, built_in_names
from omoide.prompts.values import SAMPLES, shown_by

pytestmark = pytest.mark.proves("P4")


@pytest.mark.parametrize(("name", "language"), built_in_names())
def test_every_built_in_prompt_could_be_set_as_it_is(name: str, language: str) -> None:
    check(built_in(name, language), SAMPLES[name], name=name)


def test_all_samples_of_a_prompt_have_the_same_names() -> None:
    assert SAMPLES.keys() == {name for name, _ in built_in_names()}
    for name, samples in SAMPLES.items():
        assert [tuple(sample) for sample in samples] == [shown_by(name)] * len(samples)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("Remember.\n{{ usr }}", "in line 2 nothing is called 'usr'"),
        (
            "{% if character == 'nobody' %}\n\n{{ secret }}\n{% endif %}",
            "in line 3 nothing is called 'secret'",
        ),
        ("{{ user }}\n{{ user.nickname }}", "in line 2 UndefinedError"),
        ("{{ user\n", "in line"),
        ("\n{% for %}", "in line 2 TemplateSyntaxError"),
        ("{{ user|shout }}", "No filter named 'shout'"),
        ("{{ user|dictsort }}", "in line 1 AttributeError"),
        ("\n{{ 'abcdef'|truncate(1) }}", "in line 2 AssertionError"),
        ("{{ user + 1 }}", "in line 1 TypeError"),
        ("{{ 1 // 0 }}", "in line 1 ZeroDivisionError"),
        ("x" * 40_001, "longer than 40000 characters"),
        ("{% for n in range(1100) %}" + "x" * 100 + "{% endfor %}", "more than 100000 characters"),
        ("{% for n in range(9999) %}{% for m in range(9999) %}{% endfor %}{% endfor %}", "20000 steps"),
        ("{% set a = 99999999 %}" + "{% set a = a * a %}" * 40 + "{{ a }}", "past 64 bits"),
        ("{% set a = 2 ** 9 %}{{ a }}", "operator ** is not allowed"),
        ("{% set a = 9999999999 %}{{ 1.5|round(a, 'ceil') }}", "rounded to 15 places"),
        ("{{ 1.5|round(9999999999, 'floor') }}", "in line 1"),
        ("{{ ''.__class__.__mro__ }}", "in line 1 SecurityError"),
        ("{% include 'x' %}", "in line 1"),
        ("{{ (((" * 2_000, "RecursionError"),
    ],
)
def test_what_cannot_be_rendered_is_refused_with_its_line_and_what_there_is(source: str, told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check(source, SAMPLES["extraction"], name="extraction")
    assert told in str(caught.value)
    assert "it may show character, emotions, user" in str(caught.value)


def test_a_branch_that_only_some_values_take_is_tried_too() -> None:
    with pytest.raises(InvalidInput, match="in line 2 TypeError"):
        check("{% if revision %}\n{{ topic + 1 }}\n{% endif %}", SAMPLES["diary"], name="diary")


def test_names_of_the_template_s_own_are_known() -> None:
    source = "{% set n = 3 %}{% for i in range(n) %}{{ loop.index }}{% endfor %}"
    own = "{% macro m(a) %}{{ a }}{{ caller() }}{% endmacro %}{% call m(1) %}x{% endcall %}"
    check(source + own, SAMPLES["scoring"], name="scoring")


@pytest.mark.parametrize("source", ["{{ user|dictsort }}", "{{ 'abcdef'|truncate(1) }}"])
def test_a_filter_that_breaks_is_our_error_and_never_another(source: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be rendered"):
        render(source, {"user": "Kim"}, name="extraction")


def test_a_prompt_is_filled_in_with_what_it_is_known_to_show_and_nothing_else() -> None:
    with pytest.raises(InvalidInput, match="'scoring' shows"):
        Templates().render("scoring", "en", user="Kim")
    with pytest.raises(InvalidInput, match="'judging' shows"):
        Templates().render("judging", "en", character="Kim")
