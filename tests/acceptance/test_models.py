"""Which model does which task, and how prompts read, are data that change while programs run (P4)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from opening import NOW, opened
from pydantic import BaseModel

from omoide.domain.chat import Task, Turn, Usage
from omoide.errors import InvalidInput, ModelUnavailable, UnreadableAnswer
from omoide.models.choices import ModelChoices, PromptChoices
from omoide.models.endpoint import RowSettings
from omoide.models.tasks import TaskModels
from omoide.stores.tasks import TaskRow, TaskRows
from omoide.testing import FakeModelServer, FixedClock, ScriptedModel, replies

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from command_line import CommandLine

    from omoide import Omoide

pytestmark = pytest.mark.proves("P4")

TURNS = [Turn("user", "기분이 어때?")]


class Mood(BaseModel):
    """A small typed answer."""

    mood: str


@pytest.fixture
def first() -> Iterator[FakeModelServer]:
    with FakeModelServer({"mood": "first"}) as server:
        yield server


@pytest.fixture
def second() -> Iterator[FakeModelServer]:
    with FakeModelServer({"mood": "second"}) as server:
        yield server


def written(folder: Path, words: bytes) -> bool:
    return any(words in file.read_bytes() for file in folder.iterdir())


async def mood(engine: Omoide, task: Task = Task.EXTRACTION) -> str:
    assert engine.models is not None
    model = await engine.models.model(task)
    assert model is not None
    answer = await model.answer(TURNS, Mood)
    engine.models.spent(task, answer.usage)
    return answer.value.mood


async def put(engine: Omoide, task: str, server: FakeModelServer, **row: object) -> None:
    settings = RowSettings(url=server.url, **row)
    await engine.run(lambda: ModelChoices(engine.store, engine.settings).put(task, "fake", settings))


async def test_without_a_model_a_task_has_none(tmp_path: Path) -> None:
    async with opened(tmp_path) as engine:
        assert engine.models is not None
        assert await engine.models.model(Task.EXTRACTION) is None


async def test_settings_name_the_model_of_every_task(tmp_path: Path, first: FakeModelServer) -> None:
    async with opened(tmp_path, model="fake", model_url=first.url, model_key="k-1") as engine:
        assert [await mood(engine, task) for task in Task] == ["first"] * len(Task)

    assert {asked.headers["authorization"] for asked in first.requests} == {"Bearer k-1"}


async def test_a_change_holds_at_once_also_in_another_process(
    tmp_path: Path, first: FakeModelServer, second: FakeModelServer
) -> None:
    async with (
        opened(tmp_path, model="fake", model_url=first.url) as running,
        opened(tmp_path) as other,
    ):
        assert await mood(running) == "first"
        await put(other, "extraction", second)
        assert await mood(running) == "second"
        assert await mood(running, Task.CHAT) == "first"

        await other.run(lambda: ModelChoices(other.store, other.settings).remove("extraction"))
        assert await mood(running) == "first"


async def test_a_default_row_stands_before_the_settings_and_behind_the_tasks_own(
    tmp_path: Path, first: FakeModelServer, second: FakeModelServer
) -> None:
    async with opened(tmp_path, model="x", model_url="http://127.0.0.1:9/v1") as engine:
        await put(engine, "default", first)
        await put(engine, "judging", second)

        assert await mood(engine, Task.DIARY) == "first"
        assert await mood(engine, Task.JUDGING) == "second"


async def test_the_key_of_the_settings_goes_to_no_other_server(
    tmp_path: Path, first: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(
        tmp_path, model="x", model_url="http://127.0.0.1:9/v1", model_key="secret-of-settings"
    ) as engine:
        await put(engine, "extraction", first)
        await mood(engine)
        monkeypatch.setenv("FIRST_API_KEY", "secret-of-first")
        await put(engine, "extraction", first, key_env="FIRST_API_KEY")
        await mood(engine)
        await put(engine, "extraction", first, key_env="NOT_THERE_KEY")
        with pytest.raises(ModelUnavailable, match="'NOT_THERE_KEY' is not set"):
            await mood(engine)

    without, with_own = (str(asked.headers) for asked in first.requests)
    assert "secret" not in without
    assert "secret-of-first" in with_own
    assert not written(tmp_path, b"secret-of")


@pytest.mark.parametrize(
    ("task", "model", "row"),
    [
        ("extracting", "m", {"url": "http://127.0.0.1/v1"}),
        ("extraction", " ", {"url": "http://127.0.0.1/v1"}),
        ("extraction", "m", {}),
        ("extraction", "m", {"url": "file:///etc/passwd"}),
        ("extraction", "m", {"url": "http://127.0.0.1/v1", "key_env": "OMOIDE_MASTER_KEY"}),
        ("extraction", "m", {"url": "http://127.0.0.1/v1", "key_env": "HOME"}),
        ("extraction", "m", {"url": "http://127.0.0.1/v1", "seconds": 0}),
        ("extraction", "m", {"url": "http://127.0.0.1/v1", "temperature": 3}),
        ("extraction", "m", {"url": "http://127.0.0.1/v1", "max_tokens": 0}),
    ],
)
async def test_what_cannot_be_used_is_not_set(
    tmp_path: Path, task: str, model: str, row: dict[str, object]
) -> None:
    async with opened(tmp_path) as engine:
        choices = ModelChoices(engine.store, engine.settings)
        with pytest.raises(InvalidInput):
            choices.put(task, model, RowSettings(**row))

        assert {choice.source for choice in choices.all()} == {"none"}


async def test_a_row_of_another_release_is_trouble_and_no_crash(tmp_path: Path) -> None:
    async with opened(tmp_path) as engine:
        with engine.store.database.write() as connection:
            TaskRows(connection, tenant=engine.store.tenant).put(
                TaskRow(task="chat", model="m", settings='{"ur1": 1}')
            )
        assert engine.models is not None
        with pytest.raises(ModelUnavailable, match="ur1"):
            await engine.models.model(Task.CHAT)

        assert ModelChoices(engine.store, engine.settings).all()[1].trouble


def test_a_wrong_setting_is_told_at_once(omoide: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMOIDE_MODEL", "m")

    assert "needs a server" in omoide("prompts", "set", "extraction", "ko", __file__, status=2).err


async def test_what_tasks_cost_is_counted_and_the_day_has_an_end(
    tmp_path: Path, first: FakeModelServer
) -> None:
    clock = FixedClock(NOW)
    given = {"model": "fake", "model_url": first.url, "daily_tokens": 100, "clock": clock}
    async with opened(tmp_path, **given) as engine:
        await mood(engine)
        assert isinstance(engine.models, TaskModels)
        cost = engine.models.costs[Task.EXTRACTION]
        assert cost.calls == 1
        engine.models.spent(Task.EXTRACTION, Usage(calls=1, prompt=90, answer=10))

    async with opened(tmp_path, **given) as again:
        with pytest.raises(ModelUnavailable, match=r"100 tokens .* are spent"):
            await mood(again)
        assert await mood(again, Task.CHAT) == "first"
        clock.advance(timedelta(days=1))
        assert await mood(again) == "first"


async def test_streams_and_answers_in_vain_are_counted_too(tmp_path: Path, first: FakeModelServer) -> None:
    first.replies += ["안녕하세요", *[replies.declining("what?")] * 2]
    async with opened(tmp_path, model="fake", model_url=first.url) as engine:
        assert isinstance(engine.models, TaskModels)
        model = await engine.models.model(Task.CHAT)
        assert model is not None
        assert "".join([piece async for piece in model.stream(TURNS)]) == "안녕하세요"
        assert engine.models.costs[Task.CHAT].calls == 1
        with pytest.raises(UnreadableAnswer):
            await model.answer(TURNS, Mood)

        assert engine.models.costs[Task.CHAT].calls == 3


async def test_a_server_that_is_left_alone_is_told_before_a_call(
    tmp_path: Path, first: FakeModelServer
) -> None:
    first.replies += [replies.slow({"mood": "late"}, delay=2)] * 5
    async with opened(tmp_path, model="fake", model_url=first.url, model_seconds=0.1) as engine:
        for _ in range(5):
            with pytest.raises(ModelUnavailable, match="seconds"):
                await mood(engine)

        assert engine.models is not None
        with pytest.raises(ModelUnavailable, match="5 times in a row"):
            await engine.models.model(Task.CHAT)


async def test_models_of_the_callers_own_take_the_place_of_all(tmp_path: Path) -> None:
    scripted = ScriptedModel(answers=[{"mood": "scripted"}])
    async with opened(tmp_path, models=scripted) as engine:
        assert await mood(engine) == "scripted"

    assert scripted.seen == [tuple(TURNS)]
    assert scripted.costs[Task.EXTRACTION].calls == 1


async def test_a_prompt_is_replaced_and_comes_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as engine:
        prompts = PromptChoices(engine.store)
        name, language = "extraction", "ko"
        built_in = prompts.all()

        assert prompts.replaced(name, language) is None
        assert prompts.put(name, language, "짧게 {{ user }}").version == 1
        assert prompts.put(name, language, "더 짧게").version == 2
        assert prompts.replaced(name, language) == "더 짧게"
        assert prompts.replaced(name, "ja") is None
        for wrong in ("{{ open", "{% for %}", "  ", "x" * 100_000, "{{ topic }}", "{{ user.secret }}"):
            with pytest.raises(InvalidInput):
                prompts.put(name, language, wrong)
        for wrong in ("short\x00", "\x1b[31mred", bytes(range(128, 255)).decode(errors="replace")):
            with pytest.raises(InvalidInput, match="no text"):
                prompts.put(name, language, wrong)
        with pytest.raises(InvalidInput):
            prompts.put("no such", language, "x")
        assert prompts.remove(name, language)
        assert not prompts.remove(name, language)
        assert prompts.all() == built_in


def test_models_from_the_command_line(omoide: CommandLine, first: FakeModelServer) -> None:
    told = omoide("models", "set", "extraction", "fake", "--url", first.url, "--output", "native").out
    assert told == f"extraction is done by 'fake' at {first.url} from now on\n"
    listed = {row["task"]: row for row in omoide("models", "list", "--json").json}
    assert (listed["extraction"]["set_by"], listed["extraction"]["output"]) == ("row", "native")
    assert listed["chat"]["model"] is None
    assert "extraction\tfake\t" in omoide("models", "list").out

    found = {one["what"]: one for one in omoide("doctor", "--json").json["findings"]}
    assert found["model for extraction"]["state"] == "ok"

    omoide("models", "unset", "extraction")
    assert "no model was set" in omoide("models", "unset", "extraction", status=1).err
    assert "choose from" in omoide("models", "set", "x", "fake", "--url", first.url, status=2).err


def test_prompts_from_the_command_line(omoide: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "short.jinja"
    file.write_text("짧게", encoding="utf-8")

    assert omoide("prompts", "set", "extraction", "ko", str(file)).out == (
        "version 1 of extraction (ko) holds from now on\n"
    )
    rows = {(row["prompt"], row["language"]): row for row in omoide("prompts", "list", "--json").json}
    assert rows["extraction", "ko"]["body"] == "짧게"
    assert rows["extraction", "ja"]["version"] == 0
    assert "extraction\tko\tversion 1" in omoide("prompts", "list").out
    file.write_text("짧게\n{{ nobody }}", encoding="utf-8")
    refused = omoide("prompts", "set", "extraction", "ko", str(file), status=2).err
    assert "in line 2 nothing is called 'nobody'; it may show character, emotions, user" in refused
    assert "extraction\tko\tversion 1" in omoide("prompts", "list").out
    file.write_bytes(bytes(range(256)) * 4)
    assert "UTF-8" in omoide("prompts", "set", "extraction", "ko", str(file), status=2).err
    omoide("prompts", "unset", "extraction", "ko")
    omoide("prompts", "unset", "extraction", "ko", status=1)


def test_doctor_sees_a_model_out_of_reach(omoide: CommandLine, first: FakeModelServer) -> None:
    omoide("models", "set", "default", "m", "--url", "http://127.0.0.1:9/v1")
    omoide("models", "set", "chat", "m", "--url", first.url.removesuffix("/v1") + "/v2/chat")
    omoide("models", "set", "diary", "m", "--url", first.url, "--key-env", "NOT_THERE_KEY")

    found = {one["what"]: one for one in omoide("doctor", "--json", status=1).json["findings"]}
    assert (
        "does not answer"
        in found["model for default, extraction, scoring, discussion, judging, safety"]["detail"]
    )
    assert "NOT_THERE_KEY" in found["model for diary"]["detail"]
