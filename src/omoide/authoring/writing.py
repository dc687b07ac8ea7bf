"""A life as the text of plain files: what `folder` reads, written so that it reads the same again (K12)."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final

import yaml

from omoide.authoring.forms import diary_fields, event_fields
from omoide.domain.text import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omoide.characters.profile import Profile
    from omoide.domain.diary import Diary
    from omoide.domain.event import Event

_UNFIT: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+|^\.+|[. ]+$')
"""What some system does not take in the name of a file."""

_LONGEST_NAME: Final = 40
"""Graphemes of the name of a file."""

_ENDLESS: Final = 1_000_000


def in_order(diaries: Iterable[Diary]) -> list[Diary]:
    """Memories as they follow on each other in a life; those without a day come last."""
    return sorted(diaries, key=_when)


def diary_yaml(diaries: Iterable[Diary]) -> str:
    """Memories as a list in YAML."""
    return _listed([diary_fields(diary) for diary in diaries])


def events_yaml(events: Iterable[Event]) -> str:
    """Events as a list in YAML."""
    return _listed([event_fields(event) for event in events])


def profile_yaml(profile: Profile) -> str:
    """A profile, without what goes without saying."""
    return _dumped(profile.model_dump(mode="json", exclude_defaults=True))


def diary_markdown(diary: Diary) -> str:
    """A memory as Markdown with its fields as front matter."""
    fields = diary_fields(diary)
    text = fields.pop("text")
    return f"---\n{_dumped(fields)}---\n\n{text}\n"


def as_file_name(name: str) -> str:
    """A name as every system takes it for a file or a folder."""
    return _UNFIT.sub("-", cut(name, _LONGEST_NAME)) or "-"


def file_names(diaries: Sequence[Diary]) -> list[str]:
    """A name for the file of each memory, after its id; no two are alike, on any system."""
    taken: set[str] = set()
    names = []
    for diary in diaries:
        stem = name = as_file_name(diary.id or "")
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        names.append(f"{name}.md")
    return names


def _when(diary: Diary) -> tuple[bool, date, date, str]:
    day = diary.day
    begin, end = (date.min, date.min) if day is None else (day.begin, day.end)
    return day is None, begin, end, diary.id or ""


class _Dumper(yaml.SafeDumper):
    """Writes text as people do: long ones as blocks, lists of words in one line, days without marks."""

    def increase_indent(self, flow: bool = False, *_: object, **__: object) -> None:
        """Step in, also for a list inside a mapping."""
        super().increase_indent(flow, False)


class _Day(str):
    """A day, which is written without marks though YAML has an own idea of it."""

    __slots__ = ()


class _Block(str):
    """A text of several sentences, which is written below its field."""

    __slots__ = ()


def _day(dumper: yaml.SafeDumper, day: _Day) -> yaml.ScalarNode:
    kind = {10: "timestamp", 4: "int"}.get(len(day), "str")  # what YAML itself would take it for
    return dumper.represent_scalar(f"tag:yaml.org,2002:{kind}", str(day))


def _block(dumper: yaml.SafeDumper, text: _Block) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="|")


def _list(dumper: yaml.SafeDumper, values: list[object]) -> yaml.SequenceNode:
    words = all(isinstance(value, str) for value in values)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=words)


def _mapping(dumper: yaml.SafeDumper, values: dict[str, object]) -> yaml.MappingNode:
    numbers = bool(values) and not any(isinstance(value, (str, list, dict)) for value in values.values())
    return dumper.represent_mapping("tag:yaml.org,2002:map", values, flow_style=numbers)


_Dumper.add_representer(_Day, _day)
_Dumper.add_representer(_Block, _block)
_Dumper.add_representer(list, _list)
_Dumper.add_representer(dict, _mapping)


def _listed(entries: Sequence[dict[str, object]]) -> str:
    """A list, with a blank line between its entries."""
    return "\n".join(_dumped([entry]) for entry in entries) or "[]\n"


def _dumped(value: object) -> str:
    return yaml.dump(_marked(value), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=_ENDLESS)


def _marked(value: object) -> object:
    """The same with its days and its texts marked."""
    if isinstance(value, list):
        return [_marked(one) for one in value]
    if isinstance(value, dict):
        return {name: _field(str(name), one) for name, one in value.items()}
    return value


def _field(name: str, value: object) -> object:
    if isinstance(value, str) and name == "day":
        return _Day(value)
    if isinstance(value, str) and name in ("text", "description"):
        return _Block(f"{value}\n")  # a block as people write it; its last line end is no part of the text
    return _marked(value)
