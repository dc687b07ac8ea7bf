"""Grounding of facts, plans and guidance: each rests on the words of those who can bear witness to it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from omoide.domain.due import due, moment, named, past, span_of
from omoide.domain.grounding.claims import holds, likeness, same
from omoide.domain.grounding.ended import told_as_past
from omoide.domain.grounding.introduced import without_user
from omoide.domain.grounding.kin import called_so, people_of
from omoide.domain.grounding.unlisted import used_as_names
from omoide.domain.model import Category, Kind, Mode, PlanState, Role
from omoide.domain.nicknames import bare
from omoide.domain.planted import is_dictated
from omoide.retain.extraction.bearing import confirmed, family, replaced
from omoide.retain.extraction.checks import (
    cited,
    contrary,
    declined,
    denied,
    echoed,
    foreign,
    in_play,
    invented,
    only_asked,
    ordered,
    quoted,
    refused,
    unfit,
)
from omoide.retain.extraction.figures import without_asides
from omoide.retain.extraction.grounded import Dropped, Intent, Item, Reason
from omoide.retain.extraction.owning import owner_of, tells_of_speaker
from omoide.retain.extraction.schema import Plan
from omoide.retain.extraction.sieve import Sieve

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from omoide.domain.due import Due
    from omoide.retain.extraction import schema
    from omoide.retain.extraction.grounded import Cited
    from omoide.retain.extraction.view import Known, Line, Someone

_KEY = re.compile(r"[a-z]\d+")
_ALONE = 0.5
"""The share of a plan's end that was said from which it tells something without its plan."""

_ARRANGED = re.compile(
    r"(?i)\b(?:book|reserv|schedul|arrang|sign|invit)|appointment|예약|잡았|약속|신청|予約|約束|申し込|预约|预订|约好"
)
"""What tells that something was arranged, on whatever day."""


