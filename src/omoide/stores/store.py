"""The store: one transaction at a time on one scope, and the scopes' indexes in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import bindparam, func, insert, select, update

from omoide.domain.model import MessageState, Origin, Role, Status
from omoide.errors import UnknownScope
from omoide.stores.fixed import Fixed
from omoide.stores.felt import FeltRows
from omoide.stores.index import KINDS, LARGE, LAYERS, IntArray, ScopeIndex, Snapshot
from omoide.stores.log import PROVISIONAL, Log
from omoide.stores.memories import Memories
from omoide.stores.pending import Pending
from omoide.stores.postings import Postings
from omoide.stores.removal import Removal
from omoide.stores.scopes import People, ScopeRow, Scopes
from omoide.stores.tables import identities, memories, memory_scopes, messages, scopes
from omoide.stores.vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

    from omoide.stores.database import Database
    from omoide.stores.keyring import Keyring

_KIND = {kind.value: place for place, kind in enumerate(KINDS)}
_LAYER = {layer.value: place for place, layer in enumerate(LAYERS)}
_READABLE = (Status.CONFIRMED, Status.REPLACED, Status.FADED)


_CHANGE = Fixed(
    update(scopes)
    .where(scopes.c.id == bindparam("scope"))
    .values(revision=scopes.c.revision + 1)
    .returning(scopes.c.revision)
)


class Unit:
    """One transaction on one scope: its log, its memories, its people.

    Attributes:
        connection: where its statements run.
        now: microseconds since 1970; one instant for the whole transaction.
    """

    def __init__(self, connection: Connection, scope: ScopeRow, store: Store, *, now: int) -> None:
        self.connection = connection
        self._store = store
        self._change: int | None = None
        self.scope = scope
        self.now = now

    @cached_property
    def log(self) -> Log:
        """What was said."""
        return Log(self.connection, self.scope, now=self.now)

    @cached_property
    def memories(self) -> Memories:
        """What is remembered."""
        return Memories(self.connection, self.scope, now=self.now)

    @cached_property
    def people(self) -> People:
        """Who speaks."""
        return People(self.connection, self.scope)

    @cached_property
    def felt(self) -> FeltRows:
        """What people felt."""
        return FeltRows(self.connection, self.scope)

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
        return Removal(self.connection, self.scope, now=self.now)

    def vectors(self, identity: int) -> Vectors:
        """Vectors of one embedding space."""
        return Vectors(self.connection, self.scope, identity=identity)

    def change(self) -> int:
        """The scope's revision that this transaction brings; the first call raises it."""
        if self._change is None:
            ((self._change,),) = _CHANGE.run(self.connection, {"scope": self.scope.id})
        return self._change

    def start_anew(self) -> None:
        """Tell all caches of the scope to read it anew, for what a list of changes cannot say."""
        self.connection.execute(
            update(scopes).where(scopes.c.id == self.scope.id).values(epoch=scopes.c.epoch + 1)
        )

    def described(self) -> tuple[str | None, str | None]:
        """The scope's language and zone, where they are known."""
        row = self.connection.execute(
            select(scopes.c.language, scopes.c.zone).where(scopes.c.id == self.scope.id)
        ).one()
        return row.language, row.zone

    def describe(self, *, language: str | None = None, zone: str | None = None) -> None:
        """Note the language that the scope's people speak, and the user's zone."""
        values = {key: value for key, value in (("language", language), ("zone", zone)) if value is not None}
        if values:
            self.connection.execute(update(scopes).where(scopes.c.id == self.scope.id).values(values))


@dataclass(slots=True)
class _Cached:
    index: ScopeIndex = field(default_factory=ScopeIndex)
    lock: threading.Lock = field(default_factory=threading.Lock)
    names: dict[int, str] = field(default_factory=dict)
    own: dict[Role, int] = field(default_factory=dict)
    feels: bool = False
    sessions: dict[int, str] = field(default_factory=dict)
    held: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """Where a scope stands.

    Attributes:
        revision: rises with each change.
        epoch: rises where a list of changes could not say what changed.
        language, zone: of its user, where they are known.
        waiting_since: when the oldest message was written that is not settled yet; None if all are.
    """

    revision: int
    epoch: int
    language: str | None
    zone: str | None
    waiting_since: int | None


