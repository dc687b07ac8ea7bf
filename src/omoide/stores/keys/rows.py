"""Data keys in rows of a database, one for each owner, beside a head that tells whether all are there.

Nothing is held: whoever needs a key asks for the head and that row in one question, so what another process
has made or erased is seen at once. Changes hold the head's lock and are one transaction.

A keyring that lies there whole, as earlier releases wrote it or as a copy brought it, is spread into rows by
the first who opens it. Earlier releases refuse the head by its format from then on, and write nothing.
"""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from omoide.errors import KeyWrong, Tampered
from omoide.stores.keys.content import damaged, joined, mark, total_of
from omoide.stores.sealing import KEY_BYTES, Blinder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from omoide.stores.keys.content import Body
    from omoide.stores.keys.database_place import DatabasePlace, Held
    from omoide.stores.keys.vault import Vault

T = TypeVar("T")


class RowKeys:
    """The data keys in rows of a database."""

    def __init__(self, place: DatabasePlace, vault: Vault) -> None:
        self._place = place
        self._vault = vault
        self._turn = threading.RLock()
        self._tag_key = vault.tag_key(self._opened(vault))

    @property
    def epoch(self) -> int:
        """How many owners were erased."""
        return self._again(lambda vault: self._look(vault, [])[0].epoch)

    def of(self, owners: Iterable[str]) -> dict[str, bytes]:
        """The keys of those who have one."""
        tags = {self._tag(owner): owner for owner in owners}

        def look(vault: Vault) -> dict[str, bytes]:
            _, wrapped = self._look(vault, list(tags))
            return {tags[tag]: vault.unwrap(tag, key) for tag, key in wrapped.items()}

        return self._again(look)

    def make(self, owner: str) -> bytes:
        """The key of an owner, made if there is none."""
        tag = self._tag(owner)

        def add(vault: Vault) -> bytes:
            with self._changing(vault) as (held, head):
                known = held.key(tag)
                if known is not None:
                    return vault.unwrap(tag, known)
                key = os.urandom(KEY_BYTES)
                wrapped = vault.wrap(tag, key)
                held.add({tag: wrapped})
                held.write(vault.write(_counted(head, mark(wrapped))))
                return key

        return self._again(add)

    def forget(self, owner: str) -> bool:
        """Destroy an owner's key; False if there was none."""
        tag = self._tag(owner)

        def remove(vault: Vault) -> bool:
            with self._changing(vault) as (held, head):
                known = held.key(tag)
                if known is None:
                    return False
                held.remove(tag)
                held.write(vault.write(replace(_counted(head, -mark(known)), epoch=head.epoch + 1)))
                return True

        gone = self._again(remove)
        if gone:
            self._place.sweep()
        return gone

    def rotate(self, new: Vault) -> None:
        """Wrap everything under a new master key."""
        with self._turn:  # no other thread is refused because it looks with the old key
            vault = self._vault
            with self._changing(vault) as (held, _):
                whole = vault.read(joined(held.content, held.keys()))  # which refuses if keys are missing
                _spread(held, vault.rewrapped(whole, new=new), new)
            self._vault = new
        self._place.sweep()

    def _opened(self, vault: Vault) -> Body:
        """The head, once keys that lie there whole are in rows, and none is missing."""
        if vault.read(self._place.head()).keys is not None:
            with self._place.changing() as held:
                _settled(held, vault)
            self._place.sweep()
        content, total = self._place.weighed()
        head = vault.read(content)
        if head.total != total:
            raise Tampered(damaged(vault.name))
        return head

    def _again(self, attempt: Callable[[Vault], T]) -> T:
        """What comes of it under the master key in use; again where this process has rotated it meanwhile."""
        while True:
            vault = self._vault
            try:
                return attempt(vault)
            except KeyWrong:
                with self._turn:
                    if self._vault is vault:
                        raise

    def _look(self, vault: Vault, tags: list[str]) -> tuple[Body, dict[str, str]]:
        content, wrapped = self._place.look(tags)
        head = vault.read(content)
        if head.keys is not None:  # a copy was put there
            self._opened(vault)
            return self._look(vault, tags)
        self._refuse_other_tags(vault, head)
        return head, wrapped

    @contextmanager
    def _changing(self, vault: Vault) -> Iterator[tuple[Held, Body]]:
        with self._place.changing() as held:
            head = _settled(held, vault)
            self._refuse_other_tags(vault, head)
            yield held, head

    def _refuse_other_tags(self, vault: Vault, head: Body) -> None:
        if vault.tag_key(head) != self._tag_key:
            msg = f"another keyring lies at {vault.name!r} since the store was opened; open it anew"
            raise KeyWrong(msg)

    def _tag(self, owner: str) -> str:
        return Blinder(self._tag_key).tag(owner, purpose="owner").hex()


def _settled(held: Held, vault: Vault) -> Body:
    """The head, whose keys lie in rows from now on."""
    body = vault.read(held.content)
    return body if body.keys is None else _spread(held, body, vault)


def _spread(held: Held, body: Body, vault: Vault) -> Body:
    keys = body.keys or {}
    held.clear()
    held.add(keys)
    head = replace(body, keys=None, total=total_of(keys))
    held.write(vault.write(head))
    return head


def _counted(head: Body, change: int) -> Body:
    return replace(head, total=(head.total or 0) + change)
