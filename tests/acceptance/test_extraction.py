"""From talk to memory with a scripted model: what one window gives, and what it never leaves behind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from extracting import EXTRACTED, answer, extractor, fact, heard, read, row_of, texts, window_of
from opening import opened

from omoide import Kind
from omoide.domain.model import Category, Mode
from omoide.errors import ModelRefused, ModelUnavailable, Superseded
from omoide.retain.transfer import load
from omoide.testing import FixedClock, ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path


def _bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("haru.db*"))


TALKS = [
    (
        "ko",
        ["나 왼손잡이라 가위질이 힘들어", "고수는 진짜 못 먹겠어"],
        ["왼손잡이구나!", "향이 세지"],
        [("왼손잡이다", 1, "나 왼손잡이라"), ("고수를 못 먹는다", 3, "고수는 진짜 못 먹겠어")],
        "하늘이 왼손잡이라 가위질이 힘들다고 했다.",
    ),
    (
        "ja",
        ["実は左利きなんだよね", "パクチーだけは食べられない"],
        ["そうなんだ！", "香りが強いもんね"],
        [("左利きである", 1, "左利きなんだ"), ("パクチーが食べられない", 3, "パクチーだけは食べられない")],
        "ハヌルは左利きだと話した。",
    ),
    (
        "en",
        ["I'm left-handed, scissors are a pain", "I really can't stand coriander"],
        ["Oh, I see!", "It is strong"],
        [("is left-handed", 1, "I'm left-handed"), ("can't stand coriander", 3, "can't stand coriander")],
        "Haneul said being left-handed makes scissors a pain.",
    ),
]


@pytest.mark.proves("P5")
@pytest.mark.proves("H11")
@pytest.mark.parametrize(("language", "said", "replies", "facts", "summary"), TALKS)
async def test_one_window_gives_facts_a_summary_and_details_with_their_evidence(
    tmp_path: Path, language: str, said: list[str], replies: list[str], facts: list[Any], summary: str
) -> None:
    async with heard(tmp_path) as (omoide, scope):
        for mine, theirs in zip(said, replies, strict=True):
            await scope.observe(mine, theirs, session="s")
        found = await read(
            omoide,
            answer(
                summary=summary,
                importance=7,
                facts=[fact(text, m, words, category="personal") for text, m, words in facts],
                details=[{"kind": "quote", "who": "haneul", "text": said[0], "context": "", "m": 1}],
                involved=["haneul", "dalbi"],
            ),
        )
        kept = await scope.memories(kinds=[Kind.FACT])
        (whole,) = await scope.memories(kinds=[Kind.SUMMARY])

    assert found.kept == {"fact": 2, "summary": 1}, (language, found.dropped)
    assert found.usage.calls == 1
    assert sorted(texts(kept)) == sorted(text for text, _, _ in facts)
    assert {memory.confidence for memory in kept} == {8.0}
    assert {memory.category for memory in kept} == {Category.PERSONAL}
    assert {memory.subject for memory in kept} == {"haneul"}
    assert all(quote.quote in said[0] or quote.quote in said[1] for one in kept for quote in one.evidence)
    assert whole.importance == 7.0
    assert [(detail.who, detail.text) for detail in whole.details] == [("haneul", said[0])]
    assert set(whole.involved) == {"haneul", "dalbi"}


@pytest.mark.proves("P2")
async def test_a_window_with_nothing_worth_keeping_is_skipped_and_not_read_again(tmp_path: Path) -> None:
    async with heard(tmp_path) as talk:
        found = await talk.told("ㅋㅋㅋ", "ㅎㅎ")
        with talk.omoide.store.read(row_of(talk.omoide)) as unit:
            (report,) = unit.windows.reports()
            left, _ = unit.windows.uncovered()

    assert found.kept == {}
    assert (report.state.value, report.prompt_version) == ("skipped", found.prompt_version)
    assert left == []


@pytest.mark.parametrize(
    "trouble",
    [
        ModelUnavailable("out of reach"),
        "죄송하지만 이 대화는 요약해 드릴 수 없습니다.",
        {"summary": "I'm sorry, I can't help with that."},
        "{}",
        "",
    ],
)
@pytest.mark.proves("H14")
@pytest.mark.proves("F09")
async def test_a_failed_window_writes_nothing_and_waits(tmp_path: Path, trouble: Any) -> None:
    async with heard(tmp_path, "우리 이제 헤어지자", "…알겠어") as (omoide, scope):
        with pytest.raises((ModelUnavailable, ModelRefused, Exception)) as raised:
            await read(omoide, trouble)
        kept = await scope.memories(kinds=EXTRACTED)
        with omoide.store.read(row_of(omoide)) as unit:
            (report,) = unit.windows.reports()

    assert type(raised.value).__name__ in ("ModelUnavailable", "ModelRefused", "UnreadableAnswer")
    assert kept == []
    assert report.state.value == "open"


@pytest.mark.proves("H14")
async def test_fences_chatter_and_thinking_around_the_answer_are_no_obstacle(tmp_path: Path) -> None:
    wrapped = (
        "<think>user has [two] cats {maybe}</think>Sure! ```json\n"
        '{"summary": "", "facts": [{"text": "고양이 두 마리를 키운다", "about": "haneul", "mode": "asserted",'
        ' "evidence": [{"m": "m1", "words": "고양이 두 마리"}]}, {"text": 7}]}\n``` Hope it helps'
    )
    async with heard(tmp_path, "우리 집에 고양이 두 마리 있어", "귀엽겠다") as (omoide, _):
        found = await read(omoide, wrapped)

    assert found.kept == {"fact": 1}
    assert found.dropped == {"unreadable": 1}


@pytest.mark.proves("P7")
@pytest.mark.proves("P8")
async def test_extracted_memories_are_sealed_numbered_and_found_by_their_drawn_terms(tmp_path: Path) -> None:
    async with heard(tmp_path, terms_only=True, embedder="none") as talk:
        await talk.told(
            "나 당뇨 진단 받았어",
            "많이 놀랐겠다",
            summary="haneul이 당뇨 진단을 받았다고 했다.",
            importance=8,
            terms=["건강", "haneul"],
        )
        (kept,) = await talk.scope.memories(kinds=[Kind.SUMMARY])
        by_term = await talk.scope.recall("건강 얘기 기억나?")
        by_word = await talk.scope.recall("당뇨 얘기 기억나?")
    stored = _bytes_of(tmp_path)
    assert [one.memory.id for one in by_term.memories] == [kept.id]
    assert by_word.memories == ()
    for secret in ("당뇨", "건강"):
        assert secret.encode() not in stored


@pytest.mark.proves("P23")
async def test_the_quotes_of_a_summary_stay_word_for_word_in_the_log(tmp_path: Path) -> None:
    said = "있잖아…  나 사실 무대 공포증 있어 😅"
    async with heard(tmp_path) as talk:
        await talk.told(
            said,
            "말해줘서 고마워",
            summary="haneul이 무대 공포증이 있다고 털어놓았다.",
            details=[
                {"kind": "quote", "who": "haneul", "text": "나 사실 무대공포증 있어", "m": 1},
                {"kind": "quote", "who": "haneul", "text": "무대가 제일 좋아", "m": 1},
                {"kind": "action", "who": "haneul", "text": "무대 공포증을 털어놓았다", "m": 1},
            ],
        )
        (kept,) = await talk.scope.memories(kinds=[Kind.SUMMARY])

    assert [(one.kind, one.text) for one in kept.details] == [
        ("quote", "나 사실 무대 공포증 있어"),
        ("action", "무대 공포증을 털어놓았다"),
    ]


async def test_whoever_lost_the_window_writes_nothing(tmp_path: Path) -> None:
    async with heard(tmp_path, "나 왼손잡이야", "오") as (omoide, scope):
        row = row_of(omoide)
        window = window_of(omoide, row)
        with omoide.store.write(row) as unit:
            newer = unit.windows.again()
        given = answer(facts=[fact("왼손잡이다", 1, "나 왼손잡이야")])
        with pytest.raises(Superseded):
            await extractor(omoide).extract(row, window, ScriptedModel(answers=[given]))
        assert newer is not None
        await extractor(omoide).extract(row, newer, ScriptedModel(answers=[given]))
        kept = await scope.memories(kinds=[Kind.FACT])

    assert len(kept) == 1
    assert kept[0].mode is Mode.ASSERTED


@pytest.mark.proves("H8")
@pytest.mark.proves("H11")
async def test_where_a_model_scores_turns_facts_come_from_weighty_ones_only(tmp_path: Path) -> None:
    given = answer(
        facts=[
            fact("비 오는 날을 좋아한다", 1, "비 오는 날 좋더라"),
            fact("개를 무서워한다", 3, "개가 무서워"),
        ]
    )
    sayings = iter([given, {"score": "0.3"}, {"score": 0.9}])
    async with heard(tmp_path, "비 오는 날 좋더라", "그래?") as (omoide, scope):
        await scope.observe("나는 어릴 때부터 개가 무서워", "그랬구나", session="s")
        row = row_of(omoide)
        model = ScriptedModel(answers=lambda _turns: next(sayings))
        found = await extractor(omoide, scored=True).extract(row, window_of(omoide, row), model)
        episodes = await scope.memories(kinds=[Kind.EPISODE])

    assert found.kept == {"fact": 1}
    assert found.dropped == {"not important enough": 1}
    assert (found.usage.calls, found.scoring.calls) == (1, 2)
    assert sorted(one.importance for one in episodes) == [3.0, 9.0]


@pytest.mark.proves("K12")
async def test_an_export_brings_back_what_was_drawn_with_its_evidence_and_is_not_read_again(
    tmp_path: Path,
) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    said = "나 왼손잡이야, 금요일에 면접도 있어"
    async with heard(tmp_path / "old", said, "내 고양이 나비도 왼발을 써") as (omoide, scope):
        plan = {"text": "면접을 본다", "who": "haneul", "due_words": "금요일에"}
        await read(
            omoide,
            answer(
                summary="haneul이 왼손잡이라고 했다.",
                details=[{"kind": "quote", "who": "haneul", "text": "나 왼손잡이야", "m": 1}],
                terms=["손"],
                involved=["haneul", "dalbi"],
                facts=[
                    fact("왼손잡이다", 1, "나 왼손잡이야", category="personal"),
                    fact("고양이 나비를 키운다", 2, "내 고양이 나비", about="dalbi"),
                ],
                plans=[plan | {"evidence": [{"m": 1, "words": "금요일에 면접도 있어"}]}],
                people=[{"name": "dalbi", "called": "면접", "by": "haneul"}],
                feelings=[{"who": "haneul", "emotion": "nervous", "intensity": 0.7, "m": 1}],
                relationship={"summary": "가까워지는 사이", "manner": "반말"},
            ),
        )
        before = {one.text: one for one in await scope.memories(kinds=EXTRACTED)}
        lines = await scope.export()
    async with heard(tmp_path / "new") as (omoide, scope):
        for _ in range(2):  # the second time changes nothing
            await scope.restore_export(load(lines))
        after = {one.text: one for one in await scope.memories(kinds=EXTRACTED)}
        with omoide.store.read(row_of(omoide)) as unit:
            left, _ = unit.windows.uncovered()
            relationship = unit.relationships.current()
            nicknames = [called for _, called, _ in unit.people.nicknames()]
            feelings = unit.felt.all()
        first = next(iter(after.values())).evidence[0].message
        await scope.delete(first)
        gone = await scope.memories(kinds=EXTRACTED)

    assert len(before) == 4
    same = ("kind", "origin", "subject", "category", "plan", "details", "involved", "told", "confidence")
    for text, memory in before.items():
        for name in same:
            assert getattr(after[text], name) == getattr(memory, name), (text, name)
        assert [one.quote for one in after[text].evidence] == [one.quote for one in memory.evidence]
    assert left == []
    assert relationship is not None
    assert relationship.manner == "반말"
    assert nicknames == ["면접"]
    assert [feeling.emotion for _, feeling, _ in feelings] == ["nervous"]
    assert texts(gone) == ["고양이 나비를 키운다"]


@pytest.mark.proves("H14")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I moved to Leith last month", "502 Bad Gateway"),
        ("I moved to Leith last month", "Content filtered."),
        ("지난달에 강릉으로 이사했어", "오류가 발생했습니다. 다시 시도해 주세요."),
        ("지난달에 강릉으로 이사했어", "요약 불가"),
        ("先月から小樽に住んでる", "エラーが発生しました。"),
        ("先月から小樽に住んでる", "要約を拒否します。"),
    ],
)
async def test_an_answer_of_nothing_that_was_said_is_asked_for_again_twice(
    tmp_path: Path, said: str, told: str
) -> None:
    clock = FixedClock(datetime(2026, 6, 10, 3, tzinfo=UTC))
    model = ScriptedModel(answers=lambda _: answer(summary=told))
    async with opened(tmp_path, models=model, worker=False, window=1, clock=clock) as omoide:
        scope = omoide.scope(user="haneul", character="dalbi")
        await scope.observe(user=said, reply="ok")
        outcomes = []
        for _ in range(3):
            outcomes += [run.outcome.value for run in await omoide.worker.once()]
            clock.advance(timedelta(hours=7))
        summaries = await scope.memories(kinds=[Kind.SUMMARY])
    assert outcomes == ["failed", "failed", "read"]
    assert summaries == []
