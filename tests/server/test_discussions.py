"""Discussions over HTTP: begun, watched, resumed, reviewed, and out of reach for ordinary keys."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from serving import serving

from omoide.domain.chat import Task
from omoide.errors import ModelUnavailable
from omoide.server.access import Access, ApiKeys
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import httpx2

    from omoide.domain.chat import Turn

pytestmark = pytest.mark.proves("K9")
BEGIN = {"topic": "The last ferry", "characters": ["ida", "bo"]}


def write(folder: Path) -> Path:
    for name in ("ida", "bo"):
        (folder / name).mkdir(parents=True)
        (folder / name / "profile.yaml").write_text(f"name: {name.title()}\nlanguage: en\n")
        (folder / name / "prompt.jinja").write_text("You are {{ name }}.")
    return folder


def answers(turns: Sequence[Turn]) -> Any:
    rules = turns[0].text
    if "other_minds" in rules:
        names = ("first_person", "voice", "consistency", "emotional_truth", "other_minds")
        return {name: {"score": 8, "reason": "fine"} for name in names}
    if "self_harm" in rules:
        names = ("minors", "sexual", "self_harm", "hate", "violence", "crime", "private")
        return dict.fromkeys(names, 0)
    return {"text": "I waited at the pier until the lights went out.", "importance": 5}


def model() -> ScriptedModel:
    return ScriptedModel(replies=lambda _: "I still hear the horn.", answers=answers)


async def finished(client: httpx2.AsyncClient, job: str) -> dict[str, Any]:
    for _ in range(500):
        found: dict[str, Any] = (await client.get(f"/api/jobs/{job}")).json()
        if found["state"] != "open":
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(found)


async def test_a_discussion_runs_after_the_answer(tmp_path: Path) -> None:
    async with serving(tmp_path, models=model(), characters=write(tmp_path / "c")) as (omoide, client):
        begun = await client.post("/api/discussions", json=BEGIN)
        assert begun.status_code == 202
        assert begun.json()["discussion"]["spoken"] == []

        job = await finished(client, begun.json()["id"])

        assert job["state"] == "done"
        assert [one["outcome"] for one in job["discussion"]["accounts"]] == ["confirmed", "confirmed"]
        assert [one["id"] for one in (await client.get("/api/jobs")).json()] == [job["id"]]
        assert (await omoide.scope(character="Ida").recall("the pier")).memories


async def test_candidates_are_reviewed(tmp_path: Path) -> None:
    async with serving(tmp_path, models=model(), characters=write(tmp_path / "c")) as (omoide, client):
        begun = await client.post("/api/discussions", json={**BEGIN, "review": True})
        assert (await finished(client, begun.json()["id"]))["state"] == "review"
        first, second = (await client.get("/api/candidates")).json()
        assert first["marks"]["voice"] == {"score": 8.0, "reason": "fine"}

        confirmed = await client.post(f"/api/candidates/{first['memory']}/confirm")
        rejected = await client.post(f"/api/candidates/{second['memory']}/reject")

        assert (confirmed.json()["state"], rejected.json()["state"]) == ("review", "done")
        assert (await client.get("/api/candidates")).json() == []
        assert (await client.post(f"/api/candidates/{first['memory']}/confirm")).status_code == 404
        assert (await omoide.scope(character="Ida").recall("the pier")).memories
        assert not (await omoide.scope(character="Bo").recall("the pier")).memories


async def test_a_failed_one_is_resumed(tmp_path: Path) -> None:
    away = [ModelUnavailable("away")]
    playing = ScriptedModel(
        replies=lambda _: away.pop() if away else "I still hear the horn.", answers=answers
    )
    async with serving(tmp_path, models=playing, characters=write(tmp_path / "c")) as (_, client):
        begun = await client.post("/api/discussions", json=BEGIN)
        job = await finished(client, begun.json()["id"])
        assert (job["state"], job["discussion"]["trouble"]) == ("failed", "away")

        assert (await client.post(f"/api/jobs/{job['id']}/resume")).status_code == 202

        for _ in range(500):
            job = (await client.get(f"/api/jobs/{job['id']}")).json()
            if job["state"] == "done":
                break
            await asyncio.sleep(0.01)
        assert job["state"] == "done"
        assert playing.costs[Task.JUDGING].calls == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({**BEGIN, "characters": ["ida"]}, 422),
        ({**BEGIN, "characters": ["ida", "nobody"]}, 404),
        ({**BEGIN, "turns": 0}, 422),
        ({**BEGIN, "tokens": 1}, 422),
        ({"topic": "", "characters": ["ida", "bo"]}, 422),
        ({**BEGIN, "rounds": 3}, 422),
    ],
)
async def test_what_cannot_be_is_refused(tmp_path: Path, body: dict[str, Any], status: int) -> None:
    async with serving(tmp_path, models=model(), characters=write(tmp_path / "c")) as (_, client):
        assert (await client.post("/api/discussions", json=body)).status_code == status
        assert (await client.get("/api/jobs")).json() == []
        assert (await client.get("/api/jobs/nothing")).status_code == 404


async def test_only_an_admin_key_sees_all_sides(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    plain, admin = keys.add(Access(label="plain")), keys.add(Access(label="admin", admin=True))
    async with serving(tmp_path, models=model(), characters=write(tmp_path / "c")) as (_, client):
        for method, path in (
            ("POST", "/api/discussions"),
            ("GET", "/api/jobs"),
            ("GET", "/api/jobs/x"),
            ("POST", "/api/jobs/x/resume"),
            ("GET", "/api/candidates"),
            ("POST", "/api/candidates/x/confirm"),
            ("POST", "/api/candidates/x/reject"),
        ):
            for key, status in ((None, 401), (plain, 403)):
                headers = {} if key is None else {"authorization": f"Bearer {key}"}
                asked = await client.request(method, path, json=BEGIN, headers=headers)
                assert asked.status_code == status, path
        headers = {"authorization": f"Bearer {admin}"}
        assert (await client.get("/api/jobs", headers=headers)).status_code == 200


@pytest.mark.parametrize(("path", "status"), [("/api/discussions", 405), ("/api/no-such-thing", 404)])
async def test_a_wrong_way_in_is_an_error_of_the_same_shape(tmp_path: Path, path: str, status: int) -> None:
    async with serving(tmp_path) as (_, client):
        answer = await client.get(path)

        assert answer.status_code == status
        assert set(answer.json()["error"]) == {"message", "type", "param", "code"}
        assert (status == 405) == ("allow" in answer.headers)
