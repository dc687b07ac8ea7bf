"""The schema that tables lie in: the one that search_path names first, and never one behind it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from omoide.errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy import URL

    from omoide.stores.postgres.connection import BoundedConnection

_GIVEN: Final = re.compile(r"(?:-c\s*|--)search[_-]path\s*=\s*((?:\\.|\S)*)", re.IGNORECASE)
_NAME: Final = re.compile(r'"((?:[^"]|"")+)"|([^\s,"]+)')
_OWN: Final = "$user"
"""The schema that is called as the role, if there is one."""

_USUAL: Final = "public"
_SEEN: Final = "SELECT current_schema(), current_setting('search_path'), current_user"
ALONE: Final = "SELECT set_config('search_path', quote_ident(current_schema()), true)"
"""Keeps what lies in the schemas behind the first one out of a transaction's sight."""


def short_name(url: URL) -> str:
    """What tells the stores of a server apart: ``database``, or ``database.schema`` for one that is named."""
    first = next(iter(_names(_path(url) or "")), _USUAL)
    return str(url.database) if first in (_USUAL, _OWN) else f"{url.database}.{quote(first, safe='')}"


def likely_url(url: URL, name: str) -> URL:
    """The URL of the store on the same server that most likely has this short name."""
    database, _, schema = name.partition(".")
    bare = url.set(database=database).difference_update_query(["options"])
    path = f"-csearch_path={unquote(schema)},{_USUAL}"
    return bare.update_query_dict({"options": path}) if schema else bare


def see_schema(connection: BoundedConnection, url: URL, *, what: str) -> None:
    """See that new tables go where they are looked for, rather than among those of others.

    PostgreSQL passes over a schema that is missing, and a pooler may drop what the URL says of it.

    Args:
        connection: a new one, which is left outside of any transaction.
        url: of the database.
        what: is to lie there: ``store`` or ``keyring``.

    Raises:
        StoreError: they would go into another schema than the first that is named; the connection is closed.
    """
    connection.autocommit = True
    ((current, path, role),) = connection.execute(_SEEN).fetchall()
    connection.autocommit = False
    path = _path(url) or path
    names = _names(path)
    wanted = [role if name == _OWN else name for name in names[: 2 if names[:1] == [_OWN] else 1]]
    if current not in wanted:
        connection.close()
        first = wanted[-1] if wanted else ""
        msg = (
            f"the {what} is to lie in the schema {first!r}, for search_path is {path!r}; but new tables "
            f"would go to {current!r}. Make that schema and let the role {role!r} use it (CREATE SCHEMA … "
            "AUTHORIZATION …), or name another one first; where a pooler drops the URL's `options`, set the "
            "path by ALTER ROLE … SET search_path. Nothing was changed"
        )
        raise StoreError(msg)


def _path(url: URL) -> str | None:
    """The search_path that a URL sets."""
    found = _GIVEN.findall(" ".join(url.normalized_query.get("options", ())))
    return re.sub(r"\\(.)", r"\1", found[-1]) if found else None


def _names(path: str) -> list[str]:
    return [quoted.replace('""', '"') if quoted else plain.lower() for quoted, plain in _NAME.findall(path)]
