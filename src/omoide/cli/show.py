"""How the command line shows things: tables and colour on a terminal, plain lines in a pipe, or JSON."""

from __future__ import annotations

import json
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from rich.console import Console

    from omoide.domain.model import Memory, Plan
    from omoide.recall.result import Hit, Recall, Why

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What could steer a terminal; words of strangers are shown there."""


def as_json(value: object) -> None:
    """Print one JSON value."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def answer(fields: Mapping[str, object], line: str, *, json: bool) -> None:
    """Print the outcome of a command: its fields as JSON, or a line."""
    if json:
        as_json(fields)
    else:
        say(line)


def raw(text: str) -> None:
    """Print text as it is, for other programs."""
    sys.stdout.write(text)


def piece(text: str) -> None:
    """Print a piece of a line at once, such as of a reply that is still coming."""
    sys.stdout.write(_UNSEEN.sub("", text))
    sys.stdout.flush()


def say(text: str, *, style: str = "") -> None:
    """Print one line or block; the style counts on a terminal only."""
    clean = _UNSEEN.sub("", text)
    if style and on_terminal():
        console().print(clean, style=style, markup=False, emoji=False, highlight=False, soft_wrap=True)
    else:
        print(clean)


def counted(number: int, thing: str) -> str:
    """A number of things, such as "1 memory" and "2 memories"."""
    many = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{number} {thing if number == 1 else many}"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, wide: str | None = None) -> None:
    """Print rows: a table on a terminal, lines with tabs in a pipe.

    Args:
        columns: the heads.
        rows: one cell for each column.
        wide: the column that takes the room that is left.
    """
    if not on_terminal():
        for row in (columns, *rows):
            say("\t".join(" ".join(cell.split()) for cell in row))
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        drawn.add_column(column, ratio=1 if column == wide else None, no_wrap=column == "id", overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(_UNSEEN.sub("", cell)) for cell in row))
    console().print(drawn)


def console() -> Console:
    """Standard output as rich sees it; it heeds NO_COLOR."""
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False)


@contextmanager
def progress(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, where that is a terminal; call what it gives with each step's size."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda step: bar.advance(task, step)


def memory_fields(memory: Memory) -> dict[str, Any]:
    """A memory as JSON."""
    from omoide.views import MemoryView

    return MemoryView.of(memory).fields()


def recall_fields(recall: Recall) -> dict[str, Any]:
    """A recall as JSON."""
    from omoide.views import RecallView

    return RecallView.of(recall).fields()


_SLOTS = {
    "search": None,
    "link": None,
    "shared": "beside the exchange or the claim that says the same",
    "plan": "unasked, for its day is near",
    "guidance": "unasked, for how to answer",
}
"""How a memory came in, in words; a place was held for the others."""


def why_line(why: Why) -> str:
    """The reason for a memory in a few words."""
    parts = [
        _list_place("meaning", why.meaning),
        _list_place("words", why.words),
        f"faded to {why.decay:.2f}" if why.decay < 0.995 else None,
        _SLOTS.get(why.slot.value, f"a place held for {why.slot.value}"),
        f"led to by {' from '.join(led.kind.value for led in why.links)}" if why.links else None,
        f"favoured by {why.mood}" if why.mood else None,
    ]
    return " · ".join(part for part in parts if part)


def reasons(recall: Recall) -> None:
    """Print the memories of a recall with the reasons for them."""
    columns = ("#", "date", "memory", "importance", "meaning", "words", "decay", "score", "slot")
    rows = [
        (
            str(place),
            happened(found.memory),
            found.memory.text,
            f"{found.memory.importance:.1f}",
            _hit(found.why.meaning),
            _hit(found.why.words),
            f"{found.why.decay:.2f}",
            f"{found.why.score:.4f}",
            found.why.slot.value,
        )
        for place, found in enumerate(recall.memories, 1)
    ]
    table(columns, rows, wide="memory")


def timing(recall: Recall) -> str:
    """What a recall took, in one line."""
    phases = ", ".join(f"{name} {spent:.1f}" for name, spent in recall.timing_ms.items() if name != "total")
    return f"{recall.timing_ms.get('total', 0.0):.1f} ms ({phases})" if phases else "0 ms"


def memories_table(memories: Sequence[Memory]) -> None:
    """Print memories, one a row."""
    rows = [
        (
            memory.id,
            day(memory.at),
            memory.kind.value,
            f"{memory.importance:.1f}",
            "pinned" if memory.pinned else memory.status.value,
            memory.text,
        )
        for memory in memories
    ]
    table(("id", "date", "kind", "importance", "status", "text"), rows, wide="text")


def one_memory(memory: Memory) -> None:
    """Print everything about one memory."""
    fields: Mapping[str, object] = memory_fields(memory)
    for name, value in fields.items():
        if name not in ("evidence", "text") and value not in (None, [], "", {}):
            say(f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}")
    say(f"text: {memory.text}")
    for quote in memory.evidence:
        say(f"evidence: {quote.message} {day(quote.at)} {quote.speaker}: {quote.quote}")


def day(at: datetime | None) -> str:
    """A date, or a dash where it is not known."""
    return "-" if at is None else f"{at:%Y-%m-%d}"


def happened(memory: Memory) -> str:
    """The day of a memory, no more exact than it is known."""
    return day(memory.at) if memory.day is None else str(memory.day)


def due(plan: Plan) -> str:
    """The day of a plan as far as it is known, or a dash."""
    from omoide.domain.loose_times import in_figures

    return "-" if plan.due is None or plan.precision is None else in_figures(plan.due, plan.precision)


def on_terminal() -> bool:
    """Whether a person reads the output."""
    return sys.stdout.isatty()


def _hit(hit: Hit | None) -> str:
    return "-" if hit is None else f"#{hit.rank + 1} {hit.score:.2f}"


def _list_place(name: str, hit: Hit | None) -> str | None:
    return None if hit is None else f"{name} #{hit.rank + 1} ({hit.score:.2f})"
