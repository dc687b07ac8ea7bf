"""Whoever is reset is gone from the records of discussions too, what others remember is theirs (P15)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from discussing import SISTERS, TOPIC, Parts, diary, factory, once

from omoide.errors import ModelUnavailable, NotFound
from omoide.factory import JobState, Outcome
from postgres import content_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide.domain.chat import Turn

pytestmark = pytest.mark.proves("P15", "K9")

FIRST, SECOND, THIRD = SISTERS
YUZUKI, AKANE, HISUI = (called for called, *_ in SISTERS.values())
OTHER = "雪の日の駅"
SECRET = "灯台の鍵を盗んだ"


def secretive(turns: Sequence[Turn]) -> Any:
    return f"私は{SECRET}。" if turns[0].text.startswith(YUZUKI) else "うん、覚えてるよ。"


def about_its_topic(turns: Sequence[Turn]) -> Any:
    return diary(text=f"{OTHER if OTHER in turns[0].text else TOPIC}のことを、私は今も覚えている。")


def sealed(folder: Path) -> list[bytes]:
    with rows_of(folder) as run:
        return [bytes(row[0]) for row in run("SELECT body_sealed FROM jobs ORDER BY id")]


async def test_the_record_goes_with_the_first_who_is_reset(tmp_path: Path) -> None:
    async with factory(tmp_path, Parts(speaks=secretive, writes=about_its_topic)) as (omoide, made):
        job = await made.discuss(TOPIC, characters=[FIRST, SECOND])
        other = await made.discuss(OTHER, characters=[SECOND, THIRD])
        (body, kept) = sealed(tmp_path)
        assert SECRET in job.discussion.model_dump_json()

        await omoide.scope(character=YUZUKI).reset()

        with pytest.raises(NotFound):
            await made.job(job.id)
        assert (await made.job(other.id)).discussion == other.discussion
        assert len(await omoide.scope(character=AKANE).memories()) == 2
        assert sealed(tmp_path) == [kept]
        assert body not in content_of(tmp_path)


async def test_what_waits_for_an_author_still_waits_without_the_talk(tmp_path: Path) -> None:
    async with factory(tmp_path, Parts(speaks=secretive), review=True) as (omoide, made):
        job = await made.discuss(TOPIC, characters=[FIRST, SECOND])
        (body,) = sealed(tmp_path)

        await omoide.scope(character=YUZUKI).reset()

        (waiting,) = await made.candidates()
        left = (await made.job(job.id)).discussion
        assert (waiting.character, left.spoken, left.account(FIRST).versions) == (SECOND, (), ())
        assert SECRET not in left.model_dump_json()
        assert body not in content_of(tmp_path)
        done = await made.confirm(waiting.memory)
        assert done.discussion.account(SECOND).outcome is Outcome.CONFIRMED
        assert await omoide.scope(character=AKANE).memories()


async def test_a_talk_that_broke_off_is_not_had_anew(tmp_path: Path) -> None:
    parts = Parts(speaks=secretive, judges="no marks", checks=once({}, ModelUnavailable("away")))
    async with factory(tmp_path, parts) as (omoide, made):
        job = await made.discuss(TOPIC, characters=[SECOND, FIRST])
        assert job.discussion.account(SECOND).outcome is Outcome.CANDIDATE

        await omoide.scope(character=YUZUKI).reset()
        calls = len(parts.calls)

        assert [one.character for one in await made.candidates()] == [SECOND]
        assert (await made.run(job.id)).discussion.spoken == ()
        assert len(parts.calls) == calls


async def test_whoever_spoke_and_wrote_nothing_can_be_reset_too(tmp_path: Path) -> None:
    parts = Parts(speaks=secretive, writes=ModelUnavailable("away"))
    async with factory(tmp_path, parts) as (omoide, made):
        job = await made.discuss(TOPIC, characters=[FIRST, SECOND])
        assert (job.state, SECRET in job.discussion.model_dump_json()) == (JobState.FAILED, True)

        assert await omoide.scope(character=YUZUKI).reset() == (0, 0)

        assert sealed(tmp_path) == []


async def test_records_of_before_they_named_anybody_are_found_by_their_memories(tmp_path: Path) -> None:
    async with factory(tmp_path, Parts(speaks=secretive, writes=diary())) as (omoide, made):
        job = await made.discuss(TOPIC, characters=[FIRST, SECOND])
        row = made._jobs.get(job.id)
        old = json.loads(row.body)
        del old["names"], old["event"]
        made._jobs.put(row, state=row.state, body=json.dumps(old))
        assert (await made.job(job.id)).discussion.names == ()

        await omoide.scope(character=AKANE).reset()

        assert await made.jobs() == []
