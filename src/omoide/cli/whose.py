"""Whose memory a command means: what may be left out, what may be new, and what looks like a slip (F13)."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING, TypeVar

from omoide.cli.running import with_store
from omoide.errors import InvalidInput, UnknownScope

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from omoide.bootstrap import Omoide
    from omoide.cli.options import Where
    from omoide.config import Settings
    from omoide.scope import Scope

T = TypeVar("T")

_LIKE = 0.8
"""Likeness of two names from which one is taken for a slip of the other."""


def in_scope(
    where: Where,
    work: Callable[[Scope], Awaitable[T]],
    *,
    vectors: bool = False,
    settings: Settings | None = None,
) -> T:
    """Do something in the scope that is meant, which must be known; see `with_store`."""

    async def in_it(omoide: Omoide) -> T:
        return await work(await known_scope(omoide, where))

    return with_store(where, in_it, vectors=vectors, settings=settings)


def in_new_scope(where: Where, work: Callable[[Scope], Awaitable[T]], *, new: bool, settings: Settings) -> T:
    """Do something in the scope that is named, which may be new (F13).

    Args:
        where: names the user and the character.
        work: what to do.
        new: whether a name may be nearly one that is known.
        settings: read already.

    Raises:
        InvalidInput: a name is missing, or may be a slip.
    """
    user, character = both_names(where)

    async def in_it(omoide: Omoide) -> T:
        scope = omoide.scope(user=user, character=_called(omoide, character))
        if not new:
            await refuse_slips(omoide, [scope])
        return await work(scope)

    return with_store(where, in_it, make=True, settings=settings)


def both_names(where: Where) -> tuple[str | None, str]:
    """The user, or None for the character alone, and the character.

    Raises:
        InvalidInput: one is not given, and there is no default scope.
    """
    if where.character is None or where.user is None:
        missing = "--character" if where.character is None else "--user (--user '' for the character alone)"
        msg = f"whose memory is it? give {missing}"
        raise InvalidInput(msg)
    return where.user or None, where.character


async def known_scope(omoide: Omoide, where: Where) -> Scope:
    """The scope that is meant; what is left out must leave no choice.

    Raises:
        UnknownScope: nothing is known of such a scope; the message shows near names.
        InvalidInput: several scopes fit, and nothing says which.
    """
    scopes = await omoide.scopes()
    fitting = _fitting(omoide, scopes, where)
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
    fitting = _fitting(omoide, await omoide.scopes(), where)
    return fitting or [await known_scope(omoide, where)]


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


def near(name: str, known: Iterable[str]) -> str:
    """A hint at known names that are like another one; empty if there are none."""
    found = get_close_matches(name, list(known), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(map(repr, found))}?" if found else ""


def named(user: str | None, character: str) -> str:
    """A scope in a few words."""
    return f"{user} × {character}" if user else f"{character} alone"


def _called(omoide: Omoide, character: str) -> str:
    """The name under which a character remembers, as at every other door."""
    from omoide.characters import Characters

    return Characters.of(omoide.settings).called(character)


def _fitting(omoide: Omoide, scopes: list[Scope], where: Where) -> list[Scope]:
    """Those that are meant; where there are none, what a program has put under just these letters."""
    if where.character is None:
        return [scope for scope in scopes if _fits(scope, where)]
    meant = replace(where, character=_called(omoide, where.character))
    fitting = [scope for scope in scopes if _fits(scope, meant)]
    return fitting or [scope for scope in scopes if _fits(scope, where)]


def _fits(scope: Scope, where: Where) -> bool:
    user = where.user is None or (scope.user or "") == where.user
    return user and where.character in (None, scope.character)


def _listed(scopes: list[Scope]) -> str:
    return ", ".join(named(scope.user, scope.character) for scope in scopes)


def _unknown(scopes: list[Scope], where: Where) -> str:
    users = {scope.user or "" for scope in scopes}
    characters = {scope.character for scope in scopes}
    if where.user is not None and where.user not in users:
        return f"no user is called {where.user!r}{near(where.user, users) or _known(scopes)}"
    if where.character is not None and where.character not in characters:
        return (
            f"no character is called {where.character!r}{near(where.character, characters) or _known(scopes)}"
        )
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
