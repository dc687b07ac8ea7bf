"""Questions that a demo asks, and what came to mind at them, with its reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.cli import show
from omoide.cli.running import tell
from omoide.errors import EmbedderError

if TYPE_CHECKING:
    from omoide.bootstrap import Omoide
    from omoide.recall.result import Recall, Recalled
    from omoide.scope import Scope

_SHOWN = 3
"""Memories shown for each question; the rest is counted."""

_QUOTE = 110
"""Characters of a quote that are shown."""

_LINES = 6
"""Lines of a block that are shown."""


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
    show.say(f"{mark:>4} {place + 1}  {show.happened(memory)}  {cut(' '.join(said.split()), _QUOTE)}")
    show.say(f"        {show.why_line(found.why)} · importance {memory.importance:.1f}", style="dim")
