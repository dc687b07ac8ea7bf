"""Commands on memories: say something, ask, list, write, correct, pin, forget, take back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import (
    At,
    Character,
    Importance,
    Json,
    Kinds,
    Limit,
    MemoryId,
    New,
    Session,
    Store,
    User,
    Where,
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
_NARROW = "Narrow it"
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
        line = f"kept {recorded.added} messages in {recorded.session!r}, {recorded.made} memories of them"
        show.answer(fields, line, json=json)

    where = Where(store=store, user=user, character=character)
    settings = settings_of(where)
    when, heard = moment(at, zone=settings.zone), words(said)
    in_new_scope(where, work, new=new, settings=settings)


@app.command(rich_help_panel=_TALK)
def recall(
    message: Words,
    *,
    why: Annotated[bool, typer.Option("--why", help="Show the reason for each memory.")] = False,
    session: Session = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="1-50", help="At most so many memories.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option("--budget", metavar="N", help="Tokens of the block at most, 50 or more.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="What was known at this past moment.")
    ] = None,
    fusion: Annotated[
        str | None, typer.Option("--fusion", metavar="NAME", help="standard or published.")
    ] = None,
    brief: Annotated[bool | None, typer.Option("--brief/--full", help="The short form of the block.")] = None,
    kind: Kinds = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="From then on.", rich_help_panel=_NARROW)
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="Before then.", rich_help_panel=_NARROW)
    ] = None,
    importance: Importance = None,
    person: Annotated[
        list[str] | None,
        typer.Option(
            "--person", metavar="ID", help="Said by or about them; may be repeated.", rich_help_panel=_NARROW
        ),
    ] = None,
    place: Annotated[
        str | None,
        typer.Option("--place", metavar="NAME", help="What happened there.", rich_help_panel=_NARROW),
    ] = None,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Show what comes to mind at a message, as a prompt would get it. Asking changes nothing."""
    from omoide.domain.model import Kind
    from omoide.recall.filters import Filter

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

    where = Where(store=store, user=user, character=character)
    settings = settings_of(where)
    then, asked = moment(as_of, zone=settings.zone), words(message)
    narrowed = Filter(
        kinds=frozenset(chosen(Kind, kind)),
        since=moment(since, zone=settings.zone),
        until=moment(until, zone=settings.zone),
        importance=importance,
        people=frozenset(person or ()),
        place=place,
    )
    in_scope(where, work, settings=settings)


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
