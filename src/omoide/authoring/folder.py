"""A folder of lives: a folder for each character, and the events that they share (K12).

::

    sisters/
    ├── events.yaml
    └── shiho/
        ├── profile.yaml
        ├── prompt.jinja      for who talks with her; not needed for her past
        ├── diary.yaml        a list of memories, or
        └── diary/*.md        one memory a file
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from omoide.authoring.forms import diary_of, event_of
from omoide.authoring.lined import LONGEST, Read, read_list, read_markdown
from omoide.authoring.problem import Problem, Spot
from omoide.characters.folder import PROFILE, PROMPT
from omoide.characters.profile import LONGEST as LONGEST_PROFILE
from omoide.characters.profile import Profile, read_profile
from omoide.domain.text import composed
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from omoide.authoring.lined import Entry
    from omoide.domain.diary import Diary
    from omoide.domain.event import Event

T = TypeVar("T")

EVENTS: Final = "events.yaml"
DIARY: Final = "diary"
DIARY_FILE: Final = "diary.yaml"
_MARKDOWN: Final = ".md"
_LINE: Final = re.compile(r"\bline (\d+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed(Generic[T]):
    """A value with the place where it is written."""

    value: T
    spot: Spot


@dataclass(frozen=True, kw_only=True, slots=True)
class Life:
    """A character's life as its files tell it.

    Attributes:
        folder: where it lies; its name is the character's id.
        profile: who it is.
        diaries: its memories, in the order of the files.
    """

    folder: Path
    profile: Profile
    diaries: tuple[Placed[Diary], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that it is called: first the name that memories know, then nickname and id."""
        names = (self.profile.name, self.profile.nickname, composed(self.folder.name))
        return tuple(dict.fromkeys(name for name in names if name))


@dataclass(frozen=True, kw_only=True, slots=True)
class Lives:
    """What a folder holds, and what of it cannot be read."""

    lives: tuple[Life, ...] = ()
    events: tuple[Placed[Event], ...] = ()
    problems: tuple[Problem, ...] = ()


def read_folder(folder: Path) -> Lives:
    """Read every life of a folder.

    Raises:
        InvalidInput: there is no such folder, or no character in it.
    """
    if not folder.is_dir():
        msg = f"there is no folder {str(folder)!r}; name one that holds a folder for each character"
        raise InvalidInput(msg)
    reader = _Reader(folder)
    lives = [reader.life(one) for one in sorted(folder.iterdir()) if _is_character(one) and reader.holds(one)]
    events = reader.events(folder / EVENTS)
    if not lives:
        above = "; this is a character's own folder: name the one above it"
        way = above if (folder / PROFILE).exists() else f"; each has a folder with {PROFILE} in it"
        msg = f"no character lies in {str(folder)!r}{way}"
        raise InvalidInput(msg)
    return Lives(
        lives=tuple(life for life in lives if life is not None),
        events=events,
        problems=tuple(sorted(reader.problems)),
    )


class _Reader:
    """Reads the files of a folder, and collects what is wrong with them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.problems: list[Problem] = []

    def holds(self, path: Path) -> bool:
        """Whether something lies in the folder itself; what leads elsewhere is told of, and never read."""
        if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self._folder)):
            return True
        self._wrong(path, "this leads out of the folder; put it here itself")
        return False

    def life(self, folder: Path) -> Life | None:
        profile = self._profile(folder / PROFILE)
        self.holds(folder / PROMPT)  # which is copied
        diaries = [
            *self._entries(folder / DIARY_FILE, read_list, diary_of),
            *(one for file in self._notes(folder / DIARY) for one in self._note(file)),
        ]
        return None if profile is None else Life(folder=folder, profile=profile, diaries=tuple(diaries))

    def events(self, file: Path) -> tuple[Placed[Event], ...]:
        return tuple(self._entries(file, read_list, event_of))

    def _profile(self, file: Path) -> Profile | None:
        if not self.holds(file):
            return None
        if not file.is_file():
            self._wrong(file, "the character has no profile; write at least its name and language")
            return None
        try:
            return read_profile(self._bytes(file, LONGEST_PROFILE), file=self._called(file))
        except InvalidInput as error:
            named = _LINE.search(str(error))
            self._wrong(file, str(error), line=1 if named is None else int(named[1]))
            return None

    def _notes(self, folder: Path) -> Iterable[Path]:
        if not folder.is_dir() or not self.holds(folder):
            return []
        files = [file for file in sorted(folder.iterdir()) if not file.name.startswith(".")]
        for file in files:
            if file.suffix.lower() != _MARKDOWN:
                self._wrong(file, f"only files that end in {_MARKDOWN} are read here", advice=True)
        return [file for file in files if file.suffix.lower() == _MARKDOWN]

    def _note(self, file: Path) -> Iterable[Placed[Diary]]:
        """The memory of a Markdown file, which is called as the file where it has no id of its own."""

        def named(entry: Entry) -> Diary | list[Problem]:
            entry.values.setdefault("id", composed(file.stem))
            return diary_of(entry)

        return self._entries(file, read_markdown, named)

    def _entries(
        self, file: Path, read: Callable[..., Read], value: Callable[[Entry], T | list[Problem]]
    ) -> list[Placed[T]]:
        if not os.path.lexists(file) or not self.holds(file):
            return []
        try:
            found = read(self._bytes(file), file=self._called(file))
        except InvalidInput as error:
            self._wrong(file, str(error))
            return []
        self.problems += found.problems
        placed = []
        for entry in found.entries:
            made = value(entry)
            if isinstance(made, list):
                self.problems += made
            else:
                placed.append(Placed(value=made, spot=entry.spot))
        return placed

    def _wrong(self, file: Path, text: str, *, line: int = 1, advice: bool = False) -> None:
        self.problems.append(Problem(file=self._called(file), line=line, text=text, advice=advice))

    def _called(self, file: Path) -> str:
        return file.relative_to(self._folder).as_posix()

    def _bytes(self, file: Path, most: int = LONGEST) -> bytes:
        """The beginning of a file, one byte more than may be."""
        if not file.is_file():  # a pipe would never end
            msg = "this is no ordinary file"
            raise InvalidInput(msg)
        try:
            with file.open("rb") as stream:
                return stream.read(most + 1)
        except OSError as error:
            msg = f"the file cannot be read: {error.strerror}"
            raise InvalidInput(msg) from error


def _is_character(path: Path) -> bool:
    leads = path.is_dir() or (path.is_symlink() and not path.exists())  # nowhere, or round in circles
    return leads and not path.name.startswith((".", "_"))
