"""The folder of characters, with those that come with Omoide; what changes on the disk is read anew (H3)."""

from __future__ import annotations

import json
import shutil
import threading
from dataclasses import dataclass, replace
from datetime import UTC
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from omoide.characters.names import exactly, meant, namesakes, owner
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
    unplayed: Sheet | None = None
    """Who cannot be talked with, and may remember all the same: a life without a prompt has a past."""


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
        if card.suffix.lower() not in _CARD_ENDINGS:
            msg = f"{card.name!r} is no card; cards are files that end in {', '.join(_CARD_ENDINGS)}"
            raise ImportFailed(msg)
        if self.folder is None:
            msg = "cards go into the folder of characters; set characters (OMOIDE_CHARACTERS) to one"
            raise InvalidInput(msg)
        folder = self.folder / _folder_name(id or card.stem)
        amended = None if name is None else _naming(name)
        made = _from_card(folder, card, amended)
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
            refused = {
                sheet.folder: _Read(stamp=(), problem=_namesake(sheet, other))
                for sheet, other in namesakes(_everyone(now))
            }
            return {**now, **refused}

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
        return _Read(stamp=stamp, problem=error, unplayed=_unplayed(folder, sample=sample))


def _same(folder: Path, other: Path) -> InvalidInput:
    msg = f"the characters {folder.name!r} and {other.name!r} have one id, as case does not count; rename one"
    return InvalidInput(msg)


def _unplayed(folder: Path, *, sample: bool) -> Sheet | None:
    try:
        profile = read_profile(_bytes(folder / PROFILE, LONGEST), file=PROFILE)
    except InvalidInput:
        return None
    return Sheet(id=composed(folder.name), profile=profile, folder=folder, sample=sample)


def _namesake(sheet: Sheet, other: Sheet) -> InvalidInput:
    own = f"; to take the place of the sample, call its folder {other.id!r}" if other.sample else ""
    msg = (
        f"the character {sheet.id!r} has the name {sheet.name!r}, as {_other(other)} has, and would share "
        f"its memory; write another name into {sheet.id}/{PROFILE}{own}"
    )
    return InvalidInput(msg)


def _other(sheet: Sheet) -> str:
    return f"{'the sample' if sheet.sample else 'the character'} {sheet.id!r}"


def _sheets(now: dict[Path, _Read]) -> list[Sheet]:
    return [read.sheet for read in now.values() if read.sheet is not None]


def _everyone(now: dict[Path, _Read]) -> list[Sheet]:
    """Also those that cannot be talked with."""
    return [one for read in now.values() if (one := read.sheet or read.unplayed) is not None]


def _folder_name(wanted: str) -> str:
    name = composed(wanted)
    if not name.strip(". ") or set(name) & set("/\\\0"):
        msg = f"a folder cannot be called {name!r}; choose another id"
        raise InvalidInput(msg)
    return name


def _naming(name: str) -> bytes:
    """The profile beside a card that has another name than the card says."""
    return f"name: {json.dumps(name, ensure_ascii=False)}\n".encode(errors="replace")


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
            msg = f"the character {folder.name!r} lacks {needed}; write it into its folder"
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
    shown = _called(file) if file.parent == folder else file.name
    found = parse(file, zone=UTC, format="card", limits=_CARD_LIMITS).characters
    if not found:
        msg = f"{shown!r} holds no character"
        raise ImportFailed(msg)
    card = found[0]
    if sum(map(len, card.text.values())) > _LONGEST_CARD:
        msg = f"the texts of {shown!r} are longer than {_LONGEST_CARD} characters; shorten the card"
        raise UnsafeFile(msg)
    said = Amendment()
    if amended is not None:
        said = read_amendment(amended, file=_called(folder / PROFILE))
    if not card.named:  # what its file is called changes when it is taken over
        card = replace(card, name=composed(folder.name))
    described = _described(card, shown)
    profile = described.model_copy(update=said.model_dump(exclude_none=True))
    return Sheet(id=composed(folder.name), profile=profile, folder=folder, card=card)


def _described(card: Character, shown: str) -> Profile:
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
        msg = f"the card {shown!r} has a name or texts too long to be used; shorten them"
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
        msg = f"the file {_called(file)!r} cannot be read: {error.strerror}"
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
