"""How the log falls into exchanges: what somebody said, and the reply to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from omoide.domain.model import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 8
"""Messages in one exchange at most, so that a monologue is still kept in pieces."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """What decides about exchanges: who spoke, in which role."""

    speaker: int
    role: Role


class Speech(Protocol):
    """Anything that says who spoke, in which role, such as a message of the log."""

    @property
    def speaker(self) -> int:
        """The number of who spoke."""

    @property
    def role(self) -> Role:
        """In which role."""


def exchanges(path: Sequence[Speech]) -> list[range]:
    """Cut a session's messages into exchanges, as ranges of places in the list.

    A new exchange begins where a person speaks after a character did, or after another person: what two
    people in a room say is kept apart. A character's words before anybody spoke to it (a greeting) are no
    exchange.
    """
    found: list[range] = []
    start: int | None = None
    for place, said in enumerate(path):
        if start is None:
            start = place if said.role is Role.USER else None
        elif _begins(path[place - 1], said) or place - start >= LONGEST:
            found.append(range(start, place))
            start = place
    if start is not None:
        found.append(range(start, len(path)))
    return found


def _begins(previous: Speech, said: Speech) -> bool:
    if said.role is not Role.USER:
        return False
    return previous.role is not Role.USER or previous.speaker != said.speaker


def remembered(path: Sequence[Speech]) -> list[range]:
    """The pieces that become episodes: an exchange with a reply whole, other words message by message.

    What people say to each other in a room, or write down for themselves, is no dialogue with the character;
    each message stands there for itself.
    """
    pieces: list[range] = []
    for span in exchanges(path):
        if any(path[place].role is Role.CHARACTER for place in span):
            pieces.append(span)
        else:
            pieces += [range(place, place + 1) for place in span]
    return pieces
