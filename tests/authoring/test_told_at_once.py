"""Everything that is wrong with an entry is told at one look, hearsay and minds as advice (K5, K6, K12)."""

from __future__ import annotations

import pytest
from lives_files import Folder, profile

from omoide.authoring import errors

pytestmark = pytest.mark.proves("K12")


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return Folder(tmp_path_factory.mktemp("lives"))


def told(folder: Folder, file: str) -> str:
    return "\n".join(problem.text for problem in folder.problems() if problem.file == file)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ("{envy: 3, joy: 11, frustration: -1}", ("called 'envy'", "joy=11.0", "frustration=-1.0")),
        ("{envy: 3, sadness: x}", ("called 'envy'", "scores.sadness: a number is needed, got 'x'")),
    ],
)
def test_every_score_that_cannot_be_is_told(folder: Folder, scores: str, said: tuple[str, ...]) -> None:
    folder.change("ada/diary.yaml", "{frustration: 8, spite: 2}", scores)

    found = told(folder, "ada/diary.yaml")

    assert [one for one in said if one not in found] == []


def test_beside_a_wrong_field_all_the_others_are_told(folder: Folder) -> None:
    folder.write(
        "ada/diary.yaml",
        "- id: a\n  day: 2031\n  layer: direct\n  importance: 11\n  event: the fare\n  scores: {envy: 2}\n"
        "  observations:\n  - {person: Ada, behaviour: ran}\n  - {person: Bea, behaviour: felt ashamed}\n"
        "  - {person: Bea}\n  people: [Bea, {x: y}]\n  text: Ada hated me.\n",
    )

    found = told(folder, "ada/diary.yaml")

    for said in (
        "in the future",
        "importance",
        "no event is called 'the fare'",
        "called 'envy'",
        "an observation is of somebody else",
        "nothing that is seen of 'Bea'",
        "observations.2.behaviour is missing",
        "people.1: a text is needed",
    ):
        assert said in found, said


def test_all_that_is_wrong_with_an_event_is_told(folder: Folder) -> None:
    folder.write(
        "events.yaml",
        "- {name: the fair, day: 2012-08-04, place: Saltby, participants: [Ada, Bea]}\n"
        "- {name: the fair, weight: 11, participants: [Ada, ada, Ｂｅａ, Zed]}\n",
    )

    found = told(folder, "events.yaml")

    for said in ("weight of an event", "stands in events.yaml:1 too", "names 'ada' twice", "called 'Zed'"):
        assert said in found, said


def test_a_wrong_profile_hides_neither_its_birthday_nor_its_name(folder: Folder) -> None:
    folder.write("cleo/profile.yaml", "name: Ada\nlanguage: xx\nbirthday: 2099-02-01\n")

    found = told(folder, "cleo/profile.yaml")

    for said in ("language (line 2)", "'2099-02-01' is after", "is the name of 'ada' too"):
        assert said in found, said


@pytest.mark.parametrize("birthday", ["2004-13-45", "2003-02-29", "9" * 5_000])
def test_a_birthday_that_never_was_hides_nothing_else_of_a_profile(folder: Folder, birthday: str) -> None:
    folder.write("cleo/profile.yaml", f"name: Ada\nlanguage: xx\nbirthday: {birthday}\nshoes: red\n")

    found = told(folder, "cleo/profile.yaml")

    for said in (
        "language (line 2)",
        f"2004-02-29, got '{birthday[:60]}'",
        "shoes (line 4)",
        "is the name of",
    ):
        assert said in found, said


def test_who_has_a_wrong_profile_is_known_at_events(folder: Folder) -> None:
    folder.write("bea/profile.yaml", "name: Bea\nlanguage: xx\n")

    assert told(folder, "events.yaml") == ""


@pytest.mark.proves("K6")
@pytest.mark.parametrize("how", ["layer: heard\n  source: Ada", "layer: inferred\n  basis: a photograph"])
def test_one_who_was_told_of_an_event_may_have_it_wrong_and_hears_so(folder: Folder, how: str) -> None:
    folder.write("bob/profile.yaml", profile("Bob", "1990-01-01"))
    folder.write(
        "bob/diary.yaml",
        f"- id: b\n  day: 1999-01-01\n  place: Mars\n  {how}\n  event: the fair\n  text: I was told of it.\n",
    )

    found = [one for one in folder.problems() if one.file == "bob/diary.yaml"]

    assert [(one.line, one.advice) for one in found] == [(2, True), (3, True)]
    assert "'2012-08-04' (events.yaml:1), and is told of as on '1999-01-01'" in found[0].text
    assert "'Saltby' (events.yaml:1), and is told of as in 'Mars'" in found[1].text


@pytest.mark.proves("K5")
@pytest.mark.parametrize(
    ("language", "added", "said"),
    [
        ("en", "thought: Ada hated me.", "tells another's mind"),
        (
            "en",
            "observations: [{person: Ada, behaviour: felt ashamed and secretly hated me}]",
            "nothing that",
        ),
        ("ja", "observations: [{person: Ada, behaviour: 心の中で私を憎んでいた}]", "nothing that is seen"),
        ("ko", "observations: [{person: Ada, behaviour: 속으로 나를 미워했다}]", "nothing that is seen"),
    ],
)
def test_a_mind_that_is_known_is_found_in_every_field(
    folder: Folder, language: str, added: str, said: str
) -> None:
    folder.change("bea/profile.yaml", "language: en", f"language: {language}")
    folder.change("bea/diary.yaml", "  confidence: 9", f"  confidence: 9\n  {added}")

    found = [one for one in folder.problems() if said in one.text]

    assert [(one.file, one.line, one.advice) for one in found] == [("bea/diary.yaml", 4, True)]


@pytest.mark.parametrize("field", ["source: Gran", "basis: her diary"])
def test_what_was_lived_through_needs_neither_source_nor_basis(folder: Folder, field: str) -> None:
    folder.change("bea/diary.yaml", "  confidence: 9", f"  confidence: 9\n  {field}")

    [problem] = folder.problems()

    assert (problem.line, problem.advice) == (4, True)
    assert "what was lived through needs no" in problem.text


def test_the_same_words_under_another_id_are_advice(folder: Folder) -> None:
    folder.write("ada/diary/copy.md", "---\nid: copy\n---\nI counted the cabins of the wheel twice.\n")

    [problem] = folder.problems()

    assert problem.advice
    assert "the same text stands in ada/diary.yaml:1" in problem.text
    assert errors(folder.problems()) == []
