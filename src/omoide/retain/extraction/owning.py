"""Whose fact it is that a claim about the user rests on: theirs, or somebody else's (F31, H12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.grounding.antecedents import names_whom_it_means
from omoide.domain.grounding.claims import negative
from omoide.domain.grounding.clauses import clauses
from omoide.domain.grounding.kin import Owner, names_somebody, owner
from omoide.domain.grounding.others import has_anothers_kin, is_subject, somebody
from omoide.domain.grounding.reported import leaves_out_self, teller, tells_of_all
from omoide.domain.grounding.subjects import anothers, tells_of_its_speaker
from omoide.domain.grounding.unlisted import unlisted
from omoide.domain.text import fold, letters
from omoide.retain.extraction.checks import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from omoide.retain.extraction.grounded import Cited

_NOBODY = Owner(called=None)
"""Somebody else, whoever it is."""

_POSSESSIVE: Final = regex.compile(
    r"(?i)\b(?:his|her|their)\s(?=job|work|wallet|phone|licen[cs]e|notice|own\b)"
)
"""Of a claim without a subject, its own: whoever "lost her job" is whom the claim is about."""


def owner_of(
    text: str,
    cites: Sequence[Cited],
    *,
    people: Collection[str],
    own: Collection[str],
    calls: Collection[str] = (),
    planned: bool = False,
) -> Owner | None:
    """The third person whom all quotes of a claim speak of; None where it may be the speaker's own.

    Args:
        text: the claim.
        cites: what it rests on.
        people: names that are known as such.
        own: names of the speaker.
        calls: words by which somebody is spoken to.
        planned: the claim is a plan.
    """
    if any(has_anothers_kin(text, clause) for one in cites for clause, _ in nearest(text, one)):
        return Owner(called=None)
    if _leaves_out(text, cites):
        return Owner(called=None)
    kin = not names_somebody(_POSSESSIVE.sub("", text))
    found = [
        None
        if names_whom_it_means(text, clause, ahead)
        else teller(text, one.line.text, one.start, one.end)
        or somebody(clause, ahead=ahead, people=people, own=own, calls=calls)
        or (owner(clause, ahead=ahead, calls=calls) if kin else None)
        or _by_shape(clause, text, ahead=ahead, own=own)
        or (_NOBODY if kin and anothers(clause, text, ahead=ahead, own=own, planned=planned) else None)
        for one in cites
        for clause, sentence in nearest(text, one)
        for ahead in [_ahead(one.line.text, clause, sentence)]
    ]
    if not found or any(one is None or one != found[0] for one in found):
        return None
    called = None if found[0] is None else found[0].called
    spoken_of = called is not None and letters(called) in letters(text) and not is_subject(called, text)
    return None if spoken_of else found[0]


def tells_of_speaker(text: str, cites: Sequence[Cited], *, names: Collection[str]) -> bool:
    """Whether all quotes of a claim on somebody of these names tell of who says it, and of nobody else."""
    found = [sentence for one in cites for _, sentence in nearest(text, one)]
    return bool(found) and all(tells_of_its_speaker(sentence, names=names) for sentence in found)


def _leaves_out(text: str, cites: Sequence[Cited]) -> bool:
    """Whether a claim is of all others: the speaker is left out wherever it rests."""
    found = [leaves_out_self(sentence) for one in cites for _, sentence in nearest(text, one)]
    return all(found) and not negative(text) and not tells_of_all(text)


def _by_shape(clause: str, text: str, *, ahead: Sequence[str], own: Collection[str]) -> Owner | None:
    """The third person whose name is on no list, as the shape of a clause tells it."""
    name = unlisted(clause, text, ahead=ahead)
    return None if name is None or fold(name) in map(fold, own) else Owner(called=name)


def _ahead(text: str, clause: str, sentence: str) -> list[str]:
    """The clauses of a message that stand ahead of one of its own."""
    begin = text.find(sentence) + sentence.find(clause)
    return [text[a:b] for a, b in clauses(text) if b <= begin]
