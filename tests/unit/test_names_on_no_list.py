"""Whose fact it is that is told of a bare name on no list, and what is told of a common word (F31, H12)."""

from __future__ import annotations

import pytest
from claiming import whose

from omoide.domain.grounding.unlisted import unlisted, used_as_names

THEIRS = [
    ("혜림은 축구를 싫어해", "축구를 싫어한다", "혜림"),
    ("다빈이는 매운 거 못 먹어", "매운 것을 못 먹는다", "다빈"),
    ("라온은 고양이를 키워", "고양이를 키운다", "라온"),
    ("서하는 은행에서 일해", "은행에서 일한다", "서하"),
    ("김태림은 땅콩 알레르기가 있어", "땅콩 알레르기가 있다", "김태림"),
    ("제니는 서울에 살아", "서울에 산다", "제니"),
    ("하람은 간호사야", "간호사이다", "하람"),
    ("이설이 지난주에 퇴사했어", "퇴사했다", "이설"),
    ("준서는 기타를 배우고 있어", "기타를 배우고 있다", "준서"),
    ("여름이는 치과 의사야", "치과 의사이다", "여름"),
    ("민채는 요즘 잠을 못 잔대", "요즘 잠을 못 잔다", "민채"),
    ("레오는 대전에서 빵집을 해", "대전에서 빵집을 한다", "레오"),
    ("시온이 지난달에 아빠가 됐어", "지난달에 아빠가 되었다", "시온"),
    ("도훈이는 목소리가 커", "목소리가 크다", "도훈"),
    ("葵は数学が嫌い", "数学が嫌い", "葵"),
    ("みゆは納豆が食べられない", "納豆が食べられない", "みゆ"),
    ("悠斗は銀行で働いている", "銀行で働いている", "悠斗"),
    ("松下は猫を飼っている", "猫を飼っている", "松下"),
    ("ことねは看護師だよ", "看護師だ", "ことね"),
    ("エマはピーナッツアレルギーなんだ", "ピーナッツアレルギーがある", "エマ"),
    ("里奈は福岡に住んでる", "福岡に住んでいる", "里奈"),
    ("藤崎はコーヒーを飲まない", "コーヒーを飲まない", "藤崎"),
    ("つむぎは左利きなんだって", "左利きだ", "つむぎ"),
    ("結菜はお酒が弱い", "お酒が弱い", "結菜"),
    ("西村が先月父親になった", "先月父親になった", "西村"),
    ("石井は怖がりだ", "怖がりだ", "石井"),
    ("すみれはいつも遅刻する", "いつも遅刻する", "すみれ"),
    ("Zadie quit her job", "quit the job", "Zadie"),
    ("Tadhg can't eat nuts", "cannot eat nuts", "Tadhg"),
    ("Ingrid moved to Leeds last month", "moved to Leeds", "Ingrid"),
    ("Mum hates flying", "hates flying", "Mum"),
    ("Wanda is scared of dogs", "is scared of dogs", "Wanda"),
    ("Mina and Tom are getting married", "is getting married", "Mina and Tom"),
    ("思远不喜欢足球", "不喜欢足球", "思远"),
    ("陈佳怡对花生过敏", "对花生过敏", "陈佳怡"),
    ("雨桐在银行上班", "在银行上班", "雨桐"),
]


@pytest.mark.proves("F31")
@pytest.mark.parametrize(("said", "text", "owner"), THEIRS)
def test_a_fact_told_of_a_bare_name_on_no_list_is_that_persons(said: str, text: str, owner: str) -> None:
    assert whose(said, text=text) == owner


