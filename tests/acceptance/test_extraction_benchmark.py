"""The benchmark of extraction: it plays, stops and goes on, over real HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from omoide.testing import FakeModelServer

if TYPE_CHECKING:
    from omoide.testing import Asked

HOME = Path(__file__).parents[2]
SAID = [
    ("I keep two goats, Basil and Thyme", "Lovely names!"),
    ("My sister moved to Porto in spring", "Porto is sunny."),
]


def data(folder: Path) -> Path:
    """A set of two windows, a session each, and one question."""
    lines: list[dict[str, Any]] = []
    for day, (mine, theirs) in enumerate(SAID, 1):
        for role, text in (("user", mine), ("assistant", theirs)):
            at = f"2026-04-0{day}T20:00:00"
            who = "ada" if role == "user" else "moss"
            name = {"conv": "goats", "id": f"{day}{role}", "session": day, "time": at}
            lines.append({**name, "speaker": who, "role": role, "text": text})
    question = {"conv": "goats", "id": "q", "query": "What are the goats called?", "category": "one"}
    folder.mkdir()
    (folder / "messages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "questions.jsonl").write_text(json.dumps({**question, "evidence": ["1user"]}) + "\n")
    return folder


def answer(asked: Asked) -> dict[str, Any]:
    """A fact from the first message of a window, or a verdict on it."""
    shown = asked.turns[-1].text
    if "<conversation>" not in shown:
        return {"verdicts": [{"n": 1, "follows": True}]}
    words = next(mine for mine, _ in SAID if f"ada: {mine}" in shown.partition("<conversation>")[2])
    fact = {"text": words, "about": "ada", "mode": "asserted", "evidence": [{"m": 1, "words": words}]}
    return {"summary": "", "facts": [fact]}


def run(server: FakeModelServer, tmp_path: Path, *more: str) -> dict[str, Any]:
    """Run the benchmark as people do."""
    command = [sys.executable, "-m", "benchmarks.extraction", "--data", str(tmp_path / "goats")]
    command += ["--model", "any", "--url", server.url, "--store", str(tmp_path / "store"), "--words-only"]
    done = subprocess.run([*command, "--json", *more], cwd=HOME, capture_output=True, check=True)
    assert b"window" in done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.proves("P5")
def test_it_stops_at_a_limit_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    data(tmp_path / "goats")
    with FakeModelServer(answer) as server:
        first = run(server, tmp_path, "--limit-windows", "1")
        whole = run(server, tmp_path, "--resume", "--judge")
        asked = len(server.requests)

    assert (first["windows"], first["messages"], first["kept"]) == (1, 2, {"fact": 1})
    assert (whole["windows"], whole["messages"], whole["kept"]) == (2, 4, {"fact": 2})
    assert asked == 3  # a window each, and one call of the judge
    assert whole["judged"]["claims"] == 1
    assert whole["recall"]["with"]["all"]["recall@12"] == 1.0
    assert whole["recall"]["without"]["all"]["recall@12"] == 1.0
    assert whole["tokens_per_1000_messages"] > 0
    assert set(whole["prompt_parts"]) >= {"rules", "schema", "conversation", "relationship", "known"}
