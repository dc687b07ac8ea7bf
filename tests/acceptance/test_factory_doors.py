"""The factory from the command line and over HTTP, with real model servers, and what traces tell of it."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import CommandLine
from discussing import TOPIC, dangers, diary, marks, write_characters
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from omoide import Omoide, tracing
from omoide.characters import Characters
from omoide.testing import FakeModelServer
from omoide.testing.replies import slow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.testing.servers import Asked

pytestmark = pytest.mark.proves("K9")

SISTERS = Path(__file__).parents[2] / "samples" / "sisters"


def plays(asked: Asked) -> Any:
    """All the parts, over the wire."""
    rules = asked.turns[0].text
    if "other_minds" in rules:
        return marks()
    if "self_harm" in rules:
        return dangers()
    return diary() if "observations" in rules else "あの日は風が強かったね。"


@pytest.fixture
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer(plays) as server:
        yield server


@pytest.fixture
def omoide(
    tmp_path: Path,
    server: FakeModelServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> CommandLine:
    made = CommandLine(tmp_path, monkeypatch, capsys)
    monkeypatch.setenv("OMOIDE_MODEL", "fake")
    monkeypatch.setenv("OMOIDE_MODEL_URL", server.url)
    monkeypatch.setenv("OMOIDE_CHARACTERS", str(write_characters(tmp_path / "characters")))
    return made


def test_a_discussion_on_the_command_line(omoide: CommandLine) -> None:
    told = omoide("discuss", TOPIC, "--with", "yuzuki, akane").out

    assert "introduction" in told
    assert told.count("confirmed") == 2
    assert "柚月 remembers" in told
    assert "omoide candidates" not in told
    assert "14 calls" in told
    (listed,) = omoide("jobs", "--json").json
    assert listed["state"] == "done"
    assert omoide("jobs", listed["id"]).out == told
    assert "波の音" in omoide("recall", "海の波", "--character", "柚月", "--user", "").out


def test_who_was_imported_is_found_from_python_too(
    omoide: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMOIDE_CHARACTERS")
    store = tmp_path / "factory.db"
    omoide("characters", "import", str(SISTERS), "--store", str(store))

    async def names() -> set[str]:
        async with Omoide.open(store) as engine:
            return Characters.of(engine.settings).names()

    assert {"志帆", "朱里", "小春", "Wren"} <= asyncio.run(names())


def test_candidates_are_confirmed_and_rejected_on_the_command_line(omoide: CommandLine) -> None:
    job = omoide("discuss", TOPIC, "--with", "yuzuki,akane", "--review", "--json").json
    assert job["state"] == "review"
    assert "what waits for an author: omoide candidates" in omoide("jobs", job["id"]).out
    first, second = omoide("candidates", "list", "--json").json
    assert first["marks"]["voice"]["score"] == 8
    assert first["memory"] in omoide("candidates").out
    assert omoide("candidates", "--json").json == [first, second]

    omoide("candidates", "confirm", first["memory"])
    omoide("candidates", "reject", second["memory"], "--reason", "dull")

    assert omoide("candidates", "list", "--json").json == []
    assert omoide("jobs", "--json").json[0]["state"] == "done"
    assert "no candidate" in omoide("candidates", "confirm", first["memory"], status=1).err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["discuss", TOPIC, "--with", "yuzuki"], "2 to 12 characters"),
        (["discuss", TOPIC], "needs a topic and --with"),
        (["discuss", "--resume", "x", "--with", "a,b"], "only --tokens"),
        (["discuss", TOPIC, "--with", "yuzuki,akane", "--turns", "1"], "turns"),
    ],
)
def test_wrong_arguments_are_told(omoide: CommandLine, arguments: list[str], told: str) -> None:
    assert told in omoide(*arguments, status=2).err


def test_a_killed_discussion_is_resumed(omoide: CommandLine, server: FakeModelServer) -> None:
    server.replies.extend(["風が強かったね。"] * 5)
    server.replies.append(slow("…", delay=60))
    with omoide.start("discuss", TOPIC, "--with", "yuzuki,akane") as running:
        while len(server.requests) < 6:
            assert running.poll() is None
            threading.Event().wait(0.02)
        running.kill()
    asked = len(server.requests)

    (job,) = omoide("jobs", "--json").json
    assert job["state"] == "open"
    assert len(job["discussion"]["spoken"]) == 5
    told = omoide("discuss", "--resume", job["id"]).out

    assert told.count("confirmed") == 2
    assert "柚月 remembers" in told
    assert "omoide candidates" not in told
    assert len(server.requests) - asked == 14 - 5


def test_a_server_that_is_away_is_told_with_the_way_to_go_on(omoide: CommandLine, monkeypatch: Any) -> None:
    monkeypatch.setenv("OMOIDE_MODEL_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OMOIDE_MODEL_SECONDS", "1")

    told = omoide("discuss", TOPIC, "--with", "yuzuki,akane", "--seconds", "1", status=1).out

    assert "omoide discuss --resume" in told


class Collector:
    """Takes traces over OTLP, as Langfuse and LangSmith do."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = ExportTraceServiceRequest()
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                request.ParseFromString(body)
                for resource in request.resource_spans:
                    for scope in resource.scope_spans:
                        outer.spans.extend(scope.spans)
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