@pytest.mark.proves("F31")
@pytest.mark.parametrize(
    ("before", "said", "text", "owner"),
    [
        ("바다 씨가 우리 팀에 왔어", "바다는 아침형 인간이야", "아침형 인간이다", "바다"),
        ("어제 마루한테 전화 왔어", "마루는 새 직장이 마음에 든대", "새 직장이 마음에 든다", "마루"),
        ("리안이랑 밥 먹었어", "리안은 해산물이 별로래", "해산물이 별로이다", "리안"),
        ("今日そらくんに会ったよ", "そらは朝が早い", "朝が早い", "そら"),
        ("森くんと飲みに行った", "森は酒に強い", "酒に強い", "森"),
        ("Had lunch with Zofia", "Zofia doesn't drink", "does not drink", "Zofia"),
        ("I phoned Otis last night", "Otis got a new job", "got a new job", "Otis"),
    ],
)
def test_a_word_that_the_talk_used_as_a_name_is_one_later(
    before: str, said: str, text: str, owner: str
) -> None:
    assert whose(before, said, text=text) == owner


THE_USERS = [
    ("축구는 싫어해", "축구를 싫어한다"),
    ("과일은 사과를 좋아해", "사과를 좋아한다"),
    ("운동은 수영을 해", "수영을 한다"),
    ("점심은 김밥을 먹었어", "김밥을 먹었다"),
    ("주말은 책을 읽어", "책을 읽는다"),
    ("나는 축구를 싫어해", "축구를 싫어한다"),
    ("우유는 알레르기가 있어", "우유 알레르기가 있다"),
    ("퇴근하고는 맥주를 마셔", "퇴근 후 맥주를 마신다"),
    ("고기는 안 먹어, 채식주의자야", "채식주의자이다"),
    ("사정이 생겨서 이사했어", "이사했다"),
    ("자취방은 고양이를 못 키워", "고양이를 키우지 못한다"),
    ("옆집이 시끄러워서 잠을 못 자", "잠을 못 잔다"),
    ("본업은 간호사야", "간호사이다"),
    ("반려견은 푸들을 키워", "푸들을 키운다"),
    ("아이가 생겨서 결혼했어", "결혼했다"),
    ("数学は嫌い", "数学が嫌い"),
    ("果物は桃が好き", "桃が好き"),
    ("朝はパンを食べる", "パンを食べる"),
    ("夏は海が好き", "海が好き"),
    ("お酒は飲めない", "お酒が飲めない"),
    ("えびはアレルギーがある", "えびアレルギーがある"),
    ("バイトはレジをしてる", "レジをしている"),
    ("引っ越しが決まって会社を辞めた", "会社を辞めた"),
    ("子供ができて結婚した", "結婚した"),
    ("本業は看護師だよ", "看護師だ"),
    ("学生時代は寮に住んでた", "寮に住んでいた"),
    ("休暇は沖縄に行った", "沖縄に行った"),
    ("Finally moved to Leeds", "moved to Leeds"),
    ("Coffee keeps me awake", "is kept awake by coffee"),
    ("Doctors can't drink on call", "does not drink on call"),
    ("Vegan since May", "is vegan"),
    ("水果喜欢桃子", "喜欢桃子"),
    ("辣的不吃", "不吃辣"),
    ("平时在银行上班", "在银行上班"),
]


@pytest.mark.proves("H12")
@pytest.mark.parametrize(("said", "text"), THE_USERS)
def test_what_is_told_with_a_common_word_ahead_stays_the_users(said: str, text: str) -> None:
    assert whose(said, text=text) == "Sam"


def test_a_name_that_the_claim_itself_speaks_of_is_not_its_subject() -> None:
    assert unlisted("혜림은 은행에서 일해", "은행에서 일한다") == "혜림"
    assert unlisted("혜림은 은행에서 일해", "은행에서 일하는 친구 혜림이 있다") is None
    assert unlisted("葵は銀行で働いている", "銀行で働く友達の葵がいる") is None


def test_words_for_somebody_are_no_names_though_used_like_them() -> None:
    said = [
        "손님한테 전화했어",
        "엄마한테 말했어",
        "사람들이랑 놀았어",
        "간호사야, 나는",
        "お客さんが来た",
        "看護師さんと話した",
        "猫ちゃんがいる",
        "I met Everyone",
    ]
    assert used_as_names(said) == frozenset()
    assert used_as_names(["민채야, 안녕", "채원 언니 봤어", "こはるちゃん", "called Bram"]) == {
        "민채",
        "채원",
        "こはる",
        "Bram",
    }
