"""What lint finds in lives that can be read: voice, layers, dates, contradictions (K2 to K6, K12)."""

from __future__ import annotations

from pathlib import Path

import pytest
from lives_files import ADA, TODAY, Folder, profile

from omoide.authoring import lint, read_folder

pytestmark = pytest.mark.proves("K12")

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("2012-08-04", "2012-08-05", 2, "was on '2012-08-04'"),
        ("2012-08-04", "2003-08", 2, "before birth"),
        ("2012-08-04", "2031", 2, "in the future"),
        ("2012-08-04", "2012-08-04\n  age: 12", 2, "age=12.0 is given, but 8 derived"),
        ("place: Saltby", "place: Lisbon", 4, "was in 'Saltby' (events.yaml:1), but here in 'Lisbon'"),
        ("event: the fair", "event: the fare", 5, "no event is called 'the fare'"),
        ("spite: 2", "sprite: 2", 6, "no emotion score called 'sprite'"),
        ("confidence: 9", "layer: heard\n  source: ada", 4, "from themselves"),
        ("scores:", "observations: [{person: Ada, behaviour: counted}]\n  scores:", 6, "somebody else"),
    ],
)
def test_a_memory_that_cannot_be_is_an_error(
    folder: Folder, old: str, new: str, line: int, said: str
) -> None:
    folder.change("ada/diary.yaml", old, new)

    found = [one for one in folder.problems() if said in one.text]

    assert [(one.file, one.line, one.advice) for one in found] == [("ada/diary.yaml", line, False)]


@pytest.mark.parametrize("name", ["Bea", "bumble", "bea"])
def test_nobody_hears_a_thing_from_themselves_by_any_name(folder: Folder, name: str) -> None:
    folder.change("bea/diary.yaml", "confidence: 9", f"layer: heard\n  source: {name}")

    assert any("from themselves" in problem.text for problem in folder.problems())


@pytest.mark.parametrize("me", ["me", "Myself", "I", "私", "自分", "あたし", "나", "저 자신", "我自己"])
def test_a_word_for_oneself_is_no_source(folder: Folder, me: str) -> None:
    folder.change("bea/diary.yaml", "  confidence: 9", f"  layer: heard\n  source: {me}")

    [problem] = folder.problems()

    assert (problem.file, problem.line) == ("bea/diary.yaml", 4)
    assert "from themselves" in problem.text
    assert repr(me) in problem.text


@pytest.mark.parametrize("how", ["layer: heard\n  source: Gran", "layer: inferred\n  basis: her diary"])
def test_nothing_is_heard_or_guessed_of_a_day_to_come(folder: Folder, how: str) -> None:
    folder.change(
        "bea/diary.yaml", "  day: 2012-08-04\n  confidence: 9\n  event: the fair", f"  day: 2031\n  {how}"
    )

    [problem] = folder.problems()

    assert (problem.file, problem.line) == ("bea/diary.yaml", 2)
    assert "'2031' is after '2026-06-10'" in problem.text


def test_one_may_hear_of_a_shared_event_that_is_to_come(folder: Folder) -> None:
    folder.change("events.yaml", "2012-08-04", "2031-08-04")
    folder.write(
        "ada/diary.yaml", "- {id: a, layer: heard, source: Gran, event: the fair, text: I was told.}\n"
    )
    folder.write("bea/diary.yaml", "- {id: b, text: I slept.}\n")

    assert folder.problems() == []


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "said"),
    [
        ("ada/diary.yaml", "I counted", "I " * 200_000, 7, "text has up to 10000 characters, got 4000"),
        (
            "ada/diary.yaml",
            "place: Saltby",
            f"place: {'S' * 600}",
            4,
            "place has up to 512 characters, got 600",
        ),
        (
            "ada/diary.yaml",
            "confidence: 9",
            f"thought: {'S' * 2_600}",
            3,
            "thought has up to 2000 characters",
        ),
        (
            "ada/diary.yaml",
            "confidence: 9",
            f"people: [{', '.join(map(str, range(101)))}]",
            3,
            "people: up to 100",
        ),
        ("events.yaml", "place: Saltby", f"description: {'S' * 400_000}", 3, "description has up to 10000"),
    ],
)
def test_what_is_too_long_is_told_with_its_line(
    folder: Folder, file: str, old: str, new: str, line: int, said: str
) -> None:
    folder.change(file, old, new)

    found = [one for one in folder.problems() if said in one.text]

    assert [(one.file, one.line, one.advice) for one in found] == [(file, line, False)]


