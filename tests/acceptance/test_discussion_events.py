"""A discussion is a shared event: what counts of it is an account, seen from every side (K6, K9)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from discussing import SISTERS, TOPIC, Parts, diary, factory, marks, once, write_characters

from omoide.domain.event import Event
from omoide.domain.model import Status
from omoide.domain.partial_date import PartialDate
from omoide.errors import ModelUnavailable
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.proves("K6", "K9")

ALL = tuple(SISTERS)
NAMES = tuple(called for called, *_ in SISTERS.values())
NOW = datetime(2026, 6, 10, 3, tzinfo=UTC)
BORN = {"yuzuki": "birthday: 2005-05-01\n", "akane": "birthday: 2007-08-20\n"}


def clocked(tmp_path: Path, parts: Parts, **given: Any) -> Any:
    usual: dict[str, Any] = {"clock": FixedClock(NOW), "zone": "Asia/Tokyo"}
    return factory(tmp_path, parts, **{**usual, **given})


async def test_every_side_of_a_talk_is_seen_by_its_author(tmp_path: Path) -> None:
    characters = write_characters(tmp_path / "c", **BORN)
    async with clocked(tmp_path, Parts(), characters=characters) as (omoide, made):
        job = await made.discuss(TOPIC, characters=ALL)

        assert job.discussion.event == TOPIC
        sides = await omoide.event(TOPIC)
        assert (str(sides.event.day), sides.event.category) == ("2026-06-10", "discussion")
        assert sides.event.participants == NAMES
        assert [(side.present, side.age) for side in sides.sides] == [
            (True, 21.0),
            (True, 18.0),
            (True, None),
        ]
        assert [side.account.id for side in sides.sides if side.account] == [
            account.versions[-1].memory for account in job.discussion.accounts
        ]
        for name in NAMES:
            (found,) = await omoide.scope(character=name).search(event=TOPIC)
            assert found.text == sides.sides[NAMES.index(name)].account.text


@pytest.mark.proves("K1")
async def test_a_character_still_has_its_own_side_alone(tmp_path: Path) -> None:
    wrote = iter(("私は灯台を見ていた。", "私は花火を見ていた。"))
    async with clocked(tmp_path, Parts(writes=lambda _: diary(next(wrote)))) as (omoide, made):
        await made.discuss(TOPIC, characters=ALL[:2])

        for name, own, other in ((NAMES[0], "灯台", "花火"), (NAMES[1], "花火", "灯台")):
            scope = omoide.scope(character=name)
            recalled = (await scope.recall(TOPIC)).block + (await scope.recall(other)).block
            assert own in recalled
            assert other not in recalled


async def test_a_side_that_waits_or_was_rejected_is_none_yet(tmp_path: Path) -> None:
    async with clocked(tmp_path, Parts(), review=True) as (omoide, made):
        job = await made.discuss(TOPIC, characters=ALL[:2])
        assert [side.account for side in (await omoide.event(TOPIC)).sides] == [None, None]

        first, second = await made.candidates()
        await made.confirm(first.memory)
        after = await made.reject(second.memory)

        accounts = [side.account for side in (await omoide.event(TOPIC)).sides]
        assert [account and account.id for account in accounts] == [first.memory, None]
        assert (after.id, after.discussion.event) == (job.id, TOPIC)


async def test_a_revision_takes_the_place_of_what_was_rejected(tmp_path: Path) -> None:
    async with clocked(tmp_path, Parts(judges=once(marks(2), marks(9)))) as (omoide, made):
        job = await made.discuss(TOPIC, characters=ALL[:2])

        accounts = [side.account for side in (await omoide.event(TOPIC)).sides]
        assert [account and account.id for account in accounts] == [
            account.versions[-1].memory for account in job.discussion.accounts
        ]


async def test_an_event_of_which_nothing_counts_is_none(tmp_path: Path) -> None:
    async with clocked(tmp_path, Parts(judges=marks(2))) as (omoide, made):
        job = await made.discuss(TOPIC, characters=ALL[:2])

        assert await omoide.events() == []
        assert job.discussion.event == ""
        assert {memory.status for name in NAMES[:2] for memory in await rejected(omoide, name)} == {
            Status.REJECTED
        }


async def rejected(omoide: Any, name: str) -> list[Any]:
    found: list[Any] = await omoide.scope(character=name).memories(statuses=tuple(Status))
    return found


async def test_events_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    counted = count(1)
    parts = Parts(writes=lambda _: diary(f"私は波を{next(counted)}まで数えた。"))
    async with clocked(tmp_path, parts) as (omoide, made):
        await omoide.add_events([Event(name=TOPIC, participants=NAMES, day=PartialDate.parse("2012-08"))])

        told = [(await made.discuss(TOPIC, characters=ALL[:2])).discussion.event for _ in range(3)]

        assert told == [f"{TOPIC} (2026-06-10)", f"{TOPIC} (2026-06-10, 2)", f"{TOPIC} (2026-06-10, 3)"]
        assert [side.account for side in (await omoide.event(TOPIC)).sides] == [None] * 3


async def test_what_an_author_made_of_the_event_stays(tmp_path: Path) -> None:
    async with clocked(tmp_path, Parts(), review=True) as (omoide, made):
        await made.discuss(TOPIC, characters=ALL[:2])
        (event,) = await omoide.events()
        mine = Event(
            name=event.name, participants=event.participants, day=event.day, weight=9, description="By hand."
        )
        await omoide.add_events([mine])
        for waiting in await made.candidates():
            await made.reject(waiting.memory)

        assert await omoide.events() == [mine]


async def test_a_talk_that_goes_on_the_day_after_stays_on_its_day(tmp_path: Path) -> None:
    parts = Parts(judges=once(ModelUnavailable("the server is away"), marks()))
    async with clocked(tmp_path, parts) as (_, made):
        begun = await made.discuss(TOPIC, characters=ALL[:2])
    async with clocked(tmp_path, Parts(), clock=FixedClock(datetime(2026, 6, 12, tzinfo=UTC))) as (
        omoide,
        made,
    ):
        await made.run(begun.id)

        sides = (await omoide.event(TOPIC)).sides
        assert [str(side.account.day) for side in sides if side.account] == ["2026-06-10", "2026-06-10"]


async def test_a_deployment_may_want_no_events(tmp_path: Path) -> None:
    async with clocked(tmp_path, Parts(), discussion_events=False) as (omoide, made):
        job = await made.discuss(TOPIC, characters=ALL[:2])

        assert (await omoide.events(), job.discussion.event) == ([], "")
        (memory,) = await omoide.scope(character=NAMES[0]).memories()
        assert (memory.event, str(memory.day)) == (None, "2026-06-10")


async def test_whoever_is_not_born_yet_takes_the_day_away(tmp_path: Path) -> None:
    tomorrow = date(2126, 1, 1)
    characters = write_characters(tmp_path / "c", akane=f"birthday: {tomorrow.isoformat()}\n")
    async with clocked(tmp_path, Parts(), characters=characters) as (omoide, made):
        await made.discuss(TOPIC, characters=ALL[:2])

        sides = await omoide.event(TOPIC)
        assert sides.event.day is None
        assert all(side.account is not None for side in sides.sides)