class ItemSieve(Sieve):
    """Keeps the facts, plans and guidance that rest on what was said."""

    _people: frozenset[str] = frozenset()
    _calls: frozenset[str] = frozenset()

    def items(self, reading: schema.Reading) -> list[Item]:
        """All that pass, each thing once."""
        self._people = self._named(reading)
        self._calls = self._called()
        found = [
            *self.each(reading.facts, self._fact),
            *self.each(reading.plans, self._plan),
            *self.each(reading.guidance, self._guidance),
        ]
        return self._once(found)

    def _named(self, reading: schema.Reading) -> frozenset[str]:
        """Names that are known, that the talk uses as such, or that the answer takes for those of people."""
        about = [*(fact.about for fact in reading.facts), *(plan.who for plan in reading.plans)]
        given = [*reading.involved, *(person.name for person in reading.people), *about]
        people = {self.view.who(bare(name)) for name in given} - {None}
        names = {one.name for one in people if one is not None and self.said(one.name)}
        used = used_as_names(line.text for line in (*self.view.context, *self.view.lines))
        return frozenset({*names, *used, *self.view.names.values(), *self.view.nicknames})

    def _called(self) -> frozenset[str]:
        """Words and names by which the character is called here: 언니, 先輩."""
        address = self.view.relationship.address if self.view.relationship is not None else ()
        users = (line.text for line in (*self.view.context, *self.view.lines) if line.role is Role.USER)
        return called_so(users) | people_of(" ".join(address)) | self.view.names_of(self.view.character)

    def _fact(self, fact: schema.Fact) -> Item:
        if Mode(fact.mode) is not Mode.ASSERTED:
            raise Dropped(Reason.NOT_ASSERTED)
        item = self._its_own(self._item(Kind.FACT, fact, about=self._who(fact.about)))
        until = _when(fact.until, item)
        reason = contrary(item.text, item.cited, ended=until is not None)
        if in_play(item.text, item.cited, self.view):
            reason = Reason.NOT_ASSERTED
        if reason is not None:
            raise Dropped(reason)
        if until is not None and told_as_past(item.text) and _is_over(until, item):
            until = None  # that something was so does not cease to be true
        if all(one.line.role is not Role.USER for one in item.cited):
            item = replace(item, kind=Kind.STATEMENT)
        return replace(
            item,
            category=Category(fact.category),
            importance=fact.importance,
            confidence=fact.confidence,
            since=_when(fact.since, item),
            until=until,
        )

    def _its_own(self, item: Item) -> Item:
        """An item as it is where it is the user's; where it tells of a relative or friend, as theirs.

        What somebody says of themself alone is nobody else's. What became of a plan that is known belongs to
        whom the plan does, whoever tells it.
        """
        if item.about is None or (item.kind is Kind.PLAN and item.known is not None):
            return item
        if item.about.number not in {one.line.speaker for one in item.cited}:
            names = {item.about.name, *self.view.names_of(item.about.number)}
            if tells_of_speaker(item.text, item.cited, names=names):
                raise Dropped(Reason.ANOTHERS)
        if not self.view.is_user(item.about):
            return item
        own = self.view.names_of(item.about.number)
        planned = item.kind is Kind.PLAN
        found = owner_of(
            item.text, item.cited, people=self._people, own=own, calls=self._calls, planned=planned
        )
        if found is None:
            return item
        if found.called is None or item.known is not None:
            raise Dropped(Reason.ANOTHERS)
        about = self._who(found.called)
        if self.view.is_character(about):
            raise Dropped(Reason.ANOTHERS)
        return replace(item, about=about)

    def _plan(self, plan: schema.Plan) -> Item:
        if Mode(plan.mode) is not Mode.ASSERTED:
            raise Dropped(Reason.NOT_ASSERTED)
        item = self._its_own(self._item(Kind.PLAN, plan, about=self._who(plan.who)))
        who = item.about or self._who(plan.who)
        state = PlanState(plan.state)
        if state is not PlanState.DROPPED and denied(item.text, item.cited):
            raise Dropped(Reason.TURNED)
        if state is PlanState.OPEN and item.known is None:
            if _was_due(plan, item.cited):
                raise Dropped(Reason.OVER)
            if declined(item.text, item.cited, self.view, who=who, when=plan.due_words):
                raise Dropped(Reason.TURNED)
        intent = Intent(
            who=who,
            due=_due(plan, item.cited),
            condition=self.aside(plan.condition, item.cited[-1].line),
            state=state,
        )
        lost = plan.relation == "replaces" and item.known is None and state is not PlanState.OPEN
        told = likeness(item.text, [one.line.text for one in item.cited]) > _ALONE
        alone = lost and told and contrary(item.text, item.cited, ended=False) is None
        return replace(item, importance=plan.importance, intent=intent, alone=alone)

    def _guidance(self, guidance: schema.Guidance) -> Item:
        item = self._item(Kind.GUIDANCE, guidance, about=None)
        if is_dictated(item.text, names=[*self.view.names.values(), *self.view.nicknames]):
            raise Dropped(Reason.ORDER)
        if refused(item.text, item.cited):
            raise Dropped(Reason.TURNED)
        own = self.view.names_of(self.view.user)
        if owner_of(item.text, item.cited, people=self._people, own=own) is not None:
            raise Dropped(Reason.ANOTHERS)
        return item

    def _who(self, name: str) -> Someone:
        found = self.view.who(name)
        if found is None or (found.number is None and not self.said(found.name)):
            raise Dropped(Reason.NOBODY)
        return found

    def _item(
        self, kind: Kind, given: schema.Fact | schema.Plan | schema.Guidance, *, about: Someone | None
    ) -> Item:
        found = cited(given.evidence, self.view)
        if not found:
            raise Dropped(Reason.NOT_SAID if given.evidence else Reason.NO_EVIDENCE)
        text = self.clean(without_user(given.text))
        shown = self._known(kind, given, text, found, about=about)
        known = shown[0] if shown else None
        rests = self._of_witnesses(kind, about, found, known=known)
        asked = [one.line for one in found if one not in rests and _answered(one.line, rests)]
        text = without_asides(text, [*asked, *(one.line for one in rests)], self.view, known=shown)
        self._check(kind, text, rests, known=shown, asked=asked)
        instead = shown if given.relation == "replaces" else []
        own = about is not None and self.view.is_character(about)
        if not own and echoed(text, rests, self.view, asked=asked, known=instead, kind=kind):
            raise Dropped(Reason.UNSUPPORTED)
        day = _due(given, rests) if isinstance(given, Plan) else None
        return Item(
            kind=kind,
            text=self.lasting(text, rests[-1].line, day=None if day is None else day.at.date()),
            cited=rests,
            about=about,
            relation="new" if known is None else given.relation,
            known=known,
            also=tuple(shown[1:]) if given.relation == "replaces" else (),
        )

    def _of_witnesses(
        self, kind: Kind, about: Someone | None, found: tuple[Cited, ...], *, known: Known | None
    ) -> tuple[Cited, ...]:
        """Those of the cited words that can bear witness; at least one.

        What became of a plan that is known, the user can tell too, whosever it is.
        """
        users = tuple(one for one in found if one.line.role is Role.USER)
        own = tuple(one for one in found if about is not None and one.line.speaker == about.number)
        if about is None:
            witnesses = users
        elif kind is Kind.PLAN and (self.view.is_user(about) or self.view.is_character(about)):
            witnesses = found if own or (known is not None and users) else ()
        elif self.view.is_user(about):
            witnesses = own
        else:
            witnesses = (own if self.view.is_character(about) else ()) or users or found
        if not witnesses:
            raise Dropped(Reason.CHARACTERS_WORDS)
        return witnesses

    def _check(
        self,
        kind: Kind,
        text: str,
        rests: tuple[Cited, ...],
        *,
        known: Sequence[Known],
        asked: Sequence[Line],
    ) -> None:
        lines = [one.line for one in rests]
        reason = unfit(text)
        if reason is None and ordered(rests):
            reason = Reason.ORDER
        if reason is None and foreign(text, [line.text for line in lines], self.view):
            reason = Reason.LANGUAGE
        if reason is None and kind is Kind.FACT and only_asked(rests):
            reason = Reason.ASKED
        wish = kind is Kind.GUIDANCE
        if reason is None and invented(
            text, lines, self.view, known=known, asked=asked, free=wish, wishes=rests if wish else ()
        ):
            reason = Reason.UNSUPPORTED
        if reason is not None:
            raise Dropped(reason)

    def _known(
        self,
        kind: Kind,
        given: schema.Fact | schema.Plan | schema.Guidance,
        text: str,
        found: tuple[Cited, ...],
        *,
        about: Someone | None,
    ) -> list[Known]:
        """What an item confirms or replaces, of that which was shown: first what is of its kind, as named.

        What it does not speak of, what is about another person and what it denies is counted, and so is an id
        that nothing shown has, or none at all: the item is kept as a new one. A plan takes the place of a
        fact only beside a plan, for what is intended is not so yet.
        """
        if given.relation == "new":
            return []
        shown = {known.key: known for known in self.view.known}
        keys = dict.fromkeys(_KEY.findall(given.known.lower()))
        named = [shown[key] for key in keys if key in shown]
        self.dropped[Reason.UNKNOWN_ID] += len(keys) - len(named) if keys else 1
        if given.relation == "confirms":
            bear = [one for one in named if confirmed(one, kind, text, found, about=about)]
        else:
            closing = isinstance(given, Plan) and PlanState(given.state) is not PlanState.OPEN
            bear = [
                one
                for one in named
                if replaced(one, kind, text, found, self.view, about=about, closing=closing)
            ]
        own = [known for known in bear if family(known.kind) == family(kind)]
        others = [known for known in bear if known not in own]
        bear = [*own, *(others if own or kind is Kind.FACT else ())]
        self.dropped[Reason.UNRELATED] += len(named) - len(bear)
        return bear

    def _once(self, items: Sequence[Item]) -> list[Item]:
        """Each thing once: of two that say the same, or of which one says all of the other, the fuller.

        Of a plan and a fact the plan, for it alone has a day.
        """
        kept: list[Item] = []
        for item in sorted(items, key=lambda one: (one.kind is not Kind.PLAN, -len(one.text))):
            if any(_repeats(item, other) for other in kept):
                self.dropped[Reason.REPEATED] += 1
            else:
                kept.append(item)
        return [item for item in items if any(item is one for one in kept)]


