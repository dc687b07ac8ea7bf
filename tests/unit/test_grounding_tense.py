"""What time and mood a quote has, and whose it is: wrong claims and true ones, side by side."""

from __future__ import annotations

import pytest
from claiming import claim, grounded, heard, whose

OTHERS = [
    ("My friend Wilma got the boot", "lost her job", "Wilma"),
    ("my cousin got the sack yesterday", "lost his job", "cousin"),
    ("외삼촌 통풍이래", "통풍이 있다", "외삼촌"),
    ("매형 이번에 승진했어", "이번에 승진했다", "매형"),
    ("우리 팀 차장님 퇴사하신대", "퇴사한다", "차장님"),
    ("옆자리 보라 씨 복숭아 알레르기래", "복숭아 알레르기가 있다", "보라"),
    ("고모가 고혈압이래", "고혈압이 있다", "고모"),
    ("じいちゃん、白内障なんだ", "白内障だ", "じいちゃん"),
    ("従妹、転職したらしい", "転職した", "従妹"),
    ("旦那そば食べられないの", "そばが食べられない", "旦那"),
    ("同期の森田、入院したって", "入院した", "森田"),
    ("隣の席の石田さん、花粉症なんだ", "花粉症だ", "石田"),
    ("grandad is deaf", "is deaf", "grandad"),
    ("my gf hates cilantro", "hates cilantro", "gf"),
    ("little sis failed her exam", "failed the exam", "sis"),
    ("turns out Marek's colour blind", "is colour blind", "Marek"),
    ("Ottilie from my course dropped out", "dropped out", "Ottilie"),
]
OWN = [
    ("I got the sack yesterday", "was laid off"),
    ("I got a puppy for my birthday", "adopted a puppy"),
    ("I got a scholarship on Monday", "was given a scholarship"),
    ("나 통풍이래", "통풍이 있다"),
    ("이모 집에서 자고 왔어", "집에서 자고 왔다"),
    ("여친 만나고 왔어", "만나고 왔다"),
    ("매운 거 이제 괜찮대", "매운 것이 이제 괜찮다"),
    ("俺、白内障なんだって", "白内障だ"),
    ("母校が廃校になって寂しい", "廃校になって寂しい"),
    ("妹と映画見てきた", "映画を見てきた"),
    ("I'm deaf, like grandad", "is deaf"),
    ("Definitely hates cilantro, this tongue of mine", "hates cilantro"),
]


@pytest.mark.proves("H12")
@pytest.mark.parametrize(("said", "text", "who"), OTHERS)
def test_who_stands_first_owns_what_is_told_also_without_a_particle(said: str, text: str, who: str) -> None:
    assert whose(said, text=text) == who


@pytest.mark.proves("H12")
@pytest.mark.parametrize(("said", "text"), OWN)
def test_what_the_speaker_tells_of_themself_stays_theirs(said: str, text: str) -> None:
    assert whose(said, text=text) == "Sam"


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("call", "said", "text"),
    [
        ("선배, 지금 뭐 해요?", "선배 이번에 이직해요", "이번에 이직한다"),
        ("先輩、何してますか？", "先輩、来月引っ越すんです", "来月引っ越す"),
    ],
)
def test_a_word_by_which_somebody_is_called_here_is_no_subject(call: str, said: str, text: str) -> None:
    assert whose(said, text=text) != "Sam"
    assert whose(call, said, text=text) == "Sam"


