"""Fences: between their marks in a prompt stands data, and nothing inside may look like a mark (P19)."""

from __future__ import annotations

import re
from typing import Final

from omoide.domain.text import cut

_LONGEST_NAME: Final = 80
"""Graphemes of a name in a prompt."""

_BRACKETS = "<＜‹〈"
_BRACKET = re.compile(f"[{_BRACKETS}]")
_NAMES = ("memories", "relationship")


def _spelt(name: str) -> str:
    """A name in letters of any width, also with invisible characters between them."""
    letters = (f"[{chr(ord(letter) + 0xFEE0)}{letter}]" for letter in name)
    return r"[\u200b-\u200d\u2060\ufeff]*".join(letters)


_MARK = re.compile(
    rf"[{_BRACKETS}][^\w{_BRACKETS}]*(?:{'|'.join(map(_spelt, _NAMES))})[^<>＜＞]*[>＞›〉]?", re.IGNORECASE
)
_FENCED = re.compile("|".join(rf"<{name}>\n.*?\n</{name}>\n*" for name in _NAMES), re.DOTALL)

MEMORIES = ("<memories>", "</memories>")
"""The marks around what was recalled."""

RELATIONSHIP = ("<relationship>", "</relationship>")
"""The marks around how two stand with each other."""


def plain(text: str) -> str:
    """Text on one line, and without anything that looks like a mark of a fence."""
    if _BRACKET.search(text):
        text = _MARK.sub(" ", text)
    return " ".join(text.split())


def plain_name(name: str) -> str:
    """A name as it can stand in a sentence or before somebody's words: it may be a stranger's choice."""
    return cut(plain(name), _LONGEST_NAME)


def without_fenced(text: str) -> str:
    """Text without what stands fenced in it, such as memories that came back from another prompt (F02)."""
    return _FENCED.sub("", text) if "</" in text else text
