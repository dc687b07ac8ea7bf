"""The emotion tag of a reply, such as ``[EMOTION:playful]``, taken out of a stream of text (H4)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.affect import EMOTIONS
from omoide.domain.text import clean, graphemes, unstorable

if TYPE_CHECKING:
    from collections.abc import Collection

_WORD: Final = "emotion"
_HEAD: Final = _WORD + ":"
_SQUARE: Final = "["
_OPENING: Final = {_SQUARE: "[［【〔", "(": "(（", "{": "{｛", "<": "<＜"}
_CLOSING: Final = {_SQUARE: "]］】〕", "(": ")）", "{": "}｝", "<": ">＞"}
_KINDS: Final = {bracket: kind for kind, brackets in _OPENING.items() for bracket in brackets}
_RUNS: Final = "*_`"
_RUN: Final = regex.compile(r"\*+|_+|`+")
_ESCAPE: Final = "\\"

_NAME: Final = regex.compile(r"\p{Latin}+")
_NAME_IN_FRONT: Final = regex.compile(r"[\s\[［【〔]*\p{Latin}*")
_NAME_ALONE: Final = regex.compile(r"[^\p{L}\p{N}]*+[\p{L}\p{M}_-]*+[^\p{L}\p{N}]*+")
"""What may stand in a tag in other brackets than square ones: in these people write of emotions too."""

_HEAD_AGAIN: Final = regex.compile(rf"[^\p{{L}}\p{{N}}]*{_WORD}\s*:")

_LONGEST_INSIDE: Final = 64
"""Signs behind the colon of a tag; after them it is taken for one whose bracket was forgotten."""

_DEEPEST: Final = 32
"""Signs that may begin a tag, or a run around one, and wait for what follows."""

_MOST_SPACE: Final = 200
"""Characters of white space in a row; a reply that holds more is broken."""

_LONGEST_GRAPHEME: Final = 64
"""Code points that are waited for until a grapheme ends."""


@dataclass(slots=True)
class _Begun:
    """Text that may still turn out to be the head of a tag, or what stands around one.

    Attributes:
        text: as it was written.
        key: what counts of it: a bracket's kind with a part of `_HEAD`, a run of one sign, or a backslash.
        tagged: whether a tag stood right behind it.
    """

    text: str
    key: str
    tagged: bool = False

    @property
    def is_run(self) -> bool:
        """Whether it is emphasis or code."""
        return self.key[0] in _RUNS

    @property
    def is_bracket(self) -> bool:
        """Whether it is a bracket, and nothing of a head as yet."""
        return self.key in _CLOSING


@dataclass(slots=True)
class _Tag:
    """A tag whose head has come: as it was written, the kind of its bracket, and what stands in it so far."""

    head: str
    kind: str
    inside: str = ""


class EmotionTag:
    """Takes the emotion tags out of a text that comes in pieces, cut anywhere.

    What is given out, joined, is the same however the text was cut. No piece of it holds any part of a tag
    (ruling 22), not even once others have been taken out of the middle of it, or ends inside a grapheme. A
    tag may be written in any case, width and brackets, these with a backslash or without, with a colon or
    ``=``, with white space, and with emphasis, code or brackets inside or around it, which go with it. One
    that the text breaks off in is one too, and one whose square bracket was forgotten ends after its name.
    White space around a tag that would be doubled goes, but no line break, and so does that at the
    beginning and the end. What only begins like a tag is text, and so is what stands in round, curly or
    angle brackets with more than a name.

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
        self._tag: _Tag | None = None
        self._emphasis: set[str] = set()
        self._space = ""
        self._behind = ""
        self._spoke = False
        self._after_tag = False
        self._out: list[str] = []
        self._grapheme = ""

    def feed(self, piece: str) -> str:
        """Take the next piece, and give out what is text for certain; it may be empty."""
        for character in self._whole(piece):
            if unstorable(character) is None:
                self._take(character)
        return self._given()

    def finish(self) -> str:
        """Give out what was held back, at the end of the text."""
        self._half = ""
        while self._tag is not None:
            self._forgotten(self._tag, named=True)
        for begun in self._begun:
            if not begun.tagged and (begun.is_run or len(begun.key) == 1):
                self._say(begun.text)
        self._begun, self._space, self._behind = [], "", ""
        rest = self._grapheme + "".join(self._out)
        self._out, self._grapheme = [], ""
        return rest

    def _whole(self, piece: str) -> str:
        """Join the halves of a character that some servers cut in two; one that comes last waits."""
        text = self._half + piece
        self._half = text[-1] if "\ud800" <= text[-1:] <= "\udbff" else ""
        units = text.removesuffix(self._half).encode("utf-16-le", "surrogatepass")
        return units.decode("utf-16-le", "ignore")

    def _take(self, character: str) -> None:
        if self._tag is not None:
            self._take_inside(self._tag, character)
        elif not self._goes_on(character):
            self._begin_or_say(character)

    def _take_inside(self, tag: _Tag, character: str) -> None:
        opens = _KINDS.get(character) == tag.kind
        inside = tag.inside + character
        if character in _CLOSING[tag.kind]:
            self._tag = None
            self._name(tag.inside)
            self._taken_out()
        elif _is_over(tag.kind, inside) or (opens and _NAME.search(tag.inside)):
            self._forgotten(tag, named=tag.kind == _SQUARE)
            self._take(character)
        elif _folded(character) == ":" and _HEAD_AGAIN.fullmatch("".join(map(_folded, inside))):
            tag.inside = ""
        elif len(inside) <= _MOST_SPACE or not character.isspace():
            tag.inside = inside
            if opens:
                self._begin(_Begun("", tag.kind))  # around the name, but it ends as one around the tag

    def _forgotten(self, tag: _Tag, *, named: bool) -> None:
        """End a tag whose bracket does not come; what follows its name is text, or all where it is none."""
        self._tag, end = None, 0
        if named:
            found = _NAME_IN_FRONT.match(tag.inside)
            end = found.end() if found else 0
            self._name(tag.inside[:end])
            self._taken_out()
        else:
            self._no_tag()
            self._say(tag.head)
        for character in tag.inside[end:]:
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
        if last.key == _ESCAPE:
            return self._escape_goes_on(last, character)
        if last.is_run:
            return self._run_goes_on(last, character)
        folded = _folded(character)
        if not folded or _may_stand_by(character, last):
            doubled = last.tagged and last.is_bracket and character != _ESCAPE
            last.text += "" if doubled or len(last.text) > _MOST_SPACE else character
        elif _HEAD.startswith(last.key[1:] + folded):
            last.text, last.key = last.text + character, last.key + folded
            if last.key[1:] == _HEAD:
                self._begun.pop()
                self._tag = _Tag(last.text, last.key[0])
        elif last.tagged and character in _CLOSING.get(last.key, ""):
            self._begun.pop()
            self._taken_out()
        else:
            return False
        return True

    def _escape_goes_on(self, last: _Begun, character: str) -> bool:
        """The same for a backslash, which belongs to the bracket behind it."""
        if last.tagged or (character not in _KINDS and character != _ESCAPE):
            return False
        last.text, last.key = last.text + character, _KINDS.get(character, _ESCAPE)
        return True

    def _run_goes_on(self, last: _Begun, character: str) -> bool:
        """The same for a run, which ends as long as it began, behind its tag."""
        if character != last.key[0]:
            return _folded(character) == _WORD[0] and self._is_in_bracket() and self._goes_on(character)
        last.text += character
        if not last.tagged:
            last.key += character
            if len(last.key) > _DEEPEST:
                self._no_tag()
        elif len(last.text) == 2 * len(last.key):
            self._begun.pop()
            self._taken_out()
        return True

    def _is_in_bracket(self) -> bool:
        """Whether the last runs stand between a bracket and its head, which they belong to then."""
        runs = list(takewhile(lambda begun: begun.is_run and not begun.tagged, reversed(self._begun)))
        around = self._begun[: -len(runs)][-1:]
        if not runs or not around or not around[0].is_bracket or around[0].tagged:
            return False
        around[0].text += "".join(run.text for run in reversed(runs))
        del self._begun[-len(runs) :]
        return True

    def _begin_or_say(self, character: str) -> None:
        if character in _KINDS or character in _RUNS or character == _ESCAPE:
            self._begin(_Begun(character, _KINDS.get(character, character)))
        else:
            self._no_tag()
            self._say(character)

    def _begin(self, begun: _Begun) -> None:
        if len(self._begun) == _DEEPEST:
            self._give_up(self._begun.pop(0))
        self._begun.append(begun)

    def _no_tag(self) -> None:
        """Give out what has begun and is none."""
        begun, self._begun = self._begun, []
        for one in begun:
            self._give_up(one)

    def _give_up(self, begun: _Begun) -> None:
        self._say(begun.text)
        self._emphasis.symmetric_difference_update([begun.key] if begun.is_run else _RUN.findall(begun.text))
        if begun.is_run:
            self._after_tag = begun.tagged

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


def _is_over(kind: str, inside: str) -> bool:
    """Whether what has come since the head is more than a tag in brackets of this kind holds."""
    if len("".join(inside.split())) > _LONGEST_INSIDE:
        return True
    return kind != _SQUARE and _NAME_ALONE.fullmatch(inside) is None


def _may_stand_by(character: str, begun: _Begun) -> bool:
    """Whether a character may follow a bracket or the word of a head without counting."""
    if begun.key[1:] == _WORD:
        return character.isspace() or character in _RUNS
    return begun.is_bracket and (character.isspace() or (begun.tagged and character == _ESCAPE))


def _folded(character: str) -> str:
    """A character in small letters of one width, ``=`` as a colon; nothing for one that cannot be seen."""
    if character.isascii():
        return ":" if character == "=" else character.lower()
    folded = unicodedata.normalize("NFKC", character).casefold().replace("=", ":")
    return "" if unicodedata.category(character) == "Cf" else folded
