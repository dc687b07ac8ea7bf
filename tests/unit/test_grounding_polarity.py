"""True claims in other words than they were said in, and claims that turn round what was said (H11, H28)."""

from __future__ import annotations

import pytest
from claiming import claim, grounded, heard


def kept(said: str, text: str, *, guidance: bool = False) -> bool:
    """Whether a claim stands that cites all that the user said."""
    given = claim(text, (1, said))
    found = grounded(heard([said, "…"]), **({"guidance": [given]} if guidance else {"facts": [given]}))
    return bool(found.items)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("나 회 못 먹어", "회를 먹지 못한다"),
        ("나 라면 안 먹어", "라면을 먹지 않는다"),
        ("난 맥주 한 방울도 못 마셔", "맥주를 전혀 마시지 못한다"),
        ("자전거 못 타", "자전거를 탈 줄 모른다"),
        ("나 김장 한 번도 안 해봤어", "김장을 해 본 적이 없다"),
        ("매운거 못 먹겠어", "매운 것을 먹지 못한다"),
        ("엄마 돌아가신 지 5년 됐어", "어머니가 5년 전에 돌아가셨다"),
        ("남친이랑 싸웠어", "남자친구와 다투었다"),
        ("알바 구했어", "아르바이트를 구했다"),
        ("운동 안 하면 몸이 무거워", "운동을 한다"),
        ("요즘 밤마다 뒤척여", "잠을 잘 이루지 못한다"),
        ("나 술은 입에도 안 대", "술을 마시지 않는다"),
        ("토끼 작년에 무지개다리 건넜어", "토끼가 작년에 죽었다"),
        ("父さんが去年亡くなった", "父親は去年亡くなった"),
        ("バイト始めた", "アルバイトを始めた"),
        ("納豆は無理", "納豆が苦手だ"),
        ("最近なかなか寝付けない", "最近眠れない"),
        ("泳げないわけじゃない", "泳げる"),
        ("パクチー食べられない", "パクチーを食べられない"),
        ("薬飲むの忘れた", "薬を飲み忘れた"),
        ("転職しようか迷ってる", "転職を迷っている"),
        ("we're moving to Cardiff", "moves to Cardiff"),
        ("I've been baking bread all week", "bakes bread"),
        ("mum died in March", "mother passed away in March"),
        ("I've taught French for ages", "teaches French"),
        ("can't sleep lately", "suffers from insomnia"),
        ("turned 40 yesterday", "is 40 years old"),
        ("I hardly ever drink wine", "rarely drinks wine"),
        ("thinking about selling my car", "has a car"),
        ("forgot to feed the cat", "has a cat"),
        ("nearly missed my train", "nearly missed a train"),
        ("I bought two tickets", "has bought two tickets"),
        ("if I don't swim I feel awful", "swims"),
        ("I went to Bath and it's where I live now", "lives in Bath"),
        ("I failed my driving test again", "failed the driving test"),
        ("I prefer tea to coffee", "prefers tea to coffee"),
    ],
)
def test_a_true_claim_may_be_put_in_other_words(said: str, text: str) -> None:
    assert kept(said, text)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("녹차는 입에도 안 대", "녹차를 마신다"),
        ("버섯은 거들떠도 안 봐", "버섯을 좋아한다"),
        ("계단에서 넘어질 뻔했어", "계단에서 넘어졌다"),
        ("유학 갈까 고민 중이야", "유학을 갔다"),
        ("퇴사할까 생각 중이야", "퇴사했다"),
        ("혈압약 먹는 거 깜빡했어", "혈압약을 먹었다"),
        ("운전면허 시험 또 떨어졌어", "운전면허 시험에 합격했다"),
        ("결승에서 졌어", "결승에서 이겼다"),
        ("대구 다녀왔어", "대구로 이사했다"),
        ("햄스터가 지난주에 하늘나라로 갔어", "햄스터를 키운다"),
        ("작년에 고등학교 중퇴했어", "고등학교에 다닌다"),
        ("나 요리 못하는 거 아니야", "요리를 못한다"),
        ("내가 언제 오이 싫다 그랬어", "오이를 싫어한다"),
        ("커피보다 홍차가 좋아", "홍차보다 커피를 좋아한다"),
        ("コーヒーは一切口にしない", "コーヒーを飲む"),
        ("生卵だけは無理", "生卵が好きだ"),
        ("自転車で転びそうになった", "自転車で転んだ"),
        ("留学しようか迷ってる", "留学した"),
        ("傘持ってくるの忘れた", "傘を持ってきた"),
        ("面接落ちた", "面接に受かった"),
        ("試合に負けた", "試合に勝った"),
        ("うちのハムスター、先週天国に行った", "ハムスターを飼っている"),
        ("去年大学を中退した", "大学に通っている"),
        ("泳げないわけじゃない", "泳げない"),
        ("いつ私がトマト嫌いって言った", "トマトが嫌いだ"),
        ("紅茶よりコーヒーが好き", "コーヒーより紅茶が好きだ"),
        ("I won't touch mushrooms", "eats mushrooms"),
        ("not a fan of jazz", "likes jazz"),
        ("I rarely go running", "often goes running"),
        ("almost fell off my bike", "fell off a bike"),
        ("was supposed to meet Ada but bailed", "met Ada"),
        ("forgot to water the plants", "watered the plants"),
        ("considering painting my room", "painted the room"),
        ("failed the entrance exam", "passed the entrance exam"),
        ("we lost the final", "won the final"),
        ("spent the day in York", "moved to York"),
        ("had to put my dog to sleep", "has a dog"),
        ("I dropped out of college", "attends college"),
        ("it's not that I hate mushrooms", "hates mushrooms"),
        ("since when do I like golf", "likes golf"),
        ("I like rice more than pasta", "prefers pasta over rice"),
    ],
)
def test_a_claim_that_tells_what_did_not_come_about_is_dropped(said: str, text: str) -> None:
    assert not kept(said, text)


