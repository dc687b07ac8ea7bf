"""Embedders on a server: Ollama, and whatever speaks like OpenAI (H23)."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Final

import httpx2
import numpy as np
from pydantic import BaseModel, SecretStr, ValidationError

from omoide.domain.embedding import EmbeddingIdentity, Thresholds
from omoide.errors import EmbedderFailed, EmbedderUnavailable
from omoide.models.prefixes import Prefixes, prefixes_for
from omoide.models.thresholds import thresholds_for
from omoide.models.vectors import BLANK, FloatArray, batches, unit_vectors
from omoide.models.wire import Sleep, post, server_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

BATCH: Final = 32
"""Texts in one request; small servers refuse more."""


class _HttpEmbedder(ABC):
    """What embedders on servers have in common: prefixes, batches, retries, checks."""

    _backend: ClassVar[str]
    _path: ClassVar[str]

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        headers: Mapping[str, str],
        dimensions: int | None,
        prefixes: Prefixes | None,
        thresholds: Thresholds | None,
        timeout: float,
        sleep: Sleep,
    ) -> None:
        self._model = model
        self._asked_dimensions = dimensions
        self._dimensions = dimensions
        self._prefixes = prefixes if prefixes is not None else prefixes_for(model)
        self._thresholds = thresholds if thresholds is not None else thresholds_for(model)
        self._sleep = sleep
        self._client = httpx2.AsyncClient(
            base_url=server_url(base_url, key="embedder_key"),
            headers=dict(headers),
            timeout=httpx2.Timeout(timeout, connect=min(timeout, 5.0)),
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r})"

    @property
    def identity(self) -> EmbeddingIdentity:
        """What names the vectors' space.

        Raises:
            EmbedderUnavailable: the dimensions are neither given nor known from an answer; await
                :meth:`prepare` first.
        """
        if self._dimensions is None:
            raise EmbedderUnavailable(
                f"the dimensions of {self._model!r} are not known yet; await prepare() first, or set them"
            )
        return EmbeddingIdentity(
            backend=self._backend,
            model=self._model,
            dimensions=self._dimensions,
            query_prefix=self._prefixes.query,
            document_prefix=self._prefixes.document,
        )

    @property
    def thresholds(self) -> Thresholds:
        """Which similarities mean something in this space."""
        return self._thresholds

    async def prepare(self) -> None:
        """Ask the server once for the dimensions, if they are not known; :attr:`identity` then works.

        Raises:
            EmbedderError: the server gives no usable vector.
        """
        if self._dimensions is None:
            await self._embed([self._prefixes.document + BLANK])

    async def embed_query(self, text: str) -> FloatArray:
        """Embed what is searched for; a vector of length 1.

        Retries take up to 14 seconds and each attempt its time limit: who cannot wait sets a limit
        of their own.

        Raises:
            EmbedderError: the server gives no usable vector.
        """
        [batch] = batches([text], 1)
        vector: FloatArray = (await self._embed([self._prefixes.query + batch[0]]))[0]
        return vector

    async def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Embed what is kept; one row of length 1 for each text, in order.

        Raises:
            EmbedderError: the server gives no usable vector for one of them; then there are none.
        """
        parts = [
            await self._embed([self._prefixes.document + text for text in batch])
            for batch in batches(texts, BATCH)
        ]
        return np.concatenate(parts) if parts else np.empty((0, self._dimensions or 0), dtype=np.float32)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _embed(self, texts: list[str]) -> FloatArray:
        answer = await post(self._client, self._path, self._request(texts), sleep=self._sleep)
        try:
            rows = self._vectors(answer)
        except ValidationError:
            # The error of the parser shows the answer, which may repeat a text.
            raise EmbedderFailed(
                f"the answer for {self._model!r} is not what {self._backend!r} gives; "
                "see that the address belongs to such a server"
            ) from None
        vectors = unit_vectors(rows, count=len(texts), dimensions=self._dimensions)
        self._dimensions = vectors.shape[1]
        return vectors

    def _request(self, texts: list[str]) -> dict[str, JsonValue]:
        body: dict[str, JsonValue] = {"model": self._model, "input": list(texts)}
        # Many models know no other length, and their servers refuse the word itself.
        if self._asked_dimensions is not None:
            body["dimensions"] = self._asked_dimensions
        return body

    @abstractmethod
    def _vectors(self, answer: bytes) -> list[list[float]]:
        """Read the vectors out of the answer, in the order of the texts."""


