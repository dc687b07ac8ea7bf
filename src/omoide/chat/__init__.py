"""Talking with characters: a turn from the user's message to the reply in the log (H1 to H4, H26)."""

from __future__ import annotations

from omoide.chat.chat import NO_MODEL, Chat
from omoide.chat.events import Done, Event, Failed, Token

__all__ = ["NO_MODEL", "Chat", "Done", "Event", "Failed", "Token"]
