"""A discussion over the wire of real llama.cpp: a tiny model is no good author, and does no harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omoide import Omoide
from omoide.characters import Characters
from omoide.factory import Factory, JobState, Outcome
from postgres import place

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.live, pytest.mark.xdist_group("llama"), pytest.mark.proves("K9")]


async def test_the_types_hold_or_fail_cleanly(llama: str, tmp_path: Path) -> None:
    for name in ("ida", "bo"):
        (tmp_path / "c" / name).mkdir(parents=True)
        (tmp_path / "c" / name / "profile.yaml").write_text(f"name: {name.title()}\nlanguage: en\n")
        (tmp_path / "c" / name / "prompt.jinja").write_text("You are {{ name }}, who lives by the sea.")
    async with Omoide.open(
        place(tmp_path),
        embedder="none",
        master_key_file=tmp_path / "key",
        model="any",
        model_url=f"{llama}/v1",
        model_seconds=120,
        worker=False,
    ) as omoide:
        made = Factory(omoide, Characters.load(tmp_path / "c", samples=False))
        limits = made.limits(turns=4, seconds=90)
        job = await made.discuss("the last ferry", characters=["ida", "bo"], limits=limits)

        assert len(job.discussion.spoken) == 4
        if job.state is JobState.FAILED:  # it had nothing to say
            assert "fewer than two" in job.discussion.trouble or "seconds" in job.discussion.trouble
            return
        assert job.state in (JobState.DONE, JobState.REVIEW)
        for account in job.discussion.accounts:
            assert account.outcome in Outcome
            assert account.versions[-1].reasons or account.outcome is not Outcome.REJECTED
