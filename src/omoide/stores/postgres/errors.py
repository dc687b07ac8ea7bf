"""What PostgreSQL and its driver report, in our words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from omoide.errors import (
    InvalidInput,
    StoreBusy,
    StoreConflict,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreLost,
    StoreReadOnly,
)

if TYPE_CHECKING:
    from omoide.errors import OmoideError

READ_ONLY = "25006"
_DENIED_STATE = "42501"

_ALL_RIGHTS = (
    "let it own the database, or have the owner grant it usage and create on the schema, and all on its "
    "tables and sequences"
)
_RIGHTS = f"its role lacks a right; {_ALL_RIGHTS}"
_DENIED = re.compile(r"permission denied for (table|sequence|schema|database|relation) (.+)")
_NOT_MINE = re.compile(r"must be owner of (\w+) (.+)")
_WALL = re.compile(r"new row violates row-level security policy .*for table (.+)")
_NEEDED = {
    "table": "SELECT, INSERT, UPDATE, DELETE ON {}",
    "sequence": "USAGE ON SEQUENCE {}",
    "schema": "USAGE, CREATE ON SCHEMA {}",
    "database": "CONNECT ON DATABASE {}",
}
_RIGHT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE)\b", re.IGNORECASE)
_UNKNOWN_PARAMETER = re.compile(r'invalid (?:connection option|URI query parameter):? "([^"]*)"')
_POOLED = (
    "a pooler in transaction mode stands between that does not keep prepared statements apart; set its "
    "max_prepared_statements, or add ?prepare_threshold=none to the URL; nothing was changed"
)
_BY_STATE: dict[str, tuple[type[OmoideError], str]] = {
    "23503": (StoreConflict, "what it belongs to was erased meanwhile; nothing was changed, try again"),
    "40001": (StoreConflict, "another transaction changed the same rows; nothing was changed, try again"),
    "40P01": (StoreConflict, "two transactions waited for each other; nothing was changed, try again"),
    "55P03": (StoreBusy, "another transaction kept it locked for too long; nothing was changed, try again"),
    "57014": (StoreBusy, "the statement took too long and was ended; nothing was changed"),
    "53300": (StoreBusy, "the server has no connection left; make its max_connections larger or `pool` less"),
    "53100": (StoreFull, "the server's disk is full; nothing was changed"),
    READ_ONLY: (StoreReadOnly, "the server takes no writes: a standby, or read-only by its settings"),
    _DENIED_STATE: (StoreReadOnly, _RIGHTS),
    "3F000": (StoreReadOnly, _RIGHTS),
    "42P01": (StoreCorrupt, "a table of it is missing; restore a backup"),
    "28P01": (StoreError, "the server refused the password"),
    "28000": (StoreError, "the server does not let the role in"),
    "3D000": (StoreError, "there is no such database on the server; create it first"),
    "26000": (StoreError, _POOLED),
    "42P05": (StoreError, _POOLED),
    "22003": (InvalidInput, "a number is larger than the database can hold"),
    "22021": (InvalidInput, "a text holds a character that the database cannot hold, such as NUL"),
}
_NOT_LET_IN = ("28P01", "28000", "3D000", "26000", "42P05")
_BEFORE_COMMIT = ("25P03", "25P04")
"""States of a session that was ended while it waited for us: its transaction is undone for certain."""

_LOST = ("08", "57P", *_BEFORE_COMMIT)
"""Classes of states of a connection that broke, or of a server that shuts down or starts."""

_ON_CONNECTING = (
    (r"password authentication failed|no password supplied|auth\w* failed", "28P01"),
    (r"role .* does not exist|not permitted to log in|pg_hba\.conf", "28000"),
    (r"database .* does not exist", "3D000"),
    (r"too many (clients|connections)|remaining connection slots", "53300"),
    (r"permission denied", "42501"),
)
"""What a server says when it refuses a connection, which the driver passes on without a state."""


def driver_error() -> type[Exception]:
    """The root of the driver's own errors."""
    from psycopg import Error

    return Error


