"""Commands on the server's API keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Json, Store, Where
from omoide.cli.running import settings_of, tell

if TYPE_CHECKING:
    from omoide.server.access import Access, ApiKeys

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
        bool, typer.Option("--admin", help="It may set models and prompts, and see the whole store.")
    ] = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Make a key, and print it once; only its hash is kept."""
    from omoide.domain.text import composed
    from omoide.server.access import Access

    keys = _keys(store)
    access = Access(
        label=label,
        users=None if user is None else frozenset(map(composed, user)),
        characters=None if character is None else frozenset(map(composed, character)),
        admin=admin,
    )
    made = keys.add(access)
    show.answer({"label": label, "key": made}, made, json=json)
    if not json:
        tell("keep this key now; it cannot be shown again")


@api_key.command("list")
def list_keys(*, store: Store = None, json: Json = False) -> None:
    """List the keys: labels and how far each reaches, never the keys."""
    rows = _keys(store).all()
    if json:
        show.as_json([_fields(access) for access in rows])
        return
    cells = [
        [
            access.label,
            "all" if access.users is None else ", ".join(sorted(access.users)),
            "all" if access.characters is None else ", ".join(sorted(access.characters)),
            "yes" if access.admin else "",
        ]
        for access in rows
    ]
    show.table(("label", "users", "characters", "admin"), cells)


@api_key.command("remove")
def remove(label: Label, *, store: Store = None, json: Json = False) -> None:
    """Remove a key; requests with it are refused at once."""
    _keys(store).remove(label)
    show.answer({"removed": label}, f"removed the key {label!r}", json=json)


def _keys(store: str | None) -> ApiKeys:
    from omoide.server.access import ApiKeys
    from omoide.stores.private_file import make_folder

    file = settings_of(Where(store=store), vectors=False).api_keys.expanduser()
    make_folder(file.parent)
    return ApiKeys(file)


def _fields(access: Access) -> dict[str, object]:
    return {
        "label": access.label,
        "users": None if access.users is None else sorted(access.users),
        "characters": None if access.characters is None else sorted(access.characters),
        "admin": access.admin,
    }
