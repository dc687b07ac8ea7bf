"""ChatGPT's `conversations.json`: a tree of messages for each conversation.

Edited questions and regenerated answers are side branches; what was said is the path from the current node
back to the root.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from omoide.domain.model import Role
from omoide.importers import dates
from omoide.importers.reading import Found
from omoide.importers.shapes import Fields, fields, items, label, text_of

if TYPE_CHECKING:
    from omoide.domain.imported import Conversation
    from omoide.domain.model import Message
    from omoide.importers.reading import Reading

_ROLES = {"user": Role.USER, "assistant": Role.CHARACTER}
_SAID = {"", "text", "multimodal_text"}


def recognises(value: object) -> bool:
    """Whether a JSON value is such a file, or one conversation of it."""
    return any(isinstance(fields(item).get("mapping"), dict) for item in _conversations(value))


def read(value: object, reading: Reading) -> Found:
    """Read all conversations of a file."""
    found: list[Conversation] = []
    for number, item in enumerate(_conversations(value), start=1):
        conversation = fields(item)
        nodes = fields(conversation.get("mapping"))
        if not nodes:
            reading.tally.unreadable("conversations")
            continue
        session = label(conversation.get("id")) or label(conversation.get("conversation_id"))
        path = _path(nodes, text_of(conversation.get("current_node")))
        found += reading.conversation(
            [_message(node, nodes[node], reading) for node in path],
            session=session or label(f"{reading.stem}#{number}"),
        )
    return Found(conversations=tuple(found))


def _conversations(value: object) -> list[object]:
    return [value] if isinstance(value, dict) else items(value)


def _path(nodes: Fields, current: str) -> list[str]:
    """Return the ids of the nodes from the root to the current one, or to the last leaf."""
    node = current if current in nodes else _last_leaf(nodes)
    path: list[str] = []
    seen: set[str] = set()
    while node in nodes and node not in seen:
        seen.add(node)
        path.append(node)
        node = text_of(fields(nodes[node]).get("parent"))
    return path[::-1]


def _last_leaf(nodes: Fields) -> str:
    parents = {text_of(fields(node).get("parent")) for node in nodes.values()}
    leaves = [node for node in nodes if node not in parents]
    # Of several with the same time, or with none, max gives the first it meets; reversed, that is the last.
    return max(reversed(leaves), key=lambda node: _time(nodes[node]), default="")


def _time(node: object) -> datetime:
    time = dates.read(fields(fields(node).get("message")).get("create_time"), zone=UTC)
    return time or datetime.min.replace(tzinfo=UTC)


def _message(node: str, value: object, reading: Reading) -> Message | None:
    message = fields(fields(value).get("message"))
    if not message:
        return None
    role = _ROLES.get(text_of(fields(message.get("author")).get("role")))
    if role is None or not _is_said(message):
        reading.tally.add("system, tool and hidden messages, skipped")
        return None
    return reading.message(
        role=role,
        text=_text(fields(message.get("content"))),
        date=message.get("create_time"),
        external_id=label(message.get("id")) or node,
    )


def _is_said(message: Fields) -> bool:
    """Whether a message is talk: shown, and no call of a tool, thought or custom instruction."""
    return (
        not fields(message.get("metadata")).get("is_visually_hidden_from_conversation")
        and message.get("recipient") in ("all", None)
        and text_of(fields(message.get("content")).get("content_type")) in _SAID
    )


def _text(content: Fields) -> str:
    """Join the parts that are text, or speech written down; pictures and files have none."""
    parts = [text_of(part) or text_of(fields(part).get("text")) for part in items(content.get("parts"))]
    return "\n".join(part for part in parts if part)
