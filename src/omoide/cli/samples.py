"""The sample conversations that come with the package, and the questions asked of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from omoide.domain.model import Message, Role
from omoide.errors import UnknownScope

if TYPE_CHECKING:
    from omoide.scope import Scope

LANGUAGES = {"ko": "한국어", "ja": "日本語", "en": "English"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question with the ids of the messages that should come to mind; none for one off the topic."""

    query: str
    at: datetime
    expects: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """One conversation as it went, line by line, with its questions."""

    language: str
    user: str
    character: str
    lines: tuple[dict[str, Any], ...]
    asked: tuple[Asked, ...]

    @property
    def title(self) -> str:
        """The language in its own words."""
        return LANGUAGES[self.language]

    @property
    def said(self) -> int:
        """How many messages were said, those that were taken back included."""
        return sum("text" in line for line in self.lines)

    @property
    def texts(self) -> dict[str, str]:
        """What was said, by id."""
        return {line["id"]: line["text"] for line in self.lines if "text" in line}


def samples() -> list[Sample]:
    """All samples that are there."""
    folder = files("omoide") / "samples"
    questions = _lines((folder / "questions.jsonl").read_text(encoding="utf-8"))
    found = []
    for language in LANGUAGES:
        head, *lines = _lines((folder / f"{language}.jsonl").read_text(encoding="utf-8"))
        asked = [
            Asked(
                query=line["query"],
                at=datetime.fromisoformat(line["at"]),
                expects=tuple(line["expects"]),
            )
            for line in questions
            if line["language"] == language
        ]
        found.append(
            Sample(
                language=language,
                user=head["user"],
                character=head["character"],
                lines=tuple(lines),
                asked=tuple(asked),
            )
        )
    return found


async def replay(scope: Scope, sample: Sample) -> int:
    """Let a sample happen: what is said is said, what is rewound is rewound. A second time changes nothing.

    Returns:
        How many messages were taken back.
    """
    if await _is_told(scope):
        return 0
    sessions: dict[str, list[Message]] = {}
    ids: dict[str, tuple[str, int]] = {}
    back = 0
    for line in sample.lines:
        if "rewind" in line:
            session, place = ids[line["rewind"]]
            await _hand_over(scope, sessions)
            back += (await scope.rewind(line["rewind"], session=session)).withdrawn
            del sessions[session][place + 1 :]
        else:
            messages = sessions.setdefault(line["session"], [])
            ids[line["id"]] = line["session"], len(messages)
            messages.append(_message(line))
    await _hand_over(scope, sessions)
    return back


async def _is_told(scope: Scope) -> bool:
    try:
        return bool(await scope.memories(limit=1))
    except UnknownScope:
        return False


async def _hand_over(scope: Scope, sessions: dict[str, list[Message]]) -> None:
    for session, messages in sessions.items():
        await scope.sync(messages, session=session, live=False)


def _message(line: dict[str, Any]) -> Message:
    return Message(
        role=Role(line["role"]),
        text=line["text"],
        at=datetime.fromisoformat(line["at"]),
        external_id=line["id"],
    )


def _lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]
