"""The form of an answer as a model is shown it: said once, for each window pays for it.

Facts, plans and guidance share one form of item, of which each uses what the rules name for it. It is written
by hand because a schema that is drawn from types repeats itself; a test holds it against them.
"""

from __future__ import annotations

from typing import Any, Final

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number"}
_PLACE: Final = {"type": "integer"}


def _object(required: str, **fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": required.split()}


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def _one_of(words: str) -> dict[str, Any]:
    return {"type": "string", "enum": words.split()}


_ITEM: Final = _object(
    "text mode evidence",
    text=_TEXT,
    about=_TEXT,
    mode=_one_of("asserted hypothetical joke role-play"),
    category=_one_of("preference personal emotion habit goal general"),
    importance=_NUMBER,
    confidence=_NUMBER,
    since=_TEXT,
    until=_TEXT,
    due=_TEXT,
    due_words=_TEXT,
    condition=_TEXT,
    state=_one_of("open done dropped"),
    relation=_one_of("new confirms replaces"),
    known=_TEXT,
    evidence=_list(_object("m words", m=_PLACE, words=_TEXT)),
)
_ITEMS: Final = _list({"$ref": "#/$defs/Item"})

FORM: Final[dict[str, Any]] = {
    "$defs": {"Item": _ITEM},
    **_object(
        "summary",
        summary=_TEXT,
        importance=_NUMBER,
        details=_list(
            _object("text m", kind=_one_of("quote action"), who=_TEXT, text=_TEXT, context=_TEXT, m=_PLACE)
        ),
        terms=_list(_TEXT),
        involved=_list(_TEXT),
        facts=_ITEMS,
        plans=_ITEMS,
        guidance=_ITEMS,
        people=_list(_object("name called", name=_TEXT, called=_TEXT, by=_TEXT)),
        feelings=_list(
            _object("who emotion m", who=_TEXT, emotion=_TEXT, intensity=_NUMBER, trigger=_TEXT, m=_PLACE)
        ),
        relationship=_object(
            "summary",
            summary=_TEXT,
            address=_list(_TEXT),
            manner=_TEXT,
            standing=_TEXT,
            promises=_list(_TEXT),
            lines=_list(_TEXT),
        ),
    ),
}
"""A JSON schema. What a field means stands in the rules, in the language that is spoken."""
