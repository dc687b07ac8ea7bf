"""The Responses API: instructions and input go up, items come down; the upstream may hold the talk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from omoide.server.proxy.watch import Watcher
from omoide.server.proxy.wire import Body, joined, placed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_CALLED: Final = ("function_call_output", "custom_tool_call_output", "computer_call_output")
"""Items by which a client answers what the model called for."""

_ENDS: Final = ("response.completed", "response.incomplete")
_GOES_ON: Final = ("completed", "incomplete")
"""States of an answer from which a conversation can go on."""


class Responses:
    """The format of ``/responses``."""

    def understands(self, body: Mapping[str, Any]) -> bool:
        """Whether there are words or items, and instructions that are a text."""
        shown, instructions = body.get("input"), body.get("instructions")
        items = isinstance(shown, list) and bool(shown) and all(isinstance(item, dict) for item in shown)
        return (isinstance(shown, str) or items) and (instructions is None or isinstance(instructions, str))

    def messages(self, body: Mapping[str, Any]) -> list[Body]:
        """What the input says; what a tool gave is of a tool, and other items say nothing.

        Instructions stand in front of a conversation that begins here.
        """
        shown, instructions = body["input"], body.get("instructions")
        begins = instructions is not None and self.continues(body) is None
        messages: list[Body] = [{"role": "system", "content": instructions}] if begins else []
        if isinstance(shown, str):
            return [*messages, {"role": "user", "content": shown}]
        for item in shown:
            if item.get("type", "message") == "message":
                messages.append(item)
            elif item["type"] in _CALLED:
                messages.append({"role": "tool", "content": None})
        return messages

    def continues(self, body: Mapping[str, Any]) -> str | None:
        """The answer or the conversation that it goes on from."""
        previous = body.get("previous_response_id")
        return previous if isinstance(previous, str) else _conversation(body)

    def with_memory(self, body: Mapping[str, Any], *, standing: str, block: str, before_user: bool) -> Body:
        """Memory in the instructions; where there are none, in a system message at the front of the input."""
        shown, own = body["input"], body.get("instructions") or ""
        items = [{"role": "user", "content": shown}] if isinstance(shown, str) else shown
        # With instructions, a system message in the input is a second one, and is left alone.
        head: list[Body] = [{}] if own else []
        items, text = placed(
            [*head, *items], standing=standing, block=block, before_user=before_user, part="input_text"
        )
        items = items[len(head) :]
        made = {**body, "input": items[0]["content"] if isinstance(shown, str) else items}
        return {**made, "instructions": joined(own, text)} if text else made

    def holders(self, body: Mapping[str, Any], watcher: Watcher) -> list[str]:
        """The answer's own id, and the conversation's."""
        return [name for name in (watcher.name, _conversation(body)) if name is not None]

    def watcher(self) -> Watcher:
        """What reads the messages of the output."""
        return _Output()


class _Output(Watcher):
    def see(self, told: dict[str, Any], *, whole: bool) -> None:
        kind = told.get("type")
        if whole:
            self._end(told)
        elif kind == "response.output_text.delta":
            self.say(told.get("delta"))
        elif kind in _ENDS:
            self._end(told.get("response"))

    def _end(self, response: object) -> None:
        """See all that came; where the end repeats it, that is what was said."""
        if not isinstance(response, dict) or response.get("status") not in _GOES_ON:
            return
        if isinstance(response.get("id"), str):
            self.name = response["id"]
        output = response.get("output")
        items = [item for item in output if isinstance(item, dict)] if isinstance(output, list) else []
        if texts := list(_texts(items)):
            self.say_instead("\n".join(texts))
        called = any(str(item.get("type")).endswith("_call") and "call_id" in item for item in items)
        self.end_with(complete=response["status"] == "completed" and not called)


def _conversation(body: Mapping[str, Any]) -> str | None:
    found = body.get("conversation")
    found = found.get("id") if isinstance(found, dict) else found
    return found if isinstance(found, str) else None


def _texts(items: list[dict[str, Any]]) -> Iterator[str]:
    for item in items:
        content = item.get("content") if item.get("type") == "message" else None
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                yield part["text"]
