"""Reading a typed answer out of what a model said (H14).

Models fence their JSON, think aloud before it, talk around it, or leave commas behind. All that is read. What
is cut off, or of another type, is not: it is never completed by guesses, and nothing is ever evaluated.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")

LONGEST: Final = 200_000
"""Characters; a longer answer is not read."""

_DEEPEST = 64
_BEGINNINGS: Final = 64
"""Places in one text where JSON is looked for."""

_DIGITS: Final = 400
_PROBLEMS: Final = 8
"""Problems told of one answer; more would drown the repair."""

_THINKING: Final = re.compile(r"\s*<(think|thinking|reasoning|thought)>")
_THOUGHT: Final = re.compile(r"</(?:think|thinking|reasoning|thought)>")
_OPENING: Final = re.compile(r"[{\[]")
_STRING: Final = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
_TOKEN: Final = re.compile(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_COMMENT: Final = re.compile(rf"({_STRING})|//[^\n]*|/\*.{{0,2000}}?\*/", re.DOTALL)
_COMMA: Final = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)
_HALF: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
"""One half of a pair of surrogates, as a model leaves it that broke an emoji."""

_DECLINING: Final = re.compile(
    r"\W*(?:i(?:['’]m| am) (?:sorry|unable)|i apologi[sz]e|sorry\b|as an ai\b"
    r"|i (?:can['’]?t|cannot|won['’]t|must decline)\b"
    r"|죄송|미안하지만|(?:저는 )?도와드릴 수 없"
    r"|申し訳|すみません|恐れ入りますが|お手伝いできません"
    r"|抱歉|对不起|對不起|很遗憾|我(?:无法|無法|不能))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why an answer could not be read.

    Attributes:
        problem: for the model, which is asked to mend it: where, and what was expected. It may repeat words
            of the answer, so it never goes into an error or a log.
        expected: the same for people, in one line: fields of the form, and nothing out of the answer.
    """

    problem: str
    expected: str = ""


def read_answer(text: str, form: type[T]) -> T | Unreadable:
    """The fullest value in a text that is of a type; where no JSON is in it, what was said may be the value.

    A model may give a beginning, or an example, before the whole.

    Args:
        text: all that the model said.
        form: a pydantic model, or another type that pydantic knows.
    """
    if len(text) > LONGEST:
        return Unreadable(f"the answer is longer than {LONGEST} characters")
    first: Unreadable | None = None
    read: list[tuple[int, T]] = []
    for value in json_values(text):
        found = read_value(value, form)
        if isinstance(found, Unreadable):
            first = first or found
        else:
            read.append((len(str(value)), found))
    if read:
        return max(read, key=lambda each: each[0])[1]
    if first is not None:
        return first
    bare = read_value(without_thinking(text).strip(), form)
    if isinstance(bare, Unreadable):
        return Unreadable("there is no complete JSON object in the answer", "one whole JSON object is needed")
    return bare


def read_value(value: object, form: type[T]) -> T | Unreadable:
    """A value as a type, also alone in a list or in an object of one key, itself or as a string of JSON."""
    adapter = TypeAdapter(form)
    found: Unreadable | None = None
    for inner in _unwrapped(value):
        try:
            return adapter.validate_python(inner)
        except ValidationError as error:
            found = found or Unreadable(_told(error), _expected(error, _fields(adapter.json_schema())))
    return found or Unreadable("")


def json_values(text: str) -> Iterator[object]:
    """All JSON objects and lists of a text that are whole, one after another; not those inside of others."""
    text = without_thinking(text)
    at = 0
    for _ in range(_BEGINNINGS):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        at = opening.start() + 1
        end = _closed(text, opening.start())
        value = None if end is None else _loaded(text[opening.start() : end])
        if value is not None and end is not None:
            yield value
            at = end


def finite(value: object) -> float | None:
    """A number that can be reckoned with; None for all else, also for one that is too large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def without_thinking(text: str) -> str:
    """What was said after thinking aloud.

    Only thinking at the beginning counts, with or without its first tag: the same tags in the midst of an
    answer are somebody's words.
    """
    while (begun := _THINKING.match(text)) is not None:
        thought = _THOUGHT.search(text, begun.end())
        if thought is None:
            return ""
        text = text[thought.end() :]
    if text.lstrip()[:1] not in ("{", "[", "`"):
        thought = _THOUGHT.search(text)
        text = text if thought is None else text[thought.end() :]
    return text


def declines(text: str) -> bool:
    """Whether a model says that it will not answer, where JSON was asked for."""
    said = without_thinking(text).strip()
    return "{" not in said and _DECLINING.match(said) is not None


def _closed(text: str, start: int) -> int | None:
    """The end of the object or list that begins here; None where it is cut off or too deep."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
        if depth == 0:
            return token.end()
        if depth > _DEEPEST:
            return None
    return None


def _loaded(text: str) -> object | None:
    """JSON as a value, with what models often leave in it; None where it is none."""
    text = _HALF.sub(r"\\ufffd", text)
    for attempt in (text, _COMMA.sub(_string, _COMMENT.sub(_string, text))):
        try:
            value: object = json.loads(attempt, strict=False, parse_int=_whole, parse_constant=_no_number)
        except (ValueError, RecursionError):
            continue
        return value
    return None


def _string(found: re.Match[str]) -> str:
    return found[1] or ""


def _whole(digits: str) -> float:
    """A whole number; Python makes none of thousands of digits."""
    return int(digits) if len(digits) < _DIGITS else math.inf


def _no_number(_name: str) -> None:
    """What stands for NaN and Infinity, which are no numbers of JSON."""


def _unwrapped(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, list) and len(value) == 1:
        yield value[0]
    if isinstance(value, dict) and len(value) == 1:
        inner = next(iter(value.values()))
        if isinstance(inner, dict):
            yield inner
        if isinstance(inner, str):
            yield from json_values(inner)


def _told(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [f"- {'.'.join(map(str, one['loc'])) or 'the answer'}: {one['msg']}" for one in problems]
    return "\n".join(lines[:_PROBLEMS])


def _expected(error: ValidationError, fields: set[str]) -> str:
    """What is wrong with which field, without a word that came from the model."""
    told: dict[str, str] = {}
    for one in error.errors(include_url=False, include_input=False, include_context=False):
        known = (str(step) for step in one["loc"] if isinstance(step, int) or step in fields)
        if not one["type"].endswith("_error"):  # what a check of our own says may show the value
            told.setdefault(".".join(known) or "the answer", one["msg"])
    return "; ".join(f"{field}: {said}" for field, said in list(told.items())[:_PROBLEMS])


def _fields(schema: object) -> set[str]:
    """The names of all fields that a form has, at any depth."""
    if isinstance(schema, list):
        return {name for one in schema for name in _fields(one)}
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties", {})
    return {*own, *(name for one in schema.values() for name in _fields(one))}
