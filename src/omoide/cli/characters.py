"""Commands on characters: who is there, what they are like, and taking a card over."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.cli import show
from omoide.cli.options import Json, Where
from omoide.cli.running import settings_of, tell

if TYPE_CHECKING:
    from omoide.characters import Characters, Sheet

characters = typer.Typer(help="The characters that one can talk with.", invoke_without_command=True)


@characters.callback()
def every(context: typer.Context) -> None:
    """List them where nothing else is asked."""
    if context.invoked_subcommand is None:
        _list(json=False)


@characters.command("list")
def characters_list(*, json: Json = False) -> None:
    """List the characters of your folder (the setting `characters`), and the samples."""
    _list(json=json)


@characters.command("show")
def characters_show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its id, name or nickname.")],
    *,
    json: Json = False,
) -> None:
    """Show one character, and the prompt that a model gets of it."""
    from omoide.domain.session_state import SessionState

    sheet = _known().find(name)
    prompt = sheet.prompt("user", SessionState())
    if json:
        show.as_json({**_fields(sheet), "prompt": prompt})
        return
    for field, value in _fields(sheet).items():
        if value not in (None, ""):
            show.say(f"{field}: {', '.join(value) if isinstance(value, list) else value}")
    show.say(f"\n{prompt}")


@characters.command("import")
def characters_import(
    card: Annotated[Path, typer.Argument(metavar="CARD", help="A character card: PNG, JSON or CHARX.")],
    *,
    as_id: Annotated[
        str | None, typer.Option("--id", metavar="NAME", help="Its id; by default the name of the file.")
    ] = None,
    json: Json = False,
) -> None:
    """Take a character card over into your folder of characters."""
    sheet = _known().add_card(card, id=as_id)
    show.answer(_fields(sheet), f"{sheet.name} is there as {sheet.id!r}", json=json)


def _known() -> Characters:
    from omoide.characters import Characters

    return Characters.load(settings_of(Where(), vectors=False).characters)


def _list(*, json: bool) -> None:
    known = _known()
    if json:
        show.as_json([_fields(sheet) for sheet in known.all()])
    else:
        rows = [(one.id, one.name, one.profile.language, _line(one)) for one in known.all()]
        show.table(("id", "name", "language", "description"), rows, wide="description")
    for problem in known.problems().values():
        tell(problem)


def _line(sheet: Sheet) -> str:
    from omoide.domain.text import cut

    return cut(" ".join(sheet.profile.description.split()), 80)


def _fields(sheet: Sheet) -> dict[str, Any]:
    profile = sheet.profile
    return {
        "id": sheet.id,
        "name": profile.name,
        "nickname": profile.nickname,
        "language": profile.language,
        "emotions": list(profile.emotions),
        "greeting": profile.greeting,
        "description": profile.description,
        "birthday": None if profile.birthday is None else profile.birthday.isoformat(),
        "sample": sheet.sample,
        "card": sheet.card is not None,
        "folder": str(sheet.folder),
    }
