"""`omoide demo`: conversations go in, questions are asked, and what comes back is shown with its reasons."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.cli import show
from omoide.cli.asked import answer, heading, prompt, vectors
from omoide.cli.options import Character, Json, Store, User, Where, Zone
from omoide.cli.running import settings_of, thrown_away, with_store

if TYPE_CHECKING:
    from omoide.bootstrap import Omoide
    from omoide.cli.samples import Asked, Sample
    from omoide.config import Settings
    from omoide.recall.result import Recall

app = typer.Typer()


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
        settings = settings_of(Where(store=store))
        if store is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="omoide-demo-")))
            settings = thrown_away(settings, folder)
        if file is None:
            shown = _samples(settings, quiet=json)
        else:
            from omoide.cli.own import own_file

            where = Where(store=settings.store, user=user, character=character)
            shown = own_file(file, where, settings, timezone=timezone, quiet=json)
    if json:
        show.as_json(shown)


def _samples(settings: Settings, *, quiet: bool) -> dict[str, Any]:
    from omoide.cli.samples import samples

    async def work(omoide: Omoide) -> list[dict[str, Any]]:
        shown = [await _one(omoide, sample, quiet=quiet) for sample in samples()]
        if omoide.embedder is None and not quiet:
            show.say("\nWithout an embedder, what was said in other words is missed; see `omoide doctor`.")
        return shown

    started = time.perf_counter()
    shown = with_store(Where(), work, make=True, settings=settings)
    if not quiet:
        show.say(
            f"\nAll of it took {time.perf_counter() - started:.1f} s, on this machine alone.", style="bold"
        )
        show.say("Next: `omoide demo FILE` with a chat of your own, or `omoide import FILE`.")
    return {"samples": shown}


async def _one(omoide: Omoide, sample: Sample, *, quiet: bool) -> dict[str, Any]:
    """One sample: let it happen, ask, and show."""
    from omoide.cli.samples import replay

    started = time.perf_counter()
    scope = omoide.scope(user=sample.user, character=sample.character)
    back = await replay(scope, sample)
    await vectors(omoide, scope)
    memories = await scope.memories()
    spent = time.perf_counter() - started
    if not quiet:
        heading(f"{sample.title}: {sample.user} × {sample.character}")
        line = f"{sample.said} messages, {back} taken back: {len(memories)} memories in {spent:.1f} s"
        show.say(line, style="dim")
    answers = []
    for place, asked in enumerate(sample.asked):
        recall = await scope.recall(asked.query, as_of=asked.at, rehearse=False)
        wanted = _wanted(sample, asked, recall)
        fits = wanted is not None if asked.expects else not recall.memories
        answers.append({"question": asked.query, "fits": fits, **show.recall_fields(recall)})
        if not quiet:
            answer(asked.query, recall, fits=fits, wanted=wanted)
            if place == 0:
                prompt(recall)
    return {
        "language": sample.language,
        "user": sample.user,
        "character": sample.character,
        "messages": sample.said,
        "taken_back": back,
        "memories": len(memories),
        "answers": answers,
    }


def _wanted(sample: Sample, asked: Asked, recall: Recall) -> int | None:
    """The place of the first memory that should come to mind; None if there is none."""
    hoped = {sample.texts.get(expected) for expected in asked.expects}
    for place, found in enumerate(recall.memories):
        if any(quote.quote in hoped for quote in found.memory.evidence):
            return place
    return None
