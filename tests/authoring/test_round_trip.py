"""Out of files, into a store, and back: exactly the same, and a second time nothing (K12)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lives_files import TODAY, Folder, opened

from omoide.authoring import (
    Carried,
    carry_in,
    errors,
    lint,
    pasts,
    read_folder,
    take_over,
    write_folder,
)
from omoide.authoring.forms import diary_of
from omoide.authoring.lined import read_list, read_markdown
from omoide.authoring.writing import diary_markdown, diary_yaml, file_names
from omoide.characters import Characters
from omoide.domain.diary import Diary
from omoide.domain.layer import Layer
from omoide.domain.model import Kind, Origin, Past
from omoide.domain.observation import Observation
from omoide.domain.partial_date import PartialDate
from omoide.domain.text import clean, is_blank
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from omoide import Omoide


pytestmark = pytest.mark.proves("K12")

SAMPLES = Path(__file__).parents[2] / "samples"


def files(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


async def carried(engine: Omoide, folder: Path, **how: Any) -> dict[str, Carried]:
    return {one.character: one for one in await carry_in(engine, read_folder(folder), **how)}


async def export(engine: Omoide, to: Path, known: Path | None, *, markdown: bool = False) -> Path:
    write_folder(to, await pasts(engine), Characters(known, samples=False), markdown=markdown)
    return to


@pytest.mark.parametrize(
    ("sample", "markdown"), [("sisters", False), ("brothers-ko", True), ("siblings-en", False)]
)
async def test_a_sample_comes_out_as_it_went_in(sample: str, markdown: bool, tmp_path: Path) -> None:
    async with opened(tmp_path) as engine:
        await carried(engine, SAMPLES / sample)
        out = await export(engine, tmp_path / "out", SAMPLES / sample, markdown=markdown)

    assert files(out) == files(SAMPLES / sample)


async def test_the_other_form_tells_the_same_lives(tmp_path: Path) -> None:
    async with opened(tmp_path) as engine:
        await carried(engine, SAMPLES / "sisters")
        out = await export(engine, tmp_path / "out", SAMPLES / "sisters", markdown=True)

        before, after = read_folder(SAMPLES / "sisters"), read_folder(out)
        again = await carried(engine, out)

    assert [len(life.diaries) for life in after.lives] == [len(life.diaries) for life in before.lives]
    assert {placed.value.id: placed.value for life in after.lives for placed in life.diaries} == {
        placed.value.id: placed.value for life in before.lives for placed in life.diaries
    }
    assert all((one.new, one.changed) == (0, 0) for one in again.values())


@pytest.mark.parametrize("markdown", [False, True])
async def test_two_memories_of_the_same_words_go_round(tmp_path: Path, markdown: bool) -> None:
    lived = Past(layer=Layer.DIRECT, confidence=9)
    async with opened(tmp_path / "a") as engine:
        await engine.scope(character="Ada").write(
            [Diary(id=name, text="I counted the cabins.", past=lived) for name in ("a", "b")]
        )
        out = await export(engine, tmp_path / "out", None, markdown=markdown)
    assert errors(lint(read_folder(out), today=TODAY)) == []
    async with opened(tmp_path / "b") as engine:
        assert (await carried(engine, out))["Ada"].new == 2
        again = await export(engine, tmp_path / "again", None, markdown=markdown)

    assert files(again) == files(out)


async def test_a_second_import_changes_nothing(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives").path
    async with opened(tmp_path) as engine:
        first = await carried(engine, folder)
        before = await engine.scope(character="Ada").memories()
        second = await carried(engine, folder)

        assert await engine.scope(character="Ada").memories() == before
    assert (first["Ada"].new, second["Ada"].new, second["Ada"].same) == (1, 0, 1)


async def test_an_edit_takes_the_place_of_the_memory_with_that_id(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    async with opened(tmp_path) as engine:
        await carried(engine, folder.path)
        folder.change("ada/diary.yaml", "twice", "three times")
        again = await carried(engine, folder.path)
        [memory] = await engine.scope(character="Ada").memories()

    assert (again["Ada"].new, again["Ada"].changed) == (0, 1)
    assert memory.text == "I counted the cabins of the wheel three times."


async def test_a_removed_entry_is_told_of_and_goes_only_when_asked(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    async with opened(tmp_path) as engine:
        ada = engine.scope(character="Ada")
        await carried(engine, folder.path)
        folder.write("ada/diary.yaml", "- id: later\n  day: 2015\n  text: I came back.\n")
        told = await carried(engine, folder.path)
        kept = await ada.memories()
        pruned = await carried(engine, folder.path, prune=True)

        assert [memory.external_id for memory in await ada.memories()] == ["later"]
    assert (told["Ada"].missing, told["Ada"].pruned, len(kept)) == (("the-wheel",), False, 2)
    assert (pruned["Ada"].missing, pruned["Ada"].pruned) == (("the-wheel",), True)


async def test_whoever_was_not_there_after_all_is_left_out_of_the_event(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    async with opened(tmp_path) as engine:
        await carried(engine, folder.path)
        folder.change("events.yaml", "[Ada, Bea]", "[Ada]")
        folder.change("bea/diary.yaml", "confidence: 9", "layer: heard\n  source: Ada")
        again = await carried(engine, folder.path)
        sides = {side.character: side for side in (await engine.event("the fair")).sides}

    assert again["Bea"].changed == 1
    assert (sides["Bea"].present, sides["Bea"].account, len(sides["Bea"].told)) == (False, None, 1)


async def test_what_a_character_made_itself_is_exported_and_never_pruned(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    made = Diary(text="I made this up by myself.", past=Past(layer=Layer.DIRECT, confidence=9))
    async with opened(tmp_path) as engine:
        await carried(engine, folder.path)
        ada = engine.scope(character="Ada")
        [memory] = await ada.write([made], origin=Origin.FACTORY)
        pruned = await carried(engine, folder.path, prune=True)
        out = await export(engine, tmp_path / "out", folder.path)
        again = await carried(engine, out)

        assert memory in [one.id for one in await ada.memories(kinds=[Kind.DIARY])]
    assert (pruned["Ada"].missing, again["Ada"].new, again["Ada"].same) == ((), 0, 2)


async def test_without_a_known_profile_its_name_language_and_scores_are_written(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives").path
    async with opened(tmp_path) as engine:
        await carried(engine, folder)
        out = await export(engine, tmp_path / "out", None)

    assert (out / "Ada" / "profile.yaml").read_text(
        encoding="utf-8"
    ) == "name: Ada\nlanguage: en\nscores: [spite]\n"
    assert not read_folder(out).problems


async def test_an_export_overwrites_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as engine:
        told = await pasts(engine)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("keep me", encoding="utf-8")

    for there in (tmp_path / "out", tmp_path / "key"):
        with pytest.raises(InvalidInput, match="new or empty"):
            write_folder(there, told, Characters(None))


def test_profiles_and_prompts_are_taken_over_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    folder.write("ada/prompt.jinja", "You are {{ name }}.\n")
    lives, home = read_folder(folder.path), tmp_path / "characters"

    assert take_over(lives, home) == ["ada", "bea"]
    assert take_over(lives, home) == []
    assert Characters(home, samples=False).find("Ada").id == "ada"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0o500)

    with pytest.raises(InvalidInput, match="cannot be written"):
        take_over(read_folder(Folder(tmp_path / "lives").path), tmp_path / "shut" / "home")


WORDS = st.text(max_size=60).map(clean).filter(lambda text: not is_blank(text))
NAMES = st.one_of(
    st.sampled_from(["2011", "no", "~", "2011-05-03", "- a", "#b", "null", "a: b", "1e3"]), WORDS
)
SOME = st.none() | NAMES
DAYS = st.builds(
    PartialDate,
    year=st.integers(1900, 2020),
    month=st.none() | st.integers(1, 12),
) | st.builds(
    PartialDate, year=st.integers(1, 9).map(lambda year: 1000 * year + 11), season=st.just("winter")
)
SCORES = st.dictionaries(st.sampled_from(["joy", "anxiety", "no", "2"]), st.floats(0, 10), max_size=3)
PASTS = st.one_of(
    st.builds(
        Past, layer=st.just(Layer.DIRECT), confidence=st.floats(8, 10), age=st.none() | st.floats(0, 99)
    ),
    st.builds(
        Past,
        layer=st.just(Layer.HEARD),
        confidence=st.floats(5, 8),
        source=WORDS,
        heard_when=st.none() | WORDS,
    ),
    st.builds(Past, layer=st.just(Layer.INFERRED), confidence=st.floats(3, 6), basis=WORDS),
)
SEEN = st.builds(Observation, person=NAMES, behaviour=WORDS, confidence=st.floats(3, 6)) | st.builds(
    Observation, person=NAMES, behaviour=WORDS, feeling=WORDS, basis=WORDS
)


def diaries() -> st.SearchStrategy[Diary]:
    return st.builds(
        Diary,
        id=st.uuids().map(lambda number: f"id {number}"),
        text=WORDS.map(lambda text: text.strip("\n")).filter(lambda text: not is_blank(text)),
        past=PASTS,
        day=st.none() | DAYS,
        emotion=SOME,
        action=SOME,
        thought=SOME,
        scores=SCORES,
        importance=st.none() | st.floats(1, 10),
        place=SOME,
        people=st.lists(NAMES, max_size=3).map(tuple),
        event=SOME,
        observations=st.lists(SEEN, max_size=2).map(tuple),
    )


@given(st.lists(diaries(), max_size=3))
def test_any_diary_is_read_as_it_was_written(told: list[Diary]) -> None:
    read = read_list(diary_yaml(told).encode(), file="diary.yaml")

    assert not read.problems
    assert [diary_of(entry) for entry in read.entries] == told


@given(diaries())
def test_any_diary_is_read_from_markdown_as_it_was_written(told: Diary) -> None:
    read = read_markdown(diary_markdown(told).encode(), file="a.md")

    assert not read.problems
    assert [diary_of(entry) for entry in read.entries] == [told]


@given(st.lists(NAMES, unique=True, max_size=8))
def test_files_of_a_diary_have_names_of_their_own_on_every_system(ids: list[str]) -> None:
    names = file_names([Diary(id=one, text="I", past=Past(layer=Layer.DIRECT, confidence=9)) for one in ids])

    assert len({name.casefold() for name in names}) == len(ids)
    assert all(name == Path(name).name and not set(name) & set('\\/:*?"<>|\n\t') for name in names)


EVENTS = """
- {name: the fair, day: 2012-05-05, participants: [Ada]}
- {name: the storm, day: 2013-06-06, participants: [Ada]}
"""


def life(folder: Path, diary: str, *, events: str = EVENTS) -> Path:
    (folder / "ada").mkdir(parents=True, exist_ok=True)
    (folder / "ada" / "profile.yaml").write_text("name: Ada\nlanguage: en\nbirthday: 2004-01-01\n")
    (folder / "ada" / "diary.yaml").write_text(diary)
    (folder / "events.yaml").write_text(events)
    return folder


@pytest.mark.parametrize("prune", [False, True])
async def test_an_account_may_get_another_id_and_two_may_change_places(tmp_path: Path, prune: bool) -> None:
    folder = tmp_path / "lives"
    async with opened(tmp_path) as engine:
        for diary in (
            "- {id: a, event: the fair, text: I won a bear}\n- {id: b, event: the storm, text: I hid}\n",
            "- {id: new, event: the fair, text: I won a bear}\n- {id: b, event: the storm, text: I hid}\n",
            "- {id: new, event: the storm, text: I hid}\n- {id: b, event: the fair, text: I won a bear}\n",
        ):
            await carried(engine, life(folder, diary), prune=prune)
            told = {one.event: one.text for one in (await pasts(engine)).diaries["Ada"]}
            assert told == {"the fair": "I won a bear", "the storm": "I hid"}


@pytest.mark.parametrize(
    ("event", "given"), [("2036-08-04", ""), ("2012-05-05", ", age: 3"), ("2012-05-05", ", absolute_day: 5")]
)
def test_an_account_is_checked_against_the_day_of_its_event(tmp_path: Path, event: str, given: str) -> None:
    diary = f"- {{id: a, event: the fair, text: I won a bear{given}}}\n"
    events = f"- {{name: the fair, day: {event}, participants: [Ada]}}\n"
    found = errors(lint(read_folder(life(tmp_path, diary, events=events)), today=TODAY))
    assert len(found) == 1
    assert found[0].file.endswith("diary.yaml")


async def test_an_export_without_profiles_names_the_scores_that_it_holds(tmp_path: Path) -> None:
    folder = life(tmp_path / "lives", "- {id: a, day: 2012-05-05, text: I won, scores: {longing: 7}}\n")
    profile = folder / "ada" / "profile.yaml"
    profile.write_text(profile.read_text() + "scores: [longing]\n")
    (folder / "events.yaml").unlink()
    async with opened(tmp_path) as engine:
        await carried(engine, folder)
        out = await export(engine, tmp_path / "out", None)
    assert not errors(lint(read_folder(out), today=TODAY))


async def test_a_pruned_memory_whose_id_came_back_is_not_restored_beside_it(tmp_path: Path) -> None:
    folder, both = tmp_path / "lives", "- {id: a, text: I won a bear}\n- {id: c, text: I slept}\n"
    async with opened(tmp_path) as engine:
        await carried(engine, life(folder, both))
        scope = engine.scope(character="Ada")
        (old,) = [one for one in await scope.memories() if one.external_id == "a"]
        await carried(engine, life(folder, "- {id: c, text: I slept}\n"), prune=True)
        await carried(engine, life(folder, both))
        with pytest.raises(InvalidInput, match="called 'a' by now"):
            await scope.restore(old.id)
        assert [one.same for one in (await carried(engine, folder)).values()] == [2]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_among_the_files_is_told_of_and_never_waited_for(tmp_path: Path) -> None:
    folder = life(tmp_path, "- {id: a, text: I won a bear}\n")
    (folder / "ada" / "diary.yaml").unlink()
    (folder / "ada" / "diary").mkdir()
    os.mkfifo(folder / "ada" / "diary" / "x.md")
    assert [one.text for one in read_folder(folder).problems] == ["this is no ordinary file"]


LINE_ENDS = """\
- id: quoted
  emotion: "sad\\u2028and glad"
  text: "I counted.\\u2028I waited.\\r\\nI left.\\u2029"
- id: as-it-is
  text: |
    I counted.\u2028    I waited.\r
    I went.
"""


@pytest.mark.parametrize("markdown", [False, True])
async def test_line_ends_are_of_one_kind_from_reading_on(tmp_path: Path, markdown: bool) -> None:
    folder = Folder(tmp_path / "in")
    folder.write("bea/diary.yaml", LINE_ENDS)
    folder.change("events.yaml", "participants: [Ada, Bea]", "participants: [Ada]")
    assert folder.problems() == []
    (bea,) = (life for life in read_folder(folder.path).lives if life.profile.name == "Bea")
    told = {placed.value.id: placed.value for placed in bea.diaries}
    assert told["quoted"].text == "I counted.\nI waited.\nI left."
    assert told["as-it-is"].text == "I counted.\nI waited.\nI went."
    assert told["quoted"].emotion == "sad\nand glad"

    async with opened(tmp_path) as engine:
        await carried(engine, folder.path)
        out = await export(engine, tmp_path / "out", folder.path, markdown=markdown)
        (again,) = (life for life in read_folder(out).lives if life.profile.name == "Bea")
        assert {placed.value.id: placed.value for placed in again.diaries} == told
        assert (await carried(engine, out))["Bea"].same == 2
