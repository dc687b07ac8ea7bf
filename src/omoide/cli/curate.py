"""Commands that change memories: write, correct, pin, forget, and taking a conversation back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.cli import show
from omoide.cli.options import (
    AboutPerson,
    Age,
    At,
    Basis,
    Character,
    Confidence,
    HeardWhen,
    Importance,
    Json,
    Keys,
    KindOf,
    MemoryId,
    MemoryIds,
    New,
    OneLayer,
    Pinned,
    Place,
    Session,
    Source,
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
    from omoide.domain.model import Past
    from omoide.scope import Scope

_MEMORIES = "Memories"
_TALK = "Talk"
app = typer.Typer()


@app.command(rich_help_panel=_MEMORIES)
def remember(
    text: Words,
    *,
    kind: KindOf = "fact",
    importance: Importance = None,
    at: At = None,
    confidence: Confidence = None,
    pin_it: Pinned = False,
    place: Place = None,
    key: Keys = None,
    about: AboutPerson = None,
    layer: OneLayer = None,
    source: Source = None,
    heard_when: HeardWhen = None,
    basis: Basis = None,
    age: Age = None,
    user: User = None,
    character: Character = None,
    new: New = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Write a memory by hand."""
    from omoide.domain.model import Kind
    from omoide.retain.noted import Noted

    where = Where(store=store, user=user, character=character)
    settings = settings_of(where)
    past = _past(layer, confidence, source=source, heard_when=heard_when, basis=basis, age=age)
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

    async def work(scope: Scope) -> None:
        [made] = await scope.remember_all([note])
        show.answer({"id": made}, made, json=json)

    in_new_scope(where, work, new=new, settings=settings)


def _past(layer: str | None, confidence: float | None, **known: Any) -> Past | None:
    """How a character knows it; None for what is no part of its past."""
    from omoide.domain.layer import CONFIDENCE, Layer
    from omoide.domain.model import Past

    if layer is None:
        given = [f"--{name.replace('_', '-')}" for name, value in known.items() if value is not None]
        if given:
            msg = f"{', '.join(given)} belongs to a character's own past; give --kind diary and --layer too"
            raise InvalidInput(msg)
        return None
    (how,) = chosen(Layer, [layer])
    sure = sum(CONFIDENCE[how]) / 2 if confidence is None else confidence
    return Past(layer=how, confidence=sure, **known)


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
        line = f"forgot {show.counted(gone, 'memory')}; `omoide restore` brings them back for 30 days"
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
        said = show.counted(recorded.withdrawn, "message")
        line = f"took back {said}, and {show.counted(recorded.suppressed, 'memory')} of them"
        show.answer(fields, line, json=json)

    in_scope(Where(store=store, user=user, character=character), work)
