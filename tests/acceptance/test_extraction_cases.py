"""Twenty days of talk in three languages, with the answers of independent readers who saw the prompts only.

`tests/cases/extraction` and `tests/cases/extraction_second` hold a window a line: what was said, the answer
of the first or the second reader, and what is to come of it. Prompts and rules were mended after each, by
what that reader saw; the answers are as they were given, but for ids of what is known, in the place of which
its words stand.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from opening import opened

from omoide import Kind, Message, Role
from omoide.domain.loose_times import in_figures
from omoide.testing import FixedClock, ScriptedModel

if TYPE_CHECKING:
    from omoide import Memory, Omoide

from benchmarks.extraction_replay import replay
from benchmarks.extraction_replay import windows as windows_of

CASES = Path(__file__).parents[1] / "cases"
READERS = ("extraction", "extraction_second")
CLAIMS = (Kind.FACT, Kind.STATEMENT, Kind.PLAN, Kind.GUIDANCE)
ZONES = {"ko": "Asia/Seoul", "ja": "Asia/Tokyo", "en": "Europe/Vienna"}
BESIDES = {
    "ko": ["대통령", "화성", "로봇", "시스템 프롬프트", "로또", "불면증"],
    "ja": ["住所", "ラーメン屋", "妻も子も", "生まれ変わ", "システム"],
    "en": ["500", "euros", "the Duke", "arsenic", "lottery", "bets his tram"],
}
"""Words of jokes, scenes, dreams, orders, and of what a character only guessed: no claim may hold them."""


def windows(folder: str, language: str) -> list[dict[str, Any]]:
    """The windows of a conversation, in order."""
    return windows_of(CASES / folder / f"{language}.jsonl")


async def play(
    omoide: Omoide, cases: list[dict[str, Any]], language: str, clock: FixedClock
) -> list[dict[str, Any]]:
    """Tell what was said day by day, let the worker read it, and say what came of each window."""
    found, before = [], set[str]()
    for window in cases:
        said = [_message(line, language) for line in window["messages"]]
        scope = omoide.scope(user=window["user"], character=window["character"])
        await scope.observe(messages=said, session=window["session"])
        await scope.vectorise()  # so that what is near is the same in every run
        last = said[-1].at
        assert last is not None
        clock.advance(last + timedelta(minutes=31) - clock.now())
        row = omoide.store.scope(window["user"], window["character"])
        assert row is not None
        (run,) = await omoide.worker.scope(row)
        standing = await scope.memories(kinds=CLAIMS)
        new = [memory for memory in standing if memory.id not in before]
        before |= {memory.id for memory in new}
        found.append({"kept": sorted(map(told, new)), "dropped": dict(run.dropped)})
    return found


def told(memory: Memory) -> str:
    """A claim as the cases write it: kind, whom it is about, its words, and its day as far as it is known."""
    plan = memory.plan
    exact = plan is not None and plan.due is not None and plan.precision is not None
    day = f" @{in_figures(plan.due, plan.precision)}" if exact else ""
    state = "" if plan is None else f" ({plan.state.value})"
    return f"{memory.kind.value} [{memory.subject or ''}] {memory.text}{day}{state}"


def reader(folder: str, language: str) -> ScriptedModel:
    """A model that gives the answer of the window that it is shown."""
    return replay(CASES / folder / f"{language}.jsonl")


def _message(line: dict[str, str], language: str) -> Message:
    at = datetime.fromisoformat(line["at"]).replace(tzinfo=ZoneInfo(ZONES[language]))
    return Message(role=Role(line["role"]), text=line["text"], at=at)


@pytest.mark.proves("P5")
@pytest.mark.proves("H11")
@pytest.mark.proves("H12")
@pytest.mark.parametrize("language", list(ZONES))
@pytest.mark.parametrize("folder", READERS)
async def test_what_a_reader_drew_from_twenty_days_is_kept_as_it_was_said(
    tmp_path: Path, folder: str, language: str
) -> None:
    cases = windows(folder, language)
    begin = datetime.fromisoformat(cases[0]["messages"][0]["at"]).replace(tzinfo=ZoneInfo(ZONES[language]))
    clock = FixedClock(begin)
    async with opened(
        tmp_path, models=reader(folder, language), clock=clock, zone=ZONES[language], worker=False
    ) as omoide:
        found = await play(omoide, cases, language, clock)
        scope = omoide.scope(user=cases[0]["user"], character=cases[0]["character"])
        standing = await scope.memories(kinds=CLAIMS)

    assert found == [{"kept": case["kept"], "dropped": case["dropped"]} for case in cases]
    texts = [memory.text for memory in standing]
    assert [text for text in texts for word in BESIDES[language] if word in text] == []
    claims = Counter((memory.subject, memory.text) for memory in standing)
    assert [claim for claim, count in claims.items() if count > 1] == []
    spoken = {line["text"] for case in cases for line in case["messages"]}
    assert all(any(q.quote in text for text in spoken) for memory in standing for q in memory.evidence)
