"""What a model answers for one window (P5): flat, with short names, and lenient item by item.

An item that cannot be read is left out and counted; it never costs the rest of the answer. The model is shown
the shorter `FORM` of it; what a field means stands in the rules, in the language that is spoken.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from copy import deepcopy
from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from omoide.domain.text import tokens
from omoide.retain.extraction.form import FORM

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MOST = 40
"""Items of one kind that are looked at; a model in a loop repeats itself."""


def _text(value: object) -> object:
    return "" if value is None else str(value) if isinstance(value, int | float) else value


def _number(value: object) -> object:
    """The number in "m3", "7/10" and the like."""
    if isinstance(value, str):
        found = _NUMBER.search(value)
        return float(found.group()) if found else value
    return value


def _whole(value: object) -> object:
    number = _number(value)
    return int(number) if isinstance(number, float) else number


def _list(value: object) -> list[object]:
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def _texts(value: object) -> list[str]:
    return [item for item in _list(value) if isinstance(item, str)][:_MOST]


def _quotes(value: object) -> list[dict[object, object]]:
    return [item for item in _list(value) if isinstance(item, dict)][:_MOST]


def _choice(value: object) -> object:
    return value.strip().lower().replace("_", "-") if isinstance(value, str) else value


def _within(low: float, high: float, default: float | None) -> BeforeValidator:
    def limited(value: object) -> float | None:
        number = _number(value)
        return min(max(float(number), low), high) if isinstance(number, int | float) else default

    return BeforeValidator(limited)


_Weight = Annotated[float | None, _within(1.0, 10.0, None)]
_Text = Annotated[str, BeforeValidator(_text)]
_Texts = Annotated[list[str], BeforeValidator(_texts)]
_Place = Annotated[int, BeforeValidator(_whole)]


def _joined(value: object) -> object:
    """Ids in one text, also where a model lists them."""
    return " ".join(map(str, value)) if isinstance(value, list) else _text(value)


_Ids = Annotated[str, BeforeValidator(_joined)]


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Cite(_Item):
    """Words of a message, as they stand there."""

    m: _Place
    words: _Text


_Cites = Annotated[list[Cite], BeforeValidator(_quotes)]


class Detail(_Item):
    """Something said (a quote) or done (an action)."""

    kind: Annotated[Literal["quote", "action"], BeforeValidator(_choice)] = "quote"
    who: _Text
    text: _Text
    context: _Text = ""
    m: _Place


class Fact(_Item):
    """Something that is so."""

    text: _Text
    about: _Text
    category: Annotated[
        Literal["preference", "personal", "emotion", "habit", "goal", "general"], BeforeValidator(_choice)
    ] = "general"
    mode: Annotated[Literal["asserted", "hypothetical", "joke", "role-play"], BeforeValidator(_choice)]
    importance: _Weight = None
    confidence: Annotated[float, _within(1.0, 10.0, 8.0)] = 8.0
    since: _Text = ""
    until: _Text = ""
    relation: Annotated[Literal["new", "confirms", "replaces"], BeforeValidator(_choice)] = "new"
    known: _Ids = ""
    evidence: _Cites


class Plan(_Item):
    """Something promised, agreed or intended."""

    text: _Text
    who: _Text = Field(validation_alias=AliasChoices("about", "who"))
    importance: _Weight = None
    due: _Text = ""
    due_words: _Text = ""
    condition: _Text = ""
    state: Annotated[Literal["open", "done", "dropped"], BeforeValidator(_choice)] = "open"
    mode: Annotated[Literal["asserted", "hypothetical", "joke", "role-play"], BeforeValidator(_choice)] = (
        "asserted"
    )
    relation: Annotated[Literal["new", "confirms", "replaces"], BeforeValidator(_choice)] = "new"
    known: _Ids = ""
    evidence: _Cites


class Guidance(_Item):
    """How to respond to somebody, learned from their reaction (H28)."""

    text: _Text
    relation: Annotated[Literal["new", "confirms", "replaces"], BeforeValidator(_choice)] = "new"
    known: _Ids = ""
    evidence: _Cites


class Person(_Item):
    """Somebody's other name, and who uses it."""

    name: _Text
    called: _Text
    by: _Text = ""


class Feeling(_Item):
    """What somebody felt."""

    who: _Text
    emotion: Annotated[str, BeforeValidator(_choice)]
    intensity: Annotated[float, _within(0.0, 10.0, 0.5)] = 0.5
    trigger: _Text = ""
    m: _Place


class Relation(_Item):
    """How the two stand with each other, written anew as a whole (P22)."""

    summary: _Text = ""
    address: _Texts = Field(default_factory=list)
    manner: _Text = ""
    standing: _Text = ""
    promises: _Texts = Field(default_factory=list)
    lines: _Texts = Field(default_factory=list)


_LISTS: dict[str, type[_Item]] = {
    "details": Detail,
    "facts": Fact,
    "plans": Plan,
    "guidance": Guidance,
    "people": Person,
    "feelings": Feeling,
}


class Reading(_Item):
    """All that a model draws from one window. `unread` counts the items of each list that made no sense."""

    summary: _Text
    importance: Annotated[float, _within(1.0, 10.0, 5.0)] = 5.0
    details: list[Detail] = Field(default_factory=list)
    terms: _Texts = Field(default_factory=list)
    involved: _Texts = Field(default_factory=list)
    facts: list[Fact] = Field(default_factory=list)
    plans: list[Plan] = Field(default_factory=list)
    guidance: list[Guidance] = Field(default_factory=list)
    people: list[Person] = Field(default_factory=list)
    feelings: list[Feeling] = Field(default_factory=list)
    relationship: Relation | None = None
    unread: dict[str, int] = Field(default_factory=dict, exclude=True)

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """The form as a model is shown it, which says once what these types say thrice."""
        return deepcopy(FORM)

    @model_validator(mode="before")
    @classmethod
    def _only_readable(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        unread: Counter[str] = Counter()
        kept = {**given}
        for name, form in _LISTS.items():
            kept[name] = [item for raw in _list(given.get(name))[:_MOST] if (item := _read(form, raw))]
            unread[name] = len(_list(given.get(name))) - len(kept[name])
        kept["relationship"] = _read(Relation, given.get("relationship"))
        kept["unread"] = {name: count for name, count in unread.items() if count}
        return kept


def _read(form: type[_Item], raw: object) -> _Item | None:
    try:
        return form.model_validate(raw)
    except ValidationError:
        return None


def schema_tokens() -> int:
    """How many tokens the form costs where a server puts it into the prompt."""
    return tokens(json.dumps(Reading.model_json_schema(), ensure_ascii=False, separators=(",", ":")))
