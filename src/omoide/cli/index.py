"""Commands on the index of vectors in PostgreSQL."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Json, Store, Where
from omoide.cli.running import tell, with_store

if TYPE_CHECKING:
    from omoide.bootstrap import Omoide
    from omoide.stores.pgvector.tuning import Tuned

index = typer.Typer(help="The index of vectors in PostgreSQL.")

_COLUMNS = ("user", "character", "vectors", "graph", "seconds", "MB", "recall@20", "graph ms", "exact ms")


@index.command("tune")
def index_tune(
    *,
    threshold: Annotated[
        int | None,
        typer.Option(
            "--threshold",
            metavar="N",
            min=1_000,
            help="Vectors from which a scope has a graph; the setting large_scope where it is left out.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Drop all graphs, and make none.")] = False,
    store: Store = None,
    json: Json = False,
) -> None:
    """Make a graph (HNSW) for each scope that has outgrown exact scans in pgvector, and drop those of others.

    The scopes of all tenants are looked at, whichever is named. Others read and write meanwhile. What each
    graph finds is measured against an exact scan. Where the index that scans read is half empty, it is made
    anew. It needs the role that owns the tables.
    """

    async def work(omoide: Omoide) -> list[Tuned]:
        from omoide.stores.pgvector.tuning import tune

        size = omoide.settings.large_scope if threshold is None else threshold
        return await omoide.run(lambda: list(tune(omoide.store, threshold=size, dry_run=dry_run, drop=drop)))

    done = with_store(Where(store=store), work)
    if json:
        show.as_json([asdict(one) for one in done])
        return
    if not done:
        tell("nothing to do: no scope is so large, none has a graph, and the index is not half empty")
    rows = [_row(one, dry_run=dry_run) for one in done]
    if any(one.tenant for one in done):
        rows = [(one.tenant or "-", *row) for one, row in zip(done, rows, strict=True)]
        show.table(("tenant", *_COLUMNS), rows, wide="user")
        return
    show.table(_COLUMNS, rows, wide="user")


def _row(one: Tuned, *, dry_run: bool) -> tuple[str, ...]:
    step = f"would be {one.step}" if dry_run and one.step != "kept" else one.step
    measured = one.measured
    figures = (
        ("-", "-", "-")
        if measured is None
        else (f"{measured.recall:.3f}", f"{measured.graph_ms:.1f}", f"{measured.exact_ms:.1f}")
    )
    return (
        one.user or ("(all scopes)" if one.step == "packed" else "-"),
        one.character or "-",
        str(one.vectors),
        step,
        f"{one.seconds:.1f}",
        f"{one.bytes / 1_000_000:.1f}",
        *figures,
    )
