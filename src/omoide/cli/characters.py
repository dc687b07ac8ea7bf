"""Commands on characters: who is there, what they are like, and bringing in lives and cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.cli import lives, show
from omoide.cli.options import Json, Store, Where
from omoide.cli.running import settings_of, tell
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from omoide.characters import Characters, Sheet

characters = typer.Typer(help="The characters that one can talk with.", invoke_without_command=True)

_Source = Annotated[
    Path, typer.Argument(metavar="FOLDER|CARD", help="A folder of lives, or a card: PNG, JSON or CHARX.")
]


@characters.callback()
def every(context: typer.Context) -> None:
    """List them where nothing else is asked."""
    if context.invoked_subcommand is None:
        _list(None, json=False)


@characters.command("list")
def characters_list(*, store: Store = None, json: Json = False) -> None:
    """List the characters of your folder (the setting `characters`, or beside the store), and the samples."""
    _list(store, json=json)


@characters.command("show")
def characters_show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its id, name or nickname.")],
    *,
    store: Store = None,
    json: Json = False,
) -> None:
    """Show one character, and the prompt that a model gets of it."""
    from omoide.domain.session_state import SessionState

    sheet = _known(store).find(name)
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
    source: _Source,
    *,
    as_id: Annotated[
        str | None,
        typer.Option("--id", metavar="NAME", help="The id of a card; by default the name of the file."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name", metavar="NAME", help="What memories know a card by, in place of its own name."
        ),
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Forget memories that the folder no longer holds.")
    ] = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Bring in a folder of lives, or take a character card over; a second time changes nothing.

    A folder of lives holds a folder for each character, with its profile and its diary, and the events that
    they share. Every error is shown with file and line, and nothing is written then. Nobody comes in under
    the name, nickname or id of another character, for they would share one memory.
    """
    if source.is_dir():
        if name is not None or as_id is not None:
            msg = (
                "--id and --name are for cards; a life has its id from its folder, its name from its profile"
            )
            raise InvalidInput(msg)
        lives.bring_in(source, Where(store=store), prune=prune, json=json)
        return
    if not source.exists():
        msg = f"there is no folder and no card {str(source)!r}; name one that is there"
        raise InvalidInput(msg)
    sheet = _known(store).add_card(source, id=as_id, name=name)
    show.answer(_fields(sheet), f"{sheet.name} is there as {sheet.id!r}", json=json)


@characters.command("export")
def characters_export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that is new or empty.")],
    *,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="A Markdown file for each memory, in place of one list.")
    ] = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Write the past of every character as plain files, which `import` reads again.

    The files are readable by anyone: the words in them are not sealed.
    """
    lives.write_out(folder, Where(store=store), markdown=markdown, json=json)


@characters.command("lint")
def characters_lint(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of lives.")],
    *,
    json: Json = False,
) -> None:
    """Show everything that is wrong with a folder of lives, with file and line; exit with 1 if so."""
    lives.check(folder, Where(), json=json)


def _known(store: str | None) -> Characters:
    from omoide.characters import Characters

    return Characters.of(settings_of(Where(store=store), vectors=False))


def _list(store: str | None, *, json: bool) -> None:
    known = _known(store)
    if json:
        show.as_json([_fields(sheet) for sheet in known.all()])
    else:
        rows = [(one.id, one.name, one.profile.language, _line(one)) for one in known.all()]
        show.table(("id", "name", "language", "description"), rows, wide="description")
    for problem in known.problems().values():
        tell(problem)


def _line(sheet: Sheet) -> str:
    from omoide.domain.text import cut

    return cut(" ".join(sheet.description("user").split()), 80)


def _fields(sheet: Sheet) -> dict[str, Any]:
    profile = sheet.profile
    return {
        "id": sheet.id,
        "name": profile.name,
        "nickname": profile.nickname,
        "language": profile.language,
        "emotions": list(profile.emotions),
        "greeting": sheet.greeting("user"),
        "description": sheet.description("user"),
        "birthday": None if profile.birthday is None else profile.birthday.isoformat(),
        "sample": sheet.sample,
        "card": sheet.card is not None,
        "folder": str(sheet.folder),
    }
