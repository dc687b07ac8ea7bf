"""Talking through the proxy: the user 민준 with the character 하루, named by the path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from omoide import Omoide, Scope

PATH = "/u/%EB%AF%BC%EC%A4%80/c/%ED%95%98%EB%A3%A8/v1"
CHAT = f"{PATH}/chat/completions"
RESPONSES = f"{PATH}/responses"


def haru(omoide: Omoide) -> Scope:
    """The scope of the two."""
    return omoide.scope(user="민준", character="하루")


def talk(*said: str, **more: Any) -> dict[str, Any]:
    """A request for a chat completion; what is said comes by turns, the user first."""
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]
    return {"model": "fake", "messages": messages, **more}
