"""Grounding: what a model answered, held against what was said (design section 5, rulings 19 and 36).

Every item rests on words that stand in the messages it names. A user is known by the user's words alone; what
a character says of itself is its statement; what is told of somebody else is about them. Whatever fails is
dropped and counted. Nothing here reads or writes a store.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from omoide.domain.affect import EMOTIONS, Feeling
from omoide.domain.grounding.claims import likeness, same, supported
from omoide.domain.grounding.closeness import ties, without_calling, without_closeness
from omoide.domain.model import Kind, Role
from omoide.domain.nicknames import bare
from omoide.domain.planted import is_planted
from omoide.domain.poison import is_binding, is_order
from omoide.domain.relationship import Relationship
from omoide.domain.text import fold, letters, sentences
from omoide.retain.extraction.checks import denied, invented, quoted, redacted, unfit
from omoide.retain.extraction.grounded import Cited, Dropped, Grounded, Mood, Nickname, Reason, Told
from omoide.retain.extraction.items import ItemSieve
from omoide.retain.extraction.owning import owner_of
from omoide.retain.extraction.view import Someone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.redaction import Redaction
    from omoide.retain.extraction import schema
    from omoide.retain.extraction.view import View

_TERM = 40
"""Letters of a search term at most."""

_TERMS = 24

_AFTER_A_NAME = re.compile(r"^(?:은|는|이|가|도|は|が|も)?\s*")
_RETOLD = 0.75
"""The share of a sentence's content that one message holds which the sentence tells again."""


def ground(reading: schema.Reading, view: View, *, redact: Redaction) -> Grounded:
    """Keep of an answer what rests on what was said."""
    return _Grounding(view, redact).all(reading)


