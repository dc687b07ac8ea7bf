"""The worker: nothing is lost, and nothing is read twice (P2, P3)."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import textwrap
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omoide import Omoide
from omoide.checkup import checkup
from omoide.domain.chat import Task, Usage
from omoide.errors import LeasesUnavailable, ModelUnavailable
from omoide.retain.worker import Outcome, Worker
from omoide.stores.leases import LIFE, DatabaseLeases
from omoide.testing import FixedClock
from postgres import place

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from omoide.domain.chat import ChatModel
    from omoide.domain.windows import Window
    from omoide.retain.worker import WindowRun
    from omoide.stores.scopes import ScopeRow

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@dataclass
class Read:
    """What an extraction has brought: nothing."""

    usage: Usage = field(default_factory=Usage)
    scoring: Usage = field(default_factory=Usage)
    kept: dict[str, int] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)


class Notes:
    """An extractor that notes which messages it read, and can fail, wait or be held up."""

    def __init__(self, omoide: Omoide) -> None:
        self.omoide = omoide
        self.read: list[int] = []
        self.started = asyncio.Event()
        self.finished = asyncio.Event()
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.failures = 0
        self.failure: Exception = ModelUnavailable("the server said 503; try again later")

    async def extract(self, scope: ScopeRow, window: Window, model: ChatModel) -> Read:
        self.started.set()
        await self.go_on.wait()
        if self.failures:
            self.failures -= 1
            raise self.failure

        def close() -> None:
            with self.omoide.store.write(scope) as unit:
                unit.windows.close(window, skipped=True, prompt_version="1")

        await self.omoide.run(close)
        self.read += window.messages
        self.finished.set()
        return Read()


class AnyModel:
    """Models of which nobody asks anything."""

    async def model(self, task: Task) -> ChatModel:
        return self

    def offer(self, model: str, *, key: str | None) -> None: ...

    def spent(self, task: Task, usage: Usage) -> None: ...

    async def aclose(self) -> None: ...


@asynccontextmanager
async def opened(
    folder: Path, clock: FixedClock, *, store: Path | str | None = None, **given: object
) -> AsyncIterator[Omoide]:
    async with Omoide.open(
        store or place(folder),
        embedder="none",
        master_key_file=folder / "key",
        clock=clock,
        worker=False,
        **given,
    ) as omoide:
        yield omoide


def working(omoide: Omoide, notes: Notes, *, life: float = LIFE) -> Worker:
    return Worker(
        omoide.store,
        notes,
        AnyModel(),
        DatabaseLeases(omoide.store, life=life),
        settings=omoide.settings,
        run=omoide.run,
    )


async def talk(omoide: Omoide, count: int, *, clock: FixedClock, session: str = "s") -> None:
    scope = omoide.scope(user="mina", character="haru")
    for number in range(count):
        clock.advance(timedelta(seconds=5))
        await scope.observe(f"오늘 {number}번째 산책을 했어", "잘했어!", session=session)


async def talk_of_another(omoide: Omoide) -> None:
    other = omoide.scope(user="ren", character="haru")
    for _ in range(5):
        await other.observe("今日は海に行ったよ", "いいね")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.mark.proves("P2")
async def test_many_short_visits_make_a_window(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as omoide:
        notes = Notes(omoide)
        worker = working(omoide, notes)
        for visit in range(4):
            await talk(omoide, 1, clock=clock, session=f"visit {visit}")
            assert await worker.once() == []
        await talk(omoide, 1, clock=clock, session="visit 4")
        assert [run.outcome for run in await worker.once()] == [Outcome.READ]
        assert len(notes.read) == 10
        assert await worker.once() == []


@pytest.mark.proves("P2")
async def test_what_was_said_in_a_short_visit_is_read_after_thirty_quiet_minutes(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock) as omoide:
        notes = Notes(omoide)
        worker = working(omoide, notes)
        await talk(omoide, 1, clock=clock)
        clock.advance(timedelta(minutes=29))
        assert await worker.once() == []
        clock.advance(timedelta(minutes=2))
        assert len(await worker.once()) == 1
        assert len(notes.read) == 2


async def test_a_restart_catches_up_in_order(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as omoide:
        await talk(omoide, 12, clock=clock)
    async with opened(tmp_path, clock) as omoide:
        notes = Notes(omoide)
        await working(omoide, notes).once()
        assert len(notes.read) == 20
        assert notes.read == sorted(set(notes.read))


async def test_two_workers_never_read_a_window_twice(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as one, opened(tmp_path, clock) as two:
        await talk(one, 40, clock=clock)
        notes = Notes(one), Notes(two)
        for _ in range(3):
            await asyncio.gather(*(working(note.omoide, note).once() for note in notes))
        read = notes[0].read + notes[1].read
        assert len(read) == len(set(read)) == 80


async def test_a_worker_whose_lease_ran_out_writes_nothing(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as omoide:
        await talk(omoide, 5, clock=clock)
        paused, next_one = Notes(omoide), Notes(omoide)
        paused.go_on.clear()
        reading = asyncio.create_task(working(omoide, paused, life=0.3).once())
        await paused.started.wait()
        clock.advance(timedelta(seconds=1))  # that of a file's leases; a server has its own
        await asyncio.sleep(0.4)
        await working(omoide, next_one).once()
        paused.go_on.set()
        assert [run.outcome for run in await reading] == [Outcome.SUPERSEDED]
        assert (paused.read, len(next_one.read)) == ([], 10)


@pytest.mark.proves("P3")
async def test_a_window_that_takes_too_long_waits_and_is_tried_again(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock, window_seconds=0.1) as omoide:
        await talk(omoide, 5, clock=clock)
        notes = Notes(omoide)
        notes.go_on.clear()
        (run,) = await working(omoide, notes).once()
        assert run.outcome is Outcome.FAILED
        assert "0.1 seconds" in (run.failure or "")
        notes.go_on.set()
        assert await working(omoide, notes).once() == []
        clock.advance(timedelta(minutes=2))
        assert [run.outcome for run in await working(omoide, notes).once()] == [Outcome.READ]
        assert len(notes.read) == 10


async def test_a_failing_window_backs_off_is_visible_and_stops_no_other_scope(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock) as omoide:
        await talk(omoide, 5, clock=clock)
        await talk_of_another(omoide)
        notes = Notes(omoide)
        notes.failures = 1
        runs = await working(omoide, notes).once()
        assert sorted(run.outcome for run in runs) == [Outcome.FAILED, Outcome.READ]
        failed = next(run.scope for run in runs if run.outcome is Outcome.FAILED)
        with omoide.store.read(failed) as unit:
            (report,) = unit.windows.reports()
        assert (report.state, report.attempts) == ("waiting", 1)
        assert report.next_try == clock.now() + timedelta(minutes=1)
        assert "503" in (report.failure or "")


@pytest.mark.proves("H14")
async def test_a_fault_of_its_own_costs_one_window_a_try_and_stops_no_other(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock) as omoide:
        await talk(omoide, 5, clock=clock)
        await talk_of_another(omoide)
        notes = Notes(omoide)
        notes.failures, notes.failure = 1, OverflowError("오늘 0번째 산책을 했어")
        worker, stop, told = working(omoide, notes), asyncio.Event(), list[Outcome]()
        running = asyncio.create_task(worker.run(stop, told=lambda run: told.append(run.outcome)))
        await asyncio.wait_for(notes.finished.wait(), 5)
        stop.set()
        await running
        assert sorted(told) == [Outcome.FAILED, Outcome.READ]

        (report,) = [
            one for scope in await omoide.scopes() for one in await scope.windows() if one.state == "waiting"
        ]
        assert report.failure == "a fault of its own: OverflowError"
        assert report.next_try == clock.now() + timedelta(minutes=1)
        (found,) = [one for one in await checkup(omoide) if one.what == "extraction"]
        assert (found.state, "1 parts of conversations failed" in found.detail) == ("note", True)

        clock.advance(timedelta(minutes=1))
        assert [run.outcome for run in await working(omoide, notes).once()] == [Outcome.READ]


async def test_a_window_that_never_works_lets_later_ones_pass_in_the_end(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock) as omoide:
        await talk(omoide, 10, clock=clock)
        notes = Notes(omoide)
        notes.failures = 3
        for _ in range(3):
            await working(omoide, notes).once()
            assert notes.read == []
            clock.advance(timedelta(minutes=10))
        await working(omoide, notes).once()
        assert len(notes.read) == 20


async def test_messages_taken_back_while_their_window_waits_are_not_read(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock) as omoide:
        scope = omoide.scope(user="mina", character="haru")
        recorded = []
        for number in range(5):
            clock.advance(timedelta(seconds=5))
            recorded.append(await scope.observe(f"I like the tea number {number}", "Nice", session="s"))
        notes = Notes(omoide)
        notes.failures = 1
        await working(omoide, notes).once()
        await scope.rewind(to=recorded[1].messages[-1])
        clock.advance(timedelta(hours=1))
        await working(omoide, notes).once()
        assert len(notes.read) == 4


async def test_a_day_whose_tokens_are_spent_costs_no_window_an_attempt(
    tmp_path: Path, clock: FixedClock
) -> None:
    class Spent(AnyModel):
        left = 2  # the look itself, and the first window

        async def model(self, task: Task) -> ChatModel:
            if not self.left:
                raise ModelUnavailable("today's tokens are spent; wait a day")
            self.left -= 1
            return await super().model(task)

    async with opened(tmp_path, clock) as omoide:
        await talk(omoide, 15, clock=clock)
        notes = Notes(omoide)
        leases = DatabaseLeases(omoide.store)
        worker = Worker(omoide.store, notes, Spent(), leases, settings=omoide.settings, run=omoide.run)
        await worker.once()
        assert len(notes.read) == 10
        row = omoide.store.meet("mina", "haru")
        with omoide.store.read(row) as unit:
            assert [report.state for report in unit.windows.reports()] == ["skipped"]
        await working(omoide, notes).once()
        assert len(notes.read) == 30


class Gone(DatabaseLeases):
    """Leases that can be had so many times, and then no more."""

    def __init__(self, omoide: Omoide, *, after: int = 0) -> None:
        super().__init__(omoide.store)
        self.left = after

    def take(self, scope: ScopeRow, token: str) -> bool:
        self.left -= 1
        if self.left < 0:
            raise LeasesUnavailable("the lease server cannot be asked; see the setting lease_url")
        return super().take(scope, token)


def leaseless(omoide: Omoide, leases: Gone) -> Worker:
    return Worker(omoide.store, Notes(omoide), AnyModel(), leases, settings=omoide.settings, run=omoide.run)


async def test_reading_goes_on_where_a_lease_server_is_gone(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as omoide:
        await talk(omoide, 5, clock=clock)
        with pytest.raises(LeasesUnavailable, match="lease_url"):
            await leaseless(omoide, Gone(omoide)).once()
        assert len(await working(omoide, Notes(omoide)).once()) == 1


async def test_what_was_read_before_the_lease_server_went_is_told_and_the_rest_is_an_error(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock) as omoide:
        await talk(omoide, 5, clock=clock)
        other = omoide.scope(user="yuna", character="haru")
        for number in range(5):
            await other.observe(f"오늘 {number}번째 산책을 했어", "잘했어!", session="s")
        told: list[WindowRun] = []
        with pytest.raises(LeasesUnavailable):
            await leaseless(omoide, Gone(omoide, after=1)).once(told=told.append)
        assert [run.outcome for run in told] == [Outcome.READ]
        assert len(await working(omoide, Notes(omoide)).once()) == 1


async def test_that_the_lease_server_is_gone_is_told_once(
    tmp_path: Path, clock: FixedClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path, clock) as omoide:
        await talk(omoide, 5, clock=clock)
        gone, stop = Gone(omoide), asyncio.Event()
        worker = leaseless(omoide, gone)
        running = asyncio.create_task(worker.run(stop))
        async with asyncio.timeout(10):
            for looks in (1, 2):
                while gone.left > -looks:
                    await asyncio.sleep(0.01)
                worker.notice(omoide.store.meet("mina", "haru"))
            stop.set()
            await running
    assert caplog.text.count("the lease server cannot be asked") == 1


async def test_running_reads_what_it_is_told_of_and_stops_when_told(
    tmp_path: Path, clock: FixedClock
) -> None:
    async with opened(tmp_path, clock) as omoide:
        notes, stop = Notes(omoide), asyncio.Event()
        worker = working(omoide, notes)
        running = asyncio.create_task(worker.run(stop))
        await talk(omoide, 5, clock=clock)
        worker.notice(omoide.store.meet("mina", "haru"))
        async with asyncio.timeout(10):
            await notes.finished.wait()
            stop.set()
            await running


async def test_told_to_stop_it_ends_with_the_window_that_it_reads(tmp_path: Path, clock: FixedClock) -> None:
    async with opened(tmp_path, clock) as omoide:
        notes, stop = Notes(omoide), asyncio.Event()
        worker = working(omoide, notes)
        await talk(omoide, 30, clock=clock)
        other = omoide.scope(user="yuna", character="haru")
        for number in range(30):
            await other.observe(f"오늘 {number}번째 산책을 했어", "잘했어!", session="s")
        notes.go_on.clear()
        running = asyncio.create_task(worker.run(stop))
        async with asyncio.timeout(10):
            await notes.started.wait()
            stop.set()
            notes.go_on.set()
            await running
        first = len(notes.read)
        assert 0 < first < 60
        assert len(await working(omoide, notes).once()) * first > 60


KILLED = textwrap.dedent(
    """
    import asyncio, sys
    from pathlib import Path
    sys.path[:0] = {tests!r}
    from test_worker import NOON, FixedClock, Notes, opened, talk, working

    async def main():
        clock = FixedClock(NOON)
        async with opened(Path({folder!r}), clock, store={store!r}) as omoide:
            await talk(omoide, 10, clock=clock)
            notes = Notes(omoide)
            notes.go_on.clear()
            reading = asyncio.create_task(working(omoide, notes, life=0.3).once())
            await notes.started.wait()
            print("reading", flush=True)
            await reading

    asyncio.run(main())
    """
)


def kill_while_reading(folder: Path) -> None:
    here = Path(__file__).parent
    script = KILLED.format(tests=[str(here), str(here.parent)], folder=str(folder), store=str(place(folder)))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        process.send_signal(signal.SIGKILL)


async def test_a_worker_killed_in_the_middle_loses_nothing(tmp_path: Path, clock: FixedClock) -> None:
    await asyncio.to_thread(kill_while_reading, tmp_path)
    clock.advance(timedelta(minutes=3))
    await asyncio.sleep(0.3)
    async with opened(tmp_path, clock) as omoide:
        notes = Notes(omoide)
        await working(omoide, notes).once()
        assert len(notes.read) == len(set(notes.read)) == 20
