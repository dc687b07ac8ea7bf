"""Watching an answer pass: the bytes go on as they are, and a copy tells what was said."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LONGEST: Final = 4_000_000
"""Characters of a reply, and bytes of one event, that are looked at; more is no reply to remember."""

_GZIP_OR_ZLIB: Final = 47

_DONE: Final = b"[DONE]"
_EVENTS_BEGIN: Final = (b"data:", b"event:", b"id:", b"retry:", b":")
"""What no JSON begins with."""

_UNREADABLE: Final = object()


class Watcher:
    """Reads a copy of an answer as it passes, in whatever pieces it comes; nothing in it raises.

    By itself it knows where events end; what they say is for its kinds to tell, of each format one.

    Attributes:
        name: the id that the upstream gave the answer.
    """

    def __init__(self) -> None:
        self.name: str | None = None
        self._line = bytearray()
        self._event: list[bytes] = []
        self._said: list[str] = []
        self._length = 0
        self._ended = False
        self._complete = False
        self._failed = False
        self._decode: Callable[[bytes], bytes] = bytes

    @property
    def ended(self) -> bool:
        """Whether the answer came to its end, without an error."""
        return self._ended and not self._failed

    @property
    def complete(self) -> bool:
        """Whether what was said is all of a reply; one that was cut at its length or calls a tool is not."""
        return self.ended and self._complete

    @property
    def text(self) -> str:
        """What was said so far."""
        return "".join(self._said)

    @property
    def between(self) -> bool:
        """Whether a stream stands between two events, where a comment may go in."""
        return not self._line and not self._event

    def encoded(self, encoding: str) -> None:
        """Know how the answer is encoded; one in an encoding that is not known is not understood."""
        if encoding in ("gzip", "x-gzip", "deflate"):
            self._decode = zlib.decompressobj(_GZIP_OR_ZLIB).decompress
        elif encoding not in ("", "identity"):
            self._failed = True

    def feed(self, piece: bytes) -> None:
        """See a piece of a stream of events."""
        self._feed(self._decoded(piece))

    def _feed(self, piece: bytes) -> None:
        if self._failed:
            return
        self._line += piece
        if b"\n" in piece:
            *lines, rest = bytes(self._line).split(b"\n")
            self._line = bytearray(rest)
            for line in lines:
                self._read(line.removesuffix(b"\r"))
        elif len(self._line) > _LONGEST:
            self._fail()

    def end(self) -> None:
        """See the end of a stream; its last event needs no empty line, and one that is cut says nothing."""
        last, self._line = bytes(self._line).removesuffix(b"\r"), bytearray()
        event, self._event = [*self._event, last], []
        for told in _told(event):
            if told is not _UNREADABLE:
                self._take(told, whole=False)

    def whole(self, body: bytes) -> None:
        """See an answer that is said to be no stream; some servers say so of one."""
        body = self._decoded(body)
        if body.lstrip().startswith(_EVENTS_BEGIN):
            self._feed(body)
            self.end()
        else:
            self._take(_json(body), whole=True)

    def see(self, told: dict[str, Any], *, whole: bool) -> None:
        """See one event, or a whole answer; here nothing is made of it."""

    def end_with(self, *, complete: bool) -> None:
        """Note that the answer has come to its end."""
        self._ended, self._complete = True, complete

    def say(self, words: object) -> None:
        """Note words of the reply; anything else is none."""
        if isinstance(words, str) and self._length < _LONGEST:
            self._said.append(words)
            self._length += len(words)

    def say_instead(self, words: str) -> None:
        """Note the reply, in place of what was noted of it."""
        self._said, self._length = [], 0
        self.say(words)

    def _decoded(self, piece: bytes) -> bytes:
        try:
            return self._decode(piece)
        except zlib.error:
            self._fail()
            return b""

    def _fail(self) -> None:
        self._failed = True
        self._line.clear()
        self._event.clear()

    def _read(self, line: bytes) -> None:
        if line:
            self._event.append(line)
            return
        event, self._event = self._event, []
        for told in _told(event):
            self._take(told, whole=False)

    def _take(self, told: object, *, whole: bool) -> None:
        if told is _DONE:
            if not self._ended:  # some servers end a reply in no other way
                self.end_with(complete=bool(self._said))
        elif not isinstance(told, dict) or told.get("error"):
            self._failed = True
        else:
            self.see(told, whole=whole)


def _told(event: Sequence[bytes]) -> list[object]:
    """What the lines of an event say; those of several that no empty line parts say something each."""
    data = [one[5:].strip() for one in event if one.startswith(b"data:")]
    data = [one for one in data if one]
    together = [_json(b"\n".join(data))] if data else []
    return [*map(_json, data)] if together == [_UNREADABLE] else together


def _json(data: bytes) -> object:
    if data.startswith(_DONE):
        return _DONE
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return _UNREADABLE