class _Grounding(ItemSieve):
    def all(self, reading: schema.Reading) -> Grounded:
        self.dropped[Reason.UNREAD] += sum(reading.unread.values())
        summary = next(iter(self.each([reading.summary], self._summary)), "")
        details = self.each(reading.details, self._detail)
        involved = self._involved(reading.involved)
        return Grounded(
            summary=summary,
            importance=reading.importance,
            details=tuple(details) if summary else (),
            terms=self._terms(reading.terms),
            involved=involved,
            items=tuple(self.items(reading)),
            nicknames=(
                *self.each(reading.people, lambda one: self._nickname(one, around=involved)),
                *self._introduced(reading),
            ),
            moods=tuple(self.each(reading.feelings, self._mood)),
            relationship=self._relationship(reading.relationship),
            dropped={reason: count for reason, count in self.dropped.items() if count},
        )

    def _summary(self, text: str) -> str:
        summary = self.text("".join(self.each(sentences(self.clean(text)), self._true_of_user)))
        if summary and invented(summary, self.view.lines, self.view, whole=True):
            raise Dropped(Reason.UNSUPPORTED)
        return summary

    def _true_of_user(self, sentence: str) -> str:
        """A sentence of a summary, unless the words that it tells again deny it, or tell it of another."""
        own = self.view.names_of(self.view.user)
        name = next((name for name in own if fold(sentence).startswith(fold(name))), None)
        said = [line for line in self.view.lines if line.speaker == self.view.user]
        if name is None or not said:
            return sentence
        claim = _AFTER_A_NAME.sub("", sentence[len(name) :])
        line = max(said, key=lambda line: likeness(claim, [line.text]))
        if likeness(claim, [line.text]) < _RETOLD:
            return sentence
        cites = (Cited(line=line, start=0, end=len(line.text)),)
        if denied(claim, cites):
            raise Dropped(Reason.TURNED)
        if owner_of(claim, cites, people=frozenset(self.view.names.values()), own=own) is not None:
            raise Dropped(Reason.ANOTHERS)
        return sentence

    def _detail(self, detail: schema.Detail) -> Told:
        line = self.view.line(detail.m)
        context = self.aside(detail.context, line)
        if line is None:
            raise Dropped(Reason.NOT_SAID)
        if detail.kind == "quote":
            one = quoted(line, detail.text)
            if one is None:
                raise Dropped(Reason.NOT_SAID)
            return Told(cited=one, who=line.name, text="", context=context)
        text = self.clean(detail.text)
        reason = unfit(text) or (
            Reason.UNSUPPORTED if invented(text, self.view.lines, self.view, whole=True) else None
        )
        if reason is not None:
            raise Dropped(reason)
        who = self.view.who(detail.who)
        return Told(
            cited=None,
            who=line.name if who is None else who.name,
            text=self.lasting(text, line),
            context=context,
        )

    def _terms(self, terms: Sequence[str]) -> tuple[str, ...]:
        clean = (redacted(term, self.redact) for term in terms)
        kept = [term for term in dict.fromkeys(clean) if len(term) <= _TERM and not unfit(term)]
        return tuple(kept[:_TERMS])

    def _involved(self, names: Sequence[str]) -> tuple[Someone, ...]:
        found = (self.view.who(bare(name)) for name in names)
        known = (one for one in found if one is not None and (one.number is not None or self.said(one.name)))
        return tuple(dict.fromkeys(known))

    def _nickname(self, person: schema.Person, *, around: Sequence[Someone]) -> Nickname:
        """A name that a user said; a character's invention is none (F46)."""
        called, of = bare(person.called), self.view.who(bare(person.name))
        if not called or of is None or (of.number is None and not self.said(of.name)):
            raise Dropped(Reason.NOBODY)
        said = (letters(line.text) for line in self.view.lines if line.role is Role.USER)
        if unfit(called) is not None or not any(letters(called) in text for text in said):
            again = of.number is not None and self.view.nicknames.get(fold(called)) == of.number
            raise Dropped(Reason.KNOWN if again else Reason.NOT_SAID)
        if letters(called) == letters(of.name):
            raise Dropped(Reason.KNOWN)
        by = self.view.who(bare(person.by))
        somebody = by is not None and (by.number is not None or by in around)
        return Nickname(person=of, called=called, by=by if somebody else None)

    def _introduced(self, reading: schema.Reading) -> tuple[Nickname, ...]:
        """Names that the answer uses for somebody who says that they are called so (F34)."""
        used = [
            *reading.involved,
            *(fact.about for fact in reading.facts),
            *(one.who for one in reading.plans),
        ]
        called = {bare(name) for name in used} - {bare(person.called) for person in reading.people}
        known = {fold(name) for name in (*self.view.names.values(), *self.view.nicknames)}
        new = {fold(name): name for name in sorted(called) if name and fold(name) not in known}
        found = ((name, self.view.introduced(name)) for name in new.values())
        return tuple(
            Nickname(person=Someone(number=number, name=self.view.name(number, name)), called=name, by=None)
            for name, number in found
            if number is not None
        )

    def _mood(self, feeling: schema.Feeling) -> Mood:
        line, who = self.view.line(feeling.m), self.view.who(feeling.who)
        if feeling.emotion not in EMOTIONS:
            raise Dropped(Reason.UNKNOWN_EMOTION)
        if line is None or who is None or who.number != line.speaker:
            raise Dropped(Reason.NOT_SAID)
        strength = feeling.intensity if feeling.intensity <= 1.0 else feeling.intensity / 10
        return Mood(
            line=line,
            feeling=Feeling(emotion=feeling.emotion, intensity=strength),
            trigger=self.aside(feeling.trigger, line),
        )

    def _relationship(self, given: schema.Relation | None) -> Relationship | None:
        """The relationship as it is now, without what nobody said; None where it stays as it was."""
        if given is None:
            return None
        before = self.view.relationship or Relationship()
        planned = [known.text for known in self.view.known if known.kind is Kind.PLAN]
        clean = _without_orders(self.view)
        own = clean == self.view  # beside an order nothing is taken in words that nobody said
        new = Relationship(
            summary=self._told(given.summary, before.summary, before, clean),
            address=self._those(given.address, before.address, clean, users=True),
            manner=self._told(given.manner, before.manner, before, clean, free=own),
            standing=self._told(given.standing, before.standing, before, clean, free=own),
            promises=self._those(given.promises, (*before.promises, *planned), clean),
            lines=self._those(given.lines, before.lines, clean),
        )
        if new.blank or new == before:
            return None
        return new if new.summary else replace(new, summary=before.summary)

    def _told(self, text: str, held: str, before: Relationship, view: View, *, free: bool = False) -> str:
        """The sentences of a text that rest on something; what is held, where none is left of those given.

        How two people speak and how close they are is put in words of the model's own (P22): that is `free`.
        """
        # What is held or known counts as said before the window.
        earlier = [before.summary, before.manner, before.standing, *(known.text for known in self.view.known)]
        told = replace(view.lines[-1], m=0, text=" ".join(one for one in earlier if not is_order(one)))
        view = replace(view, context=(*view.context, told))
        given = sentences(redacted(text, self.redact))
        rest = "".join(self.each(given, lambda sentence: _rests(sentence, view, free=free))).strip()
        return next(iter(self._kept([rest])), held if given else "")

    def _kept(self, texts: Sequence[str]) -> list[str]:
        return [text for text in self.each(texts, self._bearable) if text]

    def _bearable(self, text: str) -> str:
        if is_binding(text):
            raise Dropped(Reason.ORDER)
        return self.text(text)

    def _those(
        self, items: Sequence[str], before: Sequence[str], view: View, *, users: bool = False
    ) -> tuple[str, ...]:
        """Items that were there before, or that were said; forms of address by a user (F46)."""
        lines = [line for line in view.lines if line.text and (line.role is Role.USER or not users)]
        kept = []
        for text in self._kept([bare(item) or item for item in items] if users else items):
            known = any(same(text, one, least=0.6) for one in before)
            claim = without_calling(text) if users else text
            if known or (lines and not invented(claim, lines, view, whole=True)):
                kept.append(text)
            else:
                self.dropped[Reason.UNSUPPORTED] += 1
        return tuple(kept)


def _without_orders(view: View) -> View:
    """What was said, with nothing in the place of what tells a model what to do."""
    silent = [
        tuple(
            replace(line, text="") if is_order(line.text) or is_planted(line.text) else line for line in lines
        )
        for lines in (view.lines, view.context)
    ]
    return replace(view, lines=silent[0], context=silent[1])


def _rests(sentence: str, view: View, *, free: bool) -> str:
    """A sentence on how two people stand, if it orders nothing, and invents no name, number or strong tie.

    Unless it is free to use words of its own, it has to share content with what was said, and so has a tie.
    """
    if is_order(sentence) or is_binding(sentence):
        raise Dropped(Reason.ORDER)
    lines = (*view.context, *view.lines)
    said = [line.text for line in lines]
    names = [*view.names.values(), *view.nicknames]
    tied = ties(sentence)
    shared = (free and not tied) or supported(without_closeness(sentence), said, known=names)
    if not (shared and tied <= ties(" ".join(said))) or invented(
        sentence, lines, view, free=True, whole=True
    ):
        raise Dropped(Reason.UNSUPPORTED)
    return sentence
