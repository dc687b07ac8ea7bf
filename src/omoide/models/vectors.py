"""Texts on their way into an embedding model, and vectors on their way out of it (P6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from omoide.domain.text import clean, is_blank
from omoide.errors import EmbedderFailed, EmbedderMismatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FloatArray: TypeAlias = NDArray[np.float32]

BLANK: Final = "-"
"""What is embedded for a text without anything to see: some servers refuse an empty string."""


def embeddable(text: str) -> str:
    """Make any text safe for any model: no NUL, no lone surrogate, never empty."""
    text = clean(text)
    return BLANK if is_blank(text) else text


def batches(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """Cut texts into lists of at most ``size``, cleaned and in order."""
    for start in range(0, len(texts), size):
        yield [embeddable(text) for text in texts[start : start + size]]


def unit_vectors(
    rows: Sequence[Sequence[float]] | FloatArray, *, count: int, dimensions: int | None
) -> FloatArray:
    """Check a model's vectors and bring each to length 1.

    Args:
        rows: one vector a text.
        count: how many texts were sent.
        dimensions: how long each vector must be; None takes any length that all of them have.

    Returns:
        An array of shape (count, dimensions).

    Raises:
        EmbedderFailed: too many or too few vectors, or one without a direction (NaN, infinite, zero).
        EmbedderMismatch: a vector of another length.
    """
    if len(rows) != count:
        raise EmbedderFailed(f"the embedder gave {len(rows)!r} vectors for {count!r} texts; try again later")
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1 or (dimensions is not None and lengths not in ([], [dimensions])):
        raise EmbedderMismatch(
            f"the embedder gave vectors of {lengths!r} dimensions, not of {dimensions or 'one length'!r}; "
            "set its dimensions to what the model gives, then embed again"
        )
    # In double precision, so that large components of a careless server do not overflow.
    vectors = np.array(rows, dtype=np.float64).reshape(count, lengths[0] if lengths else dimensions or 0)
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.linalg.norm(vectors, axis=1)
    broken = np.flatnonzero(~(np.isfinite(norms) & (norms > 0))).tolist()
    if broken:
        raise EmbedderFailed(
            f"the embedder gave vectors without a direction (NaN, infinite or zero) at {broken!r} "
            f"of a batch of {count!r}; embed these texts one by one to find the cause"
        )
    units: FloatArray = (vectors / norms[:, None]).astype(np.float32)
    return units
