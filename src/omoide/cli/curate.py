"""Commands that change memories: write, correct, pin, forget, and taking a conversation back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import (
    At,
    Character,
    Importance,
    Json,
    MemoryId,
    MemoryIds,
    New,
    Session,
    Store,
    User,
    Where,
    Words,
    moment,
    words,
)
from omoide.cli.running import chosen, settings_of
from omoide.cli.whose import both_names, in_new_scope, in_scope
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from omoide.scope import Scope

_MEMORIES = "Memories"
_TALK = "Talk"
_PAST = "For kind diary: how the character knows it"
app = typer.Typer()


@app.command(rich_help_panel=_MEMORIES)
def remember(
    text: Words,
    *,
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="fact, plan, guidance, diary, world …")
    ] = "fact",
    importance: Importance = None,
    at: At = None,
    confidence: Annotated[
        float | None, typer.Option("--confidence", metavar="1-10", help="How sure it is.")
    ] = None,
    pin_it: Annotated[bool, typer.Option("--pin", help="Let it never fade.")] = False,
    place: Annotated[str | None, typer.Option("--place", metavar="NAME", help="Where it happened.")] = None,
    key: Annotated[
        list[str] | None, typer.Option("--key", metavar="WORD", help="Calls it to mind; may be repeated.")
    ] = None,
    about: Annotated[
        str | None, typer.Option("--about", metavar="ID", help="The person that it is about.")
    ] = None,
    layer: Annotated[
        str | None,
        typer.Option("--layer", metavar="LAYER", help="direct, heard or inferred.", rich_help_panel=_PAST),
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="NAME", help="Who told it.", rich_help_panel=_PAST)
    ] = None,
    heard_when: Annotated[
        str | None,
        typer.Option("--heard-when", metavar="TEXT", help="When it was told.", rich_help_panel=_PAST),
    ] = None,
    basis: Annotated[
        str | None,
        typer.Option("--basis", metavar="TEXT", help="What a guess rests on.", rich_help_panel=_PAST),
    ] = None,
    age: Annotated[
        float | None,
        typer.Option("--age", metavar="YEARS", help="The character's age then.", rich_help_panel=_PAST),
    ] = None,
    user: User = None,
    character: Character = None,
    new: New = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Write a memory by hand."""
    from omoide.domain.layer import CONFIDENCE, Layer
    from omoide.domain.model import Kind, Past
    from omoide.retain.noted import Noted

    async def work(scope: Scope) -> None:
        [made] = await scope.remember_all([note])
        show.answer({"id": made}, made, json=json)

    where = Where(store=store, user=user, character=character)
    settings = settings_of(where)
    past = None
    ways = {"--source": source, "--heard-when": heard_when, "--basis": basis, "--age": age}
    if layer is None and (given := [name for name, value in ways.items() if value is not None]):
        msg = f"{', '.join(given)} belongs to a character's own past; give --kind diary and --layer too"
        raise InvalidInput(msg)
    if layer is not None:
        (known,) = chosen(Layer, [layer])
        past = Past(
            layer=known,
            confidence=sum(CONFIDENCE[known]) / 2 if confidence is None else confidence,
            source=source,
            heard_when=heard_when,
            basis=basis,
            age=age,
        )
    both_names(where)
    note = Noted(
        text=words(text),
        kind=chosen(Kind, [kind])[0],
        importance=importance,
        at=moment(at, zone=settings.zone),
        confidence=None if past else confidence,
        pinned=pin_it,
        past=past,
        place=place,
        keys=tuple(key or ()),
        about=about,
    )
    in_new_scope(where, work, new=new, settings=settings)


@app.command(rich_help_panel=_MEMORIES)
def correct(
    memory: MemoryId,
    text: Words,
    *,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Let a memory say something else from now on; prints the new one's id."""

    async def work(scope: Scope) -> None:
        made = await scope.correct(memory, words(text))
        show.answer({"id": made, "replaces": memory}, made, json=json)

    in_scope(Where(store=store, user=user, character=character), work, vectors=True)


@app.command(rich_help_panel=_MEMORIES)
def pin(
    memory: MemoryId,
    *,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Let a memory never fade."""

    async def work(scope: Scope) -> None:
        await scope.pin(memory)
        show.answer({"id": memory, "pinned": True}, f"pinned {memory}", json=json)

    in_scope(Where(store=store, user=user, character=character), work)


@app.command(rich_help_panel=_MEMORIES)
def unpin(
    memory: MemoryId,
    *,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Let a memory fade again."""

    async def work(scope: Scope) -> None:
        await scope.unpin(memory)
        show.answer({"id": memory, "pinned": False}, f"unpinned {memory}", json=json)

    in_scope(Where(store=store, user=user, character=character), work)


@app.command(rich_help_panel=_MEMORIES)
def forget(
    memory: MemoryIds,
    *,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Forget memories everywhere at once; `restore` brings them back for 30 days."""

    async def work(scope: Scope) -> None:
        gone = await scope.forget(*memory)
        line = f"forgot {gone} memories; `omoide restore` brings them back for 30 days"
        show.answer({"forgotten": gone}, line, json=json)

    in_scope(Where(store=store, user=user, character=character), work)


@app.command(rich_help_panel=_TALK)
def rewind(
    message: Annotated[str, typer.Argument(metavar="MESSAGE", help="The last message that stays; its id.")],
    *,
    session: Session = None,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Take back everything said after a message, and what was remembered of it."""

    async def work(scope: Scope) -> None:
        recorded = await scope.rewind(message, session=session)
        fields = {
            "session": recorded.session,
            "withdrawn": recorded.withdrawn,
            "suppressed": recorded.suppressed,
        }
        line = f"took back {recorded.withdrawn} messages, and {recorded.suppressed} memories of them"
        show.answer(fields, line, json=json)

    in_scope(Where(store=store, user=user, character=character), work)
