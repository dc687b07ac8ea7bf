"""Where a keyring lies, and the file of one: apart from the store, for its owner alone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO, Protocol

from omoide.errors import KeyMissing
from omoide.stores.keys import private_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

Stamp = object
"""What tells a version from every other one; compared for equality only."""


class Place(Protocol):
    """Holds the content of one keyring, sealed. All methods block."""

    @property
    def name(self) -> str:
        """As it is shown; without a password."""

    def read(self) -> bytes:
        """All that lies there, of one moment.

        Raises:
            KeyMissing: there is none.
            Tampered: keys are missing.
            StoreError: it cannot be read.
        """

    def begin(self, content: bytes) -> None:
        """Put the first content there, unless there is some."""

    def revise(self, change: Callable[[bytes], bytes | None]) -> None:
        """Put in place of all content what is made of it, whole or not at all, with all others kept out.

        Args:
            change: gives the new content; None leaves the old one. The old one is overwritten, as far as the
                place lets us.
        """

    def remove(self) -> None:
        """Undo `begin`: what lies there goes, and what is sealed with it opens no more."""

    def answers(self) -> bool:
        """Whether it gives any sign within two seconds."""

    def close(self) -> None:
        """Let go of what it holds open."""


class FilePlace:
    """A file that only its owner may read.

    Attributes:
        path: where it lies; a link stays a link, and all its names share one lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.name = str(self.path)

    def stamp(self) -> Stamp | None:
        """The stamp of the version that lies there now; None where it cannot be told."""
        try:
            return private_file.stamp_of(self.path.stat())
        except OSError:
            return None

    def version(self) -> tuple[bytes, Stamp]:
        """The file's content, and its stamp."""
        with private_file.our_errors(self.path), _opened(self.path) as file:
            return file.read(), private_file.stamp_of(os.fstat(file.fileno()))

    def read(self) -> bytes:
        """The file's content."""
        return self.version()[0]

    def begin(self, content: bytes) -> None:
        """Write the file, unless it is there."""
        if self.path.exists():
            return
        private_file.make_folder(self.path.parent)
        with private_file.locked(self.path):
            if not self.path.exists():
                private_file.replace(self.path, content)

    def locked(self) -> AbstractContextManager[None]:
        """Keep all other writers out, those of other processes too."""
        return private_file.locked(self.path)

    def replace(self, content: bytes, *, overwrite_old: bool) -> Stamp:
        """Write it whole, within `locked`; a crash leaves the old one or the new one. Returns its stamp.

        Args:
            content: all of it.
            overwrite_old: whether the bytes of the old one are overwritten, as far as the disk lets us.
        """
        private_file.replace(self.path, content, overwrite_old=overwrite_old)
        return self.stamp()

    def revise(self, change: Callable[[bytes], bytes | None]) -> None:
        """Write what is made of it, and overwrite the old one."""
        with self.locked():
            new = change(self.read())
            if new is not None:
                self.replace(new, overwrite_old=True)

    def remove(self) -> None:
        """Delete the file."""
        private_file.remove(self.path)

    def answers(self) -> bool:
        """True: a file is always there, be it gone."""
        return True

    def close(self) -> None:
        """Nothing is held open."""


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        msg = (
            f"the keyring {str(path)!r} is not there, and what is sealed does not open without it; "
            "put its newest copy back. Only a new store gets a new one"
        )
        raise KeyMissing(msg) from None
