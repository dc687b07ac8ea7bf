"""What an import would cost if a model read all of it, and leaving it unread (ruling 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain.chat import Task
from omoide.errors import MissingExtra, ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omoide.engine import Engine
    from omoide.stores.scopes import ScopeRow

MANY = 10
"""Windows from which on somebody is asked before a model reads them."""

_TOKENS = 4_800
"""Tokens that a window costs, prompt and answer together: measured with short messages."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Unread:
    """What of an import is unread.

    Attributes:
        model: the name of the model that would read it.
        windows: calls that it takes.
        tokens: what they cost, roughly.
    """

    model: str
    windows: int
    tokens: int


async def unread(engine: Engine, scopes: Iterable[tuple[str | None, str]], *, since: int) -> Unread | None:
    """What came into these scopes since a moment, and a model will read; None where none is set."""
    if engine.settings.extraction == "off":
        return None
    try:
        model = await engine.models.model(Task.EXTRACTION)
    except (ModelError, MissingExtra):
        return None
    if model is None:
        return None
    rows = await engine.run(lambda: _rows(engine, scopes))
    windows = await engine.run(lambda: sum(_windows(engine, row, since) for row in rows))
    return Unread(model=model.name, windows=windows, tokens=windows * _TOKENS)


async def leave(engine: Engine, scopes: Iterable[tuple[str | None, str]], *, since: int) -> None:
    """Leave unread what came into these scopes since a moment; `take_up` lets it be read after all."""

    def left() -> None:
        for row in _rows(engine, scopes):
            with engine.store.write(row) as unit:
                unit.windows.leave(since=since)

    await engine.run(left)


async def take_up(engine: Engine, scopes: Iterable[tuple[str | None, str]]) -> None:
    """Let be read what earlier imports left unread in these scopes."""

    def taken() -> None:
        for row in _rows(engine, scopes):
            with engine.store.write(row) as unit:
                unit.windows.take_up()

    await engine.run(taken)


def _rows(engine: Engine, scopes: Iterable[tuple[str | None, str]]) -> list[ScopeRow]:
    found = (engine.store.scope(user, character) for user, character in scopes)
    return [row for row in found if row is not None]


def _windows(engine: Engine, row: ScopeRow, since: int) -> int:
    with engine.store.read(row) as unit:
        return -(-unit.windows.unread(since=since) // engine.settings.window)