class OllamaEmbedder(_HttpEmbedder):
    """Embeds with a model in Ollama, such as ``nomic-embed-text``.

    Args:
        model: the name in ``ollama list``.
        base_url: where Ollama listens.
        dimensions: asks for vectors cut to this length; None takes what the model gives.
        prefixes: other ones than those of the model's family.
        thresholds: other ones than those of the model's family.
        timeout: seconds to wait for an answer; the first one loads the model.
        sleep: waits between attempts.

    Raises:
        InvalidInput: the address is none.
    """

    _backend = "ollama"
    _path = "/api/embed"

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "http://localhost:11434",
        dimensions: int | None = None,
        prefixes: Prefixes | None = None,
        thresholds: Thresholds | None = None,
        timeout: float = 30.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        super().__init__(
            model,
            base_url=base_url,
            headers={},
            dimensions=dimensions,
            prefixes=prefixes,
            thresholds=thresholds,
            timeout=timeout,
            sleep=sleep,
        )

    def _vectors(self, answer: bytes) -> list[list[float]]:
        return _OllamaAnswer.model_validate_json(answer).embeddings


class OpenAIEmbedder(_HttpEmbedder):
    """Embeds with OpenAI, or with any server that speaks like it (vLLM, llama.cpp, LM Studio, TEI).

    Args:
        model: the name as the server knows it.
        base_url: up to and with ``/v1``.
        api_key: is sent as a bearer token and shown nowhere; None for servers without keys.
        dimensions: asks for vectors cut to this length; None takes what the model gives.
        prefixes: other ones than those of the model's family.
        thresholds: other ones than those of the model's family.
        timeout: seconds to wait for an answer.
        sleep: waits between attempts.

    Raises:
        InvalidInput: the address is none.
    """

    _backend = "openai"
    _path = "/embeddings"

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "https://api.openai.com/v1",
        api_key: SecretStr | str | None = None,
        dimensions: int | None = None,
        prefixes: Prefixes | None = None,
        thresholds: Thresholds | None = None,
        timeout: float = 30.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        super().__init__(
            model,
            base_url=base_url,
            headers=_bearer(api_key),
            dimensions=dimensions,
            prefixes=prefixes,
            thresholds=thresholds,
            timeout=timeout,
            sleep=sleep,
        )

    def _request(self, texts: list[str]) -> dict[str, JsonValue]:
        return {**super()._request(texts), "encoding_format": "float"}

    def _vectors(self, answer: bytes) -> list[list[float]]:
        rows = _OpenAIAnswer.model_validate_json(answer).data
        rows.sort(key=lambda row: row.index)
        if [row.index for row in rows] != list(range(len(rows))):
            raise EmbedderFailed(
                f"the answer for {self._model!r} does not say which vector belongs to "
                "which text; use another server"
            )
        return [row.embedding for row in rows]


class _OllamaAnswer(BaseModel):
    embeddings: list[list[float]]


class _OpenAIRow(BaseModel):
    # Servers that grew out of protobuf leave zeros out.
    index: int = 0
    embedding: list[float]


class _OpenAIAnswer(BaseModel):
    data: list[_OpenAIRow]


def _bearer(api_key: SecretStr | str | None) -> dict[str, str]:
    key = api_key.get_secret_value() if isinstance(api_key, SecretStr) else api_key
    return {"Authorization": f"Bearer {key}"} if key else {}
