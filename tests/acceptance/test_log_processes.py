"""Several processes that write to one store at once, and one that is killed: nothing acknowledged is lost."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys

from test_log import START, found, log_of

from omoide import Omoide
from omoide.testing import FixedClock, WordEmbedder
from postgres import place


def _write_many(store, folder, name, count):
    async def run():
        async with Omoide.open(store, embedder=WordEmbedder(), master_key_file=f"{folder}/key") as omoide:
            scope = omoide.scope(user="minjun", character="haru")
            for number in range(count):
                await scope.observe(
                    user=f"{name} {number}번째 소식이야", reply=f"{number}번 알겠어", session=name
                )

    asyncio.run(run())


async def test_two_processes_may_write_at_once(tmp_path):
    async with Omoide.open(
        place(tmp_path), embedder=WordEmbedder(), master_key_file=tmp_path / "key", clock=FixedClock(START)
    ) as omoide:
        haru = omoide.scope(user="minjun", character="haru")
        await haru.observe(user="처음 인사하러 왔어", reply="반가워", session="first")
        spawn = multiprocessing.get_context("spawn")
        where = (str(place(tmp_path)), str(tmp_path))
        writers = [spawn.Process(target=_write_many, args=(*where, name, 40)) for name in ("가", "나")]
        for writer in writers:
            writer.start()
        for writer in writers:
            await asyncio.to_thread(writer.join, 60)
        assert [writer.exitcode for writer in writers] == [0, 0]
        shown = log_of(omoide, haru)
        for name in ("가", "나"):
            assert shown[name][::2] == [f"{name} {number}번째 소식이야" for number in range(40)]
        assert len(await haru.memories()) == 81
        assert len(await found(haru, "나 39번째 소식", limit=1)) == 1


_TALKER = """
import asyncio, sys
from omoide import Omoide

async def main(store, folder):
    async with Omoide.open(store, embedder="none", master_key_file=f"{folder}/key") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        for number in range(100_000):
            await scope.observe(user=f"{number}번째 소식이야", reply=f"{number}번 알겠어", session="s")
            print(number, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


def _killed(folder, *, after):
    """Run a process that talks, kill it, and return the last number that it had acknowledged."""
    with subprocess.Popen(
        [sys.executable, "-c", _TALKER, str(place(folder)), str(folder)], stdout=subprocess.PIPE, text=True
    ) as talker:
        for line in talker.stdout:
            if int(line) >= after:
                os.kill(talker.pid, signal.SIGKILL)
                break
        return max([after, *(int(line) for line in talker.stdout if line.strip().isdigit())])


async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path):
    acknowledged = await asyncio.to_thread(_killed, tmp_path, after=25)
    async with Omoide.open(place(tmp_path), embedder="none", master_key_file=tmp_path / "key") as omoide:
        haru = omoide.scope(user="minjun", character="haru")
        shown = log_of(omoide, haru)["s"]
        assert shown[::2][: acknowledged + 1] == [f"{n}번째 소식이야" for n in range(acknowledged + 1)]
        assert len(shown) in (2 * acknowledged + 2, 2 * acknowledged + 4)
        assert len(await haru.memories()) == len(shown) // 2
        assert await found(haru, f"{acknowledged}번째 소식", limit=1)
