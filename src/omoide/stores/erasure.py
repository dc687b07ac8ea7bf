"""Erasing a user in steps, of which each is done or not, and which anybody can finish (ruling 26, F10).

First their scopes are shut: in one transaction each gives its id and its name away, and the copies of its
vectors go. From then on nobody finds it, whoever still holds its key, and its user may begin anew. Then the
key is destroyed; then the rows are deleted, scope by scope. What stops an erasure in between leaves scopes
that are shut. They are found by the blinded name of their user, for which no key is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.stores.debts import Debts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from omoide.stores.scopes import ScopeRow, ShutScope
    from omoide.stores.store import Store


@dataclass(frozen=True, kw_only=True, slots=True)
class Erased:
    """What an erasure took away; the user's key is gone with it, for ever.

    `copies_wait` tells that copies of vectors still lie in an index that cannot be reached; they are taken
    out when it can be.
    """

    scopes: int
    memories: int
    messages: int
    key_destroyed: bool
    scrubbed: bool
    copies_wait: bool = False


class Erasure:
    """The steps of an erasure; each may be done again."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def shut(self, user: str | None) -> list[ShutScope]:
        """Shut every scope of a user, or without one those of users that no key opens.

        Returns:
            All that are shut now, also by earlier erasures; none where the user was never seen.
        """
        store = self._store
        with store.database.write() as connection:
            rows = (
                store.scopes.unopened(connection) if user is None else store.scopes.of_user(connection, user)
            )
            for row in rows:
                self._shut(connection, row)
            shut = store.scopes.shut_ones(connection, user=user)
        for row in rows:
            store.drop_cache(row)
        return shut

    def destroy_key(self, user_tag: bytes) -> bool:
        """Destroy the key of a user, by their blinded name; whether there was one.

        One who has come back since keeps the new one.
        """
        with self._store.database.write() as connection:
            return self._store.scopes.destroy_key(connection, user_tag)

    def delete(self, shut: ShutScope) -> tuple[int, int]:
        """Delete the rows of a scope that is shut; how many memories and messages they were."""
        return self._store.delete_shut(shut)

    def copies_wait(self, shut: Sequence[ShutScope]) -> bool:
        """Whether an index out of reach still holds copies of vectors of these scopes."""
        with self._store.database.read() as connection:
            owing = Debts(connection, tenant=self._store.tenant).scopes()
        return any(one.row.uid in owing for one in shut)

    def _shut(self, connection: Connection, row: ScopeRow) -> None:
        self._store.database.also(connection, scope=row.id)  # who writes to it now is waited for
        self._store.index.erase(connection, row)
        self._store.scopes.shut(connection, row)