def test_everything_that_is_wrong_with_one_memory_is_told_at_once(folder: Folder) -> None:
    folder.write(
        "ada/diary.yaml",
        "- id: a\n  day: 2031\n  layer: heard\n  source: me\n  scores: {sprite: 2}\n"
        f"  text: {'I ' * 9_000}\n",
    )

    assert [problem.line for problem in folder.problems()] == [2, 4, 5, 6]


def test_whoever_was_not_there_has_no_account(folder: Folder) -> None:
    folder.change("events.yaml", "[Ada, Bea]", "[Ada]")

    [problem] = folder.problems()

    assert (problem.file, problem.line) == ("bea/diary.yaml", 4)
    assert "make it heard or inferred" in problem.text


def test_what_was_heard_of_an_event_needs_no_presence(folder: Folder) -> None:
    folder.change("events.yaml", "[Ada, Bea]", "[Ada]")
    folder.change("bea/diary.yaml", "confidence: 9", "layer: heard\n  source: Ada")

    assert folder.problems() == []


def test_two_accounts_of_one_event_are_one_too_many(folder: Folder) -> None:
    folder.write("ada/diary/again.md", "---\nevent: the fair\n---\nI tell it again.\n")

    [problem] = folder.problems()

    assert (problem.file, problem.line) == ("ada/diary/again.md", 2)
    assert "first in ada/diary.yaml:1" in problem.text


def test_sisters_who_differ_on_day_or_place_are_shown_to_each_other(folder: Folder) -> None:
    folder.change("events.yaml", "  day: 2012-08-04\n  place: Saltby\n", "  day: 2012\n")
    folder.change("bea/diary.yaml", "2012-08-04", "2012-08-11\n  place: Lisbon")

    day, place = folder.problems()

    assert "on '2012-08-11', but on '2012-08-04' in ada/diary.yaml:1" in day.text
    assert "in 'Lisbon', but in 'Saltby' in ada/diary.yaml:1" in place.text
    assert [(one.file, one.line) for one in (day, place)] == [("bea/diary.yaml", 2), ("bea/diary.yaml", 3)]


def test_days_as_far_as_they_are_known_do_not_contradict(folder: Folder) -> None:
    folder.change("events.yaml", "2012-08-04", "2012-summer")
    folder.change("bea/diary.yaml", "2012-08-04", "2012-08")

    assert folder.problems() == []


def test_a_participant_who_was_not_born_is_an_error(folder: Folder) -> None:
    folder.write("events.yaml", "- {name: the fair, participants: [Ada, Bea]}\n")
    folder.write("events.yaml", "- name: the fair\n  day: 2005\n  participants:\n    - Ada\n    - Bea\n")

    assert ("events.yaml", 5) in [(one.file, one.line) for one in folder.problems()]


def test_unknown_participants_are_advice(folder: Folder) -> None:
    folder.change("events.yaml", "[Ada, Bea]", "[Ada, Bea, Bae]")

    [problem] = folder.problems()

    assert (problem.text, problem.advice) == ("no character of this folder is called 'Bae'", True)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("ada/diary/the-wheel.md", "---\nday: 2013\n---\nI was there.\n", "the id 'the-wheel' stands in"),
        ("events.yaml", "- &x {name: a, participants: [Ada]}\n", ""),
        ("cleo/profile.yaml", profile("Ada", "2001-01-01"), "is the name of 'ada' too"),
    ],
)
def test_what_stands_there_twice_is_an_error(folder: Folder, file: str, text: str, said: str) -> None:
    folder.write(file, text)

    assert any(said in problem.text and not problem.advice for problem in folder.problems())


