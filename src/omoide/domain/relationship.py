"""How two people stand with each other: the one state of a scope that is always in the prompt (P22)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omoide.domain.likeness import overlap
from omoide.domain.text import clean, cut, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

SUMMARY = 600
"""Graphemes of the summary at most."""

ITEMS = 5
"""Items of each list at most."""

ITEM = 100
"""Graphemes of an item at most."""

_SAME: Final = 0.5
"""What is so much alike says the same in other words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Relationship:
    """Where a user and a character stand with each other; it keeps to its limits by itself.

    Attributes:
        summary: what there is to know, up to 600 graphemes.
        address: what each calls the other; up to 5 of up to 100 graphemes, as the other lists.
        manner: how they speak with each other, up to 100 graphemes.
        standing: how close they are, up to 100 graphemes.
        promises: what was promised and is not yet kept.
        lines: what must not be touched.
    """

    summary: str = ""
    address: tuple[str, ...] = ()
    manner: str = ""
    standing: str = ""
    promises: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "summary", _short(self.summary, SUMMARY))
        for name in ("manner", "standing"):
            object.__setattr__(self, name, _short(getattr(self, name), ITEM))
        for name in ("address", "promises", "lines"):
            object.__setattr__(self, name, _few(getattr(self, name)))

    @property
    def blank(self) -> bool:
        """Whether it says nothing at all."""
        return self == Relationship()

    def without(self, brought: Relationship, *, before: Relationship) -> Relationship:
        """This one without what another one has brought that was not there before it, in whatever words."""
        new = {text for text in brought.told if text not in before.told}

        def kept(texts: Iterable[str]) -> list[str]:
            return [
                text
                for text in texts
                if text.strip() in before.told or all(overlap(text, one) < _SAME for one in new)
            ]

        return Relationship(
            summary="".join(kept(sentences(self.summary))),
            address=tuple(kept(self.address)),
            manner=self.manner if kept([self.manner]) else before.manner,
            standing=self.standing if kept([self.standing]) else before.standing,
            promises=tuple(kept(self.promises)),
            lines=tuple(kept(self.lines)),
        )

    @property
    def told(self) -> frozenset[str]:
        """All that it says, sentence by sentence and item by item."""
        said = (one.strip() for one in sentences(self.summary))
        return frozenset({*said, *self.address, self.manner, self.standing, *self.promises, *self.lines}) - {
            ""
        }


def _few(items: Iterable[str]) -> tuple[str, ...]:
    short = (_short(item, ITEM) for item in items)
    return tuple(dict.fromkeys(item for item in short if item))[:ITEMS]


def _short(text: str, limit: int) -> str:
    return cut(" ".join(clean(text).split()), limit)
