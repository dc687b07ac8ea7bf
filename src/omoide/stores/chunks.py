"""Long lists of numbers in pieces that fit one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")

CHUNK = 500
"""Numbers in one IN list, below every database's limit on parameters."""


def chunks(numbers: Sequence[T]) -> Iterable[Sequence[T]]:
    """Pieces of a list that fit one IN list."""
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]
