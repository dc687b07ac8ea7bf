"""Memories of the factory in the store: candidates, which nothing recalls, until they are confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omoide.domain.diary import BASIC_SCORES, Diary, Observation
from omoide.domain.instants import from_micros, zone_of
from omoide.domain.model import Layer, Origin, Past, Status
from omoide.domain.partial_date import PartialDate
from omoide.domain.text import fold, is_blank
from omoide.errors import InvalidInput, UnknownMemory

if TYPE_CHECKING:
    from datetime import datetime

    from omoide.engine import Engine
    from omoide.factory.answers import DiaryAnswer, Seen
    from omoide.factory.cast import Player
    from omoide.stores.scopes import ScopeRow

_SURE: Final = 9.0
"""Confidence of what was lived through and written down at once, of 8 to 10."""


class Keeper:
    """Writes memories of discussions, and decides about them.

    Args:
        engine: where they go.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def candidate(self, player: Player, written: DiaryAnswer, *, name: str) -> str:
        """Write a memory that nothing recalls yet; returns its id. The same name changes the same one."""
        engine = self._engine
        today = from_micros(engine.store.now()).astimezone(zone_of(engine.settings.zone))
        diary = diary_of(written, player, name=name, today=today)

        def write() -> str:
            row = engine.store.meet(None, player.sheet.name)
            (made,) = engine.author.write(
                row, [diary], life=player.sheet.profile, origin=Origin.FACTORY, status=Status.CANDIDATE
            )
            return made

        return await engine.run(write)

    async def confirm(self, character: str, memory: str) -> None:
        """Let a candidate be recalled from now on; one that may be already is left as it is.

        Raises:
            UnknownMemory: the character has none of that id.
            InvalidInput: it was rejected, or is no candidate any more.
        """
        row = await self._engine.run(lambda: self._move(character, memory, Status.CONFIRMED))
        self._engine.vectorise_soon(row)

    async def reject(self, character: str, memory: str) -> None:
        """Let a candidate never be recalled; raises as `confirm` does."""
        await self._engine.run(lambda: self._move(character, memory, Status.REJECTED))

    def _move(self, character: str, memory: str, status: Status) -> ScopeRow:
        store = self._engine.store
        row = store.scope(None, character)
        if row is None:
            raise UnknownMemory(_nowhere(memory))
        with store.write(row) as unit:
            number = unit.memories.called(memory)
            if number is None:
                raise UnknownMemory(_nowhere(memory))
            now = unit.memories.standing([number])[0].status
            if now is status:
                return row
            if now is not Status.CANDIDATE:
                msg = f"the memory {memory!r} is {now.value}; only a candidate can be {status.value}"
                raise InvalidInput(msg)
            unit.memories.move([number], status, change=unit.change())
            if status is Status.CONFIRMED:
                self._engine.episodes.index(unit, [number])
        return row


def diary_of(written: DiaryAnswer, player: Player, *, name: str, today: datetime) -> Diary:
    """A model's diary as a memory of today, without scores and people that the character does not have."""
    profile = player.sheet.profile
    born = profile.birthday is None or profile.birthday <= today.date()
    known = {fold(score): score for score in (*BASIC_SCORES, *profile.scores)}
    return Diary(
        id=name,
        text=written.text,
        past=Past(layer=Layer.DIRECT, confidence=_SURE),
        day=PartialDate(year=today.year, month=today.month, day=today.day) if born else None,
        emotion=_some(written.emotion),
        action=_some(written.action),
        thought=_some(written.thought),
        scores={known[fold(felt.name)]: felt.value for felt in written.scores if fold(felt.name) in known},
        importance=written.importance,
        people=tuple(other.name for other in player.company),
        observations=tuple(
            _observation(seen, person)
            for seen in written.observations
            if (person := player.known(seen.person)) is not None and not is_blank(seen.behaviour)
        ),
    )


def _observation(seen: Seen, person: str) -> Observation:
    guessed = not is_blank(seen.feeling) and not is_blank(seen.basis)
    return Observation(
        person=person,
        behaviour=seen.behaviour,
        feeling=seen.feeling if guessed else None,
        basis=seen.basis if guessed else None,
    )


def _some(text: str) -> str | None:
    return None if is_blank(text) else text


def _nowhere(memory: str) -> str:
    return f"no candidate has the id {memory!r}; `omoide candidates` lists them"
