"""The command that searches memories by what they hold, and by what a text has to do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Character, Json, Kinds, Store, User, Where, words
from omoide.cli.running import settings_of, tell
from omoide.cli.whose import in_scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.model import Memory
    from omoide.scope import Scope

_VALUES = "Values: 5..7, 5.., ..7, >7, >=7, <3, <=3, =5 or 5"
_NAMES = "Names"

app = typer.Typer()


@app.command(rich_help_panel="Memories")
def search(
    text: Annotated[
        str | None,
        typer.Argument(metavar="[TEXT]", help="What it has to do with; - reads it from standard input."),
    ] = None,
    *,
    age: Annotated[
        str | None,
        typer.Option("--age", metavar="5..7", help="The character's age then.", rich_help_panel=_VALUES),
    ] = None,
    absolute_day: Annotated[
        str | None,
        typer.Option("--absolute-day", metavar="0..365", help="Days since birth.", rich_help_panel=_VALUES),
    ] = None,
    emotion: Annotated[
        list[str] | None,
        typer.Option(
            "--emotion", metavar="'NAME>7'", help="A score; may be repeated.", rich_help_panel=_VALUES
        ),
    ] = None,
    importance: Annotated[
        str | None, typer.Option("--importance", metavar="8..", help="1 to 10.", rich_help_panel=_VALUES)
    ] = None,
    confidence: Annotated[
        str | None, typer.Option("--confidence", metavar="8..", help="1 to 10.", rich_help_panel=_VALUES)
    ] = None,
    day: Annotated[
        str | None,
        typer.Option(
            "--day",
            metavar="DAYS",
            help="Such as 2011, 2011-summer..2012 or '<2011-05-03'.",
            rich_help_panel=_VALUES,
        ),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DAY", help="From then on.", rich_help_panel=_VALUES)
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DAY", help="Before then.", rich_help_panel=_VALUES)
    ] = None,
    place: Annotated[
        str | None, typer.Option("--place", metavar="NAME", help="Where it was.", rich_help_panel=_NAMES)
    ] = None,
    event: Annotated[
        str | None,
        typer.Option("--event", metavar="NAME", help="The event it tells of.", rich_help_panel=_NAMES),
    ] = None,
    category: Annotated[
        str | None,
        typer.Option("--category", metavar="NAME", help="The kind of that event.", rich_help_panel=_NAMES),
    ] = None,
    person: Annotated[
        list[str] | None,
        typer.Option(
            "--person", metavar="NAME", help="Who takes part; may be repeated.", rich_help_panel=_NAMES
        ),
    ] = None,
    layer: Annotated[
        list[str] | None,
        typer.Option(
            "--layer",
            metavar="LAYER",
            help="direct, heard or inferred; may be repeated.",
            rich_help_panel=_NAMES,
        ),
    ] = None,
    kind: Kinds = None,
    order: Annotated[
        list[str] | None,
        typer.Option("--order", metavar="KEYS", help="Such as -frustration,age; a minus goes down."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="1-1000", help="At most so many memories; 10 where it is left out."),
    ] = None,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Search memories by what they hold, and by what a text has to do with them; it changes nothing."""
    from omoide.domain.instants import zone_of
    from omoide.domain.query import USUAL, Filters
    from omoide.domain.query import search as checked

    filters = Filters(
        age=age,
        absolute_day=absolute_day,
        emotion=emotion or (),
        importance=importance,
        confidence=confidence,
        day=day,
        since=since,
        until=until,
        place=place,
        event=event,
        category=category,
        people=person or (),
        layer=layer or (),
        kinds=kind or (),
        order=order or (),
        limit=USUAL if limit is None else limit,
    )
    asked = None if text is None else words(text)

    async def work(scope: Scope) -> None:
        found = await scope.search(asked, **filters)
        for trouble in found.degraded:
            tell(trouble)
        if json:
            show.as_json([show.memory_fields(memory) for memory in found])
        elif found:
            _table(found, felt)
        else:
            tell("nothing fits")

    where = Where(store=store, user=user, character=character)
    settings = settings_of(where, vectors=asked is not None)
    felt = [name for name, _ in checked(asked, zone=zone_of(settings.zone), **filters).emotion]
    in_scope(where, work, vectors=asked is not None, settings=settings)


def _table(memories: Sequence[Memory], felt: Sequence[str]) -> None:
    columns = ("id", "day", "age", "place", "layer", "importance", *felt, "text")
    rows = [
        (
            memory.id,
            show.happened(memory),
            "-" if memory.past is None or memory.past.age is None else f"{memory.past.age:g}",
            memory.place or "-",
            "-" if memory.past is None else memory.past.layer.value,
            f"{memory.importance:.1f}",
            *(f"{memory.scores[name]:g}" if name in memory.scores else "-" for name in felt),
            memory.text,
        )
        for memory in memories
    ]
    show.table(columns, rows, wide="text")
