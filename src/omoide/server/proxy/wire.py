"""What the formats that the proxy adds memory to have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from omoide.server.proxy.watch import Watcher

Body = dict[str, Any]

LEADING: Final = ("system", "developer")
"""Roles of a message that instructs."""


class Wire(Protocol):
    """One format of requests and answers."""

    def understands(self, body: Mapping[str, Any]) -> bool:
        """Whether a body is a request of this format; otherwise the upstream may say what is wrong."""

    def messages(self, body: Mapping[str, Any]) -> list[Body]:
        """What the request shows, as messages with a role and content."""

    def continues(self, body: Mapping[str, Any]) -> str | None:
        """The name of a conversation that the upstream holds; the request shows the new part of it only."""

    def with_memory(self, body: Mapping[str, Any], *, standing: str, block: str, before_user: bool) -> Body:
        """The body with memory in it, in one message that instructs, and nowhere else.

        Args:
            body: of the request.
            standing: rules and what changes seldom; always in the message that instructs.
            block: this turn's memories.
            before_user: whether they stand before the newest message of the user instead, which leaves the
                beginning of the prompt as it was for the upstream's cache.
        """

    def holders(self, body: Mapping[str, Any], watcher: Watcher) -> list[str]:
        """The names under which the upstream holds the conversation after an answer."""

    def watcher(self) -> Watcher:
        """What watches an answer."""


def placed(
    messages: Sequence[Any], *, standing: str, block: str, before_user: bool, part: str
) -> tuple[list[Any], str]:
    """Put memory into messages that are there already.

    Returns:
        The messages, and the text that has still to be put in front of them.
    """
    made = list(messages)
    users = [at for at, one in enumerate(made) if one.get("role") == "user"]
    if before_user and block and users:
        made[users[-1]] = _with(made[users[-1]], block, front=True, part=part)
        block = ""
    text = joined(standing, block)
    if text and made and made[0].get("role") in LEADING:
        made[0] = _with(made[0], text, front=False, part=part)
        text = ""
    return made, text


def joined(*texts: str) -> str:
    """Texts one after another, those that say something."""
    return "\n\n".join(text for text in texts if text)


def _with(message: Mapping[str, Any], text: str, *, front: bool, part: str) -> Body:
    content = message.get("content")
    if isinstance(content, list):
        added = {"type": part, "text": text}
        return {**message, "content": [added, *content] if front else [*content, added]}
    own = content if isinstance(content, str) else ""
    return {**message, "content": joined(text, own) if front else joined(own, text)}
