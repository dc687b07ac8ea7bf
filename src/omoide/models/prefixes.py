"""What a model family wants to stand before a query and before a document (P6).

Embedding models are trained with these words; without them, or with those of another family, the
vectors get worse and no error says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_TASK: Final = "Given a message of a conversation, retrieve memories that bear on it"


@dataclass(frozen=True, kw_only=True, slots=True)
class Prefixes:
    """Text that is put before each text, by task."""

    query: str = ""
    document: str = ""


E5: Final = Prefixes(query="query: ", document="passage: ")

# The first pattern that is found in the lower-case name wins. Families that are not listed
# (MiniLM, MPNet, SRoBERTa, bge-m3, OpenAI's) were trained without prefixes.
_FAMILIES: Final = (
    (re.compile(r"\be5\b.*instruct"), Prefixes(query=f"Instruct: {_TASK}\nQuery: ")),
    (re.compile(r"\be5\b"), E5),
    (re.compile(r"nomic-embed-text"), Prefixes(query="search_query: ", document="search_document: ")),
    (
        re.compile(r"embedding-?gemma"),
        Prefixes(query="task: search result | query: ", document="title: none | text: "),
    ),
    (re.compile(r"qwen3-embedding"), Prefixes(query=f"Instruct: {_TASK}\nQuery:")),
)


def prefixes_for(model: str) -> Prefixes:
    """The prefixes of the model's family; none for a family that is not known.

    Args:
        model: the name as a backend knows it, such as ``intfloat/multilingual-e5-small``.
    """
    name = _plain(model)
    return next((prefixes for pattern, prefixes in _FAMILIES if pattern.search(name)), Prefixes())


def is_e5(model: str) -> bool:
    """Whether the model is of the e5 family, whose cosines are compressed."""
    return re.search(r"\be5\b", _plain(model)) is not None


def _plain(model: str) -> str:
    # An underscore counts as part of a word in a pattern, and people write it for a hyphen.
    return model.lower().replace("_", "-")
