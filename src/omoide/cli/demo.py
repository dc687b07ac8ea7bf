"""`omoide demo`: conversations go in, questions are asked, and what comes back is shown with its reasons."""

from __future__ import annotations

import asyncio
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.cli import show
from omoide.cli.options import Character, Json, Store, User, Where, Zone
from omoide.cli.running import settings_of, tell, with_store
from omoide.errors import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from omoide.bootstrap import Omoide
    from omoide.cli.samples import Asked, Sample
    from omoide.config import Settings
    from omoide.recall.result import Recall, Recalled
    from omoide.scope import Scope

_SHOWN = 3
"""Memories shown for each question; the rest is counted."""

app = typer.Typer()


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A question and what came to mind.

    Attributes:
        query: the question.
        recall: what came.
        expected: the words that should come; None where nobody said what should.
    """

    query: str
    recall: Recall
    expected: tuple[str, ...] | None = None

    @property
    def fits(self) -> bool | None:
        """Whether what should come did, or nothing did where nothing should; None where nobody said."""
        if self.expected is None:
            return None
        quotes = {quote.quote for found in self.recall.memories for quote in found.memory.evidence}
        return not quotes if not self.expected else not quotes.isdisjoint(self.expected)

    def fields(self) -> dict[str, Any]:
        """It as JSON."""
        return {"question": self.query, "fits": self.fits, **show.recall_fields(self.recall)}


@app.command(rich_help_panel="Start here")
def demo(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A chat of your own, in place of the samples.")
    ] = None,
    *,
    timezone: Zone = None,
    user: User = None,
    character: Character = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """See a character remember: three sample conversations, or a chat file of your own.

    Everything goes into a store that is thrown away, unless --store names one that stays.
    """
    with ExitStack() as stack:
        settings = settings_of(store)
        if store is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="omoide-demo-")))
            settings = _thrown_away(settings, folder)
        where = Where(store=settings.store, user=user, character=character)
        if file is None:
            shown = _samples(where, settings)
        else:
            from omoide.cli.demo_own import own_file

            shown = own_file(file, where, settings, timezone=timezone, json=json)
    if json:
        show.as_json(shown)
