"""The one place that names backends: settings in, an engine out."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from omoide.config import Embedder as EmbedderName
from omoide.config import Settings, check_tenant, told_of, unknown_variables
from omoide.engine import Engine
from omoide.errors import EmbedderUnavailable, InvalidInput
from omoide.keychain import keyring_place, open_keyring
from omoide.models.cached import CachedEmbedder
from omoide.models.checked import CheckedEmbedder
from omoide.models.endpoint import from_settings
from omoide.models.tasks import TaskModels
from omoide.prompts.templates import Templates
from omoide.stores.copies import catch_up
from omoide.stores.index.nearest import InProcess
from omoide.stores.keys.private_file import make_folder
from omoide.stores.leases import DatabaseLeases
from omoide.stores.postgres.database import PostgresDatabase, is_postgres
from omoide.stores.sqlite import SqliteDatabase, sqlite_path
from omoide.stores.store import Store
from omoide.stores.tasks import PromptRows
from omoide.stores.tenants import note_tenant
from omoide.words.morphemes import load_analyser

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime
    from pathlib import Path

    from omoide.domain.chat import ChatModels
    from omoide.domain.embedding import EmbeddingIdentity
    from omoide.meaning import Embedder
    from omoide.retain.worker import Leases
    from omoide.stores.database import Database
    from omoide.stores.index.nearest import VectorIndex

_log = logging.getLogger("omoide")
_warned: set[str] = set()
"""Variables of the environment that were warned of; once in a process is enough."""


class Omoide(Engine):
    """The engine with a way to open it."""

    def beside(self, tenant: str) -> Omoide:
        """The engine of another tenant, over this one's connections, keys, embedder, models and threads.

        It blocks. Close it before this one.

        Raises:
            InvalidInput: no tenant can be called so.
            StoreError: the store cannot be reached.
        """
        check_tenant(tenant)
        note_tenant(self.store.database, tenant)
        store, settings = self.store.of(tenant), self.settings.model_copy(update={"tenant": tenant})
        catch_up(store)
        shared = self.models
        return Omoide(
            store,
            embedder=self.embedder,
            analyser=load_analyser(settings.analyser),
            settings=settings,
            models=shared.of(store, settings) if isinstance(shared, TaskModels) else shared,
            templates=Templates(_replaced(store)),
            leases=DatabaseLeases(store) if settings.lease_url is None else self.leases,
            notices=self.notices,
            host=self,
        )

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        store: str | Path | None = None,
        *,
        embedder: Embedder | EmbedderName | None = None,
        models: ChatModels | None = None,
        clock: Callable[[], datetime] | None = None,
        settings: Settings | None = None,
        **given: Any,
    ) -> AsyncIterator[Omoide]:
        """Open a store, and make it if it is not there.

        Args:
            store: a path; the setting decides where it is left out.
            embedder: one of your own, or the name of one as in the settings, such as ``none``.
            models: chat models of your own; those that settings and rows name are left out then.
            clock: the time now, aware; for tests and simulations.
            settings: read already; otherwise they are read from environment and file.
            given: settings by name, which win over environment and file.

        Raises:
            StoreError: the store cannot be opened; it is left as it was.
            SealError: its key is missing or wrong; it is left as it was.
            InvalidInput: a setting is wrong.
        """
        if store is not None:
            given["store"] = str(store)
        if isinstance(embedder, str):
            given["embedder"], embedder = embedder, None
        if settings is None:
            settings = Settings.read(**given)
        _warn_of_slips()
        from_settings(settings)  # so that a wrong one is told now, and not by the first call
        chosen, notices = (embedder, []) if embedder is not None else await _embedder(settings)
        opened, made_key = _store(settings, chosen, clock)
        if made_key:
            notices.append(
                f"a new master key lies in {settings.master_key_file}; keep a copy (omoide key export)"
            )
        for notice in notices:
            _log.warning(notice)
        try:
            await asyncio.to_thread(catch_up, opened)
            engine = cls(
                opened,
                embedder=None if chosen is None else CachedEmbedder(CheckedEmbedder(chosen)),
                analyser=load_analyser(settings.analyser),
                settings=settings,
                models=models if models is not None else TaskModels(opened, settings),
                templates=Templates(_replaced(opened)),
                leases=_leases(opened, settings),
                notices=notices,
            )
        except BaseException:
            opened.close()
            raise
        if settings.worker and settings.extraction != "off":
            engine.start_worker()
        try:
            yield engine
        finally:
            await engine.close()


def _replaced(store: Store) -> Callable[[str, str], str | None]:
    """Looks up the text that stands in place of a built-in prompt at this moment (P4)."""

    def replaced(name: str, language: str) -> str | None:
        with store.database.read() as connection:
            return PromptRows(connection, tenant=store.tenant).body(name, language)

    return replaced


def _leases(store: Store, settings: Settings) -> Leases:
    if settings.lease_url is None:
        return DatabaseLeases(store)
    from omoide.stores.redis_leases import RedisLeases

    return RedisLeases(settings.lease_url)


def _warn_of_slips() -> None:
    for name, like in unknown_variables().items():
        if name not in _warned:
            _warned.add(name)
            _log.warning(told_of(name, like))


def _store(
    settings: Settings, embedder: Embedder | None, clock: Callable[[], datetime] | None
) -> tuple[Store, bool]:
    space = None if embedder is None else embedder.identity
    keyring_place(settings, store="").close()  # so that a wrong address is told before anything is made
    database, keyring = open_database(settings), None
    try:
        keyring, made = open_keyring(settings, database)
        note_tenant(database, settings.tenant)
        store = Store(
            database.of(settings.tenant),
            keyring,
            tenant=settings.tenant,
            clock=_micros(clock),
            embedding=None if space is None else space.key,
            analyser=load_analyser(settings.analyser).identity,
            cache_bytes=settings.cache_mb * 1024 * 1024,
            large_scope=settings.large_scope,
            index=_index(settings, database, space, store=keyring.store_id),
        )
    except BaseException:
        if keyring is not None:
            keyring.close()
        database.close()
        raise
    return store, made


def _index(
    settings: Settings, database: Database, space: EmbeddingIdentity | None, *, store: str
) -> VectorIndex:
    """What compares the vectors of a store with this id.

    Raises:
        InvalidInput: it cannot be used with this store or embedder.
        StoreError: the database lacks what it needs; the message says the way out.
    """
    if settings.vectors == "memory":
        return InProcess()
    if settings.vectors == "qdrant":
        from omoide.stores.qdrant import QdrantIndex

        return QdrantIndex.open(settings, database=database, store_id=store, space=space)
    if not isinstance(database, PostgresDatabase):
        msg = (
            "vectors=pgvector needs a store on PostgreSQL (store=postgresql+psycopg://…), got "
            f"{database.name!r}; choose vectors=memory for a file"
        )
        raise InvalidInput(msg)
    from omoide.stores.pgvector import PgVector

    return PgVector.open(
        database,
        embedding=None if space is None else space.key,
        dimensions=0 if space is None else space.dimensions,
    )


def open_database(settings: Settings) -> Database:
    """The database that the settings name, made if it is a file that is not there, with the current schema.

    Raises:
        InvalidInput: they name none.
        StoreError: it cannot be opened; it is left as it was.
    """
    location = settings.store
    if is_postgres(location):
        return PostgresDatabase.open(location, pool=settings.pool)
    path = sqlite_path(location)
    make_folder(path.parent)
    return SqliteDatabase.open(path)


def _micros(clock: Callable[[], datetime] | None) -> Callable[[], int]:
    if clock is None:
        return lambda: time.time_ns() // 1_000
    return lambda: int(clock().timestamp() * 1_000_000)


async def _embedder(settings: Settings) -> tuple[Embedder | None, list[str]]:
    """The embedder that the settings name; None with a notice where there is none."""
    if settings.embedder == "none":
        return None, []
    try:
        return await _named(settings), []
    except EmbedderUnavailable as error:
        if settings.embedder != "auto":
            raise
        return None, [f"{error}; memories are recalled by words alone"]


async def _named(settings: Settings) -> Embedder:
    kind, key = settings.embedder, settings.embedder_key
    if kind in ("auto", "local"):
        from omoide.models.local import LocalEmbedder, local_unfit

        reason = local_unfit()
        if reason is not None:
            raise EmbedderUnavailable(reason)
        return LocalEmbedder()
    if settings.embedder_model is None:
        msg = f"the embedder {kind!r} needs a model; set embedder_model"
        raise InvalidInput(msg)
    if kind == "sentence-transformers":
        from omoide.models.sentence import SentenceEmbedder

        sentence = SentenceEmbedder(settings.embedder_model)
        await sentence.prepare()
        return sentence
    from omoide.models.http import OllamaEmbedder, OpenAIEmbedder

    if kind == "ollama":
        ollama = OllamaEmbedder(
            model=settings.embedder_model,
            base_url=settings.embedder_url or "http://127.0.0.1:11434",
            dimensions=settings.embedder_dimensions,
        )
        await ollama.prepare()
        return ollama
    if settings.embedder_url is None:
        msg = "the embedder 'openai' needs a server; set embedder_url, such as https://host/v1"
        raise InvalidInput(msg)
    openai = OpenAIEmbedder(
        model=settings.embedder_model,
        base_url=settings.embedder_url,
        api_key=key,
        dimensions=settings.embedder_dimensions,
    )
    await openai.prepare()
    return openai
