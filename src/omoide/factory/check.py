"""Rules behind the judge and the safety check: what they refuse, no score can save (K10)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.minds import claims_of_behaviour, claims_of_minds
from omoide.domain.poison import is_order, is_refusal
from omoide.domain.text import fold, language, sentences
from omoide.domain.voice import is_first_person
from omoide.factory.answers import Danger

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omoide.domain.text import Language
    from omoide.factory.answers import Dangers, DiaryAnswer
    from omoide.factory.cast import Player

_LATIN: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]{2}['’\w]*+\s+[A-Za-z]{2}")
"""Words in Latin letters, which tell no language where another is the usual one."""

_LETTER: Final = (
    r"[\p{L}\p{M}\p{Nd}--[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]"
)
"""Letters and digits of which words are made that stand apart by spaces."""

_BOUND: Final = rf"(?:(?<!{_LETTER})|(?!{_LETTER}))"
"""A place that no such word goes over."""

_LATIN_END: Final = regex.compile(r"\p{Latin}$")
_ENDS_IN_Y: Final = regex.compile(r"[b-df-hj-np-tv-z]y$")


def refused(written: DiaryAnswer, player: Player) -> tuple[str, ...]:
    """What the rules have against a memory, a line each; empty where they have nothing."""
    told = (written.text, written.emotion, written.action, written.thought)
    observed = (
        part for one in written.observations for part in (one.person, one.behaviour, one.feeling, one.basis)
    )
    every = "\n".join(part for part in (*told, *observed) if part)
    found = []
    if is_order(every) or is_refusal(written.text):
        found.append("content: it speaks to a model, or is a refusal, and is no memory")
    spoken = _languages(written.text, player.language)
    if not any(is_first_person(written.text, one, own=player.own) for one in spoken):
        found.append("first_person: it is not told in the first person")
    claims = [
        claim
        for part in (written.text, written.action, written.thought)
        for one in _languages(part, player.language)
        for claim in claims_of_minds(part, one, others=player.everyone_else, own=player.own)
    ]
    claims += [
        claim
        for seen in written.observations
        for one in _languages(seen.behaviour, player.language)
        for claim in claims_of_behaviour(seen.behaviour, one, person=seen.person)
    ]
    found += [
        f"other_minds: told as known, not as seen or guessed: {claim}" for claim in dict.fromkeys(claims)
    ]
    found += [
        f"other_minds: a feeling of {one.person} without a basis"
        for one in written.observations
        if one.feeling.strip() and not one.basis.strip()
    ]
    folded = fold(every)
    taboos = player.sheet.profile.taboos
    return (*found, *(f"taboo: it touches {taboo}" for taboo in taboos if _holds(folded, fold(taboo))))


def _holds(text: str, taboo: str) -> bool:
    """Whether a text holds a taboo, both folded: words of an alphabet as such, others wherever they stand."""
    one = regex.escape(taboo)
    several = rf"{one}(?:s|(?<=[sxzho])es)" if _LATIN_END.search(taboo) else one
    if _ENDS_IN_Y.search(taboo):
        several = rf"{several}|{regex.escape(taboo[:-1])}ies"
    return regex.search(rf"(?V1){_BOUND}(?:{one}|{several}){_BOUND}", text) is not None


def _languages(text: str, own: Language) -> dict[Language, None]:
    """A character's own language, and those that a text and its sentences are in."""
    parts = (text, *sentences(text))
    latin: tuple[Language, ...] = ("en",) if _LATIN.search(text) else ()
    return dict.fromkeys((own, *(language(part, default=own) for part in parts), *latin))


def dangerous(dangers: Dangers, player: Player, *, thresholds: Mapping[Danger, float]) -> list[str]:
    """Why a memory is not safe, a line each."""
    known = {fold(taboo): taboo for taboo in player.sheet.profile.taboos}
    touched = [known[fold(name)] for name in dangers.taboos if fold(name) in known]
    over = [(danger, dangers.of(danger)) for danger in Danger if dangers.of(danger) >= thresholds[danger]]
    return [
        *(f"{danger.value}: {score:g} of 10. {dangers.reason}".rstrip() for danger, score in over),
        *(f"taboo: it touches {taboo}" for taboo in dict.fromkeys(touched)),
    ]