@dataclass(frozen=True, slots=True)
class Recalling:
    """A scope as one recall sees it: its rows, its index, the names of its people and sessions.

    `own` holds the numbers of the scope's user and character themselves; `feels` tells whether anything is
    known of feelings.
    """

    unit: Unit
    state: State
    snapshot: Snapshot
    names: dict[int, str]
    own: dict[Role, int]
    feels: bool
    sessions: dict[int, str]


class Store:
    """Everything kept, behind two kinds of transaction: `read` and `write`.

    Args:
        database: where the rows are.
        keyring: the keys that open them.
        clock: microseconds since 1970.
        embedding: the key of the embedding space in use, or None without an embedder.
        analyser: the key of the text analysis in use.
        cache_bytes: memory for the scopes' indexes, roughly; the least recently used ones go first.
        large_scope: memories from which a scope's vectors are scored in two steps.
    """

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        *,
        clock: Callable[[], int],
        embedding: str | None,
        analyser: str,
        cache_bytes: int = 256 * 1024 * 1024,
        large_scope: int = LARGE,
    ) -> None:
        self._large = large_scope
        self.database = database
        self.scopes = Scopes(keyring)
        self._clock = clock
        self._cache_bytes = cache_bytes
        self._cache: OrderedDict[bytes, _Cached] = OrderedDict()
        self._cache_lock = threading.Lock()
        self._held = 0
        self.analyser = self._identity("analyser", analyser)
        self.embedding = None if embedding is None else self._identity("embedding", embedding)

    @contextmanager
    def read(self, scope: ScopeRow) -> Iterator[Unit]:
        """One snapshot of a scope."""
        with self.database.read() as connection:
            yield Unit(connection, scope, self, now=self._clock())

    @contextmanager
    def write(self, scope: ScopeRow) -> Iterator[Unit]:
        """One transaction that writes to a scope: all of it or nothing."""
        with self.database.write() as connection:
            yield Unit(connection, scope, self, now=self._clock())

    def scope(self, user: str | None, character: str) -> ScopeRow | None:
        """The scope of these two, or None if they have never met."""
        with self.database.read() as connection:
            return self.scopes.find(connection, user, character)

    def meet(self, user: str | None, character: str) -> ScopeRow:
        """The scope of these two, made if they have never met."""
        found = self.scope(user, character)
        if found is not None:
            return found
        with self.database.write() as connection:
            return self.scopes.create(connection, user, character, now=self._clock())

    def all_scopes(self) -> list[ScopeRow]:
        """Every scope, oldest first."""
        with self.database.read() as connection:
            return self.scopes.all(connection)

    @contextmanager
    def recalling(self, scope: ScopeRow) -> Iterator[Recalling]:
        """One snapshot of a scope together with its index, brought up to date.

        Raises:
            UnknownScope: the scope was erased meanwhile.
        """
        cached = self._cached(scope.uid)
        with cached.lock, self.read(scope) as unit:
            state = _state(unit)
            if (state.epoch, state.revision) != (cached.index.epoch, cached.index.revision):
                self._refresh(unit, cached, state)
            yield Recalling(
                unit, state, cached.index.snapshot(), cached.names, cached.own, cached.feels, cached.sessions
            )

    def names(self, unit: Unit) -> dict[int, str]:
        """The name of each person of a scope."""
        return unit.people.names()

    def drop_cache(self, scope: ScopeRow) -> None:
        """Forget a scope's index, after its rows are gone."""
        with self._cache_lock:
            dropped = self._cache.pop(scope.uid, None)
            self._held -= 0 if dropped is None else dropped.held
        self.scopes.forget(scope)

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def _identity(self, kind: str, key: str) -> int:
        query = select(identities.c.id).where(identities.c.kind == kind, identities.c.key == key)
        with self.database.read() as connection:
            found = connection.execute(query).scalar()
        if found is not None:
            return int(found)
        with self.database.write() as connection:
            found = connection.execute(query).scalar()
            if found is not None:
                return int(found)
            made = connection.execute(
                insert(identities).values(kind=kind, key=key).returning(identities.c.id)
            )
            return int(made.scalar_one())

    def _cached(self, scope: bytes) -> _Cached:
        with self._cache_lock:
            cached = self._cache.setdefault(scope, _Cached())
            self._cache.move_to_end(scope)
            return cached

    def _refresh(self, unit: Unit, cached: _Cached, state: State) -> None:
        """Bring a scope's index up to date, and let others go if it has grown too large."""
        index = ScopeIndex(large=self._large) if state.epoch != cached.index.epoch else cached.index
        whole = index.revision < 0
        rows = _changed_rows(unit, index.revision)
        index.apply(
            rows,
            postings=unit.postings.read(
                identity=self.analyser, numbers=None if whole else [int(row[0]) for row in rows]
            ),
            blocks=[] if self.embedding is None else unit.vectors(self.embedding).read(after=index.revision),
            said=_said(unit, index.said),
        )
        index.revision, index.epoch = state.revision, state.epoch
        people = unit.people.all()
        cached.names = {number: person.name for number, person in people.items()}
        cached.feels = unit.felt.any()
        cached.own = {
            person.role: number
            for number, person in people.items()
            if person.external == (unit.scope.user if person.role is Role.USER else unit.scope.character)
        }
        if whole or not index.session_numbers <= cached.sessions.keys():
            cached.sessions = unit.log.session_names()
        cached.index = index
        self._weigh(unit.scope.uid, cached)

    def _weigh(self, scope: bytes, cached: _Cached) -> None:
        """Count what an index holds by now; the least recently used ones go while all hold too much."""
        with self._cache_lock:
            if self._cache.get(scope) is not cached:
                return  # it has gone meanwhile
            held = cached.index.nbytes
            self._held += held - cached.held
            cached.held = held
            while self._held > self._cache_bytes and len(self._cache) > 1:
                _, oldest = self._cache.popitem(last=False)
                self._held -= oldest.held


