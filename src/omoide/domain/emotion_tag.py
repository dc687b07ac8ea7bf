"""The emotion tag of a reply, such as ``[EMOTION:playful]``, taken out of a stream of text (H4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.affect import EMOTIONS
from omoide.domain.text import clean, graphemes

if TYPE_CHECKING:
    from collections.abc import Collection

_BRACKETS: Final = r"\[\]［］【】"
_BEGIN: Final = r"[\[［【]\s{0,4}EMOTION\s{0,4}"
_TAG: Final = regex.compile(rf"{_BEGIN}[:：]([^\n{_BRACKETS}]{{0,32}})[\]］】]", regex.IGNORECASE)
_CUT_OFF: Final = regex.compile(rf"{_BEGIN}[:：].*", regex.IGNORECASE | regex.DOTALL)
_NAME: Final = regex.compile(r"\p{Latin}+")
_OPENING: Final = frozenset("[［【")

_MOST_SPACE: Final = 200
"""Characters of white space in a row; a reply that holds more is broken."""

_LONGEST_GRAPHEME: Final = 64
"""Code points that are waited for until a grapheme ends."""

_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
"""Halves of a character, as some servers cut it in two."""


class EmotionTag:
    """Takes the emotion tags out of a text that comes in pieces, cut anywhere.

    What is given out, joined, is the same however the text was cut. No piece of it holds any part of a tag
    (ruling 22) or ends inside a grapheme. A tag may be written in any case, with spaces, and with full-width
    signs; one that the text breaks off in is one too. White space around a tag that would be doubled goes,
    and so does that at the beginning and the end. What only begins like a tag is text.

    Some hundred characters are held back at most.

    Args:
        known: names that move the emotion; of other tags nothing is left.
    """

    def __init__(self, known: Collection[str] = EMOTIONS) -> None:
        self.emotion: str | None = None
        """The last known emotion so far; None where no tag named one."""
        self._known = frozenset(known)
        self._half = ""
        self._tag = ""
        self._space = ""
        self._begun = False
        self._after_tag = False
        self._out: list[str] = []
        self._grapheme = ""

    def feed(self, piece: str) -> str:
        """Take the next piece, and give out what is text for certain; it may be empty."""
        for character in piece:
            self._whole(character)
        return self._given()

    def finish(self) -> str:
        """Give out what was held back, at the end of the text."""
        self._half = ""
        while self._tag and not _CUT_OFF.fullmatch(self._tag):
            self._no_tag()
        self._tag = self._space = ""
        rest = self._grapheme + "".join(self._out)
        self._out, self._grapheme = [], ""
        return rest

    def _whole(self, character: str) -> None:
        """Join the halves of a character that came apart."""
        code = ord(character)
        half, self._half = self._half, ""
        if code in _HIGH:
            self._half = character
        elif code in _LOW:
            if half:
                pair = (half + character).encode("utf-16-le", "surrogatepass")
                self._take(pair.decode("utf-16-le"))
        else:
            self._take(character)

    def _take(self, character: str) -> None:
        if self._tag:
            self._tag += character
            match = _TAG.fullmatch(self._tag, partial=True)
            if match is None:
                self._no_tag()
            elif not match.partial:
                self._name(match[1])
        elif character in _OPENING:
            self._tag = character
        else:
            self._text(character)

    def _no_tag(self) -> None:
        """Give out the bracket that began no tag, and look at what follows it anew."""
        bracket, rest = self._tag[0], self._tag[1:]
        self._tag = ""
        self._text(bracket)
        for character in rest:
            self._take(character)

    def _name(self, inside: str) -> None:
        name = _NAME.search(inside)
        if name is not None and name[0].lower() in self._known:
            self.emotion = name[0].lower()
        self._tag = ""
        self._after_tag = bool(self._space) or not self._begun

    def _text(self, character: str) -> None:
        if character.isspace():
            if self._begun and not self._after_tag and len(self._space) < _MOST_SPACE:
                self._space += character
            return
        self._out.append(clean(self._space + character))
        self._space, self._begun, self._after_tag = "", True, False

    def _given(self) -> str:
        """What has come out so far, less a last grapheme that may still grow."""
        text = self._grapheme + "".join(self._out)
        self._out = []
        last = graphemes(text)[-1] if text else ""
        self._grapheme = last if len(last) <= _LONGEST_GRAPHEME else ""
        return text[: len(text) - len(self._grapheme)]
