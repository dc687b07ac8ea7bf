"""Episodes by rule: what the log's exchanges are worth keeping as, without a model (H6, H7).

Rule-made memories are derived: after any change of the log they equal what a replay of its messages would
give (ruling 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain import salience
from omoide.domain.exchanges import remembered
from omoide.domain.instants import from_micros
from omoide.domain.model import Kind, MessageState, Origin, Role, Status
from omoide.domain.poison import is_failure, is_note
from omoide.domain.records import Draft, Logged, Standing
from omoide.domain.session_state import WARM_WORDS, WARMTH
from omoide.domain.text import graphemes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit
    from omoide.words.analyse import Analyser

_KEPT = (MessageState.SETTLED, MessageState.HIDDEN)

_FOUND = (Status.CONFIRMED, Status.FADED)
"""Memories that are found by words."""

_Told = list[tuple[Logged, str]]
"""Messages of one exchange, each with as much of its words as was heard."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Derived:
    """What a change of the log did to rule-made memories."""

    made: tuple[int, ...] = ()
    revived: tuple[int, ...] = ()
    suppressed: tuple[int, ...] = ()


class Episodes:
    """Brings the rule-made memories of a session in line with its log.

    Args:
        store: where they are.
        analyser: finds the terms of texts.
        terms_only: memories are found by the words that were drawn of them on purpose, and by no other (P7).
    """

    def __init__(self, store: Store, analyser: Analyser, *, terms_only: bool = False) -> None:
        self._store = store
        self._analyser = analyser
        self.terms_only = terms_only

    def derive(
        self, unit: Unit, session: int, path: Sequence[Logged], *, gone: Sequence[int] = ()
    ) -> Derived:
        """Make, revive and suppress episodes so that they fit a stretch of a session's log.

        Args:
            unit: the transaction.
            session: the session's number.
            path: what it shows from the beginning of an exchange to its end.
            gone: messages that it showed until now.
        """
        wanted = _exchanges(path)
        known = {standing.evidence: standing for standing in self._near(unit, path, gone)}
        new = [exchange for rests, exchange in wanted.items() if rests not in known]
        back = [known[rests] for rests in wanted if rests in known and _asleep(known[rests])]
        lost = [standing for rests, standing in known.items() if rests not in wanted and _awake(standing)]
        stale = _nowhere_else(unit, session, lost)
        made = self._make(unit, session, new, instead_of=stale)
        self._revive(unit, back)
        self._suppress(unit, stale)
        return Derived(
            made=tuple(made),
            revived=tuple(standing.id for standing in back),
            suppressed=tuple(standing.id for standing in stale),
        )

    def weigh(self, unit: Unit, felt: Sequence[int]) -> None:
        """Let rule-made memories weigh anew, once it is known what was felt at these messages (H7)."""
        resting = [one for one in unit.memories.resting_on(felt) if one.origin is Origin.RULE] if felt else []
        rests = sorted({message for one in resting for message in one.evidence})
        logged = {message.id: message for message in unit.log.of(rests)}
        texts, strength = unit.texts.open(rests), unit.felt.strength(rests)
        for one in resting:
            worth = _worth(_told([logged[message] for message in one.evidence], texts), strength)
            unit.extracted.weigh([one.id], worth.importance)
        unit.memories.stamp([one.id for one in resting], change=unit.change())

    def follow(self, unit: Unit, back: Standing) -> None:
        """Let a memory that was brought back by hand follow what its messages have become meanwhile."""
        if back.origin is Origin.RULE:
            showing = unit.sessions.showing(back.evidence)
            for session in showing or (0,):
                self.derive(unit, session, unit.log.path(session), gone=back.evidence)

    def index(self, unit: Unit, numbers: Sequence[int]) -> None:
        """Write the terms of memories, so that they can be found by words at once."""
        terms = self._found_by(unit, numbers)
        unit.postings.put(terms, identity=self._store.analyser)
        unit.pending.analysed(list(terms), self._store.analyser, change=None)

    def index_missing(self, scope: ScopeRow, *, limit: int) -> int:
        """Write terms that are missing, as after a change of analyser; returns how many memories lacked some.

        Diary memories are looked at again: older releases did not find them by their circumstances.
        """
        with self._store.write(scope) as unit:
            numbers = unit.pending.without_terms(self._store.analyser, limit=limit)
            numbers += self._outdated(unit, besides=numbers)[: limit - len(numbers)]
            if numbers:
                self.index(unit, numbers)
                unit.change()
                unit.start_anew()
        return len(numbers)

    def _found_by(self, unit: Unit, numbers: Sequence[int]) -> dict[int, dict[str, int]]:
        """The terms of memories: of their words, of terms drawn on purpose, and of their circumstances."""
        drawn = unit.texts.drawn(numbers)
        if self.terms_only:
            return self._terms({number: "\n".join(drawn.get(number, ())) for number in numbers})
        names = self._store.names(unit)
        beside = unit.texts.circumstances(numbers, names=names)
        texts = unit.texts.indexed(numbers, names=names)
        return self._terms(
            {
                number: "\n".join([text, *drawn.get(number, ()), *beside.get(number, ())])
                for number, text in texts.items()
            }
        )

    def _outdated(self, unit: Unit, *, besides: Sequence[int]) -> list[int]:
        """Diary memories whose terms are not those that would be written now."""
        numbers = [
            number
            for number in unit.memories.numbers(statuses=_FOUND, kinds=[Kind.DIARY])
            if number not in besides
        ]
        return unit.postings.differing(self._found_by(unit, numbers), identity=self._store.analyser)

    def _terms(self, texts: Mapping[int, str]) -> dict[int, dict[str, int]]:
        return {number: self._analyser.document(text) for number, text in texts.items()}

    def _near(self, unit: Unit, path: Sequence[Logged], gone: Sequence[int]) -> list[Standing]:
        return unit.memories.resting_on([*(message.id for message in path), *gone])

    def _make(
        self,
        unit: Unit,
        session: int,
        new: Sequence[Sequence[Logged]],
        *,
        instead_of: Sequence[Standing],
    ) -> list[int]:
        if not new:
            return []
        suppressed = unit.removal.suppressed()
        texts = unit.texts.open(message.id for exchange in new for message in exchange)
        pinned = {message for standing in instead_of if standing.pinned for message in standing.evidence}
        told = [_told(exchange, texts) for exchange in new if suppressed.isdisjoint(m.id for m in exchange)]
        strength = unit.felt.strength([message.id for exchange in new for message in exchange])
        made = [
            (said, draft) for said in told if (draft := _draft(said, session, pinned, strength)) is not None
        ]
        analyser = self._store.analyser
        numbers = unit.memories.add([draft for _, draft in made], change=unit.change(), analysed=analyser)
        # The words are at hand; `index` would open again what was just sealed.
        names = unit.people.names() if any(len(said) > 1 for said, _ in made) else {}
        texts = {number: _together(said, names) for number, (said, _) in zip(numbers, made, strict=True)}
        if not self.terms_only:
            unit.postings.add(self._terms(texts), identity=analyser)
        return numbers

    def _revive(self, unit: Unit, back: Sequence[Standing]) -> None:
        """Let memories be recalled again; those that were corrected stay behind their correction."""
        if not back:
            return
        suppressed = unit.removal.suppressed()
        corrected = [standing.id for standing in back if suppressed.intersection(standing.evidence)]
        right = [standing.id for standing in back if not suppressed.intersection(standing.evidence)]
        unit.memories.move(corrected, Status.REPLACED, change=unit.change())
        unit.memories.move(right, Status.CONFIRMED, change=unit.change())
        self.index(unit, [standing.id for standing in back])

    @staticmethod
    def _suppress(unit: Unit, stale: Sequence[Standing]) -> None:
        numbers = [standing.id for standing in stale]
        if numbers:
            unit.memories.move(numbers, Status.SUPPRESSED, change=unit.change())
            unit.removal.unindex(numbers)


