"""`omoide doctor`: is everything that memory rests on in order, and what to do where it is not."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer

from omoide.cli import show
from omoide.cli.options import Json, Store, Where
from omoide.cli.running import WRONG, has_store, settings_of, store_name, thrown_away
from omoide.domain.finding import Finding, found
from omoide.errors import EmbedderError, InvalidInput, OmoideError, SealError, StoreReadOnly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.bootstrap import Omoide
    from omoide.config import Settings

_KNOCK = 0.5
"""Seconds that a server on this machine has to answer."""

_SERVERS = (
    ("Ollama", "http://127.0.0.1:11434/api/tags", "ollama", "http://127.0.0.1:11434"),
    ("llama.cpp", "http://127.0.0.1:8080/v1/models", "openai", "http://127.0.0.1:8080/v1"),
)
"""Servers that can embed: name, what to ask, the setting for it, and its address."""

_COLOURS = {"ok": "green", "note": "yellow", "wrong": "bold red"}
app = typer.Typer()


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
        yield Finding.wrong("settings", error)
        yield from _slips()
        return
    yield _settings()
    yield from _slips()
    yield _zone(settings)
    yield from _characters(settings)
    try:
        exists = has_store(settings)
    except InvalidInput as error:
        yield Finding.wrong("settings", error)
        return
    yield _master_key(settings, exists=exists)
    try:
        if not exists:
            yield from _empty(settings)
        yield from asyncio.run(_opened(settings, exists=exists))
    except SealError as error:
        yield Finding.wrong("keyring", error)
    except InvalidInput as error:
        yield Finding.wrong("settings", error)
    except OmoideError as error:
        yield Finding.wrong("keyring" if str(error).startswith("the keyring") else "store", error)
        if isinstance(error, StoreReadOnly):
            yield from _lacking(settings)


def _lacking(settings: Settings) -> Iterator[Finding]:
    """All that the role lacks: opening the store has told of the first only."""
    from omoide.storage_findings import lacking_findings
    from omoide.stores.postgres.database import is_postgres

    if is_postgres(settings.store):
        yield from found("rights", lacking_findings(settings.store, vectors=settings.vectors))


def _empty(settings: Settings) -> Iterator[Finding]:
    """Whether a store can be made where there is none, as far as that can be seen without making one."""
    from omoide.storage_findings import empty_findings
    from omoide.stores.postgres.database import is_postgres

    if is_postgres(settings.store):
        yield from empty_findings(settings.store, vectors=settings.vectors)
        return
    detail = f"{store_name(settings)} is not there yet; the first write makes it"
    yield Finding(what="store", state="note", detail=detail)


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
        return Finding.wrong("time zone", error)
    return Finding(what="time zone", state="ok", detail=settings.zone)


def _characters(settings: Settings) -> Iterator[Finding]:
    """Characters that nobody can talk with, such as one that has the name of another."""
    from omoide.characters import Characters

    try:
        problems = Characters.of(settings).problems()
    except OmoideError as error:
        yield Finding.wrong("characters", error)
        return
    for problem in problems.values():
        yield Finding(what="characters", state="wrong", detail=problem)


def _master_key(settings: Settings, *, exists: bool) -> Finding:
    from omoide.stores.keys.masterkey import MasterKey

    given = None if settings.master_key is None else settings.master_key.get_secret_value()
    file = settings.master_key_file.expanduser()
    if not (given or settings.master_key_command or file.exists() or exists):
        return Finding(what="master key", state="note", detail=f"the first write makes {file}")
    try:
        key = MasterKey.load(env=given, command=settings.master_key_command, file=file)
    except OmoideError as error:
        return Finding.wrong("master key", error)
    source = "the environment" if given else "a command" if settings.master_key_command else str(file)
    return Finding(what="master key", state="ok", detail=f"{key.fingerprint}, from {source}")


async def _opened(settings: Settings, *, exists: bool) -> list[Finding]:
    """What can be seen from inside; where there is no store yet, that of one which is thrown away."""
    from omoide.bootstrap import Omoide

    with TemporaryDirectory() as folder:
        if not exists:
            settings = thrown_away(settings, Path(folder))
        found: list[Finding] = []
        try:
            async with Omoide.open(settings=settings) as omoide:
                found += await _seen(omoide, exists=exists)
        except EmbedderError as error:
            found.append(Finding.wrong("embedder", error))
            found += await _offers()
            async with Omoide.open(settings=settings.model_copy(update={"embedder": "none"})) as omoide:
                found += await _stored(omoide, exists=exists)
        return found


async def _seen(omoide: Omoide, *, exists: bool) -> list[Finding]:
    from omoide.checkup import embedder_finding, model_findings

    found = await _stored(omoide, exists=exists)
    embedder = await embedder_finding(omoide)
    wanted = omoide.settings.embedder != "none" and embedder.state != "ok"
    offers = await _offers() if wanted else []
    return [*found, embedder, *offers, *await model_findings(omoide)]


async def _stored(omoide: Omoide, *, exists: bool) -> list[Finding]:
    from omoide.checkup import lease_findings, stored_findings

    def looked() -> list[Finding]:
        return [*(stored_findings(omoide) if exists else ()), *lease_findings(omoide)]

    return await omoide.run(looked)


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
