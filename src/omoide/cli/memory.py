"""Commands on memories: say something, ask, list, write, correct, pin, forget, take back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import (
    AsOf,
    At,
    Brief,
    Budget,
    Character,
    Fusion,
    Importance,
    Json,
    Kinds,
    Limit,
    MemoryId,
    New,
    PeopleById,
    PlaceThere,
    RecallLimit,
    Session,
    SinceTime,
    Store,
    UntilTime,
    User,
    Where,
    Why,
    Words,
    moment,
    words,
)
from omoide.cli.running import chosen, settings_of, tell
from omoide.cli.whose import in_new_scope, in_scope

if TYPE_CHECKING:
    from omoide.recall.result import Recall
    from omoide.scope import Scope

_TALK = "Talk"
_MEMORIES = "Memories"
app = typer.Typer()


@app.command(rich_help_panel=_TALK)
def observe(
    said: Words,
    reply: Annotated[
        str | None, typer.Argument(metavar="[REPLY]", help="What the character answered.")
    ] = None,
    *,
    session: Session = None,
    at: At = None,
    user: User = None,
    character: Character = None,
    new: New = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Hand over what a user said and what the character answered."""

    async def work(scope: Scope) -> None:
        recorded = await scope.observe(user=heard, reply=reply, session=session, at=when)
        fields = {
            "session": recorded.session,
            "added": recorded.added,
            "blank": recorded.blank,
            "made": recorded.made,
            "messages": list(recorded.messages),
        }
        said, made = (
            show.counted(recorded.added, "message"),
            show.counted(recorded.made, "memory"),
        )
        line = f"kept {said} in {recorded.session!r}, {made} of them"
        show.answer(fields, line, json=json)

    where = Where(store=store, user=user, character=character)
    settings = settings_of(where)
    when, heard = moment(at, zone=settings.zone), words(said)
    in_new_scope(where, work, new=new, settings=settings)


@app.command(rich_help_panel=_TALK)
def recall(
    message: Words,
    *,
    why: Why = False,
    session: Session = None,
    limit: RecallLimit = None,
    budget: Budget = None,
    as_of: AsOf = None,
    fusion: Fusion = None,
    brief: Brief = None,
    kind: Kinds = None,
    since: SinceTime = None,
    until: UntilTime = None,
    importance: Importance = None,
    person: PeopleById = None,
    place: PlaceThere = None,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Show what comes to mind at a message, as a prompt would get it. Asking changes nothing."""
    from omoide.domain.model import Kind
    from omoide.recall.filters import Filter

    where = Where(store=store, user=user, character=character)
    settings = settings_of(where)
    then, asked = moment(as_of, zone=settings.zone), words(message)
    narrowed = Filter(
        kinds=chosen(Kind, kind),
        since=moment(since, zone=settings.zone),
        until=moment(until, zone=settings.zone),
        importance=importance,
        people=person or (),
        place=place,
    )

    async def work(scope: Scope) -> None:
        recalled = await scope.recall(
            asked,
            session=session,
            filter=narrowed,
            limit=limit,
            budget=budget,
            as_of=then,
            fusion=fusion,
            rehearse=False,
            brief=brief,
        )
        _show_recalled(recalled, why=why, json=json)

    in_scope(where, work, settings=settings)


def _show_recalled(recalled: Recall, *, why: bool, json: bool) -> None:
    if json:
        show.as_json(show.recall_fields(recalled))
        return
    for trouble in recalled.degraded:
        tell(trouble)
    if why:
        _reasons(recalled)
    elif recalled.block:
        show.say(recalled.block)
    else:
        tell("nothing comes to mind")


@app.command(rich_help_panel=_MEMORIES)
def memories(
    *,
    kind: Kinds = None,
    status: Annotated[
        list[str] | None,
        typer.Option(
            "--status", metavar="STATUS", help="Such as forgotten; all for every one; may be repeated."
        ),
    ] = None,
    limit: Limit = None,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """List memories, newest first."""
    from omoide.domain.model import Kind, Status

    async def work(scope: Scope) -> None:
        statuses = tuple(Status) if status == ["all"] else chosen(Status, status) or (Status.CONFIRMED,)
        found = await scope.memories(kinds=chosen(Kind, kind), statuses=statuses, limit=limit)
        if json:
            show.as_json([show.memory_fields(memory) for memory in found])
        elif found:
            show.memories_table(found)

    in_scope(Where(store=store, user=user, character=character), work)


@app.command("show", rich_help_panel=_MEMORIES)
def show_memory(
    memory: MemoryId,
    *,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Show one memory, with the messages that it rests on."""

    async def work(scope: Scope) -> None:
        found = await scope.show(memory)
        if json:
            show.as_json(show.memory_fields(found))
        else:
            show.one_memory(found)

    in_scope(Where(store=store, user=user, character=character), work)


def _reasons(recalled: Recall) -> None:
    show.say(f"searched for: {recalled.query or 'nothing'} ({recalled.reason})", style="dim")
    if recalled.memories:
        show.reasons(recalled)
        show.say(f"{recalled.in_block} of {len(recalled.memories)} stand in the block", style="dim")
    else:
        show.say("Nothing comes to mind.")
    show.say(show.timing(recalled), style="dim")
