"""In the factory everybody counts whom store or folder know, be they there or not (K9, K10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from discussing import TOPIC, Parts, diary, factory, marks, once, write_characters

from omoide.domain.diary import Diary
from omoide.domain.event import Event
from omoide.domain.layer import Layer
from omoide.domain.model import Past, Status
from omoide.factory import Outcome

if TYPE_CHECKING:
    from pathlib import Path

TWO = ("yuzuki", "akane")
ENGLISH = {
    "marla": ("Marla", "en", "The elder one."),
    "tolly": ("Tolly", "en", "The younger one."),
    "wren": ("Wren", "en", "The cousin."),
}
KOREAN = {
    "sua": ("수아", "ko", "큰언니."),
    "hana": ("하나", "ko", "동생."),
    "sena": ("세나", "ko", "사촌."),
}


@pytest.mark.proves("K5", "K10")
@pytest.mark.parametrize(
    ("sisters", "told"),
    [
        (None, {"text": "今日は話した。私は黙っていた。翡翠は私を憎んでいる。"}),
        (None, {"thought": "翡翠は私を憎んでいる。"}),
        (None, {"text": "私は黙っていた。", "thought": "Wren hates me with all her heart."}),
        (None, {"text": "私は黙っていた。", "thought": "세나는 나를 미워한다."}),
        (ENGLISH, {"text": "I said nothing.", "thought": "翡翠は私を憎んでいる。"}),
        (KOREAN, {"text": "나는 말이 없었다.", "thought": "Wren has always hated me."}),
        (None, {"text": "私は話した。みどりは私を憎んでいる。"}),
        (None, {"text": "私は話した。すみれさんは私を恨んでいる。"}),
        (ENGLISH, {"text": "I talked. Wren was ashamed of me."}),
        (KOREAN, {"text": "나는 이야기했다. 세나는 외로웠다."}),
        (None, {"observations": [{"person": "茜", "behaviour": "心の中で私を憎んでいた"}]}),
        (ENGLISH, {"observations": [{"person": "Tolly", "behaviour": "felt ashamed and secretly hated me"}]}),
        (KOREAN, {"observations": [{"person": "하나", "behaviour": "속으로 나를 미워했다"}]}),
    ],
)
async def test_nobody_who_is_away_has_a_mind_that_is_known(
    tmp_path: Path, sisters: Any, told: dict[str, Any]
) -> None:
    folder = tmp_path / "c"
    if sisters is None:
        write_characters(folder, hisui="nickname: みどり\n")
    else:
        write_characters(folder, sisters=sisters)
    parts = Parts(writes=diary(**{"text": "I was there. 私は黙っていた。", **told}), judges=marks(10))
    first, second = list(sisters or TWO)[:2]
    async with factory(tmp_path, parts, characters=folder) as (_, made):
        job = await made.discuss(TOPIC, characters=[first, second])

        account = job.discussion.account(first)
        assert account.outcome is Outcome.REJECTED
        assert any(reason.startswith("other_minds") for reason in account.versions[-1].refused or ())


@pytest.mark.proves("K10")
@pytest.mark.parametrize("known_by", ["past", "talk", "event"])
async def test_whom_the_store_alone_knows_counts_too(tmp_path: Path, known_by: str) -> None:
    parts = Parts(writes=diary("私は話した。美玲は寂しかった。"), judges=marks(10))
    async with factory(tmp_path, parts) as (omoide, made):
        if known_by == "past":
            lived = Past(layer=Layer.DIRECT, confidence=9)
            await omoide.scope(character="美玲").write([Diary(text="私は海を見た。", past=lived)])
        elif known_by == "talk":
            await omoide.scope(user="Mina", character="美玲").remember("海の話をした。")
        else:
            await omoide.add_events([Event(name="夏祭り", participants=("美玲",))])
        job = await made.discuss(TOPIC, characters=TWO)

        assert job.discussion.account("yuzuki").outcome is Outcome.REJECTED


@pytest.mark.proves("K9")
@pytest.mark.parametrize(
    "said",
    [
        "柚月: 海だね。\n翡翠: わたしもです。",
        "海だね。翡翠ちゃん：わたしもです。",
        "**柚月**: 海だね。\n\n**みどり**: わたしもです。",
        "海だね。\n茜: うん。",
        "海だね。\n翡翠「わたしもです。」\n翡翠(小声で): もう帰ろう。",
        "海だね。\n翡翠(小声で): もう帰ろう。",
        "海だね。\n翡翠ねえ（笑って）「もう帰ろう。」",
        "海だね。\n[翡翠] もう帰ろう。",
    ],
)
async def test_nobody_speaks_for_another_be_they_there_or_not(tmp_path: Path, said: str) -> None:
    folder = write_characters(tmp_path / "c", hisui="nickname: みどり\n")
    parts = Parts(speaks=once(said, "そうだね。"))
    async with factory(tmp_path, parts, characters=folder) as (_, made):
        job = await made.discuss(TOPIC, characters=TWO)

        assert job.discussion.spoken[0].text == "海だね。"


@pytest.mark.proves("K9")
@pytest.mark.parametrize(
    ("sisters", "said", "kept"),
    [
        (ENGLISH, "The sea.\nWren (softly): Let us go.", "The sea."),
        (ENGLISH, "The sea.\n[Wren] Let us go.", "The sea."),
        (ENGLISH, "The sea.\nAunt Wren: Let us go.", "The sea."),
        (ENGLISH, "The sea.\nWren “Let us go.”", "The sea."),
        (ENGLISH, 'The sea.\nWren "Let us go."', "The sea."),
        (
            ENGLISH,
            "The sea.\nWren (the younger one) was there.",
            "The sea. Wren (the younger one) was there.",
        ),
        (KOREAN, "바다야.\n세나 누나: 이제 가자.", "바다야."),
        (KOREAN, "바다야.\n세나(작게): 이제 가자.", "바다야."),
        (None, "海だね。\n翡翠「もう帰ろう」って言ってた。", "海だね。 翡翠「もう帰ろう」って言ってた。"),
        (None, "私は言う。\n翡翠「茜ねえなんか大嫌い。」\n翡翠(小声で): もう帰ろう。", "私は言う。"),
        (None, "柚月(笑って): 海だね。", "海だね。"),
        (None, "柚月「海だね。」", "「海だね。」"),
    ],
)
async def test_the_script_of_a_play_is_cut_where_another_speaks(
    tmp_path: Path, sisters: Any, said: str, kept: str
) -> None:
    folder = tmp_path / "c"
    write_characters(folder, hisui="") if sisters is None else write_characters(folder, sisters=sisters)
    async with factory(tmp_path, Parts(speaks=once(said, "…。")), characters=folder) as (_, made):
        job = await made.discuss(TOPIC, characters=list(sisters or TWO)[:2])

        assert job.discussion.spoken[0].text == kept


@pytest.mark.proves("K9")
async def test_ones_own_label_is_no_word_wherever_it_stands(tmp_path: Path) -> None:
    parts = Parts(speaks=once("海だね。\n柚月: 翡翠も来ればよかった。", "そうだね。"))
    async with factory(tmp_path, parts) as (_, made):
        job = await made.discuss(TOPIC, characters=TWO)

        assert job.discussion.spoken[0].text == "海だね。 翡翠も来ればよかった。"


@pytest.mark.proves("K10", "K12")
async def test_the_words_of_another_memory_are_no_new_one(tmp_path: Path) -> None:
    async with factory(tmp_path, Parts()) as (omoide, made):
        await made.discuss(TOPIC, characters=TWO)
        again = await made.discuss("もう一度、海", characters=TWO)

        account = again.discussion.account("yuzuki")
        assert account.outcome is Outcome.REJECTED
        assert "the words of another memory" in (account.versions[0].reasons or ("",))[0]
        held = await omoide.scope(character="柚月").memories(statuses=[Status.CONFIRMED])
        assert len(held) == 1


@pytest.mark.proves("K10")
async def test_scores_come_as_files_have_them_too(tmp_path: Path) -> None:
    async with factory(tmp_path, Parts(writes=diary(scores={"joy": 3}))) as (omoide, made):
        job = await made.discuss(TOPIC, characters=TWO)

        assert job.discussion.account("yuzuki").outcome is Outcome.CONFIRMED
        (memory,) = await omoide.scope(character="柚月").memories()
        assert memory.scores["joy"] == 3


@pytest.mark.proves("K10")
async def test_an_answer_that_cannot_be_read_is_told_with_its_field(tmp_path: Path) -> None:
    shown: list[str] = []

    def writes(turns: Any) -> Any:
        shown.append(turns[1].text)
        assert '"observations": [{"person": "…"' in turns[0].text
        return diary() if "<reasons>" in turns[1].text else diary(importance="ひみつ", scores="joy")

    async with factory(tmp_path, Parts(writes=writes)) as (_, made):
        job = await made.discuss(TOPIC, characters=TWO)

        account = job.discussion.account("yuzuki")
        (reason,) = account.versions[0].reasons or ()
        assert account.outcome is Outcome.CONFIRMED
        assert "scores: Input should be" in reason
        assert "importance: Input should be" in reason
        assert "ひみつ" not in reason
        assert "scores: Input should be" in shown[1]
