"""Memories as words for the prompt: in order of time, fenced, never over the budget (P18, P19, H22)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain.loose_times import in_figures
from omoide.domain.model import Kind, PlanState, Role
from omoide.domain.partial_date import Precision
from omoide.domain.plans import passed
from omoide.domain.text import cut, cut_tokens, fold, graphemes, tokens
from omoide.prompts.ago import ago, day_from
from omoide.prompts.fence import MEMORIES, plain, plain_name
from omoide.prompts.phrases import PHRASES, Phrases
from omoide.recall.render_past import how_known, of_past, when_lived

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from omoide.domain.model import Detail, Memory, Plan, Quote
    from omoide.domain.text import Language

OPEN, CLOSE = MEMORIES
_LEAST = 24
"""Tokens below which a memory is left out rather than cut."""

_LEAST_SAID = 16
"""Characters that are left of cut words at least, where it is no whole sentence; less says nothing."""

_IN_TOKEN = 20
"""Characters that no token holds: what lies beyond so many of each is not even looked at."""

_BRIEF_WORDS = 40
_BRIEF_EPISODES = 3
_OTHER_DAYS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """What rendering goes by.

    Attributes:
        language: of the conversation.
        now: aware, in the user's zone.
        budget: tokens for the whole block, fence included.
        brief: the short form of H20 in place of the full one.
    """

    language: Language
    now: datetime
    budget: int
    brief: bool = False


def block(
    memories: Sequence[Memory],
    frame: Frame,
    *,
    hard_days: Sequence[date] = (),
    again: Mapping[str, Sequence[datetime]] | None = None,
) -> tuple[str, frozenset[str]]:
    """The fenced block, and the ids of the memories that stand in it; empty for none.

    Args:
        memories: best first; those that the budget leaves no room for are dropped from the end.
        frame: language, time and budget.
        hard_days: days of late that were hard for the user, told in one line above the memories (H20).
        again: by a memory's id, other times at which the same was said.
    """
    phrases = PHRASES[frame.language]
    chosen = _brief_choice(memories) if frame.brief else memories
    head = [OPEN, phrases.opening]
    if hard_days:
        head.append(phrases.hard_days.format(days=", ".join(day.isoformat() for day in hard_days)))
    fence = [*head, CLOSE]
    room = frame.budget - sum(tokens(line + "\n") for line in fence)
    lines: list[tuple[Memory, str]] = []
    for place, memory in enumerate(chosen):
        share = room if place == 0 else min(room, max(_LEAST, frame.budget // 3))
        line = _line(memory, frame, phrases, share, again=(again or {}).get(memory.id, ()))
        if line:
            lines.append((memory, line))
            room -= tokens(line) + 1  # for its end
    if not lines:
        return "", frozenset()
    ordered = [line for _, line in sorted(lines, key=lambda entry: _moment(entry[0]))]
    held = frozenset(memory.id for memory, _ in lines)
    return "\n".join([*head, *ordered, CLOSE]), held


def _moment(memory: Memory) -> tuple[float, str]:
    at = memory.at or memory.recorded_at
    return at.timestamp(), memory.id


def _line(memory: Memory, frame: Frame, phrases: Phrases, share: int, *, again: Sequence[datetime]) -> str:
    """One memory on one line, within its share of tokens; empty if not even a few words fit."""
    head = f"- [{_when(memory, frame, phrases)}] {_what(memory, phrases)}"
    tail = _aside(memory, frame, phrases, days=() if frame.brief else _other_days(memory, frame, again))
    if not frame.brief:
        whole = _whole(memory, phrases, most=share * _IN_TOKEN)
        line = f"{head}{whole}{tail}" if whole else ""
        if tokens(line) < share:  # and one for its end
            return line
    room = share - tokens(head) - tokens(tail) - 1
    if room < 1:
        return ""
    if memory.kind is Kind.EPISODE and memory.evidence:
        body = _quotes(memory.evidence, room, brief=frame.brief)
    else:
        body = _cut(memory.text, room)
    return f"{head}{body}{tail}" if body else ""


def _what(memory: Memory, phrases: Phrases) -> str:
    """What kind of thing is remembered, and of whom, where the words alone do not tell (F31)."""
    if memory.kind is Kind.GUIDANCE:
        return f"{phrases.guidance}: "
    kind = f"{phrases.statement}: " if memory.kind is Kind.STATEMENT else ""
    whose = memory.plan.who if memory.plan is not None else memory.subject or ""
    told = memory.kind in (Kind.FACT, Kind.STATEMENT, Kind.PLAN)
    if not told or not whose or fold(memory.text).startswith(fold(whose)):
        return kind
    return f"{kind}{plain_name(whose)}: "


def _whole(memory: Memory, phrases: Phrases, *, most: int) -> str:
    """Everything that a memory says; of a text that never fits no more than `most` characters."""
    if memory.kind is Kind.EPISODE and memory.evidence:
        told = [(plain_name(quote.speaker), plain(quote.quote[:most])) for quote in memory.evidence]
        return " / ".join([f"{name}: {words}" for name, words in told if words])
    text = plain(memory.text[:most])
    if memory.kind is Kind.SUMMARY and memory.details:
        return " / ".join([text, *map(_detail, memory.details)])
    if memory.kind is Kind.DIARY:
        return " / ".join([text, *of_past(memory, phrases)])
    return text


def _detail(detail: Detail) -> str:
    """What somebody said or did, as a summary keeps it."""
    words = f'"{plain(detail.text)}"' if detail.kind == "quote" else plain(detail.text)
    return f"{plain_name(detail.who)}: {words}"


def _when(memory: Memory, frame: Frame, phrases: Phrases) -> str:
    if memory.past is not None:
        return when_lived(memory, now=frame.now, language=frame.language)
    if memory.kind is Kind.WORLD or memory.at is None:
        return phrases.unknown if memory.kind is not Kind.WORLD else "*"
    local = memory.at.astimezone(frame.now.tzinfo)
    return f"{local.date().isoformat()}, {ago(local, now=frame.now, language=frame.language)}"


def _other_days(memory: Memory, frame: Frame, again: Sequence[datetime]) -> list[str]:
    """The newest days, other than its own, on which the same was said; oldest first."""
    if not again:
        return []
    zone = frame.now.tzinfo
    own = None if memory.at is None else memory.at.astimezone(zone).date()
    days = {at.astimezone(zone).date() for at in again} - {own}
    return [day.isoformat() for day in sorted(days)[-_OTHER_DAYS:]]


def _aside(memory: Memory, frame: Frame, phrases: Phrases, *, days: Sequence[str] = ()) -> str:
    """How the character knows it, and when else it was said, in brackets behind the words."""
    notes = [phrases.again.format(days=", ".join(days))] if days else []
    notes += how_known(memory.past, phrases) if memory.past is not None else []
    if memory.kind is Kind.FACT and memory.confidence is not None:
        notes.append(phrases.confidence.format(value=int(memory.confidence + 0.5)))
    if memory.valid_until is not None:
        day = memory.valid_until.astimezone(frame.now.tzinfo).date().isoformat()
        notes.append(phrases.until.format(day=day))
    if memory.plan is not None:
        notes += _planned(memory.plan, frame, phrases)
    return f" ({', '.join(notes)})" if notes else ""


def _planned(plan: Plan, frame: Frame, phrases: Phrases) -> list[str]:
    """When a plan is due, as seen from now, so that tomorrow never stays tomorrow; and where it stands."""
    notes = []
    if plan.due is not None and plan.precision is not None:
        due = plan.due.astimezone(frame.now.tzinfo)
        day = in_figures(due, plan.precision)
        if plan.precision in (Precision.MINUTE, Precision.DAY):
            when = ago if plan.precision is Precision.MINUTE else day_from
            when_due = when(due, now=frame.now, language=frame.language)
            notes.append(phrases.due.format(day=day, when=when_due))
        else:  # of a month nobody can say in how many days it is
            notes.append(phrases.due_about.format(day=day))
    if plan.condition:
        notes.append(phrases.condition.format(what=plain(plan.condition)))
    if passed(plan, now=frame.now):
        notes.append(phrases.passed)
    if plan.state is not PlanState.OPEN:
        notes.append(phrases.done if plan.state is PlanState.DONE else phrases.dropped)
    return notes


def _quotes(quotes: Sequence[Quote], room: int, *, brief: bool) -> str:
    """What was said, each behind its speaker's name; people's words have the first claim on the room."""
    if brief:
        first = next((quote for quote in quotes if quote.role is Role.USER), quotes[0])
        name = f"{plain_name(first.speaker)}: "
        words = _cut(cut(plain(first.quote[: room * _IN_TOKEN]), _BRIEF_WORDS), room - tokens(name))
        return name + words if words else ""
    said: dict[int, str] = {}
    order = sorted(range(len(quotes)), key=lambda place: (quotes[place].role is not Role.USER, place))
    for place in order:
        name = f"{plain_name(quotes[place].speaker)}: "
        words = _cut(quotes[place].quote, room - tokens(name) - 2)
        if words:
            said[place] = name + words
            room -= tokens(said[place]) + 2 if len(quotes) > 1 else 0
    return " / ".join(said[place] for place in sorted(said))


def _cut(text: str, room: int) -> str:
    """As much of a text as there is room for; nothing where that would say nothing."""
    whole = plain(text[: max(room, 0) * _IN_TOKEN])
    words = cut_tokens(whole, room)
    is_stub = words != whole and words.endswith("…") and len(graphemes(words)) <= _LEAST_SAID
    return "" if is_stub else words


def _brief_choice(memories: Sequence[Memory]) -> list[Memory]:
    """Facts first, then up to three past conversations (H20)."""
    facts = [memory for memory in memories if memory.kind is not Kind.EPISODE]
    return facts + [memory for memory in memories if memory.kind is Kind.EPISODE][:_BRIEF_EPISODES]
