"""One transaction on one scope, and what can be done in it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from omoide.errors import StoreConflict
from omoide.stores.extracted import ExtractedRows
from omoide.stores.felt import FeltRows
from omoide.stores.fixed import Fixed
from omoide.stores.links import Links
from omoide.stores.log import Log
from omoide.stores.lookups import Lookups
from omoide.stores.memories import Memories
from omoide.stores.pending import Pending
from omoide.stores.people import People
from omoide.stores.plans import Plans
from omoide.stores.postings import Postings
from omoide.stores.rehearsals import Rehearsals
from omoide.stores.relationships import Relationships
from omoide.stores.removal import Removal
from omoide.stores.sessions import Sessions
from omoide.stores.states import States
from omoide.stores.tables import scopes
from omoide.stores.texts import Texts
from omoide.stores.vectors import Vectors
from omoide.stores.windows import Windows

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from omoide.stores.index.nearest import VectorIndex
    from omoide.stores.scopes import ScopeRow

_CHANGE = Fixed(
    update(scopes)
    .where(scopes.c.id == bindparam("scope"), scopes.c.uid == bindparam("uid"))
    .values(revision=scopes.c.revision + 1)
    .returning(scopes.c.revision)
)
_DESCRIBED = Fixed(select(scopes.c.language, scopes.c.zone).where(scopes.c.id == bindparam("scope")))


class Unit:
    """One transaction on one scope: its log, its memories, its people.

    Attributes:
        connection: where its statements run.
        now: microseconds since 1970; one instant for the whole transaction.
    """

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int, index: VectorIndex) -> None:
        self.connection = connection
        self._index = index
        self._change: int | None = None
        self.scope = scope
        self.now = now

    @cached_property
    def log(self) -> Log:
        """What was said."""
        return Log(self.connection, self.scope, now=self.now, sessions=self.sessions, texts=self.texts)

    @cached_property
    def sessions(self) -> Sessions:
        """Where it was said."""
        return Sessions(self.connection, self.scope, now=self.now)

    @cached_property
    def texts(self) -> Texts:
        """The words of what was said."""
        return Texts(self.connection, self.scope)

    @cached_property
    def memories(self) -> Memories:
        """What is remembered."""
        return Memories(self.connection, self.scope, now=self.now)

    @cached_property
    def lookups(self) -> Lookups:
        """Finding memories for a filter."""
        return Lookups(self.connection, self.scope)

    @cached_property
    def rehearsals(self) -> Rehearsals:
        """How often a memory was recalled into a chat."""
        return Rehearsals(self.connection, self.scope, now=self.now)

    @cached_property
    def people(self) -> People:
        """Who speaks."""
        return People(self.connection, self.scope)

    @cached_property
    def felt(self) -> FeltRows:
        """What people felt."""
        return FeltRows(self.connection, self.scope)

    @cached_property
    def plans(self) -> Plans:
        """What was promised or is to come."""
        return Plans(self.connection, self.scope)

    @cached_property
    def relationships(self) -> Relationships:
        """How user and character stand with each other."""
        return Relationships(self.connection, self.scope, now=self.now)

    @cached_property
    def extracted(self) -> ExtractedRows:
        """What a model drew from the log, and what follows what."""
        return ExtractedRows(self.connection, self.scope, now=self.now)

    @cached_property
    def states(self) -> States:
        """How the character stands to the user."""
        return States(self.connection, self.scope)

    @cached_property
    def links(self) -> Links:
        """What ties memories to each other."""
        return Links(self.connection, self.scope)

    @cached_property
    def postings(self) -> Postings:
        """Terms for keyword search."""
        return Postings(self.connection, self.scope)

    @cached_property
    def pending(self) -> Pending:
        """What still lacks a vector or terms."""
        return Pending(self.connection, self.scope)

    @cached_property
    def removal(self) -> Removal:
        """Taking memories and words out, for a time or for good."""
        return Removal(self.connection, self.scope, now=self.now, index=self._index)

    @cached_property
    def windows(self) -> Windows:
        """What a model reads, has read, or failed to read."""
        return Windows(self.connection, self.scope, now=self.now)

    def vectors(self, identity: int) -> Vectors:
        """Vectors of one embedding space."""
        return Vectors(self.connection, self.scope, identity=identity, index=self._index)

    def change(self) -> int:
        """The scope's revision that this transaction brings; the first call raises it.

        Raises:
            StoreConflict: the scope was erased meanwhile.
        """
        if self._change is None:
            found = _CHANGE.run(self.connection, {"scope": self.scope.id, "uid": self.scope.uid})
            if not found:
                msg = "the scope was erased meanwhile; nothing was written, try again"
                raise StoreConflict(msg)
            ((self._change,),) = found
        return self._change

    def start_anew(self) -> None:
        """Tell all caches of the scope to read it anew, for what a list of changes cannot say."""
        self.connection.execute(
            update(scopes).where(scopes.c.id == self.scope.id).values(epoch=scopes.c.epoch + 1)
        )

    def described(self) -> tuple[str | None, str | None]:
        """The scope's language and zone, where they are known."""
        ((language, zone),) = _DESCRIBED.run(self.connection, {"scope": self.scope.id})
        return language, zone

    def describe(self, *, language: str | None = None, zone: str | None = None) -> None:
        """Note the language that the scope's people speak, and the user's zone."""
        values = {key: value for key, value in (("language", language), ("zone", zone)) if value is not None}
        if values:
            self.connection.execute(update(scopes).where(scopes.c.id == self.scope.id).values(values))
