"""A whole store backed up, restored and copied from the command line."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command_line import CommandLine, refused
from sqlalchemy import make_url

from omoide.stores.sqlite import SqliteDatabase
from postgres import database_for, server

HARU = ("--user", "minjun", "--character", "haru")


@pytest.fixture
def omoide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    line = CommandLine(tmp_path, monkeypatch, capsys)
    line("import", line.file("chat.jsonl", *TALK), *HARU)
    return line


TALK = [
    {"role": "user", "text": "나는 보리차를 제일 좋아해", "session": "s"},
    {"role": "character", "text": "나도!", "session": "s"},
    {"role": "user", "text": "다음 주에 부산에 가기로 했어", "session": "s"},
    {"role": "character", "text": "바다 보러 가는구나", "session": "s"},
]


def memories(omoide: CommandLine, store: str) -> list[str]:
    return [one["text"] for one in omoide("memories", "--json", *HARU, "--store", store).json]


def test_a_keyring_moves_into_a_database_and_back(
    omoide: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = memories(omoide, omoide.store)
    there, back = server().create(f"rings_{omoide.home.name.replace('-', '_').lower()[-40:]}"), "back.keyring"
    done = omoide("key", "copy-keyring", there, "--json")
    assert (done.json["target"], done.json["epoch"]) == (str(make_url(there)), 0)
    monkeypatch.setenv("OMOIDE_KEYRING", there)
    assert done.json["source"] in done.err
    (omoide.home / done.json["source"]).unlink()  # as it was told
    assert memories(omoide, omoide.store) == told
    assert "already" in refused(omoide("key", "copy-keyring", there, status=2))
    omoide("remember", "likes plum", "--user", "sora", "--character", "haru", "--new")
    omoide("erase", "minjun", "--yes")
    omoide("key", "copy-keyring", str(omoide.home / back))
    monkeypatch.setenv("OMOIDE_KEYRING", str(omoide.home / back))
    assert "epoch 1" in omoide("doctor").out
    assert "plum" in omoide("memories", "--user", "sora", "--character", "haru").out


@pytest.mark.parametrize("kind", ["a file", "a database"])
def test_a_backup_is_restored_elsewhere(omoide: CommandLine, kind: str) -> None:
    file, ring = omoide.home / "backup.db", omoide.home / "apart" / "ring"
    taken = omoide("backup", str(file), "--with-keyring", str(ring), "--json")
    assert (taken.json["epoch"], taken.json["keyring"]) == (0, str(ring))
    plain = omoide("backup", str(omoide.home / "second.db"))
    assert "rows of store" in plain.out
    assert "the keyring is not in it" in plain.err
    assert "characters" not in plain.err  # there are none
    (characters := Path(f"{omoide.store}.characters")).mkdir()
    told = omoide("backup", str(omoide.home / "third.db")).err
    assert f"characters are files and are not in it: keep a copy of {characters}" in told

    other = omoide.home / "other.db"
    store = str(other) if kind == "a file" else database_for(other)
    done = omoide("restore", str(file), "--store", store, "--with-keyring", str(ring), "--json")
    assert done.json["tables"] == taken.json["tables"]
    assert memories(omoide, store) == memories(omoide, omoide.store)

    again = omoide("restore", str(file), "--store", store, status=1)
    assert "--replace" in refused(again)
    assert "--yes" in refused(omoide("restore", str(file), "--store", store, "--replace", status=2))
    omoide("restore", str(file), "--store", store, "--replace", "--yes")
    assert len(memories(omoide, store)) == 2


def test_a_store_is_copied_there_and_back(omoide: CommandLine) -> None:
    database, file = database_for(omoide.home / "there.db"), str(omoide.home / "back.db")
    there = omoide("copy", omoide.store, database, "--with-keyring", "--json")
    back = omoide("copy", database, file)

    assert there.json["tables"]["messages"]["rows"] == 4
    table = dict(line.split("\t", 1) for line in back.out.splitlines()[:-1])
    assert table["messages"] == "4\t" + there.json["tables"]["messages"]["checksum"]
    assert "are the same in" in back.out
    assert "put it at" in back.err  # no keyring was asked for
    assert memories(omoide, database) == memories(omoide, omoide.store)
    omoide("copy", database, file, "--with-keyring")
    assert memories(omoide, file) == memories(omoide, omoide.store)


def test_what_cannot_be_done_is_told_in_one_line(omoide: CommandLine) -> None:
    nothing = str(omoide.home / "nothing.db")
    assert "no store" in refused(omoide("backup", str(omoide.home / "b.db"), "--store", nothing, status=1))
    assert "no backup" in refused(omoide("restore", nothing, "--store", str(omoide.home / "x.db"), status=2))
    assert "twice" in refused(omoide("copy", omoide.store, omoide.store, status=2))
    omoide("copy", omoide.store, str(omoide.home / "to.db"))
    omoide("import", omoide.file("more.jsonl", *TALK[:2]), "--user", "sora", "--character", "haru")
    told = refused(omoide("copy", omoide.store, str(omoide.home / "to.db"), status=1))
    assert "differ" in told
    assert "another copy that is under way" in told


def test_restore_means_a_backup_or_a_memory(omoide: CommandLine) -> None:
    (memory, *_) = omoide("memories", "--json", *HARU).json
    omoide("forget", memory["id"], *HARU)
    assert len(memories(omoide, omoide.store)) == 1
    assert omoide("restore", memory["id"], "--json", *HARU).json["status"] == "confirmed"
    assert len(memories(omoide, omoide.store)) == 2
    assert "for backups" in refused(omoide("restore", memory["id"], "--replace", status=2))
    assert "no backup" in refused(omoide("restore", "yesterday.db", status=2))


def test_progress_is_shown_on_a_terminal(omoide: CommandLine) -> None:
    shown = omoide.on_terminal("backup", str(omoide.home / "b.db"))
    assert shown.status == 0
    assert "backing up" in shown.out


def test_what_a_backup_prints_is_json_for_programs(omoide: CommandLine) -> None:
    fields = json.loads(omoide("backup", str(omoide.home / "b.db"), "--json").out)
    assert set(fields) == {"source", "target", "store", "keyring", "epoch", "tables"}


def test_a_restore_that_is_refused_leaves_no_file_and_the_right_one_can_follow(omoide: CommandLine) -> None:
    file, ring, wrong = (omoide.home / name for name in ("backup.db", "ring", "wrong"))
    omoide("backup", str(file), "--with-keyring", str(ring))
    elsewhere = str(omoide.home / "elsewhere.db")
    omoide("remember", "likes plum", *HARU, "--new", "--store", elsewhere)
    omoide("backup", str(omoide.home / "unused.db"), "--with-keyring", str(wrong), "--store", elsewhere)
    folder = omoide.home / "new"
    folder.mkdir()
    other = str(folder / "other.db")
    restore = ("restore", str(file), "--store", other, "--with-keyring")
    assert "nothing was changed" in refused(omoide(*restore, str(wrong), status=1))
    assert list(folder.iterdir()) == []
    omoide(*restore, str(ring))
    assert memories(omoide, other) == memories(omoide, omoide.store)


def test_what_only_looks_makes_no_keyring_for_tables_that_hold_no_store(omoide: CommandLine) -> None:
    folder = omoide.home / "new"
    folder.mkdir()
    SqliteDatabase.open(folder / "other.db").close()
    assert "no store" in refused(omoide("memories", *HARU, "--store", str(folder / "other.db"), status=1))
    assert not (folder / "other.db.keyring").exists()


def test_a_backup_damaged_near_its_end_is_no_full_disk(omoide: CommandLine) -> None:
    file = omoide.home / "backup.db"
    omoide("backup", str(file))
    content = file.read_bytes()
    for end in (*range(len(content), 0, -331), *range(len(content) - 165, 0, -331)):
        file.write_bytes(content[: end - 200] + b"\xff" * 200 + content[end:])
        if looks_like_a_full_disk(file):
            break
    else:
        pytest.skip("no damage of this file, whose bytes differ from run to run, looks like a full disk")
    told = refused(omoide("restore", str(file), "--store", str(omoide.home / "other.db"), status=1))
    assert "is damaged" in told


def looks_like_a_full_disk(file: Path) -> bool:
    made = file.with_name("made.db")
    made.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as connection:
        try:
            connection.execute("VACUUM INTO ?", (str(made),))
        except (sqlite3.Error, UnicodeDecodeError) as error:
            return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return False
