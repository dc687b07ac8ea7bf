"""Commands on a whole store: backup, restore (of a memory too), and copy to another database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Character, Json, Store, User, Where, Yes
from omoide.cli.running import confirm, settings_of, tell
from omoide.cli.whose import in_scope
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from omoide.moving import Moved
    from omoide.scope import Scope

_CARE = "Care"
app = typer.Typer()

Backup = Annotated[Path, typer.Argument(metavar="FILE", help="The backup: a SQLite file.")]
_PLACE = "A path, or postgresql://role@host/database; a password is better kept in ~/.pgpass."
Source = Annotated[str, typer.Argument(metavar="FROM", help=_PLACE, show_default=False)]
Target = Annotated[str, typer.Argument(metavar="TO", help="The same, for the copy.", show_default=False)]


@app.command(rich_help_panel=_CARE)
def backup(
    file: Backup,
    *,
    with_keyring: Annotated[
        Path | None,
        typer.Option(
            "--with-keyring",
            metavar="FILE",
            help="Copy the keyring too; over an earlier copy, which must go.",
        ),
    ] = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Write a backup of the store while it is in use, from SQLite or PostgreSQL alike.

    It is a store itself, and either can be made of it. The keyring is apart: without it and the master key
    nothing in a backup opens. Characters are files (profiles, prompts, cards), and no part of it.
    """
    from omoide import moving

    settings = settings_of(Where(store=store), vectors=False)
    done = moving.backup(settings, file, keyring=with_keyring, progress=show.progress)
    kept = f"; the keyring, epoch {done.epoch}, is in {done.keyring}" if with_keyring else ""
    _answer(done, f"{_rows(done)} are in {done.target}{kept}", json=json)
    if done.epoch is None:
        tell(f"there is no keyring at {done.keyring}; without its copy this backup does not open")
    elif with_keyring is None:
        tell(
            f"the keyring is not in it: keep a copy of {done.keyring} (epoch {done.epoch}) in another place, "
            "and destroy copies with a lower epoch"
        )
    if settings.home.is_dir():
        tell(f"characters are files and are not in it: keep a copy of {settings.home} as well")


@app.command(rich_help_panel=_CARE)
def restore(
    what: Annotated[str, typer.Argument(metavar="FILE|MEMORY", help="A backup, or a memory's id.")],
    *,
    replace: Annotated[
        bool, typer.Option("--replace", help="Remove what the store holds now; for a backup.")
    ] = False,
    with_keyring: Annotated[
        Path | None,
        typer.Option("--with-keyring", metavar="FILE", help="Put a copy of the keyring back, where none is."),
    ] = None,
    yes: Yes = False,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Make a backup the content of an empty store, or bring a forgotten or faded memory back.

    A backup comes back as a whole or not at all; stop servers and workers first. Users who were erased since
    stay erased, for their keys are gone from the keyring.
    """
    if not _is_file(what):
        if replace or with_keyring is not None:
            msg = f"--replace and --with-keyring are for backups, and {what!r} is no file"
            raise InvalidInput(msg)
        _bring_back(what, Where(store=store, user=user, character=character), json=json)
        return
    from omoide import moving

    settings = settings_of(Where(store=store), vectors=False)
    if replace:
        confirm("Remove everything that the store holds now?", yes=yes)
    done = moving.restore(settings, Path(what), replace=replace, keyring=with_keyring, progress=show.progress)
    _answer(done, f"{_rows(done)} are in {done.target}", json=json)
    _tell_of_keyring(done)
    if done.epoch:
        tell(
            f"users were erased from the keyring {done.epoch} times; if some were since this backup, no key "
            "opens what came back of them, and `omoide erase --unfinished` deletes it"
        )


@app.command(rich_help_panel=_CARE)
def copy(
    source: Source,
    target: Target,
    *,
    with_keyring: Annotated[
        bool, typer.Option("--with-keyring", help="Copy the keyring to where the copy's is looked for.")
    ] = False,
    json: Json = False,
) -> None:
    """Copy a store into an empty database, between SQLite and PostgreSQL or within one.

    Every row comes as it is, and both sides are compared at the end. What was stopped goes on when it is
    called again. Stop what writes to the store first.
    """
    from omoide import moving

    done = moving.copy(
        settings_of(Where(store=source), vectors=False),
        settings_of(Where(store=target), vectors=False),
        keyring=with_keyring,
        progress=show.progress,
    )
    if not json:
        rows = [[name, str(extent.rows), extent.checksum] for name, extent in done.extents.items()]
        show.table(("table", "rows", "checksum"), rows)
    _answer(done, f"{_rows(done)} are the same in {done.source} and {done.target}", json=json)
    _tell_of_keyring(done)


def _is_file(what: str) -> bool:
    """Whether a backup is meant: a file that is there, or what is written like one."""
    path = Path(what)
    return path.is_file() or path.name != what or bool(path.suffix)


def _bring_back(memory: str, where: Where, *, json: bool) -> None:
    async def work(scope: Scope) -> None:
        await scope.restore(memory)
        show.answer({"id": memory, "status": "confirmed"}, f"restored {memory}", json=json)

    in_scope(where, work, vectors=True)


def _rows(done: Moved) -> str:
    return f"{sum(extent.rows for extent in done.extents.values())} rows of store {done.store}"


def _answer(done: Moved, line: str, *, json: bool) -> None:
    tables = {
        name: {"rows": extent.rows, "checksum": extent.checksum} for name, extent in done.extents.items()
    }
    fields = {
        "source": done.source,
        "target": done.target,
        "store": done.store,
        "keyring": done.keyring,
        "epoch": done.epoch,
        "tables": tables,
    }
    show.answer(fields, line, json=json)


def _tell_of_keyring(done: Moved) -> None:
    if done.epoch is None:
        tell(f"nothing opens without the store's keyring: put it at {done.keyring}, or set OMOIDE_KEYRING")
