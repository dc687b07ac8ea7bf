"""`profile.yaml`: who a character is in a few fields, checked, with errors that name the line (H3)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from omoide.characters.plain_yaml import PlainLoader
from omoide.domain.affect import EMOTIONS
from omoide.domain.owners import is_owner_name
from omoide.domain.text import Language, clean, composed
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails
    from yaml.nodes import Node

_P = TypeVar("_P", bound=BaseModel)

LONGEST: Final = 65_536
"""Bytes of a profile at most."""

_SHOWN: Final = 60
"""Characters of a wrong value that a message shows."""


def _name(value: str) -> str:
    name = value.strip()
    if not is_owner_name(name):
        msg = "a name is one line with something to read in it, and without control characters"
        raise ValueError(msg)
    return composed(name)


def _known(value: str) -> str:
    if value not in EMOTIONS:
        msg = f"no emotion is called so; choose from {', '.join(EMOTIONS)}"
        raise ValueError(msg)
    return value


Name = Annotated[str, Field(max_length=80), AfterValidator(_name)]
Text = Annotated[str, Field(max_length=20_000), AfterValidator(clean)]
Emotion = Annotated[str, AfterValidator(_known)]


class Profile(BaseModel):
    """Who a character is.

    Attributes:
        name: what it is called, in memories too.
        language: what it speaks.
        nickname: what it calls itself, where that is not its name.
        emotions: what it may show.
        greeting: what it says first.
        description: who it is, for its prompt and for people.
        birthday: when it was born; ages and absolute days of its past are derived from that.
        scores: emotion scores of its own in its past, such as defiance, beside joy, sadness, anxiety and
            frustration.
        taboos: words that no memory which it writes itself may hold; each is looked for as it stands, those
            of an alphabet as whole words.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    language: Language
    nickname: Name | None = None
    emotions: tuple[Emotion, ...] = EMOTIONS
    greeting: Text = ""
    description: Text = ""
    birthday: date | None = None
    scores: tuple[Name, ...] = ()
    taboos: tuple[Name, ...] = ()


class Amendment(BaseModel):
    """What a `profile.yaml` beside a card may say, in place of what the card gives."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name | None = None
    language: Language | None = None
    nickname: Name | None = None
    emotions: tuple[Emotion, ...] | None = None
    greeting: Text | None = None
    description: Text | None = None
    birthday: date | None = None
    scores: tuple[Name, ...] | None = None
    taboos: tuple[Name, ...] | None = None


def read_profile(data: bytes, *, file: str) -> Profile:
    """The profile that a file holds.

    Args:
        data: the file.
        file: its name, for messages.

    Raises:
        InvalidInput: it is no profile; the message names the file, the line and the field.
    """
    return _read(Profile, data, file)


def sound_profile(data: bytes) -> Profile | None:
    """What of a profile with faults is none of them: its name at least; None where there is not even that."""
    try:
        values, _ = _values(data, "")
        found = Amendment.model_validate(values)
    except InvalidInput:
        return None
    except ValidationError as error:
        wrong = {one["loc"][0] for one in error.errors() if one["loc"]}
        found = Amendment.model_validate({key: one for key, one in values.items() if key not in wrong})
    if found.name is None:
        return None
    return Profile(name=found.name, language="en", nickname=found.nickname, birthday=found.birthday)


def read_amendment(data: bytes, *, file: str) -> Amendment:
    """What a file says about a character that a card describes; raises as `read_profile` does."""
    return _read(Amendment, data, file)


def _read(form: type[_P], data: bytes, file: str) -> _P:
    values, lines = _values(data, file)
    try:
        return form.model_validate(values)
    except ValidationError as error:
        problems = "; ".join(_problem(found, lines) for found in error.errors(include_url=False))
        msg = f"the profile {file!r} is wrong: {problems}"
        raise InvalidInput(msg) from None


def _problem(found: ErrorDetails, lines: dict[str, int]) -> str:
    field = ".".join(map(str, found["loc"]))
    line = lines.get(str(found["loc"][0])) if found["loc"] else None
    shown = "" if found["type"] == "missing" else f", got {str(found['input'])[:_SHOWN]!r}"
    said = found["msg"].removeprefix("Value error, ")
    if field == "birthday":
        said = "a birthday is a day such as 2004-02-29"
    return f"{field}{'' if line is None else f' (line {line})'}: {said}{shown}"


def _values(data: bytes, file: str) -> tuple[dict[str, object], dict[str, int]]:
    """The fields of a YAML file, and the line of each."""
    if len(data) > LONGEST:
        msg = f"the profile {file!r} is larger than {LONGEST} bytes; put long texts into prompt.jinja"
        raise InvalidInput(msg)
    try:
        loader = PlainLoader(data.decode("utf-8-sig"))
        node = loader.get_single_node()
        lines = _lines(node)
        values = {} if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = "" if mark is None else f" in line {mark.line + 1}"
        msg = f"the profile {file!r} is no YAML that can be read: {error.problem}{where}"
        raise InvalidInput(msg) from None
    except (yaml.YAMLError, ValueError) as error:  # letters that YAML has no place for, dates that never were
        reason = "it is not in UTF-8" if isinstance(error, UnicodeError) else str(error).splitlines()[0]
        msg = f"the profile {file!r} cannot be read: {reason}"
        raise InvalidInput(msg) from None
    if not isinstance(values, dict):
        msg = f"the profile {file!r} holds no fields; write lines such as `name: Haru`"
        raise InvalidInput(msg)
    return {str(key): value for key, value in values.items()}, lines


def _lines(node: Node | None) -> dict[str, int]:
    if not isinstance(node, yaml.MappingNode):
        return {}
    lines: dict[str, int] = {}
    for key, _ in node.value:
        name = str(key.value)
        if name in lines:
            raise yaml.MarkedYAMLError(problem=f"{name!r} stands there twice", problem_mark=key.start_mark)
        lines[name] = int(key.start_mark.line) + 1
    return lines
