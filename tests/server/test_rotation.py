"""A server whose master key was rotated elsewhere says so, and is not ready until it has the new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serving import WHOSE, serving

from omoide.bootstrap import open_database
from omoide.keychain import rotate

if TYPE_CHECKING:
    from pathlib import Path

SAID = {"user": "나는 보리차를 제일 좋아해", "reply": "나도!", "session": "첫날"}


async def test_a_replica_with_the_old_master_key_is_not_ready(tmp_path: Path) -> None:
    async with serving(tmp_path) as (omoide, client):
        assert (await client.post("/api/observe", params=WHOSE, json=SAID)).status_code == 200
        database = open_database(omoide.settings)
        done = rotate(omoide.settings, database)
        database.close()
        newcomer = await client.post("/api/observe", params={**WHOSE, "user": "유나"}, json=SAID)
        assert newcomer.status_code == 503
        assert done.new in newcomer.json()["error"]["message"]
        ready = await client.get("/ready")
        assert (ready.status_code, ready.json()["store"]) == (503, "KeyWrong")
    async with serving(tmp_path) as (_, client):
        assert (await client.get("/ready")).status_code == 200
        recalled = await client.post("/api/recall", params=WHOSE, json={"message": "보리차 좋아해?"})
        assert len(recalled.json()["memories"]) == 1
