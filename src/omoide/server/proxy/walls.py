"""What of the upstream is for those who reach a part only: keys of other tenants, limited keys, and tokens.

The upstream serves everybody with one key, and does not know whose its files and conversations are. So what
it keeps, and how it is run, is nothing for them.
"""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import unquote

from omoide.errors import InvalidInput

_MODELS: Final = "models"
_READS: Final = ("GET", "HEAD")
_KEEPS_NOTHING: Final = frozenset(
    {
        "embeddings",
        "completions",
        "moderations",
        "rerank",
        "audio/speech",
        "audio/transcriptions",
        "audio/translations",
        "images/generations",
        "images/edits",
        "images/variations",
    }
)
"""What may be asked of an upstream (by POST) that keeps nothing between two requests."""

_STORED: Final = frozenset(
    {
        "file_id",
        "file_ids",
        "vector_store_id",
        "vector_store_ids",
        "container",
        "container_id",
        "skill_id",
        "background",
    }
)
"""Fields of a body that name what the upstream keeps, or let it keep an answer that is fetched later."""

_NOTHING_BUT_ID: Final = frozenset({"id", "type", "status"})
"""An object that says no more stands for what the upstream keeps under that id: an item, a voice, a sound."""

_REFERENCES: Final = ("item_reference", "image_generation_call")
"""Types of objects that stand for what is kept, whatever else they say."""

_FREE: Final = frozenset({"metadata", "parameters", "schema", "input_schema"})
"""Fields that hold what a client likes, and name nothing."""

_OWN: Final = frozenset({"previous_response_id", "conversation"})
"""What is known here by whose it is, and let through for them; only one of it, for only one is looked at."""


def may_ask(method: str, path: str, *, token: bool) -> bool:
    """Whether those who reach a part only may ask this of the upstream.

    Args:
        method: of the request.
        path: beyond the names and the version, as it was sent.
        token: whether a token is given: it may see which models there are, and no more.
    """
    path = unquote(path)
    if ".." in path:
        return False
    if path.partition("/")[0] == _MODELS:
        return method in _READS
    return not token and method == "POST" and path in _KEEPS_NOTHING


def names_stored(content: bytes) -> bool:
    """Whether a body names anything that the upstream keeps, which may be another one's.

    Raises:
        InvalidInput: it cannot be read.
    """
    try:
        waiting = [json.loads(content, object_pairs_hook=_Fields)]
    except (ValueError, RecursionError) as error:
        msg = "the request cannot be read; send JSON"
        raise InvalidInput(msg) from error
    if isinstance(waiting[0], _Fields):
        own = [(name, value) for name, value in waiting[0] if name in _OWN and value is not None]
        if len(own) > 1:
            return True
        waiting = [_Fields(field for field in waiting[0] if field not in own)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Fields):
            if value.names_stored():
                return True
            waiting += [within for name, within in value if name not in _FREE]
        elif isinstance(value, list):
            waiting += value
    return False


class _Fields(list[tuple[str, Any]]):
    """An object as it was sent: a field may stand there twice, and others may read the first."""

    def names_stored(self) -> bool:
        names = {name for name, value in self if value is not None}
        if names <= _NOTHING_BUT_ID and any(name == "id" and isinstance(value, str) for name, value in self):
            return True
        return any(_is_stored(name, value) for name, value in self)


def _is_stored(name: str, value: object) -> bool:
    if name == "prompt":  # a template that the upstream keeps; plain completions have words there
        return isinstance(value, _Fields) and any(field == "id" for field, _ in value)
    if name == "type":
        return value in _REFERENCES
    # A container that is described, and not named, is made anew; what it holds is looked at by itself.
    return name in _STORED and bool(value) and not isinstance(value, _Fields)
