"""Talking on the command line, with a model behind a real server, in a pipe and on a terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine, refused

from omoide.testing import FakeModelServer, Reply

if TYPE_CHECKING:
    from collections.abc import Iterator

TALKS = [
    ("sena", "세나", "민준", "나는 보드게임을 정말 좋아해", "다음에 같이 하자!", "보드게임 얘기 기억나?"),
    ("tsumugi", "つむぎ", "健太", "ぼくは将棋がとても好きなんだ", "こんど教えてね", "将棋の話、覚えてる？"),
    ("wren", "Wren", "Sam", "I really love restoring old clocks", "Bring one over", "How are my old clocks?"),
]


@pytest.fixture
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer() as running:
        yield running


def talk(
    omoide: CommandLine, server: FakeModelServer | None, *lines: str, who: tuple[str, str] = ("Sam", "wren")
) -> tuple[int, str, str]:
    """Type lines into a pipe; returns the exit code, and what was printed."""
    model = {} if server is None else {"OMOIDE_MODEL": "fake", "OMOIDE_MODEL_URL": server.url}
    process = omoide.start("chat", "--user", who[0], "--character", who[1], **model)
    out, err = process.communicate("".join(f"{line}\n" for line in lines), timeout=60)
    assert "Traceback" not in err
    return process.returncode, out, err


@pytest.mark.parametrize(("character", "name", "user", "said", "reply", "asked"), TALKS)
def test_what_was_said_in_one_visit_is_remembered_in_the_next(
    omoide: CommandLine,
    server: FakeModelServer,
    character: str,
    name: str,
    user: str,
    said: str,
    reply: str,
    asked: str,
) -> None:
    server.replies.extend([f"{reply} [EMOTION:happy]", "…!"])
    first = talk(omoide, server, said, who=(user, character))
    second = talk(omoide, server, asked, "/why", "/memories", "/quit", "never said", who=(user, character))

    assert first[0] == second[0] == 0
    assert f"{name}: {reply}\n" in first[1]
    assert said in server.requests[1].turns[0].text
    assert said in second[1]
    assert "words #1" in second[1]
    assert len(server.requests) == 2


def test_a_memory_is_forgotten_by_its_number(omoide: CommandLine, server: FakeModelServer) -> None:
    status, out, err = talk(
        omoide, server, "My boat is called Heron", "/memories", "/forget 1", "/memories", "/forget 7", "/what"
    )

    assert status == 0
    assert "  1  " in out
    assert "Forgotten.\nNothing comes to mind." in out
    assert "/forget N" in err
    assert "/help lists them" in err


def test_without_a_model_it_says_in_one_line_what_to_set(omoide: CommandLine) -> None:
    status, out, err = talk(omoide, None, "hello")

    assert (status, out) == (1, "")
    assert "set model and model_url" in err.splitlines()[-1]


def test_a_server_that_refuses_costs_the_reply_and_not_the_message(
    omoide: CommandLine, server: FakeModelServer
) -> None:
    server.replies.append(Reply(status=400))
    status, out, err = talk(omoide, server, "My boat is called Heron", "Are you there?")

    assert status == 1
    assert out.splitlines()[-1] == "Wren: Hello!"
    assert len([line for line in err.splitlines() if line.startswith("omoide: ")]) == 2  # the new key, too
    assert [turn.text for turn in server.requests[-1].turns][1:] == [
        "My boat is called Heron\n\nAre you there?"
    ]


@pytest.mark.proves("H26")
def test_a_process_that_is_killed_in_the_middle_of_a_reply_loses_no_message(
    omoide: CommandLine, server: FakeModelServer
) -> None:
    server.replies.append(Reply(text="A very long story. " * 50, pause=0.2))
    who = ("chat", "--user", "Sam", "--character", "wren", "--session", "s")
    process = omoide.start(*who, OMOIDE_MODEL="fake", OMOIDE_MODEL_URL=server.url)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("My boat is called Heron\n")
    process.stdin.flush()
    while "very" not in process.stdout.readline(60):
        pass  # the greeting
    process.kill()
    process.communicate()
    status, out, _ = talk(omoide, server, "What is my boat called?", "/memories")

    assert status == 0
    assert "My boat is called Heron" in out


def test_who_talks_with_whom_has_to_be_said(omoide: CommandLine) -> None:
    assert "--user" in refused(omoide("chat", status=2))
    assert "sena, tsumugi, wren" in refused(omoide("chat", "--user", "Sam", status=2))
    assert "'nobody'" in refused(omoide("chat", "--user", "Sam", "--character", "nobody", status=1))


def test_on_a_terminal_the_mood_and_the_memories_are_told(
    omoide: CommandLine, server: FakeModelServer
) -> None:
    server.replies.append("Aye. [EMOTION:playful]")
    ran = omoide.on_terminal(
        "chat",
        "--user",
        "Sam",
        "--character",
        "wren",
        typed="Are you well?\n/help\n/quit\n",
        OMOIDE_MODEL="fake",
        OMOIDE_MODEL_URL=server.url,
    )

    assert ran.status == 0
    assert "Wren: Aye." in ran.out
    assert "playful · 0 memories" in ran.out
    assert "[EMOTION" not in ran.out
    assert "/forget N" in ran.out


def test_characters_are_listed_shown_and_taken_over(omoide: CommandLine, tmp_path: Path) -> None:
    card = tmp_path / "Kestrel.json"
    card.write_text(
        json.dumps({"name": "Kestrel", "description": "Keeps {{user}} busy.", "first_mes": "Hi {{user}}!"}),
        "utf-8",
    )
    beside = omoide("characters", "import", str(card), "--json").json
    folder = tmp_path / "characters"
    folder.mkdir()
    (tmp_path / "config" / "omoide").mkdir(parents=True, exist_ok=True)
    (tmp_path / "config" / "omoide" / "config.toml").write_text(f'characters = "{folder}"\n', "utf-8")
    taken = omoide("characters", "import", str(card), "--id", "kes", "--json").json
    listed = omoide("characters", "list", "--json").json
    shown = omoide("characters", "show", "kes")

    assert beside["folder"] == f"{omoide.store}.characters/Kestrel"
    assert taken["name"] == "Kestrel"
    assert [one["id"] for one in listed] == ["kes", "sena", "tsumugi", "wren"]
    assert "Keeps user busy." in shown.out
    assert "kes\tKestrel\ten" in omoide("characters").out
    assert omoide("characters", "import", str(card), "--id", "kes", "--json").json == taken
    assert "greeting: Hi user!" in shown.out

    card.write_text(json.dumps({"name": "Kestrel", "description": "Another one."}), "utf-8")
    told = refused(omoide("characters", "import", str(card), "--id", "two", status=2))
    assert "--name" in told
    omoide("characters", "import", str(card), "--id", "two", "--name", "Kestrel of the mill")
    assert "two\tKestrel of the mill\ten" in omoide("characters").out


def test_two_of_one_name_that_lie_in_the_folder_are_told_of(omoide: CommandLine) -> None:
    for name in ("emo", "jinja"):
        own = Path(f"{omoide.store}.characters", name)
        own.mkdir(parents=True)
        (own / "profile.yaml").write_text("name: Evil\nlanguage: en\n", "utf-8")
        (own / "prompt.jinja").write_text("You are {{ name }}.", "utf-8")

    listed, checked = omoide("characters"), omoide("doctor", "--json", status=1)

    assert "emo\tEvil\ten" in listed.out
    assert "jinja" not in listed.out
    assert "'jinja' has the name 'Evil', as the character 'emo' has" in listed.err
    (found,) = [one for one in checked.json["findings"] if one["what"] == "characters"]
    assert (found["state"], "'jinja'" in found["detail"]) == ("wrong", True)


def test_where_there_is_no_store_models_say_what_makes_one(omoide: CommandLine) -> None:
    assert "`omoide models set`" in refused(omoide("models", "list", status=1))
