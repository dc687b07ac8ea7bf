"""Is everything that an open engine rests on in order, and what to do where it is not."""

from __future__ import annotations

import asyncio
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal

from sqlalchemy import select

from omoide.addresses import shown
from omoide.domain.finding import Finding, found
from omoide.errors import EmbedderError, OmoideError, StoreError
from omoide.models.choices import ModelChoices
from omoide.models.endpoint import key_of
from omoide.models.reach import out_of_reach
from omoide.models.tasks import UNTIL, spent_today
from omoide.storage_findings import database_findings
from omoide.stores.backlog import backlog
from omoide.stores.copies import catch_up, misfits
from omoide.stores.debts import scopes_owing
from omoide.stores.tables import identities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.engine import Engine
    from omoide.models.endpoint import Endpoint

_WAIT: Final = 20.0
"""Seconds that the embedder has for its first word; loading a model takes some."""


async def checkup(engine: Engine) -> list[Finding]:
    """Look at the store, the indexes, what waits to be read, the embedder and the chat models."""
    stored = await engine.run(lambda: [*stored_findings(engine), *lease_findings(engine)])
    return [*stored, await embedder_finding(engine), *await model_findings(engine)]


def stored_findings(engine: Engine) -> Iterator[Finding]:
    """Look at the store and what lies in it. It blocks."""
    vectors = engine.settings.vectors
    yield from found("store", database_findings(engine.store.database, vectors=vectors))
    yield from found("keyring", _keyring(engine))
    yield from found("erasure", _shut(engine))
    yield from found("indexes", _indexes(engine))
    yield from found(vectors, _copies(engine))
    yield from found("indexes", _other_spaces(engine))
    yield from found("extraction", _unread(engine))


def lease_findings(engine: Engine) -> Iterator[Finding]:
    """Ask the lease server, where there is one. It blocks."""
    place = engine.settings.lease_url
    if place is None:
        return
    try:
        engine.leases.check()
    except OmoideError as error:
        yield Finding.wrong("leases", error)
        return
    yield Finding(what="leases", state="ok", detail=f"{shown(place)} gives them")


async def embedder_finding(engine: Engine) -> Finding:
    """Ask the embedder for a vector."""
    if engine.settings.embedder == "none":
        detail = "none is wanted; memories are recalled by words"
        return Finding(what="embedder", state="note", detail=detail)
    if engine.embedder is None:
        return Finding(what="embedder", state="note", detail="; ".join(engine.notices) or "there is none")
    started = time.perf_counter()
    try:
        async with asyncio.timeout(_WAIT):
            await engine.embedder.embed_query("hello")
    except (EmbedderError, TimeoutError) as error:
        reason = str(error) or f"no answer in {_WAIT:g} seconds"
        circuit = engine.meaning.circuit
        detail = (
            f"{reason}; recalls go on by words, and after {circuit.failures} failures in a row try it "
            f"again every {circuit.rest:g} seconds only"
        )
        return Finding(what="embedder", state="wrong", detail=detail)
    spent = (time.perf_counter() - started) * 1000
    space = engine.embedder.identity
    detail = f"{space.backend} {space.model}, {space.dimensions} numbers, first answer in {spent:.0f} ms"
    return Finding(what="embedder", state="ok", detail=detail)


async def model_findings(engine: Engine) -> list[Finding]:
    """Whether each chat model that is set is within reach, and known there."""
    try:
        choices = await engine.read(lambda: ModelChoices(engine.store, engine.settings).all())
    except StoreError as error:
        return [Finding.wrong("model", error)]
    troubled = [
        Finding(what=f"model for {choice.task}", state="wrong", detail=choice.trouble)
        for choice in choices
        if choice.trouble
    ]
    by_endpoint: dict[Endpoint, list[str]] = {}
    for choice in choices:
        if choice.endpoint is not None:
            by_endpoint.setdefault(choice.endpoint, []).append(choice.task)
    if not by_endpoint and not troubled:
        detail = (
            "none is set, so nothing is extracted, but where a proxy's upstream does it; "
            "set OMOIDE_MODEL, or run `omoide models set`"
        )
        return [Finding(what="model", state="note", detail=detail)]
    for endpoint, tasks in by_endpoint.items():
        what = f"model for {', '.join(tasks)}" if len(tasks) < len(choices) else "model"
        troubled.append(await _model(engine, endpoint, what=what))
    return troubled


def _keyring(engine: Engine) -> Iterator[Finding]:
    ring = engine.store.keyring
    yield Finding(what="keyring", state="ok", detail=f"{ring.name}, fits, epoch {ring.epoch}")


