"""The folder of characters, with those that come with Omoide; what changes on the disk is read anew (H3)."""

from __future__ import annotations

import shutil
import threading
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from omoide.characters.names import exactly, meant, namesakes, owner
from omoide.characters.reading import (
    CARD,
    CARD_ENDINGS,
    PROFILE,
    Read,
    amended_name,
    from_card,
    read_folder,
    stamp_of,
)
from omoide.domain.text import composed, fold
from omoide.errors import ImportFailed, InvalidInput, UnknownCharacter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.characters.sheet import Sheet
    from omoide.config import Settings


class Characters:
    """The characters of a folder, and the samples.

    One that cannot be read does no harm to the others: `find` raises what is wrong with it, and `problems`
    lists it. So it is with one that has another's name, for memories go by names: whoever talked with it
    would hear what the other was told (K1). The first in the order of the folders keeps the name; a sample
    keeps its own, unless one of the same id takes its place. All methods block.

    Args:
        folder: one folder for each character; None for the samples alone.
        samples: whether the sample characters are there too. One of the folder with the same id wins.
    """

    def __init__(self, folder: Path | None = None, *, samples: bool = True) -> None:
        self.folder = folder
        own = [] if folder is None else [(folder, False)]
        coming_along = Path(str(files("omoide") / "samples" / "characters"))
        self._places = [*own, (coming_along, True)] if samples else own
        self._read: dict[Path, Read] = {}
        self._lock = threading.Lock()

    @classmethod
    def load(cls, folder: Path | None = None, *, samples: bool = True) -> Characters:
        """The characters of a folder that you name; those of an engine are `of` its settings.

        Raises:
            InvalidInput: there is no such folder.
        """
        folder = None if folder is None else folder.expanduser()
        if folder is not None and not folder.is_dir():
            msg = f"there is no folder of characters {str(folder)!r}; make it, or set characters to another"
            raise InvalidInput(msg)
        return cls(folder, samples=samples)

    @classmethod
    def of(cls, settings: Settings) -> Characters:
        """The characters of the settings' tenant, whose own folder need not be there.

        Raises:
            InvalidInput: there is no such folder of characters as the settings name.
        """
        cls.load(settings.characters)
        return cls(settings.home)

    def all(self) -> list[Sheet]:
        """Every character that can be read, by id."""
        return sorted((read.sheet for read in self._now().values() if read.sheet), key=lambda one: one.id)

    def problems(self) -> dict[str, str]:
        """What is wrong with the others, by id."""
        return {folder.name: str(read.problem) for folder, read in self._now().items() if read.problem}

    def find(self, name: str) -> Sheet:
        """The character of this id, name or nickname.

        Raises:
            UnknownCharacter: there is none; the message lists those that there are.
            InvalidInput, ImportFailed: it cannot be read; the message says what is wrong.
        """
        now = self._now()
        wanted = fold(name)
        sheets = _sheets(now)
        for folder, read in now.items():
            if fold(folder.name) == wanted and read.problem is not None and exactly(sheets, name) is None:
                raise read.problem
        found = meant(sheets, name, nicknames=True)
        if found is not None:
            return found
        known = ", ".join(sorted(repr(sheet.id) for sheet in sheets)) or "none at all"
        msg = (
            f"no character is called {name!r}; there are {known}; "
            "`omoide characters import FOLDER` brings in others"
        )
        raise UnknownCharacter(msg)

    def names(self) -> set[str]:
        """The names under which the characters here remember."""
        return {sheet.name for sheet in _sheets(self._now())}

    def callings(self) -> set[str]:
        """Everything that anybody here is called by: names, nicknames and ids."""
        return {name for one in _everyone(self._now()) for name in (one.name, one.called, one.id)}

    def called(self, name: str) -> str:
        """The name under which a character remembers, whether it is meant by its name or its id, in any case.

        A name that nobody here has is the name of a character that lives elsewhere. What is returned means
        itself: whoever asks again, or limits a key to it, gets no other character by it.
        """
        found = meant(_sheets(self._now()), name, nicknames=False)
        return name if found is None else found.name

    def other(self, name: str, *, id: str) -> Sheet | None:
        """Another character, with another id, that has this name already, be it as its nickname or id."""
        own = fold(id)
        return owner((sheet for sheet in _everyone(self._now()) if fold(sheet.id) != own), [name])

    def add_card(
        self,
        card: Path,
        *,
        id: str | None = None,
        name: str | None = None,
    ) -> Sheet:
        """Take a character card over into the folder, as it is; a second time changes nothing.

        Args:
            card: the file.
            id: the name of its folder; by default that of the file.
            name: what memories know it by, in place of the card's own name.

        Raises:
            InvalidInput: there is no folder, another character has that id, or that name.
            ImportFailed: it is no card.
        """
        if card.suffix.lower() not in CARD_ENDINGS:
            msg = f"{card.name!r} is no card; cards are files that end in {', '.join(CARD_ENDINGS)}"
            raise ImportFailed(msg)
        if self.folder is None:
            msg = "cards go into the folder of characters; set characters (OMOIDE_CHARACTERS) to one"
            raise InvalidInput(msg)
        folder = self.folder / _folder_name(id or card.stem)
        amended = None if name is None else amended_name(name)
        made = from_card(folder, card, amended)
        if (same := self._taken_over(made, card)) is not None:
            return same
        self._refuse_namesake(made)
        try:
            folder.mkdir(parents=True)
            if amended is not None:
                (folder / PROFILE).write_bytes(amended)
            shutil.copyfile(card, folder / f"{CARD}{card.suffix.lower()}")
        except OSError as error:
            msg = f"the folder {str(folder)!r} cannot be made: {error.strerror}; choose another id (--id)"
            raise InvalidInput(msg) from error
        return made

    def _taken_over(self, made: Sheet, card: Path) -> Sheet | None:
        """The same card under the same id and name, where it is here already."""
        here = made.folder / f"{CARD}{card.suffix.lower()}"
        if not here.is_file() or here.read_bytes() != card.read_bytes():
            return None
        known = self.find(made.id)
        return known if known.folder == made.folder and known.name == made.name else None

    def _refuse_namesake(self, made: Sheet) -> None:
        """Memories and doors go by names: a stranger's card gets at nobody's by its name (K1)."""
        sheets = _everyone(self._now())
        if (other := owner(sheets, [made.id])) is not None:
            msg = f"{_other(other)} is called {made.id!r}; choose another id for the card (--id)"
            raise InvalidInput(msg)
        if (other := owner(sheets, [made.name])) is not None:
            msg = (
                f"{_other(other)} is called {made.name!r}, and the two would share one memory; "
                "give the card another name (--name)"
            )
            raise InvalidInput(msg)

    def _now(self) -> dict[Path, Read]:
        """Every character's folder as it is now; only what has changed is read."""
        with self._lock:
            now: dict[Path, Read] = {}
            ids: dict[str, Path] = {}
            for folder, sample in self._folders():
                stamp = stamp_of(folder)
                if not stamp:
                    continue
                first = ids.setdefault(fold(folder.name), folder)
                if first == folder:
                    known = self._read.get(folder)
                    fresh = known is not None and known.stamp == stamp
                    now[folder] = known if known and fresh else read_folder(folder, stamp, sample=sample)
                elif not sample:
                    now[folder] = Read(stamp=(), problem=_same(first, folder))
            self._read = now
            refused = {
                sheet.folder: Read(stamp=(), problem=_namesake(sheet, other))
                for sheet, other in namesakes(_everyone(now))
            }
            return {**now, **refused}

    def _folders(self) -> Iterator[tuple[Path, bool]]:
        for place, sample in self._places:
            if place.is_dir():
                yield from ((folder, sample) for folder in sorted(place.iterdir()) if folder.is_dir())


