"""How often a key may ask for a user."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fastapi import HTTPException
from serving import WHOSE, serving

from omoide.server.limits import Limits
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path


class Clock:
    """Seconds that go on when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def taken(limits: Limits, *, key: str = "game", user: str | None = "민준", times: int) -> int:
    """How many of so many requests were let through."""
    through = 0
    for _ in range(times):
        try:
            limits.take(key, user)
        except HTTPException:
            continue
        through += 1
    return through


def test_a_minutes_worth_comes_at_once_and_then_one_at_a_time() -> None:
    clock = Clock()
    limits = Limits(6, clock=clock)
    assert taken(limits, times=9) == 6
    clock.now = 10.0
    assert taken(limits, times=2) == 1
    clock.now = 70.0
    assert taken(limits, times=9) == 6


def test_each_key_and_user_has_a_bucket_of_its_own() -> None:
    limits = Limits(2, clock=Clock())
    assert taken(limits, times=3) == 2
    assert taken(limits, user="유나", times=3) == 2
    assert taken(limits, key="other", times=3) == 2
    assert taken(limits, user=None, times=3) == 2


def test_no_limit_is_none() -> None:
    assert taken(Limits(0, clock=Clock()), times=5_000) == 5_000


def test_who_asks_too_often_is_told_when_to_come_again() -> None:
    limits = Limits(4, clock=Clock())
    taken(limits, times=4)
    with pytest.raises(HTTPException) as refused:
        limits.take("game", "민준")
    assert refused.value.status_code == 429
    assert refused.value.headers == {"Retry-After": "15"}
    assert "민준" not in str(refused.value.detail)


def test_many_users_do_not_fill_the_memory() -> None:
    limits = Limits(1, clock=Clock())
    for number in range(20_000):
        limits.take("game", f"user {number}")
    assert len(limits._buckets) == 10_000


async def test_memory_and_chat_are_limited_and_health_is_not(tmp_path: Path) -> None:
    model = ScriptedModel(replies=lambda _: "응")
    async with serving(tmp_path, requests_per_minute=3, models=model) as (_, client):
        for _ in range(3):
            assert (await client.post("/api/recall", params=WHOSE, json={"message": "안녕"})).is_success
        refused = await client.post("/api/recall", params=WHOSE, json={"message": "안녕"})
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "20")
        assert refused.json()["error"]["type"] == "refused"
        body = {"session_id": "s", "message": "안녕", "user_name": "민준", "character": "sena"}
        assert (await client.post("/chat/stream", json=body)).status_code == 429
        assert (await client.post("/chat/stream", json={**body, "user_name": "유나"})).is_success
        assert (await client.get("/health")).is_success
        assert (await client.get("/ready")).is_success
