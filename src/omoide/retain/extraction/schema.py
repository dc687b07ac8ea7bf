"""What a model answers for one window (P5): flat, with short names, and lenient item by item.

An item that cannot be read is left out and counted; only where most are so, the whole answer is not read. A
field that need not be there costs nothing, whatever it holds. The model is shown the shorter `FORM` of it;
what a field means stands in the rules, in the language that is spoken.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from copy import deepcopy
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from omoide.domain.text import clean, fold, tokens
from omoide.prompts.parsing import finite
from omoide.retain.extraction.form import FORM

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_LETTERS = re.compile(r"[^\W_]+")
_MOST = 40
"""Items of one kind that are looked at; a model in a loop repeats itself."""

_NOTHING = re.compile(
    r"\W*(?:n\W?a|none|null|nil|undefined|unknown|(?:해당\s?)?없음|(?:該当|特に?|要約)?\s?(?:なし|無し)|无|無)\W*"
)
"""What a model writes, folded, into a field that it has nothing for."""

_CLAIMS = ("facts", "plans", "guidance")


def _text(value: object) -> object:
    if isinstance(value, int | float):
        value = str(value)
    return clean(value) if isinstance(value, str) else "" if value is None else value


def _if_any(value: object) -> object:
    """A text; empty where it only says that there is none."""
    text = _text(value)
    return "" if isinstance(text, str) and _NOTHING.fullmatch(fold(text)) else text


def _number(value: object) -> float | None:
    """The number in 3, "m3", "7/10" and the like; None where there is none that could be reckoned with."""
    if isinstance(value, str):
        found = _NUMBER.search(value)
        return None if found is None else finite(float(found.group()))
    return finite(value)


def _place(value: object) -> int:
    """A message's number; 0, which no message has, where none is given."""
    return int(_number(value) or 0)


def _list(value: object) -> list[object]:
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def _texts(value: object) -> list[str]:
    return [clean(item) for item in _list(value) if isinstance(item, str)][:_MOST]


def _quotes(value: object) -> list[dict[object, object]]:
    """Words with the message that they stand in; a model may give the words alone."""
    cites = [{"words": item} if isinstance(item, str) else item for item in _list(value)]
    return [item for item in cites if isinstance(item, dict)][:_MOST]


def _word(value: object) -> object:
    """A word of a list as the form spells it: "Role_Play." is "role-play"."""
    return "-".join(_LETTERS.findall(value.lower())) if isinstance(value, str) else value


def _one_of(choice: object, default: str) -> BeforeValidator:
    """One of some words; another value, and none at all, is the default."""
    words = get_args(choice)

    def chosen(value: object) -> object:
        word = _word(value)
        return word if word in words else default

    return BeforeValidator(chosen)


def _within(low: float, high: float, default: float | None) -> BeforeValidator:
    def limited(value: object) -> float | None:
        number = _number(value)
        return default if number is None else min(max(number, low), high)

    return BeforeValidator(limited)


def _mode(value: object) -> object:
    """How a thing was said; a word that the form does not have says that it was not simply asserted."""
    word = _word(value)
    return word if not word or word in get_args(_Modes) else "hypothetical"


_Modes = Literal["asserted", "hypothetical", "joke", "role-play"]
_Categories = Literal["preference", "personal", "emotion", "habit", "goal", "general"]
_Relations = Literal["new", "confirms", "replaces"]
_States = Literal["open", "done", "dropped"]
_Kinds = Literal["quote", "action"]

_Mode = Annotated[_Modes, BeforeValidator(_mode)]
_Relation = Annotated[_Relations, _one_of(_Relations, "new")]
_Weight = Annotated[float | None, _within(1.0, 10.0, None)]
_Text = Annotated[str, BeforeValidator(_text)]
_IfAny = Annotated[str, BeforeValidator(_if_any)]
_Texts = Annotated[list[str], BeforeValidator(_texts)]
_Place = Annotated[int, BeforeValidator(_place)]


