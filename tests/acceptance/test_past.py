"""Characters with a past: diaries, layers, shared events, and how all that is told in a prompt."""

from __future__ import annotations

from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pytest
from opening import opened

from omoide import Kind, Layer, Past, Status
from omoide.domain.diary import Diary, Unwritten
from omoide.domain.event import Event
from omoide.domain.observation import Observation
from omoide.domain.partial_date import PartialDate
from omoide.errors import InvalidInput, NotFound, UnknownMemory
from omoide.prompts.phrases import PHRASES
from omoide.retain.transfer import load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide import Memory, Omoide
    from omoide.domain.text import Language

SORA = Unwritten(birthday=date(2005, 5, 1), scores=("defiance",))
RIN = Unwritten(birthday=date(2003, 1, 20))
LIVES = {"Sora": SORA, "Rin": RIN}
FLOOD = Event(
    name="The flood",
    participants=("Sora", "Rin"),
    day=PartialDate.parse("2011-08-14"),
    place="Mill Lane",
    category="disaster",
    weight=9,
    description="The river came into the house at night.",
)


def lived(text: str, **more: Any) -> Diary:
    return Diary(**{"text": text, "past": Past(layer=Layer.DIRECT, confidence=9), **more})


def heard(text: str, source: str = "Rin", **more: Any) -> Diary:
    past = Past(layer=Layer.HEARD, confidence=7, source=source, heard_when=more.pop("heard_when", None))
    return Diary(text=text, past=past, **more)


def guessed(text: str, basis: str, **more: Any) -> Diary:
    return Diary(text=text, past=Past(layer=Layer.INFERRED, confidence=4, basis=basis), **more)


def saw(person: str, behaviour: str, feeling: str, basis: str) -> tuple[Observation, ...]:
    return (Observation(person=person, behaviour=behaviour, feeling=feeling, basis=basis),)


async def one(omoide: Omoide, diary: Diary, *, character: str = "Sora", **more: Any) -> Memory:
    scope = omoide.scope(character=character)
    (made,) = await scope.write([diary], **{"profile": LIVES[character], **more})
    return await scope.show(made)


@pytest.mark.proves("K2")
async def test_a_diary_is_kept_with_all_that_it_tells(tmp_path: Path) -> None:
    written = lived(
        "나는 다락방에서 물이 차오르는 소리를 들었다.",
        id="flood-sora",
        day=PartialDate.parse("2011-08-14"),
        emotion="두려움",
        action="언니 손을 꼭 잡았다",
        thought="아침이 오면 다 괜찮을 거야",
        scores={"anxiety": 8.5, "defiance": 2.0},
        importance=9.0,
        place="다락방",
        people=("Rin", "할머니"),
        observations=saw("Rin", "창문을 잠갔다", "무서움", "손이 떨렸다"),
    )
    async with opened(tmp_path) as omoide:
        memory = await one(omoide, written)
    assert (memory.kind, memory.status, memory.text) == (Kind.DIARY, Status.CONFIRMED, written.text)
    for name in ("emotion", "action", "thought", "observations"):
        assert getattr(memory, name) == getattr(written, name)
    assert memory.scores == {"joy": 5, "sadness": 0, "anxiety": 8.5, "frustration": 0, "defiance": 2}
    assert memory.past is not None
    assert (memory.past.age, memory.past.absolute_day) == (6, 2296)
    assert (memory.place, str(memory.day)) == ("다락방", "2011-08-14")
    assert sorted(memory.involved) == ["Rin", "할머니"]
    assert Diary.of(memory) == written


@pytest.mark.proves("K2", "K8")
@pytest.mark.parametrize("day", ["2011", "2011-summer", "2011-08", "2011-08-14"])
async def test_a_partial_day_stays_as_exact_as_it_was(tmp_path: Path, day: str) -> None:
    written = lived("I hid behind the piano.", day=PartialDate.parse(day))
    async with opened(tmp_path) as omoide:
        memory = await one(omoide, written)
        assert Diary.of(memory) == written
        assert str(memory.day) == day
        assert memory.importance >= 1
        assert {"age", "absolute_day", "importance", "scores"} <= set(memory.derived)