@pytest.mark.proves("H28")
@pytest.mark.parametrize(
    ("said", "text", "stands"),
    [
        ("반말로 해줘", "반말로 말해 주기를 바란다", True),
        ("전여친 얘기는 하지 마", "전 여자친구 이야기를 하지 않기를 바란다", True),
        ("잊지 말고 약 챙기라고 말해줘", "약을 챙기라고 말해 주기를 바란다", True),
        ("존댓말 쓰지 말고 반말로 해줘", "반말을 바란다", True),
        ("이름으로 부르지 마, 별명으로 불러줘", "별명으로 불러 주기를 바란다", True),
        ("敬語はやめて、タメ口で", "タメ口で話してほしい", True),
        ("冗談はいらない", "冗談を望まない", True),
        ("朝起こすの忘れないで", "朝起こしてほしい", True),
        ("don't bring up my boss", "does not want their boss brought up", True),
        ("don't call me Danny, it's Dan", "wants to be called Dan", True),
        ("never forget to ask about my day", "wants to be asked about their day", True),
        ("don't be shy about teasing me", "likes to be teased", True),
        ("don't message me before noon", "wants messages after noon", True),
        ("no small talk please", "wants no small talk", True),
        ("don't sugarcoat it, be blunt", "wants blunt answers", True),
        ("하트 쓰지 마", "하트를 써 주기를 바란다", False),
        ("아플 때 잔소리 좀 하지 말아줘", "아플 때 잔소리해 주기를 바란다", False),
        ("밤에 전화하지 마", "밤에 전화해 주기를 바란다", False),
        ("위로는 필요 없어", "위로를 바란다", False),
        ("요약 금지", "요약을 바란다", False),
        ("疲れてる時は説教しないで", "疲れている時に説教してほしい", False),
        ("同情はいらないから", "同情がほしい", False),
        ("ネタバレ禁止", "ネタバレがほしい", False),
        ("ハートは使わないで", "ハートを使ってほしい", False),
        ("長文はやめて", "長文がほしい", False),
        ("please don't sing when I'm ill", "wants singing when ill", False),
        ("stop sending hearts", "wants hearts", False),
        ("never text me at night", "wants to be texted at night", False),
        ("no pep talks please", "wants pep talks", False),
        ("quit the pet names", "likes pet names", False),
        ("enough with the riddles", "wants riddles", False),
    ],
)
def test_guidance_keeps_the_side_that_was_asked_for(said: str, text: str, stands: bool) -> None:
    assert kept(said, text, guidance=True) is stands
