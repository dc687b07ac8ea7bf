"""Where a message stands among a scope's messages: a position that follows its time, and never its arrival.

Positions are microseconds where the time is known, so that a late import is not new (ruling 8). Inside a
session the order of the log is the truth: a missing, equal or backward date takes the next free place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.instants import to_micros
from omoide.domain.records import Entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.model import Message, MessageState

STRIDE = 1_000
"""Between two messages of one session whose times do not tell them apart."""


def next_position(message: Message, *, after: int | None, now: int) -> int:
    """The place of a message that follows another, or that begins a session."""
    own = None if message.at is None else to_micros(message.at)
    if after is None:
        return now if own is None else own
    return after + STRIDE if own is None else max(own, after + STRIDE)


def place_all(
    said: Sequence[Message],
    *,
    speakers: Sequence[int],
    hashes: Sequence[bytes],
    after: int | None,
    now: int,
    state: MessageState,
) -> list[Entry]:
    """Entries for messages that continue a session, in order."""
    entries = []
    for message, speaker, content in zip(said, speakers, hashes, strict=True):
        after = next_position(message, after=after, now=now)
        entries.append(Entry(message=message, speaker=speaker, position=after, hash=content, state=state))
    return entries
