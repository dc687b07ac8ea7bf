"""Commands on events that several characters share: which there are, and every side of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Json, Store, Where
from omoide.cli.running import with_store

if TYPE_CHECKING:
    from omoide.bootstrap import Omoide
    from omoide.domain.event import Event, EventSides, Side
    from omoide.domain.model import Memory

events = typer.Typer(help="Events that several characters share, seen from every side.")


@events.command("list")
def events_list(*, store: Store = None, json: Json = False) -> None:
    """List the shared events, the earliest first."""

    async def work(omoide: Omoide) -> list[Event]:
        return await omoide.events()

    found = with_store(Where(store=store), work)
    if json:
        from omoide.event_views import EventView

        show.as_json([EventView.of(event).fields() for event in found])
        return
    rows = [
        (
            str(event.day or "-"),
            event.name,
            event.place or "-",
            event.category or "-",
            ", ".join(event.participants),
        )
        for event in found
    ]
    show.table(("day", "name", "place", "category", "participants"), rows, wide="participants")


@events.command("show")
def events_show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The event, as `omoide events list` shows it.")],
    *,
    store: Store = None,
    json: Json = False,
) -> None:
    """Show an event with each character's side of it."""

    async def work(omoide: Omoide) -> EventSides:
        return await omoide.event(name)

    found = with_store(Where(store=store), work)
    if json:
        from omoide.event_views import EventSidesView

        show.as_json(EventSidesView.of(found).fields())
        return
    _show_event(found.event)
    for side in found.sides:
        _show_side(side)


def _show_event(event: Event) -> None:
    parts = [event.name, str(event.day or ""), event.place or "", event.category or ""]
    show.say(" · ".join(part for part in parts if part), style="bold")
    if event.description:
        show.say(event.description)


def _show_side(side: Side) -> None:
    age = "" if side.age is None else f", aged {int(side.age)}, day {side.absolute_day} of its life"
    show.say(f"{side.character} ({'was there' if side.present else 'was not there'}{age})", style="bold")
    known = [*([side.account] if side.account else []), *side.told]
    for memory in known:
        show.say(f"  {_how(memory)}: {memory.text}")
    if not known:
        show.say("  tells nothing of it")


def _how(memory: Memory) -> str:
    past = memory.past
    if past is None:
        return "remembered"
    known = past.source if past.source is not None else past.basis
    return past.layer.value if known is None else f"{past.layer.value}, {known}"
