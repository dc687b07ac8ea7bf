"""Running a command: the store opened and closed around it, whose memory it means, errors as exit codes."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from contextvars import ContextVar
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from omoide.cli.options import standard_input
from omoide.errors import EmbedderError, InvalidInput, OmoideError, StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from omoide.bootstrap import Omoide
    from omoide.cli.options import Where
    from omoide.config import Settings

T = TypeVar("T")
Choice = TypeVar("Choice", bound=StrEnum)

WRONG, MISUSED, INTERRUPTED = 1, 2, 130


_tenant: ContextVar[str | None] = ContextVar("tenant", default=None)


def choose_tenant(name: str | None) -> None:
    """Let the rest of this command line mean a tenant; None leaves it to the settings."""
    _tenant.set(name)


def chosen_settings(**given: Any) -> dict[str, Any]:
    """The settings that a command line gives: those that are not None, and the tenant."""
    named = {"tenant": _tenant.get(), **{name: value for name, value in given.items() if value is not None}}
    return {name: value for name, value in named.items() if value is not None}


def settings_of(where: Where, *, vectors: bool = True) -> Settings:
    """The settings of this run; without vectors, no embedder is set up."""
    from omoide.config import Settings

    given = chosen_settings(store=where.store)
    return Settings.read(**given) if vectors else Settings.read(**given, embedder="none")


def store_name(settings: Settings) -> str:
    """The store as it is shown: its file, or its URL without a password."""
    from omoide.stores.postgres.database import is_postgres, postgres_url, shown_url
    from omoide.stores.sqlite import sqlite_path

    if is_postgres(settings.store):
        return shown_url(postgres_url(settings.store))
    return str(sqlite_path(settings.store))


def has_store(settings: Settings) -> bool:
    """Whether there is a store; an empty file or database is none, and only a write makes one of it."""
    from omoide.stores.postgres.database import is_postgres
    from omoide.stores.postgres.peek import may_hold_store
    from omoide.stores.sqlite import sqlite_path
    from omoide.stores.whole import backups

    if is_postgres(settings.store):
        return may_hold_store(settings.store)
    return backups.may_hold_store(sqlite_path(settings.store))


def thrown_away(settings: Settings, folder: Path) -> Settings:
    """The same settings for a store with a key of its own in a folder that will go."""
    from omoide.stores.keys.masterkey import MasterKey

    MasterKey.create(folder / "master.key")
    update = {
        "store": str(folder / "omoide.db"),
        "master_key": None,
        "master_key_command": None,
        "master_key_file": folder / "master.key",
        "keyring": None,
        "vectors": "memory" if settings.vectors == "pgvector" else settings.vectors,
    }
    return settings.model_copy(update=update)


def with_store(
    where: Where,
    work: Callable[[Omoide], Awaitable[T]],
    *,
    vectors: bool = True,
    make: bool = False,
    works: bool = False,
    settings: Settings | None = None,
) -> T:
    """Open the store, do the work, and close it.

    Args:
        where: names the store.
        work: what to do.
        vectors: whether the work needs an embedder.
        make: whether a store that is not there is made.
        works: whether memories are extracted meanwhile; a short command leaves that to who runs longer.
        settings: read already.

    Raises:
        StoreError: there is no store, and none is to be made.
    """
    settings = settings or settings_of(where, vectors=vectors)
    if not works:
        settings = settings.model_copy(update={"worker": False})
    if not make and not has_store(settings):
        msg = (
            f"there is no store {store_name(settings)!r}; the first write makes one, such as "
            "`omoide import` or `omoide models set`, and --store names another"
        )
        raise StoreError(msg)

    async def opened_around() -> T:
        async with AsyncExitStack() as stack:
            omoide = await _opened(stack, settings)
            if os.environ.get("OMOIDE_DEBUG") != "1":  # where the library's own log is seen
                for notice in omoide.notices:
                    tell(notice)
            return await work(omoide)

    return asyncio.run(opened_around())


async def _opened(stack: AsyncExitStack, settings: Settings) -> Omoide:
    """The engine; an embedder that cannot be set up costs the meaning, never the memory."""
    from omoide.bootstrap import Omoide

    try:
        return await stack.enter_async_context(Omoide.open(settings=settings))
    except EmbedderError as error:
        tell(f"{error}; going on by words alone")
        without = settings.model_copy(update={"embedder": "none"})
        return await stack.enter_async_context(Omoide.open(settings=without))


def chosen(kind: type[Choice], names: Sequence[str] | None) -> tuple[Choice, ...]:
    """The members of an enumeration that a command line names.

    Raises:
        InvalidInput: no member is called so.
    """
    try:
        return tuple(kind(name) for name in names or ())
    except ValueError:
        wrong = next(name for name in names or () if name not in set(kind))
        msg = f"no {kind.__name__.lower()} is called {wrong!r}; choose from {', '.join(kind)}"
        raise InvalidInput(msg) from None


def words_of(file: Path) -> str:
    """A file's text, or that on standard input for ``-``.

    Raises:
        InvalidInput: it cannot be read.
    """
    if str(file) == "-":
        return standard_input()
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        msg = f"the file {str(file)!r} cannot be read: {error.strerror}"
        raise InvalidInput(msg) from error


def write_private(file: Path, text: str) -> None:
    """Write a file that nobody else may read.

    Raises:
        InvalidInput: it is there already, or cannot be written.
    """
    try:
        with os.fdopen(
            os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as out:
            out.write(text)
    except OSError as error:
        msg = f"the file {str(file)!r} cannot be written: {error.strerror}; choose another name"
        raise InvalidInput(msg) from error


def confirm(question: str, *, yes: bool) -> None:
    """Ask on a terminal; elsewhere --yes must have been given.

    Raises:
        InvalidInput: it was not.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        msg = "this cannot be undone; give --yes"
        raise InvalidInput(msg)
    if not typer.confirm(question, err=True):
        raise typer.Exit(1)


def tell(line: str) -> None:
    """Say something beside the output."""
    print(f"omoide: {' '.join(line.split())}", file=sys.stderr)


def status_of(error: OmoideError) -> int:
    """Tell of an error in one line, and return the exit code for it."""
    tell(str(error))
    return MISUSED if isinstance(error, InvalidInput) else WRONG
