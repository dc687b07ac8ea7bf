"""A message as a row of the log: the columns that are read of it, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from omoide.domain.instants import to_micros, zone_name
from omoide.domain.model import MessageState, Role
from omoide.domain.records import Entry, Logged
from omoide.stores.tables import messages, session_messages

if TYPE_CHECKING:
    from collections.abc import Sequence

LOGGED = (
    messages.c.id,
    messages.c.role,
    messages.c.speaker_id,
    messages.c.state,
    messages.c.hash,
    messages.c.at,
    messages.c.zone,
    messages.c.heard,
    messages.c.variant,
    messages.c.position,
)

# As one session shows them: a position there may differ from that in the scope.
SHOWN = (*LOGGED[:-1], session_messages.c.position)

# As text and not as a parameter, so that the partial index on it can serve.
PROVISIONAL = text("messages.state = 'provisional'")

_ROLES = {role.value: role for role in Role}
_STATES = {state.value: state for state in MessageState}


def from_row(row: Sequence[Any]) -> Logged:
    """A message from the columns of `LOGGED`."""
    number, role, speaker, state, content, at, zone, heard, variant, position = row
    return Logged(
        id=number,
        role=_ROLES[role],
        speaker=speaker,
        state=_STATES[state],
        position=position,
        hash=content,
        at=at,
        zone=zone,
        heard=heard,
        variant=variant,
    )


def from_entry(entry: Entry, number: int) -> Logged:
    """A message that was just written under this number."""
    return Logged(
        id=number,
        role=entry.message.role,
        speaker=entry.speaker,
        state=entry.state,
        position=entry.position,
        hash=entry.hash,
        at=None if entry.message.at is None else to_micros(entry.message.at),
        zone=None if entry.message.at is None else zone_name(entry.message.at),
        heard=entry.message.heard,
        variant=entry.variant,
    )
