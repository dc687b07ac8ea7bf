"""Cards over HTTP: a stranger's card gets at nobody's memory by its name (K1)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from serving import serving

if TYPE_CHECKING:
    from pathlib import Path

RAW = {"content-type": "application/octet-stream"}


def card(name: str, **data: Any) -> bytes:
    return json.dumps({"name": name, "description": "A stranger.", **data}, ensure_ascii=False).encode()


@pytest.mark.proves("K1")
@pytest.mark.parametrize("name", ["Evil", "ＥＶＩＬ", "Wren", "つむぎ", "세나"])
async def test_a_card_of_a_name_that_is_taken_needs_another(tmp_path: Path, name: str) -> None:
    async with serving(tmp_path) as (_, client):

        async def post(file: str, content: bytes, **query: str) -> tuple[int, dict[str, Any]]:
            answer = await client.post(
                "/api/characters", params={"name": file, **query}, content=content, headers=RAW
            )
            return answer.status_code, answer.json()

        assert (await post("jinja.json", card("Evil")))[0] == 201
        status, told = await post("emo.json", card(name))
        assert (status, "share one memory" in json.dumps(told)) == (422, True)

        status, made = await post("emo.json", card(name), called="Emo")
        assert (status, made["id"], made["name"]) == (201, "emo", "Emo")
        listed = [one["id"] for one in (await client.get("/api/characters")).json()]
        assert listed == ["emo", "jinja", "sena", "tsumugi", "wren"]


async def test_what_is_wrong_with_a_card_names_the_file_alone(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        answer = await client.post(
            "/api/characters",
            params={"name": "../x/long.json"},
            content=card("Long", personality="y" * 50_000),
            headers=RAW,
        )
        assert "the texts of 'long.json' are longer" in answer.text