def _joined(value: object) -> object:
    """Ids in one text, also where a model lists them."""
    return " ".join(map(str, value)) if isinstance(value, list) else _if_any(value)


_Ids = Annotated[str, BeforeValidator(_joined)]


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Cite(_Item):
    """Words of a message, as they stand there; `m` is 0 where it was not said which message that is."""

    m: _Place = 0
    words: _Text


_Cites = Annotated[list[Cite], BeforeValidator(_quotes)]


class Detail(_Item):
    """Something said (a quote) or done (an action)."""

    kind: Annotated[_Kinds, _one_of(_Kinds, "quote")] = "quote"
    who: _Text
    text: _Text
    context: _IfAny = ""
    m: _Place


class Fact(_Item):
    """Something that is so."""

    text: _Text
    about: _Text
    category: Annotated[_Categories, _one_of(_Categories, "general")] = "general"
    mode: _Mode
    importance: _Weight = None
    confidence: Annotated[float, _within(1.0, 10.0, 8.0)] = 8.0
    since: _IfAny = ""
    until: _IfAny = ""
    relation: _Relation = "new"
    known: _Ids = ""
    evidence: _Cites


class Plan(_Item):
    """Something promised, agreed or intended."""

    text: _Text
    who: _Text = Field(validation_alias=AliasChoices("about", "who"))
    importance: _Weight = None
    due: _IfAny = ""
    due_words: _IfAny = ""
    condition: _IfAny = ""
    state: Annotated[_States, _one_of(_States, "open")] = "open"
    mode: _Mode = "asserted"
    relation: _Relation = "new"
    known: _Ids = ""
    evidence: _Cites


class Guidance(_Item):
    """How to respond to somebody, learned from their reaction (H28)."""

    text: _Text
    relation: _Relation = "new"
    known: _Ids = ""
    evidence: _Cites


class Person(_Item):
    """Somebody's other name, and who uses it."""

    name: _Text
    called: _Text
    by: _IfAny = ""


class Feeling(_Item):
    """What somebody felt."""

    who: _Text
    emotion: Annotated[str, BeforeValidator(_word)]
    intensity: Annotated[float, _within(0.0, 10.0, 0.5)] = 0.5
    trigger: _IfAny = ""
    m: _Place


class Relation(_Item):
    """How the two stand with each other, written anew as a whole (P22)."""

    summary: _IfAny = ""
    address: _Texts = Field(default_factory=list)
    manner: _IfAny = ""
    standing: _IfAny = ""
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

    summary: _IfAny
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
        wrong: list[str] = []
        kept = {**given}
        for name, form in _LISTS.items():
            kept[name] = [item for raw in _list(given.get(name))[:_MOST] if (item := _read(form, raw, wrong))]
            unread[name] = len(_list(given.get(name))) - len(kept[name])
        if sum(unread[name] for name in _CLAIMS) > sum(len(kept[name]) for name in _CLAIMS):
            told = "; ".join(dict.fromkeys(wrong))
            raise PydanticCustomError("unreadable", "most items cannot be read: {told}", {"told": told})
        if any(kept[name] for name in _LISTS):
            kept.setdefault("summary", "")
        kept["relationship"] = _read(Relation, given.get("relationship"), [])
        kept["unread"] = {name: count for name, count in unread.items() if count}
        return kept


def _read(form: type[_Item], raw: object, wrong: list[str]) -> _Item | None:
    """An item; None where it makes no sense, with what is `wrong` in it, without a word of what it holds."""
    try:
        return form.model_validate(raw)
    except ValidationError as error:
        for one in error.errors(include_url=False, include_input=False, include_context=False):
            fields = ".".join(step for step in one["loc"] if isinstance(step, str))
            wrong.append(f"{form.__name__.lower()} {fields}: {one['msg']}")
        return None


def schema_tokens() -> int:
    """How many tokens the form costs where a server puts it into the prompt."""
    return tokens(json.dumps(Reading.model_json_schema(), ensure_ascii=False, separators=(",", ":")))
