"""Running a command: the store opened and closed around it, whose memory it means, errors as exit codes."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from difflib import SequenceMatcher, get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from omoide.errors import EmbedderError, InvalidInput, OmoideError, StoreError, UnknownScope

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from omoide.bootstrap import Omoide
    from omoide.cli.options import Where
    from omoide.config import Settings
    from omoide.scope import Scope

T = TypeVar("T")
Choice = TypeVar("Choice", bound=StrEnum)

_LIKE = 0.8
"""Likeness of two names from which one is taken for a slip of the other."""

WRONG, MISUSED, INTERRUPTED = 1, 2, 130


def settings_of(store: str | None, *, vectors: bool = True) -> Settings:
    """The settings of this run; without vectors, no embedder is set up."""
    from omoide.config import Settings

    given = {} if store is None else {"store": store}
    return Settings.read(**given) if vectors else Settings.read(**given, embedder="none")


def store_path(settings: Settings) -> Path:
    """The database's file."""
    return Path(settings.store.removeprefix("sqlite:///")).expanduser()


def with_store(
    where: Where,
    work: Callable[[Omoide], Awaitable[T]],
    *,
    vectors: bool = True,
    make: bool = False,
    settings: Settings | None = None,
) -> T:
    """Open the store, do the work, and close it.

    Args:
        where: names the store.
        work: what to do.
        vectors: whether the work needs an embedder.
        make: whether a store that is not there is made.
        settings: read already.

    Raises:
        StoreError: there is no store, and none is to be made.
    """
    settings = settings or settings_of(where.store, vectors=vectors)
    path = store_path(settings)
    if not make and not path.exists():
        msg = f"there is no store {str(path)!r}; `omoide import` or `omoide observe` makes one, --store names another"
        raise StoreError(msg)

    async def opened_around() -> T:
        async with AsyncExitStack() as stack:
            omoide = await _opened(stack, settings)
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


def in_scope(where: Where, work: Callable[[Scope], Awaitable[T]], *, vectors: bool = False) -> T:
    """Do something in the scope that is meant, which must be known; see `with_store`."""

    async def in_it(omoide: Omoide) -> T:
        return await work(await known_scope(omoide, where))

    return with_store(where, in_it, vectors=vectors)


async def known_scope(omoide: Omoide, where: Where) -> Scope:
    """The scope that is meant; what is left out must leave no choice.

    Raises:
        UnknownScope: nothing is known of such a scope; the message shows near names.
        InvalidInput: several scopes fit, and nothing says which.
    """
    scopes = await omoide.scopes()
    fitting = [scope for scope in scopes if _fits(scope, where)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        msg = f"several memories fit: {_listed(fitting)}; choose by --user and --character"
        raise InvalidInput(msg)
    if not scopes:
        msg = "nothing is remembered yet; `omoide import` or `omoide observe` begins"
        raise UnknownScope(msg)
    raise UnknownScope(_unknown(scopes, where))


async def known_scopes(omoide: Omoide, where: Where) -> list[Scope]:
    """Every scope that fits; all of them where none is named.

    Raises:
        UnknownScope: some name was given, and nothing is known of it.
    """
    if where.user is None and where.character is None:
        return await omoide.scopes()
    fitting = [scope for scope in await omoide.scopes() if _fits(scope, where)]
    return fitting or [await known_scope(omoide, where)]


async def meant_scope(omoide: Omoide, where: Where, *, new: bool) -> Scope:
    """The scope to write to, which may be new; both names are given (F13).

    Raises:
        InvalidInput: a name is missing, or is nearly one that is known.
    """
    if where.character is None or where.user is None:
        missing = "--character" if where.character is None else "--user (--user '' for the character alone)"
        msg = f"writing needs to know whose memory it is; give {missing}"
        raise InvalidInput(msg)
    scope = omoide.scope(user=where.user or None, character=where.character)
    if not new:
        await refuse_slips(omoide, [scope])
    return scope


async def refuse_slips(omoide: Omoide, meant: Iterable[Scope]) -> None:
    """Refuse a new name that is nearly a known one.

    Raises:
        InvalidInput: it is, and may be a slip.
    """
    scopes = await omoide.scopes()
    users = {scope.user for scope in scopes if scope.user}
    characters = {scope.character for scope in scopes}
    for scope in meant:
        _refuse_slip("user", scope.user, users)
        _refuse_slip("character", scope.character, characters)


def chosen(kind: type[Choice], names: Sequence[str] | None) -> tuple[Choice, ...]:
    """The members of an enumeration that a command line names.

    Raises:
        InvalidInput: no member is called so.
    """
    try:
        return tuple(kind(name) for name in names or ())
    except ValueError as error:
        msg = f"{error}; choose from {', '.join(kind)}"
        raise InvalidInput(msg) from None


def near(name: str, known: Iterable[str]) -> str:
    """A hint at known names that are like another one; empty if there are none."""
    found = get_close_matches(name, list(known), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(map(repr, found))}?" if found else ""


def words_of(file: Path) -> str:
    """A file's text, or that on standard input for ``-``.

    Raises:
        InvalidInput: it cannot be read.
    """
    if str(file) == "-":
        return sys.stdin.read()
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        msg = f"the file {str(file)!r} cannot be read: {error.strerror}"
        raise InvalidInput(msg) from error


def tell(line: str) -> None:
    """Say something beside the output."""
    print(f"omoide: {' '.join(line.split())}", file=sys.stderr)  # noqa: T201 - the command line's own voice


def status_of(error: OmoideError) -> int:
    """Tell of an error in one line, and return the exit code for it."""
    if os.environ.get("OMOIDE_DEBUG") == "1":
        raise error
    tell(str(error))
    return MISUSED if isinstance(error, InvalidInput) else WRONG


def _fits(scope: Scope, where: Where) -> bool:
    user = where.user is None or (scope.user or "") == where.user
    return user and where.character in (None, scope.character)


def _listed(scopes: list[Scope]) -> str:
    return ", ".join(named(scope.user, scope.character) for scope in scopes)


def named(user: str | None, character: str) -> str:
    """A scope in a few words."""
    return f"{user} × {character}" if user else f"{character} alone"


def _unknown(scopes: list[Scope], where: Where) -> str:
    users = {scope.user or "" for scope in scopes}
    characters = {scope.character for scope in scopes}
    if where.user is not None and where.user not in users:
        return f"no user is called {where.user!r}{near(where.user, users) or _known(scopes)}"
    if where.character is not None and where.character not in characters:
        return f"no character is called {where.character!r}{near(where.character, characters) or _known(scopes)}"
    return f"{where.character!r} has no memory of {where.user!r}{_known(scopes)}"


def _known(scopes: list[Scope]) -> str:
    return f"; known: {_listed(scopes[:8])}{', …' if len(scopes) > 8 else ''}"


def _refuse_slip(what: str, name: str | None, known: set[str]) -> None:
    if not name or name in known:
        return
    like = max(known, key=lambda other: _likeness(name, other), default=None)
    if like is not None and _likeness(name, like) >= _LIKE:
        msg = f"the {what} {name!r} is new, and much like {like!r}; use that name, or give --new"
        raise InvalidInput(msg)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()
