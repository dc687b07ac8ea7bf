"""What a clause says against a claim: it is denied, not wanted, over, or somebody else's."""

from __future__ import annotations

import pytest

from omoide.domain.grounding.clauses import clauses
from omoide.domain.grounding.ended import ended
from omoide.domain.grounding.kin import owner
from omoide.domain.grounding.opposites import unwanted
from omoide.domain.grounding.polarity import turned


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("claim", "clause", "over"),
    [
        ("lives in Busan", "I lived in Busan", True),
        ("is a teacher", "I was a teacher", True),
        ("has a cat", "I had a cat called Momo", True),
        ("works at a bank", "when I worked at a bank", True),
        ("lived in Busan", "I lived in Busan", False),
        ("lives in Busan", "I moved to Busan", False),
        ("lives in Busan", "I lived in Busan and still do", False),
        ("is diagnosed with asthma", "I was diagnosed with asthma", False),
        ("has asthma", "I was told I have asthma", False),
        ("has a daughter", "I had my daughter at 22", False),
        ("works at a bank", "I worked at the bank yesterday", False),
        ("likes the film", "I liked the film", False),
        ("부산에 산다", "부산에 살았어", True),
        ("교사다", "나 교사였어", True),
        ("고양이를 키우고 있다", "고양이를 키웠거든", True),
        ("공부하고 있다", "공부하고 있었어", True),
        ("부산에 살았다", "부산에 살았어", False),
        ("부산에 산다", "부산에서 십 년 살았어", False),
        ("부산에 산다", "부산으로 이사했어", False),
        ("결혼했다", "결혼했어", False),
        ("大阪に住んでいる", "大阪に住んでた", True),
        ("教師である", "私は教師だった", True),
        ("犬を飼っている", "犬を飼っていました", True),
        ("大阪に住んでいた", "大阪に住んでた", False),
        ("大阪に住んでいる", "大阪に引っ越した", False),
        ("犬を飼っている", "昨日も犬を飼っていた頃の夢を見た", False),
    ],
)
def test_a_plain_past_is_no_ground_for_what_is_so_now(claim: str, clause: str, over: bool) -> None:
    assert ended(claim, clause) is over


@pytest.mark.parametrize(
    ("claim", "clause", "contrary"),
    [
        ("goes to the party", "I'm not going to the party", True),
        ("visits mum on Sunday", "I don't think I'll visit mum on Sunday", True),
        ("파티에 간다", "파티 안 갈 거야", True),
        ("パーティーに行く", "パーティーには行かない", True),
        ("calls mum", "don't forget to call mum", False),
        ("goes to the party", "can't wait to go to the party", False),
        ("엄마에게 전화한다", "엄마한테 전화하는 거 잊지 마", False),
    ],
)
def test_what_a_clause_denies_is_no_plan(claim: str, clause: str, contrary: bool) -> None:
    assert turned(claim, clause) is contrary


@pytest.mark.proves("H28")
@pytest.mark.parametrize(
    ("claim", "clause", "refused"),
    [
        ("wants tips when venting", "Please don't give me tips when I'm venting", True),
        ("wants to be called Tommy", "don't call me Tommy", True),
        ("wants to be called Tom", "don't call me Tommy", False),
        ("wants no tips when venting", "Please don't give me tips when I'm venting", False),
        ("wants to be listened to when venting", "Please don't give me tips when I'm venting", False),
        ("prefers short answers", "don't write so long", False),
        ("조언을 바란다", "조언하지 마", True),
        ("칭찬해 주기를 바란다", "칭찬하지 말아 줘", True),
        ("공감을 바란다", "조언하지 마", False),
        ("조언 대신 공감을 바란다", "조언하지 말고 공감해 줘", False),
        ("アドバイスがほしい", "アドバイスしないで", True),
        ("褒めてほしい", "褒めないで", True),
        ("トムと呼んでほしい", "トミーと呼ばないで", False),
        ("アドバイスより聞いてほしい", "アドバイスしないで聞いて", False),
    ],
)
def test_what_somebody_asks_not_to_do_is_not_what_they_want(claim: str, clause: str, refused: bool) -> None:
    assert unwanted(claim, clause) is refused


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "whose"),
    [
        ("My sister is a nurse, hates coffee", "sister"),
        ("My mom lives in Leeds, loves tea, can't cook", "mom"),
        ("My sister came over. She is a vegetarian", "sister"),
        ("My sister is a nurse, I hate coffee", "speaker"),
        ("My brother came over. She is a vegetarian", None),
        ("My sister met Anna. She is a vegetarian", None),
        ("My sister is a nurse. Loves coffee, this house", "speaker"),
        ("우리 언니는 간호사고 매운 걸 못 먹어", "언니"),
        ("우리 언니는 간호사인데 매운 걸 못 먹어", "언니"),
        ("우리 언니는 간호사고 나는 교사야", "speaker"),
        ("언니가 왔고 너무 기뻤어", "speaker"),
        ("언니는 서울에 사니까 자주 못 봐", "speaker"),
        ("姉は看護師で、コーヒーが嫌い", "姉"),
        ("妹は医者です。彼女は肉を食べない", "妹"),
        ("姉が来て、嬉しかった", "speaker"),
        ("姉は看護師で、私は教師", "speaker"),
        ("姉は看護師だけど、コーヒーが嫌い", "speaker"),
    ],
)
def test_a_clause_without_a_subject_goes_on_about_whom_it_was_about(said: str, whose: str | None) -> None:
    parts = [said[begin:end] for begin, end in clauses(said)]
    found = owner(parts[-1], ahead=parts[:-1])

    assert ("speaker" if found is None else found.called) == whose
