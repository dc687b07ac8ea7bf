"""Answers that were given once, given again: what comes of them now is the work of the rules alone.

A file holds a window a line, as in tests/cases/extraction: its messages, and the answer. Where an answer
confirms or replaces something known, it names that by its words, and here gets the id that is shown now.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from benchmarks.rows import read
from omoide.errors import ModelUnavailable
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from omoide.domain.chat import Turn

_REFERRING = ("facts", "plans", "guidance")


def windows(file: Path) -> list[dict[str, Any]]:
    """The windows of a conversation, in order."""
    return read(file)


def replay(file: Path) -> ScriptedModel:
    """A model that gives the answer of the window that it is shown."""
    answers = {window["messages"][0]["text"]: window["answer"] for window in windows(file)}

    def answer(turns: Sequence[Turn]) -> str:
        shown = turns[-1].text
        given = _given(answers, shown)
        known = shown.partition("<known>")[2].partition("</known>")[0].splitlines()
        keyed = {
            name: [_keyed(item, known) for item in given[name]] for name in _REFERRING if given.get(name)
        }
        return json.dumps({**given, **keyed}, ensure_ascii=False, separators=(",", ":"))

    return ScriptedModel(answers=answer)


def _given(answers: Mapping[str, dict[str, Any]], shown: str) -> dict[str, Any]:
    """The answer to the window whose first message is shown."""
    conversation = shown.partition("<conversation>")[2]
    line = next((line for line in conversation.splitlines() if line.startswith("[1] ")), "")
    found = [answer for first, answer in answers.items() if line.endswith(f": {' '.join(first.split())}")]
    if len(found) != 1:
        msg = "there is no answer for this window; play the conversation that the answers were given for"
        raise ModelUnavailable(msg)
    return found[0]


def _keyed(item: dict[str, Any], known: Sequence[str]) -> dict[str, Any]:
    """An item with the ids of what it names, as far as that is shown; new where none of it is."""
    keys = [line.split()[0] for words in item.get("known", []) for line in known if words in line]
    return {**item, "known": " ".join(keys)} if keys else {**item, "known": "", "relation": "new"}
