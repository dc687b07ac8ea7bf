"""The index of vectors in PostgreSQL from the command line: filled, verified, tuned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest
from command_line import CommandLine, refused

from omoide.testing import FakeModelServer
from postgres import database_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MINJUN = ("--user", "minjun", "--character", "haru")


@pytest.fixture
def omoide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[CommandLine]:
    """A command line on PostgreSQL with an embedding server."""
    line = CommandLine(tmp_path, monkeypatch, capsys)
    with FakeModelServer() as server:
        for name, value in {
            "STORE": database_for(tmp_path / "store" / "omoide.db"),
            "VECTORS": "pgvector",
            "EMBEDDER": "openai",
            "EMBEDDER_MODEL": "words",
            "EMBEDDER_URL": server.url,
        }.items():
            monkeypatch.setenv(f"OMOIDE_{name}", value)
        yield line


def test_copies_are_verified_and_repaired(omoide: CommandLine) -> None:
    for text in ("나 보리차 좋아해", "I keep bees", "京都で桜を見た"):
        omoide("remember", text, *MINJUN, "--new")
    omoide("reindex")
    right = {"terms": 0, "vectors": 0, "links": 0, "right": 3, "made": 0, "replaced": 0, "dropped": 0}
    assert right.items() <= omoide("reindex", "--verify", "--json").json.items()
    _delete_one(omoide)
    told = omoide("reindex", "--verify").out
    assert "2 right, 1 made, 0 replaced, 0 dropped" in told
    assert right.items() <= omoide("reindex", "--verify", "--json").json.items()


def test_all_tenants_are_verified_where_none_is_named(omoide: CommandLine) -> None:
    omoide("remember", "I keep bees", *MINJUN, "--new")
    omoide("--tenant", "acme", "remember", "나 보리차 좋아해", *MINJUN, "--new")
    omoide("--tenant", "acme", "remember", "京都で桜を見た", *MINJUN, "--new")
    assert omoide("reindex", "--json").json["tenants"] == 2
    assert omoide("reindex", "--verify", "--json").json["right"] == 3
    _delete_one(omoide, tenant="acme")
    assert omoide("reindex", "--verify", *MINJUN, "--json").json["right"] == 1  # the one without a name
    told = omoide("reindex", "--verify").out
    assert "2 right, 1 made, 0 replaced, 0 dropped; over 2 tenants" in told
    acme = omoide("--tenant", "acme", "reindex", "--verify", "--json").json
    assert (acme["right"], acme["made"], acme["tenants"]) == (2, 0, 1)


def test_tuning_tells_of_nothing_where_no_scope_is_large(omoide: CommandLine) -> None:
    omoide("remember", "I keep bees", *MINJUN, "--new")
    assert omoide("index", "tune", "--json").json == []
    assert omoide("index", "tune", "--dry-run").out.split("\t")[:2] == ["user", "character"]
    assert "1000" in refused(omoide("index", "tune", "--threshold", "5", status=2))


def test_graphs_need_pgvector(omoide: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    omoide("remember", "I keep bees", *MINJUN, "--new")
    monkeypatch.setenv("OMOIDE_VECTORS", "memory")
    assert "vectors=pgvector" in refused(omoide("index", "tune", status=2))


def _delete_one(omoide: CommandLine, *, tenant: str = "") -> None:
    address = database_for(omoide.home / "store" / "omoide.db").replace("+psycopg", "")
    with psycopg.connect(address) as connection:
        connection.execute("SELECT set_config('omoide.tenant', %s, true)", (tenant,))
        connection.execute(
            "DELETE FROM embeddings WHERE tenant = %(tenant)s AND memory_id = "
            "(SELECT min(memory_id) FROM embeddings WHERE tenant = %(tenant)s)",
            {"tenant": tenant},
        )
