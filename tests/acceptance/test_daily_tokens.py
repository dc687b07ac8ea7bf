"""What goes on by itself may cost so many tokens a day (P4): all of it counts, and what waits is told."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine
from discussing import SISTERS, TOPIC, write_characters
from extracting import answer, fact
from opening import NOW, opened

from omoide.characters import Characters
from omoide.checkup import checkup
from omoide.domain.chat import BACKGROUND, Task, Usage
from omoide.errors import TokensSpent
from omoide.factory import Factory
from omoide.server.readiness import Readiness
from omoide.server.waiting import Waiting
from omoide.testing import FakeModelServer, FixedClock
from omoide.testing.replies import slow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omoide import Omoide

pytestmark = pytest.mark.proves("P4")

SAID = "나는 어릴 때부터 개가 무서워"
READ = answer(facts=[fact("개를 무서워한다", 1, "개가 무서워")])
DECLINED = answer() | {"summary": "I'm sorry, but I can't help with that."}


@pytest.fixture
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer(READ) as running:
        yield running


def limited(server: FakeModelServer, tokens: int) -> dict[str, object]:
    return {"model": "fake", "model_url": server.url, "daily_tokens": tokens, "worker": False}


async def talk(engine: Omoide, turns: int = 1) -> None:
    scope = engine.scope(user="haneul", character="dalbi")
    for number in range(turns):
        await scope.observe(SAID if number == 0 else f"{SAID}, {number}번 말했지", "그랬구나", session="s")


def test_a_chat_alone_is_no_work_in_the_background() -> None:
    assert set(Task) - set(BACKGROUND) == {Task.CHAT}


@pytest.mark.parametrize("spender", BACKGROUND)
async def test_what_any_task_spends_counts_and_all_but_the_chat_stop(
    tmp_path: Path, server: FakeModelServer, spender: Task
) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock, **limited(server, 100)) as engine:
        engine.models.spent(Task.CHAT, Usage(calls=1, prompt=900, answer=99))
        for task in BACKGROUND:
            assert await engine.models.model(task) is not None
        engine.models.spent(spender, Usage(calls=1, prompt=90, answer=10))

        for task in BACKGROUND:
            with pytest.raises(TokensSpent, match=r"100 tokens .* are spent"):
                await engine.models.model(task)
        assert await engine.models.model(Task.CHAT) is not None
        clock.advance(timedelta(days=1))
        assert await engine.models.model(spender) is not None


async def test_scoring_counts_and_a_window_that_came_to_nothing_too(
    tmp_path: Path, server: FakeModelServer
) -> None:
    server.replies += [READ, {"score": 0.9}, DECLINED]
    async with opened(tmp_path, **limited(server, 0), scoring="model", window=1) as engine:
        await talk(engine)
        (run,) = await engine.worker.once()
        assert (run.failure, engine.models.costs[Task.SCORING].calls) == (None, 1)
        before = engine.models.costs[Task.EXTRACTION]
        await talk(engine, 2)
        (failed,) = await engine.worker.once()

        assert "declined" in (failed.failure or "")
        assert engine.models.costs[Task.EXTRACTION].tokens > before.tokens


@pytest.mark.parametrize("limit", ["window_seconds", "model_seconds"])
async def test_a_call_that_nobody_waits_for_any_longer_has_cost_its_prompt(
    tmp_path: Path, server: FakeModelServer, limit: str
) -> None:
    server.replies += [slow(READ, delay=5.0)]
    async with opened(tmp_path, **limited(server, 10), window=1, **{limit: 0.3}) as engine:
        await talk(engine)
        (failed,) = await engine.worker.once()

        assert "more than 0.3 seconds" in (failed.failure or "")
        cost = engine.models.costs[Task.EXTRACTION]
        assert (cost.calls, cost.prompt > 100, cost.answer) == (1, True, 0)
        with pytest.raises(TokensSpent):
            await engine.models.model(Task.EXTRACTION)


async def test_a_first_answer_counts_where_its_repair_takes_too_long(
    tmp_path: Path, server: FakeModelServer
) -> None:
    server.replies += ["no JSON at all", slow(READ, delay=5.0)]
    async with opened(tmp_path, **limited(server, 0), window=1, window_seconds=0.8) as engine:
        await talk(engine)
        await engine.worker.once()
        cost = engine.models.costs[Task.EXTRACTION]

    assert cost.calls == 2
    assert cost.answer > 0


async def test_windows_that_were_read_before_the_end_are_told_of_and_then_nothing_is_read(
    tmp_path: Path, server: FakeModelServer
) -> None:
    async with opened(tmp_path, **limited(server, 10), window=1) as engine:
        await talk(engine, 3)
        assert len(await engine.worker.once()) == 1
        for _ in range(2):
            with pytest.raises(TokensSpent):
                await engine.worker.once()


async def test_the_checkup_and_the_server_say_that_extraction_waits_for_tomorrow(
    tmp_path: Path, server: FakeModelServer
) -> None:
    async with opened(tmp_path, **limited(server, 10), window=1) as engine:
        await talk(engine, 3)
        assert (await Readiness(engine, Waiting(engine.store)).look()).extraction == "ok"
        await engine.worker.once()
        found = {one.what: one for one in await checkup(engine)}
        ready = await Readiness(engine, Waiting(engine.store)).look()

    assert found["extraction"].state == "note"
    assert "today's 10 tokens (daily_tokens) are spent" in found["extraction"].detail
    assert "midnight (UTC)" in found["extraction"].detail
    assert (ready.ready, ready.model, ready.extraction) == (True, "ok", "TokensSpent")


async def test_a_discussion_that_is_resumed_again_and_again_comes_to_the_end_of_its_tokens(
    tmp_path: Path, server: FakeModelServer
) -> None:
    home = write_characters(tmp_path / "characters")
    server.replies += [slow("Hello!", delay=5.0)] * 60
    async with opened(tmp_path, **limited(server, 0), characters=home) as engine:
        factory = Factory(engine, Characters.of(engine.settings))
        limits = factory.limits(seconds=0.15, tokens=3_000)
        job = await factory.begin(TOPIC, characters=list(SISTERS), limits=limits)
        for _ in range(60):
            job = await factory.run(job.id)
            if "tokens" in job.discussion.trouble:
                break

        assert "tokens" in job.discussion.trouble
        assert 1_000 < job.discussion.spent.prompt == engine.models.costs[Task.DISCUSSION].prompt <= 3_000


async def test_a_discussion_stops_and_says_why(tmp_path: Path, server: FakeModelServer) -> None:
    home = write_characters(tmp_path / "characters")
    async with opened(tmp_path, **limited(server, 10), characters=home) as engine:
        engine.models.spent(Task.EXTRACTION, Usage(calls=1, prompt=10))
        factory = Factory(engine, Characters.of(engine.settings))
        job = await factory.run((await factory.begin(TOPIC, characters=list(SISTERS))).id)

    assert job.state.value == "failed"
    assert "10 tokens for work in the background are spent" in job.discussion.trouble
    assert not server.requests


def test_a_worker_that_is_started_when_all_is_spent_says_so(
    tmp_path: Path,
    server: FakeModelServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    omoide = CommandLine(tmp_path, monkeypatch, capsys)
    for name, value in limited(server, 1).items():
        monkeypatch.setenv(f"OMOIDE_{name.upper()}", str(value))
    monkeypatch.setenv("OMOIDE_WINDOW", "1")
    omoide("observe", "--user", "haneul", "--character", "dalbi", "--new", SAID, "그랬구나")

    assert "window 1: read, kept 1 fact\n" in omoide("worker", "--once").out
    assert "today's 1 tokens" in omoide("worker", "--once", status=1).err
    found = {one["what"]: one for one in omoide("doctor", "--json").json["findings"]}
    assert "are spent" in found["extraction"]["detail"]
