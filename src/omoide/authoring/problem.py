"""What is wrong with an author's files, and where (K12)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Path = tuple[str | int, ...]
"""The way to a value inside an entry, such as ``("observations", 0, "person")``."""


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        file: inside the folder, with ``/``.
        line: from 1.
        text: what, and the way out.
        advice: a reader may see it otherwise; an import goes on.
        unread: it is a file that may hold what its author means to be there, and that is not read; an import
            that prunes does not go on.
    """

    file: str
    line: int
    text: str
    advice: bool = False
    unread: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Spot:
    """Where an entry stands, and the lines of what is in it."""

    file: str
    line: int
    lines: Mapping[Path, int] = field(default_factory=dict, hash=False)

    def at(self, *path: str | int) -> int:
        """The line of a value, or of what it should stand in."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return self.line

    def problem(self, text: str, *path: str | int, advice: bool = False) -> Problem:
        """A problem with a value of the entry, or with the whole."""
        return Problem(file=self.file, line=self.at(*path), text=text, advice=advice)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"
