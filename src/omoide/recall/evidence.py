"""What a recalled memory rests on: fitting words first, then those of memories that say the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from omoide.domain.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from omoide.domain.model import Memory, Quote

_LOOKED_AT = 10_000
"""Characters of what was said that are looked through for the query's words."""


def with_twins(memory: Memory, twins: Sequence[Memory], terms: Sequence[str]) -> Memory:
    """The memory with its evidence best first, and behind it the evidence of its twins.

    Args:
        memory: the one that stays.
        twins: those that say the same, best first.
        terms: folded words of the query.
    """
    quotes = _best_first(memory.evidence, terms)
    for twin in twins:
        listed = {quote.message for quote in quotes}
        quotes += tuple(quote for quote in _best_first(twin.evidence, terms) if quote.message not in listed)
    return memory if quotes == memory.evidence else replace(memory, evidence=quotes)


def times_of(memories: Sequence[Memory]) -> list[datetime]:
    """When these were said, as far as it is known."""
    return [memory.at for memory in memories if memory.at is not None]


def _best_first(quotes: tuple[Quote, ...], terms: Sequence[str]) -> tuple[Quote, ...]:
    """Quotes that share most of the query's words in front."""
    if len(quotes) < 2:
        return quotes
    folded = [fold(quote.quote[:_LOOKED_AT]) for quote in quotes]
    shared = [sum(term in quote for term in terms) for quote in folded]
    return tuple(quotes[place] for place in sorted(range(len(quotes)), key=lambda place: -shared[place]))
