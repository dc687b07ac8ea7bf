"""What waits is counted for every tenant that a server serves, whether it has been opened there or not."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from serving import WHOSE, serving

from omoide.server.access import Access, ApiKeys
from omoide.server.waiting import Waiting
from omoide.stores.backlog import Backlog
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Omoide

TALK = {"user": "나는 보리차를 제일 좋아해", "reply": "나도!", "session": "첫날"}


def failed(omoide: Omoide, tenant: str) -> None:
    """Let a tenant have talked, and a window of the talk have failed."""
    store = omoide.store.of(tenant)
    row = store.scope("민준", "하루")
    assert row is not None
    with store.write(row) as unit:
        found, _ = unit.windows.uncovered()
        window = unit.windows.open([one.number for one in found])
        unit.windows.fail(window, failure="unreadable", next_try=unit.now)


async def test_failed_windows_of_all_tenants_show(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    given = {
        tenant: {"x-api-key": keys.add(Access(label=tenant, tenant=tenant))} for tenant in ("acme", "beta")
    }
    own = {"x-api-key": keys.add(Access(label="own"))}
    more: dict[str, Any] = {"local": False, "worker": False, "models": ScriptedModel()}
    async with serving(tmp_path, **more) as (omoide, client):
        for tenant, headers in given.items():
            answer = await client.post("/api/observe", params=WHOSE, json=TALK, headers=headers)
            assert answer.status_code == 200
            await omoide.run(partial(failed, omoide, tenant))
        ready = (await client.get("/ready")).json()
        assert (ready["ready"], ready["windows"], ready["failed"], ready["behind"]) == (True, 2, 2, 2)
    async with serving(tmp_path, **more) as (_, client):  # where nobody has opened a tenant yet
        assert (await client.get("/ready")).json()["failed"] == 2
        shown = (await client.get("/metrics", headers=own)).text
        assert "omoide_extraction_windows_failed 2.0" in shown
    async with serving(tmp_path, tenant="acme", **more) as (_, client):
        assert (await client.get("/ready")).json()["failed"] == 1


async def test_a_count_that_takes_long_is_seldom_made(tmp_path: Path) -> None:
    async with serving(tmp_path) as (omoide, _):
        waiting = Waiting(omoide.store)
        nothing = Backlog(windows=0, failed=0, scopes=0, oldest=None)
        assert waiting.count() == nothing
        await omoide.scope(**WHOSE).observe("나는 보리차를 제일 좋아해", "나도!")
        assert waiting.count() == nothing
        waiting._seen = (time.monotonic(), nothing)
        assert waiting.count().scopes == 1
