"""Lives out of files: what cannot be read is told with file and line, everything at once (K12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lives_files import ADA, Folder

from omoide.authoring import read_folder
from omoide.authoring.lined import LONGEST
from omoide.domain.layer import Layer
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.proves("K12")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_folder_without_a_fault_has_no_problems(folder: Folder) -> None:
    assert folder.problems() == []


def test_every_error_of_every_file_is_listed_with_its_line(folder: Folder) -> None:
    folder.write(
        "ada/diary.yaml",
        """\
- id: one
  day: 2011-02-30
  confidence: 3
  text: I was there.
- id: two
  layer: heard
  text: I was told.
- colour: red
  text: I saw it.
""",
    )
    folder.write("bea/diary/late.md", "---\nday: sometime\nimportance: 40\n---\nI came late.\n")
    folder.change("events.yaml", "participants: [Ada, Bea]", "participants: []")

    found = [(problem.file, problem.line) for problem in folder.problems() if not problem.advice]

    assert ("ada/diary.yaml", 2) in found  # no such day
    assert ("ada/diary.yaml", 3) in found  # no confidence of a lived memory
    assert ("ada/diary.yaml", 6) in found  # heard of nobody
    assert found.count(("ada/diary.yaml", 8)) == 2  # no such field; no id
    assert ("bea/diary/late.md", 2) in found
    assert ("bea/diary/late.md", 3) in found
    assert ("events.yaml", 4) in found


@pytest.mark.parametrize(
    ("fields", "line", "said"),
    [
        ("confidence: 7", 3, "direct memory lies between 8 and 10, got 7"),
        ("layer: heard\n  source: Gran\n  confidence: 9", 5, "between 5 and 8, got 9"),
        ("layer: inferred\n  basis: a look\n  confidence: 7", 5, "between 3 and 6, got 7"),
        ("layer: heard", 3, "names who told it"),
        ("layer: heard\n  source: '  '", 3, "names who told it"),
        ("layer: inferred", 3, "names what the guess rests on"),
        ("layer: dreamt", 3, "'dreamt'"),
        ("confidence: .nan", 3, "got nan"),
        ("confidence: yes", 3, "confidence"),
        ("importance: 11", 3, "between 1 and 10, got 11"),
        ("scores: {joy: 12}", 3, "joy=12"),
        ("scores: {joy: much}", 3, "scores.joy"),
        ("scores: [joy]", 3, "scores"),
        ("age: -2", 3, "before birth"),
        ("absolute_day: 1.5", 3, "absolute_day"),
        ("day: 2011-13", 3, "'2011-13'"),
        ("day: [2011]", 3, "day"),
        ("people: Ada", 3, "people: a list is needed, such as [Ada, Bea], got 'Ada'"),
        ("layer:", 3, "layer: choose from direct, heard, inferred, got nothing"),
        ("observations: [ran]", 3, "fields are needed, such as {person: Bea, behaviour: laughed}, got 'ran'"),
        ("age: -2", 3, "before birth, got age=-2.0; make it"),
        ("day: 2011-02-29", 3, "no such day as '2011-02-29'"),
        ("day: 1", 3, "a day is written"),
        ("day: 0001", 3, "a year lies in 2 to 9997"),
        ("day: 44 BC", 3, "got '44 BC'"),
        ("observations: [{person: Bea}]", 3, "observations.0.behaviour is missing"),
        ("observations:\n    - {person: Bea, behaviour: ran, feeling: glad}", 4, "names what it rests on"),
        ("layer: heard\n  source: tale", 2, "its own source"),
        ("id: other", 3, "stands there twice"),
        ("mood: glad", 3, "no field is called 'mood'"),
    ],
)
def test_a_wrong_field_is_told_with_its_line(folder: Folder, fields: str, line: int, said: str) -> None:
    folder.write("ada/diary.yaml", f"# by hand\n- id: tale\n  {fields}\n  text: I was there.\n")

    [problem] = [one for one in folder.problems() if not one.advice]

    assert said in problem.text
    assert (problem.file, problem.line) == ("ada/diary.yaml", line)


@pytest.mark.parametrize(
    ("file", "text", "line", "said"),
    [
        ("ada/diary.yaml", "- id: one\n  text: 'I\n", 3, "no YAML"),
        ("ada/diary.yaml", "- &a {id: one, text: I}\n- *a\n", 2, "references"),
        ("ada/diary.yaml", "id: one\ntext: I\n", 1, "begin each entry with"),
        ("ada/diary.yaml", "- id: one\n  text: I was there.\n- just words\n", 3, "an entry holds fields"),
        ("ada/diary.yaml", b"- id: one\n  text: caf\xe9\n", 2, "UTF-8"),
        ("ada/diary.yaml", b"#" * (LONGEST + 1), 1, "is larger than"),
        ("ada/diary.yaml", "", 1, "nothing stands in this file"),
        ("ada/diary.yaml", "# - id: one\n", 1, "nothing stands in this file"),
        ("events.yaml", "\n", 1, "nothing stands in this file"),
        ("ada/diary/x.md", " \n", 1, "nothing stands in this file"),
        ("ada/diary.yaml", "- id: one\r\n  text: I ran\x07\r\n", 2, "U+0007"),
        ("ada/diary.yaml", "- id: one\n  text: I\x7f\n- id: two\n  text: I\x00\n", 4, "U+0000"),
        ("ada/diary.yaml", '- id: one\n  text: "I ran\\x07"\n', 2, "U+0007"),
        ("ada/diary.yaml", '- id: one\n  text: "I ran \\ud83d"\n', 2, "U+D83D"),
        ("ada/diary.yaml", "- id: one\n  text: I \x9b ran\n", 2, "U+009B stands here"),
        ("ada/diary/x.md", "---\nday: 2011\n---\nI ran\x1b[0m.\n", 4, "U+001B"),
        ("ada/diary/x.md", "I have no fields.\n", 1, "between two lines of ---"),
        ("ada/diary/x.md", "---\nday: 2011\nI never end them.\n", 1, "between two lines of ---"),
        ("ada/diary/x.md", "---\n- day\n---\nI list.\n", 2, "the front matter holds fields"),
        ("ada/diary/x.md", "---\ntext: twice\n---\nI say it twice.\n", 2, "stands below its fields"),
        ("ada/diary/x.md", "---\nday: 2011\n---\n\n", 4, "needs words"),
        ("ada/profile.yaml", "name: Ada\nlanguage: en\nbirthday: 2004-02-31\n", 3, "'2004-02-31'"),
        ("ada/profile.yaml", "name: Ada\nlanguage: en\nhair: red\n", 3, "hair"),
        ("events.yaml", "- name: the fair\n  participants: [Ada, Ada]\n", 2, "names 'Ada' twice"),
        (
            "events.yaml",
            "- name: the fair\n  participants: []\n",
            2,
            "'the fair' has no participants; name one",
        ),
        ("events.yaml", "- name: the fair\n  participants: [Ada, Bea]\n  weight: 11\n", 3, "weight"),
    ],
)
def test_a_broken_file_is_told_with_its_line(
    folder: Folder, file: str, text: str | bytes, line: int, said: str
) -> None:
    folder.write(file, text)

    found = [one for one in folder.problems() if one.file == file and said in one.text]

    assert line in [one.line for one in found]


def test_tags_are_words_and_nothing_is_run(folder: Folder) -> None:
    folder.write("ada/diary.yaml", "- id: one\n  text: !!python/object/apply:os.getcwd [I]\n")
    folder.write("bea/diary.yaml", "- id: one\n  text: !!python/name:os.getcwd I was there.\n")

    assert [problem.file for problem in folder.problems()] == ["ada/diary.yaml"]


def test_words_that_yaml_takes_for_something_else_stay_words(folder: Folder) -> None:
    folder.write(
        "ada/diary.yaml",
        "- {id: 12, day: 2011-05-03, place: NO, emotion: yes, people: [on, 1e3], text: I was there.}\n",
    )

    diary = read_folder(folder.path).lives[0].diaries[0].value

    assert (diary.id, str(diary.day), diary.place, diary.emotion) == ("12", "2011-05-03", "NO", "yes")
    assert diary.people == ("1e3", "on")


def test_markdown_and_lists_stand_side_by_side(folder: Folder) -> None:
    folder.write(
        "ada/diary/2013 snow.md", "---\nlayer: inferred\nbasis: a look\n---\n\nI guess.\n\n---\nStill me.\n"
    )

    diaries = [placed.value for placed in read_folder(folder.path).lives[0].diaries]

    assert [diary.id for diary in diaries] == ["the-wheel", "2013 snow"]
    assert diaries[1].text == "I guess.\n\n---\nStill me."
    assert (diaries[1].past.layer, diaries[1].past.confidence) == (Layer.INFERRED, 4.5)


def test_other_files_beside_markdown_are_told_of(folder: Folder) -> None:
    folder.write("ada/diary/notes.txt", "I forgot the ending.")
    folder.write("ada/diary/.hidden", "")

    [problem] = folder.problems()

    assert (problem.file, problem.advice) == ("ada/diary/notes.txt", True)


def test_a_folder_without_a_profile_is_told_of(folder: Folder) -> None:
    folder.write("cleo/diary.yaml", ADA)

    assert [problem.file for problem in folder.problems()] == ["cleo/profile.yaml"]


@pytest.mark.parametrize("name", ["nowhere", "ada/diary.yaml", "empty"])
def test_what_holds_no_characters_is_refused(folder: Folder, name: str) -> None:
    (folder.path / "empty").mkdir()

    with pytest.raises(InvalidInput, match=name):
        read_folder(folder.path / name)


def test_all_that_is_wrong_with_an_entry_is_told_at_once(folder: Folder) -> None:
    folder.write(
        "ada/diary.yaml",
        """\
