"""Embedders without a model."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from omoide.domain.embedding import EmbeddingIdentity, Thresholds
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omoide.models.vectors import FloatArray

_WORD: Final = re.compile(r"\w+")
_THRESHOLDS: Final = Thresholds(same=0.95, relevant=0.15)


class WordEmbedder:
    """An embedder without a model: texts are near when they share words or parts of words.

    Equal texts have equal vectors on every machine, in every release of Python. Pieces of words
    make Korean words meet across particles, and Japanese ones without spaces. It knows no meaning: synonyms
    are as far apart as any two words. For tests, and to measure all but the model.

    Args:
        dimensions: the length of the vectors; the more, the fewer accidental likenesses.
    """

    def __init__(self, dimensions: int = 256) -> None:
        if dimensions < 1:
            raise InvalidInput(f"dimensions must be 1 or more, not {dimensions!r}")
        self._dimensions = dimensions

    @property
    def identity(self) -> EmbeddingIdentity:
        """What names the vectors' space."""
        return EmbeddingIdentity(backend="testing", model="words", dimensions=self._dimensions)

    @property
    def thresholds(self) -> Thresholds:
        """Short texts without a word in common lie near 0, with one mostly above 0.15."""
        return _THRESHOLDS

    async def embed_query(self, text: str) -> FloatArray:
        """Embed what is searched for; a vector of length 1."""
        return word_vector(text, self._dimensions)

    async def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Embed what is kept; one row of length 1 for each text, in order."""
        rows = np.empty((len(texts), self._dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = word_vector(text, self._dimensions)
        return rows

    async def aclose(self) -> None:
        """Nothing to close."""


def word_vector(text: str, dimensions: int) -> FloatArray:
    """What `WordEmbedder` makes of a text; of length 1."""
    vector = np.zeros(dimensions, dtype=np.float32)
    for part in _parts(text):
        number = _number(part)
        # Half of the parts pull the other way, so that long texts do not all look alike.
        vector[(number >> 1) % dimensions] += 1 if number & 1 else -1
    if not vector.any():
        vector[0] = 1
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def _parts(text: str) -> set[str]:
    text = unicodedata.normalize("NFKC", text).casefold()
    # A text of emoji or punctuation has no words and counts as one.
    words = _WORD.findall(text) or [text]
    return {part for word in words for part in (word, *_pieces(word))}


def _pieces(word: str) -> Iterator[str]:
    # Two Latin letters say nothing; two syllables or kana often are a word.
    for size in (3, 4) if word.isascii() else (2, 3):
        for start in range(len(word) - size + 1 if len(word) > size else 0):
            yield word[start : start + size]


@lru_cache(maxsize=65_536)
def _number(part: str) -> int:
    digest = blake2b(part.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class FailingEmbedder(WordEmbedder):
    """An embedder that fails: for tests of what goes on without vectors, and of catching up later.

    Args:
        error: is raised by each call that fails.
        times: how many calls fail before it works like a WordEmbedder; None for all of them.
    """

    def __init__(self, error: Exception, *, times: int | None = None) -> None:
        super().__init__()
        self._error = error
        self._left = times

    async def embed_query(self, text: str) -> FloatArray:
        """Fail, or embed what is searched for."""
        self._fail()
        return await super().embed_query(text)

    async def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Fail, or embed what is kept."""
        self._fail()
        return await super().embed_documents(texts)

    def _fail(self) -> None:
        if self._left == 0:
            return
        if self._left is not None:
            self._left -= 1
        raise self._error


class HangingEmbedder(WordEmbedder):
    """An embedder that never answers: for tests of time limits. Cancelling ends the wait."""

    async def embed_query(self, text: str) -> NoReturn:
        """Wait until cancelled."""
        await _forever()

    async def embed_documents(self, texts: Sequence[str]) -> NoReturn:
        """Wait until cancelled."""
        await _forever()


async def _forever() -> NoReturn:
    while True:
        await asyncio.Event().wait()
