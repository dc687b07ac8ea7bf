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
from omoide.characters.profile import LONGEST as LONGEST_PROFILE
from omoide.characters.profile import Profile, read_profile, sound_profile
from omoide.characters.reading import CARD, PROFILE, PROMPT
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
        broken: entries that make none, because something is wrong with them.
    """

    folder: Path
    profile: Profile
    diaries: tuple[Placed[Diary], ...] = ()
    broken: tuple[Entry, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that it is called: first the name that memories know, then nickname and id."""
        names = (self.profile.name, self.profile.nickname, composed(self.folder.name))
        return tuple(dict.fromkeys(name for name in names if name))


@dataclass(frozen=True, kw_only=True, slots=True)
class Lives:
    """What a folder holds, and what of it cannot be read.

    Attributes:
        lives: the characters.
        events: what they share.
        broken: entries of events that make none; None where nobody can tell what they are.
        nameable: characters of whose profiles something is wrong, with what of them can be read; without
            their memories.
        problems: what is wrong.
    """

    lives: tuple[Life, ...] = ()
    nameable: tuple[Life, ...] = ()
    events: tuple[Placed[Event], ...] = ()
    broken: tuple[Entry, ...] | None = ()
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
    events, broken = reader.events(folder / EVENTS)
    reader.tell_unread(folder, known=(EVENTS,), meant=f"events stand in {EVENTS}")
    if not lives:
        above = "; this is a character's own folder: name the one above it"
        way = above if (folder / PROFILE).exists() else f"; each has a folder with {PROFILE} in it"
        msg = f"no character lies in {str(folder)!r}{way}"
        raise InvalidInput(msg)
    return Lives(
        lives=tuple(life for life in lives if life is not None),
        nameable=tuple(reader.nameable),
        events=events,
        broken=broken,
        problems=tuple(sorted(reader.problems)),
    )


class _Reader:
    """Reads the files of a folder, and collects what is wrong with them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.problems: list[Problem] = []
        self.nameable: list[Life] = []
        self._broken: list[Entry] = []

    def holds(self, path: Path) -> bool:
        """Whether something lies in the folder itself; what leads elsewhere is told of, and never read."""
        if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self._folder)):
            return True
        self._wrong(path, "this leads out of the folder; put it here itself")
        return False

    def life(self, folder: Path) -> Life | None:
        profile = self._profile(folder / PROFILE)
        meant = f"memories stand in {DIARY_FILE} or {DIARY}/*{_MARKDOWN}"
        self.tell_unread(folder, known=(PROFILE, DIARY_FILE), meant=meant)
        self.holds(folder / PROMPT)  # which is copied
        diaries = [
            *self._entries(folder / DIARY_FILE, read_list, diary_of),
            *(one for file in self._notes(folder / DIARY) for one in self._note(file)),
        ]
        broken = self._taken()
        if profile is None:
            return None
        return Life(folder=folder, profile=profile, diaries=tuple(diaries), broken=broken)

    def events(self, file: Path) -> tuple[tuple[Placed[Event], ...], tuple[Entry, ...] | None]:
        """The events, and the entries that make none; None for these where the file cannot be read."""
        before = len(self.problems)
        found, broken = tuple(self._entries(file, read_list, event_of)), self._taken()
        unreadable = not found and not broken and len(self.problems) > before
        return found, None if unreadable else broken

    def _taken(self) -> tuple[Entry, ...]:
        """The entries that were found broken since it was asked last."""
        taken, self._broken = tuple(self._broken), []
        return taken

    def tell_unread(self, folder: Path, *, known: Iterable[str], meant: str) -> None:
        """Tell of files that look as if they were to be read, and are not."""
        read = [folder / name for name in known]
        for file in sorted(folder.iterdir()) if folder.is_dir() else ():
            if _looks_meant(file) and not any(one.exists() and one.samefile(file) for one in read):
                self._wrong(file, f"this is not read; {meant}: rename it, or take it away", unread=True)

    def _profile(self, file: Path) -> Profile | None:
        if not self.holds(file):
            return None
        if not file.is_file():
            self._wrong(file, "the character has no profile; write at least its name and language")
            return None
        data = b""
        try:
            data = self._bytes(file, LONGEST_PROFILE)
            return read_profile(data, file=self._called(file))
        except InvalidInput as error:
            if (sound := sound_profile(data)) is not None:
                self.nameable.append(Life(folder=file.parent, profile=sound))
            named = _LINE.search(str(error))
            self._wrong(file, str(error), line=1 if named is None else int(named[1]))
            return None

    def _notes(self, folder: Path) -> Iterable[Path]:
        if not folder.is_dir() or not self.holds(folder):
            return []
        files = [file for file in sorted(folder.iterdir()) if not file.name.startswith(".")]
        for file in files:
            if file.suffix.lower() != _MARKDOWN:
                self._wrong(file, f"only files that end in {_MARKDOWN} are read here", unread=True)
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
                self._broken.append(entry)
            else:
                placed.append(Placed(value=made, spot=entry.spot))
        return placed

    def _wrong(self, file: Path, text: str, *, line: int = 1, unread: bool = False) -> None:
        found = Problem(file=self._called(file), line=line, text=text, advice=unread, unread=unread)
        self.problems.append(found)

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


def _looks_meant(path: Path) -> bool:
    """Whether a file or a folder has nearly the name of one that is read."""
    name = path.name.casefold()
    if name.startswith((".", "_", "readme", f"{CARD}.")):
        return False
    if path.is_dir():
        return name in ("diary", "diaries") and path.name != DIARY
    return path.suffix.casefold() in (".yaml", ".yml", _MARKDOWN, ".markdown") and path.is_file()


def _is_character(path: Path) -> bool:
    leads = path.is_dir() or (path.is_symlink() and not path.exists())  # nowhere, or round in circles
    return leads and not path.name.startswith((".", "_"))