def _shut(engine: Engine) -> Iterator[Finding]:
    """Scopes that are still to be erased, and those that no key opens."""
    scopes = engine.store.scopes
    with engine.store.database.read() as connection:
        unfinished, unopened = len(scopes.shut_ones(connection)), len(scopes.unopened(connection))
    if unfinished:
        detail = (
            f"{unfinished} scopes are left of erasures that were not finished; nobody can read them; "
            "`omoide erase --unfinished` deletes them, or `omoide erase USER` again"
        )
        yield Finding(what="erasure", state="wrong", detail=detail)
    if unopened:
        detail = (
            f"{unopened} scopes open with no key: their users were erased after the backup that was "
            "restored, and `omoide erase --unfinished` deletes them; or the keyring is older than the "
            "store, and its newest copy has to be put there first"
        )
        yield Finding(what="keyring", state="note", detail=detail)


def _indexes(engine: Engine) -> Iterator[Finding]:
    vectors = terms = 0
    scopes = engine.store.all_scopes()
    for row in scopes:
        with engine.store.read(row) as unit:
            counted = unit.pending.count(embedding=engine.store.embedding, analyser=engine.store.analyser)
        vectors, terms = vectors + counted[0], terms + counted[1]
    if vectors or terms:
        detail = f"{vectors} memories lack vectors, {terms} lack terms; run `omoide reindex`"
        yield Finding(what="indexes", state="note", detail=detail)
    else:
        yield Finding(what="indexes", state="ok", detail=f"complete in {len(scopes)} scopes")


def _copies(engine: Engine) -> Iterator[Finding]:
    """Whether an index outside of the process holds all vectors; first it is given what it lacks."""
    store, what = engine.store, engine.settings.vectors
    if store.index.in_process:
        return
    try:
        catch_up(store)
        wrong = 0 if store.index.behind else misfits(store)
    except OmoideError as error:
        yield Finding(what=what, state="wrong", detail=str(error))
        return
    with store.database.read() as connection:
        owing = scopes_owing(connection, tenant=store.tenant)
    if owing:
        detail = (
            f"it cannot be reached; changes of {owing} scopes wait for it, and what was forgotten in them "
            "may lie there until it is back; recalls go on by words"
        )
        yield Finding(what=what, state="wrong", detail=detail)
    elif store.index.behind:
        detail = "it cannot be reached, or does not hold all vectors yet; recalls go on by words"
        yield Finding(what=what, state="wrong", detail=detail)
    elif wrong:
        detail = (
            f"{wrong} copies are of another size than the vectors in use, and are recalled by words alone; "
            "run `omoide reindex --verify`"
        )
        yield Finding(what=what, state="wrong", detail=detail)
    else:
        yield Finding(what=what, state="ok", detail="it holds a copy of every vector, as far as it was told")


def _other_spaces(engine: Engine) -> Iterator[Finding]:
    """Vectors and terms that another model or analyser left: kept, and of no use to this one."""
    with engine.store.database.read() as connection:
        query = select(identities.c.id, identities.c.kind, identities.c.key)
        rows = connection.execute(query.where(identities.c.tenant == engine.store.tenant)).all()
    current = {"embedding": engine.store.embedding, "analyser": engine.store.analyser}
    for number, kind, key in rows:
        if current.get(kind) is not None and number != current[kind]:
            detail = f"this store also knows {key!r}, which is not in use now"
            yield Finding(what=kind, state="note", detail=detail)


def _unread(engine: Engine) -> Iterator[Finding]:
    with engine.store.database.read() as connection:
        waits = backlog(connection, tenant=engine.store.tenant)
        spent = spent_today(connection, engine.store)
    limit = engine.settings.daily_tokens
    state: Literal["ok", "note"] = "note"
    if engine.settings.extraction == "off":
        detail = "it is off; memories are made by rule alone"
    elif limit and spent >= limit:
        detail = (
            f"today's {limit} tokens (daily_tokens) are spent: {waits.windows} windows and {waits.scopes} "
            f"scopes with something new wait until {UNTIL}, and so do discussions; raise it to go on now"
        )
    elif waits.failed:
        detail = f"{waits.failed} parts of conversations failed and are tried again; see `omoide windows`"
    else:
        state, detail = "ok", f"{waits.windows} windows wait; {waits.scopes} scopes have something new"
    yield Finding(what="extraction", state=state, detail=detail)


async def _model(engine: Engine, endpoint: Endpoint, *, what: str) -> Finding:
    if find_spec("pydantic_ai") is None:
        detail = "chat models need the extra 'llm'; pip install 'omoide[llm]'"
        return Finding(what=what, state="wrong", detail=detail)
    try:
        trouble = await out_of_reach(endpoint, key=key_of(endpoint, engine.settings))
    except OmoideError as error:
        trouble = str(error)
    if trouble is not None:
        return Finding(what=what, state="wrong", detail=f"{endpoint}: {trouble}")
    return Finding(what=what, state="ok", detail=f"{endpoint} is there, {endpoint.output} output")
