"""What stands in every prompt, whatever is asked: rules, how the two stand with each other, the last talk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.prompts.ago import ago
from omoide.prompts.fence import RELATIONSHIP, plain
from omoide.prompts.phrases import PHRASES

if TYPE_CHECKING:
    from datetime import datetime

    from omoide.domain.relationship import Relationship
    from omoide.domain.text import Language


@dataclass(frozen=True, kw_only=True, slots=True)
class Between:
    """What is known between a user and a character at one moment.

    Attributes:
        characters: how many characters take part.
        relationship: how they stand with each other.
        last_talk: when they last spoke before this visit, of whatever session.
        now: the moment, in the user's zone; needed with `last_talk`.
        own_past: whether memories of the character's own past may come to mind.
    """

    characters: int = 1
    relationship: Relationship | None = None
    last_talk: datetime | None = None
    now: datetime | None = None
    own_past: bool = False


def standing(language: Language, between: Between | None = None) -> str:
    """What stands in every prompt, also with no memory at all (P20 to P22, K4, K5).

    The relationship is fenced as data: it was made from what people said (ruling 20).
    """
    between = between or Between()
    phrases = PHRASES[language]
    lines = [phrases.honest, *([phrases.absent] if between.characters > 1 else [])]
    lines += [phrases.layers] if between.own_past else []
    if between.relationship is not None and not between.relationship.blank:
        lines.append(_relationship(between.relationship, language))
    if between.last_talk is not None and between.now is not None:
        when = ago(between.last_talk.astimezone(between.now.tzinfo), now=between.now, language=language)
        lines.append(phrases.last_talk.format(when=when))
    return "\n".join(lines)


def _relationship(relationship: Relationship, language: Language) -> str:
    phrases = PHRASES[language]
    told = {
        phrases.address: ", ".join(relationship.address),
        phrases.manner: relationship.manner,
        phrases.closeness: relationship.standing,
        phrases.promises: " / ".join(relationship.promises),
        phrases.lines: " / ".join(relationship.lines),
    }
    labelled = [f"{label}: {plain(words)}" for label, words in told.items() if words]
    summary = [plain(relationship.summary)] if relationship.summary else []
    opening, closing = RELATIONSHIP
    return "\n".join([opening, phrases.between, *summary, *labelled, closing])
