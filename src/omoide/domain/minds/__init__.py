"""Whether a text claims to know another's mind, in four languages (K5, K10).

Cheap rules behind a judge: they find feelings, thoughts and wishes of others told as facts, and leave alone
what was seen, what the other said, and what the text itself calls a guess.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.minds import en, ja, ko, zh
from omoide.domain.particles import particle
from omoide.domain.text import fold, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omoide.domain.minds.rules import MindRules
    from omoide.domain.text import Language

_RULES: Final[dict[Language, MindRules]] = {"ko": ko.RULES, "ja": ja.RULES, "zh": zh.RULES, "en": en.RULES}

_QUOTED: Final = regex.compile(r"「[^」\n]{0,400}」|『[^』\n]{0,400}』|“[^”\n]{0,400}”|\"[^\"\n]{0,400}\"")
"""What somebody said or wrote: it is theirs, and no claim of the one who tells it."""

_SOMEBODY: Final = "ꙮ"
"""A letter that no text needs; it takes the place of each letter by which somebody is called."""

_MONTH: Final = regex.compile(r"\bMay\b(?!\s\p{L}+\s(?:be|have)\b)")
"""The month, which makes no guess as the verb does."""


def claims_of_minds(
    text: str, language: Language, *, others: Iterable[str], own: Iterable[str] = ()
) -> list[str]:
    """The sentences of a text that tell what goes on in another's mind as if it were seen.

    What the same clause calls a guess, a report, or just what cannot be known, is none of them, nor is a
    question; what is quoted is somebody's own word. Besides those who are known, whoever the text itself
    shows to be a person counts as another.

    Args:
        text: a memory.
        language: of the text.
        others: what others are called, be they there or not.
        own: what the one is called who tells it.
    """
    hidden = _QUOTED.sub(_hidden, text)
    mine = {fold(name) for name in own}
    names = {fold(name) for name in (*_standing_in(hidden, tuple(others)), *_persons(hidden, language))}
    called = _called(language, {name for name in names if name and name not in mine})
    found, begin = [], 0
    for plain in sentences(hidden):
        marked = called.sub(lambda who: _SOMEBODY * len(who[0]), fold(plain))
        guessed = fold(_MONTH.sub("***", plain))
        if not plain.rstrip().endswith(("?", "？")) and any(
            not _is_guess(guessed, told, language) for told in _claim(language).finditer(marked)
        ):
            found.append(text[begin : begin + len(plain)].strip())
        begin += len(plain)
    return found


def claims_of_behaviour(behaviour: str, language: Language, *, person: str) -> list[str]:
    """What was seen of somebody, if it tells what went on inside instead; empty where it does not (K5).

    Args:
        behaviour: what is to be seen; the one who does it need not be named.
        language: of the words.
        person: who does it.
    """
    rules = _RULES[language]
    said = rules.joints.sub(lambda found: f"{found[0]}{_subject(person, language)}", behaviour)
    told = f"{_subject(person, language)}{said}"
    seen = fold(_QUOTED.sub(_hidden, behaviour))
    inward = rules.inward.search(seen) and not rules.hedges.search(seen)
    return [behaviour] if inward or claims_of_minds(told, language, others=[person]) else []


def _is_guess(sentence: str, told: regex.Match[str], language: Language) -> bool:
    """Whether what is told in a sentence is a guess or a report, by what stands with it."""
    rules, (begin, end) = _RULES[language], told.span()
    since = [found.end() for found in rules.apart.finditer(sentence, 0, begin)]
    until = rules.against.search(sentence, end)
    with_it = sentence[since[-1] if since else 0 : until.start() if until else len(sentence)]
    return rules.hedges.search(with_it) is not None


def _subject(person: str, language: Language) -> str:
    if language == "ko":
        return f"{particle(person, '은/는')} "
    return f"{person}{'は' if language == 'ja' else '' if language == 'zh' else ' '}"


def _standing_in(text: str, names: Sequence[str]) -> list[str]:
    """Those of these names that a text may speak of, in any case and width.

    In a text with capitals, a name has one, but for an id that is written as it is and is no name as well: a
    verb is no Will.
    """
    shown = unicodedata.normalize("NFKC", text)
    plain = shown in (shown.lower(), shown.upper())
    capital = {fold(name) for name in names if name != name.lower()}
    found = []
    for name in names:
        written = unicodedata.normalize("NFKC", name).strip()
        said = regex.findall(regex.escape(written), shown, regex.IGNORECASE)
        if any(plain or one != one.lower() or (one == written and fold(name) not in capital) for one in said):
            found.append(name)
    return found


def _persons(text: str, language: Language) -> list[str]:
    """Who a text itself shows to be persons: they do what only persons do."""
    return [found["name"] for found in _RULES[language].persons.finditer(unicodedata.normalize("NFKC", text))]


def _called(language: Language, names: Iterable[str]) -> regex.Pattern[str]:
    rules = _RULES[language]
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    alternatives = "|".join([*map(regex.escape, longest_first), rules.somebody])
    return regex.compile(rules.called.replace("NAMES", alternatives))


@cache
def _claim(language: Language) -> regex.Pattern[str]:
    rules = _RULES[language]
    knowing = (
        rule.replace("NAMES", f"(?:(?<!{_SOMEBODY}){_SOMEBODY}+{rules.behind})") for rule in rules.knowing
    )
    return regex.compile("|".join([*knowing, rules.reading]))


def _hidden(quoted: regex.Match[str]) -> str:
    """A quotation of the same length, of which only its marks are left.

    Where it ends a sentence it still does, but for 「」 and 『』, after which the sentence goes on.
    """
    begin, said, end = quoted[0][0], quoted[0][1:-1], quoted[0][-1]
    last = said[-1:] if begin not in "「『" and said[-1:] in ".!?" else "*" * len(said[-1:])
    return f"{begin}{'*' * len(said[:-1])}{last}{end}"
