"""Memories that rest on each other: where the last rests on the first again, nothing holds any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.text import fold
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omoide.domain.diary import Diary
    from omoide.domain.model import Past


def check_circles(diaries: Sequence[Diary], past_of: Callable[[str], Past | None]) -> None:
    """See that none of these memories rests on itself, however many others are between.

    Args:
        diaries: about to be written.
        past_of: how a memory that stands already is known, by its author's id.

    Raises:
        InvalidInput: one does.
    """
    new = {fold(diary.id): diary.past for diary in diaries if diary.id is not None}
    for name, past in new.items():
        way, following = [name], _rests_on(past)
        while following is not None and fold(following) not in way:
            way.append(fold(following))
            next_past = new.get(way[-1]) or past_of(following)
            following = None if next_past is None else _rests_on(next_past)
        if following is not None and fold(following) == name:
            others = ", ".join(map(repr, way[1:]))
            msg = f"{name!r} rests on {others}, and that on it again; name something that holds by itself"
            raise InvalidInput(msg)


def _rests_on(past: Past) -> str | None:
    return past.basis or past.source
