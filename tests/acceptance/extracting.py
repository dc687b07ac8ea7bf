"""Reading windows in the acceptance tests: real store, real prompt, and a model that answers by script."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from opening import opened

from omoide import Kind
from omoide.domain.redaction import Redaction
from omoide.prompts.templates import Templates
from omoide.retain.extraction.extract import Extracted, Extractor
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from omoide import Omoide, Scope
    from omoide.domain.relationship import Relationship
    from omoide.domain.windows import Window
    from omoide.retain.extraction.schema import Reading
    from omoide.stores.scopes import ScopeRow


EXTRACTED = [Kind.FACT, Kind.STATEMENT, Kind.PLAN, Kind.GUIDANCE, Kind.SUMMARY]


class Talk(NamedTuple):
    """A store, and what haneul and dalbi share in it."""

    omoide: Omoide
    scope: Scope

    async def told(
        self,
        said: str,
        reply: str = "…",
        *,
        session: str = "s",
        model: ScriptedModel | None = None,
        **given: Any,
    ) -> Extracted:
        """What becomes of an exchange that is read at once, by a model that answers only this."""
        await self.scope.observe(said, reply, session=session)
        return await read(self.omoide, answer(**given), model=model)


@asynccontextmanager
async def heard(folder: Path, *exchange: str, **given: Any) -> AsyncIterator[Talk]:
    """A store in which haneul has said this to dalbi, and dalbi that, in the session ``s``."""
    async with opened(folder, **given) as omoide:
        scope = omoide.scope(user="haneul", character="dalbi")
        if exchange:
            await scope.observe(*exchange, session="s")
        yield Talk(omoide, scope)


def extractor(omoide: Omoide, *, scored: bool = False) -> Extractor:
    """An extractor on the parts of an open store."""
    return Extractor(
        omoide.store,
        Templates(),
        episodes=omoide.episodes,
        redact=Redaction(),
        zone=omoide.settings.zone,
        run=omoide.run,
        embedder=omoide.embedder,
        scorers=omoide.models if scored else None,
    )


def row_of(omoide: Omoide, user: str = "haneul", character: str = "dalbi") -> ScopeRow:
    """The scope's row; the two have met."""
    row = omoide.store.scope(user, character)
    assert row is not None
    return row


def relationship_of(omoide: Omoide) -> Relationship | None:
    """How haneul and dalbi stand with each other now."""
    with omoide.store.read(row_of(omoide)) as unit:
        return unit.relationships.current()


def window_of(omoide: Omoide, row: ScopeRow) -> Window:
    """A window of all that was not read yet."""
    with omoide.store.write(row) as unit:
        uncovered, _ = unit.windows.uncovered()
        return unit.windows.open([one.number for one in uncovered])


async def read(
    omoide: Omoide, answer: dict[str, Any] | Reading | str | Exception, *, model: ScriptedModel | None = None
) -> Extracted:
    """Read all that was not read yet, with a model that answers so."""
    row = row_of(omoide)
    model = model or ScriptedModel(answers=[answer])
    return await extractor(omoide).extract(row, window_of(omoide, row), model)


def answer(**given: Any) -> dict[str, Any]:
    """An answer that holds only this."""
    return {"summary": "", **given}


def fact(text: str, m: int, words: str, *, about: str = "haneul", **more: Any) -> dict[str, Any]:
    """A fact with one piece of evidence."""
    return {
        "text": text,
        "about": about,
        "mode": "asserted",
        "evidence": [{"m": m, "words": words}],
        **more,
    }


plan = fact
"""A plan with one piece of evidence, which is written as a fact is."""


def texts(memories: Sequence[Any]) -> list[str]:
    """What memories say."""
    return [memory.text for memory in memories]
