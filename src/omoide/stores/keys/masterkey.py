"""The master key, which opens the keyring: where it comes from, and its text."""

from __future__ import annotations

import base64
import binascii
import hmac
import os
import shlex
import stat
import subprocess
from typing import TYPE_CHECKING, BinaryIO

from omoide.errors import InvalidInput, KeyMissing, KeyWrong, SealError
from omoide.stores.keys.private_file import locked, make_folder, our_errors, replace
from omoide.stores.sealing import KEY_BYTES, derive

if TYPE_CHECKING:
    from pathlib import Path

_HEADER = "omoide-key-1"
_NOTE = "# The master key of an Omoide store: whoever has it can read every memory. Keep a copy elsewhere."


class MasterKey:
    """Thirty-two random bytes that every data key is wrapped under. They never show in a message or a repr.

    Raises:
        InvalidInput: the key has not 32 bytes.
    """

    __slots__ = ("_key", "fingerprint")

    fingerprint: str
    """Twelve hexadecimal digits that tell this key from others and may be shown to anyone."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self.fingerprint = derive(key, "fingerprint of a master key")[:6].hex()

    def __repr__(self) -> str:
        return f"MasterKey(fingerprint={self.fingerprint!r})"

    @classmethod
    def load(cls, *, env: str | None, command: str | None, file: Path, time_limit: float = 30.0) -> MasterKey:
        """Take the key from the first of three places that is given.

        Args:
            env: the value of the environment variable: 32 bytes as base64, or what `export` gives.
                Empty counts as not given.
            command: a command that prints the same; it is run without a shell, and its messages are shown.
            file: the key file, as `create` writes it.
            time_limit: seconds that the command may take.

        Raises:
            KeyMissing: nothing is given and the file is not there.
            KeyWrong: what was found is no key, or a part of one.
            SealError: the command failed, or others may read the file.
            StoreError: the file cannot be read.
        """
        if env and env.strip():
            return cls._parse(env, source="the environment")
        if command and command.strip():
            return cls._parse(_printed_by(command, time_limit), source="the key command")
        return cls._parse(_content(file), source=f"the file {str(file)!r}")

    @classmethod
    def create(cls, file: Path) -> MasterKey:
        """Make a new random key and write its file, as `save` does."""
        key = cls(os.urandom(KEY_BYTES))
        key.save(file)
        return key

    def save(self, file: Path) -> None:
        """Write the key file: mode 0600, whole or not at all, in a folder of mode 0700 if that is new.

        Raises:
            InvalidInput: there is a file of that name; a key is never overwritten.
            StoreError: it cannot be written.
        """
        make_folder(file.parent)
        with locked(file):
            if file.exists():
                msg = f"there is a key file {str(file)!r} already; move it away, for none is overwritten"
                raise InvalidInput(msg)
            replace(file, self._content())

    def put(self, file: Path) -> None:
        """Write the key file in place of an older one: whole or not at all, its old bytes overwritten.

        Raises:
            StoreError: it cannot be written; the older one is still there.
        """
        with locked(file):
            replace(file, self._content(), overwrite_old=True)

    def export(self) -> str:
        """One line to keep in another place: a header, the key as base64, and its fingerprint as a check."""
        return f"{_HEADER} {base64.b64encode(self._key).decode()} {self.fingerprint}"

    @classmethod
    def parse(cls, text: str) -> MasterKey:
        """Read what `export` gave, or 32 bytes as base64; lines that begin with ``#`` are notes.

        Raises:
            KeyWrong: it is no key, or it was cut off or changed.
        """
        return cls._parse(text, source="the given text")

    def derive(self, purpose: str) -> bytes:
        """Make a key of 32 bytes for one purpose."""
        return derive(self._key, purpose)

    def _content(self) -> bytes:
        return f"{_NOTE}\n{self.export()}\n".encode()

    @classmethod
    def _parse(cls, text: str, *, source: str) -> MasterKey:
        lines = (
            line for line in text.removeprefix("\ufeff").splitlines() if not line.lstrip().startswith("#")
        )
        words = " ".join(lines).split()
        match words:
            case [value]:
                return cls(_bytes_of(value, source))
            case [header, value, check] if header == _HEADER:
                key = cls(_bytes_of(value, source))
                if hmac.compare_digest(key.fingerprint.encode(), check.lower().encode()):
                    return key
                msg = f"the master key from {source} does not fit its check: it was cut off or changed"
            case _:
                msg = f"{source} holds {len(words)} words, not a whole master key: it was cut off"
        raise KeyWrong(f"{msg}; restore it from your copy (`omoide key import`)")


def _bytes_of(value: str, source: str) -> bytes:
    padded = value.rstrip("=")
    padded = padded.replace("-", "+").replace("_", "/") + "=" * (-len(padded) % 4)
    try:
        key = base64.b64decode(padded, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        msg = (
            f"{source} holds no master key: that is {KEY_BYTES} bytes as base64, 44 characters, "
            f"got {len(value)} characters; restore it from your copy (`omoide key import`)"
        )
        raise KeyWrong(msg)
    return key


def _content(file: Path) -> str:
    with our_errors(file), _opened(file) as opened:
        mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
        if mode & 0o077 and os.name != "nt":
            way_out = f"run: chmod 600 {shlex.quote(str(file))}"
            msg = f"others may read the key file {str(file)!r} (mode {mode:04o}); {way_out}"
            raise SealError(msg)
        return opened.read().decode(errors="replace")


def _opened(file: Path) -> BinaryIO:
    try:
        return file.open("rb")
    except FileNotFoundError:
        msg = (
            f"there is no master key: none in the environment, no command for it, and no file {str(file)!r}; "
            "restore it from your copy (`omoide key import`)"
        )
        raise KeyMissing(msg) from None


def _printed_by(command: str, time_limit: float) -> str:
    program = "?"
    try:
        arguments = shlex.split(command)
        program = arguments[0]  # the rest may hold a password
        done = subprocess.run(  # noqa: S603 -- the operator's own command, and no shell reads it
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=time_limit, check=False
        )
    except subprocess.TimeoutExpired:
        msg = f"the key command {program!r} printed no key within {time_limit:g} seconds; run it by hand"
        raise SealError(msg) from None
    except (OSError, ValueError) as error:
        msg = f"the key command {program!r} cannot be run ({error}); give a program and its arguments"
        raise SealError(msg) from error
    if done.returncode:
        msg = f"the key command {program!r} ended with code {done.returncode}; run it by hand to see why"
        raise SealError(msg)
    printed = done.stdout.decode(errors="replace")
    if not printed.strip():
        msg = f"the key command {program!r} printed nothing; see whether what it asks is within reach"
        raise SealError(msg)
    return printed