def test_a_whole_diary_copied_to_a_second_file_is_told_entry_by_entry(folder: Folder) -> None:
    folder.write("ada/diary/a.md", "---\nid: a\n---\nI sang.\n")
    folder.write("ada/diary/b.md", "---\nid: a\n---\nI sang.\n")
    folder.write("bea/diary/a.md", "---\nid: a\n---\nI sang.\n")  # another's life is another matter

    [problem] = folder.problems()

    assert (problem.file, problem.line) == ("ada/diary/b.md", 2)


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("en", "Ada counted the cabins of the wheel twice.", 1),
        ("en", "I counted. Bea secretly wanted to leave.", 1),
        ("en", "I counted. Bea looked as if she wanted to leave.", 0),
        ("ja", "アダは観覧車を数えていた。とても楽しそうに。", 1),
        ("ja", "私は観覧車を数えていた。", 0),
        ("ja", "Beaは心の中で帰りたいと思っていた。私は数えた。", 1),
        ("ko", "아다는 관람차를 두 번 세고 있었습니다.", 1),
        ("ko", "나는 관람차를 두 번 셌다.", 0),
        ("zh", "我数了两遍摩天轮的车厢。", 0),
    ],
)
def test_voice_is_advice(folder: Folder, language: str, text: str, wrong: int) -> None:
    name = {"ja": "アダ", "ko": "아다"}.get(language, "Ada")
    folder.write(
        "ada/profile.yaml", f"name: {name}\nlanguage: {language}\nbirthday: 2004-02-01\nscores: [spite]\n"
    )
    folder.change("events.yaml", "[Ada,", f"[{name},")
    folder.write("ada/diary.yaml", ADA.replace("I counted the cabins of the wheel twice.", text))

    found = folder.problems()

    assert [(one.line, one.advice) for one in found] == [(7, True)] * wrong


@pytest.mark.parametrize("sample", ["sisters", "brothers-ko", "siblings-en"])
def test_samples_are_without_a_fault(sample: str) -> None:
    assert lint(read_folder(SAMPLES / sample), today=TODAY) == []


@pytest.mark.proves("K5")
def test_nobody_is_seen_at_an_event_that_they_were_not_at(folder: Folder) -> None:
    folder.write("cleo/profile.yaml", profile("Cleo", "2005-01-01"))
    seen = "observations:\n  - {person: Grandpa, behaviour: hummed}\n  - {person: cleo, behaviour: waved}\n"
    folder.change("ada/diary.yaml", "  scores:", f"  {seen}  scores:".replace("\n  -", "\n    -"))

    [problem] = folder.problems()

    assert (problem.file, problem.line, problem.advice) == ("ada/diary.yaml", 8, True)
    assert "'cleo' was not at 'the fair'" in problem.text
    assert "name 'Cleo' among its participants in events.yaml:1, or tell it in a heard memory" in problem.text


@pytest.mark.proves("K6")
@pytest.mark.parametrize("again", ["ada", "Ａｄａ", "ADA"])
def test_a_participant_is_named_once_however_it_is_written(folder: Folder, again: str) -> None:
    folder.change("events.yaml", "[Ada, Bea]", f"[Ada, Bea, {again}]")

    assert ("events.yaml", 4, False) in [(one.file, one.line, one.advice) for one in folder.problems()]
    assert any(f"names {again!r} twice, first as 'Ada'" in one.text for one in folder.problems())


def test_events_that_differ_in_capitals_or_width_alone_are_pointed_at(folder: Folder) -> None:
    names = ["the Fair", "ｔｈｅ ｆａｉｒ"]
    more = "".join(f"- {{name: {name}, day: 2012-08-04, participants: [Ada]}}\n" for name in names)
    folder.write("events.yaml", (folder.path / "events.yaml").read_text(encoding="utf-8") + more)

    found = folder.problems()

    assert [(one.line, one.advice) for one in found] == [(5, True), (6, True)]
    assert all("differs from 'the fair' in events.yaml:1" in one.text for one in found)


@pytest.mark.parametrize("there", ["", "  participants: []\n", "  participants: [{name: Ada}, Bea]\n"])
def test_what_stands_in_for_a_missing_participant_is_nobody(folder: Folder, there: str) -> None:
    folder.change("events.yaml", "  participants: [Ada, Bea]\n", there)

    found = [one.text for one in folder.problems() if one.file == "events.yaml"]

    assert len(found) == 1
    assert "participants" in found[0]
