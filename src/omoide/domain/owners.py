"""Names of those who own memories, users and characters: one rule, whichever way a name comes in."""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.kinds import check_kind
from omoide.domain.text import composed, is_blank
from omoide.errors import InvalidInput

_SHOWN: Final = 80
"""Characters of a wrong name that a message shows."""

_NO_LINE: Final = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]")
"""Control characters, line breaks of any kind and halves of surrogate pairs.

Signs that join or direct others (ZWJ, ZWNJ, direction marks) belong to emoji and to many scripts.
"""


def is_owner_name(name: str) -> bool:
    """Whether a name is one line with something to see in it."""
    return not is_blank(name) and _NO_LINE.search(name) is None


def owner_name(name: str, *, what: str) -> str:
    """A name in the one form that it is known by.

    Args:
        name: as it was given.
        what: whose it is, for the message, such as ``user``.

    Raises:
        InvalidInput: it is no text or blank, or is not one line without control characters.
    """
    check_kind(name, str, name=f"the name of a {what}", needed=True)
    if is_blank(name):
        msg = f"a {what} needs a name, got {name[:_SHOWN]!r}; give one that can be seen"
        raise InvalidInput(msg)
    if not is_owner_name(name):
        msg = (
            f"the name of a {what} is one line without control characters, got {name[:_SHOWN]!r}; "
            "leave them out"
        )
        raise InvalidInput(msg)
    return composed(name)
