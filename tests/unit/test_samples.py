"""The sample conversations and the evaluation cases are well-formed."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).parents[1] / "cases"
SAMPLES = Path(str(files("omoide.samples")))
LANGUAGES = ("ko", "ja", "en")
TOPIC_COUNTS = {"ko": (60, 45), "ja": (60, 45), "en": (60, 45), "zh": (30, 22)}
KINDS = {"name", "particle", "paraphrase", "time", "changed", "implicit", "nickname"}
OF_ALL_FILES = sorted([*SAMPLES.glob("*.jsonl"), *CASES.glob("*.jsonl")])

Rows = list[dict[str, Any]]


def read(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def having(rows: Rows, key: str) -> Rows:
    return [row for row in rows if key in row]


def standing(rows: Rows) -> Rows:
    """The messages of a sample that no rewind has taken back."""
    kept: Rows = []
    for row in rows:
        if "rewind" in row:
            target = next(message for message in kept if message["id"] == row["rewind"])
            after = kept[kept.index(target) + 1 :]
            kept = [m for m in kept if m not in after or m["session"] != target["session"]]
        elif "id" in row:
            kept.append(row)
    return kept


def assert_times_go_forward(rows: Rows) -> None:
    last: dict[str, datetime] = {}
    for row in rows:
        at = datetime.fromisoformat(row["at"])
        assert at.utcoffset() is not None
        assert at > last.get(row["session"], at - timedelta(seconds=1)), row["id"]
        last[row["session"]] = at


@pytest.mark.parametrize("path", OF_ALL_FILES, ids=lambda path: path.stem)
def test_every_line_is_one_object_of_normal_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text == unicodedata.normalize("NFC", text)
    assert text.endswith("\n")
    for row in read(path):
        assert isinstance(row, dict)
        assert all(value == value.strip() != "" for value in row.values() if isinstance(value, str))


def test_no_id_is_given_twice() -> None:
    ids = Counter(row["id"] for path in OF_ALL_FILES for row in having(read(path), "id"))
    assert [name for name, count in ids.items() if count > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_tells_who_speaks_before_anything_is_said(language: str) -> None:
    header, *rest = read(SAMPLES / f"{language}.jsonl")
    assert set(header) == {"omoide", "user", "character", "language"}
    assert (header["omoide"], header["language"]) == (1, language)
    for row in rest:
        assert set(row) in ({"rewind"}, {"session", "role", "text", "at", "id"})
        assert row.get("role", "user") in {"user", "character"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_is_long_enough_to_forget_something(language: str) -> None:
    rows = standing(read(SAMPLES / f"{language}.jsonl"))
    times = [datetime.fromisoformat(row["at"]) for row in rows]
    assert [row["role"] for row in rows] == ["user", "character"] * (len(rows) // 2)
    assert len(rows) >= 2 * 32
    assert len({row["session"] for row in rows}) >= 6
    assert times[-1] - times[0] > timedelta(weeks=7)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_never_goes_back_in_time(language: str) -> None:
    rows = having(read(SAMPLES / f"{language}.jsonl"), "id")
    assert_times_go_forward(rows)
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_takes_back_some_messages_of_the_running_session(language: str) -> None:
    rows = read(SAMPLES / f"{language}.jsonl")
    rewinds = [place for place, row in enumerate(rows) if "rewind" in row]
    assert rewinds
    for place in rewinds:
        target = next(row for row in rows[:place] if row.get("id") == rows[place]["rewind"])
        assert rows[place - 1]["id"] != target["id"]
        assert rows[place - 1]["session"] == target["session"] == rows[place + 1]["session"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_rest_on_words_of_the_user_that_still_stand(language: str) -> None:
    words = {row["id"] for row in standing(read(SAMPLES / f"{language}.jsonl")) if row["role"] == "user"}
    questions = [q for q in read(SAMPLES / "questions.jsonl") if q["language"] == language]
    assert len(questions) == 5
    assert [q["expects"] for q in questions].count([]) == 1
    for question in questions:
        assert set(question) == {"language", "query", "expects", "session", "at"}
        assert set(question["expects"]) <= words
        assert datetime.fromisoformat(question["at"]).utcoffset() is not None


@pytest.mark.parametrize("language", TOPIC_COUNTS)
def test_topic_cases_hold_enough_of_each_sort(language: str) -> None:
    header, *rows = read(CASES / f"topics_{language}.jsonl")
    memories, messages = TOPIC_COUNTS[language]
    off = having(rows, "off")
    assert set(header) == {"language", "user", "character"}
    assert header["language"] == language
    assert len(having(rows, "id")) >= memories
    assert len(having(rows, "on")) >= messages
    assert len(off) >= messages
    assert sum(row["hard"] for row in off) * 3 >= len(off)


@pytest.mark.parametrize("language", TOPIC_COUNTS)
def test_topic_cases_expect_memories_that_exist(language: str) -> None:
    _, *rows = read(CASES / f"topics_{language}.jsonl")
    ids = {row["id"] for row in having(rows, "id")}
    messages = [row.get("on") or row.get("off") or row["user"] for row in rows]
    assert len(messages) == len(set(messages))
    for row in rows:
        assert set(row) in ({"id", "user", "reply"}, {"on", "expects"}, {"off", "hard"})
    for row in having(rows, "on"):
        assert row["expects"]
        assert set(row["expects"]) <= ids


@pytest.mark.parametrize("language", LANGUAGES)
def test_conversation_cases_hold_enough_of_each_kind(language: str) -> None:
    header, *rows = read(CASES / f"conversations_{language}.jsonl")
    kinds = Counter(row["kind"] for row in having(rows, "query"))
    assert set(header) == {"language", "user", "character"}
    assert len(having(rows, "id")) >= 55
    assert kinds.total() == 40
    assert set(kinds) == KINDS
    assert kinds["implicit"] >= 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_conversation_cases_ask_only_what_was_told(language: str) -> None:
    _, *rows = read(CASES / f"conversations_{language}.jsonl")
    told, asked = having(rows, "id"), having(rows, "query")
    ids = {row["id"] for row in told}
    assert_times_go_forward(told)
    for row in told:
        assert set(row) == {"id", "session", "at", "user", "reply"}
    for row in asked:
        assert set(row) == {"query", "expects", "kind", "at"}
        assert row["expects"]
        assert set(row["expects"]) <= ids
        assert datetime.fromisoformat(row["at"]) > datetime.fromisoformat(told[-1]["at"])