@pytest.mark.proves("K3")
@pytest.mark.parametrize(
    "wrong",
    [
        lived("I was there.", day=PartialDate.parse("2004")),
        lived("I was there.", day=PartialDate.parse("2026-06-11")),
        lived(
            "I was there.", past=Past(layer=Layer.DIRECT, confidence=9, age=3), day=PartialDate.parse("2011")
        ),
        lived("I was there.", scores={"courage": 5}),
        lived("I was there.", event="The fire"),
        lived("I was there.", event="The flood", day=PartialDate.parse("2012")),
        heard("I told myself.", source="sora"),
    ],
)
async def test_a_past_that_cannot_be_is_refused_whole(tmp_path: Path, wrong: Diary) -> None:
    async with opened(tmp_path) as omoide:
        await omoide.add_events([FLOOD], profiles=LIVES)
        sora = omoide.scope(character="Sora")
        with pytest.raises(InvalidInput):
            await sora.write([lived("A good one."), wrong], profile=SORA)
        assert await sora.memories() == []


@pytest.mark.proves("K3")
async def test_what_was_before_birth_is_heard_and_has_no_age(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        memory = await one(omoide, heard("The mill burned down.", day=PartialDate.parse("1911")))
    assert memory.past is not None
    assert (memory.past.age, memory.past.absolute_day, str(memory.day)) == (None, None, "1911")


async def test_a_past_belongs_to_a_character_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        with pytest.raises(InvalidInput, match="alone"):
            await omoide.scope(user="minjun", character="Sora").write([lived("Mine.")])


async def test_writing_an_id_again_changes_the_memory_and_nothing_else_does(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        sora = omoide.scope(character="Sora")
        await omoide.add_events([FLOOD])
        diary = lived("I hid behind the piano.", id="d1", event="The flood")
        first = await sora.write([diary, lived("I ate pears.", id="d2")], profile=SORA)
        assert await sora.write([diary], profile=SORA) == first[:1]
        other = lived("I hid under the piano.", id="d1", event="The flood")
        changed = await sora.write([other], profile=SORA)
        assert changed != first[:1]
        assert sorted(memory.text for memory in await sora.memories()) == ["I ate pears.", other.text]
        (side, _) = (await omoide.event("The flood")).sides
        assert side.account is not None
        assert side.account.id == changed[0]
        corrected = await sora.correct(changed[0], "I stood under the piano.")
        (side, _) = (await omoide.event("The flood")).sides
        assert side.account is not None
        assert (side.account.id, side.account.external_id) == (corrected, "d1")
        with pytest.raises(InvalidInput, match="two diary memories"):
            await sora.write([lived("One.", id="d3"), lived("Another.", id="d3")])


async def three_sides(omoide: Omoide) -> None:
    await omoide.add_events([FLOOD], profiles=LIVES)
    await omoide.scope(character="Sora").write(
        [lived("I held on to the stair.", event="The flood", emotion="afraid")], profile=SORA
    )
    await omoide.scope(character="Rin").write(
        [lived("I carried the cat upstairs.", event="The flood")], profile=RIN
    )
    await omoide.scope(character="Ume").write(
        [
            heard("The river came into their house.", source="Rin", event="The flood"),
            guessed("Sora cannot sleep when it rains.", basis="she keeps the lamp lit", event="The flood"),
        ]
    )


@pytest.mark.proves("K6")
async def test_an_event_shows_every_side_to_its_author(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await three_sides(omoide)
        assert await omoide.events() == [FLOOD]
        found = await omoide.event("The flood")
        assert found.event == FLOOD
        told = {
            side.character: (
                side.present,
                side.age,
                side.absolute_day,
                side.account and side.account.text,
                sorted(memory.text for memory in side.told),
            )
            for side in found.sides
        }
        assert told == {
            "Sora": (True, 6.0, 2296, "I held on to the stair.", []),
            "Rin": (True, 8.0, 3128, "I carried the cat upstairs.", []),
            "Ume": (
                False,
                None,
                None,
                None,
                ["Sora cannot sleep when it rains.", "The river came into their house."],
            ),
        }
        with pytest.raises(NotFound, match="The fire"):
            await omoide.event("The fire")


@pytest.mark.proves("K6")
async def test_whoever_was_not_there_lived_nothing_and_nobody_lived_it_twice(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await three_sides(omoide)
        with pytest.raises(InvalidInput, match="was not at the event"):
            await omoide.scope(character="Ume").write([lived("I saw it.", event="The flood")])
        sora = omoide.scope(character="Sora")
        with pytest.raises(InvalidInput, match="second account"):
            await sora.write([lived("I saw it again.", event="The flood")], profile=SORA)
        (first,) = await sora.memories()
        await sora.forget(first.id)
        await sora.write([lived("I saw it from the roof.", event="The flood")], profile=SORA)
        with pytest.raises(InvalidInput, match="second account"):
            await sora.restore(first.id)
        with pytest.raises(InvalidInput, match="'Sora' has told"):
            await omoide.add_events([Event(name="The flood", participants=("Rin",))])


@pytest.mark.proves("K6")
async def test_the_event_gives_its_day_and_place_to_an_account(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await omoide.add_events([FLOOD])
        memory = await one(omoide, lived("I held on to the stair.", event="The flood"))
        assert (str(memory.day), memory.place) == ("2011-08-14", "Mill Lane")
        assert (Diary.of(memory).day, Diary.of(memory).place) == (None, None)
        with pytest.raises(InvalidInput, match="'Rin' was born"):
            await omoide.add_events([FLOOD], profiles={"Rin": Unwritten(birthday=date(2012, 1, 1))})


async def test_what_is_forgotten_or_erased_leaves_the_event_and_who_was_there(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await three_sides(omoide)
        sora = omoide.scope(character="Sora")
        (memory,) = await sora.memories()
        await sora.forget(memory.id)
        sides = (await omoide.event("The flood")).sides
        assert [side.account for side in sides if side.character == "Sora"] == [None]
        await sora.purge(now=True)
        await omoide.scope(character="Rin").reset()
        found = await omoide.event("The flood")
        assert [(side.character, side.present, side.account) for side in found.sides[:2]] == [
            ("Sora", True, None),
            ("Rin", True, None),
        ]


PASTS: dict[Language, list[Diary]] = {
    "ko": [
        lived("우리 집 우물에 두레박을 빠뜨렸다.", emotion="부끄러움"),
        heard("우물은 할아버지가 팠다고 한다.", source="고모", heard_when="작년 설날"),
        guessed("언니는 우물을 무서워하는 것 같다.", basis="가까이 가지 않는 것"),
        lived(
            "우물가에서 언니와 다퉜다.",
            observations=saw("나리", "등을 돌렸다", "서운함", "목소리가 낮아졌다"),
        ),
    ],
    "ja": [
        lived("うちの井戸につるべを落とした。", emotion="恥ずかしさ"),
        heard("井戸は祖父が掘ったそうだ。", source="おば", heard_when="去年の正月"),
        guessed("姉は井戸が怖いのだと思う。", basis="近くに行かないこと"),
        lived(
            "井戸のそばで姉とけんかした。",
            observations=saw("ナツ", "背を向けた", "寂しさ", "声が小さくなった"),
        ),
    ],
    "zh": [
        lived("我把水桶掉进了家里的水井。", emotion="难为情"),
        heard("水井是爷爷挖的。", source="姑姑", heard_when="去年春节"),
        guessed("姐姐好像害怕水井。", basis="她从不走近"),
        lived("我和姐姐在水井边吵了一架。", observations=saw("小夏", "转过身去", "委屈", "声音变小了")),
    ],
    "en": [
        lived("I dropped the bucket into our well.", emotion="ashamed"),
        heard("Our well was dug by grandfather.", source="Aunt May", heard_when="last spring"),
        guessed("My sister is scared of our well.", basis="she never goes near it"),
        lived(
            "My sister and I argued by our well.",
            observations=saw("Nell", "turned away", "hurt", "her voice sank"),
        ),
    ],
}


@pytest.mark.proves("K4", "K5")
@pytest.mark.parametrize("language", ["ko", "ja", "zh", "en"])
async def test_lived_heard_guessed_and_observed_are_told_apart(tmp_path: Path, language: Language) -> None:
    diaries, phrases = PASTS[language], PHRASES[language]
    async with opened(tmp_path, embedder="none") as omoide:
        sora = omoide.scope(character="Sora")
        await sora.write(diaries)
        lines = {}
        for diary in diaries:
            found = await sora.recall(diary.text, budget=2_000)
            lines[diary.text] = next((line for line in found.block.splitlines() if diary.text in line), "")
            assert phrases.layers in found.standing
    plain, told, guess, seen = (lines[diary.text] for diary in diaries)
    assert plain.endswith(phrases.felt.format(what=diaries[0].emotion))
    assert phrases.heard.format(who=diaries[1].past.source) in told
    assert phrases.heard_when.format(when=diaries[1].past.heard_when) in told
    assert phrases.inferred.format(basis=diaries[2].past.basis) in guess
    (observed,) = diaries[3].observations
    assert phrases.observed.format(who=observed.person, what=observed.behaviour) in seen
    assert phrases.guessed.format(what=observed.feeling, basis=observed.basis) in seen
    for line in (plain, seen):
        assert phrases.heard.split("{who}")[-1] not in line


@pytest.mark.proves("K4")
async def test_the_prompt_tells_a_day_as_exactly_as_it_is_known_and_the_age(tmp_path: Path) -> None:
    days = {"2011": "2011", "2011-summer": "summer 2011", "2011-08": "2011-08", "2011-08-14": "2011-08-14"}
    flown = [
        lived(f"The kite number {place} flew.", day=PartialDate.parse(day)) for place, day in enumerate(days)
    ]
    async with opened(tmp_path, embedder="none") as omoide:
        sora = omoide.scope(character="Sora")
        await sora.write(flown, profile=SORA)
        block = (await sora.recall("do you remember the kite that flew?")).block
    for place, told in enumerate(days.values()):
        (line,) = [line for line in block.splitlines() if f"number {place}" in line]
        assert f"[{told}, " in line
        assert "aged 6]" in line


@pytest.mark.proves("K1", "K6")
async def test_in_a_chat_a_character_gets_only_its_own_side(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await three_sides(omoide)
        sora = omoide.scope(character="Sora")
        (rins,) = await omoide.scope(character="Rin").memories()
        found = await sora.recall("what happened in the flood, with the river, the stair and the cat?")
        assert [recalled.memory.text for recalled in found.memories] == ["I held on to the stair."]
        assert "cat" not in found.prompt
        assert FLOOD.description not in found.prompt
        for reach in (sora.show, sora.pin, sora.forget, sora.restore):
            with pytest.raises(UnknownMemory):
                await reach(rins.id)
        assert "the cat" not in "\n".join(await sora.export())


@pytest.mark.proves("K12")
async def test_a_past_is_exported_and_read_again_just_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    async with opened(tmp_path / "a") as omoide:
        await three_sides(omoide)
        sora = omoide.scope(character="Sora")
        mill = heard("The mill burned.", day=PartialDate.parse("1911-winter"))
        await sora.write([*PASTS["ko"], mill], profile=SORA)
        lines, before = await sora.export(), await sora.memories()
        sides = await omoide.event("The flood")
    async with opened(tmp_path / "b") as other:
        again = other.scope(character="Sora")
        await again.restore_export(load(lines))
        after = await again.memories()
        assert await other.events() == [FLOOD]
        assert (await other.event("The flood")).sides[0].absolute_day == sides.sides[0].absolute_day
        assert sorted(_told(before)) == sorted(_told(after))
        await again.restore_export(load(lines))
        assert len(await again.memories()) == len(after)


def _told(memories: Sequence[Memory]) -> list[str]:
    fields = attrgetter(
        "past", "scores", "day", "observations", "event", "importance", "derived", "emotion", "place"
    )
    return [repr((Diary.of(memory).text, *fields(memory))) for memory in memories]


@pytest.mark.proves("K2")
async def test_no_word_of_a_past_lies_open_in_the_file(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await omoide.add_events([FLOOD], profiles=LIVES)
        await one(
            omoide,
            lived(
                "The quince tree fell.",
                event="The flood",
                emotion="bewildered",
                thought="who will pick it now",
                people=("Philippa",),
                observations=saw("Rin", "whistled", "dread", "off-key"),
            ),
        )
    stored = _stored(tmp_path)
    for word in ("quince", "bewildered", "who will pick", "Philippa", "whistled", "dread", "off-key"):
        assert word.encode() not in stored
    for word in ("The flood", "Mill Lane", "disaster", "river came", "Sora", "Rin"):
        assert word.encode() not in stored


def _stored(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir() if file.name.startswith("haru.db"))


async def test_candidates_wait_outside_recall(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await omoide.add_events([FLOOD])
        sora = omoide.scope(character="Sora")
        diary = lived("The heron stood in our kitchen.", event="The flood", id="h1")
        await sora.write([diary], profile=SORA, status=Status.CANDIDATE)
        assert not (await sora.recall("the heron in the kitchen?")).memories
        assert (await omoide.event("The flood")).sides[0].account is None
        with pytest.raises(InvalidInput, match="second account"):
            await sora.write([lived("Another.", event="The flood")], profile=SORA)
        await sora.write([diary], profile=SORA)
        assert (await sora.recall("the heron in the kitchen?")).in_block == 1


@pytest.mark.proves("K4")
async def test_a_chat_that_reaches_the_past_says_how_to_speak_of_it(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder="none") as omoide:
        chat = omoide.scope(user="minjun", character="Sora")
        await chat.observe(user="I love pears.", reply="So do I.")
        rule = PHRASES["en"].layers
        assert rule not in (await chat.recall("what about the well?")).standing
        await omoide.scope(character="Sora").write(PASTS["en"])
        found = await chat.recall("who dug our well?")
        assert rule in found.standing
        assert "heard from Aunt May" in found.block


@pytest.mark.proves("K3")
@pytest.mark.parametrize("together", [True, False])
async def test_guesses_that_rest_on_each_other_are_refused(together: bool, tmp_path: Path) -> None:
    first = guessed("I think the key is lost.", "Locked", id="key")
    second = guessed("I think the door is locked.", "steps", id="locked")
    third = guessed("I think somebody left.", "key", id="steps")
    async with opened(tmp_path) as omoide:
        sora = omoide.scope(character="Sora")
        if together:
            with pytest.raises(InvalidInput, match="'key' rests on 'locked', 'steps', and that on it again"):
                await sora.write([first, second, third])
        else:
            await sora.write([second])
            await sora.write([third])
            with pytest.raises(InvalidInput, match="and that on it again"):
                await sora.write([guessed("I think the key is lost.", "locked", id="key")])
            await sora.write([guessed("I think the key is lost.", "the empty hook", id="key")])


@pytest.mark.proves("K4")
@pytest.mark.parametrize(
    ("language", "known", "own"),
    [
        ("ja", "感じたこと: 好奇心", "感じたこと: もやもや"),
        ("ko", "느낀 것: 호기심", "느낀 것: もやもや"),
        ("zh", "感受：好奇", "感受：もやもや"),
        ("en", "felt: curious", "felt: もやもや"),
    ],
)
def test_a_known_emotion_is_told_in_the_language_of_the_prompt(
    language: Language, known: str, own: str
) -> None:
    phrases = PHRASES[language]
    told = [phrases.felt.format(what=phrases.emotions.get(word, word)) for word in ("curious", "もやもや")]
    assert told == [known, own]


async def test_a_recall_tells_known_emotions_in_its_own_language(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        seen = saw("Rin", "窓を閉めた", "nervous", "手が震えた")
        await one(omoide, lived("私は屋根裏で水の音を聞いた。", emotion="Curious", observations=seen))
        prompt = (await omoide.scope(character="Sora").recall("屋根裏の水の音を覚えてる？")).prompt
    assert "感じたこと: 好奇心" in prompt
    assert "緊張" in prompt
    assert "nervous" not in prompt


@pytest.mark.proves("K4")
@pytest.mark.parametrize(
    ("text", "basis", "message", "told"),
    [
        ("할아버지는 등대에 남고 싶었을 것 같다.", "그는 아직 네 시에 깬다", "할아버지와 등대 기억나?",
         "(틀릴 수 있는 짐작, 까닭: 그는 아직 네 시에 깬다)"),
        ("おじいちゃんは灯台に残りたかったのかも。", "まだ四時に起きる", "おじいちゃんと灯台のこと",
         "(間違いかもしれない推測、理由: まだ四時に起きる)"),
        ("爷爷大概想留在灯塔。", "他还是四点就醒", "还记得爷爷和灯塔吗？",
         "(猜测，可能不对，理由：他还是四点就醒)"),
        ("Perhaps he wanted to stay at the lighthouse.", "he still wakes at four", "the lighthouse?",
         "(a guess, may be wrong, from: he still wakes at four)"),
    ],
)  # fmt: skip
async def test_a_guess_gives_its_reason_as_it_is_written(
    tmp_path: Path, text: str, basis: str, message: str, told: str
) -> None:
    async with opened(tmp_path) as omoide:
        await one(omoide, guessed(text, basis))
        block = (await omoide.scope(character="Sora").recall(message)).block
    assert f"{text} {told}" in block


@pytest.mark.proves("K5")
async def test_what_was_only_told_is_not_shown_as_seen(tmp_path: Path) -> None:
    seen = (
        Observation(person="Rin", behaviour="could not stop laughing"),
        Observation(person="Mika", behaviour="was sick", feeling="ashamed", basis="she hid her face"),
    )
    async with opened(tmp_path) as omoide:
        await one(
            omoide, heard("Rin told me of the big wheel.", source="Rin, at breakfast", observations=seen)
        )
        block = (await omoide.scope(character="Sora").recall("the big wheel?")).block
    assert "seen of Rin: could not stop laughing" in block
    assert "told of Mika: was sick; perhaps ashamed: a guess, from she hid her face" in block
