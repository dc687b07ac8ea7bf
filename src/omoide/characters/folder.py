"""The folder of characters, with those that come with Omoide; what changes on the disk is read anew (H3)."""

from __future__ import annotations

import shutil
import threading
from dataclasses import dataclass
from datetime import UTC
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from omoide.characters.profile import LONGEST, Amendment, Profile, read_amendment, read_profile
from omoide.characters.sheet import Sheet
from omoide.domain.session_state import SessionState
from omoide.domain.text import clean, composed, fold, language
from omoide.errors import ImportFailed, InvalidInput, OmoideError, UnknownCharacter, UnsafeFile
from omoide.importers import Limits, parse
from omoide.prompts.sandbox import SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.config import Settings
    from omoide.domain.imported import Character

PROFILE: Final = "profile.yaml"
PROMPT: Final = "prompt.jinja"
CARD: Final = "card"
_CARD_ENDINGS: Final = (".png", ".json", ".charx", ".jpg", ".jpeg")
_CARD_LIMITS: Final = Limits(
    file_bytes=32 * 1024 * 1024, zip_bytes=128 * 1024 * 1024, json_values=200_000, zip_members=512
)
_LONGEST_CARD: Final = 40_000
"""Characters of a card's texts that go into a prompt."""

_Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    stamp: _Stamp
    sheet: Sheet | None = None
    problem: OmoideError | None = None


class Characters:
    """The characters of a folder, and the samples.

    One that cannot be read does no harm to the others: `find` raises what is wrong with it, and `problems`
    lists it. All methods block.

    Args:
        folder: one folder for each character; None for the samples alone.
        samples: whether the sample characters are there too. One of the folder with the same id wins.
    """

    def __init__(self, folder: Path | None = None, *, samples: bool = True) -> None:
        self.folder = folder
        own = [] if folder is None else [(folder, False)]
        coming_along = Path(str(files("omoide") / "samples" / "characters"))
        self._places = [*own, (coming_along, True)] if samples else own
        self._read: dict[Path, _Read] = {}
        self._lock = threading.Lock()

    @classmethod
    def load(cls, folder: Path | None = None, *, samples: bool = True) -> Characters:
        """The characters of a folder.

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
        for folder, read in now.items():
            if fold(folder.name) == wanted and read.problem is not None:
                raise read.problem
        sheets = [read.sheet for read in now.values() if read.sheet is not None]
        for names in (_ids, _names, _nicknames):
            found = next((sheet for sheet in sheets if fold(names(sheet)) == wanted), None)
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
        return {read.sheet.name for read in self._now().values() if read.sheet is not None}

    def called(self, name: str) -> str:
        """The name under which a character remembers, whether it is meant by its name or its id, in any case.

        A name that nobody here has is the name of a character that lives elsewhere. What is returned means
        itself: whoever asks again, or limits a key to it, gets no other character by it.
        """
        sheets = [read.sheet for read in self._now().values() if read.sheet is not None]
        if any(sheet.name == name for sheet in sheets):
            return name
        wanted = fold(name)
        alike = (sheet.name for names in (_ids, _names) for sheet in sheets if fold(names(sheet)) == wanted)
        return next(alike, name)

    def add_card(self, card: Path, *, id: str | None = None) -> Sheet:  # noqa: A002 - what it is
        """Take a character card over into the folder, as it is.

        Args:
            card: the file.
            id: the name of its folder; by default that of the file.

        Raises:
            InvalidInput: there is no folder, or that character is there already.
            ImportFailed: it is no card.
        """
        if card.suffix.lower() not in _CARD_ENDINGS:
            msg = f"{card.name!r} is no card; cards are files that end in {', '.join(_CARD_ENDINGS)}"
            raise ImportFailed(msg)
        if self.folder is None:
            msg = "cards go into the folder of characters; set characters (OMOIDE_CHARACTERS) to one"
            raise InvalidInput(msg)
        name = composed(id or card.stem)
        if not name.strip(". ") or set(name) & set("/\\\0"):
            msg = f"a folder cannot be called {name!r}; choose another id"
            raise InvalidInput(msg)
        folder = self.folder / name
        made = _from_card(folder, card, None)
        try:
            folder.mkdir(parents=True)
            shutil.copyfile(card, folder / f"{CARD}{card.suffix.lower()}")
        except OSError as error:
            msg = f"the folder {str(folder)!r} cannot be made: {error.strerror}; choose another id"
            raise InvalidInput(msg) from error
        return made

    def _now(self) -> dict[Path, _Read]:
        """Every character's folder as it is now; only what has changed is read."""
        with self._lock:
            now: dict[Path, _Read] = {}
            ids: dict[str, Path] = {}
            for folder, sample in self._folders():
                stamp = _stamp(folder)
                if not stamp:
                    continue
                first = ids.setdefault(fold(folder.name), folder)
                if first == folder:
                    known = self._read.get(folder)
                    fresh = known is not None and known.stamp == stamp
                    now[folder] = known if known and fresh else _read(folder, stamp, sample=sample)
                elif not sample:
                    now[folder] = _Read(stamp=(), problem=_same(first, folder))
            self._read = now
            return dict(now)

    def _folders(self) -> Iterator[tuple[Path, bool]]:
        for place, sample in self._places:
            if place.is_dir():
                yield from ((folder, sample) for folder in sorted(place.iterdir()) if folder.is_dir())