def is_lost(error: BaseException | None) -> bool:
    """Whether the connection is gone, rather than a statement refused."""
    from psycopg import InterfaceError, OperationalError

    if isinstance(error, DBAPIError):
        return error.connection_invalidated or is_lost(error.orig)
    state = _state(error)
    if state:
        return state.startswith(_LOST)
    return isinstance(error, OperationalError | InterfaceError)


def surely_undone(error: DBAPIError) -> bool:
    """Whether a transaction whose commit failed has certainly written nothing."""
    return not is_lost(error) or _state(error.orig) in _BEFORE_COMMIT


def translated(error: BaseException | None, *, name: str) -> OmoideError:
    """An error of the driver's as one of ours.

    Args:
        error: of the driver or of SQLAlchemy.
        name: of the store, as it is shown.
    """
    statement = ""
    lost = is_lost(error)
    if isinstance(error, DBAPIError):
        statement, error = error.statement or "", error.orig
    state = _state(error)
    if state in _BY_STATE:
        kind, reason = _BY_STATE[state]
        if state == _DENIED_STATE:
            reason = _lacked(_said(error), statement) or reason
        return kind(f"the store {name!r} cannot be used: {reason}")
    if lost:
        return StoreLost(
            f"the store {name!r} cannot be reached, or the connection broke; nothing was changed; "
            "check that its server runs, and its host and port"
        )
    if unknown := unknown_parameter(error, name=name):
        return unknown
    told = f"{type(error).__name__} {state}".rstrip()
    return StoreError(f"the store {name!r} cannot be used: the database refused: {told}")


def unknown_parameter(error: BaseException | None, *, name: str) -> InvalidInput | None:
    """What tells of a parameter of a URL that libpq does not know; None for all other errors."""
    found = _UNKNOWN_PARAMETER.search(str(error))
    if found is None:
        return None
    return InvalidInput(f"the URL of {name!r} holds {found[1]!r}, which is no parameter of libpq")


def not_let_in(error: BaseException | None) -> str | None:
    """Why a server that is there is of no use: password, role, database or pooler; None for all else."""
    state = _state(error)
    return _BY_STATE[state][1] if state in _NOT_LET_IN else None


def _lacked(said: str, statement: str) -> str | None:
    """Which right a role lacks, as far as the server tells; None where it speaks another language.

    Args:
        said: by the server.
        statement: that it refused, as far as it is known; its first word is a right to a table.
    """
    if found := _DENIED.search(said):
        what, name = found[1].replace("relation", "table"), found[2]
        right = _RIGHT.match(statement) if what == "table" else None
        lacked = f"the right {right[1].upper()} on" if right else "a right on"
        return (
            f"its role lacks {lacked} the {what} {name!r}, and may lack more, which `omoide doctor` lists: "
            f"GRANT {_NEEDED[what].format(name)} gives this one; for all, {_ALL_RIGHTS}"
        )
    if found := _NOT_MINE.search(said):
        return f"its role does not own the {found[1]} {found[2]!r}, and only its owner may do this"
    if found := _WALL.search(said):
        return f"a row of another tenant was to be written to the table {found[1]}; nothing was changed"
    return None


def _said(error: BaseException | None) -> str:
    """What the server said first, which names tables and never holds values."""
    return getattr(getattr(error, "diag", None), "message_primary", None) or ""


def _state(error: BaseException | None) -> str:
    """The five letters that the server gave, or would have given; empty where there are none."""
    from psycopg import DataError, OperationalError

    state = getattr(error, "sqlstate", None)
    if state is not None:
        return str(state)
    if isinstance(error, DataError):  # the driver sends no NUL
        return "22021"
    if isinstance(error, OperationalError):
        for said, known in _ON_CONNECTING:
            if re.search(said, str(error)):
                return known
    return ""
