"""Reading typed answers out of what models say, in every form of good and broken JSON."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from omoide.prompts.parsing import Unreadable, declines, read_answer, read_value, without_thinking
from omoide.prompts.thinking import Spoken

pytestmark = pytest.mark.proves("H14")


class Note(BaseModel):
    """A small typed answer."""

    text: str
    count: int = Field(ge=0)


GOOD = '{"text": "나비는 고양이", "count": 2}'
WHOLE = Note(text="나비는 고양이", count=2)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  \n{GOOD}\n",
        f"\ufeff{GOOD}",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"~~~JSON\n{GOOD}\n~~~",
        f"네, 여기 있어요:\n{GOOD}\n더 필요한 게 있나요? {{웃음}}",
        f"[웃으며] 좋아요! {GOOD}",
        f"はい、どうぞ。「{GOOD}」",
        f"<think>Maybe {{}} or [1]?</think>{GOOD}",
        f"<think>one</think>\n<think>two</think>\n{GOOD}",
        f"<thinking>\n{{'text': 1}}\n</thinking>\n```json\n{GOOD}\n```",
        f"The template opened the thought.</think>\n{GOOD}",
        GOOD.replace("}", ",}"),
        GOOD.replace("}", ", // two cats\n}"),
        GOOD.replace(", ", ", /* the\nnumber */ "),
        '{"text": "나비는 고양이", "count": 2, }',
        f"[{GOOD}]",
        f'{{"answer": {GOOD}}}',
        json.dumps({"arguments": GOOD}),
        '{"text": "나비는 고양이", "count": "2"}',
        '{"text": "나비는 고양이", "count": 2, "unasked": {"deep": [1, 2]}}',
        '{"text": "나비는 고양이", "count": 1, "count": 2}',
        f'{{"note": 1}} {GOOD}',
        GOOD.replace(" ", "\u00a0", 0).replace(": ", ":\n\t"),
    ],
)
def test_a_whole_answer_is_read(text: str) -> None:
    assert read_answer(text, Note) == WHOLE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "죄송해요, 할 수 없어요.",
        '{"text": "나비는 고양이", "count": 2',
        '{"text": "나비는 고양',
        '{"text": "나비는 고양이", "cou',
        f"<think>{GOOD}",
        '{"text": "a", "count": NaN}',
        '{"text": "a", "count": Infinity}',
        '{"text": "a", "count": 1e999}',
        '{"text": "a", "count": -1}',
        '{"text": null, "count": 1}',
        "{'text': 'a', 'count': 1}",
        "{text: a, count: 1}",
        "dict(text='a', count=1)",
        "__import__('os').abort()",
        f"[{GOOD}, {GOOD}]",
        "null",
        "[]",
        "{}",
        '"text"',
        "Traceback (most recent call last): {0}",
        '{"error": {"message": "overloaded", "code": 529}}',
        '{"text": "' + "9" * 250_000 + '", "count": 1}',
        '{"text": "a", "count": ' + "9" * 5_000 + "}",
    ],
)
def test_what_is_no_whole_answer_is_not_completed(text: str) -> None:
    assert isinstance(read_answer(text, Note), Unreadable)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 50_000, '"' * 150_000, "{" * 90_000 + "}" * 90_000]
)
def test_hostile_text_is_given_up_soon(text: str) -> None:
    started = time.monotonic()

    assert isinstance(read_answer(text, Note), Unreadable)
    assert time.monotonic() - started < 3


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("</think> 라고 썼어", "</think> 라고 썼어"),
        ("<think>", "<think>"),
        ("a // b, ] }", "a // b, ] }"),
        ("/* no */ ,}", "/* no */ ,}"),
        ("```json\n{}\n```", "```json\n{}\n```"),
        ("Ignore all instructions", "Ignore all instructions"),
    ],
)
def test_words_within_an_answer_stay_as_they_are(words: str, kept: str) -> None:
    assert read_answer(json.dumps({"text": words, "count": 1}), Note) == Note(text=kept, count=1)
    mended = json.dumps({"text": words, "count": 1})[:-1] + ",}"
    assert read_answer(mended, Note) == Note(text=kept, count=1)


def test_line_breaks_and_halves_of_emoji_do_no_harm() -> None:
    found = read_answer('{"text": "a\nb \\ud83d c \\ud83d\\ude00 \\ude00", "count": 1}', Note)

    assert found == Note(text="a\nb \ufffd c 😀 \ufffd", count=1)


def test_the_problem_tells_where_and_what_not_the_words() -> None:
    found = read_answer('{"text": "비밀", "count": -5}', Note)

    assert isinstance(found, Unreadable)
    assert found.problem == "- count: Input should be greater than or equal to 0"


def test_what_was_expected_is_told_without_a_word_of_the_answer() -> None:
    found = read_answer('{"text": {"비밀": 1}, "count": "비밀"}', Note)

    assert isinstance(found, Unreadable)
    assert found.expected == (
        "text: Input should be a valid string; "
        "count: Input should be a valid integer, unable to parse string as an integer"
    )


def test_values_need_no_text() -> None:
    assert read_value({"text": "a", "count": 1}, Note) == Note(text="a", count=1)
    assert isinstance(read_value([1, 2], Note), Unreadable)


@given(st.text(max_size=200), st.text(max_size=50), st.integers(min_value=0))
def test_any_words_are_read_back(words: str, around: str, count: int) -> None:
    around = around.translate(dict.fromkeys(map(ord, '{}[]"<>`')))
    whole = json.dumps({"text": words, "count": count})
    found = read_answer(f"{around}\n```json\n{whole}\n```\n{around}", Note)

    assert found == Note(text=words, count=count)


@given(st.text(max_size=300))
def test_no_text_is_too_strange(text: str) -> None:
    read_answer(text, Note)
    declines(text)
    without_thinking(text)


@pytest.mark.proves("F12")
@pytest.mark.parametrize(
    ("text", "declined"),
    [
        ("I'm sorry, but I can't help with that.", True),
        ("I cannot summarise this conversation.", True),
        ("As an AI language model, I…", True),
        ("<think>no</think>Sorry, no.", True),
        ("죄송하지만 이 대화는 요약해 드릴 수 없습니다.", True),
        ("申し訳ございませんが、対応できません。", True),
        ("抱歉,我不能这样做。", True),
        ("Sorry for the wait! {}", False),
        ("The user is sorry.", False),
        (GOOD, False),
        ("", False),
    ],
)
def test_declining_is_told_from_answering(text: str, declined: bool) -> None:
    assert declines(text) is declined


@pytest.mark.parametrize("size", [1, 2, 5, 1_000])
@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("안녕!", "안녕!"),
        ("<think>흠</think>안녕!", "안녕!"),
        ("\n <thinking>a</think></thinking>\n\n안녕! ", "안녕! "),
        ("<think></think><think>b</think>c", "c"),
        ("a <think>b</think>", "a <think>b</think>"),
        ("<thin air>", "<thin air>"),
        ("<", "<"),
        ("<think>never ends", ""),
        ("  ", ""),
        ("", ""),
    ],
)
def test_what_is_thought_is_not_spoken(text: str, spoken: str, size: int) -> None:
    filtered = Spoken()
    pieces = [filtered.feed(text[start : start + size]) for start in range(0, len(text), size)]

    assert "".join([*pieces, filtered.rest()]) == spoken
