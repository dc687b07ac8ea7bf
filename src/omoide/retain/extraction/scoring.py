"""Scoring a turn by a model in place of the rule of H7, from 0.0 to 1.0 (H8), and the gate of H11."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, model_validator

from omoide.domain.chat import Turn, Usage
from omoide.domain.model import Role
from omoide.errors import UnreadableAnswer
from omoide.prompts.labels import fenced
from omoide.prompts.parsing import finite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.chat import ChatModel
    from omoide.domain.text import Language
    from omoide.prompts.templates import Templates
    from omoide.retain.extraction.view import Line

NAME = "scoring"
UNKNOWN = 0.4
"""What an answer counts as that is no number (H8)."""

WORTH = 0.6
"""From which score on facts are drawn from a turn (H11)."""

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_BARE = re.compile(r"\D{0,20}?(-?\d+(?:[.,]\d+)?)\s*(/\s*10)?\D{0,3}")
"""A number by itself, as small models give it: `0.9`, `Score: 0.8`, `8/10`."""

_MOST = 10.0
"""The top of the scale that models take who do not count to 1."""


class Score(BaseModel):
    """How much a turn is worth remembering, as a model puts it."""

    model_config = ConfigDict(extra="ignore")

    score: Any = None

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: object) -> object:
        """A number without its name is the score."""
        found = _BARE.fullmatch(given.strip()) if isinstance(given, str) else None
        if found is None:
            return {"score": given} if isinstance(given, int | float) else given
        score = float(found[1].replace(",", "."))
        return {"score": score / _MOST if found[2] else score}


def read_score(given: object) -> float:
    """A score from 0 to 1; what is no number counts as 0.4.

    More than 1 and up to 10 is of ten.
    """
    if isinstance(given, str):
        match = _NUMBER.search(given)
        given = None if match is None else float(match.group().replace(",", "."))
    score = finite(given)
    if score is None:
        return UNKNOWN
    if 1.0 < score <= _MOST:
        score /= _MOST
    return min(max(score, 0.0), 1.0)


async def score_turn(
    lines: Sequence[Line], model: ChatModel, templates: Templates, *, language: Language
) -> tuple[float, Usage]:
    """How much an exchange is worth, and what asking cost.

    Raises:
        ModelError: the model cannot be asked; an answer that is no number is no error.
    """
    said = [f"{line.name}: {' '.join(line.text.split())}" for line in lines]
    turns = [
        Turn("system", templates.render(NAME, language)),
        Turn("user", fenced("conversation", said)),
    ]
    try:
        answer = await model.answer(turns, Score)
    except UnreadableAnswer:
        return UNKNOWN, Usage(calls=1)
    return read_score(answer.value.score), answer.usage


def exchanges_of(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines by exchange: what a user says, and what is answered to it."""
    found: list[list[Line]] = []
    for line in lines:
        begins = line.role is Role.USER and (not found or found[-1][-1].role is not Role.USER)
        if begins or not found:
            found.append([])
        found[-1].append(line)
    return found
