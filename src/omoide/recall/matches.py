"""What a search found: a list of memories that also says what did not work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.model import Memory

if TYPE_CHECKING:
    from collections.abc import Iterable


class Matches(list[Memory]):
    """The memories that a search found, in order.

    Attributes:
        degraded: what did not work, in a few words each, as in `Recall.degraded`; never words of a
            conversation. Where meaning fails, a text is looked for by words alone.
    """

    __slots__ = ("degraded",)

    def __init__(self, memories: Iterable[Memory] = (), *, degraded: Iterable[str] = ()) -> None:
        super().__init__(memories)
        self.degraded = tuple(dict.fromkeys(degraded))