def _stamp(folder: Path) -> _Stamp:
    """What tells one state of a character's files from another; empty for a folder that holds none."""
    found = []
    for name in (PROFILE, PROMPT, *(f"{CARD}{ending}" for ending in _CARD_ENDINGS)):
        try:
            status = (folder / name).stat()
        except OSError:
            continue
        found.append((name, status.st_mtime_ns, status.st_size))
    return tuple(found)


def _read(folder: Path, stamp: _Stamp, *, sample: bool) -> _Read:
    try:
        return _Read(stamp=stamp, sheet=_sheet(folder, [name for name, _, _ in stamp], sample=sample))
    except OmoideError as error:
        return _Read(stamp=stamp, problem=error)


def _same(folder: Path, other: Path) -> InvalidInput:
    msg = f"the characters {folder.name!r} and {other.name!r} have one id, as case does not count; rename one"
    return InvalidInput(msg)


def _sheet(folder: Path, names: list[str], *, sample: bool) -> Sheet:
    for name in names:
        _check_inside(folder / name)
    profile = folder / PROFILE
    card = next((folder / name for name in names if name.startswith(f"{CARD}.")), None)
    if card is not None:
        amended = _bytes(profile, LONGEST) if PROFILE in names else None
        return _from_card(folder, card, amended)
    for needed in (PROFILE, PROMPT):
        if needed not in names:
            msg = f"the character {folder.name!r} lacks {needed}; write it into {str(folder)!r}"
            raise InvalidInput(msg)
    sheet = Sheet(
        id=composed(folder.name),
        profile=read_profile(_bytes(profile, LONGEST), file=_called(profile)),
        folder=folder,
        template=_text(folder / PROMPT),
        sample=sample,
    )
    sheet.prompt("user", SessionState())  # what is wrong with it is told before anybody talks to it
    return sheet


def _from_card(folder: Path, file: Path, amended: bytes | None) -> Sheet:
    found = parse(file, zone=UTC, format="card", limits=_CARD_LIMITS).characters
    if not found:
        msg = f"{_called(file)!r} holds no character"
        raise ImportFailed(msg)
    card = found[0]
    if sum(map(len, card.text.values())) > _LONGEST_CARD:
        msg = f"the texts of {_called(file)!r} are longer than {_LONGEST_CARD} characters; shorten the card"
        raise UnsafeFile(msg)
    said = Amendment()
    if amended is not None:
        said = read_amendment(amended, file=_called(folder / PROFILE))
    described = _described(card, file)
    profile = described.model_copy(update=said.model_dump(exclude_none=True))
    return Sheet(id=composed(folder.name), profile=profile, folder=folder, card=card)


def _described(card: Character, file: Path) -> Profile:
    text = card.text
    try:
        return Profile(
            name=card.name,
            nickname=card.nickname,
            language=language("\n".join(text.values())),
            greeting=text.get("first_mes", ""),
            description=text.get("description", ""),
        )
    except ValueError as error:
        msg = f"the card {_called(file)!r} has a name or texts too long to be used; shorten them"
        raise ImportFailed(msg) from error


def _check_inside(file: Path) -> None:
    """A folder that somebody else made shows nothing of this machine but what is in it."""
    if not file.resolve().is_relative_to(file.parent.resolve()):
        msg = f"the file {_called(file)!r} is a link out of its folder; put a copy there"
        raise InvalidInput(msg)


def _bytes(file: Path, most: int) -> bytes:
    """The beginning of a file, one byte more than may be."""
    try:
        with file.open("rb") as stream:
            return stream.read(most + 1)
    except OSError as error:
        msg = f"the file {str(file)!r} cannot be read: {error.strerror}"
        raise InvalidInput(msg) from error


def _text(file: Path) -> str:
    data = _bytes(file, SOURCE * 4)
    try:
        return clean(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        msg = f"the template {_called(file)!r} is not in UTF-8, or longer than {SOURCE} characters"
        raise InvalidInput(msg) from None


def _called(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def _ids(sheet: Sheet) -> str:
    return sheet.id


def _names(sheet: Sheet) -> str:
    return sheet.name


def _nicknames(sheet: Sheet) -> str:
    return sheet.called