def indexed_texts(store: Store, unit: Unit, numbers: Sequence[int]) -> dict[int, str]:
    """What is embedded and analysed of each memory."""
    return unit.texts.indexed(numbers, names=store.names(unit))


def _exchanges(path: Sequence[Logged]) -> dict[tuple[int, ...], list[Logged]]:
    kept = [message for message in path if message.state in _KEPT]
    ranges = remembered(kept)
    found = [[kept[place] for place in span] for span in ranges]
    return {tuple(message.id for message in exchange): exchange for exchange in found}


def _asleep(standing: Standing) -> bool:
    return standing.status is Status.SUPPRESSED


def _awake(standing: Standing) -> bool:
    return standing.status in (Status.CONFIRMED, Status.FADED, Status.REPLACED)


def _nowhere_else(unit: Unit, session: int, lost: Sequence[Standing]) -> list[Standing]:
    """Those whose exchange no other session, such as a branch, holds either."""
    rests = {message for standing in lost for message in standing.evidence}
    held: set[tuple[int, ...]] = set()
    for other, shown in unit.sessions.showing(sorted(rests)).items():
        if other != session and any(shown.issuperset(standing.evidence) for standing in lost):
            held.update(_exchanges(unit.log.path(other)))
    return [standing for standing in lost if standing.evidence not in held]


