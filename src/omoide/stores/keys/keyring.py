"""The keyring: every owner's data key, wrapped by the master key, apart from the store (ruling 26).

A backup of the store does not hold it. So erasing an owner from the keyring shuts what was sealed for them in
every backup of the store too, as long as the copies of the keyring with a lower epoch are destroyed.

It lies in a file, whole, or in a database that several machines reach, a row for each owner. A check makes
damage an error rather than a lost key.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from omoide.errors import InvalidInput, KeyMissing
from omoide.stores.keys.masterkey import MasterKey
from omoide.stores.keys.places import FilePlace
from omoide.stores.keys.rows import RowKeys
from omoide.stores.keys.vault import Vault
from omoide.stores.keys.whole import WholeKeys

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omoide.stores.keys.database_place import DatabasePlace

__all__ = ["Keyring", "MasterKey"]


class Keyring:
    """The data keys of one store. Threads and processes may share them; each sees the others' changes."""

    def __init__(self, place: FilePlace | DatabasePlace, *, store_id: str, keys: WholeKeys | RowKeys) -> None:
        self._place = place
        self._store_id = store_id
        self._keys = keys

    @classmethod
    def open(
        cls, place: Path | FilePlace | DatabasePlace, master: MasterKey, *, store_id: str, create: bool
    ) -> Keyring:
        """Open the keyring of a store.

        Args:
            place: its file, or where else it lies.
            master: the key that it is wrapped under.
            store_id: the id of the store that it belongs to.
            create: make a new one if there is none. Say so for a new store only: what an existing store holds
                does not open with new keys.

        Raises:
            KeyMissing: there is none, and `create` is false.
            KeyWrong: it is wrapped under another master key, or belongs to another store.
            Tampered: it is damaged. Nothing was changed.
            StoreError: it cannot be read or written.
        """
        if isinstance(place, Path):
            place = FilePlace(place)
        vault = Vault(master, store_id=store_id, name=place.name)
        try:
            if create:
                place.begin(vault.write(vault.fresh()))
            return cls(place, store_id=store_id, keys=_keys(place, vault))
        except BaseException:
            place.close()
            raise

    @property
    def store_id(self) -> str:
        """The id of the store that it belongs to."""
        return self._store_id

    @property
    def name(self) -> str:
        """Where it lies, as it is shown."""
        return self._place.name

    @property
    def epoch(self) -> int:
        """How many owners were erased so far; a copy of the keyring with a lower epoch must be destroyed."""
        return self._keys.epoch

    def data_key(self, owner: str, *, create: bool) -> bytes:
        """The data key of an owner, 32 bytes.

        Ask anew for every transaction rather than keeping it: another process may have erased the owner.

        Args:
            owner: tenant, kind and name, such as ``/user:minjun``; only a keyed tag of it is kept.
            create: make a key if the owner has none.

        Raises:
            InvalidInput: the owner is empty.
            KeyMissing: the owner has no key, and `create` is false; or the keyring is gone.
            KeyWrong: another process rotated the master key.
            Tampered: the keyring is damaged.
            StoreError: it cannot be read or written.
        """
        if not owner:
            msg = f"an owner has a name, got {owner!r}"
            raise InvalidInput(msg)
        found = self._keys.of([owner]).get(owner)
        if found is not None:
            return found
        if create:
            return self._keys.make(owner)
        msg = "there is no such data key: its owner was erased, or nothing was ever stored for them"
        raise KeyMissing(msg)

    def data_keys(self, owners: Iterable[str]) -> dict[str, bytes]:
        """The data keys of those owners who have one, for one transaction that needs many.

        Raises:
            KeyMissing, KeyWrong, Tampered, StoreError: as for `data_key`.
        """
        return self._keys.of(owners)

    def answers(self) -> bool:
        """Whether where it lies gives any sign within two seconds."""
        return self._place.answers()

    def close(self) -> None:
        """Let go of the place."""
        self._place.close()

    def forget(self, owner: str) -> bool:
        """Destroy an owner's key; what it sealed stays shut, also in backups of the store.

        Returns:
            False if the owner had no key.

        Raises:
            KeyMissing, KeyWrong, Tampered, StoreError: as for `data_key`.
        """
        return self._keys.forget(owner)

    def rotate(self, new: MasterKey) -> None:
        """Wrap everything under a new master key, in one step; the data keys stay as they are.

        Other processes that hold the old key get `KeyWrong` from then on, until they load the new one.

        Raises:
            KeyMissing, KeyWrong, Tampered, StoreError: as for `data_key`; the old master key still fits.
        """
        self._keys.rotate(Vault(new, store_id=self._store_id, name=self._place.name))


def _keys(place: FilePlace | DatabasePlace, vault: Vault) -> WholeKeys | RowKeys:
    return WholeKeys(place, vault) if isinstance(place, FilePlace) else RowKeys(place, vault)
