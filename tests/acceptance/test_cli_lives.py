"""Lives from the command line: checked, brought in once and twice, edited, pruned, and written out (K12)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command_line import CommandLine, refused

pytestmark = pytest.mark.proves("K12")

SISTERS = Path(__file__).parents[2] / "samples" / "sisters"


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_sisters_come_in_once(omoide: CommandLine) -> None:
    first = omoide("characters", "import", str(SISTERS))
    again = omoide("characters", "import", str(SISTERS), "--json").json

    assert "志帆: 34 new, 0 changed, 0 as before" in first.out
    assert "12 events" in first.out
    assert f"went to {omoide.store}.characters: akari, koharu, shiho" in first.out
    assert [one["new"] + one["changed"] for one in again["characters"]] == [0, 0, 0]


def test_an_edit_and_a_removal_are_told_of(omoide: CommandLine, sisters: Path) -> None:
    omoide("characters", "import", str(sisters))
    diary = sisters / "koharu" / "diary.yaml"
    edit(diary, "プリンを三つ買いました", "プリンを四つ買いました")
    first, _, rest = diary.read_text(encoding="utf-8").partition("\n\n")
    diary.write_text(rest, encoding="utf-8")
    removed = first.splitlines()[0].removeprefix("- id: ")

    told = omoide("characters", "import", str(sisters)).out
    pruned = omoide("characters", "import", str(sisters), "--prune").out
    after = omoide("characters", "import", str(sisters)).out

    assert "小春: 0 new, 1 changed, 31 as before" in told
    assert f"no longer in the files; --prune forgets them: {removed}" in told
    assert f"forgotten: {removed}" in pruned
    assert removed not in after


def test_a_life_without_its_diary_is_not_pruned(omoide: CommandLine, sisters: Path) -> None:
    omoide("characters", "import", str(sisters))
    (sisters / "koharu" / "diary.yaml").rename(sisters / "koharu" / "diary.yaml.bak")
    ran = omoide("characters", "import", str(sisters), "--prune", status=1)

    assert "no memory of '小春' lies in the folder" in ran.err
    assert "nothing was written" in ran.err


@pytest.mark.proves("K1")
def test_a_life_never_comes_in_under_the_name_of_another(omoide: CommandLine, sisters: Path) -> None:
    card = omoide.file("stranger.json", {"name": "志帆", "description": "Somebody else."})
    omoide("characters", "import", card)
    ran = omoide("characters", "import", str(sisters), status=1)

    assert "shiho/profile.yaml\t1\terror\t'志帆' is what 'stranger' is called already" in ran.out
    assert "nothing was written" in ran.err
    assert "--id and --name" in refused(omoide("characters", "import", str(sisters), "--name", "x", status=2))


def test_errors_are_listed_by_file_and_line_and_nothing_is_written(
    omoide: CommandLine, sisters: Path
) -> None:
    edit(sisters / "shiho" / "diary.yaml", "confidence: 7", "confidence: 9")
    edit(sisters / "akari" / "diary.yaml", "day: 2009-05-17", "day: 2009-05-18")
    edit(sisters / "events.yaml", "weight: 8", "weight: 80")

    ran = omoide("characters", "import", str(sisters), status=1)
    checked = omoide("characters", "lint", str(sisters), "--json", status=1).json

    rows = [line.split("\t") for line in ran.out.splitlines()]
    assert rows[0] == ["file", "line", "kind", "problem"]
    assert {row[0] for row in rows[1:]} == {"akari/diary.yaml", "events.yaml", "shiho/diary.yaml"}
    assert all(int(row[1]) > 0 for row in rows[1:])
    assert "nothing was written" in ran.err
    assert not (omoide.home / "store").exists()
    assert {one["file"] for one in checked["problems"]} == {row[0] for row in rows[1:]}


def test_lint_is_silent_on_a_folder_without_a_fault(omoide: CommandLine) -> None:
    assert omoide("characters", "lint", str(SISTERS)).out == "3 characters, 100 memories, 12 events\n"
    assert omoide("characters", "lint", str(SISTERS), "--json").json["problems"] == []


def test_advice_fails_lint_and_lets_an_import_pass(omoide: CommandLine, sisters: Path) -> None:
    edit(sisters / "akari" / "diary.yaml", "海まで走った! あたし、", "海まで走った! 朱里は、")

    found = omoide("characters", "lint", str(sisters), "--json", status=1).json["problems"]
    omoide("characters", "import", str(sisters))

    assert [one["advice"] for one in found] == [True]


def test_what_comes_out_is_what_went_in(omoide: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMOIDE_CHARACTERS", str(SISTERS))
    out = omoide.home / "out"

    omoide("characters", "import", str(SISTERS))
    wrote = omoide("characters", "export", str(out), "--json").json
    written = {file.relative_to(out): file.read_bytes() for file in out.rglob("*") if file.is_file()}

    assert wrote["memories"] == {"朱里": 33, "小春": 33, "志帆": 34}
    assert written == {
        file.relative_to(SISTERS): file.read_bytes() for file in SISTERS.rglob("*") if file.is_file()
    }
    assert "new or empty" in refused(omoide("characters", "export", str(out), status=2))


def test_profiles_go_where_one_can_talk_with_them(
    omoide: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (omoide.home / "mine").mkdir()
    monkeypatch.setenv("OMOIDE_CHARACTERS", str(omoide.home / "mine"))

    taken = omoide("characters", "import", str(SISTERS), "--json").json

    assert taken["profiles"] == ["akari", "koharu", "shiho"]
    assert "志帆" in omoide("characters", "show", "shiho").out


def test_who_was_imported_can_be_talked_with_without_more_settings(omoide: CommandLine) -> None:
    omoide("characters", "import", str(SISTERS))

    listed = {one["id"]: one["sample"] for one in omoide("characters", "list", "--json").json}
    assert listed == {"akari": False, "koharu": False, "shiho": False} | dict.fromkeys(
        ("sena", "tsumugi", "wren"), True
    )
    failed = omoide("discuss", "発表会", "--with", "小春,志帆", status=1).out
    assert "no model is set for discussion" in failed  # and nobody was unknown


def test_characters_lie_beside_the_store_that_is_named(omoide: CommandLine) -> None:
    other = str(omoide.home / "other.db")
    omoide("characters", "import", str(SISTERS), "--store", other)

    assert "小春" in omoide("characters", "list", "--store", other).out
    assert "小春" in omoide("characters", "show", "koharu", "--store", other).out
    assert "小春" not in omoide("characters", "list").out
    nobody = refused(omoide("discuss", "発表会", "--with", "小春,志帆", status=1))
    assert "no character is called '小春'; there are 'sena', 'tsumugi', 'wren'" in nobody
    assert "`omoide characters import FOLDER` brings in others" in nobody


def test_without_their_profiles_an_export_says_what_is_missing(omoide: CommandLine) -> None:
    omoide("characters", "import", str(SISTERS))
    shutil.rmtree(f"{omoide.store}.characters")
    ran = omoide("characters", "export", str(omoide.home / "out"))

    assert "no profile of '志帆' is known" in ran.err
    assert (omoide.home / "out" / "志帆" / "diary.yaml").exists()


@pytest.mark.parametrize("command", ["import", "lint"])
def test_a_folder_without_characters_is_refused(omoide: CommandLine, command: str) -> None:
    (omoide.home / "empty").mkdir()

    line = refused(omoide("characters", command, str(omoide.home / "empty"), status=2))

    assert "no character lies in" in line


def test_what_is_not_there_is_told_in_one_line(omoide: CommandLine) -> None:
    (omoide.home / "notes.txt").touch()

    nowhere = refused(omoide("characters", "import", str(omoide.home / "nowhere"), status=2))
    no_card = omoide("characters", "import", str(omoide.home / "notes.txt"), status=1).err
    one = refused(omoide("characters", "import", str(SISTERS / "shiho"), status=2))

    assert "there is no folder and no card" in nowhere
    assert "'notes.txt' is no card" in no_card
    assert "this is a character's own folder: name the one above it" in one


def test_a_folder_without_a_memory_says_so(omoide: CommandLine) -> None:
    (omoide.home / "lives" / "ada").mkdir(parents=True)
    (omoide.home / "lives" / "ada" / "profile.yaml").write_text("name: Ada\nlanguage: en\n")

    assert "no memory lies in" in omoide("characters", "import", str(omoide.home / "lives")).err
