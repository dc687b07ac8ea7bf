"""The acceptance story of H27 over HTTP: told once, thirty turns and several restarts later it is known."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from omoide.testing import FakeModelServer
from postgres import place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from omoide.testing.servers import Asked

_LINE = re.compile(r"^\[(\d+)\] \S+ [^:]+: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Story:
    """One language's story: who talks, what is told, the small talk after it, the question, the fact."""

    user: str
    character: str
    told: str
    words: str
    fact: str
    small_talk: tuple[str, ...]
    question: str
    confidence: str


STORIES = {
    "ko": Story(
        user="민준",
        character="sena",
        told="나 요즘 젤다 게임 하는 게 제일 좋아! 주말마다 해",
        words="젤다 게임 하는 게 제일 좋아",
        fact="젤다 게임 하는 것을 제일 좋아한다",
        small_talk=("점심에 김밥 먹었어", "오늘 비가 많이 오네", "회의가 길어서 졸렸어", "버스가 늦게 왔어"),
        question="요즘 뭐 하면서 놀아?",
        confidence="확신 9/10",
    ),
    "ja": Story(
        user="美咲",
        character="tsumugi",
        told="最近ゼルダのゲームが一番好きなんだ！週末はいつもやってる",
        words="ゼルダのゲームが一番好き",
        fact="ゼルダのゲームが一番好き",
        small_talk=(
            "お昼におにぎりを食べたよ",
            "今日は雨がすごいね",
            "会議が長くて眠かった",
            "バスが遅れて来た",
        ),
        question="最近は何をして遊んでるの？",
        confidence="確信度 9/10",
    ),
    "en": Story(
        user="Mina",
        character="wren",
        told="These days I love playing the Zelda games most of all! I play every weekend",
        words="love playing the Zelda games",
        fact="loves playing the Zelda games most of all",
        small_talk=(
            "I had soup for lunch",
            "It rains a lot today",
            "The meeting made me sleepy",
            "My bus came late",
        ),
        question="What do you do for fun these days?",
        confidence="confidence 9/10",
    ),
}


def model_of(story: Story) -> Any:
    """A model that answers turns, and finds the one fact where it is asked to read."""

    def say(asked: Asked) -> str | Mapping[str, Any]:
        if not (asked.body.get("tools") or asked.body.get("response_format")):
            return "[EMOTION:happy] OK!"
        talk = asked.turns[-1].text
        at = next((number for number, text in _LINE.findall(talk) if story.words in text), None)
        if at is None:
            return {"summary": ""}
        fact = {
            "text": story.fact,
            "about": story.user,
            "category": "preference",
            "mode": "asserted",
            "confidence": 9,
            "evidence": [{"m": int(at), "words": story.words}],
        }
        return {"summary": "", "facts": [fact]}

    return say


@contextmanager
def server(folder: Path, model: FakeModelServer) -> Iterator[httpx2.Client]:
    """`omoide serve` as a process of its own, and a client of it; it is told to stop at the end."""
    environment = {
        "OMOIDE_STORE": str(place(folder)),
        "OMOIDE_MASTER_KEY_FILE": str(folder / "master.key"),
        "OMOIDE_API_KEYS": str(folder / "keys.json"),
        "OMOIDE_CONFIG": str(folder / "none.toml"),
        "OMOIDE_MODEL": "fake",
        "OMOIDE_MODEL_URL": model.url,
        "OMOIDE_EMBEDDER": "local",
        "OMP_WAIT_POLICY": "passive",
        "PATH": "/usr/bin:/bin",
    }
    command = [sys.executable, "-m", "omoide.cli", "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        try:
            with httpx2.Client(base_url=told["url"], timeout=60) as client:
                yield client
        finally:
            process.terminate()
            process.wait(20)


def say(client: httpx2.Client, story: Story, message: str, *, session: str) -> dict[str, Any]:
    """One turn over `POST /chat/stream`; the closing event."""
    body = {
        "session_id": session,
        "message": message,
        "user_name": story.user,
        "character": story.character,
    }
    answer = client.post("/chat/stream", json=body)
    assert answer.status_code == 200, answer.text
    events = [json.loads(line.removeprefix("data: ")) for line in answer.text.split("\n\n") if line]
    assert not any("EMOTION" in event.get("content", "") for event in events)
    assert events[-1]["type"] == "done", events[-1]
    done: dict[str, Any] = events[-1]
    return done


def wait_until_read(client: httpx2.Client, story: Story) -> None:
    """Wait until everything that makes a window was read."""
    whose = {"user": story.user, "character": STORIES_NAMES[story.character]}
    for _ in range(600):
        windows = client.get("/api/windows", params=whose).json()
        if len(windows) >= 6 and all(one["state"] in ("done", "skipped") for one in windows):
            return
        time.sleep(0.1)
    pytest.fail(f"not everything was read: {windows}")


STORIES_NAMES = {"sena": "세나", "tsumugi": "つむぎ", "wren": "Wren"}


@pytest.mark.local
@pytest.mark.proves("H27")
@pytest.mark.parametrize("language", STORIES)
def test_told_once_it_is_known_thirty_turns_and_several_restarts_later(tmp_path: Path, language: str) -> None:
    story = STORIES[language]
    with FakeModelServer(model_of(story)) as model:
        with server(tmp_path, model) as client:
            done = say(client, story, story.told, session="first day")
            assert done["emotion"] == "happy"
        for day in range(3):
            with server(tmp_path, model) as client:
                for turn in range(10):
                    words = story.small_talk[turn % len(story.small_talk)]
                    say(client, story, f"{words} ({day}-{turn})", session=f"day {day}")
                if day == 2:
                    wait_until_read(client, story)
        with server(tmp_path, model) as client:
            done = say(client, story, story.question, session="a new day")
            assert done["memories_used"] >= 1
            prompt = next(
                asked.turns[0].text
                for asked in reversed(model.requests)
                if asked.turns[-1].text == story.question
            )
            assert story.fact in prompt
            assert story.confidence in prompt
