"""The command that searches memories by what they hold, and by what a text has to do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import typer

from omoide.cli import show
from omoide.cli.options import (
    AboutText,
    AbsoluteDays,
    Ages,
    Category,
    Character,
    Confidences,
    Days,
    Emotions,
    EventOf,
    Importances,
    Json,
    Kinds,
    Layers,
    Order,
    People,
    PlaceOf,
    SearchLimit,
    SinceDay,
    Store,
    UntilDay,
    User,
    Where,
    words,
)
from omoide.cli.running import settings_of, tell
from omoide.cli.whose import in_scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.model import Memory
    from omoide.domain.query import Filters
    from omoide.scope import Scope

app = typer.Typer()


@app.command(rich_help_panel="Memories")
def search(
    text: AboutText = None,
    *,
    age: Ages = None,
    absolute_day: AbsoluteDays = None,
    emotion: Emotions = None,
    importance: Importances = None,
    confidence: Confidences = None,
    day: Days = None,
    since: SinceDay = None,
    until: UntilDay = None,
    place: PlaceOf = None,
    event: EventOf = None,
    category: Category = None,
    person: People = None,
    layer: Layers = None,
    kind: Kinds = None,
    order: Order = None,
    limit: SearchLimit = None,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Search memories by what they hold, and by what a text has to do with them; it changes nothing."""
    filters = _given(
        age=age,
        absolute_day=absolute_day,
        emotion=emotion,
        importance=importance,
        confidence=confidence,
        day=day,
        since=since,
        until=until,
        place=place,
        event=event,
        category=category,
        people=person,
        layer=layer,
        kinds=kind,
        order=order,
        limit=limit,
    )
    asked = None if text is None else words(text)
    _search(Where(store=store, user=user, character=character), asked, filters, json=json)


def _given(**filters: object) -> Filters:
    """Those of the filters that were given."""
    return cast("Filters", {name: value for name, value in filters.items() if value is not None})


def _search(where: Where, asked: str | None, filters: Filters, *, json: bool) -> None:
    from omoide.domain.instants import zone_of
    from omoide.domain.query import search as checked

    settings = settings_of(where, vectors=asked is not None)
    conditions = checked(asked, zone=zone_of(settings.zone), **filters).emotion
    felt = list(dict.fromkeys(name for name, _ in conditions))

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
