"""The commands on memories, from saying something to taking it back."""

from __future__ import annotations

import os

import pytest
from command_line import CommandLine, refused

HARU = ("--user", "minjun", "--character", "haru")


@pytest.fixture
def met(omoide: CommandLine) -> CommandLine:
    omoide("observe", "나 롤 게임 엄청 좋아해요!", "오, 어느 라인 가요?", "--session", "s1", *HARU)
    omoide("observe", "우리 고양이 이름은 감자예요", "귀여운 이름이네요", "--session", "s2", *HARU)
    return omoide


def the_cat(omoide: CommandLine) -> str:
    return next(one["id"] for one in omoide("memories", "--json").json if "감자" in one["text"])


def test_observe_says_what_was_kept(omoide):
    ran = omoide("observe", "나 롤 게임 엄청 좋아해요!", "오!", "--session", "s1", *HARU, "--json")
    assert ran.json["session"] == "s1"
    assert ran.json["added"] == 2
    assert ran.json["made"] == 1
    assert len(ran.json["messages"]) == 2


def test_observe_takes_the_time_in_the_zone_of_the_settings(omoide, monkeypatch):
    monkeypatch.setenv("OMOIDE_ZONE", "Asia/Seoul")
    omoide("observe", "나 롤 게임 엄청 좋아해요!", *HARU, "--at", "2026-03-01T21:00")
    [memory] = omoide("memories", "--json").json
    assert memory["at"] == "2026-03-01T21:00:00+09:00"


def test_words_can_come_from_standard_input(omoide):
    process = omoide.start("remember", "-", *HARU)
    process.communicate("나는 부산에 살아요\n")
    assert [one["text"] for one in omoide("memories", "--json").json] == ["나는 부산에 살아요"]


@pytest.mark.proves("F13")
@pytest.mark.parametrize("command", [("observe", "안녕하세요 반가워요"), ("remember", "고양이를 키운다")])
def test_writing_needs_both_names(omoide, command):
    assert "--character" in refused(omoide(*command, "--user", "minjun", status=2))
    assert "--user" in refused(omoide(*command, "--character", "haru", status=2))


def test_names_come_from_the_environment_too(omoide, monkeypatch):
    monkeypatch.setenv("OMOIDE_USER", "minjun")
    monkeypatch.setenv("OMOIDE_CHARACTER", "haru")
    omoide("remember", "고양이를 키운다")
    assert len(omoide("memories", "--json").json) == 1


@pytest.mark.proves("F13")
def test_a_name_nearly_known_is_refused_unless_it_is_said_to_be_new(met):
    slip = ("remember", "고양이를 키운다", "--user", "minjum", "--character", "haru")
    assert "'minjun'" in refused(met(*slip, status=2))
    met(*slip, "--new")


@pytest.mark.proves("F13")
def test_where_several_scopes_exist_one_must_be_chosen(met):
    met("remember", "산책을 좋아한다", "--user", "sora", "--character", "haru")
    line = refused(met("recall", "우리 고양이 이름?", status=2))
    assert "minjun × haru" in line
    assert "sora × haru" in line
    assert "감자" in met("recall", "우리 고양이 이름?", "--user", "minjun").out


def test_an_unknown_user_is_an_error_with_near_names(met):
    assert "'minjun'" in refused(met("recall", "고양이?", "--user", "minju", status=1))
    assert "minjun × haru" in refused(met("recall", "고양이?", "--user", "zoe", status=1))


def test_recall_as_json_has_what_programs_need(met):
    found = met("recall", "우리 고양이 이름?", "--json").json
    assert {"query", "standing", "block", "prompt", "memories", "timing_ms", "degraded"} <= set(found)
    memory = found["memories"][0]
    assert {"id", "kind", "text", "at", "importance", "evidence", "why"} <= set(memory)
    assert (
        memory["evidence"][0] | {"speaker": "minjun", "quote": "우리 고양이 이름은 감자예요"}
        == memory["evidence"][0]
    )
    assert set(memory["why"]) == {"meaning", "words", "decay", "score", "slot", "links", "mood"}
    assert set(memory["why"]["words"]) == {"rank", "score"}
    assert found["prompt"] == f"{found['standing']}\n\n{found['block']}"


def test_recall_prints_the_block_alone(met):
    ran = met("recall", "우리 고양이 이름?")
    assert ran.out.startswith("<memories>")
    assert "감자" in ran.out


def test_recall_with_why_gives_a_reason_on_each_line(met):
    out = met("recall", "우리 고양이 이름?", "--why").out
    head = next(line for line in out.splitlines() if line.startswith("#\t"))
    assert head.split("\t")[4:] == ["meaning", "words", "decay", "score", "slot"]
    assert "\x1b" not in out


@pytest.mark.skipif(os.name == "nt", reason="Windows has other terminals")
def test_a_terminal_gets_a_table_and_colour_unless_it_wants_none(met):
    shown = met.on_terminal("recall", "우리 고양이 이름?", "--why").out
    assert "─" in shown
    assert "\x1b[" in shown
    plain = met.on_terminal("recall", "우리 고양이 이름?", "--why", NO_COLOR="1").out
    assert "─" in plain
    assert "\x1b[3" not in plain


def test_words_cannot_steer_a_terminal(omoide):
    omoide("remember", "고양이 \x9b31m 빨강", *HARU)
    assert "\x9b" not in omoide("memories").out


def test_nothing_comes_to_mind_off_the_topic(met):
    ran = met("recall", "1+1은?")
    assert (ran.out, ran.err) == ("", "omoide: nothing comes to mind\n")
    assert met("recall", "1+1은?", "--json").json["memories"] == []


