"""What errors say of the operator's machines is for the log and admin keys; others are told what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from serving import WHOSE, serving

from omoide.errors import (
    EmbedderFailed,
    ModelUnavailable,
    StoreBusy,
    StoreConflict,
    StoreError,
    StoreLost,
    StoreReadOnly,
)
from omoide.server.access import Access, ApiKeys
from omoide.server.errors import told
from omoide.testing import FailingEmbedder, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SAID = {"user": "나는 보리차를 제일 좋아해", "reply": "나도!", "session": "첫날"}
TURN = {"session_id": "첫날", "message": "보리차 있어?", "user_name": "민준", "character": "sena"}
WHERE = "http://10.1.2.3:8000/v1"
SECRETS = (WHERE, "10.1.2.3", "keyring", "master.key")


@pytest.fixture
def keys(tmp_path: Path) -> dict[str, dict[str, str]]:
    """The headers of an admin, and of whoever uses a page."""
    known = ApiKeys(tmp_path / "keys.json")
    admin = known.add(Access(label="boss", admin=True))
    page = known.add(Access(label="page", users=frozenset({"민준"})))
    return {"admin": {"x-api-key": admin}, "page": {"x-api-key": page}}


def shows(text: str, secrets: Sequence[str] = SECRETS) -> bool:
    return any(secret in text for secret in secrets)


async def test_a_model_out_of_reach_is_told_without_its_address(
    tmp_path: Path, keys: dict[str, dict[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    broken = ModelUnavailable(f"the model 'gemma' at {WHERE} answered with status 500")
    model = ScriptedModel(replies=[broken, ["조금만 ", broken], broken])
    async with serving(tmp_path, models=model, local=False) as (_, client):
        refused = await client.post("/chat/stream", json=TURN, headers=keys["page"])
        assert (refused.status_code, refused.json()["error"]["type"]) == (502, "ModelError")
        assert refused.json()["error"]["message"] == "the model gives no answer at the moment; try again"
        assert WHERE in caplog.text
        caplog.clear()
        broken_off = await client.post("/chat/stream", json=TURN, headers=keys["page"])
        assert "the model gives no answer" in broken_off.text
        assert not shows(broken_off.text)
        assert WHERE in caplog.text
        assert "보리차" not in caplog.text
        whole = await client.post("/chat/stream", json=TURN, headers=keys["admin"])
        assert WHERE in whole.json()["error"]["message"]


async def test_a_key_that_does_not_fit_is_told_without_paths_and_fingerprints(
    tmp_path: Path, keys: dict[str, dict[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path, local=False) as (_, client):
        observed = await client.post("/api/observe", params=WHOSE, json=SAID, headers=keys["admin"])
        assert observed.status_code == 200
        (tmp_path / "x.db.keyring").write_bytes(b"none at all")
        other: dict[str, Any] = {"params": {**WHOSE, "character": "유나"}, "json": SAID}
        refused = await client.post("/api/observe", **other, headers=keys["page"])
        assert refused.status_code >= 500
        assert not shows(refused.text)
        assert "cannot be opened at the moment" in refused.json()["error"]["message"]
        assert "x.db.keyring" in caplog.text
        whole = await client.post("/api/observe", **other, headers=keys["admin"])
        assert "x.db.keyring" in whole.json()["error"]["message"]


async def test_what_a_recall_lacks_is_told_without_addresses(
    tmp_path: Path, keys: dict[str, dict[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    embedder = FailingEmbedder(EmbedderFailed(f"{WHERE!r} did not answer"))
    async with serving(tmp_path, embedder=embedder, local=False, worker=False) as (_, client):
        await client.post("/api/observe", params=WHOSE, json=SAID, headers=keys["admin"])
        asked: dict[str, Any] = {"params": WHOSE, "json": {"message": "보리차 좋아해?"}}
        page = (await client.post("/api/recall", **asked, headers=keys["page"])).json()
        assert page["degraded"] == [
            "something of memory does not work at the moment; this goes on without it"
        ]
        assert len(page["memories"]) == 1
        assert WHERE in caplog.text
        boss = (await client.post("/api/recall", **asked, headers=keys["admin"])).json()
        assert WHERE in boss["degraded"][0]
        text: dict[str, Any] = {"params": {**WHOSE, "text": "보리차"}}
        page_search = await client.get("/api/search", **text, headers=keys["page"])
        assert not shows(page_search.headers["x-omoide-degraded"])
        whole = await client.get("/api/search", **text, headers=keys["admin"])
        assert WHERE in whole.headers["x-omoide-degraded"]


async def test_who_sits_at_the_machine_sees_all(tmp_path: Path) -> None:
    broken = ModelUnavailable(f"the model 'gemma' at {WHERE} answered with status 500")
    async with serving(tmp_path, models=ScriptedModel(replies=[broken])) as (_, client):
        refused = await client.post("/chat/stream", json=TURN)
        assert WHERE in refused.json()["error"]["message"]


async def test_a_damaged_file_of_keys_shows_no_path(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{", "utf-8")
    async with serving(tmp_path) as (_, client):
        refused = await client.get("/api/characters", headers={"x-api-key": "omo_x"})
        assert refused.status_code == 422
        assert str(tmp_path) not in refused.text


def test_errors_of_a_store_are_plain_for_all_kinds() -> None:
    def kinds(kind: type[StoreError]) -> list[type[StoreError]]:
        return [kind, *(found for below in kind.__subclasses__() for found in kinds(below))]

    for kind in kinds(StoreError):
        error = kind(f"the store {WHERE!r} cannot be used")
        assert not shows(told(error, causes=False))
        assert told(error, causes=True) == str(error)


@pytest.mark.parametrize("kind", [StoreBusy, StoreConflict, StoreLost, StoreReadOnly])
def test_who_only_reads_is_told_nothing_of_writing(kind: type[StoreError]) -> None:
    assert "writ" not in told(kind("x"), causes=False)
