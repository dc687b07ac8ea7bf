"""Commands on the people of a scope: who is known, what they are called, and who is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Character, Json, Store, User, Where, Yes
from omoide.cli.running import confirm
from omoide.cli.whose import in_scope

if TYPE_CHECKING:
    from omoide.domain.records import Person
    from omoide.scope import Scope

_Who = Annotated[str, typer.Argument(metavar="PERSON", help="Their id or present name.")]
people = typer.Typer(help="The people whom a character knows.")


@people.command("list")
def people_list(
    *,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """List who is known, in the order in which they came."""

    async def work(scope: Scope) -> None:
        found = await scope.people()
        if json:
            show.as_json([_fields(person) for person in found])
        else:
            rows = [(person.id, person.name, person.role.value) for person in found]
            show.table(("id", "name", "role"), rows, wide="name")

    in_scope(Where(store=store, user=user, character=character), work)


@people.command("rename")
def people_rename(
    person: _Who,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What they are called from now on.")],
    *,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Call a person by another name, also in what is remembered; their id stays."""

    async def work(scope: Scope) -> None:
        named = await scope.rename_person(person, name)
        show.answer(_fields(named), f"{named.id} is called {named.name} from now on", json=json)

    in_scope(Where(store=store, user=user, character=character), work)


@people.command("merge")
def people_merge(
    keep: Annotated[str, typer.Argument(metavar="KEEP", help="Whose id and name stay.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Who is the same person.")],
    *,
    yes: Yes = False,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Let two be one person; what they said stays as it was."""

    async def work(scope: Scope) -> None:
        confirm(f"Let {other!r} be {keep!r} from now on, for good?", yes=yes)
        kept = await scope.merge_people(keep, other)
        show.answer(_fields(kept), f"{other} is {kept.name} from now on", json=json)

    in_scope(Where(store=store, user=user, character=character), work)


def _fields(person: Person) -> dict[str, str]:
    return {"id": person.id, "name": person.name, "role": person.role.value}