def _answered(line: Line, rests: Sequence[Cited]) -> bool:
    """Whether a line is what the next one answers, of those that bear witness."""
    return any(one.line.m == line.m + 1 for one in rests)


def _repeats(item: Item, kept: Item) -> bool:
    if item.about != kept.about or (item.kind is Kind.GUIDANCE) is not (kept.kind is Kind.GUIDANCE):
        return False
    if same(item.text, kept.text):
        return True
    if not {one.line.m for one in item.cited} & {one.line.m for one in kept.cited}:
        return False
    a_plans = kept.kind is Kind.PLAN and item.kind is not Kind.PLAN
    return holds(kept.text, item.text) or (a_plans and holds(item.text, kept.text))


def _when(given: str, item: Item) -> datetime | None:
    """A moment that a cited message names: the one given in figures, or in words of the message."""
    for one in item.cited:
        if one.line.at is None or not given.strip():
            continue
        found = moment(one.line.text, said=one.line.at, guess=given)
        if found is None and _says_when(one.line, given):
            span = span_of(given, said=one.line.at)
            found = None if span is None else span.start
        if found is not None:
            return found
    return None


def _is_over(until: datetime, item: Item) -> bool:
    return any(one.line.at is not None and until <= one.line.at for one in item.cited)


def _says_when(line: Line, words: str) -> bool:
    """Whether words for a day stand in a message; one letter may be enough, as 夏 is."""
    return quoted(line, words) is not None or bool(words.strip() and words.strip() in line.text)


def _was_due(plan: schema.Plan, rests: Sequence[Cited]) -> bool:
    """Whether the words for its day, where it has any of its own, were said of a day that is past.

    A day on which something was arranged is not the plan's.
    """
    if any(_ARRANGED.search(one.line.text) for one in rests):
        return False
    said = [one.line for one in rests if one.line.at is not None and _says_when(one.line, plan.due_words)]
    return any(line.at is not None and past(plan.due_words, said=line.at) for line in said)


def _due(plan: schema.Plan, rests: tuple[Cited, ...]) -> Due | None:
    """When a plan is due: by words that the model names and somebody said, or by a day that both name."""
    for one in rests:
        if one.line.at is None:
            continue
        if _says_when(one.line, plan.due_words):
            found = due(plan.due_words, said=one.line.at, guess=plan.due)
        else:
            found = named(one.line.text, said=one.line.at, guess=plan.due)
        if found is not None:
            return found
    return None
