"""What speaks against a memory or an event of an author's, by its field; and how long a field may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PROSE: Final = 10_000
"""Characters of a memory, or of what happened at an event: it is one thing, and no chapter."""

WORDS: Final = 2_000
"""Characters of what was felt, done, thought, seen, or guessed from."""

NAME: Final = 512
"""Characters of a name, an id or a place."""

MOST: Final = 100
"""People, observations or scores of one memory."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Objection:
    """What speaks against something: the field that is to blame, and what is wrong, with the way out."""

    field: str
    text: str


def too_long(field: str, texts: Iterable[str | None], *, most: int) -> Iterator[Objection]:
    """What speaks against the length of the texts of a field."""
    for text in texts:
        if text is not None and len(text) > most:
            way = "make several of it" if most == PROSE else "say it in fewer words"
            wrong = f"{field} has up to {most} characters, got {len(text)}; {way}"
            yield Objection(field=field, text=wrong)


def too_many(field: str, count: int, *, most: int) -> Iterator[Objection]:
    """What speaks against how many there are of a field."""
    if count > most:
        yield Objection(
            field=field, text=f"{field}: up to {most} may stand here, got {count}; leave some out"
        )
