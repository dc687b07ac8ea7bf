"""What is searched for when a message says too little by itself (P12, H21, ruling 21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from omoide.domain.backchannel import backchannel, is_one_word
from omoide.domain.text import count_graphemes, graphemes, is_blank
from omoide.recall.anaphora import vagueness

if TYPE_CHECKING:
    from collections.abc import Sequence

Reason = Literal["plain", "anaphora", "vague", "acknowledgement", "laughter", "blank"]

_SHORT_BELOW = 20
_CONTEXT_MESSAGES = 2
_CONTEXT_LIMIT = 120


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """What a recall searches for.

    Attributes:
        text: the message, after the earlier ones it was widened by, a line each.
        search: whether to search at all.
        widened: whether the text holds earlier messages.
        reason: what kind of message it was; plain ones name something themselves.
    """

    text: str
    search: bool
    widened: bool
    reason: Reason


def widen(message: str, *, previous: Sequence[str]) -> Query:
    """Make the query of a message of the user.

    Laughter and crying marks alone never search. An acknowledgement, or a message under 20 characters that
    names nothing itself, is widened by the last 2 messages that say something, at most 120 characters of
    them. Where there are none, an acknowledgement does not search, and others search for what they say.

    Args:
        message: what the user just said.
        previous: the user's earlier messages of the session, oldest first. The character's own words are
            never part of a query.
    """
    text = message.strip()
    reason = _reason(text)
    if reason == "plain":
        return Query(text=text, search=True, widened=False, reason=reason)
    if reason in {"blank", "laughter"}:
        return Query(text=text, search=False, widened=False, reason=reason)
    context = _context(previous)
    if not context:
        return Query(text=text, search=reason != "acknowledgement", widened=False, reason=reason)
    return Query(text=f"{context}\n{text}", search=True, widened=True, reason=reason)


def _reason(text: str) -> Reason:
    if is_blank(text):
        return "blank"
    nod = backchannel(text)
    if nod and not is_one_word(text):
        return nod
    if count_graphemes(text) >= _SHORT_BELOW:
        return "plain"
    return vagueness(text) or "plain"


def _context(previous: Sequence[str]) -> str:
    """The newest words of the last messages that say something."""
    said: list[str] = []
    for message in reversed(previous):
        if not is_blank(message) and backchannel(message) is None:
            said.append(message.strip())
        if len(said) == _CONTEXT_MESSAGES:
            break
    return _newest_words("\n".join(reversed(said)))


def _newest_words(text: str) -> str:
    """At most 120 graphemes from the end, without the piece of a word that the cut leaves at the start."""
    characters = graphemes(text)
    if len(characters) <= _CONTEXT_LIMIT:
        return text
    kept = characters[-_CONTEXT_LIMIT:]
    if not characters[-_CONTEXT_LIMIT - 1].isspace():
        half = kept[: _CONTEXT_LIMIT // 2]
        kept = kept[next((at for at, character in enumerate(half) if character.isspace()), 0) :]
    return "".join(kept).strip()
