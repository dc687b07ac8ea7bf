"""Commands on the server's API keys, and on the tokens that are made with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Json, Store, Tenant, Where
from omoide.cli.running import chosen_settings, tell, with_store

if TYPE_CHECKING:
    from omoide.bootstrap import Omoide
    from omoide.config import Settings
    from omoide.server.access import ApiKeys
    from omoide.server.tokens import Token

api_key = typer.Typer(help="API keys of the server.")

Label = Annotated[str, typer.Argument(metavar="LABEL", help="The key's name for people.")]
Only = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only these; may be repeated.")]


@api_key.command("add")
def add(
    label: Label,
    *,
    user: Only = None,
    character: Only = None,
    admin: Annotated[
        bool, typer.Option("--admin", help="It may set models and prompts, and see all of its tenant.")
    ] = False,
    issue: Annotated[
        bool, typer.Option("--issue", help="It may issue tokens for users and characters that it reaches.")
    ] = False,
    tenant: Tenant = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Make a key, and print it once; only its hash is kept."""
    from omoide.domain.text import composed
    from omoide.server.access import Access

    settings = _settings(store, tenant)
    keys = _keys(settings)
    access = Access(
        label=label,
        tenant=settings.tenant,
        users=None if user is None else frozenset(map(composed, user)),
        characters=None if character is None else frozenset(map(composed, character)),
        admin=admin,
        issue=issue,
    )
    made = keys.add(access)
    show.answer({"label": label, "key": made}, made, json=json)
    if not json:
        tell("keep this key now; it cannot be shown again")


@api_key.command("list")
def list_keys(*, store: Store = None, json: Json = False) -> None:
    """List the keys of all tenants: labels and how far each reaches, never the keys."""
    from omoide.server.access import fields_of

    rows = _keys(_settings(store, None)).all()
    if json:
        show.as_json([fields_of(access) for access in rows])
        return
    cells = [
        [
            access.label,
            access.tenant,
            "all" if access.users is None else ", ".join(sorted(access.users)),
            "all" if access.characters is None else ", ".join(sorted(access.characters)),
            "yes" if access.admin else "",
            "yes" if access.issue else "",
        ]
        for access in rows
    ]
    show.table(("label", "tenant", "users", "characters", "admin", "issue"), cells)


@api_key.command("remove")
def remove(label: Label, *, tenant: Tenant = None, store: Store = None, json: Json = False) -> None:
    """Remove a key; requests with it are refused at once."""
    settings = _settings(store, tenant)
    _keys(settings).remove(label, tenant=settings.tenant)
    show.answer({"removed": label}, f"removed the key {label!r}", json=json)


@api_key.command("token")
def token(
    *,
    user: Annotated[str, typer.Option("--user", metavar="NAME", help="The only user that it reaches.")],
    character: Annotated[
        str, typer.Option("--character", metavar="NAME", help="The only character that it reaches.")
    ],
    minutes: Annotated[
        float, typer.Option("--minutes", metavar="N", help="How long it holds; 1,440 at most.")
    ] = 15,
    tenant: Tenant = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Issue a signed token, for a browser or a game: one user, one character, some minutes."""
    from omoide.characters import Characters
    from omoide.server.tokens import Tokens

    async def work(omoide: Omoide) -> Token:
        called = Characters.of(omoide.settings).called(character)
        return Tokens(omoide.store).issue(user=user, character=called, minutes=minutes)

    made = with_store(Where(store=store), work, make=True, settings=_settings(store, tenant))
    show.answer({"token": made.text, "expires": made.expires.isoformat()}, made.text, json=json)


@api_key.command("revoke-tokens")
def revoke_tokens(*, tenant: Tenant = None, store: Store = None, json: Json = False) -> None:
    """Let all tokens end now, by making the key anew that they are signed with; API keys stay."""
    from omoide.server.tokens import Tokens

    async def work(omoide: Omoide) -> None:
        Tokens(omoide.store).revoke()

    settings = _settings(store, tenant)
    with_store(Where(store=store), work, settings=settings)
    show.answer({"tenant": settings.tenant}, "all tokens have ended", json=json)


def _settings(store: str | None, tenant: str | None) -> Settings:
    from omoide.config import Settings

    return Settings.read(**chosen_settings(store=store, tenant=tenant, embedder="none"))


def _keys(settings: Settings) -> ApiKeys:
    from omoide.server.access import ApiKeys
    from omoide.stores.keys.private_file import make_folder

    file = settings.api_keys.expanduser()
    make_folder(file.parent)
    return ApiKeys(file)
