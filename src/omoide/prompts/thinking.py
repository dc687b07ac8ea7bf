"""Leaving out what a model thinks aloud before it speaks, while its reply comes in pieces."""

from __future__ import annotations

from typing import Final

_TAGS: Final = {f"<{name}>": f"</{name}>" for name in ("think", "thinking", "reasoning", "thought")}


class Spoken:
    """Takes a reply in pieces, and gives what of it is spoken; tags may be cut anywhere.

    Only thinking at the beginning is left out: the same tags later on are somebody's words.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        self._speaks = False

    def feed(self, piece: str) -> str:
        """What is spoken by now, and was not before."""
        if self._speaks:
            return piece
        self._held += piece
        while self._held:
            if self._closing:
                if not self._thought():
                    return ""
                continue
            begun = self._held.lstrip()
            tag = next((tag for tag in _TAGS if begun.startswith(tag)), None)
            if tag is None:
                if any(tag.startswith(begun) for tag in _TAGS):
                    return ""  # may still become one
                return self.rest()
            self._closing, self._held = _TAGS[tag], begun.removeprefix(tag)
        return ""

    def rest(self) -> str:
        """What was held back until the end of the reply; nothing of a thought that never ended."""
        said = "" if self._closing else self._held.lstrip()
        self._speaks, self._held = True, ""
        return said

    def _thought(self) -> bool:
        """Drop what is thought by now; whether the thought has ended."""
        _, ended, after = self._held.partition(self._closing)
        if ended:
            self._held, self._closing = after, ""
            return True
        self._held = self._held[-len(self._closing) :]  # which may hold the first half of the tag
        return False
