"""A message of one sign or word over and over costs what its length does, and stops nobody (F16, F33)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from omoide import Omoide
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

SHORT, LONG = 4_000, 16_000
"""Characters of the two messages."""

MOST = 10.0
"""How many times as long the longer one may take; a square would be sixteen times."""

NOISE = 1.5
"""Seconds of the processor below which nothing is compared."""


async def seconds(folder: Path, flood: str) -> float:
    """What it takes of the processor to hear a message, to have it read, and to be asked in its words."""
    fact = {"text": "keeps bees", "about": "Sam", "mode": "asserted", "evidence": [{"m": 1, "words": flood}]}
    model = ScriptedModel(answers=lambda _: {"summary": "Sam keeps bees.", "facts": [fact]})
    async with Omoide.open(
        folder / f"{len(flood)}.db",
        models=model,
        embedder="none",
        worker=False,
        window=1,
        master_key_file=folder / "key",
    ) as omoide:
        scope = omoide.scope(user="Sam", character="Wren")
        begun = time.process_time()
        await scope.observe(user=flood, reply="wow")
        await omoide.worker.once()
        await scope.recall(flood)
        return time.process_time() - begun


@pytest.mark.parametrize(
    "run",
    [
        *"\n \u3000<[\"'「1-*、…😀aA가ㅋあー漢",
        "hi\n",
        "1,",
        "a ",
        "I ",
        "My mom ",
        "say '",
        "나는 ",
        "가, ",
        "あ、",
    ],
)
async def test_a_flood_takes_time_as_it_is_long(tmp_path: Path, run: str) -> None:
    short, long = (f"hi there {run * (size // len(run))} hi there" for size in (SHORT, LONG))
    took = await seconds(tmp_path, long)
    if took > NOISE:
        assert took < MOST * await seconds(tmp_path, short)
