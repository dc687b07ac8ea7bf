"""Any model of the sentence-transformers library, on this machine (H23)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Protocol, cast

import numpy as np

from omoide.domain.embedding import EmbeddingIdentity, Thresholds
from omoide.errors import EmbedderUnavailable, MissingExtra
from omoide.models.prefixes import Prefixes, prefixes_for
from omoide.models.thresholds import thresholds_for
from omoide.models.vectors import BLANK, FloatArray, batches, unit_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

BATCH: Final = 32


class _Model(Protocol):
    @property
    def prompts(self) -> Mapping[str, str]: ...
    def encode_query(self, texts: list[str], *, prompt: str, show_progress_bar: bool) -> FloatArray: ...
    def encode_document(self, texts: list[str], *, prompt: str, show_progress_bar: bool) -> FloatArray: ...


class SentenceEmbedder:
    """Embeds with a sentence-transformers model, such as a Korean SRoBERTa or a multilingual MPNet.

    The model is loaded on first use (downloaded, if it is not here) and lives in one thread. Prompts in the
    model's own settings win over those that are known of its family.

    Args:
        model: a name on the hub, or a folder.
        thresholds: other ones than those of the model's family.

    Raises:
        MissingExtra: sentence-transformers is not installed.
    """

    def __init__(self, model: str, *, thresholds: Thresholds | None = None) -> None:
        if find_spec("sentence_transformers") is None:
            raise MissingExtra(f'{model!r} needs sentence-transformers; pip install "omoide[sentence]"')
        self._name = model
        self._prefixes = prefixes_for(model)
        self._thresholds = thresholds if thresholds is not None else thresholds_for(model)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="omoide-embedder")
        self._model: _Model | None = None
        self._dimensions: int | None = None

    @property
    def identity(self) -> EmbeddingIdentity:
        """What names the vectors' space.

        Raises:
            EmbedderUnavailable: the model is not loaded; await :meth:`prepare` first.
        """
        if self._dimensions is None:
            raise EmbedderUnavailable(f"{self._name!r} is not loaded yet; await prepare() first")
        return EmbeddingIdentity(
            backend="sentence-transformers",
            model=self._name,
            dimensions=self._dimensions,
            query_prefix=self._prefixes.query,
            document_prefix=self._prefixes.document,
        )

    @property
    def thresholds(self) -> Thresholds:
        """Which similarities mean something in this space."""
        return self._thresholds

    async def prepare(self) -> None:
        """Load the model and learn its dimensions, if it is not loaded; :attr:`identity` then works.

        Raises:
            EmbedderUnavailable: there is no such model.
        """
        if self._dimensions is None:
            await self._run(self._documents, [BLANK])

    async def embed_query(self, text: str) -> FloatArray:
        """Embed what is searched for; a vector of length 1.

        Raises:
            EmbedderError: the model cannot be loaded or gives no usable vector.
        """
        [batch] = batches([text], 1)
        vector: FloatArray = (await self._run(self._queries, batch))[0]
        return vector

    async def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Embed what is kept; one row of length 1 for each text, in order.

        Raises:
            EmbedderError: the model cannot be loaded or gives no usable vector.
        """
        parts = [await self._run(self._documents, batch) for batch in batches(texts, BATCH)]
        return np.concatenate(parts) if parts else np.empty((0, self._dimensions or 0), dtype=np.float32)

    async def aclose(self) -> None:
        """Let the running batch end, then free the model."""
        await asyncio.to_thread(self._thread.shutdown)
        self._model = None

    async def _run(self, work: Callable[[list[str]], FloatArray], texts: list[str]) -> FloatArray:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, texts)

    def _queries(self, texts: list[str]) -> FloatArray:
        model = self._loaded()
        return self._checked(
            model.encode_query(texts, prompt=self._prefixes.query, show_progress_bar=False), texts
        )

    def _documents(self, texts: list[str]) -> FloatArray:
        model = self._loaded()
        return self._checked(
            model.encode_document(texts, prompt=self._prefixes.document, show_progress_bar=False), texts
        )

    def _checked(self, rows: FloatArray, texts: list[str]) -> FloatArray:
        vectors = unit_vectors(rows, count=len(texts), dimensions=self._dimensions)
        self._dimensions = vectors.shape[1]
        return vectors

    def _loaded(self) -> _Model:
        if self._model is None:
            self._model = _load(self._name)
            self._prefixes = _own_prompts(self._model.prompts, known=self._prefixes)
        return self._model


def _load(name: str) -> _Model:
    try:
        return cast("_Model", import_module("sentence_transformers").SentenceTransformer(name))
    except (ImportError, OSError, ValueError) as error:
        raise EmbedderUnavailable(
            f"{name!r} cannot be loaded ({type(error).__name__}); give its name on the hub, or its folder"
        ) from error


def _own_prompts(prompts: Mapping[str, str], *, known: Prefixes) -> Prefixes:
    """The prompts of the model's own settings, or the known ones where it has none."""
    return Prefixes(
        query=prompts.get("query") or known.query,
        document=prompts.get("document") or prompts.get("passage") or known.document,
    )
