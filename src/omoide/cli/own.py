"""`omoide demo FILE`: a chat of one's own goes in, and is asked about in its own words."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omoide.cli import show
from omoide.cli.asked import answer, heading, prompt, vectors
from omoide.cli.running import with_store
from omoide.cli.subjects import beginning, things
from omoide.cli.whose import named
from omoide.domain.instants import zone_of
from omoide.domain.model import Role
from omoide.domain.text import language
from omoide.errors import ImportFailed
from omoide.importers import parse
from omoide.importing import Summary, Whose, carry_out, plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide.bootstrap import Omoide
    from omoide.cli.options import Where
    from omoide.config import Settings
    from omoide.domain.model import Memory
    from omoide.importers import Parsed
    from omoide.importing import Plan
    from omoide.scope import Scope

_QUESTIONS = 3
_OFTEN = 2
"""What is named more often than this tells little of one memory."""

_ASK = {
    "ko": "{} 얘기, 기억나?",
    "ja": "{}の話、覚えてる？",
    "zh": "还记得{}的事吗？",
    "en": "Do you remember {}?",
}
_ASK_BACK = {
    "ko": "“{}”라고 했던 거, 기억나?",
    "ja": "「{}」って言ったの、覚えてる？",
    "zh": "还记得我说过“{}”吗？",
    "en": "Do you remember when I said “{}”?",
}
"""Where nothing can be named, the words themselves are quoted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """A question, and the id of the memory that it was made from."""

    text: str
    memory: str


def own_file(
    file: Path, where: Where, settings: Settings, *, timezone: str | None, quiet: bool
) -> dict[str, Any]:
    """Import a file, ask three questions made from its words, then those that are typed on a terminal.

    Raises:
        ImportFailed: there is no conversation in it.
    """

    async def work(omoide: Omoide) -> dict[str, Any]:
        return await _shown(omoide, planned, parsed, quiet=quiet)

    parsed = parse(file, zone=zone_of(timezone or settings.zone))
    if not parsed.conversations:
        msg = f"{file.name!r} holds no conversation; a demo needs one"
        raise ImportFailed(msg)
    planned = plan([(file, parsed)], _whose(where, parsed))
    return with_store(where, work, make=True, settings=settings)


def questions(memories: Sequence[Memory]) -> list[Made]:
    """Questions about the memories that matter most, each about a thing that is rarely named elsewhere."""
    said = {memory.id: _said(memory) for memory in memories}
    spoken = language(" ".join(said.values()))
    everything = "\n".join(said.values())
    asked: dict[str, Made] = {}
    for by_name in (True, False):
        for memory in sorted(memories, key=lambda memory: -memory.importance):
            found = things(said[memory.id], spoken) if by_name else [beginning(said[memory.id])]
            about = min(
                found, key=lambda thing: (everything.count(thing) > _OFTEN, -len(thing)), default=None
            )
            known = any(made.memory == memory.id for made in asked.values())
            if about and about not in asked and not known and len(asked) < _QUESTIONS:
                text = (_ASK if by_name else _ASK_BACK)[spoken].format(about)
                asked[about] = Made(text=text, memory=memory.id)
    return list(asked.values())


def _said(memory: Memory) -> str:
    mine = [quote.quote for quote in memory.evidence if quote.role is Role.USER]
    return mine[0] if mine else memory.text


def _whose(where: Where, parsed: Parsed) -> Whose:
    """A demo needs no names where the file has none."""
    user, character = where.user, where.character
    if user is None and not all(found.user_name for found in parsed.conversations):
        user = "user"
    if character is None and not all(found.character_names for found in parsed.conversations):
        character = "character"
    return Whose(user=user, character=character)


async def _shown(omoide: Omoide, planned: Plan, parsed: Parsed, *, quiet: bool) -> dict[str, Any]:
    started = time.perf_counter()
    summary = Summary()
    total = sum(len(talk.messages) for talk in planned.talks)
    with show.progress("importing", total) as step:
        await carry_out(omoide, planned, summary, step=step)
    largest = max(planned.talks, key=lambda talk: len(talk.messages))
    scope = omoide.scope(user=largest.user, character=largest.character)
    await vectors(omoide, scope)
    memories = await scope.memories()
    if not quiet:
        heading(f"{parsed.format}: {named(scope.user, scope.character)}")
        spent = time.perf_counter() - started
        show.say(
            f"{show.counted(total, 'message')} became "
            f"{show.counted(len(memories), 'memory')} in {spent:.1f} s",
            style="dim",
        )
    answers = [await _answered(scope, made, quiet=quiet) for made in questions(memories)]
    if not quiet:
        await _typed(scope)
    return {
        "format": parsed.format,
        "user": scope.user,
        "character": scope.character,
        "messages": total,
        "memories": len(memories),
        "answers": answers,
    }


async def _answered(scope: Scope, made: Made, *, quiet: bool) -> dict[str, Any]:
    recall = await scope.recall(made.text, rehearse=False)
    places = [place for place, found in enumerate(recall.memories) if found.memory.id == made.memory]
    if not quiet:
        answer(made.text, recall, fits=bool(places), wanted=places[0] if places else None)
    return {"question": made.text, "fits": bool(places), **show.recall_fields(recall)}


async def _typed(scope: Scope) -> None:
    """Answer what is typed, on a terminal, until an empty line."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    show.say("\nAsk what you like; an empty line ends.", style="bold")
    while query := _line():
        recall = await scope.recall(query, rehearse=False)
        answer(query, recall)
        prompt(recall)


def _line() -> str:
    try:
        return input("? ").strip()
    except EOFError:
        return ""
