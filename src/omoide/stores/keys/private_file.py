"""Files that only their owner may read: written whole or not at all, by one process at a time."""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from omoide.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_WAIT = 15.0
"""Seconds that a writer waits for another one."""

_PAUSE = 0.02
"""Seconds between two tries to get the lock."""

_BY_CODE = {
    errno.EACCES: (StoreReadOnly, "its permissions do not allow it; check who owns it and its folder"),
    errno.EPERM: (StoreReadOnly, "its permissions do not allow it; check who owns it and its folder"),
    errno.EROFS: (StoreReadOnly, "the disk is mounted read-only; choose another place"),
    errno.ENOSPC: (StoreFull, "the disk is full; nothing was changed"),
    errno.EDQUOT: (StoreFull, "the disk quota is used up; nothing was changed"),
}

Stamp = tuple[int, int, int]
"""What differs between two versions of a file: inode, nanoseconds of its last change, length."""


def stamp_of(status: os.stat_result) -> Stamp:
    """What tells this version of a file from every other one that `replace` has written."""
    return (status.st_ino, status.st_mtime_ns, status.st_size)


def make_folder(folder: Path) -> None:
    """Make the folder, for its owner alone; one that exists is left as it is."""
    with our_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def replace(path: Path, content: bytes, *, overwrite_old: bool = False) -> None:
    """Put new content in the file's place, with mode 0600; a crash leaves the old or the new, never a part.

    The caller holds `locked(path)`.

    Args:
        path: the file, which need not exist.
        content: all of it.
        overwrite_old: also overwrite the bytes of the old version on the disk, as far as the disk lets us.

    Raises:
        StoreError: it could not be written; the old version is still there.
    """
    # One fixed name: what a crash leaves behind is gone with the next write, so no erased key stays in it.
    fresh = path.with_name(f".{path.name}.tmp")
    with our_errors(path):
        fresh.unlink(missing_ok=True)
        try:
            _write(fresh, content)
            _make_later(fresh, than=path)
            with _old_bytes(path, overwrite=overwrite_old):
                fresh.replace(path)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)


def remove(path: Path) -> None:
    """Delete the file, and the lock beside it; nobody else may use it.

    Raises:
        StoreError: it could not be deleted.
    """
    with our_errors(path):
        path.unlink(missing_ok=True)
        _guard(path).unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep all other writers of the file out, those of this process and of others.

    Raises:
        StoreBusy: another one held the lock for 15 seconds.
    """
    guard = _guard(path)
    with our_errors(guard):
        descriptor = os.open(guard, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(descriptor, path)
        yield
    finally:
        os.close(descriptor)  # which unlocks it


@contextmanager
def our_errors(path: Path) -> Iterator[None]:
    """Turn the system's errors about a file into ours."""
    try:
        yield
    except OSError as error:
        kind, reason = _BY_CODE.get(
            error.errno or 0, (StoreError, f"{error.strerror}; check the path and the disk")
        )
        msg = f"{str(path)!r} cannot be read or written: {reason}"
        raise kind(msg) from error


def _guard(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


def _write(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _make_later(fresh: Path, *, than: Path) -> None:
    """Keep the stamps of versions apart, though the disk's clock is coarse and inodes are used again."""
    if not than.exists():
        return
    status, old = fresh.stat(), than.stat()
    os.utime(fresh, ns=(status.st_atime_ns, max(status.st_mtime_ns, old.st_mtime_ns + 1000)))


@contextmanager
def _old_bytes(path: Path, *, overwrite: bool) -> Iterator[None]:
    # Windows does not replace a file that is open.
    if not overwrite or os.name == "nt" or not path.exists():
        yield
        return
    with path.open("r+b") as old:
        yield
        # Another name for the same bytes is somebody's backup, which holds the keys of everyone else.
        if os.fstat(old.fileno()).st_nlink == 0:
            old.write(bytes(os.fstat(old.fileno()).st_size))
            old.flush()
            os.fsync(old.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: Path) -> None:
    deadline = time.monotonic() + _WAIT
    while not _try_lock(descriptor):
        if time.monotonic() > deadline:
            msg = f"another process kept {str(path)!r} locked for {_WAIT:.0f} seconds; try again"
            raise StoreBusy(msg)
        time.sleep(_PAUSE)


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in {errno.EAGAIN, errno.EACCES, errno.EDEADLK}:
            return False
        msg = f"the disk cannot lock files ({error.strerror}); keep the keyring on a local disk"
        raise StoreError(msg) from error
    return True
