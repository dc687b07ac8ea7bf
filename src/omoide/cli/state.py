"""Commands on how a user and a character stand: relationship, plans, feelings, and what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.options import Character, Json, Limit, Store, User, Where
from omoide.cli.whose import in_scope

if TYPE_CHECKING:
    from omoide.scope import Scope

_STATE = "Between the two"
app = typer.Typer()


@app.command(rich_help_panel=_STATE)
def relationship(
    *,
    history: Annotated[bool, typer.Option("--history", help="Every version, newest first.")] = False,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Show how a user and a character stand with each other."""

    async def work(scope: Scope) -> None:
        from omoide.state_views import RelationshipView

        versions = await scope.relationship_history()
        chosen = versions if history else [version for version in versions if version.current]
        views = [RelationshipView.of(version) for version in chosen]
        if json:
            fields = [view.fields() for view in views]
            show.as_json(fields if history else next(iter(fields), None))
        elif not views:
            show.say("nothing is known of it yet")
        for view in () if json else views:
            for name, value in view.fields().items():
                words = " / ".join(value) if isinstance(value, list) else str(value)
                if words:
                    show.say(f"{name}: {words}")

    in_scope(Where(store=store, user=user, character=character), work, vectors=False)


@app.command(rich_help_panel=_STATE)
def plans(
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Also those that are done or given up, or whose day has passed.")
    ] = False,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """List promises, appointments and wishes, those due first at the top."""

    async def work(scope: Scope) -> None:
        from omoide.domain.model import PlanState
        from omoide.views import MemoryView

        found = await scope.plans(states=tuple(PlanState) if every else (PlanState.OPEN,))
        if json:
            show.as_json([MemoryView.of(memory).fields() for memory in found])
            return
        rows = [
            (show.due(memory.plan), memory.plan.who, memory.plan.state.value, memory.text)
            for memory in found
            if memory.plan is not None
        ]
        show.table(("due", "whose", "state", "plan"), rows, wide="plan")

    in_scope(Where(store=store, user=user, character=character), work, vectors=False)


@app.command(rich_help_panel=_STATE)
def feelings(
    *,
    days: Annotated[int | None, typer.Option("--days", metavar="N", help="How far to look back.")] = None,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Sum up what a user felt over the last days."""

    async def work(scope: Scope) -> None:
        from omoide.views import FeelingsView

        found = await scope.feelings(days=days)
        if json:
            show.as_json(None if found is None else FeelingsView.of(found).fields())
        elif found is None:
            show.say("nothing is known of it")
        else:
            counts = ", ".join(f"{emotion} {count}" for emotion, count in found.counts.items())
            hard = ", ".join(day.isoformat() for day in found.hard_days) or "none"
            show.say(f"mostly {found.dominant}, {found.intensity:.1f} strong ({counts}); hard days: {hard}")

    in_scope(Where(store=store, user=user, character=character), work, vectors=False)


@app.command(rich_help_panel=_STATE)
def windows(
    *,
    limit: Limit = None,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """List what a model has read of the talk, is reading, or failed to read."""

    async def work(scope: Scope) -> None:
        from omoide.state_views import WindowView

        found = await scope.windows(limit=100 if limit is None else limit)
        if json:
            show.as_json([WindowView.of(report).fields() for report in found])
            return
        rows = [
            (
                str(report.id),
                report.state.value,
                str(report.messages),
                str(report.attempts),
                "-" if report.next_try is None else f"{report.next_try:%Y-%m-%d %H:%M}",
                report.failure or "",
            )
            for report in found
        ]
        show.table(("id", "state", "messages", "attempts", "next try", "failure"), rows, wide="failure")

    in_scope(Where(store=store, user=user, character=character), work, vectors=False)
