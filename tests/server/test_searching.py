"""Search over HTTP: the same filters as in a shell, checked, and only for keys that reach the scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from serving import serving

from omoide.server.access import Access, ApiKeys

if TYPE_CHECKING:
    from pathlib import Path

HERS = {"character": "Sora"}


def _entry(text: str, age: int, frustration: float) -> dict[str, Any]:
    return {
        "text": text,
        "layer": "direct",
        "confidence": 9,
        "age": age,
        "place": "Los Angeles",
        "scores": {"frustration": frustration},
    }


LIFE = {
    "diaries": [
        _entry("縁日で迷子になった。", 5, 8),
        _entry("My kite tore.", 7, 9),
        _entry("비가 왔다.", 9, 2),
    ]
}


@pytest.mark.proves("K7", "K8")
async def test_memories_are_searched_by_values_and_by_a_text(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        assert (await client.post("/api/diary", params=HERS, json=LIFE)).status_code < 300
        url = "/api/search?character=Sora&age=5..7&place=Los%20Angeles&emotion=frustration>7"
        down = await client.get(f"{url}&order=-frustration")
        one = await client.get(f"{url}&order=age&limit=1")
        near = await client.get("/api/search", params={**HERS, "text": "kite", "layer": "direct"})
        mixed = await client.get(
            "/api/search", params={**HERS, "emotion": ["frustration>1", "joy<6"], "order": ["-age"]}
        )

    assert [memory["scores"]["frustration"] for memory in down.json()] == [9, 8]
    assert [memory["past"]["age"] for memory in one.json()] == [5]
    assert [memory["text"] for memory in near.json()] == ["My kite tore."]
    assert [memory["past"]["age"] for memory in mixed.json()] == [9, 7, 5]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"age": "5 OR 1=1"}, "write 5..7"),
        ({"emotion": "frustration"}, "frustration>7"),
        ({"emotion": "bogus>7"}, "no memory here has a score 'bogus'; choose from joy, sadness, anxiety,"),
        ({"order": "-bliss"}, "nothing is ordered by 'bliss'"),
        ({"layer": "dreamt"}, ""),
        ({"limit": "1000001"}, ""),
        ({"day": "2011-99"}, "2011-summer"),
        ({"ages": "5..7"}, "no parameter is called 'ages'; choose from absolute_day, age,"),
        ({"age": ["5", "7"]}, "'age' is given 2 times; once is enough"),
        ({"character": ["Sora", "Sora"]}, "'character' is given 2 times"),
    ],
)
async def test_a_wrong_filter_is_refused_in_words(tmp_path: Path, wrong: dict[str, Any], said: str) -> None:
    async with serving(tmp_path) as (_, client):
        await client.post("/api/diary", params=HERS, json=LIFE)
        refused = await client.get("/api/search", params={**HERS, **wrong})

    assert refused.status_code == 422
    assert said in refused.json()["error"]["message"]


async def test_a_key_searches_no_further_than_it_reaches(tmp_path: Path) -> None:
    key = ApiKeys(tmp_path / "keys.json").add(Access(label="mine", characters=frozenset({"Rin"})))
    async with serving(tmp_path, key=key) as (_, client):
        refused = await client.get("/api/search", params=HERS)

    assert refused.status_code == 403


@pytest.mark.proves("K7")
async def test_a_recall_is_narrowed_in_the_forms_of_a_search(tmp_path: Path) -> None:
    life = {
        "diaries": [{**_entry("My kite tore.", 7, 9), "people": ["志帆"]}, _entry("I flew a kite.", 9, 2)]
    }
    narrowed = [
        {"people": ["志帆"]},
        {"emotion": {"frustration": ">7"}},
        {"emotion": ["frustration=8..10"]},
        {"emotion": {"frustration": 8}},
    ]
    async with serving(tmp_path) as (_, client):
        assert (await client.post("/api/diary", params=HERS, json=life)).status_code < 300
        for filter_ in narrowed:
            body = {"message": "Do you remember the kite?", "filter": filter_}
            found = await client.post("/api/recall", params=HERS, json=body)
            assert [one["text"] for one in found.json()["memories"]] == ["My kite tore."], filter_
        for filter_ in ({"importance": True}, {"emotion": {"frustration": True}}):
            body = {"message": "the kite", "filter": filter_}
            assert (await client.post("/api/recall", params=HERS, json=body)).status_code == 422, filter_
        body = {"message": "the kite", "filter": {"importance": "high"}}
        wrong = await client.post("/api/recall", params=HERS, json=body)
    assert (wrong.status_code, "importance='high' cannot be read" in wrong.text) == (422, True)
