"""Reading windows in the acceptance tests: real store, real prompt, and a model that answers by script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omoide.domain.redaction import Redaction
from omoide.prompts.templates import Templates
from omoide.retain.extraction.extract import Extracted, Extractor
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide import Omoide
    from omoide.domain.windows import Window
    from omoide.retain.extraction.schema import Reading
    from omoide.stores.scopes import ScopeRow


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


def texts(memories: Sequence[Any]) -> list[str]:
    """What memories say."""
    return [memory.text for memory in memories]
