"""`omoide doctor`: is everything that memory rests on in order, and what to do where it is not."""

from __future__ import annotations

import asyncio
import os
import stat
import time
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer

from omoide.cli import show
from omoide.cli.options import Json, Store, Where
from omoide.cli.running import WRONG, has_store, settings_of, store_path, thrown_away
from omoide.errors import EmbedderError, InvalidInput, OmoideError, SealError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.bootstrap import Omoide
    from omoide.config import Settings
    from omoide.models.endpoint import Endpoint

_WAIT = 20.0
"""Seconds that the embedder has for its first word; loading a model takes some."""

_KNOCK = 0.5
"""Seconds that a server on this machine has to answer."""

_SERVERS = (
    ("Ollama", "http://127.0.0.1:11434/api/tags", "ollama", "http://127.0.0.1:11434"),
    ("llama.cpp", "http://127.0.0.1:8080/v1/models", "openai", "http://127.0.0.1:8080/v1"),
)
"""Servers that can embed: name, what to ask, the setting for it, and its address."""

_COLOURS = {"ok": "green", "note": "yellow", "wrong": "bold red"}
app = typer.Typer()


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: the thing.
        state: ``ok``, ``note`` for what may be improved, or ``wrong``.
        detail: what was found, and the way out.
    """

    what: str
    state: str
    detail: str


@app.command(rich_help_panel="Care")
def doctor(*, store: Store = None, json: Json = False) -> None:
    """Check settings, keys, the store and the embedder; exit code 1 if something is wrong."""
    findings = list(_findings(Where(store=store)))
    wrong = any(finding.state == "wrong" for finding in findings)
    if json:
        show.as_json({"healthy": not wrong, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            show.say(f"{finding.state:5}  {finding.what}: {finding.detail}", style=_COLOURS[finding.state])
    if wrong:
        raise typer.Exit(WRONG)


def _findings(where: Where) -> Iterator[Finding]:
    try:
        settings = settings_of(where)
    except OmoideError as error:
        yield _wrong("settings", error)
        yield from _slips()
        return
    yield _settings()
    yield from _slips()
    yield _zone(settings)
    yield _master_key(settings)
    if not has_store(settings):
        detail = f"{store_path(settings)} is not there yet; the first write makes it"
        yield Finding(what="store", state="note", detail=detail)
    try:
        yield from asyncio.run(_opened(settings))
    except SealError as error:
        yield _wrong("keyring", error)
    except InvalidInput as error:
        yield _wrong("settings", error)
    except OmoideError as error:
        yield _wrong("store", error)


def _settings() -> Finding:
    from omoide.config import config_file

    file = config_file()
    return Finding(
        what="settings", state="ok", detail=str(file) if file.exists() else "defaults and environment"
    )


def _slips() -> Iterator[Finding]:
    from omoide.config import told_of, unknown_variables

    for name, like in unknown_variables().items():
        yield Finding(what="settings", state="note", detail=told_of(name, like))


def _zone(settings: Settings) -> Finding:
    from omoide.domain.instants import zone_of

    try:
        zone_of(settings.zone)
    except OmoideError as error:
        return _wrong("time zone", error)
    return Finding(what="time zone", state="ok", detail=settings.zone)


def _master_key(settings: Settings) -> Finding:
    from omoide.stores.masterkey import MasterKey

    given = None if settings.master_key is None else settings.master_key.get_secret_value()
    file = settings.master_key_file.expanduser()
    if not (given or settings.master_key_command or file.exists() or has_store(settings)):
        return Finding(what="master key", state="note", detail=f"the first write makes {file}")
    try:
        key = MasterKey.load(env=given, command=settings.master_key_command, file=file)
    except OmoideError as error:
        return _wrong("master key", error)
    source = "the environment" if given else "a command" if settings.master_key_command else str(file)
    return Finding(what="master key", state="ok", detail=f"{key.fingerprint}, from {source}")


async def _opened(settings: Settings) -> list[Finding]:
    """What can be seen from inside; where there is no store yet, that of one which is thrown away."""
    from omoide.bootstrap import Omoide

    exists = has_store(settings)
    with TemporaryDirectory() as folder:
        if not exists:
            settings = thrown_away(settings, Path(folder))
        found: list[Finding] = []
        try:
            async with Omoide.open(settings=settings) as omoide:
                found += await _seen(omoide, settings, exists=exists)
        except EmbedderError as error:
            found.append(_wrong("embedder", error))
            found += await _offers()
            async with Omoide.open(settings=settings.model_copy(update={"embedder": "none"})) as omoide:
                found += await omoide.run(lambda: list(_inside(omoide, settings))) if exists else []
        return found


async def _seen(omoide: Omoide, settings: Settings, *, exists: bool) -> list[Finding]:
    found = await omoide.run(lambda: list(_inside(omoide, settings))) if exists else []
    return [*found, *await _embedder(omoide, settings), *await _chat_models(omoide, settings)]


def _inside(omoide: Omoide, settings: Settings) -> Iterator[Finding]:
    from omoide.stores.migrations import HEAD

    path = store_path(settings)
    if damage := omoide.store.database.healthy():
        detail = f"{path} is damaged ({damage[0]}); restore a backup of it"
        yield Finding(what="store", state="wrong", detail=detail)
    else:
        size = path.stat().st_size / 1_000_000
        yield Finding(what="store", state="ok", detail=f"{path}, {size:.1f} MB, schema {HEAD}")
    yield _rights(path)
    ring = settings.keyring or path.with_name(path.name + ".keyring")
    yield Finding(what="keyring", state="ok", detail=f"{ring}, fits")
    yield _pending(omoide)
    yield from _other_spaces(omoide)


def _rights(path: Path) -> Finding:
    if os.name != "nt" and stat.S_IMODE(path.stat().st_mode) & 0o022:
        detail = f"others may write to {path}; run: chmod go-w {path}"
        return Finding(what="rights", state="wrong", detail=detail)
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        return Finding(what="rights", state="wrong", detail=f"{path} or its folder cannot be written")
    return Finding(what="rights", state="ok", detail="the store can be written, and by no other user")


def _pending(omoide: Omoide) -> Finding:
    vectors = terms = 0
    scopes = omoide.store.all_scopes()
    for row in scopes:
        with omoide.store.read(row) as unit:
            counted = unit.pending.count(embedding=omoide.store.embedding, analyser=omoide.store.analyser)
        vectors, terms = vectors + counted[0], terms + counted[1]
    if vectors or terms:
        detail = f"{vectors} memories lack vectors, {terms} lack terms; run `omoide reindex`"
        return Finding(what="indexes", state="note", detail=detail)
    return Finding(what="indexes", state="ok", detail=f"complete in {len(scopes)} scopes")


def _other_spaces(omoide: Omoide) -> Iterator[Finding]:
    """Vectors and terms that another model or analyser left: kept, and of no use to this one."""
    from sqlalchemy import select

    from omoide.stores.tables import identities

    with omoide.store.database.read() as connection:
        rows = connection.execute(select(identities.c.id, identities.c.kind, identities.c.key)).all()
    current = {"embedding": omoide.store.embedding, "analyser": omoide.store.analyser}
    for number, kind, key in rows:
        if current.get(kind) is not None and number != current[kind]:
            detail = f"this store also knows {key!r}, which is not in use now"
            yield Finding(what=kind, state="note", detail=detail)


async def _embedder(omoide: Omoide, settings: Settings) -> list[Finding]:
    if settings.embedder == "none":
        return [
            Finding(what="embedder", state="note", detail="none is wanted; memories are recalled by words")
        ]
    if omoide.embedder is None:
        detail = "; ".join(omoide.notices) or "there is none"
        return [Finding(what="embedder", state="note", detail=detail), *await _offers()]
    started = time.perf_counter()
    try:
        async with asyncio.timeout(_WAIT):
            await omoide.embedder.embed_query("hello")
    except (EmbedderError, TimeoutError) as error:
        reason = str(error) or f"no answer in {_WAIT:g} seconds"
        detail = (
            f"{reason}; recalls go on by words, and after {omoide.circuit.failures} failures in a row try it "
            f"again every {omoide.circuit.rest:g} seconds only"
        )
        return [Finding(what="embedder", state="wrong", detail=detail), *await _offers()]
    spent = (time.perf_counter() - started) * 1000
    space = omoide.embedder.identity
    detail = f"{space.backend} {space.model}, {space.dimensions} numbers, first answer in {spent:.0f} ms"
    return [Finding(what="embedder", state="ok", detail=detail)]


async def _chat_models(omoide: Omoide, settings: Settings) -> list[Finding]:
    """Whether each chat model that is set is within reach, and known there."""
    from omoide.models.choices import ModelChoices

    choices = await omoide.run(lambda: ModelChoices(omoide.store, settings).all())
    found = [
        Finding(what=f"model for {choice.task}", state="wrong", detail=choice.trouble)
        for choice in choices
        if choice.trouble
    ]
    by_endpoint: dict[Endpoint, list[str]] = {}
    for choice in choices:
        if choice.endpoint is not None:
            by_endpoint.setdefault(choice.endpoint, []).append(choice.task)
    if not by_endpoint and not found:
        detail = "none is set, so nothing is extracted; set OMOIDE_MODEL, or run `omoide models set`"
        return [Finding(what="model", state="note", detail=detail)]
    for endpoint, tasks in by_endpoint.items():
        what = f"model for {', '.join(tasks)}" if len(tasks) < len(choices) else "model"
        found.append(await _chat_model(endpoint, settings, what=what))
    return found


async def _chat_model(endpoint: Endpoint, settings: Settings, *, what: str) -> Finding:
    from omoide.models.endpoint import key_of
    from omoide.models.reach import out_of_reach

    if find_spec("pydantic_ai") is None:
        detail = "chat models need the extra 'llm'; pip install 'omoide[llm]'"
        return Finding(what=what, state="wrong", detail=detail)
    try:
        trouble = await out_of_reach(endpoint, key=key_of(endpoint, settings))
    except OmoideError as error:
        trouble = str(error)
    if trouble is not None:
        return Finding(what=what, state="wrong", detail=f"{endpoint}: {trouble}")
    return Finding(what=what, state="ok", detail=f"{endpoint} is there, {endpoint.output} output")


async def _offers() -> list[Finding]:
    """Servers on this machine that could embed instead (ruling 38)."""
    import httpx2

    found = []
    async with httpx2.AsyncClient(timeout=_KNOCK, trust_env=False) as client:
        for name, url, kind, base in _SERVERS:
            try:
                response = await client.get(url)
            except httpx2.HTTPError:
                continue
            if response.status_code == 200:
                detail = (
                    f"{name} answers at {base}; to use it, set OMOIDE_EMBEDDER={kind}, "
                    f"OMOIDE_EMBEDDER_URL={base} and OMOIDE_EMBEDDER_MODEL to an embedding model"
                )
                found.append(Finding(what="embedder", state="note", detail=detail))
    return found


def _wrong(what: str, error: Exception) -> Finding:
    return Finding(what=what, state="wrong", detail=str(error))
