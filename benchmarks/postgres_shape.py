"""A store of scopes of very different sizes: how large each is, and in which order its memories come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LEAST = 10
"""Memories of the smallest scope."""

STEP = 256
"""Memories that come to one scope at once, before it is another one's turn."""

_SHARES = {"large": (0.002, 0.2), "medium": (0.01, 0.1), "usual": (0.5, 0.5)}
"""Classes of scopes: their share of all scopes, and of all memories. The rest is small."""

CLASSES = (*_SHARES, "small")


class Turn(NamedTuple):
    """Messages of one scope that come at once: from a number up to another."""

    scope: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The scopes of a store; of 1,000,000 memories in 1,000 scopes two have 100,000 and ten 10,000.

    Attributes:
        sizes: memories of each scope.
        classes: the scopes of each class.
    """

    sizes: tuple[int, ...]
    classes: Mapping[str, range]

    @classmethod
    def of(cls, memories: int, scopes: int) -> Shape:
        """Divide so many memories among so many scopes."""
        sizes: list[int] = []
        classes: dict[str, range] = {}
        for name, (share, part) in _SHARES.items():
            count = max(1, round(share * scopes))
            classes[name] = range(len(sizes), len(sizes) + count)
            sizes += [round(part * memories / count)] * count
        rest, left = scopes - len(sizes), memories - sum(sizes)
        if rest < 1 or left < LEAST * rest:
            msg = f"too few memories for {scopes!r} scopes of different sizes: {memories!r}"
            raise ValueError(msg)
        classes["small"] = range(len(sizes), scopes)
        sizes += np.linspace(LEAST, 2 * left / rest - LEAST, rest).round().astype(int).tolist()
        return cls(tuple(sizes), classes)

    def size(self, name: str) -> int:
        """The middle size of a class."""
        return int(np.median([self.sizes[scope] for scope in self.classes[name]]))

    def parts(self, count: int) -> list[list[int]]:
        """All scopes in parts of about the same number of memories."""
        parts: list[list[int]] = [[] for _ in range(count)]
        filled = [0] * count
        for scope in sorted(range(len(self.sizes)), key=lambda scope: -self.sizes[scope]):
            least = filled.index(min(filled))
            parts[least].append(scope)
            filled[least] += self.sizes[scope]
        return parts

    def turns(self, scopes: list[int], *, done: Mapping[int, int]) -> Iterator[Turn]:
        """What comes to these scopes beyond what is done, all of them growing side by side."""
        turns = []
        for scope in scopes:
            dice, size = np.random.default_rng(scope), self.sizes[scope]
            for start in range(0, size, STEP):
                place = (start + dice.random() * min(STEP, size)) / size
                turn = Turn(scope, max(start, done.get(scope, 0)), min(start + STEP, size))
                turns.append((place, turn))
        return (turn for _, turn in sorted(turns) if turn.start < turn.end)
