"""How statements are sent to PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omoide.stores.fixed import raw
from omoide.stores.postgres.database import PostgresDatabase
from postgres import database_for

if TYPE_CHECKING:
    from pathlib import Path

_PREPARED = "SELECT count(*) FROM pg_prepared_statements WHERE NOT from_sql AND statement LIKE %s"
_SMALL, _MIDDLE, _LARGE = 7, 70_000, 7_000_000_000


@pytest.mark.proves("P3")
def test_a_statement_is_planned_once_however_large_its_numbers(tmp_path: Path) -> None:
    database = PostgresDatabase.open(database_for(tmp_path / "x.db"))
    asked = "SELECT id FROM memories WHERE id IN (%s, %s)"
    pairs = [(first, second) for first in (_SMALL, _MIDDLE, _LARGE) for second in (_SMALL, _MIDDLE, _LARGE)]
    with database.read() as connection:
        for pair in pairs:
            raw(connection).execute(asked, pair)
        ((prepared,),) = (
            raw(connection).execute(_PREPARED, ("SELECT id FROM memories WHERE id IN%",)).fetchall()
        )
    database.close()
    assert prepared == 1