def values(attributes: Any) -> dict[str, Any]:
    found = {}
    for one in attributes:
        kind = one.value.WhichOneof("value")
        found[one.key] = getattr(one.value, kind)
    return found


def traced(omoide: CommandLine, **more: str) -> list[Any]:
    """The spans of one discussion in a process of its own."""
    collector = Collector()
    more["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url
    with omoide.start("discuss", TOPIC, "--with", "yuzuki,akane", **more) as running:
        _, told = running.communicate()
    assert running.returncode == 0, told
    collector.close()
    return collector.spans


def test_every_step_is_traced_by_the_conventions(omoide: CommandLine) -> None:
    spans = traced(omoide)

    names = [span.name for span in spans]
    assert names.count("invoke_workflow discussion") == 1
    assert names.count("chat fake") == 14
    assert names.count("invoke_agent judge") == 2
    assert names.count("invoke_agent yuzuki") == 4 + 3
    root = next(span for span in spans if span.name == "invoke_workflow discussion")
    assert not root.parent_span_id
    assert {span.trace_id for span in spans} == {root.trace_id}
    chat = values(next(span for span in spans if span.name == "chat fake").attributes)
    assert chat[tracing.OPERATION] == "chat"
    assert chat[tracing.MODEL] == "fake"
    assert chat[tracing.INPUT_TOKENS] > 0
    assert chat[tracing.CONVERSATION] == values(root.attributes)[tracing.CONVERSATION]
    judge = next(span for span in spans if span.name == "invoke_agent judge")
    marked = [values(event.attributes) for event in judge.events]
    assert [one[tracing.EVALUATION_NAME] for one in marked] == list(marks())
    assert marked[0][tracing.EVALUATION_SCORE] == 8
    told = [*(values(span.attributes) for span in spans), *marked]
    told += [values(event.attributes) for span in spans for event in span.events]
    whole = json.dumps([names, told], ensure_ascii=False)
    for words in (TOPIC, "波", "風", "柚月", "と言える"):
        assert words not in whole


def test_words_stand_in_traces_only_where_somebody_says_so(omoide: CommandLine) -> None:
    spans = traced(omoide, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT="true")

    chats = [values(span.attributes) for span in spans if span.name == "chat fake"]
    assert any("波の音" in one[tracing.OUTPUT] for one in chats)
    (message, *_) = json.loads(chats[0][tracing.INPUT])
    assert message["role"] == "user"
    assert message["parts"][0]["type"] == "text"
    assert "柚月" in chats[0][tracing.SYSTEM]


def test_without_the_packages_nothing_is_traced() -> None:
    hidden = "import sys; sys.modules['opentelemetry'] = None\nfrom omoide import tracing\n"
    code = f"{hidden}with tracing.span('x', operation='chat') as one: one.tell({{'a': 1}})"
    subprocess.run([sys.executable, "-c", code], check=True)
    export = f"{hidden}with tracing.exporting(): pass"
    environment = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    ran = subprocess.run(
        [sys.executable, "-c", export], env=environment, capture_output=True, text=True, check=False
    )
    assert "omoide[otel]" in ran.stderr


def test_nothing_is_different_where_nobody_listens() -> None:
    with tracing.span("x", operation=tracing.CHAT) as one:
        one.judged("voice", 3.0, label="fail", why="…")
        one.said("…")

    assert not tracing.captures()
