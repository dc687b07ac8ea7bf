"""What an inspection finds: one thing that was looked at, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from omoide.errors import OmoideError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: the thing.
        state: ``ok``, ``note`` for what may be improved, or ``wrong``.
        detail: what was found, and the way out; never words of a conversation.
    """

    what: str
    state: Literal["ok", "note", "wrong"]
    detail: str

    @classmethod
    def wrong(cls, what: str, error: Exception) -> Finding:
        """An error as a finding."""
        return cls(what=what, state="wrong", detail=str(error))


def found(what: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of one inspection; where it fails, that too is a finding, and hides no other."""
    try:
        yield from findings
    except OmoideError as error:
        yield Finding.wrong(what, error)
