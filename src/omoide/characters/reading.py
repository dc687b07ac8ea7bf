"""A character out of its folder: a profile and a prompt, or a card with what a profile amends (H3)."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING, Final

from omoide.characters.profile import LONGEST, Amendment, Profile, read_amendment, read_profile
from omoide.characters.sheet import Sheet
from omoide.domain.session_state import SessionState
from omoide.domain.text import clean, composed, language
from omoide.errors import ImportFailed, InvalidInput, OmoideError, UnsafeFile
from omoide.importers import Limits, parse
from omoide.prompts.sandbox import SOURCE

if TYPE_CHECKING:
    from pathlib import Path

    from omoide.domain.imported import Character

PROFILE: Final = "profile.yaml"
PROMPT: Final = "prompt.jinja"
CARD: Final = "card"
CARD_ENDINGS: Final = (".png", ".json", ".charx", ".jpg", ".jpeg")
_CARD_LIMITS: Final = Limits(
    file_bytes=32 * 1024 * 1024, zip_bytes=128 * 1024 * 1024, json_values=200_000, zip_members=512
)
_LONGEST_CARD: Final = 40_000
"""Characters of a card's texts that go into a prompt."""

Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Read:
    """What a folder holds: a character, or what is wrong with it; and by which state of its files."""

    stamp: Stamp
    sheet: Sheet | None = None
    problem: OmoideError | None = None
    unplayed: Sheet | None = None
    """Who cannot be talked with, and may remember all the same: a life without a prompt has a past."""


def stamp_of(folder: Path) -> Stamp:
    """What tells one state of a character's files from another; empty for a folder that holds none."""
    found = []
    for name in (PROFILE, PROMPT, *(f"{CARD}{ending}" for ending in CARD_ENDINGS)):
        try:
            status = (folder / name).stat()
        except OSError:
            continue
        found.append((name, status.st_mtime_ns, status.st_size))
    return tuple(found)


def read_folder(folder: Path, stamp: Stamp, *, sample: bool) -> Read:
    """The character of a folder whose files are in such a state."""
    try:
        return Read(stamp=stamp, sheet=_sheet(folder, [name for name, _, _ in stamp], sample=sample))
    except OmoideError as error:
        return Read(stamp=stamp, problem=error, unplayed=_unplayed(folder, sample=sample))


def _unplayed(folder: Path, *, sample: bool) -> Sheet | None:
    try:
        profile = read_profile(_bytes(folder / PROFILE, LONGEST), file=PROFILE)
    except InvalidInput:
        return None
    return Sheet(id=composed(folder.name), profile=profile, folder=folder, sample=sample)


def amended_name(name: str) -> bytes:
    """The profile beside a card that has another name than the card says."""
    return f"name: {json.dumps(name, ensure_ascii=False)}\n".encode(errors="replace")


def _sheet(folder: Path, names: list[str], *, sample: bool) -> Sheet:
    for name in names:
        _check_inside(folder / name)
    profile = folder / PROFILE
    card = next((folder / name for name in names if name.startswith(f"{CARD}.")), None)
    if card is not None:
        amended = _bytes(profile, LONGEST) if PROFILE in names else None
        return from_card(folder, card, amended)
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


def from_card(folder: Path, file: Path, amended: bytes | None) -> Sheet:
    """The character of a card that lies in a folder, or is to lie there.

    Raises:
        ImportFailed: it is no card, or says too much.
        InvalidInput: what is amended is no profile.
    """
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
    if file.exists() and not file.is_file():  # a pipe would never end
        msg = f"{_called(file)!r} is no ordinary file; put one there"
        raise InvalidInput(msg)
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
