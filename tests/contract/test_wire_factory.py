"""A whole discussion over real HTTP, in each way of asking for typed answers, also killed half-way (K9)."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from omoide import Omoide
from omoide.characters import Characters
from omoide.factory import Factory, JobState, Outcome
from omoide.testing import FakeModelServer
from postgres import place

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omoide.factory import Job
    from omoide.testing.servers import Asked

pytestmark = pytest.mark.proves("K9", "K10", "H25")

PROVIDERS = ("openai", "anthropic")
OUTPUTS = ("native", "tool", "prompted")
TOPIC = "The last ferry"
MARKS = ("first_person", "voice", "consistency", "emotional_truth", "other_minds")
DANGERS = ("minors", "sexual", "self_harm", "hate", "violence", "crime", "private")
CALLS = 8 + 2 * 3
"""Two characters in four movements; then each writes, is judged and checked."""


def part(asked: Asked) -> str:
    """Which step a request belongs to, by what its prompt asks for."""
    rules = asked.turns[0].text
    if "self_harm" in rules:
        return "check"
    if "other_minds" in rules:
        return "judge"
    return "write" if "importance" in rules else "speak"


def reply(asked: Asked) -> Any:
    """What a working model says at each step."""
    name = "Ida" if asked.turns[0].text.startswith("Ida") else "Bo"
    match part(asked):
        case "judge":
            return {mark: {"score": 8, "reason": "it is hers"} for mark in MARKS}
        case "check":
            return {**dict.fromkeys(DANGERS, 0), "taboos": [], "reason": ""}
        case "write":
            return {
                "text": f"I, {name}, counted the lamps of the ferry until they were gone.",
                "emotion": "wistful",
                "action": "counted the lamps",
                "thought": "Nobody waved.",
                "scores": [{"name": "sadness", "value": 6}],
                "importance": 7,
                "observations": [
                    {
                        "person": "Bo" if name == "Ida" else "Ida",
                        "behaviour": "stayed behind the bollard",
                        "feeling": "left alone",
                        "basis": "did not look back",
                    }
                ],
            }
        case _:
            return f"{name}: I still hear the horn. [EMOTION:calm]"


def characters(folder: Path) -> Path:
    for name in ("ida", "bo"):
        (folder / name).mkdir(parents=True)
        (folder / name / "profile.yaml").write_text(f"name: {name.title()}\nlanguage: en\n")
        (folder / name / "prompt.jinja").write_text("{{ name }} lives by the sea.")
    return folder


def settings(folder: Path, server: FakeModelServer, provider: str, output: str) -> dict[str, Any]:
    return {
        "store": str(place(folder)),
        "embedder": "none",
        "master_key_file": folder / "key",
        "model": "any",
        "model_provider": provider,
        "model_url": server.anthropic_url if provider == "anthropic" else server.url,
        "model_key": "secret",
        "model_output": output,
        "worker": False,
    }


async def run(given: dict[str, Any], folder: Path, job: str | None = None) -> Job:
    """A discussion from its beginning, or from where it was broken off; and what it left in the store."""
    async with Omoide.open(**given) as omoide:
        made = Factory(omoide, Characters.load(folder, samples=False))
        if job is None:
            done = await made.discuss(TOPIC, characters=["ida", "bo"])
        else:
            done = await made.run(job)
        sides = (await omoide.event(TOPIC)).sides
        assert [side.account and side.account.text for side in sides] == [
            f"I, {name}, counted the lamps of the ferry until they were gone." for name in ("Ida", "Bo")
        ]
        for side in sides:
            (memory,) = await omoide.scope(character=side.character).memories()
            assert (memory.importance, memory.scores["sadness"], memory.emotion) == (7, 6, "wistful")
            assert [seen.feeling for seen in memory.observations] == ["left alone"]
        return done


def discussing(given: dict[str, Any], folder: Path, killed: list[Callable[[], None]]) -> int:
    """The exit code of a process that begins a discussion; whoever takes `killed` can kill it."""
    environment = {f"OMOIDE_{name.upper()}": str(value) for name, value in given.items()}
    process = subprocess.Popen(
        [sys.executable, "-m", "omoide.cli", "discuss", TOPIC, "--with", "ida,bo"],
        env={**os.environ, **environment, "OMOIDE_CHARACTERS": str(folder), "HOME": str(folder.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    killed.append(process.kill)
    return process.wait(timeout=60)


def check(job: Job) -> None:
    assert job.state is JobState.DONE
    assert {account.outcome for account in job.discussion.accounts} == {Outcome.CONFIRMED}
    assert [spoken.text for spoken in job.discussion.spoken] == ["I still hear the horn."] * 8
    assert all(not version.unjudged for account in job.discussion.accounts for version in account.versions)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("output", OUTPUTS)
async def test_a_discussion_becomes_memories_over_the_wire(
    tmp_path: Path, provider: str, output: str
) -> None:
    with FakeModelServer(reply) as server:
        given = settings(tmp_path, server, provider, output)
        check(await run(given, characters(tmp_path / "c")))

        steps = [part(asked) for asked in server.requests]
        assert steps == ["speak"] * 8 + ["write", "judge", "check"] * 2


@pytest.mark.parametrize(
    ("provider", "output", "at"),
    [
        ("openai", "native", 3),
        ("openai", "tool", 9),
        ("openai", "prompted", 10),
        ("anthropic", "tool", 11),
        ("anthropic", "prompted", 14),
    ],
)
async def test_a_process_that_is_killed_costs_the_step_that_it_was_in(
    tmp_path: Path, provider: str, output: str, at: int
) -> None:
    folder = characters(tmp_path / "c")
    killed: list[Callable[[], None]] = []
    served: list[str] = []

    def kills(asked: Asked) -> Any:
        served.append(part(asked))
        if len(served) == at and killed:
            killed.pop()()
        return reply(asked)

    with FakeModelServer(kills) as server:
        given = settings(tmp_path, server, provider, output)
        assert discussing(given, folder, killed) < 0

        async with Omoide.open(**given) as omoide:
            (broken,) = await Factory(omoide, Characters.load(folder, samples=False)).jobs()
        assert broken.state is JobState.OPEN
        check(await run(given, folder, broken.id))

    assert len(served) == CALLS + 1  # the step that was killed was done twice, and no other
    assert served[at - 1] == served[at]
