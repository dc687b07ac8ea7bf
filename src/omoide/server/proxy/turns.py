"""What the messages of a request say: which of them are talk, and whether the request is a turn at all.

A client sends more than turns: swipes and regenerations show the history without its last reply, a nudge
asks to go on with it, and quiet prompts ask for a summary, a title or a mood. None of these may become
something that the user said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from omoide.domain.model import Message, Role
from omoide.domain.text import is_blank
from omoide.prompts.fence import without_fenced
from omoide.server.proxy.quiet import is_aside, is_proactive, is_quiet, is_task, says_who
from omoide.server.proxy.wire import LEADING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ROLES = {"user": Role.USER, "assistant": Role.CHARACTER}
_TOOL_ROLES = ("tool", "function")
_INTERRUPTED = "[Interrupted by user]"
"""What Open-LLM-VTuber puts into a user's mouth where they cut the character short."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Turns:
    """What a request shows.

    Attributes:
        talk: what was said, oldest first; of a quiet prompt only what stands before it.
        quiet: whether it is a quiet prompt, which may show any part of the conversation and changes nothing.
        asked: the newest message of the user; None where nothing is asked of the character.
        turn: whether the reply is the character's answer to it, and to be kept.
        whole: whether it is the conversation; else it is what comes after words that nobody here has seen.
    """

    talk: tuple[Message, ...]
    asked: str | None
    turn: bool
    quiet: bool = False
    whole: bool = True

    @property
    def alone(self) -> str | None:
        """What the user says where nothing else is shown: it may be a copy of what was said before."""
        return self.asked if len(self.talk) == 1 else None


def turns_of(messages: Sequence[Mapping[str, Any]], *, several: bool = False, whole: bool = True) -> Turns:
    """What the messages of a request say.

    Args:
        messages: each with a role and content.
        several: whether several replies are asked for, of which the client chooses one.
        whole: whether the messages are the conversation.
    """
    quiet = _quiet_from(messages)
    talk = [said for said in map(_said, messages[:quiet]) if said is not None]
    if quiet is not None or not talk:
        return Turns(talk=tuple(talk), asked=None, turn=False, quiet=True, whole=whole)
    last = messages[-1].get("role")
    asked = next((said.text for said in reversed(talk) if said.role is Role.USER), None)
    # What a tool gave belongs to the turn in which the model called for it.
    waits = (last != "assistant" and talk[-1].role is Role.USER) or (
        last in _TOOL_ROLES and asked is not None
    )
    return Turns(talk=tuple(talk), asked=asked, turn=waits and not several, whole=whole)


def text_of(content: object) -> str:
    """The words of a message's content, which may come in parts; images and files are left out."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") for part in content if isinstance(part, dict))
    return "\n".join(part for part in parts if isinstance(part, str))


def reply_of(text: str) -> str:
    """A model's reply without what it thought aloud."""
    return (_THOUGHT.sub("", text) if "<" in text else text).strip()


def message_of(said: Message) -> dict[str, Any]:
    """A message as requests show it."""
    return {"role": "user" if said.role is Role.USER else "assistant", "content": said.text}


def _said(message: Mapping[str, Any]) -> Message | None:
    role = _ROLES.get(str(message.get("role")))
    text = without_fenced(text_of(message.get("content")))
    if role is None:
        return None
    if role is Role.CHARACTER:
        text = reply_of(text)
    if is_blank(text) or text.strip() == _INTERRUPTED or (role is Role.USER and is_proactive(text)):
        return None
    return Message(role=role, text=text)


def _quiet_from(messages: Sequence[Mapping[str, Any]]) -> int | None:
    """Where a quiet prompt begins that asks for something else than the reply to what was said last.

    An instruction behind a user's message is one for that reply; behind the character's it stands alone, if
    it does not say who of a group speaks next. What comes after either, such as other instructions or the
    beginning of an answer, belongs to it. A task that comes first has its matter behind it, which nobody says
    now.
    """
    if _is_task_over(messages):
        return 0
    alone: int | None = None
    goes_on = False
    for place in reversed(range(len(messages))):
        message = messages[place]
        role, text = message.get("role"), text_of(message.get("content"))
        if role == "user":
            return place if is_quiet(text) else None
        if role in LEADING:
            if is_aside(text):
                return place
            if says_who(text):
                goes_on = True
            else:
                alone = place
        elif (goes_on or alone is not None) and _said(message) is not None:
            return alone
    return None


def _is_task_over(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a task stands in front of what it is about: one message, or none."""
    leading = list(takewhile(lambda message: message.get("role") in LEADING, messages))
    users = sum(message.get("role") == "user" for message in messages)
    return users <= 1 and any(is_task(text_of(message.get("content"))) for message in leading)
