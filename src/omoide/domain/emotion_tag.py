"""The emotion tag of a reply, such as ``[EMOTION:playful]``, taken out of a stream of text (H4)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.affect import EMOTIONS
from omoide.domain.text import clean, graphemes, unstorable

if TYPE_CHECKING:
    from collections.abc import Collection

_HEAD: Final = "[emotion:"
_OPENING, _CLOSING = "[［【〔", "]］】〕"
_KEYS: Final = {**dict.fromkeys(_OPENING, "["), "(": "(", "（": "("}
_MIRRORS: Final = {"[": _CLOSING, "(": ")）"}
_RUNS: Final = "*_`"
_SPACED: Final = ("[", "[emotion", "(")
"""What may be followed by white space where it begins a tag, or stands around one."""

_NAME: Final = regex.compile(r"\p{Latin}+")
_NAME_IN_FRONT: Final = regex.compile(r"\s*\p{Latin}*")

_LONGEST_INSIDE: Final = 64
"""Characters behind the colon of a tag; after them it is taken for one whose bracket was forgotten."""

_DEEPEST: Final = 32
"""Signs that may begin a tag, or a run around one, and wait for what follows; of more brackets some go."""

_MOST_SPACE: Final = 200
"""Characters of white space in a row; a reply that holds more is broken."""

_LONGEST_GRAPHEME: Final = 64
"""Code points that are waited for until a grapheme ends."""

_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
"""Halves of a character, as some servers cut it in two."""


@dataclass(slots=True)
class _Begun:
    """Text that may still turn out to be the head of a tag, or what stands around one.

    Attributes:
        text: as it was written.
        key: what counts of it: a part of `_HEAD`, ``(``, or a run of one sign.
        tagged: whether a tag stood right behind it.
    """

    text: str
    key: str
    tagged: bool = False


class EmotionTag:
    """Takes the emotion tags out of a text that comes in pieces, cut anywhere.

    What is given out, joined, is the same however the text was cut. No piece of it holds any part of a tag
    (ruling 22), not even once others have been taken out of the middle of it, or ends inside a grapheme. A
    tag may be written in any case and width, with white space, and within emphasis, code or brackets of its
    own, which go with it. One that the text breaks off in is one too, and one whose bracket was forgotten
    ends after its name. White space around a tag that would be doubled goes, but no line break, and
    so does that at the beginning and the end. What only begins like a tag is text.

    Some hundred characters are held back at most.

    Args:
        known: names that move the emotion; of other tags nothing is left.
    """

    def __init__(self, known: Collection[str] = EMOTIONS) -> None:
        self.emotion: str | None = None
        """The last known emotion so far; None where no tag named one."""
        self._known = frozenset(known)
        self._half = ""
        self._begun: list[_Begun] = []
        self._inside: str | None = None
        self._emphasis: set[str] = set()
        self._space = ""
        self._behind = ""
        self._spoke = False
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
        while self._inside is not None:
            self._forgotten()
        for begun in self._begun:
            if not (begun.tagged or begun.key.startswith(_HEAD[:2])):
                self._say(begun.text)
        self._begun, self._space, self._behind = [], "", ""
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
        elif unstorable(character) is None:
            self._take(character)

    def _take(self, character: str) -> None:
        if self._inside is not None:
            self._take_inside(self._inside, character)
        elif not self._goes_on(character):
            self._begin_or_say(character)

    def _take_inside(self, inside: str, character: str) -> None:
        if character in _CLOSING:
            self._inside = None
            self._name(inside)
            self._taken_out()
        elif character in _OPENING or len(inside) >= _LONGEST_INSIDE:
            self._forgotten()
            self._take(character)
        else:
            self._inside = inside + character

    def _forgotten(self) -> None:
        """End a tag whose bracket does not come after its name; what follows that is text."""
        inside, self._inside = self._inside or "", None
        named = _NAME_IN_FRONT.match(inside)
        end = named.end() if named else 0
        self._name(inside[:end])
        self._taken_out()
        for character in inside[end:]:
            self._take(character)

    def _name(self, inside: str) -> None:
        name = _NAME.search(unicodedata.normalize("NFKC", inside))
        if name is not None and name[0].lower() in self._known:
            self.emotion = name[0].lower()

    def _goes_on(self, character: str) -> bool:
        """Whether a character goes on with what has begun last."""
        if not self._begun:
            return False
        last = self._begun[-1]
        if last.key[0] in _RUNS:
            return self._run_goes_on(last, character)
        folded = _folded(character)
        if not folded or (character.isspace() and last.key in _SPACED):
            doubled = last.tagged and len(last.key) == 1
            last.text += "" if doubled or len(last.text) > _MOST_SPACE else character
        elif _HEAD.startswith(last.key + folded):
            last.text, last.key = last.text + character, last.key + folded
            if last.key == _HEAD:
                self._begun.pop()
                self._inside = ""
        elif last.tagged and character in _MIRRORS.get(last.key, ""):
            self._begun.pop()
            self._taken_out()
        else:
            return False
        return True

    def _run_goes_on(self, last: _Begun, character: str) -> bool:
        """The same for a run, which ends as long as it began, behind its tag."""
        if character != last.key[0]:
            return False
        last.text += character
        if not last.tagged:
            last.key += character
            if len(last.key) > _DEEPEST:
                self._no_tag()
        elif len(last.text) == 2 * len(last.key):
            self._begun.pop()
            self._taken_out()
        return True

    def _begin_or_say(self, character: str) -> None:
        if character not in _KEYS and character not in _RUNS:
            self._no_tag()
            self._say(character)
        elif len(self._begun) < _DEEPEST:
            self._begun.append(_Begun(character, _KEYS.get(character, character)))

    def _no_tag(self) -> None:
        """Give out what has begun and is none."""
        begun, self._begun = self._begun, []
        for one in begun:
            self._say(one.text)
            if one.key[0] in _RUNS:
                self._emphasis ^= {one.key}
                self._after_tag = one.tagged

    def _taken_out(self) -> None:
        """Go on behind a tag, within what stands around it."""
        if not self._begun:
            self._after_tag = bool(self._space) or not self._spoke
        elif self._begun[-1].key in self._emphasis:
            self._no_tag()  # it ended what was emphasised in front of the tag
        else:
            self._begun[-1].tagged = True

    def _say(self, text: str) -> None:
        for character in text:
            if character == "\n":
                self._emphasis.clear()
            if character.isspace():
                if self._spoke:
                    self._gap(character)
            else:
                lines = self._behind.count("\n") > self._space.count("\n")
                self._out.append(clean((self._behind if lines else self._space) + character))
                self._space, self._behind, self._spoke, self._after_tag = "", "", True, False

    def _gap(self, character: str) -> None:
        """White space in front of a tag or behind it; of the two that stays which breaks more lines."""
        if self._after_tag:
            self._behind = (self._behind + character)[:_MOST_SPACE]
        else:
            self._space = (self._space + character)[:_MOST_SPACE]

    def _given(self) -> str:
        """What has come out so far, less a last grapheme that may still grow."""
        text = self._grapheme + "".join(self._out)
        self._out = []
        last = graphemes(text)[-1] if text else ""
        self._grapheme = last if len(last) <= _LONGEST_GRAPHEME else ""
        return text[: len(text) - len(self._grapheme)]


def _folded(character: str) -> str:
    """A character in small letters of one width; nothing for one that cannot be seen."""
    if character.isascii():
        return character.lower()
    folded = unicodedata.normalize("NFKC", character).casefold()
    return "" if unicodedata.category(character) == "Cf" else folded
