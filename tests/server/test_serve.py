"""`omoide serve` as a process: where it listens, how it stops, and what survives when it cannot (H26)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from omoide.testing import FakeModelServer, Reply

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SLOW = Reply(text="천천히 말할게, 오늘도 정말 수고했어. 푹 쉬고 내일 또 보자.", piece=2, pause=0.1)


@dataclass(kw_only=True)
class Served:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    url: str
    proxy: str | None

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; the exit code, and what stands in standard error."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


def command(home: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    own = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "OMOIDE_EMBEDDER": "none",
        "OMOIDE_EXTRACTION": "off",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "omoide.cli", *arguments],
        env={**os.environ, **own, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@contextmanager
def served(home: Path, *arguments: str, **environment: str) -> Iterator[Served]:
    process = command(home, "serve", "--port", "0", "--json", *arguments, **environment)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        yield Served(process=process, **json.loads(line))
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def model() -> Iterator[FakeModelServer]:
    with FakeModelServer(SLOW) as server:
        yield server


def talking(server: FakeModelServer) -> dict[str, str]:
    return {"OMOIDE_MODEL": "fake", "OMOIDE_MODEL_URL": server.url}


def said(**fields: Any) -> dict[str, Any]:
    return {
        "session_id": "저녁",
        "message": "오늘 하루가 길었어",
        "user_name": "민준",
        "character": "sena",
        "message_id": "m1",
        **fields,
    }


def log(url: str) -> list[str]:
    exported = httpx2.get(f"{url}/api/export", params={"user": "민준", "character": "세나"}).text
    lines = [json.loads(line) for line in exported.splitlines()]
    return [line["text"] for line in lines if "role" in line]


@pytest.mark.proves("H26")
def test_told_to_stop_it_finishes_what_it_is_saying(tmp_path: Path, model: FakeModelServer) -> None:
    with served(tmp_path, **talking(model)) as one:
        with httpx2.stream("POST", f"{one.url}/chat/stream", json=said(), timeout=30) as answer:
            pieces = answer.iter_text()
            heard = next(pieces)
            one.process.send_signal(signal.SIGTERM)
            heard += "".join(pieces)
        assert '"type":"done"' in heard
        assert one.process.wait(30) == 0
        _, err = one.process.communicate()
        assert "POST /chat/stream 200" in err
        assert "Traceback" not in err
    with served(tmp_path, **talking(model)) as again:
        assert log(again.url) == [said()["message"], SLOW.text]
        assert again.stop(signal.SIGINT)[0] == 0


@pytest.mark.proves("H26")
def test_killed_in_the_middle_of_a_reply_it_still_knows_what_the_user_said(
    tmp_path: Path, model: FakeModelServer
) -> None:
    with (
        served(tmp_path, **talking(model)) as one,
        httpx2.stream("POST", f"{one.url}/chat/stream", json=said(), timeout=30) as answer,
    ):
        pieces = answer.iter_text()
        assert "token" in next(pieces)
        one.process.kill()
        with pytest.raises(httpx2.TransportError):
            list(pieces)
    with served(tmp_path, **talking(model)) as again:
        assert log(again.url) == [said()["message"]]
        model.replies.append("이제 다 말했다")
        whole = httpx2.post(f"{again.url}/chat/stream", json=said(), timeout=30).text
        assert '"type":"done"' in whole
        again.stop()
    with served(tmp_path) as last:
        assert log(last.url) == [said()["message"], "이제 다 말했다"]


def test_it_says_where_it_is_and_writes_down_no_names(tmp_path: Path, model: FakeModelServer) -> None:
    with served(tmp_path, "--upstream", model.url, "--user", "민준", "--character", "하루") as one:
        assert one.url.startswith("http://127.0.0.1:")
        assert one.proxy == f"{one.url}/v1"
        httpx2.get(f"{one.url}/api/memories", params={"user": "민준", "character": "하루"})
        httpx2.get(f"{one.url}/u/민준/c/하루/v1/models")
        status, err = one.stop()
    assert status == 0
    assert "GET /api/memories 404" in err
    assert "GET /u/{" in err
    for name in ("민준", "하루", "%EB"):
        assert name not in err


def test_elsewhere_than_on_loopback_it_wants_a_key_first(tmp_path: Path) -> None:
    refused = command(tmp_path, "serve", "--host", "0.0.0.0", "--port", "0")
    out, err = refused.communicate(timeout=30)
    assert (refused.returncode, out) == (2, "")
    assert "omoide api-key add" in err
    assert len(err.splitlines()) == 1

    made = command(tmp_path, "api-key", "add", "game", "--json")
    key = json.loads(made.communicate(timeout=30)[0])["key"]
    with served(tmp_path, "--host", "0.0.0.0") as one:
        url = one.url.replace("0.0.0.0", "127.0.0.1")
        whose = {"character": "하루"}
        assert httpx2.get(f"{url}/api/export", params=whose).status_code == 401
        known = httpx2.get(f"{url}/api/export", params=whose, headers={"x-api-key": key})
        assert known.status_code == 404
        one.stop()


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path: Path) -> None:
    with served(tmp_path) as one:
        second = command(tmp_path, "serve", "--port", one.url.rpartition(":")[2])
        _, err = second.communicate(timeout=30)
    assert second.returncode == 2
    assert "--port" in err
    assert "Traceback" not in err


def test_the_worker_reads_in_a_process_of_its_own(tmp_path: Path) -> None:
    with FakeModelServer({"summary": "민준은 첼로를 배운다."}) as reader:
        environment = {**talking(reader), "OMOIDE_EXTRACTION": "window", "OMOIDE_WINDOW": "1"}
        with served(tmp_path, OMOIDE_EXTRACTION="off") as one:
            for text in ("나는 첼로를 배워", "매주 화요일에 첼로를 배워", "엄한 선생님께 첼로를 배워"):
                body = {"user": text, "reply": "그렇구나", "session": "s"}
                params = {"user": "민준", "character": "하루"}
                assert httpx2.post(f"{one.url}/api/observe", params=params, json=body).is_success
            one.stop()
        worker = command(tmp_path, "worker", "--once", "--json", **environment)
        out, err = worker.communicate(timeout=60)
        assert worker.returncode == 0, err
        runs = [json.loads(line) for line in out.splitlines()]
        assert runs
        assert {run["outcome"] for run in runs} == {"read"}
        assert reader.requests

        asked = len(reader.requests)
        more = command(
            tmp_path, "observe", "나는 요즘도 첼로를 배워", "좋네", "--user", "민준", "--character", "하루"
        )
        more.communicate(timeout=60)
        waiting = command(tmp_path, "worker", **environment)
        for _ in range(600):
            if len(reader.requests) > asked:
                break
            time.sleep(0.1)
        assert waiting.poll() is None
        waiting.send_signal(signal.SIGTERM)
        _, err = waiting.communicate(timeout=30)
        assert (waiting.returncode, err) == (0, "")


def test_a_worker_without_a_model_says_so(tmp_path: Path) -> None:
    command(tmp_path, "observe", "안녕", "응", "--user", "민준", "--character", "하루").communicate(
        timeout=30
    )
    worker = command(tmp_path, "worker", "--once", OMOIDE_EXTRACTION="window")
    _, err = worker.communicate(timeout=30)
    assert worker.returncode == 1
    assert "omoide models set" in err


def test_what_speaks_to_models_can_be_loaded_before_a_turn_needs_it() -> None:
    program = "import sys; from omoide.models.chat import load; load(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {"omoide.models.chat_wire", "pydantic_ai.models.openai"} <= set(loaded.stdout.split())
