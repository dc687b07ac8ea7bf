"""Writing what an extraction has brought: all of it, and the closing of its window, in one transaction."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from omoide.domain.instants import to_micros, zone_name
from omoide.domain.model import Kind, Origin, Role, Status
from omoide.domain.records import DetailDraft, Draft, PlanDraft
from omoide.retain.extraction.grounded import Reason
from omoide.retain.extraction.reconcile import Act, Decision
from omoide.retain.links import link, link_felt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omoide.domain.windows import Window
    from omoide.retain.episodes import Episodes
    from omoide.retain.extraction.grounded import Cited, Grounded, Item, Told
    from omoide.retain.extraction.view import Line, Someone, View
    from omoide.stores.unit import Unit

_STEP = 0.5
"""What being said once more adds to a confidence of 1 to 10 (H12)."""

_DEFAULT_CONFIDENCE = 8.0

_ORDINARY = 5.0
"""What a claim weighs at most that has no importance of its own; its window's is that of all of it."""


class Writing:
    """Writes one extraction within one transaction.

    Args:
        unit: the transaction.
        view: what was read.
        episodes: makes what is written findable by words.
    """

    def __init__(self, unit: Unit, view: View, episodes: Episodes) -> None:
        self._unit = unit
        self._view = view
        self._episodes = episodes
        self._silent = unit.removal.suppressed()
        self._written: list[tuple[Draft, int]] = []
        self.kept: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()

    def all(
        self, window: Window, grounded: Grounded, decisions: Sequence[Decision], *, prompt_version: str
    ) -> None:
        """Write everything, and close the window; as skipped where nothing was worth keeping (P2).

        Raises:
            Superseded: somebody else has read the window meanwhile, or its messages have changed.
        """
        self._people(grounded)
        self._decisions(decisions, grounded)
        self._summary(grounded)
        self._moods(grounded)
        self._tie(grounded)
        if grounded.relationship is not None:
            self._unit.relationships.add(grounded.relationship, last_message=self._view.lines[-1].number)
            self.kept["relationship"] += 1
        self._unit.windows.close(window, skipped=not self.kept.total(), prompt_version=prompt_version)
        if self.kept.total():
            self._unit.change()

    def weigh(self, scores: Sequence[tuple[Sequence[Line], float]]) -> None:
        """Let the episodes of exchanges that a model scored from 0 to 1 weigh so much (H8)."""
        for lines, score in scores:
            resting = self._unit.memories.resting_on([line.number for line in lines])
            self._unit.extracted.weigh([one.id for one in resting], max(1.0, score * 10))
            self._unit.memories.stamp([one.id for one in resting], change=self._unit.change())

    def _decisions(self, decisions: Sequence[Decision], grounded: Grounded) -> None:
        standing = self._standing(decisions)
        for decision in decisions:
            item, of = decision.item, decision.of
            if self._forgotten(item.cited):
                self.dropped[Reason.FORGOTTEN] += 1
            elif decision.act is Act.ADD or of is None or of.number not in standing:
                self._add(item, grounded)
                self.kept[item.kind.value] += 1
            elif decision.act is Act.CONFIRM:
                self._confirm(item, of.number, of.rests)
            else:
                outdated = decision.act is Act.OUTDATED
                number = self._add(item, grounded)
                before = decision.also if outdated else (of, *decision.also)
                for old in (one for one in before if one.number in standing):
                    self._unit.extracted.replace(old.number, by=number, at=_last(item.cited).position)
                    self._unit.memories.stamp([old.number], change=self._unit.change())
                    self.kept["replaced"] += 1
                if outdated:
                    self._unit.extracted.replace(number, by=of.number, at=of.position)
                self.kept[item.kind.value] += 1

    def _standing(self, decisions: Iterable[Decision]) -> set[int]:
        """What still holds of that which is to be confirmed or replaced: somebody may have changed it."""
        named = [one for decision in decisions for one in (decision.of, *decision.also) if one is not None]
        numbers = sorted({one.number for one in named})
        found = self._unit.memories.standing(numbers) if numbers else []
        return {one.id for one in found if one.status is Status.CONFIRMED}

    def _forgotten(self, cited: Iterable[Cited]) -> bool:
        """Whether all that is cited was forgotten or corrected by hand meanwhile (ruling 3)."""
        return all(one.line.number in self._silent for one in cited)

    def _add(self, item: Item, grounded: Grounded) -> int:
        last = _last(item.cited)
        draft = Draft(
            kind=item.kind,
            origin=Origin.EXTRACTED,
            importance=min(grounded.importance, _ORDINARY) if item.importance is None else item.importance,
            position=last.position,
            text=item.text,
            subject=None if item.about is None else self._number(item.about),
            at=last.at,
            confidence=item.confidence if item.kind in (Kind.FACT, Kind.STATEMENT) else _DEFAULT_CONFIDENCE,
            mode=item.mode,
            category=item.category,
            valid_from=item.since,
            valid_until=item.until,
            evidence=tuple(_stretch(one) for one in item.cited),
            terms=grounded.terms if self._episodes.terms_only else (),
            plan=self._plan_of(item),
            told=self._listeners() if item.kind is Kind.STATEMENT else (),
        )
        return self._write(draft)

    def _write(self, draft: Draft) -> int:
        (number,) = self._unit.memories.add([draft], change=self._unit.change())
        self._episodes.index(self._unit, [number])
        self._written.append((draft, number))
        return number

    def _tie(self, grounded: Grounded) -> None:
        """Let what was written lead to what is like it, and the exchanges in which something was felt."""
        link(self._unit, [draft for draft, _ in self._written], [number for _, number in self._written])
        if grounded.moods:
            resting = self._unit.memories.resting_on([one.line.number for one in grounded.moods])
            link_felt(self._unit, [one.id for one in resting])

    def _confirm(self, item: Item, number: int, rests: frozenset[int]) -> None:
        new = [_stretch(one) for one in item.cited if one.line.number not in rests]
        self._unit.extracted.confirm(number, confidence=_STEP, rests=new)
        if item.kind is Kind.STATEMENT:
            self._unit.extracted.tell(number, self._listeners())
        self._unit.memories.stamp([number], change=self._unit.change())
        self.kept["confirmed"] += 1

    def _plan_of(self, item: Item) -> PlanDraft | None:
        intent = item.intent
        if intent is None:
            return None
        due = intent.due or intent.inherits
        return PlanDraft(
            person=self._number(intent.who),
            due=None if due is None else due.at,
            precision=None if due is None else due.precision,
            condition=intent.condition or None,
            state=intent.state,
        )

    def _summary(self, grounded: Grounded) -> None:
        """The summary rests on every message of the window, and quotes those that its details name (P23)."""
        lines = self._view.lines
        if not grounded.summary or self._summed_up():
            return
        quotes = [one.cited for one in grounded.details if one.cited is not None]
        cited = {one.line.number for one in quotes}
        draft = Draft(
            kind=Kind.SUMMARY,
            origin=Origin.EXTRACTED,
            importance=grounded.importance,
            position=lines[-1].position,
            text=grounded.summary,
            at=lines[-1].at,
            evidence=(
                *(_stretch(one) for one in quotes),
                *((line.number, 0, 0) for line in lines if line.number not in cited),
            ),
            details=_details(grounded.details),
            terms=grounded.terms,
            involved=tuple(self._number(person) for person in grounded.involved) or self._speakers(),
        )
        self._write(draft)
        self.kept[Kind.SUMMARY.value] += 1

    def _summed_up(self) -> bool:
        """Whether one summary rests on all that was read already: it is read once more for something else."""
        said = {line.number for line in self._view.lines}
        resting = self._unit.extracted.resting_on(sorted(said))
        return any(
            one.kind is Kind.SUMMARY and one.status is Status.CONFIRMED and said.issubset(one.evidence)
            for one in self._unit.memories.standing(resting)
        )

    def _people(self, grounded: Grounded) -> None:
        for one in grounded.nicknames:
            by = self._view.user if one.by is None else self._number(one.by)
            person = self._number(one.person)
            if by == person:  # a name that somebody asks for is for the other to use
                by = self._view.user if person == self._view.character else self._view.character
            if by is not None and self._unit.people.nickname(person, one.called, by=by, now=self._unit.now):
                self.kept["nickname"] += 1

    def _moods(self, grounded: Grounded) -> None:
        known = self._unit.felt.known([one.line.number for one in grounded.moods])
        felt = list[int]()
        for one in grounded.moods:
            line = one.line
            if (line.number, line.speaker) in known:
                self.dropped[Reason.KNOWN] += 1
                continue
            known.add((line.number, line.speaker))
            felt.append(line.number)
            self._unit.felt.add(
                one.feeling,
                person=line.speaker,
                message=line.number,
                at=line.position if line.at is None else to_micros(line.at),
                zone=None if line.at is None else zone_name(line.at),
                trigger=one.trigger,
            )
            self.kept["feeling"] += 1
        self._episodes.weigh(self._unit, felt)

    def _number(self, person: Someone) -> int:
        """The person's number; somebody new becomes known by the name that they were called."""
        if person.number is not None:
            return person.number
        return self._unit.people.resolve(person.name, role=Role.USER, name=person.name, now=self._unit.now)

    def _listeners(self) -> tuple[int, ...]:
        """The people whom a character speaks to in the window."""
        users = (line.speaker for line in self._view.lines if line.role is Role.USER)
        return tuple(dict.fromkeys(users))

    def _speakers(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(line.speaker for line in self._view.lines))


def _last(cited: Sequence[Cited]) -> Line:
    return max((one.line for one in cited), key=lambda line: line.position)


def _stretch(one: Cited) -> tuple[int, int, int]:
    return one.line.number, one.line.place(one.start), one.line.place(one.end)


def _details(told: Sequence[Told]) -> tuple[DetailDraft, ...]:
    drafts = []
    counts: Counter[int] = Counter()
    for one in told:
        if one.cited is None:
            drafts.append(DetailDraft(who=one.who, text=one.text, context=one.context))
            continue
        number = one.cited.line.number
        drafts.append(DetailDraft(who=one.who, context=one.context, message=number, nth=counts[number]))
        counts[number] += 1
    return tuple(drafts)
