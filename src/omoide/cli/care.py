"""Commands that look after a store: reset, erase, reindex, prune."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.files import make_vectors
from omoide.cli.options import Character, Json, Person, Store, User, Where, Yes
from omoide.cli.running import confirm, with_store
from omoide.cli.whose import known_scope, known_scopes, named, near
from omoide.errors import EmbedderUnavailable, InvalidInput, UnknownScope

if TYPE_CHECKING:
    from omoide.bootstrap import Omoide

_CARE = "Care"
app = typer.Typer()


@app.command(rich_help_panel=_CARE)
def reset(
    *,
    yes: Yes = False,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Delete everything that a character has of a user, for good; other scopes stay."""

    async def work(omoide: Omoide) -> None:
        scope = await known_scope(omoide, where)
        whose = named(scope.user, scope.character)
        confirm(f"Delete every message and memory of {whose}, for good?", yes=yes)
        memories, messages = await scope.reset()
        fields = {
            "user": scope.user,
            "character": scope.character,
            "memories": memories,
            "messages": messages,
        }
        show.answer(fields, f"deleted {memories} memories and {messages} messages of {whose}", json=json)

    if user is None or character is None:
        msg = "a reset needs both --user and --character (--user '' for the character alone)"
        raise InvalidInput(msg)
    where = Where(store=store, user=user, character=character)
    with_store(where, work, vectors=False)


@app.command(rich_help_panel=_CARE)
def erase(
    user: Person,
    *,
    yes: Yes = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Erase a user for good: every scope, every word, and the key that opens old backups."""

    async def work(omoide: Omoide) -> None:
        users = {scope.user for scope in await omoide.scopes() if scope.user}
        if user not in users:
            msg = f"no user is called {user!r}{near(user, users)}; nothing was erased"
            raise UnknownScope(msg)
        confirm(f"Erase {user!r} with every character, for good? No backup brings it back.", yes=yes)
        erased = await omoide.erase_user(user)
        fields = {
            "user": user,
            "scopes": erased.scopes,
            "memories": erased.memories,
            "messages": erased.messages,
            "key_destroyed": erased.key_destroyed,
            "scrubbed": erased.scrubbed,
            "copies_wait": erased.copies_wait,
        }
        line = (
            f"erased {user!r}: {erased.scopes} scopes, {erased.memories} memories, {erased.messages} messages"
            f"{', and the key' if erased.key_destroyed else ''}"
        )
        if erased.copies_wait:
            line += "; copies of vectors still lie in an index out of reach, and go when it is back"
        show.answer(fields, line, json=json)

    with_store(Where(store=store), work, vectors=False)


@app.command(rich_help_panel=_CARE)
def reindex(
    *,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Also compare the vectors in pgvector or Qdrant with the store, and repair them."
        ),
    ] = False,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Make the terms, vectors and links that are missing, in every scope or in those that are named."""

    async def work(omoide: Omoide) -> None:
        scopes = await known_scopes(omoide, where)
        terms = sum([await scope.analyse() for scope in scopes])
        if omoide.embedder is None:
            links = sum([await scope.tie() for scope in scopes])
            made_so_far = f"made terms for {terms} memories, links for {links}"
            msg = f"{made_so_far}; there is no embedder to make vectors; see `omoide doctor`"
            raise EmbedderUnavailable(msg)
        made = await make_vectors(omoide, scopes)
        links = sum([await scope.tie() for scope in scopes])
        line = f"made terms for {terms} memories, {made} vectors, links for {links} memories"
        fields = {"terms": terms, "vectors": made, "links": links}
        if verify:
            from omoide.stores.copies import Verified

            found = sum([await scope.verify() for scope in scopes], Verified())
            strays = await omoide.sweep() if user is None and character is None else 0
            fields |= {**asdict(found), "strays": strays}
            line = (
                f"{line}; copies of vectors: {found.right} right, {found.made} made, "
                f"{found.replaced} replaced, {found.dropped} dropped"
                f"{f', and {strays} scopes that the store does not know' if strays else ''}"
            )
        show.answer(fields, line, json=json)

    where = Where(store=store, user=user, character=character)
    with_store(where, work)


@app.command(rich_help_panel=_CARE)
def prune(
    *,
    now: Annotated[
        bool, typer.Option("--now", help="Destroy all that was forgotten, 30 days or not.")
    ] = False,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Let fade what hardly holds any more, and destroy what was forgotten over 30 days ago.

    In every scope, or in those that are named. What fades can be restored.
    """

    async def work(omoide: Omoide) -> None:
        kept = faded = purged = 0
        for scope in await known_scopes(omoide, where):
            cycle = await scope.prune()
            kept, faded = kept + cycle.kept, faded + cycle.faded
            purged += await scope.purge(now=now)
        line = f"{faded} memories faded, {purged} forgotten ones destroyed, {kept} stay"
        show.answer({"faded": faded, "purged": purged, "kept": kept}, line, json=json)

    where = Where(store=store, user=user, character=character)
    with_store(where, work, vectors=False)
