"""Commands on a whole store: backup, restore, and copy to another database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Json, Store, Where, Yes
from omoide.cli.running import confirm, settings_of, tell

if TYPE_CHECKING:
    from omoide.moving import Moved

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
    nothing in a backup opens.
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


@app.command(rich_help_panel=_CARE)
def restore(
    file: Backup,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="Remove what the store holds now.")] = False,
    with_keyring: Annotated[
        Path | None,
        typer.Option("--with-keyring", metavar="FILE", help="Put a copy of the keyring back, where none is."),
    ] = None,
    yes: Yes = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Make a backup the content of an empty store: all of it or nothing. Stop servers and workers first.

    Users who were erased since stay erased, for their keys are gone from the keyring.
    """
    from omoide import moving

    settings = settings_of(Where(store=store), vectors=False)
    if replace:
        confirm("Remove everything that the store holds now?", yes=yes)
    done = moving.restore(settings, file, replace=replace, keyring=with_keyring, progress=show.progress)
    _answer(done, f"{_rows(done)} are in {done.target}", json=json)
    _tell_of_keyring(done)


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
