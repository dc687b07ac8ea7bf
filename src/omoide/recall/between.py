"""What stands in a prompt whatever is asked: how the two stand with each other, and when they last spoke."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

import numpy as np

from omoide.domain.affect import summary
from omoide.domain.instants import from_micros
from omoide.domain.model import Role
from omoide.prompts.rules import Between

if TYPE_CHECKING:
    from datetime import datetime

    from omoide.domain.affect import Feelings
    from omoide.stores.index.scope_index import IntArray
    from omoide.stores.store import Recalling

_DAY = 86_400_000_000
_APART = 6 * 3_600_000_000
"""Microseconds of silence after which people have stopped talking, and meet again."""

_LOOKED_AT = 1_000
"""The newest messages among which the last silence is looked for."""


def between(
    now: Recalling, moment: datetime, *, session: str | None, past: bool, own_past: bool = False
) -> Between:
    """What is known between the two at a moment.

    Args:
        now: the scope.
        moment: the time asked about, in the user's zone.
        session: the one at hand; None for the newest.
        past: whether that is a past moment; how the two stood then is not told.
        own_past: whether a chat reaches what the character itself has lived.
    """
    own_past = own_past or now.unit.scope.user is None
    characters = _taking_part(now, session)
    if past:
        return Between(characters=characters, own_past=own_past)
    last = _last_talk(now.said, now.unit.now)
    return Between(
        characters=characters,
        relationship=now.relationship,
        last_talk=None if last is None else from_micros(last),
        now=moment,
        own_past=own_past,
    )


def _taking_part(now: Recalling, session: str | None) -> int:
    """How many characters take part in a session; the scope's own does, once it has ever spoken (P20)."""
    if now.characters < 2:
        return now.characters
    own = now.own.get(Role.CHARACTER)
    return len(now.unit.sessions.characters(session) | ({own} if own is not None else set()))


def felt_lately(now: Recalling, at: int, moment: datetime, *, days: int) -> Feelings | None:
    """The user's feelings over the days before a moment."""
    user = now.own.get(Role.USER)
    if user is None or not now.feels:
        return None
    felt = now.unit.felt.of(user, since=at - days * _DAY, until=at)
    return summary(felt, zone=moment.tzinfo or UTC)


def _last_talk(said: IntArray, now: int) -> int | None:
    """When people spoke last before the present visit; None if this is the first."""
    said = said[-_LOOKED_AT:]
    said = said[: said.searchsorted(now, side="right")]
    if not len(said):
        return None
    if now - said[-1] >= _APART:
        return int(said[-1])
    ends = said[:-1][np.diff(said) >= _APART]
    return int(ends[-1]) if len(ends) else None
