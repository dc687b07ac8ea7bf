"""`omoide demo`: conversations go in, questions are asked, and what comes back is shown with its reasons."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.cli import show
from omoide.cli.options import Character, Json, Store, User, Where, Zone
from omoide.cli.running import settings_of, tell, thrown_away, with_store
from omoide.errors import EmbedderError

if TYPE_CHECKING:
    from omoide.bootstrap import Omoide
    from omoide.cli.samples import Asked, Sample
    from omoide.config import Settings
    from omoide.recall.result import Recall, Recalled
    from omoide.scope import Scope

_SHOWN = 3
"""Memories shown for each question; the rest is counted."""

_QUOTE = 110
"""Characters of a quote that are shown."""

_LINES = 6
"""Lines of a block that are shown."""

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


async def vectors(omoide: Omoide, scope: Scope) -> None:
    """Make the vectors of a scope; without them, words alone are searched."""
    from omoide.cli.files import make_vectors

    try:
        await make_vectors(omoide, [scope])
    except EmbedderError as error:
        tell(f"{error}; memories are recalled by words alone")


def heading(text: str) -> None:
    """Print a line that begins a part."""
    show.say("")
    show.say(f"━━ {text} ━━", style="bold magenta")


def answer(query: str, recall: Recall, *, fits: bool | None = None, wanted: int | None = None) -> None:
    """Print a question, what came to mind, and why.

    Args:
        query: the question.
        recall: what came.
        fits: whether it is what should come; None where nobody says.
        wanted: the place of the memory that should come.
    """
    show.say("")
    show.say(f"? {query}", style="bold cyan")
    shown = [place for place in range(len(recall.memories)) if place < _SHOWN or place == wanted]
    for place in shown:
        _memory(place, recall.memories[place], mark="✓" if place == wanted else " ")
    if len(recall.memories) > len(shown):
        show.say(f"     … and {len(recall.memories) - len(shown)} more", style="dim")
    if not recall.memories:
        show.say("     nothing comes to mind", style="yellow")
    if fits is False:
        show.say("   ✗ not what was hoped for", style="red")
    elif fits and not recall.memories:
        show.say("   ✓ and nothing should", style="green")
    spent = recall.timing_ms
    line = f"{spent.get('total', 0.0):.0f} ms, {spent.get('embed', 0.0):.0f} of them to read the question"
    show.say(f"     {line}", style="dim")


def prompt(recall: Recall) -> None:
    """Print what a prompt would get."""
    if recall.block:
        show.say("     what the prompt gets:", style="dim")
        lines = recall.block.splitlines()
        left = len(lines) - _LINES
        cut = lines if left <= 0 else [*lines[: _LINES - 1], f"… {left} more lines", lines[-1]]
        show.say("\n".join(f"     │ {line}" for line in cut), style="dim")


def _memory(place: int, found: Recalled, *, mark: str) -> None:
    from omoide.domain.text import cut

    memory = found.memory
    said = f"{memory.evidence[0].speaker}: {memory.evidence[0].quote}" if memory.evidence else memory.text
    show.say(f"{mark:>4} {place + 1}  {show.day(memory.at)}  {cut(' '.join(said.split()), _QUOTE)}")
    show.say(f"        {show.why_line(found.why)} · importance {memory.importance:.1f}", style="dim")


def _wanted(sample: Sample, asked: Asked, recall: Recall) -> int | None:
    """The place of the first memory that should come to mind; None if there is none."""
    hoped = {sample.texts.get(expected) for expected in asked.expects}
    for place, found in enumerate(recall.memories):
        if any(quote.quote in hoped for quote in found.memory.evidence):
            return place
    return None
