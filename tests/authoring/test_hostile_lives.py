"""Folders of lives that were made to do harm, or strangely written: told by file and line (K12)."""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING

import pytest
from lives_files import Folder, opened, profile

from omoide.authoring import carry_in, pasts, read_folder

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.proves("K12")


ROUND = """\
- {id: a, layer: inferred, basis: B, text: I guess}
- {id: b, layer: heard, source: c, text: I was told}
- {id: c, layer: inferred, basis: a, text: I guess more}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "lives").mkdir()
    return Folder(tmp_path / "lives")


def told(folder: Folder) -> list[tuple[str, int, str]]:
    return [(one.file, one.line, one.text) for one in folder.problems() if not one.advice]


@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ("ada/diary.yaml", "file"),
        ("ada/profile.yaml", "file"),
        ("ada/prompt.jinja", "file"),
        ("ada/diary/x.md", "file"),
        ("events.yaml", "file"),
        ("ada/diary", "folder"),
        ("cleo", "folder"),
    ],
)
def test_what_leads_out_of_the_folder_is_never_read(folder: Folder, link: str, kind: str) -> None:
    outside = folder.path.parent / "outside"
    outside.mkdir()
    (outside / "profile.yaml").write_text(profile("Cleo", "2001-01-01"))
    (outside / "secret").write_text("- {id: secret, text: I know the secret.}\n")
    place = folder.path / link
    place.unlink(missing_ok=True)
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(outside / "secret" if kind == "file" else outside)

    found = [one for one in told(folder) if one[0] == link]

    assert [(line, "leads out of the folder" in text) for _, line, text in found] == [(1, True)]
    assert "secret" not in str(read_folder(folder.path).lives)


def test_links_within_the_folder_are_read(folder: Folder) -> None:
    (folder.path / "ada" / "diary.yaml").rename(folder.path / "ada" / "mine.yaml")
    (folder.path / "ada" / "diary.yaml").symlink_to("mine.yaml")

    assert told(folder) == []


def test_links_that_lead_round_in_circles_are_told_of(folder: Folder) -> None:
    (folder.path / "ada" / "diary.yaml").unlink()
    (folder.path / "ada" / "diary.yaml").symlink_to("diary.yaml")
    (folder.path / "cleo").symlink_to("cleo")

    assert [file for file, _, _ in told(folder)] == ["ada/diary.yaml", "cleo/profile.yaml"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: &a [x, x]\nb: &b [*a, *a, *a]\n", 2, "references"),
        ("- {id: a, text: I ran}\n- {id: b, <<: {text: I ran}}\n", 2, "no field is called '<<'"),
        (f"- {'[' * 5_000}{']' * 5_000}\n", 1, "more than 16 levels"),
        (f"- {{id: a, importance: {'9' * 5_000}, text: I ran}}\n", 1, "importance lies between 1 and 10"),
        ("- id: a\n\ttext: I ran\n", 2, "no YAML"),
        ("- {id: a, text: I ran}\n---\n- {id: b, text: I fell}\n", 2, "another document"),
        ("- {id: a, text: I ran}\n- !!python/object/apply:os.getcwd []\n", 2, "holds fields"),
        ("- {id: a, text: I ran, scores: {joy: 1, joy: 2}}\n", 1, "'joy' stands there twice"),
        ("- {id: a, day: 2009-02-29, text: I was five.}\n", 1, "no such day as '2009-02-29'"),
        ("- {id: a, layer: inferred, basis: b, text: I guess}\n- {id: b, text: I}\n", 0, ""),
        (ROUND, 3, "this rests on 'a', 'b', and that on this again"),
    ],
)
def test_tricks_of_a_file_are_told_with_their_line(folder: Folder, text: str, line: int, said: str) -> None:
    folder.write("ada/diary.yaml", text)

    found = [(number, one) for file, number, one in told(folder) if file == "ada/diary.yaml"]

    assert (line in [number for number, one in found if said in one]) is bool(line)
    assert bool(found) is bool(line)


@pytest.mark.parametrize(
    ("birthday", "said"),
    [("2003-02-29", "'2003-02-29'"), ("2004", "a birthday is a day such as 2004-02-29, got '2004'")],
)
def test_a_birthday_that_is_none_is_told_with_its_line(folder: Folder, birthday: str, said: str) -> None:
    folder.write("ada/profile.yaml", profile("Ada", birthday))

    assert [(line, said in text) for file, line, text in told(folder) if file == "ada/profile.yaml"] == [
        (3, True)
    ]


def test_whoever_is_born_on_29_february_is_a_year_older_on_the_1st_of_march(folder: Folder) -> None:
    folder.write("ada/profile.yaml", profile("Ada", "2004-02-29"))
    folder.write(
        "ada/diary.yaml",
        "- {id: a, day: 2008-02-29, age: 4, text: I was four.}\n"
        "- {id: b, day: 2009-02-28, age: 4, text: I was four still.}\n"
        "- {id: c, day: 2009-03-01, age: 5, text: I was five.}\n",
    )

    assert told(folder) == []


async def test_any_script_and_form_comes_in_once_and_out_again(folder: Folder) -> None:
    name = unicodedata.normalize("NFD", "가람")
    folder.write("ada/profile.yaml", f"name: {name}\nlanguage: ko\n")
    folder.write("events.yaml", f"- {{name: {name}, participants: [' {name} ', Bea]}}\n")
    folder.write(
        "ada/diary.yaml",
        f"- {{id: {name}, event: {name}, place: 🏖️, people: ['שרה', 👩‍👩‍👧‍👧],\n"
        f"   text: 나는 {name}에서 مرحبا 를 들었다.}}\n",
    )
    folder.write("bea/diary.yaml", b"\xef\xbb\xbf- id: CON\r\n  text: |\r\n    I ran.\r\n    I fell.\r\n")
    assert told(folder) == []

    async with opened(folder.path.parent) as engine:
        await carry_in(engine, read_folder(folder.path))
        again = await carry_in(engine, read_folder(folder.path))
        held = (await pasts(engine)).diaries

    assert [(one.new, one.changed) for one in again] == [(0, 0), (0, 0)]
    assert held["가람"][0].people == ("שרה", "👩‍👩‍👧‍👧")
    assert held["Bea"][0].text == "I ran.\nI fell."


@pytest.mark.skipif(os.name != "posix", reason="no such file here")
def test_a_file_without_an_end_is_not_read_to_it(folder: Folder) -> None:
    (folder.path / "ada" / "diary.yaml").unlink()
    (folder.path / "ada" / "diary.yaml").symlink_to("/dev/zero")

    assert [(file, line) for file, line, _ in told(folder)] == [("ada/diary.yaml", 1)]