- id: one
  colour: red
  layer: heard
  age: 5
  importance: 40
  scores: {joy: 12, spite: -1}
  place: " "
  event: the wedding
  text: Ada walked.
- id: one
  day: never
  text: I stood by. Bea was furious.
- id: three
  layer: dreamt
  text: I stood by. Bea was furious.
""",
    )
    folder.write(
        "events.yaml",
        """\
- name: the fair
  weight: 12
  participants: []
- name: the fair
  weight: heavy
  participants: [Ada, Bea]
""",
    )

    found = {(one.file, one.line, one.text) for one in folder.problems()}

    def told(file: str, line: int, words: str) -> bool:
        return any((file, line) == one[:2] and words in one[2] for one in found)

    for line, words in [
        (2, "no field is called 'colour'"),
        (3, "names who told it"),
        (3, "only a lived memory has an age"),
        (5, "between 1 and 10, got 40"),
        (6, "joy=12"),
        (6, "spite=-1"),
        (7, "something to read in it"),
        (8, "no event is called 'the wedding'"),
        (9, "not told in the first person"),
        (10, "the id 'one' stands in ada/diary.yaml:1 too"),
        (11, "'never'"),
        (12, "tells another's mind"),
        (14, "choose from direct, heard, inferred"),
        (15, "the same text stands in ada/diary.yaml:10"),
    ]:
        assert told("ada/diary.yaml", line, words), (line, words)
    for line, words in [
        (2, "got 12"),
        (3, "has no participants"),
        (4, "the event 'the fair' stands in events.yaml:1 too"),
        (5, "a number is needed"),
    ]:
        assert told("events.yaml", line, words), (line, words)
    assert not any("no event is called 'the fair'" in text for _, _, text in found)
