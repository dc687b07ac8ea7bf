"""What a scope holds, to look at: memories listed, searched and shown, people, and how the two stand."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

from omoide.domain.instants import zone_of
from omoide.domain.likeness import repeats
from omoide.domain.model import PlanState, Role, Status
from omoide.domain.query import search
from omoide.errors import InvalidInput, UnknownMemory, UnknownScope
from omoide.recall.matches import Matches
from omoide.recall.search import Lacking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Unpack

    from omoide.domain.affect import Feelings, Felt
    from omoide.domain.model import Kind, Memory
    from omoide.domain.query import Filters, Search
    from omoide.domain.records import Person
    from omoide.domain.relationship import Relationship
    from omoide.engine import Engine
    from omoide.stores.relationships import Version
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.unit import Unit
    from omoide.stores.windows import WindowReport

T = TypeVar("T")
_LATELY = 60
"""Messages of each of the two that are what was said lately."""


class Holding:
    """What one character holds of one user, or of its own life; nothing here changes it."""

    def __init__(self, engine: Engine, *, user: str | None, character: str) -> None:
        self._engine = engine
        self.tenant = engine.store.tenant
        self.user = user
        self.character = character

    def __repr__(self) -> str:
        return f"Scope(user={self.user!r}, character={self.character!r})"

    async def memories(
        self,
        *,
        kinds: Iterable[Kind] = (),
        statuses: Iterable[Status] = (Status.CONFIRMED,),
        limit: int | None = None,
    ) -> list[Memory]:
        """The memories of the scope, newest first.

        Raises:
            InvalidInput: a limit below 1.
        """
        if limit is not None and limit < 1:
            msg = f"a list of memories holds 1 or more, got limit={limit!r}"
            raise InvalidInput(msg)
        row = await self._known()
        chosen = tuple(kinds), tuple(statuses)
        return await self._engine.read(lambda: self._listed(row, *chosen, limit))

    async def search(self, text: str | None = None, **filters: Unpack[Filters]) -> Matches:
        """The memories that hold what is asked for (K7); with a text, those that have most to do with it.

        It is a list that also says in `degraded` what did not work.

        Args:
            text: what fits the filters is ranked by how near it is to this in meaning and words, and by how
                important it is (K8).
            filters: see `Filters`; what is left out allows all.

        Raises:
            InvalidInput: a filter cannot be read, or nothing is ordered by such a key.
        """
        asked = search(text, zone=zone_of(self._engine.settings.zone), **filters)
        opened = self._engine.store.scopes.opened(self.user, self.character)
        if opened is not None:
            try:
                return await self._searched(opened, asked)
            except UnknownScope:  # erased by another process, which may have begun it anew
                self._engine.store.drop_cache(opened)
        return await self._searched(await self._known(), asked)

    async def show(self, memory: str) -> Memory:
        """One memory, whatever its status."""
        row = await self._known()
        found = await self._engine.read(lambda: self._shown(row, memory))
        if not found:
            msg = f"no memory has the id {memory!r} in this scope; `omoide memories` lists them"
            raise UnknownMemory(msg)
        return found[0]

    async def people(self) -> list[Person]:
        """The people whom the scope knows, in the order in which they came."""
        return await self._on_known(self._engine.acquaintances.everybody)

    async def relationship(self) -> Relationship | None:
        """How the two stand with each other now; None while nothing is known of it (P22)."""
        versions = await self.relationship_history()
        return next((version.relationship for version in versions if version.current), None)

    async def relationship_history(self) -> list[Version]:
        """Every version of the relationship, newest first; after a rewind an earlier one holds again."""
        return await self._on_known(self._engine.state.relationships)

    async def plans(self, *, states: Sequence[PlanState] = (PlanState.OPEN,)) -> list[Memory]:
        """Promises, appointments and wishes: those due first come first, those without a day last.

        Two days after its day an open one has lapsed; what is said of it later still closes it.
        """
        return await self._on_known(lambda row: self._engine.state.plans(row, states))

    async def feelings(self, *, days: int | None = None) -> Feelings | None:
        """The user's feelings over the last days, summed up; None where nothing is known (H18)."""
        days = self._engine.settings.feelings_days if days is None else days
        return await self._on_known(lambda row: self._engine.state.feelings(row, days=days))

    async def felt(self, *, by: Role = Role.USER, days: int = 30) -> list[Felt]:
        """What the user, or the character, felt over the last days: when, how strongly, and why (H17)."""
        return await self._on_known(lambda row: self._engine.state.felt(row, by, days=days))

    async def windows(self, *, limit: int = 100) -> list[WindowReport]:
        """The newest stretches that a model has read, is reading, or failed to read."""
        return await self._on_known(lambda row: self._engine.state.windows(row, limit=limit))

    async def repeats(self, text: str) -> bool:
        """Whether a text only says again what the character said lately, as a copy or a transcript does.

        What the user has said in the same words is the user's own. Taken-back replies count.
        """
        row = await self._row()
        return row is not None and await self._engine.read(lambda: self._repeated(row, text))

    async def _searched(self, row: ScopeRow, asked: Search) -> Matches:
        """What fits; with a text, what has most to do with it, by words alone where meaning fails."""
        engine = self._engine
        if not asked.text:
            return Matches(await engine.read(lambda: engine.searcher.find(row, asked)))
        vector, fresh, degraded = await engine.meaning.embedded(row, asked.text, {})

        def near(*, wait: bool) -> Matches | Lacking:
            return engine.searcher.near(row, asked, vector=vector, fresh=fresh, wait=wait)

        found = await engine.read(lambda: near(wait=vector is not None))
        if isinstance(found, Lacking):
            numbers = found.numbers
            unembedded = await engine.read(lambda: engine.meaning.vectoriser.words(row, numbers))
            vector, fresh, degraded = await engine.meaning.embedded(row, asked.text, unembedded)
            found = await engine.read(lambda: near(wait=False))
        return (
            Matches() if isinstance(found, Lacking) else Matches(found, degraded=(*degraded, *found.degraded))
        )

    def _listed(
        self, row: ScopeRow, kinds: tuple[Kind, ...], statuses: tuple[Status, ...], limit: int | None
    ) -> list[Memory]:
        with self._engine.store.read(row) as unit:
            return self._opened(unit, unit.memories.numbers(kinds=kinds, statuses=statuses, limit=limit))

    def _shown(self, row: ScopeRow, memory: str) -> list[Memory]:
        with self._engine.store.read(row) as unit:
            number = unit.memories.called(memory)
            return [] if number is None else self._opened(unit, [number])

    def _repeated(self, row: ScopeRow, text: str) -> bool:
        with self._engine.store.read(row) as unit:
            said, by_others = (
                list(unit.texts.open(unit.log.newest(role, limit=_LATELY)).values())
                for role in (Role.USER, Role.CHARACTER)
            )
        return repeats(text, said=said, by_others=by_others)

    def _opened(self, unit: Unit, numbers: Sequence[int]) -> list[Memory]:
        names, sessions = self._engine.store.names(unit), unit.sessions.names()
        opened = unit.memories.open(numbers, names=names, sessions=sessions, shut=set())
        return [found.memory for found in opened]

    async def _row(self) -> ScopeRow | None:
        return await self._engine.read(lambda: self._engine.store.scope(self.user, self.character))

    async def _on_known(self, work: Callable[[ScopeRow], T]) -> T:
        """Look at something in the scope, which has to be there."""
        row = await self._known()
        return await self._engine.read(lambda: work(row))

    async def _known(self) -> ScopeRow:
        row = await self._row()
        if row is None:
            raise UnknownScope(await self.unknown())
        return row

    async def unknown(self) -> str:
        """Say that nothing is known of this scope, and which ones have near names."""
        others = [f"{scope.user or ''} × {scope.character}" for scope in await self._engine.scopes()]
        near = get_close_matches(f"{self.user or ''} × {self.character}", others, n=3, cutoff=0.5)
        hint = f"; near: {', '.join(map(repr, near))}" if near else "; `omoide memories` lists who is known"
        return f"the character {self.character!r} has no memory of the user {self.user!r}{hint}"