WRONG = [
    ("I have an operation on Monday", "had an operation"),
    ("I've got a driving test next week", "took a driving test"),
    # former days as the present
    ("I was allergic to eggs as a child", "is allergic to eggs"),
    ("Back in uni I rowed for the college", "rows for the college"),
    ("When we were in Leeds we kept ducks", "keeps ducks"),
    ("중학교 때는 검도 배웠었어", "검도를 배운다"),
    ("옛날엔 고양이를 엄청 무서워했어", "고양이를 무서워한다"),
    ("전 회사 다닐 땐 새벽에 수영했었어", "새벽에 수영을 한다"),
    ("小学生の頃は注射が怖かった", "注射が怖い"),
    ("学生時代はトマトが大嫌いだった", "トマトが大嫌い"),
    ("前の職場では夜勤ばかりだった", "夜勤ばかりだ"),
    # what is ahead as done
    ("I'm moving to Bergen next month", "moved to Bergen"),
    ("We're adopting a greyhound on Saturday", "adopted a greyhound"),
    ("I'm going to sell the van", "sold the van"),
    ("우리 9월에 이사해", "9월에 이사했다"),
    ("다음 주에 허리 수술 받기로 했어", "허리 수술을 받았다"),
    ("베란다 새로 칠하려고", "베란다를 새로 칠했다"),
    ("9月に入籍するんだ", "9月に入籍した"),
    ("来月から教習所に通うことになった", "教習所に通った"),
    ("木曜に健康診断があるんだ", "健康診断を受けた"),
    # wishes, and what is not decided
    ("Half of me wants to sell the flat", "sold the flat"),
    ("I might take up fencing", "takes up fencing"),
    ("머리 확 밀어버리고 싶다", "삭발했다"),
    ("유학을 갈까 말까 모르겠어", "유학을 간다"),
    ("スマホ川に投げてやりたい", "スマホを川に捨てた"),
    ("留学するかどうかまだ迷ってる", "留学する"),
    # what did not succeed
    ("I auditioned for the choir but didn't make it", "was accepted into the choir"),
    ("공무원 시험 봤는데 또 안 됐어", "공무원 시험에 합격했다"),
    ("司法試験受けたけどダメだった", "司法試験に合格した"),
    ("I tried to mend the tap but it still drips", "mended the tap"),
    # advice, and what is said
    ("you should stretch every morning", "stretches every morning"),
    ("아침엔 물부터 마셔야 돼", "아침에 물부터 마신다"),
    ("野菜は毎日350グラム食べるべきだよね", "毎日野菜を350グラム食べる"),
    # once or sometimes as always
    ("I did yoga once", "does yoga regularly"),
    ("어제 승마 처음 해봤어", "승마를 꾸준히 한다"),
    ("たまに薬を飲み忘れる", "薬を飲まない"),
]
TRUE = [
    ("I was allergic to eggs as a child", "was allergic to eggs as a child"),
    ("I've been allergic to eggs since I was a child", "is allergic to eggs"),
    ("Back in uni I met my husband Rolf", "has a husband called Rolf"),
    ("어릴 때부터 고양이를 무서워했어", "고양이를 무서워한다"),
    ("중학교 때 검도 배웠었어", "중학교 때 검도를 배웠다"),
    ("学生時代はトマトが大嫌いだった", "学生時代はトマトが大嫌いだった"),
    ("子供の頃からずっと注射が怖かった", "注射が怖い"),
    ("I'm moving to Bergen next month", "is moving to Bergen next month"),
    ("We moved to Bergen last month", "moved to Bergen"),
    ("우리 9월에 이사하기로 했어", "9월에 이사하기로 했다"),
    ("우리 9월에 이사했어", "9월에 이사했다"),
    ("9月に入籍したんだ", "9月に入籍した"),
    ("結婚して3年になるんだ", "3年前に結婚した"),
    ("회사 그만두고 나니 여행 가고 싶다", "회사를 그만두었다"),
    ("갈까 말까 하다가 결국 유학 갔어", "유학을 갔다"),
    ("I didn't get the job but I was accepted at uni", "was accepted at uni"),
    ("이번엔 합격했어, 작년엔 떨어졌는데", "이번에 합격했다"),
    ("I tried to mend the tap and it worked", "mended the tap"),
    ("I have to stretch every morning for my back", "stretches every morning"),
    ("나 아침엔 물부터 마셔", "아침에 물부터 마신다"),
    ("tried fencing for the first time and loved it", "loves fencing"),
    ("たまに薬を飲み忘れる", "たまに薬を飲み忘れる"),
]


@pytest.mark.proves("H11")
@pytest.mark.parametrize(("said", "text"), WRONG)
def test_what_was_is_ahead_or_is_only_wished_is_not_so(said: str, text: str) -> None:
    assert whose(said, text=text) is None


@pytest.mark.proves("H11")
@pytest.mark.parametrize(("said", "text"), TRUE)
def test_what_a_quote_does_tell_stands(said: str, text: str) -> None:
    assert whose(said, text=text) == "Sam"


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("turns", "text", "kept"),
    [
        (("Let's pretend, I'm the vet", "Hello doc", "I own nine ponies"), "owns nine ponies", False),
        (("상황극 하자", "좋아!", "나는 왕국의 기사야"), "왕국의 기사다", False),
        (("ごっこしよう！", "いいよ", "俺は忍者だ"), "忍者だ", False),
        (("Let's pretend, I'm the vet", "ok", "The end! I own a pony"), "owns a pony", True),
        (("상황극 하자", "좋아!", "이제 끝! 나는 간호사야"), "간호사다", True),
        (("ごっこしよう！", "いいよ", "おしまい。俺、看護師だよ"), "看護師だ", True),
        (("In my D&D campaign I married a dragon",), "married a dragon", False),
        (("In my D&D campaign I married a dragon",), "married a dragon in a campaign", True),
        (("게임에서 나 용이랑 결혼했어",), "용과 결혼했다", False),
        (("ゲームの中で竜を飼ってる",), "竜を飼っている", False),
    ],
)
def test_a_play_that_was_announced_goes_on_until_it_ends(
    turns: tuple[str, ...], text: str, kept: bool
) -> None:
    found = grounded(heard(turns), facts=[claim(text, (len(turns), turns[-1]))])

    assert bool(found.items) is kept
