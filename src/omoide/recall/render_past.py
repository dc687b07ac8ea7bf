"""A character's own past as words for the prompt: lived, heard, guessed, and observed of others (K4, K5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from omoide.domain.layer import Layer
from omoide.domain.partial_date import Season
from omoide.domain.text import fold
from omoide.prompts.ago import ago, ago_about
from omoide.prompts.fence import plain
from omoide.prompts.phrases import PHRASES

if TYPE_CHECKING:
    from datetime import datetime

    from omoide.domain.model import Memory, Past
    from omoide.domain.observation import Observation
    from omoide.domain.partial_date import PartialDate
    from omoide.domain.text import Language
    from omoide.prompts.phrases import Phrases


def when_lived(memory: Memory, *, now: datetime, language: Language) -> str:
    """When it was, as exactly as that is known, and how old the character was."""
    phrases = PHRASES[language]
    parts = [phrases.unknown]
    if memory.at is not None:
        if memory.day is None:
            local = memory.at.astimezone(now.tzinfo)
            parts = [local.date().isoformat(), ago(local, now=now, language=language)]
        else:
            parts = [_day(memory.day, phrases), ago_about(memory.day, now=now, language=language)]
    if memory.past is not None and memory.past.age is not None:
        parts.append(phrases.age.format(age=int(memory.past.age)))
    return ", ".join(parts)


def how_known(past: Past, phrases: Phrases) -> list[str]:
    """How the character knows of it; nothing where it was there."""
    if past.layer is Layer.INFERRED:
        return [phrases.inferred.format(basis=plain(past.basis or ""))]
    if past.layer is Layer.DIRECT:
        return []
    told = [phrases.heard.format(who=plain(past.source or ""))]
    return told + ([phrases.heard_when.format(when=plain(past.heard_when))] if past.heard_when else [])


def of_past(memory: Memory, phrases: Phrases) -> list[str]:
    """What a memory tells beside its words: what the character felt, did and thought, and saw of others."""
    own = (
        (phrases.felt, _feeling(memory.emotion, phrases)),
        (phrases.did, memory.action),
        (phrases.thought, memory.thought),
    )
    said = [phrase.format(what=plain(words)) for phrase, words in own if words]
    return said + [_seen(one, memory.past, phrases) for one in memory.observations]


def _feeling(emotion: str | None, phrases: Phrases) -> str | None:
    """An emotion in the language of the prompt; an author's own word as it is."""
    return None if emotion is None else phrases.emotions.get(fold(emotion), emotion)


def _seen(seen: Observation, past: Past | None, phrases: Phrases) -> str:
    """What was to be seen of somebody as it was, and what they felt as a guess with its reason."""
    known = phrases.told_of if _only_told(seen, past) else phrases.observed
    line = known.format(who=plain(seen.person), what=plain(seen.behaviour))
    if seen.feeling is None:
        return line
    guess = phrases.guessed.format(
        what=plain(_feeling(seen.feeling, phrases) or ""), basis=plain(seen.basis or "")
    )
    return f"{line}; {guess}"


def _only_told(seen: Observation, past: Past | None) -> bool:
    """Whether it was not there to see that: of what it heard, it saw nobody but whoever told it."""
    if past is None or past.layer is not Layer.HEARD:
        return False
    return fold(seen.person) not in fold(past.source or "")


def _day(day: PartialDate, phrases: Phrases) -> str:
    if day.season is None:
        return str(day)
    return phrases.seasons[get_args(Season).index(day.season)].format(year=day.year)
