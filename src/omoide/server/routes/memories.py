"""Memories: list, write, correct, pin, forget, restore; and the people in them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Response
from pydantic import BaseModel

from omoide.domain.model import Kind, Status
from omoide.domain.records import Person
from omoide.retain.transfer import load
from omoide.server.doors import AnyAccess, KeyedScope, WhoseScope
from omoide.server.routes.bodies import CorrectionBody, ForgetBody, MergeBody, NameBody, NoteBody
from omoide.views import MemoryView

router = APIRouter(prefix="/api", tags=["memories"])


class MadeView(BaseModel):
    """The id of what was written."""

    id: str


class CountView(BaseModel):
    """How many."""

    memories: int = 0
    messages: int = 0


class PersonView(BaseModel):
    """Somebody whom a scope knows."""

    id: str
    name: str
    role: str

    @classmethod
    def of(cls, person: Person) -> PersonView:
        """The view of a person."""
        return cls(id=person.id, name=person.name, role=person.role.value)


@router.get("/memories")
async def memories(
    scope: WhoseScope,
    kind: Annotated[tuple[Kind, ...], Query()] = (),
    status: Annotated[tuple[Status, ...], Query()] = (Status.CONFIRMED,),
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> list[MemoryView]:
    """The memories of a scope, newest first."""
    found = await scope.memories(kinds=kind, statuses=status, limit=limit)
    return [MemoryView.of(memory) for memory in found]


@router.post("/memories", status_code=201)
async def remember(scope: WhoseScope, body: NoteBody) -> MadeView:
    """Write a memory by hand."""
    given = body.model_dump(exclude={"text", "keys"})
    return MadeView(id=await scope.remember(body.text, keys=tuple(body.keys), **given))


@router.get("/memories/{memory}")
async def show(scope: WhoseScope, memory: str) -> MemoryView:
    """One memory, whatever its status."""
    return MemoryView.of(await scope.show(memory))


@router.post("/memories/{memory}/correct", status_code=201)
async def correct(scope: WhoseScope, memory: str, body: CorrectionBody) -> MadeView:
    """Let a memory say something else from now on; the new one's id."""
    return MadeView(id=await scope.correct(memory, body.text))


@router.post("/memories/{memory}/pin", status_code=204)
async def pin(scope: WhoseScope, memory: str) -> None:
    """Let a memory never fade."""
    await scope.pin(memory)


@router.post("/memories/{memory}/unpin", status_code=204)
async def unpin(scope: WhoseScope, memory: str) -> None:
    """Let a memory fade again."""
    await scope.unpin(memory)


@router.delete("/memories/{memory}")
async def forget_one(scope: WhoseScope, memory: str) -> CountView:
    """Forget a memory everywhere at once; it can be restored for 30 days."""
    return CountView(memories=await scope.forget(memory))


@router.post("/forget")
async def forget(scope: WhoseScope, body: ForgetBody) -> CountView:
    """Forget memories everywhere at once; they can be restored for 30 days."""
    return CountView(memories=await scope.forget(*body.ids))


@router.post("/memories/{memory}/restore", status_code=204)
async def restore(scope: WhoseScope, memory: str) -> None:
    """Bring a forgotten or faded memory back."""
    await scope.restore(memory)


@router.post("/purge")
async def purge(scope: KeyedScope, *, now: bool = False) -> CountView:
    """Destroy what was forgotten more than 30 days ago, or everything that was forgotten."""
    return CountView(memories=await scope.purge(now=now))


@router.post("/prune")
async def prune(scope: WhoseScope) -> dict[str, int]:
    """A cycle of forgetting by the calendar; what fades can be restored."""
    faded = await scope.prune()
    return {"kept": faded.kept, "faded": faded.faded}


@router.post("/reset")
async def reset(scope: KeyedScope) -> CountView:
    """Delete all that this character has of this user, and nothing else."""
    gone, messages = await scope.reset()
    return CountView(memories=gone, messages=messages)


@router.get("/export", response_class=Response, responses={200: {"content": {"application/x-ndjson": {}}}})
async def export(scope: KeyedScope, access: AnyAccess) -> Response:
    """Everything of a scope, as lines of JSON; events without their descriptions where no admin asks."""
    lines = await scope.export(described=access.admin)
    return Response("".join(f"{line}\n" for line in lines), media_type="application/x-ndjson")


@router.post("/import")
async def restore_export(
    scope: WhoseScope, lines: Annotated[str, Body(media_type="application/x-ndjson")]
) -> CountView:
    """Write what an export holds; what is here already is left as it is."""
    recorded = await scope.restore_export(load(lines.splitlines()))
    return CountView(memories=recorded.made, messages=recorded.added)


@router.get("/people")
async def people(scope: WhoseScope) -> list[PersonView]:
    """The people whom a scope knows."""
    return [PersonView.of(person) for person in await scope.people()]


@router.post("/people/{person}/rename")
async def rename(scope: WhoseScope, person: str, body: NameBody) -> PersonView:
    """Call a person so from now on."""
    return PersonView.of(await scope.rename_person(person, body.name))


@router.post("/people/{person}/merge")
async def merge(scope: WhoseScope, person: str, body: MergeBody) -> PersonView:
    """Let another person be this one."""
    return PersonView.of(await scope.merge_people(person, body.other))