def heard(message: Logged, text: str) -> str:
    """What reached the listener, never cut inside a character that a reader sees."""
    if message.heard is None:
        return text
    end = 0
    for part in graphemes(text):
        if end + len(part) > message.heard:
            break
        end += len(part)
    return text[:end]


def _told(exchange: Sequence[Logged], texts: Mapping[int, str]) -> _Told:
    """What was heard; of what nobody said, nothing, though the exchange still rests on it.

    An exchange of which a person said nothing but a program's notes is none.
    """
    told = [(message, heard(message, texts[message.id])) for message in exchange if message.id in texts]
    said = [(message, text if is_said(message.role, text) else "") for message, text in told]
    return said if _from_people(said) or not _from_people(told) else []


def _from_people(said: _Told) -> str:
    return "\n".join(text for message, text in said if message.role is Role.USER and text)


def _together(said: _Told, names: Mapping[int, str]) -> str:
    """What `indexed_texts` gives for an episode of these words."""
    spoken = [(message.speaker, text) for message, text in said if text]
    if len(spoken) == 1:
        return spoken[0][1]
    return "\n".join(f"{names.get(speaker, '')}: {text}" for speaker, text in spoken)


def is_said(role: Role, text: str) -> bool:
    """Whether somebody said this: a program's note, and a model's refusal in place of a reply, nobody did."""
    return not (is_note(text) if role is Role.USER else is_failure(text))


def _worth(said: _Told, strength: Mapping[int, float]) -> salience.Salience:
    """What an exchange is worth; a feeling that is not known weighs nothing (ruling 15)."""
    from_people = _from_people(said)
    reply = "\n".join(text for message, text in said if message.role is not Role.USER and text)
    felt = max((strength.get(message.id, 0.0) for message, _ in said), default=0.0)
    if not from_people:
        return salience.score(reply, "", intensity=felt)
    return salience.score(from_people, reply, intensity=felt)


def _draft(said: _Told, session: int, pinned: set[int], strength: Mapping[int, float]) -> Draft | None:
    worth = _worth(said, strength)
    if not said or not worth.stored:
        return None
    speakers = {message.speaker for message, text in said if text}
    dated = next((message for message, _ in said if message.at is not None), None)
    return Draft(
        kind=Kind.EPISODE,
        origin=Origin.RULE,
        importance=worth.importance,
        position=said[-1][0].position,
        session=session,
        # An exchange that was edited, or grew, stays pinned.
        pinned=any(message.id in pinned for message, _ in said),
        subject=speakers.pop() if len(speakers) == 1 else None,
        at=None if dated is None or dated.at is None else from_micros(dated.at, dated.zone),
        evidence=tuple((message.id, 0, len(text)) for message, text in said),
        # How close the two have come is counted by these (H5).
        scores=((WARMTH, WARM_WORDS),) if salience.Signal.WARMTH in worth.signals else (),
    )
