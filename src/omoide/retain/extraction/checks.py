"""What speaks against a claim, whatever it is about (ruling 36, F01, F02, F12, F17, F27, F61)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import regex

from omoide.domain.grounding.answers import answered, declines
from omoide.domain.grounding.ceased import ceased
from omoide.domain.grounding.claims import content, invented_names, likeness, supported
from omoide.domain.grounding.clauses import clauses_of, sentences_of
from omoide.domain.grounding.comparing import swapped
from omoide.domain.grounding.degree import advised, overdone
from omoide.domain.grounding.echo import asks, only_nods, proposes
from omoide.domain.grounding.ended import ended as ended_by
from omoide.domain.grounding.fondness import loves_what_is_shunned
from omoide.domain.grounding.opposites import manner_words, opposite, requests, said_otherwise, unwanted
from omoide.domain.grounding.played import played
from omoide.domain.grounding.polarity import disclaimed, over, supposed, turned
from omoide.domain.grounding.put_off import put_off
from omoide.domain.grounding.questions import only_asks
from omoide.domain.grounding.quoting import locate
from omoide.domain.grounding.reported import leaves_out_self
from omoide.domain.grounding.tense import still_ahead, then_only
from omoide.domain.grounding.undone import undone
from omoide.domain.grounding.unheard import by_chance, only_seen, unheard
from omoide.domain.grounding.unmentioned import unmentioned
from omoide.domain.grounding.unreal import acted, framed, unreal
from omoide.domain.grounding.wording import Heard
from omoide.domain.model import Kind, Role
from omoide.domain.planted import is_planted
from omoide.domain.poison import is_order, is_refusal
from omoide.domain.text import is_blank, language
from omoide.retain.extraction.figures import figures_invented, without_times
from omoide.retain.extraction.grounded import Cited, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omoide.domain.redaction import Redaction
    from omoide.retain.extraction.schema import Cite
    from omoide.retain.extraction.view import Known, Line, Someone, View

_DENSE = regex.compile(r"[\p{Hangul}\p{Hiragana}\p{Katakana}\p{Han}]")
_WORD = regex.compile(r"\p{L}{2,}")
_A_SENTENCE = 3
"""Words from which Latin letters are more than a name."""

_NEAR = 40
"""Letters behind a sentence in which it may be taken back: "I have a shark. Just kidding"."""

_OVER = regex.compile(
    r"(?i)\b(?:over|ends?|ended|finish\w*|cancel\w*)\b|끝|그만|취소|終わ|やめ|中止|結束|结束|取消"
)
_STANDING_FOR = regex.compile(r"<[^<>]{1,40}>|\{\{?[^{}]{1,40}\}?\}|\[redacted\]")


def cited(cites: Iterable[Cite], view: View) -> tuple[Cited, ...]:
    """The words that an answer cites and that stand in the messages that it names, each once.

    Where it names none, the words tell, if they stand in one message alone.
    """
    found: dict[tuple[int, int, int], Cited] = {}
    for cite in cites:
        lines = [view.line(cite.m)] if cite.m else view.lines
        hits = [hit for line in lines if (hit := quoted(line, cite.words)) is not None]
        one = hits[0] if len(hits) == 1 else None
        if one is not None and not by_chance(one.words, one.line.text):
            found.setdefault((one.line.m, one.start, one.end), one)
    return tuple(found.values())


def quoted(line: Line | None, words: str) -> Cited | None:
    """Words of a message, if they stand in it."""
    place = None if line is None else locate(words, line.text)
    return None if line is None or place is None else Cited(line=line, start=place[0], end=place[1])


def unfit(text: str) -> Reason | None:
    """Why a text is no memory at all: it is blank, an order, a refusal, or a form that was not filled in."""
    if is_blank(text):
        return Reason.BLANK
    if is_order(text) or is_planted(text):
        return Reason.ORDER
    if is_refusal(text):
        return Reason.REFUSAL
    return Reason.UNSUPPORTED if _STANDING_FOR.search(text) else None


def ordered(cites: Iterable[Cited]) -> bool:
    """Whether any of the sentences that are cited gives an order, however little of it is quoted (F17)."""
    return any(
        is_order(sentence) or is_planted(sentence)
        for one in cites
        for _, sentence in sentences_of(one.line.text, one.start, one.end)
    )


def foreign(text: str, said: Sequence[str], view: View) -> bool:
    """Whether a text is neither in the language of the conversation nor in that of what it rests on."""
    spoken = {view.language, language(" ".join(said), default=view.language)}
    if _DENSE.search(text) is None:  # of letters that no language here has to itself
        return "en" not in spoken and len(_WORD.findall(text)) >= _A_SENTENCE
    return all(language(text, default=one) != one for one in spoken)


def invented(
    text: str,
    lines: Sequence[Line],
    view: View,
    *,
    known: Sequence[Known] = (),
    asked: Sequence[Line] = (),
    free: bool = False,
    whole: bool = False,
    beside: bool = False,
    wishes: Sequence[Cited] = (),
) -> bool:
    """Whether a claim holds numbers, names, people or content that what it rests on does not.

    Args:
        text: the claim.
        lines: the messages that it rests on.
        view: who is known.
        known: what the claim confirms or replaces; it may repeat of that what still holds.
        asked: questions that these messages answer, and that are cited too: a short yes says what they ask.
        free: the claim may use words of its own, as an observation does.
        whole: the claim tells of the whole window, and may take figures from all that is known.
        beside: the text only goes with something that is told of the window, and tells nothing by itself.
        wishes: of guidance, what it rests on. What somebody is asked for may be told in other words.
    """
    whole = whole or beside
    before = [one.text for one in known]
    names = [*view.names.values(), *view.nicknames, *(line.name for line in lines)]
    # "her" is named a little earlier, and "here" may be known for long.
    heard = [line.text for line in (*view.context, *view.lines)]
    around = [*before, *heard, *(one.text for one in view.known)]
    if figures_invented(text, [*asked, *lines], view, known=known, whole=whole):
        return True
    if invented_names(text, around, known=names) or unmentioned(text, " ".join([*around, *names])):
        return True
    of_the_two = free and whole  # how they stand with each other is put in a model's own words
    said = " ".join([*around, *said_otherwise(text, _sentences(wishes))])
    asked_for = any(requests(clause) for one in wishes for clause in _clauses(one))
    plain, dated = without_times(text, [*asked, *lines])
    if not of_the_two and unheard(
        plain,
        said,
        names=names,
        telling=free or whole,
        own=manner_words(text) if wishes else (),
        loosely=asked_for,
        dated=dated,
    ):
        return True
    return not (free or beside) and not supported(text, [*before, *_with_question(lines, view)], known=names)


def echoed(
    text: str,
    rests: Sequence[Cited],
    view: View,
    *,
    asked: Sequence[Line],
    known: Sequence[Known],
    kind: Kind,
) -> bool:
    """Whether a user only nods to a claim, or says nothing of it: it is somebody else's (F03, F19).

    A yes to a question counts where both are cited; so does one that agrees to a plan. What somebody says of
    themself in answer may leave out what it answers ("me too").

    Args:
        text: the claim.
        rests: what it rests on.
        view: what was said, and who is known.
        asked: messages that are cited because these answer them.
        known: what it takes the place of.
        kind: of the claim.
    """
    users = [one.line for one in rests if one.line.role is Role.USER]
    others = [*asked, *(one.line for one in rests if one.line.role is not Role.USER)]
    before = [(view.lines[line.m - 2], line.text) for line in users if line.m > 1]
    heard = [(line, answer) for line, answer in before if line.role is not Role.USER]
    agreed = [pair for pair in heard if not (declines(pair[1]) or put_off(pair[0].text, pair[1]))]
    plans = agreed if kind is Kind.PLAN else []
    proposed = [line.text for line, _ in plans if proposes(line.text)]
    if not users:
        return False
    if all(only_nods(line.text) for line in users):
        asking = [pair for pair in heard if kind is Kind.GUIDANCE or pair[0] in others]
        said = [answered(line.text, answer, claim=text) for line, answer in asking]
        said = [*(one for one in said if one), *proposed]
        return not said or (kind is not Kind.GUIDANCE and not _supported(text, said, view))
    own = [line.text for line in (*users, *(line for line, _ in before if line.role is Role.USER))]
    answers = [answered(line.text, answer, claim=text, free=True) for line, answer in heard]
    said = [*own, *answers, *proposed, *(one.text for one in known)]
    return kind is not Kind.GUIDANCE and not _supported(text, said, view)


def _supported(text: str, said: Sequence[str], view: View) -> bool:
    return supported(text, said, known=[*view.names.values(), *view.nicknames])


def only_asked(cites: Iterable[Cited]) -> bool:
    """Whether all that is cited are questions in which the speaker says nothing of their own."""
    return all(only_asks(one.line.text, one.start, one.end) for one in cites)


def contrary(text: str, cites: Sequence[Cited], *, ended: bool) -> Reason | None:
    """Why a fact is not what its quotes say: each denies it, leaves it in the past, or only supposes it.

    Args:
        text: the claim.
        cites: what it rests on.
        ended: whether the fact is known to be over, so that what used to be is no reason.
    """
    found = [
        Reason.NOT_ASSERTED
        if acted(one.line.text, one.end)
        else _contrary(text, clause, sentence, behind=_behind(one, sentence), ended=ended)
        for one in cites
        for clause, sentence in nearest(text, one)
    ]
    return found[0] if found and all(found) else None


def in_play(text: str, cites: Sequence[Cited], view: View) -> bool:
    """Whether all that a fact rests on is said in a play that was announced, and the fact tells of none."""
    lines = [*view.context, *view.lines]
    return all(
        played(
            text,
            [*(line.text for line in lines if line.position < one.line.position), one.line.text[:begin]],
            sentence,
        )
        for one in cites
        for begin, sentence in sentences_of(one.line.text, one.start, one.end)
    )


def denied(text: str, cites: Sequence[Cited]) -> bool:
    """Whether each quote of a plan denies it; that something is over may well be told by a denial."""
    if _OVER.search(text):
        return False
    found = [
        turned(text, clause) or framed(text, sentence, clause=clause, behind=_behind(one, sentence))
        for one in cites
        for clause, sentence in nearest(text, one)
    ]
    return bool(found) and all(found)


def declined(text: str, cites: Sequence[Cited], view: View, *, who: Someone, when: str) -> bool:
    """Whether a plan is what one of the two proposed and the other declined, however politely.

    Args:
        text: the plan.
        cites: what it rests on.
        view: what was said.
        who: is to carry it out.
        when: the words for its day.
    """
    numbers = {one.line.number for one in cites}
    last = max(one.line.position for one in cites)
    for offer, answer in pairwise([*view.context[-1:], *view.lines]):
        if offer.role is answer.role or last > answer.position or not numbers & {offer.number, answer.number}:
            continue
        concerned = answer.speaker == who.number or answer.name in text
        if (
            concerned
            and (proposes(offer.text) or asks(offer.text))
            and put_off(offer.text, answer.text, when=when)
        ):
            new, own = (Heard([line.text]) for line in (offer, answer))
            if any(piece in new and piece not in own for piece in content(text) - content(answer.name)):
                return True
    return False


def refused(text: str, cites: Sequence[Cited]) -> bool:
    """Whether each quote of guidance asks not to do what it says is wanted, or asks for the opposite."""
    found = [unwanted(text, clause) for one in cites for clause, _ in nearest(text, one)]
    return (bool(found) and all(found)) or opposite(text, _sentences(cites))


def redacted(text: str, redact: Redaction) -> str:
    """A text on one line, without what is never kept."""
    return " ".join(redact(text).split())


def _sentences(cites: Iterable[Cited]) -> str:
    """The sentences that are cited."""
    found = (sentence for one in cites for _, sentence in sentences_of(one.line.text, one.start, one.end))
    return "".join(dict.fromkeys(found))


def _clauses(one: Cited) -> list[str]:
    return clauses_of(one.line.text, one.start, one.end)


def nearest(text: str, one: Cited) -> list[tuple[str, str]]:
    """The clauses of a quote that hold most of a claim, each with its sentence."""
    words = one.line.text
    found = [
        (clause, sentence)
        for begin, sentence in sentences_of(words, one.start, one.end)
        for clause in clauses_of(sentence, one.start - begin, one.end - begin)
    ]
    shares = [likeness(text, [clause]) for clause, _ in found]
    return [each for each, share in zip(found, shares, strict=True) if share == max(shares)]


def _behind(one: Cited, sentence: str) -> str:
    """What stands in a message behind a sentence of it, as far as it can take that back."""
    text = one.line.text
    end = text.find(sentence) + len(sentence)
    return text[end : end + _NEAR]


def _contrary(text: str, clause: str, sentence: str, *, behind: str, ended: bool) -> Reason | None:
    if (
        supposed(text, clause, sentence)
        or unreal(text, clause, sentence, behind=behind)
        or advised(text, clause)
    ):
        return Reason.NOT_ASSERTED
    if only_seen(text, clause):
        return Reason.UNSUPPORTED
    past = not ended and (
        over(text, clause)
        or ended_by(text, clause)
        or then_only(text, clause)
        or ceased(text, clause, sentence)
    )
    denied_here = turned(text, clause) and not leaves_out_self(sentence)
    undone_here = (
        undone(text, clause, sentence)
        or still_ahead(text, clause)
        or disclaimed(text, clause)
        or swapped(text, clause)
        or overdone(text, clause)
    )
    against = past or denied_here or undone_here or loves_what_is_shunned(text, clause)
    return Reason.TURNED if against else None


def _with_question(lines: Sequence[Line], view: View) -> list[str]:
    """What was said, and before each of it what it may answer."""
    before = [view.lines[line.m - 2].text for line in lines if line.m > 1]
    return [*before, *(line.text for line in lines)]