def _same(folder: Path, other: Path) -> InvalidInput:
    msg = f"the characters {folder.name!r} and {other.name!r} have one id, as case does not count; rename one"
    return InvalidInput(msg)


def _namesake(sheet: Sheet, other: Sheet) -> InvalidInput:
    own = f"; to take the place of the sample, call its folder {other.id!r}" if other.sample else ""
    msg = (
        f"the character {sheet.id!r} has the name {sheet.name!r}, as {_other(other)} has, and would share "
        f"its memory; write another name into {sheet.id}/{PROFILE}{own}"
    )
    return InvalidInput(msg)


def _other(sheet: Sheet) -> str:
    return f"{'the sample' if sheet.sample else 'the character'} {sheet.id!r}"


def _sheets(now: dict[Path, Read]) -> list[Sheet]:
    return [read.sheet for read in now.values() if read.sheet is not None]


def _everyone(now: dict[Path, Read]) -> list[Sheet]:
    """Also those that cannot be talked with."""
    return [one for read in now.values() if (one := read.sheet or read.unplayed) is not None]


def _folder_name(wanted: str) -> str:
    name = composed(wanted)
    if not name.strip(". ") or set(name) & set("/\\\0"):
        msg = f"a folder cannot be called {name!r}; choose another id"
        raise InvalidInput(msg)
    return name
