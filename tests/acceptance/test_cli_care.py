"""Looking after a store from the command line: doctor, settings, keys, reset, erase, reindex, prune."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine, refused

from omoide import Omoide
from omoide.models.local import local_unfit

if TYPE_CHECKING:
    from pathlib import Path

MINJUN = ("--user", "minjun", "--character", "haru")
SORA = ("--user", "sora", "--character", "haru")


@pytest.fixture
def met(omoide: CommandLine) -> CommandLine:
    omoide("observe", "나 롤 게임 엄청 좋아해요!", "오, 어느 라인 가요?", "--session", "s1", *MINJUN)
    omoide("remember", "소라는 산을 좋아한다", *SORA)
    return omoide


def states(ran) -> dict[str, str]:
    return {finding["what"]: finding["state"] for finding in ran.json["findings"]}


def the_key(omoide: CommandLine) -> Path:
    return omoide.home / "config" / "omoide" / "master.key"


@pytest.mark.proves("P15")
def test_a_reset_deletes_one_scope_and_says_what_went(met):
    ran = met("reset", *MINJUN, "--yes", "--json").json
    assert (ran["memories"], ran["messages"]) == (1, 2)
    assert met("memories", *MINJUN, "--json").json == []
    assert len(met("memories", *SORA, "--json").json) == 1


def test_a_reset_names_both_and_is_confirmed(met):
    assert "--character" in refused(met("reset", "--user", "minjun", "--yes", status=2))
    assert "--yes" in refused(met("reset", *MINJUN, status=2))
    assert len(met("memories", *MINJUN, "--json").json) == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has other terminals")
def test_on_a_terminal_a_reset_asks_first(met):
    assert met.on_terminal("reset", *MINJUN, typed="n\n").status == 1
    assert len(met("memories", *MINJUN, "--json").json) == 1
    assert met.on_terminal("reset", *MINJUN, typed="y\n").status == 0
    assert met("memories", *MINJUN, "--json").json == []


def test_erasing_a_user_takes_everything(met):
    assert "--yes" in refused(met("erase", "minjun", status=2))
    ran = met("erase", "minjun", "--yes", "--json").json
    assert (ran["scopes"], ran["memories"], ran["messages"], ran["key_destroyed"]) == (1, 1, 2, True)
    assert "sora × haru" in refused(met("memories", "--user", "minjun", status=1))


def test_an_unknown_user_is_not_erased(met):
    assert "'minjun'" in refused(met("erase", "minjum", "--yes", status=1))


def test_prune_destroys_what_was_forgotten_when_told_to(met):
    [memory] = met("memories", *MINJUN, "--json").json
    met("forget", memory["id"], *MINJUN)
    assert met("prune", "--json").json["purged"] == 0
    assert met("prune", "--now", *MINJUN, "--json").json["purged"] == 1
    refused(met("restore", memory["id"], *MINJUN, status=1))


def test_reindex_needs_an_embedder(met):
    assert "omoide doctor" in refused(met("reindex", status=1))


@pytest.mark.local
@pytest.mark.skipif(local_unfit() is not None, reason="the local embedder cannot run here")
def test_reindex_makes_the_vectors_that_are_missing(met, monkeypatch):
    monkeypatch.setenv("OMOIDE_EMBEDDER", "local")
    assert states(met("doctor", "--json"))["indexes"] == "note"
    assert met("reindex", "--json").json == {"terms": 0, "vectors": 2, "links": 0, "tenants": 1}
    assert met("reindex", "--json").json == {"terms": 0, "vectors": 0, "links": 0, "tenants": 1}
    found = states(met("doctor", "--json"))
    assert (found["indexes"], found["embedder"]) == ("ok", "ok")
    recalled = met("recall", "게임 좋아해요?", *MINJUN, "--json").json
    assert set(recalled["memories"][0]["why"]["meaning"]) == {"rank", "score"}


def test_reindex_makes_the_terms_of_another_analyser(met, monkeypatch):
    pytest.importorskip("kiwipiepy")
    monkeypatch.setenv("OMOIDE_ANALYSER", "kiwi")
    assert states(met("doctor", "--json"))["indexes"] == "note"
    assert "made terms for 2" in refused(met("reindex", status=1))
    assert states(met("doctor", "--json"))["indexes"] == "ok"


@pytest.mark.sqlite
def test_an_empty_file_is_no_store_and_stays_empty(omoide):
    path = omoide.home / "store" / "omoide.db"
    path.parent.mkdir()
    path.touch()
    assert "there is no store" in refused(omoide("recall", "hello", *MINJUN, status=1))
    assert "there is no store" in refused(omoide("memories", *MINJUN, status=1))
    assert states(omoide("doctor", "--json"))["store"] == "note"
    assert [file.name for file in path.parent.iterdir()] == ["omoide.db"]
    assert path.stat().st_size == 0


@pytest.mark.parametrize("content", [b"zone = [", b'zone = "\xff\xfe"'])
def test_a_broken_settings_file_is_named(omoide, content):
    file = omoide.home / "config" / "omoide" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    assert str(file) in refused(omoide("memories", *MINJUN, status=2))
    assert str(file) in omoide("doctor", "--json", status=1).json["findings"][0]["detail"]


def test_a_list_that_is_none_is_a_wrong_setting(omoide, monkeypatch):
    monkeypatch.setenv("OMOIDE_NEVER_KEEP", "secret")
    assert 'OMOIDE_NEVER_KEEP is a list, which is written as JSON, such as \'["a", "b"]\'' in refused(
        omoide("memories", *MINJUN, status=2)
    )


def test_doctor_is_content_with_a_store_in_order(met):
    found = states(met("doctor", "--json"))
    assert {"settings", "time zone", "master key", "store", "keyring", "indexes"} <= set(found)
    assert "wrong" not in found.values()
    assert all(line.split()[0] in ("ok", "note") for line in met("doctor").out.splitlines())


@pytest.mark.sqlite
def test_doctor_makes_nothing(omoide):
    omoide("doctor")
    assert list(omoide.home.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_doctor_sees_a_key_that_others_may_read(met):
    the_key(met).chmod(0o644)
    ran = met("doctor", "--json", status=1)
    assert states(ran)["master key"] == "wrong"
    assert ran.json["healthy"] is False


def test_doctor_sees_a_missing_key(met):
    the_key(met).unlink()
    assert states(met("doctor", "--json", status=1))["master key"] == "wrong"


@pytest.mark.sqlite
def test_doctor_sees_a_file_that_is_no_store(omoide):
    (omoide.home / "store").mkdir()
    (omoide.home / "store" / "omoide.db").write_bytes(b"a letter, and no database at all" * 40)
    assert states(omoide("doctor", "--json", status=1))["store"] == "wrong"


@pytest.mark.sqlite
def test_doctor_sees_another_programs_database(omoide):
    (omoide.home / "store").mkdir()
    with sqlite3.connect(omoide.home / "store" / "omoide.db") as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    assert states(omoide("doctor", "--json", status=1))["store"] == "wrong"


@pytest.mark.parametrize(("name", "value"), [("OMOIDE_ZONE", "Mars/Olympus"), ("OMOIDE_FUSION", "magic")])
def test_doctor_sees_a_wrong_setting(omoide, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert "wrong" in states(omoide("doctor", "--json", status=1)).values()


def test_doctor_sees_an_embedder_that_lacks_its_server(met, monkeypatch):
    monkeypatch.setenv("OMOIDE_EMBEDDER", "openai")
    monkeypatch.setenv("OMOIDE_EMBEDDER_MODEL", "some-model")
    assert "wrong" in states(met("doctor", "--json", status=1)).values()


def test_config_show_says_where_each_value_comes_from(omoide, monkeypatch):
    (omoide.home / "config" / "omoide").mkdir(parents=True)
    (omoide.home / "config" / "omoide" / "config.toml").write_text("budget = 500\n", "utf-8")
    monkeypatch.setenv("OMOIDE_ZONE", "Asia/Seoul")
    monkeypatch.setenv("OMOIDE_EMBEDDER_KEY", "very-secret")
    ran = omoide("config", "show", "--store", "x.db", "--json")
    shown = {name: (row["value"], row["source"]) for name, row in ran.json["settings"].items()}
    assert shown["store"] == ("x.db", "argument")
    assert shown["zone"] == ("Asia/Seoul", "environment (OMOIDE_ZONE)")
    assert shown["budget"] == (500, "file")
    assert shown["memories"] == (12, "default")
    assert "very-secret" not in ran.out + omoide("config", "show").out


def test_config_show_lists_the_settings_even_when_one_is_wrong(omoide, monkeypatch):
    monkeypatch.setenv("OMOIDE_FUSION", "magic")
    ran = omoide("config", "show", status=2)
    assert "fusion\tmagic\tenvironment (OMOIDE_FUSION)" in ran.out
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("OMOIDE_BUGDET", "OMOIDE_BUDGET"),
        ("OMOIDE_TIMEZONE", "OMOIDE_ZONE"),
        ("omoide_embeder", "OMOIDE_EMBEDDER"),
        ("OMOIDE_BOGUS", None),
    ],
)
def test_a_variable_that_is_no_setting_is_reported_with_the_one_that_is_like_it(met, monkeypatch, name, like):
    monkeypatch.setenv(name, "1")
    found = met("doctor", "--json").json["findings"]
    (said,) = [one["detail"] for one in found if name in one["detail"]]
    assert (like or "omoide config show") in said
    shown = met("config", "show", "--json")
    assert shown.json["unknown"] == {name: like}
    assert name in met("config", "show").err
    assert not met("memories", *SORA).err


@pytest.mark.parametrize("name", ["OMOIDE_USER", "OMOIDE_CHARACTER", "OMOIDE_DEBUG", "OMOIDE_ZONE"])
def test_a_variable_that_is_known_is_not_reported(omoide, monkeypatch, name):
    monkeypatch.setenv(name, "UTC")
    assert omoide("config", "show", "--json").json["unknown"] == {}


async def test_the_library_warns_once_of_a_variable_that_is_no_setting(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("OMOIDE_FORGETING", "calendar")
    for _ in range(2):
        async with Omoide.open(tmp_path / "x.db", embedder="none", master_key_file=tmp_path / "key"):
            pass
    assert caplog.text.count("OMOIDE_FORGETING") == 1
    assert "OMOIDE_FORGETTING" in caplog.text


def test_a_key_can_be_kept_elsewhere_and_put_back(met, tmp_path):
    line = met("key", "export").out
    (tmp_path / "copy").write_text(line, "utf-8")
    refused(met("key", "import", str(tmp_path / "copy"), status=2))
    the_key(met).unlink()
    refused(met("memories", *SORA, status=1))
    met("key", "import", str(tmp_path / "copy"))
    assert len(met("memories", *SORA, "--json").json) == 1


def test_the_key_of_another_store_is_refused(met, tmp_path):
    (tmp_path / "copy").write_text("A" * 43 + "=", "utf-8")
    the_key(met).unlink()
    assert "nothing was changed" in refused(met("key", "import", str(tmp_path / "copy"), status=1))
    assert not the_key(met).exists()


def test_a_key_is_exported_into_a_private_file(met, tmp_path):
    met("key", "export", str(tmp_path / "copy"), "--json")
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600
