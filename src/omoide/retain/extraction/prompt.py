"""The prompt of one extraction: rules in the language that is spoken, then all data behind fences."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from omoide.domain.affect import EMOTIONS
from omoide.domain.chat import Turn
from omoide.domain.loose_times import in_figures
from omoide.domain.model import PlanState
from omoide.domain.text import fold, tokens
from omoide.prompts.labels import LABELS, fenced
from omoide.retain.extraction.schema import schema_tokens
from omoide.retain.extraction.shorten import GAP, both_ends

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime

    from omoide.prompts.labels import Labels
    from omoide.prompts.templates import Templates
    from omoide.retain.extraction.view import Known, Line, View

NAME = "extraction"
"""The prompt's name, under which it can be replaced."""

_EARLIER = 120
"""Tokens of a message that only helps to understand."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """What is sent, and what its parts cost in tokens as we estimate them."""

    turns: tuple[Turn, ...]
    parts: dict[str, int]


def build(view: View, templates: Templates) -> Prompt:
    """The prompt for what a window holds."""
    labels = LABELS[view.language]
    user, character = view.name(view.user, "user"), view.name(view.character, "character")
    rules = templates.render(
        NAME, view.language, user=user, character=character, emotions=", ".join(EMOTIONS)
    )
    parts = {
        "moment": f"{labels.now}: {_moment(view.now, labels)} {view.now.tzname() or ''}".rstrip(),
        "relationship": fenced("relationship", _relationship(view, labels)),
        "known": fenced(
            "known",
            [*(_known(known, view, labels) for known in view.known), *_aliases(view)] or [labels.nothing],
        ),
        "earlier": fenced("earlier", _talk(map(_briefly, view.context), labels)),
        "conversation": fenced("conversation", _talk(view.lines, labels)),
        "end": labels.end,
    }
    data = "\n\n".join(parts.values())
    frame = tokens(parts.pop("moment")) + tokens(parts.pop("end"))
    counted = {name: tokens(part) for name, part in parts.items()}
    return Prompt(
        turns=(Turn("system", rules), Turn("user", data)),
        parts={"rules": tokens(rules) + frame, **counted, "schema": schema_tokens()},
    )


def _talk(lines: Iterable[Line], labels: Labels) -> list[str]:
    """One message a line, under the day it was said on."""
    shown: list[str] = []
    day: date | None = None
    for line in lines:
        if line.at is not None and line.at.date() != day:
            day = line.at.date()
            shown.append(f"# {_day(line.at, labels)}")
        mark = f"[{line.m}]" if line.m else "[-]"
        at = labels.undated if line.at is None else f"{line.at:%H:%M}"
        shown.append(f"{mark} {at} {_flat(line.name)}: {_flat(line.text)}")
    return shown or [labels.nothing]


def _briefly(line: Line) -> Line:
    """A message that only helps to understand, of a long one the beginning and the end."""
    text = _flat(line.text)
    return line if tokens(text) <= _EARLIER else replace(line, text=GAP.join(both_ends(text, _EARLIER)))


def _relationship(view: View, labels: Labels) -> list[str]:
    if view.relationship is None:
        return [labels.nothing]
    return [json.dumps(asdict(view.relationship), ensure_ascii=False)]


def _known(known: Known, view: View, labels: Labels) -> str:
    name = known.name or view.name(known.subject, "")
    about = f"[{_flat(name)}] " if name else ""
    due = "" if known.due is None else f" ({labels.due}: {in_figures(known.due.at, known.due.precision)})"
    state = "" if known.state in (None, PlanState.OPEN) else f" ({known.state})"
    return f"{known.key} {about}{_flat(known.text)}{due}{state}"


def _aliases(view: View) -> list[str]:
    """What people are called besides their names, of whom the talk uses one of these: "[Tomas] = Tom"."""
    said = fold(" ".join(line.text for line in view.lines))
    return [
        f"[{_flat(view.name(number, '?'))}] = {', '.join(map(_flat, names))}"
        for number, names in view.called.items()
        if any(fold(name) in said for name in names)
    ]


def _day(at: datetime, labels: Labels) -> str:
    return f"{at:%Y-%m-%d} ({labels.weekdays[at.weekday()]})"


def _moment(at: datetime, labels: Labels) -> str:
    return f"{_day(at, labels)} {at:%H:%M}"


def _flat(text: str) -> str:
    return " ".join(text.split())
