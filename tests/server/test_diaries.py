"""A character's past over HTTP: diaries for a key that reaches it, every side for an admin alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from serving import serving

from omoide.server.access import Access, ApiKeys

if TYPE_CHECKING:
    from pathlib import Path

FLOOD = {
    "name": "洪水/The flood",
    "participants": ["Sora", "Rin"],
    "day": "2011-08",
    "place": "Mill Lane",
    "category": "disaster",
    "weight": 9,
    "description": "The river came into the house at night.",
}


def entry(text: str, **more: Any) -> dict[str, Any]:
    return {"diaries": [{"text": text, "layer": "direct", "confidence": 9, **more}]}


@pytest.mark.proves("K2", "K6")
async def test_diaries_and_events_are_written_and_shown_from_every_side(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        assert (await client.post("/api/events", json=FLOOD)).status_code == 201
        assert (await client.get("/api/events")).json() == [FLOOD]
        seen = {
            "person": "Rin",
            "behaviour": "ran",
            "feeling": "afraid",
            "basis": "her voice",
            "confidence": 5,
        }
        written = await client.post(
            "/api/diary",
            params={"character": "Sora"},
            json=entry(
                "I held on to the stair.",
                id="s1",
                event=FLOOD["name"],
                age=6,
                emotion="fear",
                scores={"anxiety": 8},
                observations=[seen],
                people=["Rin"],
            ),
        )
        assert written.status_code == 201
        (made,) = written.json()["ids"]
        memory = (await client.get(f"/api/memories/{made}", params={"character": "Sora"})).json()
        assert (memory["day"], memory["event"], memory["emotion"]) == ("2011-08", FLOOD["name"], "fear")
        assert memory["past"]["age"] == 6
        assert memory["scores"]["anxiety"] == 8
        assert memory["observations"] == [seen]
        found = (await client.get(f"/api/events/{FLOOD['name']}")).json()
        assert found["event"] == FLOOD
        sides = {side["character"]: side["account"] and side["account"]["id"] for side in found["sides"]}
        assert sides == {"Sora": made, "Rin": None}
        assert (await client.get("/api/events/The fire")).status_code == 404


@pytest.mark.proves("K1", "K6")
async def test_what_happened_at_an_event_is_exported_to_admins_alone(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    admin = keys.add(Access(label="boss", admin=True))
    game = keys.add(Access(label="game", characters=frozenset({"Sora", "Ume"})))
    told = {"text": "They say the river came.", "layer": "heard", "confidence": 6, "source": "Rin"}
    async with serving(tmp_path, local=False, key=admin) as (_, client):
        await client.post("/api/events", json=FLOOD)
        for character, own in (("Sora", entry("I held on.")["diaries"][0]), ("Ume", told)):
            body = {"diaries": [{**own, "event": FLOOD["name"]}]}
            whose = {"character": character}
            assert (await client.post("/api/diary", params=whose, json=body)).status_code == 201
            for key, shown in ((admin, True), (game, False)):
                given = {"authorization": f"Bearer {key}"}
                lines = await client.get("/api/export", params=whose, headers=given)
                assert FLOOD["name"] in lines.text
                assert (FLOOD["description"] in lines.text) is shown


@pytest.mark.proves("K8")
async def test_a_recall_says_what_is_of_the_characters_own_past(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        own = entry("I hid the harmonica under the stairs.", id="s1")
        assert (await client.post("/api/diary", params={"character": "Sora"}, json=own)).status_code == 201
        whose = {"user": "Mina", "character": "Sora"}
        said = {"user": "My harmonica broke in the rain.", "reply": "Oh no.", "session": "s"}
        await client.post("/api/observe", params=whose, json=said)
        recalled = await client.post("/api/recall", params=whose, json={"message": "where is the harmonica?"})

    assert {one["kind"]: one["own"] for one in recalled.json()["memories"]} == {
        "diary": True,
        "episode": False,
    }


@pytest.mark.proves("K3")
@pytest.mark.parametrize(
    "wrong",
    [
        {"confidence": 5},
        {"layer": "heard", "confidence": 6},
        {"layer": "inferred", "confidence": 5},
        {"scores": {"courage": 3}},
        {"day": "2011-13"},
        {"absolute_day": -1},
        {"event": "The fire"},
        {"mood": "fine"},
    ],
)
async def test_a_diary_that_cannot_be_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    async with serving(tmp_path) as (_, client):
        body = entry("I was there.", **wrong)
        refused = await client.post("/api/diary", params={"character": "Sora"}, json=body)
        assert refused.status_code in {400, 422}


@pytest.mark.proves("K1")
async def test_only_an_admin_key_shows_all_sides(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    boss = keys.add(Access(label="boss", admin=True))
    sora = keys.add(Access(label="sora", characters=frozenset({"Sora"})))
    async with serving(tmp_path, local=False, key=boss) as (_, client):
        assert (await client.post("/api/events", json=FLOOD)).status_code == 201
        limited = {"authorization": f"Bearer {sora}"}
        for path in ("/api/events", f"/api/events/{FLOOD['name']}"):
            assert (await client.get(path, headers=limited)).status_code == 403
            assert (await client.get(path, headers={"authorization": ""})).status_code == 401
        assert (await client.post("/api/events", json=FLOOD, headers=limited)).status_code == 403
        for character, status in (("Sora", 201), ("Rin", 403)):
            written = await client.post(
                "/api/diary", params={"character": character}, json=entry("I was there."), headers=limited
            )
            assert written.status_code == status
        own = await client.post(
            "/api/diary", params={"character": "Sora", "user": "minjun"}, json=entry("Mine."), headers=limited
        )
        assert own.status_code in {400, 422}


@pytest.mark.proves("K6")
async def test_participants_may_be_meant_by_their_ids_and_are_each_named_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        made = await client.post("/api/events", json={"name": "ferry", "participants": ["WREN", "sena"]})
        twice = await client.post("/api/events", json={"name": "fair", "participants": ["wren", "Wren"]})
        alike = await client.post("/api/events", json={"name": "fair", "participants": ["Nao", "nao"]})

    assert made.json()["participants"] == ["Wren", "세나"]
    assert [twice.status_code, alike.status_code] == [422, 422]
    assert "names 'nao' twice, first as 'Nao'" in alike.json()["error"]["message"]
