"""Chat completions: the whole conversation goes up in each request, and choices come down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omoide.server.proxy.watch import Watcher
from omoide.server.proxy.wire import Body, placed

if TYPE_CHECKING:
    from collections.abc import Mapping


class Completions:
    """The format of ``/chat/completions``."""

    def understands(self, body: Mapping[str, Any]) -> bool:
        """Whether there are messages."""
        messages = body.get("messages")
        return isinstance(messages, list) and bool(messages) and all(isinstance(m, dict) for m in messages)

    def messages(self, body: Mapping[str, Any]) -> list[Body]:
        """All of them."""
        return list(body["messages"])

    def continues(self, body: Mapping[str, Any]) -> str | None:
        """Never a conversation that is held elsewhere."""
        del body
        return None

    def with_memory(self, body: Mapping[str, Any], *, standing: str, block: str, before_user: bool) -> Body:
        """Memory in the one system message at the front."""
        messages, text = placed(
            body["messages"], standing=standing, block=block, before_user=before_user, part="text"
        )
        if text:
            messages.insert(0, {"role": "system", "content": text})
        return {**body, "messages": messages}

    def holders(self, body: Mapping[str, Any], watcher: Watcher) -> list[str]:
        """None: the client holds it."""
        del body, watcher
        return []

    def watcher(self) -> Watcher:
        """What reads the first choice."""
        return _Choice()


class _Choice(Watcher):
    def see(self, told: dict[str, Any], *, whole: bool) -> None:
        choices = told.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if not isinstance(choice, dict) or choice.get("index", 0) != 0:
                continue
            held = choice.get("message" if whole else "delta")
            self.say(held.get("content") if isinstance(held, dict) else choice.get("text"))
            if reason := choice.get("finish_reason"):
                self.end_with(complete=reason == "stop")
