"""Values of a wrong type, told of where they come in."""

from __future__ import annotations

from typing import Final

from omoide.errors import InvalidInput

_SHOWN: Final = 80
"""Characters of a wrong value that a message shows."""


def check_kind(value: object, kind: type, *, name: str, needed: bool = False) -> None:
    """Raise `InvalidInput` for a value that is of another type; None passes where it is not needed.

    Args:
        value: as it was given.
        kind: what it has to be.
        name: what it is, for the message, such as ``a session's name``.
        needed: whether None is wrong as well.
    """
    if not isinstance(value, kind) and (needed or value is not None):
        msg = f"{name} is of the type {kind.__name__}, got {repr(value)[:_SHOWN]}"
        raise InvalidInput(msg)
