"""The covering index over the copies, made anew where its filling has left its pages half empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omoide.stores.pgvector.table import COVERED

if TYPE_CHECKING:
    from omoide.stores.postgres.connection import BoundedConnection

_PAGE: Final = 8_192 - 24 - 16
"""Bytes of a page for entries."""

_FULL: Final = 0.9
"""The part of a page that is used where an index is made at once."""

_ENTRY: Final = 4 + 8 + 3 * 8 + 8 + 8
"""Bytes of an entry beside the numbers of its vector: pointer, head, keys, tenant, the vector's own head."""

_BLOATED: Final = 1.5
"""Times of what it would take at once from which an index is made anew."""

_SMALL: Final = 1_000_000
"""Bytes under which it does not matter."""

_STATE: Final = (
    "SELECT pg_relation_size(oid), reltuples::bigint FROM pg_class WHERE oid = to_regclass('embeddings_scan')"
)
_LEFT: Final = (
    "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "WHERE i.indrelid = to_regclass('embeddings') AND NOT i.indisvalid "
    "AND c.relname LIKE 'embeddings\\_scan\\_cc%'"
)


def is_loose(driver: BoundedConnection, *, dimensions: int) -> bool:
    """Whether the index takes much more than it would if it were made at once, by what the last vacuum saw.

    Entries of many scopes that come side by side leave each page about half full.
    """
    found = driver.execute(_STATE).fetchone()
    if found is None or dimensions > COVERED:
        return False
    size, entries = found
    pages = entries // max(1, int(_PAGE * _FULL) // (_ENTRY + 2 * dimensions)) + 1
    return bool(entries >= 0 and size > _SMALL and size > _BLOATED * pages * 8_192)


def pack(driver: BoundedConnection) -> int:
    """Make it anew while others read and write, outside of any transaction; returns its size in bytes.

    What an interrupted one has left is dropped first.
    """
    for (name,) in driver.execute(_LEFT).fetchall():
        driver.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
    driver.execute("REINDEX INDEX CONCURRENTLY embeddings_scan")
    ((size, _),) = driver.execute(_STATE).fetchall()
    return int(size)
