"""Files that come over HTTP: chats and lorebooks into memory, cards into the folder of characters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel

from omoide.characters import Characters, Sheet
from omoide.domain.instants import zone_of
from omoide.domain.session_state import SessionState
from omoide.domain.text import composed
from omoide.engine import Engine
from omoide.errors import Forbidden, UnknownCharacter
from omoide.importers import Parsed, parse
from omoide.importing import (
    ImportView,
    Plan,
    Summary,
    Whose,
    carry_out,
    is_export,
    plan,
    read_exports,
)
from omoide.retain.transfer import Export
from omoide.server.access import Access
from omoide.server.doors import AdminAccess, AnyAccess, AnyEngine, AnyHome

T = TypeVar("T")
router = APIRouter(prefix="/api", tags=["files"])

_Name = Annotated[
    str, Query(description="The file's name, whose ending may matter.", min_length=1, max_length=255)
]
_RAW = {
    "requestBody": {
        "description": "The file as it is.",
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


async def _raw(request: Request) -> bytes:
    """The body as it came, whatever its type is said to be."""
    return await request.body()


_Content = Annotated[bytes, Depends(_raw)]


class CharacterView(BaseModel):
    """A character that one can talk with.

    Attributes:
        id: by which it is asked for.
        name: by which memories know it.
        nickname: what it calls itself, where that is not its name.
        language: what it speaks.
        emotions: what it may show.
        greeting: what it says first.
        description: who it is.
        birthday: when it was born.
        sample: whether it comes with Omoide.
        card: whether it came as a character card.
    """

    id: str
    name: str
    nickname: str | None
    language: str
    emotions: list[str]
    greeting: str
    description: str
    birthday: str | None
    sample: bool
    card: bool

    @classmethod
    def of(cls, sheet: Sheet) -> CharacterView:
        """The view of a character."""
        profile = sheet.profile
        return cls(
            id=sheet.id,
            name=profile.name,
            nickname=profile.nickname,
            language=profile.language,
            emotions=list(profile.emotions),
            greeting=profile.greeting,
            description=profile.description,
            birthday=None if profile.birthday is None else profile.birthday.isoformat(),
            sample=sheet.sample,
            card=sheet.card is not None,
        )


class PromptView(CharacterView):
    """A character, and the prompt that a model gets of it."""

    prompt: str


@router.post("/import-file", openapi_extra=_RAW)
async def import_file(
    home: AnyHome,
    engine: AnyEngine,
    access: AnyAccess,
    content: _Content,
    name: _Name,
    user: Annotated[str | None, Query(max_length=512, description="'' for a character alone")] = None,
    character: Annotated[str | None, Query(max_length=512)] = None,
    format: Annotated[str | None, Query(description="Found by the content without it.")] = None,
    timezone: Annotated[str | None, Query(description="What dates without a zone are local to.")] = None,
    *,
    hidden: Annotated[bool, Query(description="Take in what the program hid from its model.")] = True,
    dry_run: Annotated[bool, Query(description="Say what would come in, and write nothing.")] = False,
) -> ImportView:
    """Import a chat, a lorebook or an export of ours; a second time changes nothing."""
    whose = Whose(
        user=None if user is None else composed(user),
        character=None if character is None else home.characters.called(composed(character)),
    )
    zone = zone_of(timezone or engine.settings.zone)

    def read(path: Path) -> tuple[list[tuple[Path, Parsed]], list[Export]]:
        if format is None and is_export(path):
            return [], read_exports(path, whose)
        parsed = parse(path, zone=zone, hidden=hidden, format=format)
        return [(Path(name), parsed)], []

    files, exports = await engine.run(lambda: _on_disk(name, content, read))
    planned = plan(files, whose, exports=exports, called=home.characters.called)
    for one, other in planned.scopes:
        access.check(one, other)
    summary = Summary()
    if not dry_run:
        await _carry_out(engine, planned, summary)
    return ImportView.of(files, planned, summary, dry_run=dry_run)


@router.get("/characters")
async def characters(home: AnyHome, engine: AnyEngine, access: AnyAccess) -> list[CharacterView]:
    """The characters that one can talk with, as far as the key reaches."""
    known = await engine.read(home.characters.all)
    return [CharacterView.of(sheet) for sheet in known if _reaches(access, sheet)]


@router.get("/characters/{name:path}")
async def character(home: AnyHome, engine: AnyEngine, access: AnyAccess, name: str) -> PromptView:
    """One character, and the prompt that a model gets of it, which is nothing for whoever has but a token."""
    if access.token:
        msg = "a token does not show the prompts of characters"
        raise Forbidden(msg)
    sheet = await engine.read(lambda: _found(home.characters, access, name))
    prompt = await engine.read(lambda: sheet.prompt("user", SessionState()))
    return PromptView(**CharacterView.of(sheet).model_dump(), prompt=prompt)


@router.post("/characters", status_code=201, openapi_extra=_RAW)
async def add_character(
    home: AnyHome,
    engine: AnyEngine,
    access: AdminAccess,
    content: _Content,
    name: _Name,
    as_id: Annotated[
        str | None, Query(alias="id", max_length=255, description="By default the file's name.")
    ] = None,
    called: Annotated[
        str | None, Query(max_length=80, description="What memories know it by; by default the card's name.")
    ] = None,
) -> CharacterView:
    """Take a character card (PNG, JSON or CHARX) over into the folder of characters.

    It is refused under the name, nickname or id of another character, with which it would share one memory.
    """
    del access
    known = home.characters

    def take(path: Path) -> Sheet:
        return known.add_card(path, id=as_id, name=called)

    return CharacterView.of(await engine.run(lambda: _on_disk(name, content, take)))


async def _carry_out(engine: Engine, planned: Plan, summary: Summary) -> None:
    await carry_out(engine, planned, summary, step=lambda _: None)


def _on_disk(name: str, content: bytes, work: Callable[[Path], T]) -> T:
    """Do something with a file that is there as long; nothing of its name but the last part counts."""
    with _written(name, content) as path:
        return work(path)


@contextmanager
def _written(name: str, content: bytes) -> Iterator[Path]:
    last = name.replace("\\", "/").rpartition("/")[2].replace("\0", "").strip(". ") or "file"
    with TemporaryDirectory() as folder:
        path = Path(folder) / last
        path.write_bytes(content)
        yield path


def _found(characters: Characters, access: Access, name: str) -> Sheet:
    """A character by name, of those that the key reaches."""
    try:
        sheet = characters.find(name)
    except UnknownCharacter:
        if access.characters is None:
            raise
        sheet = None
    if sheet is None or not _reaches(access, sheet):
        msg = f"the key {access.label!r} does not reach this character"
        raise Forbidden(msg)
    return sheet


def _reaches(access: Access, sheet: Sheet) -> bool:
    return access.characters is None or composed(sheet.name) in access.characters
