"""Commands that look after a store: reset, erase, reindex, prune."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.files import make_vectors
from omoide.cli.options import Character, Json, MaybePerson, Store, User, Where, Yes
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
        told = f"{show.counted(memories, 'memory')} and {show.counted(messages, 'message')}"
        show.answer(fields, f"deleted {told} of {whose}", json=json)

    if user is None or character is None:
        msg = "a reset needs both --user and --character (--user '' for the character alone)"
        raise InvalidInput(msg)
    where = Where(store=store, user=user, character=character)
    with_store(where, work, vectors=False)


@app.command(rich_help_panel=_CARE)
def erase(
    user: MaybePerson = None,
    *,
    unfinished: Annotated[
        bool,
        typer.Option("--unfinished", help="Erase what is left of erasures, and what no key opens."),
    ] = False,
    yes: Yes = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Erase a user for good: every scope, every word, and the key that opens old backups.

    What was interrupted is finished by the same command again, or for all users by `--unfinished`. That also
    deletes what an older backup has brought back of users who were erased since; see first that the keyring
    is the newest one.
    """

    async def work(omoide: Omoide) -> None:
        if user is None:
            left = await omoide.run(omoide.store.left_of_erasures)
            confirm(f"Erase {left} scopes that erasures have left, or that no key opens, for good?", yes=yes)
            erased, whose = await omoide.finish_erasures(), "what erasures have left"
        else:
            await _see_known(omoide, user)
            confirm(f"Erase {user!r} with every character, for good? No backup brings it back.", yes=yes)
            erased, whose = await omoide.erase_user(user), repr(user)
        line = (
            f"erased {whose}: {show.counted(erased.scopes, 'scope')}, "
            f"{show.counted(erased.memories, 'memory')}, {show.counted(erased.messages, 'message')}"
            f"{', and the key' if erased.key_destroyed else ''}"
        )
        if erased.copies_wait:
            line += "; copies of vectors still lie in an index out of reach, and go when it is back"
        show.answer({"user": user, **asdict(erased)}, line, json=json)

    if (user is None) is not unfinished:
        msg = "whom? give a user, or --unfinished for what erasures have left"
        raise InvalidInput(msg)
    with_store(Where(store=store), work, vectors=False)


async def _see_known(omoide: Omoide, user: str) -> None:
    """Refuse a name that nobody has or had; one whose key is gone is found all the same."""
    if not await omoide.run(lambda: omoide.store.knows(user)):
        users = {scope.user for scope in await omoide.scopes() if scope.user}
        msg = f"no user is called {user!r}{near(user, users)}; nothing was erased"
        raise UnknownScope(msg)


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
    """Make the terms, vectors and links that are missing, in every scope or in those that are named.

    Where neither a tenant nor a scope is named, it is done for all tenants.
    """

    async def work(omoide: Omoide) -> None:
        everything = user is None and character is None
        tenants = await omoide.run(lambda: _tenants(omoide)) if everything else [omoide.store.tenant]
        done = [await _reindexed(omoide, where, tenant, verify=verify) for tenant in tenants]
        fields = {name: sum(one[name] for one in done) for name in done[0]}
        if omoide.embedder is None:
            made_so_far = f"made terms for {fields['terms']} memories, links for {fields['links']}"
            msg = f"{made_so_far}; there is no embedder to make vectors; see `omoide doctor`"
            raise EmbedderUnavailable(msg)
        line = "made terms for {terms} memories, {vectors} vectors, links for {links} memories"
        if verify:
            line += "; copies of vectors: {right} right, {made} made, {replaced} replaced, {dropped} dropped"
            if fields["strays"]:
                line += ", and {strays} scopes or points that the store does not know"
        if len(tenants) > 1:
            line += f"; over {len(tenants)} tenants"
        show.answer({**fields, "tenants": len(tenants)}, line.format(**fields), json=json)

    where = Where(store=store, user=user, character=character)
    with_store(where, work)


def _tenants(omoide: Omoide) -> list[str]:
    """The tenants that a command line means that names no scope: the one that is named, or all."""
    from omoide.stores.tenants import known_tenants

    named_one = omoide.store.tenant
    return [named_one] if named_one else known_tenants(omoide.store.database)


async def _reindexed(host: Omoide, where: Where, tenant: str, *, verify: bool) -> dict[str, int]:
    """Do for one tenant what `reindex` does; how much that was."""
    if tenant == host.store.tenant:
        return await _reindexed_own(host, where, verify=verify)
    omoide = await host.run(lambda: host.beside(tenant))
    try:
        return await _reindexed_own(omoide, where, verify=verify)
    finally:
        await omoide.close()


async def _reindexed_own(omoide: Omoide, where: Where, *, verify: bool) -> dict[str, int]:
    scopes = await known_scopes(omoide, where)
    terms = sum([await scope.analyse() for scope in scopes])
    made = await make_vectors(omoide, scopes)
    links = sum([await scope.tie() for scope in scopes])
    fields = {"terms": terms, "vectors": made, "links": links}
    if verify and omoide.embedder is not None:
        everything = where.user is None and where.character is None
        fields |= asdict(await omoide.verify(None if everything else scopes))
    return fields


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
