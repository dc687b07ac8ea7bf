"""Importing and exporting from the command line: once, twice, dry, killed in the middle, and back again."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta

import pytest
from command_line import refused

from omoide import Omoide

NAMES = ("--user", "minjun", "--character", "haru")
BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def plain(count: int, *, session: str = "s1") -> list[dict[str, str]]:
    return [
        {
            "role": "character" if number % 2 else "user",
            "text": f"나는 {session}에서 {number}번 버스를 타고 바다에 가는 걸 정말 좋아해",
            "at": (BEGIN + timedelta(minutes=number)).isoformat(),
            "session": session,
        }
        for number in range(count)
    ]


def tavern(*said: tuple[str, str, bool]) -> list[dict[str, object]]:
    header = {"user_name": "Lena", "character_name": "Aria", "chat_metadata": {}}
    lines = [
        {
            "name": name,
            "is_user": user,
            "mes": text,
            "send_date": f"2026-03-01T10:{minute:02}:00.000Z",
        }
        for minute, (name, text, user) in enumerate(said)
    ]
    return [header, *lines]


AN_EVENING = tavern(
    ("Aria", "Hello there, traveller.", False),
    ("Lena", "I adore the lighthouse on the northern coast.", True),
    ("Aria", "Its keeper would be glad to hear that.", False),
)
BOOK = {
    "entries": {
        "0": {
            "uid": 0,
            "key": ["tide"],
            "content": "The tide of {{char}}'s land turns thrice a day.",
            "constant": True,
        },
        "1": {"uid": 1, "key": ["gate", "door"], "content": "The sea gate opens at night only."},
    }
}


def test_an_import_tells_what_came_in(omoide):
    ran = omoide("import", omoide.file("chat.jsonl", *plain(8)), *NAMES, "--json").json
    assert ran["messages"] == ran["read"] == 8
    assert ran["exchanges"] == ran["memories"] == 4
    assert ran["scopes"] == [{"user": "minjun", "character": "haru"}]
    assert ran["files"][0]["format"] == "plain"
    assert "감" not in omoide("recall", "버스 타고 바다", "--json").err


def test_an_import_in_plain_words(omoide):
    out = omoide("import", omoide.file("chat.jsonl", *plain(8)), *NAMES).out
    assert "8 new messages of 8, 4 exchanges, 4 new memories" in out


def test_a_second_import_changes_nothing(omoide):
    file = omoide.file("chat.jsonl", *plain(8))
    omoide("import", file, *NAMES)
    before = omoide("memories", "--json").out
    ran = omoide("import", file, *NAMES, "--json").json
    assert (ran["messages"], ran["memories"], ran["withdrawn"]) == (0, 0, 0)
    assert omoide("memories", "--json").out == before


def test_a_dry_run_writes_nothing(omoide):
    ran = omoide("import", omoide.file("chat.jsonl", *plain(8)), *NAMES, "--dry-run", "--json").json
    assert ran["dry_run"] is True
    assert ran["read"] == 8
    assert not (omoide.home / "store").exists()
    assert "nothing was written" in omoide("import", str(omoide.home / "chat.jsonl"), *NAMES, "--dry-run").out


def test_names_come_from_the_file(omoide):
    omoide("import", omoide.file("evening.jsonl", *AN_EVENING))
    [memory] = omoide("memories", "--user", "Lena", "--character", "Aria", "--json").json
    assert memory["session"] == "evening"
    assert {quote["speaker"] for quote in memory["evidence"]} == {"Lena", "Aria"}


def test_names_on_the_command_line_count_more(omoide):
    ran = omoide("import", omoide.file("evening.jsonl", *AN_EVENING), *NAMES, "--json").json
    assert ran["scopes"] == [{"user": "minjun", "character": "haru"}]


def test_without_any_name_it_is_misuse(omoide):
    file = omoide.file("chat.jsonl", *plain(4))
    assert "--character" in refused(omoide("import", file, "--user", "minjun", status=2))
    assert "--user" in refused(omoide("import", file, "--character", "haru", status=2))
    assert not (omoide.home / "store").exists()


@pytest.mark.proves("F13")
def test_a_name_nearly_known_is_refused_before_anything_is_written(omoide):
    omoide("import", omoide.file("chat.jsonl", *plain(4)), *NAMES)
    other = omoide.file("other.jsonl", *plain(4, session="s2"))
    slip = ("import", other, "--user", "minjum", "--character", "haru")
    assert "'minjun'" in refused(omoide(*slip, status=2))
    assert len(omoide("memories", "--json").json) == 2
    omoide(*slip, "--new")


def test_dates_without_a_zone_are_read_in_the_one_given(omoide):
    lines = [{**line, "at": "2026-03-01 21:00"} for line in plain(2)]
    omoide("import", omoide.file("chat.jsonl", *lines), *NAMES, "--timezone", "Asia/Seoul")
    assert omoide("memories", "--json").json[0]["at"].startswith("2026-03-01T21:00:00+09:00")
    assert "'Mars/Olympus'" in refused(
        omoide("import", str(omoide.home / "chat.jsonl"), *NAMES, "--timezone", "Mars/Olympus", status=2)
    )


def test_hidden_messages_can_be_left_out(omoide):
    lines = [*plain(4), {**plain(6)[4], "hidden": True}, {**plain(6)[5], "hidden": True}]
    file = omoide.file("chat.jsonl", *lines)
    assert omoide("import", file, *NAMES, "--no-hidden", "--dry-run", "--json").json["read"] == 4
    assert omoide("import", file, *NAMES, "--json").json["read"] == 6


def test_a_group_chat_goes_to_each_character(omoide):
    lines = tavern(
        ("Lena", "I adore the lighthouse on the northern coast.", True),
        ("Aria", "Its keeper would be glad.", False),
        ("Borin", "I would rather stay in the mines.", False),
    )
    for line in lines[1:]:
        if not line["is_user"]:
            line["original_avatar"] = f"{line['name']}.png"
    ran = omoide("import", omoide.file("party.jsonl", *lines), "--json").json
    assert [scope["character"] for scope in ran["scopes"]] == ["Aria", "Borin"]
    for character in ("Aria", "Borin"):
        assert "lighthouse" in omoide("memories", "--character", character).out


def test_a_channel_needs_a_character_and_keeps_its_people(omoide):
    channel = {
        "channel": {"id": "77", "name": "harbour"},
        "messages": [
            {
                "id": str(number),
                "type": "Default",
                "timestamp": f"2026-03-01T10:0{number}:00+00:00",
                "content": f"I really love sailing to island number {number}",
                "author": {"id": f"9{number % 2}", "name": f"sailor{number % 2}", "isBot": False},
            }
            for number in range(4)
        ],
    }
    file = omoide.file("channel.json", channel)
    assert "--character" in refused(omoide("import", file, status=2))
    omoide("import", file, "--character", "haru")
    quotes = [one["evidence"][0] for one in omoide("memories", "--json").json]
    assert {quote["speaker"] for quote in quotes} == {"sailor0", "sailor1"}


def test_a_lorebook_becomes_memories_of_the_world(omoide):
    file = omoide.file("book.json", BOOK)
    assert omoide("import", file, *NAMES, "--json").json["world"] == 2
    found = {one["text"]: one for one in omoide("memories", "--kind", "world", "--json").json}
    tide = found["The tide of haru's land turns thrice a day."]
    assert (tide["pinned"], tide["keys"], tide["origin"], tide["importance"]) == (
        True,
        ["tide"],
        "imported",
        5.0,
    )
    assert found["The sea gate opens at night only."]["pinned"] is False
    assert omoide("import", file, *NAMES, "--json").json["world"] == 0


def test_a_card_brings_its_book_and_its_name(omoide):
    card = {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {
            "name": "Aria",
            "description": "Keeper of a lighthouse.",
            "character_book": {
                "entries": [{"keys": ["lamp"], "content": "The lamp burns blue.", "enabled": True}]
            },
        },
    }
    ran = omoide("import", omoide.file("aria.json", card), "--user", "Lena", "--json").json
    assert ran["characters"] == ["Aria"]
    assert ran["scopes"] == [{"user": "Lena", "character": "Aria"}]
    assert "The lamp burns blue." in omoide("memories").out


def test_a_file_of_no_kind_is_an_error_and_leaves_no_store(omoide):
    (omoide.home / "notes.txt").write_text("buy milk", "utf-8")
    assert "'notes.txt'" in refused(omoide("import", str(omoide.home / "notes.txt"), *NAMES, status=1))
    refused(omoide("import", str(omoide.home / "missing.jsonl"), *NAMES, status=1))
    assert not (omoide.home / "store").exists()


def test_of_several_files_a_bad_one_does_not_keep_the_others_out(omoide):
    (omoide.home / "notes.txt").write_text("buy milk", "utf-8")
    file = omoide.file("chat.jsonl", *plain(4))
    ran = omoide("import", str(omoide.home / "notes.txt"), file, *NAMES, "--json", status=1)
    assert "'notes.txt'" in ran.err
    assert (ran.json["failed"], ran.json["messages"]) == (1, 4)


def test_a_format_can_be_named(omoide):
    file = omoide.file("chat.jsonl", *plain(4))
    omoide("import", file, *NAMES, "--format", "plain")
    assert "'magic'" in refused(omoide("import", file, *NAMES, "--format", "magic", status=1))


@pytest.mark.sqlite
def test_a_killed_import_is_completed_by_running_it_again(omoide):
    lines = [line for number in range(12) for line in plain(200, session=f"s{number:02}")]
    file = omoide.file("long.jsonl", *lines)
    process = omoide.start("import", file, *NAMES)
    store = omoide.home / "store" / "omoide.db-wal"
    until = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < until:
        if store.exists() and store.stat().st_size > 600_000:
            break
        time.sleep(0.01)
    process.kill()
    process.communicate()
    ran = omoide("import", file, *NAMES, "--json").json
    assert 0 < ran["messages"] < len(lines)
    exported = [json.loads(line) for line in omoide("export").out.splitlines()]
    said = [(line["session"], line["text"]) for line in exported if "role" in line]
    assert len(said) == len(lines)
    assert len(set(said)) == len(lines)
    assert omoide("import", file, *NAMES, "--json").json["messages"] == 0


@pytest.mark.proves("K12")
def test_what_is_exported_can_be_imported_elsewhere(omoide, tmp_path):
    omoide("import", omoide.file("chat.jsonl", *plain(8)), *NAMES)
    omoide("remember", "민준은 바다를 좋아한다", *NAMES, "--pin")
    omoide("remember", "아리아는 등대에 산다", "--user", "", "--character", "aria")
    file = tmp_path / "all.jsonl"
    assert omoide("export", str(file), "--json").json["scopes"] == 2
    assert file.stat().st_mode & 0o777 == 0o600
    elsewhere = ("--store", str(tmp_path / "elsewhere" / "omoide.db"))
    (tmp_path / "config" / "omoide" / "master.key").rename(tmp_path / "key-of-the-first")
    omoide("import", str(file), *elsewhere)
    texts = [one["text"] for one in omoide("memories", "--user", "minjun", *elsewhere, "--json").json]
    assert len(texts) == 5
    assert "민준은 바다를 좋아한다" in texts
    assert omoide("import", str(file), *elsewhere, "--json").json["memories"] == 0


def test_an_export_goes_back_where_it_came_from(omoide, tmp_path):
    omoide("remember", "민준은 바다를 좋아한다", *NAMES)
    file = tmp_path / "all.jsonl"
    omoide("export", str(file))
    refused(omoide("export", str(file), status=2))
    assert "'haru'" in refused(omoide("import", str(file), "--character", "aria", status=2))


def test_an_export_can_be_of_one_scope(omoide):
    omoide("remember", "민준은 바다를 좋아한다", *NAMES)
    omoide("remember", "소라는 산을 좋아한다", "--user", "sora", "--character", "haru")
    out = omoide("export", "--user", "sora").out
    assert "소라" in out
    assert "민준" not in out


def test_a_character_is_the_same_by_its_id_and_by_its_name(omoide):
    header = {"user_name": "Sam", "character_name": "wren", "chat_metadata": {}}
    said = {"name": "Sam", "is_user": True, "mes": "I own a purple submarine"}
    file = omoide.file("chat.jsonl", header, {**said, "send_date": "2026-03-01T10:00:00.000Z"})
    omoide("import", file)
    omoide("import", file, "--character", "wren")
    omoide("observe", "I own a yellow zeppelin", "ok", "--user", "Sam", "--character", "wren")
    exported = omoide("export", "--user", "Sam", "--character", "wren").out

    assert "zeppelin" in exported
    assert "submarine" in exported
    assert '"Wren"' in exported.splitlines()[0]


def test_a_memory_that_a_program_put_under_an_id_draws_no_command_to_itself(omoide):
    async def beside() -> None:
        async with Omoide.open(omoide.store, embedder="none", worker=False) as engine:
            await engine.scope(user="Sam", character="wren").remember("I own a green balloon")

    asyncio.run(beside())
    who = ("--user", "Sam", "--character", "wren")
    apart = omoide("export", *who).out
    omoide("observe", "I own a yellow zeppelin", "ok", *who, "--new")
    exported = omoide("export", *who).out

    assert "balloon" in apart
    assert "zeppelin" in exported
    assert "balloon" not in exported
