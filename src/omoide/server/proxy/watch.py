"""Watching a stream of events pass: the bytes go on as they are, and a copy tells what was said."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

_LONGEST = 4_000_000
"""Characters of a reply that are kept; more is no reply to remember."""


@dataclass(slots=True)
class Watcher:
    """Reads a copy of a chat completion as it passes, in whatever pieces it comes.

    Attributes:
        finished: whether it came to its end: a reason to finish, and no error.
    """

    _rest: bytes = b""
    _said: list[str] = field(default_factory=list)
    _length: int = 0
    _reason: str | None = None
    _failed: bool = False

    @property
    def finished(self) -> bool:
        """Whether the reply is whole; one that was cut at its length or called a tool is not."""
        return self._reason == "stop" and not self._failed

    @property
    def text(self) -> str:
        """What was said so far."""
        return "".join(self._said)

    @property
    def between(self) -> bool:
        """Whether the stream stands between two events, where a comment may go in."""
        return not self._rest

    def feed(self, piece: bytes) -> None:
        """See a piece of the stream."""
        self._rest += piece
        events = self._rest.replace(b"\r\n", b"\n").split(b"\n\n")
        if len(events) == 1:
            return
        self._rest = events.pop()
        for event in events:
            self._see(event)

    def whole(self, body: bytes) -> None:
        """See an answer that is no stream."""
        self._take(body, piece="message")

    def _see(self, event: bytes) -> None:
        lines = [line[5:].strip() for line in event.split(b"\n") if line.startswith(b"data:")]
        data = b"\n".join(lines)
        if data and not data.startswith(b"[DONE]"):
            self._take(data, piece="delta")

    def _take(self, data: bytes, *, piece: str) -> None:
        try:
            told: Any = json.loads(data)
        except ValueError:
            self._failed = True
            return
        if not isinstance(told, dict) or told.get("error"):
            self._failed = True
            return
        for choice in told.get("choices") or ():
            if not isinstance(choice, dict) or choice.get("index", 0) != 0:
                continue
            held = choice.get(piece)
            words = held.get("content") if isinstance(held, dict) else choice.get("text")
            if isinstance(words, str) and self._length < _LONGEST:
                self._said.append(words)
                self._length += len(words)
            self._reason = choice.get("finish_reason") or self._reason
