"""Long work in steps: what was done of it is sealed in one row, so that a break costs one step at most (K9).

A job's body belongs to the store rather than to one scope: it holds what several characters said to each
other, and nothing of a user.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update

from omoide.domain.instants import from_micros
from omoide.errors import NotFound, Superseded
from omoide.stores.scopes import new_uid, uid_text
from omoide.stores.tables import jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row

    from omoide.stores.store import Store

_SEALED = "jobs"
"""The purpose of the key that seals bodies."""


class JobState(StrEnum):
    """Where a job stands.

    An open one is under way, or was broken off; a failed one says why. Both can be resumed. One in review has
    done all that it can, and waits for an author.
    """

    OPEN = "open"
    FAILED = "failed"
    REVIEW = "review"
    DONE = "done"


@dataclass(frozen=True, kw_only=True, slots=True)
class JobRow:
    """One job: its body, and the mark of that body, which tells whether somebody else has gone on with it."""

    id: str
    kind: str
    state: JobState
    body: str
    mark: bytes
    created_at: datetime
    updated_at: datetime


class Jobs:
    """The jobs of a store. All methods block, and each is one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tenant = store.scopes.tenant
        self._sealer = store.scopes.common(_SEALED)

    def add(self, kind: str, body: str) -> JobRow:
        """Write down a new job."""
        uid, now = new_uid(), self._store.now()
        with self._store.database.write() as connection:
            connection.execute(
                insert(jobs).values(
                    tenant=self._tenant,
                    uid=uid,
                    kind=kind,
                    state=JobState.OPEN.value,
                    body_sealed=self._sealer.seal_text(body, row=uid),
                    created_at=now,
                    updated_at=now,
                )
            )
            return self._found(connection, uid_text(uid))

    def get(self, job: str) -> JobRow:
        """One job.

        Raises:
            NotFound: there is none of that id.
        """
        with self._store.database.read() as connection:
            return self._found(connection, job)

    def all(
        self, kind: str, *, states: Sequence[JobState] = tuple(JobState), limit: int = 100
    ) -> list[JobRow]:
        """Jobs of a kind, newest first."""
        query = (
            select(jobs)
            .where(self._own(), jobs.c.kind == kind, jobs.c.state.in_([state.value for state in states]))
            .order_by(jobs.c.id.desc())
            .limit(limit)
        )
        with self._store.database.read() as connection:
            return [self._opened(row) for row in connection.execute(query)]

    def put(self, job: JobRow, *, state: JobState, body: str) -> JobRow:
        """Write down how far a job has come.

        Raises:
            Superseded: somebody else has gone on with it since it was read; nothing was written.
        """
        uid = UUID(job.id).bytes
        values = {
            "state": state.value,
            "body_sealed": self._sealer.seal_text(body, row=uid),
            "updated_at": self._store.now(),
        }
        # A sealed body is never written twice alike, so it marks the version that was read.
        version = self._own() & (jobs.c.uid == uid) & (jobs.c.body_sealed == job.mark)
        same = update(jobs).where(version).values(values)
        with self._store.database.write() as connection:
            if connection.execute(same).rowcount != 1:
                msg = f"the job {job.id!r} goes on elsewhere; look at it again with `omoide jobs {job.id}`"
                raise Superseded(msg)
            return self._found(connection, job.id)

    def _own(self) -> ColumnElement[bool]:
        return jobs.c.tenant == self._tenant

    def revise(self, connection: Connection, change: Callable[[str], str | None]) -> int:
        """Let bodies be what a rule makes of them, within a transaction; returns how many changed or went.

        Args:
            connection: of the transaction.
            change: gives a body as it shall be; None removes the job, and another one waits for an author.
                Who goes on with it is told so, see `put`.
        """
        count = 0
        for row in connection.execute(select(jobs)).all():
            body = self._sealer.open_text(row.body_sealed, row=row.uid)
            changed = change(body)
            if changed == body:
                continue
            mine, count = jobs.c.uid == row.uid, count + 1
            if changed is None:
                connection.execute(delete(jobs).where(mine))
            else:
                sealed = self._sealer.seal_text(changed, row=row.uid)
                connection.execute(
                    update(jobs).where(mine).values(body_sealed=sealed, state=JobState.REVIEW.value)
                )
        return count

    def _found(self, connection: Connection, job: str) -> JobRow:
        try:
            uid = UUID(job).bytes
        except ValueError:
            uid = b""
        row = connection.execute(select(jobs).where(self._own(), jobs.c.uid == uid)).first()
        if row is None:
            msg = f"no job has the id {job!r}; `omoide jobs` lists them"
            raise NotFound(msg)
        return self._opened(row)

    def _opened(self, row: Row[Any]) -> JobRow:
        return JobRow(
            id=uid_text(row.uid),
            kind=row.kind,
            state=JobState(row.state),
            body=self._sealer.open_text(row.body_sealed, row=row.uid),
            mark=row.body_sealed,
            created_at=from_micros(row.created_at),
            updated_at=from_micros(row.updated_at),
        )