_STATE = Fixed(
    select(
        scopes.c.revision,
        scopes.c.epoch,
        scopes.c.language,
        scopes.c.zone,
        select(func.min(messages.c.recorded_at))
        .where(messages.c.scope_id == bindparam("scope"), PROVISIONAL)
        .scalar_subquery()
        .label("waiting_since"),
    ).where(scopes.c.id == bindparam("scope"), scopes.c.uid == bindparam("uid"))
)


def _state(unit: Unit) -> State:
    rows = _STATE.run(unit.connection, {"scope": unit.scope.id, "uid": unit.scope.uid})
    if not rows:
        msg = f"the scope of {unit.scope.user!r} and {unit.scope.character!r} was erased"
        raise UnknownScope(msg)
    return State(*rows[0])


_ROWS = (
    select(
        memories.c.id,
        memory_scopes.c.position,
        memories.c.session_id,
        memories.c.subject_id,
        memories.c.at,
        memories.c.recorded_at,
        memories.c.retired_at,
        memories.c.valid_until,
        memories.c.importance,
        memories.c.confidence,
        memories.c.confirmed,
        memories.c.kind,
        memories.c.layer,
        memories.c.origin,
        memories.c.pinned,
        memories.c.status,
    )
    .join(memories, memories.c.id == memory_scopes.c.memory_id)
    .where(memory_scopes.c.scope_id == bindparam("scope"))
)
_READABLE_ROWS = Fixed(_ROWS.where(memories.c.status.in_([status.value for status in _READABLE])))
_CHANGED_ROWS = Fixed(_ROWS.where(memory_scopes.c.change > bindparam("after")))


def _changed_rows(unit: Unit, after: int) -> list[tuple[Any, ...]]:
    query = _READABLE_ROWS if after < 0 else _CHANGED_ROWS
    rows = query.run(unit.connection, {"scope": unit.scope.id, "after": after})
    return [_index_row(row) for row in rows]


def _index_row(row: Any) -> tuple[Any, ...]:
    numbers = tuple(-1 if value is None else value for value in row[2:8])
    return (
        row[0],
        row[1],
        *numbers,
        row[8],
        -1.0 if row[9] is None else row[9],
        row[10],
        _KIND[row[11]],
        -1 if row[12] is None else _LAYER[row[12]],
        row[13] == Origin.RULE,
        row[14],
        row[15] == Status.CONFIRMED,
        row[15] in (Status.REPLACED, Status.FADED),
    )


_SAID = Fixed(
    select(messages.c.position)
    .where(
        messages.c.scope_id == bindparam("scope"),
        messages.c.role == Role.USER.value,
        messages.c.position > bindparam("after"),
        messages.c.state.in_([MessageState.SETTLED.value, MessageState.HIDDEN.value]),
    )
    .order_by(messages.c.position)
)


def _said(unit: Unit, known: IntArray) -> IntArray:
    last = int(known[-1]) if len(known) else -(2**62)
    rows = _SAID.run(unit.connection, {"scope": unit.scope.id, "after": last})
    added = np.array(rows, dtype=np.int64).reshape(-1)
    return np.concatenate((known, added)) if len(added) else known