def test_asking_changes_nothing(met):
    before = met("memories", "--json").out
    for _ in range(2):
        met("recall", "우리 고양이 이름?", "--session", "s9")
    assert met("memories", "--json").out == before


@pytest.mark.parametrize(
    "narrowed",
    [
        ("--kind", "fact"),
        ("--since", "2999-01-01"),
        ("--until", "1999-01-01"),
        ("--importance", "9.9"),
        ("--person", "nobody"),
        ("--place", "Busan"),
        ("--as-of", "1999-01-01"),
    ],
)
def test_a_recall_can_be_narrowed(met, narrowed):
    assert met("recall", "우리 고양이 이름?", *narrowed, "--json").json["memories"] == []


def test_limit_and_budget_are_kept(met):
    met("remember", "고양이 감자는 생선을 좋아한다", *HARU)
    found = met("recall", "우리 고양이 이름?", "--limit", "1", "--budget", "60", "--json").json
    assert len(found["memories"]) == 1


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--limit", "0", "limit=0"),
        ("--limit", "many", "--limit"),
        ("--budget", "0", "budget"),
        ("--budget", "49", "budget"),
        ("--fusion", "magic", "'magic'"),
        ("--kind", "dream", "'dream'"),
        ("--since", "yesterday-ish", "'yesterday-ish'"),
    ],
)
def test_a_wrong_value_is_misuse_and_says_so_in_one_line(met, option, value, told):
    assert told in refused(met("recall", "고양이?", option, value, status=2))


def test_memories_are_listed_as_lines_with_tabs(met):
    head, *rows = met("memories").out.splitlines()
    assert head.split("\t") == ["id", "date", "kind", "importance", "status", "text"]
    assert len(rows) == 2
    assert len(met("memories", "--limit", "1", "--json").json) == 1


def test_show_gives_one_memory_with_its_evidence(met):
    memory = the_cat(met)
    assert met("show", memory, "--json").json["evidence"][0]["quote"] == "우리 고양이 이름은 감자예요"
    assert "evidence: " in met("show", memory).out


@pytest.mark.parametrize("command", ["show", "pin", "unpin", "forget", "restore"])
def test_an_unknown_memory_is_an_error(met, command):
    assert "'nothing'" in refused(met(command, "nothing", status=1))


@pytest.mark.proves("H10")
def test_a_memory_can_be_pinned_and_unpinned(met):
    memory = the_cat(met)
    met("pin", memory)
    assert met("show", memory, "--json").json["pinned"] is True
    met("unpin", memory)
    assert met("show", memory, "--json").json["pinned"] is False


def test_a_corrected_memory_says_something_else(met):
    made = met("correct", the_cat(met), "민준의 고양이 이름은 고구마", "--json").json["id"]
    assert "고구마" in met("show", made).out
    assert "감자예요" not in met("recall", "우리 고양이 이름?").out


def test_what_is_forgotten_can_be_restored(met):
    memory = the_cat(met)
    assert met("forget", memory, "--json").json == {"forgotten": 1}
    assert "감자" not in met("recall", "우리 고양이 이름?").out
    assert [one["id"] for one in met("memories", "--status", "forgotten", "--json").json] == [memory]
    met("restore", memory)
    assert "감자" in met("recall", "우리 고양이 이름?").out


@pytest.mark.proves("P16")
def test_rewinding_takes_back_what_was_remembered(met):
    met("observe", "아니 사실 이름은 고구마예요", "그렇군요", "--session", "s2", *HARU)
    first = met("show", the_cat(met), "--json").json["evidence"][-1]["message"]
    assert met("rewind", first, "--json").json["withdrawn"] == 2
    assert "고구마" not in met("recall", "고양이 이름 고구마?").out


def test_a_diary_memory_says_how_it_is_known(omoide):
    alone = ("--user", "", "--character", "haru")
    said = ("remember", "할머니는 배를 탔다", "--kind", "diary", "--layer", "heard", "--confidence", "6")
    refused(omoide(*said, *alone, status=2))
    omoide(*said, "--source", "엄마", *alone)
    [memory] = omoide("memories", "--json").json
    assert memory["kind"] == "diary"


def test_everything_of_remember_is_kept(omoide):
    omoide(
        *("remember", "바다의 문은 밤에만 열린다", *HARU, "--kind", "world", "--key", "바다", "--key", "문"),
        *("--importance", "7.5", "--place", "항구", "--pin", "--at", "2026-03-01"),
    )
    [memory] = omoide("memories", "--json").json
    expected = {"kind": "world", "keys": ["바다", "문"], "importance": 7.5, "place": "항구", "pinned": True}
    assert memory | expected == memory


@pytest.mark.parametrize("command", ["observe", "recall"])
def test_bytes_that_are_no_text_are_refused(omoide, command):
    with omoide.start(command, "-", *HARU) as process:
        process.stdin.buffer.write(b"\xff\xfe bad")
        process.stdin.close()
        told = process.stderr.read()
    assert process.returncode == 2
    assert told.startswith("omoide: standard input is no text")
    assert len(told.splitlines()) == 1
    assert not (omoide.home / "store").exists()


@pytest.mark.parametrize("limit", ["0", "-1"])
def test_a_list_of_no_memories_is_misuse(omoide, limit):
    omoide("observe", "I moved to Busan.", *HARU)
    assert limit in refused(omoide("memories", "--limit", limit, *HARU, status=2))


def test_a_new_key_is_told_once(omoide):
    with omoide.start("observe", "I moved to Busan.", *HARU) as process:
        told = process.communicate(timeout=60)[1]
    assert told.count("a new master key") == 1
