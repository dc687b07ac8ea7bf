"""Lives out of a store into a folder (K12)."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omoide.authoring.bringing import HELD, as_written, with_age
from omoide.authoring.folder import DIARY, DIARY_FILE, EVENTS
from omoide.authoring.writing import (
    as_file_name,
    diary_markdown,
    diary_yaml,
    events_yaml,
    file_names,
    in_order,
    profile_yaml,
)
from omoide.characters.profile import Profile, read_profile
from omoide.characters.reading import CARD, PROFILE, PROMPT
from omoide.domain.diary import BASIC_SCORES
from omoide.domain.model import Kind
from omoide.domain.text import language
from omoide.errors import InvalidInput, UnknownScope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from omoide.authoring.folder import Lives
    from omoide.characters.folder import Characters
    from omoide.domain.diary import Diary
    from omoide.domain.event import Event
    from omoide.domain.model import Memory
    from omoide.engine import Engine


@dataclass(frozen=True, kw_only=True, slots=True)
class Pasts:
    """What the characters of a store remember of their own lives, by name, and the events they share.

    Attributes:
        diaries: as their authors wrote them.
        aged: the same with the ages that were worked out, for whose birthday no profile tells.
        events: those that they were at.
    """

    diaries: Mapping[str, Sequence[Diary]]
    aged: Mapping[str, Sequence[Diary]]
    events: tuple[Event, ...]


async def pasts(engine: Engine) -> Pasts:
    """The past of every character of a store, as its author would write it."""
    names = [scope.character for scope in await engine.scopes() if scope.user is None]
    held = {name: memories for name in names if (memories := await _held(engine, name))}
    told = {name: in_order(map(as_written, memories)) for name, memories in held.items()}
    aged = {name: in_order(map(with_age, memories)) for name, memories in held.items()}
    events = [event for event in await engine.events() if set(event.participants) & set(told)]
    return Pasts(diaries=told, aged=aged, events=tuple(events))


def write_folder(folder: Path, told: Pasts, characters: Characters, *, markdown: bool = False) -> None:
    """Write pasts into a folder, as `read_folder` reads it.

    Args:
        folder: new, or empty.
        told: what to write.
        characters: those whose profiles are known; of another, only the name and the language are written.
            Where no birthday is known, the ages that were worked out from it are written too.
        markdown: a file for each memory in place of one list.

    Raises:
        InvalidInput: something lies there already, or it cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        msg = f"something lies in {str(folder)!r} already; choose a folder that is new or empty"
        raise InvalidInput(msg)
    try:
        _write_all(folder, told, characters, markdown=markdown)
    except OSError as error:
        msg = f"the folder {str(folder)!r} cannot be written: {error.strerror}"
        raise InvalidInput(msg) from error


def profiles_of(characters: Characters) -> dict[str, tuple[Path, Profile]]:
    """The folders and profiles of characters by name, also of those that lack a prompt to talk with."""
    found = {sheet.name: (sheet.folder, sheet.profile) for sheet in characters.all()}
    folder = characters.folder
    for file in [] if folder is None else sorted(folder.glob(f"*/{PROFILE}")):
        with suppress(InvalidInput, OSError):
            profile = read_profile(file.read_bytes(), file=file.name)
            found.setdefault(profile.name, (file.parent, profile))
    return found


def take_over(lives: Lives, characters: Path) -> list[str]:
    """Copy profiles and prompts into the folder of characters, so that one can talk with them.

    Returns:
        The ids of those that are new there, or changed.

    Raises:
        InvalidInput: it cannot be written.
    """
    try:
        return [life.folder.name for life in lives.lives if _copied(life.folder, characters)]
    except OSError as error:
        msg = f"the folder {str(characters)!r} cannot be written: {error.strerror}"
        raise InvalidInput(msg) from error


async def _held(engine: Engine, character: str) -> list[Memory]:
    """A character's own past as it is in the store."""
    try:
        return await engine.scope(character=character).memories(kinds=[Kind.DIARY], statuses=HELD)
    except UnknownScope:
        return []


def _write_all(folder: Path, told: Pasts, characters: Characters, *, markdown: bool) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if told.events:
        _write(folder / EVENTS, events_yaml(told.events))
    homes = profiles_of(characters)
    for name, diaries in told.diaries.items():
        home, profile = homes.get(name, (Path(as_file_name(name)), None))
        place = folder / home.name
        place.mkdir()
        if profile is None:
            _write(place / PROFILE, profile_yaml(_least(name, diaries)))
        elif not _copied(home, folder):
            _write(place / PROFILE, profile_yaml(profile))
        aged = profile is None or profile.birthday is None
        _write_diaries(place, told.aged[name] if aged else diaries, markdown=markdown)


def _write_diaries(place: Path, diaries: Sequence[Diary], *, markdown: bool) -> None:
    if not markdown:
        _write(place / DIARY_FILE, diary_yaml(diaries))
        return
    (place / DIARY).mkdir()
    for name, diary in zip(file_names(diaries), diaries, strict=True):
        _write(place / DIARY / name, diary_markdown(diary))


def _copied(home: Path, characters: Path) -> bool:
    """Copy what makes a character besides its past; whether anything was new.

    A profile beside a card only amends it, and is none by itself: nothing is copied then.
    """
    place, new = characters / home.name, False
    if any(home.glob(f"{CARD}.*")):
        return False
    for file in (home / PROFILE, home / PROMPT):
        meant = place / file.name
        if not file.is_file() or (meant.is_file() and meant.read_bytes() == file.read_bytes()):
            continue
        place.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, meant)
        new = True
    return new


def _least(name: str, diaries: Iterable[Diary]) -> Profile:
    """The least that makes a profile, for a character of whom no other is known."""
    told = list(diaries)
    own = {score for diary in told for score in diary.scores if score not in BASIC_SCORES}
    spoken = language("\n".join(diary.text for diary in told))
    return Profile(name=name, language=spoken, scores=tuple(sorted(own)))


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="\n")
