import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.salience import Salience, Signal, score
from omoide.errors import InvalidInput

SIGNALLING = {
    Signal.LIKES: [
        *(
            "나 롤 게임 엄청 좋아해요!",
            "민트초코 진짜 조아해",
            "이 노래 마음에 들어",
            "내 최애는 하니야",
            "내 취미는 뜨개질이야",
        ),
        *("요즘 러닝에 푹 빠졌어", "동안 좋아했던 가수", "여름이 제일 좋아"),
        *(
            "猫が大好き!",
            "最近ギターにハマってる",
            "推しが尊い",
            "趣味は釣りです",
            "このカフェ、気に入った",
            "甘いものに目がない",
        ),
        *(
            "I love hiking",
            "My favourite band is on tour",
            "I'm a big fan of jazz",
            "She loves tulips",
            "we really enjoy it",
        ),
        *("I'm obsessed with sourdough", "do you like cats?", "I’m really into chess"),
        *("我喜欢下雨天", "我最爱火锅", "他爱看电影", "我很喜歡貓"),
    ],
    Signal.DISLIKES: [
        *(
            "오이 싫어",
            "나 당근 안 좋아해",
            "매운 건 좋아하지 않아",
            "벌레 극혐 혐오해",
            "그 영화 별로였어",
            "회 못 먹어",
        ),
        *(
            "虫が嫌い",
            "人混みは苦手",
            "月曜は嫌だ",
            "納豆は好きじゃない",
            "もううんざり",
            "あの店は気に入らない",
        ),
        *(
            "I hate mushrooms",
            "I don't like crowds",
            "can't stand the noise",
            "I'm not a fan of horror",
            "I dislike jazz",
        ),
        *("I’m sick of rain", "he never liked fish", "dont really like it"),
        *("我不喜欢香菜", "我讨厌下雨", "不太喜歡", "受不了了"),
    ],
    Signal.OCCASIONS: [
        *(
            "내일 내 생일이야",
            "할머니 생신이었어",
            "결혼기념일 까먹었다",
            "누나가 결혼해",
            "나 드디어 졸업했어",
            "우리 2주년이야",
        ),
        *(
            "明日は誕生日",
            "結婚記念日を忘れた",
            "姉が結婚する",
            "来月卒業します",
            "プロポーズされた",
            "息子の成人式",
        ),
        *(
            "It's my birthday",
            "our anniversary is in May",
            "my sister's wedding",
            "I graduated!",
            "We got engaged",
            "they got married",
        ),
        *("明天是我生日", "结婚纪念日快到了", "我毕业了", "他跟我求婚了"),
    ],
    Signal.NAMES: [
        *(
            "내 이름은 하루야",
            "강아지 이름이 모찌야",
            "그냥 콩이라고 불러줘",
            "별명이 곰이었어",
            "레오라고 불러줘",
            "저는 김하늘이라고 해요",
        ),
        *(
            "猫の名前はもち",
            "ハルって呼んで",
            "あだ名はクマ",
            "佐藤と申します",
            "呼び捨てでいいよ",
            "呼び方を変えたい",
        ),
        *(
            "my name is Hana",
            "Call me Bo",
            "a cat named Mochi",
            "her first name is Ann",
            "my nickname was Bear",
            "the dog's name is Rex",
        ),
        *("我的名字是小雨", "我叫小明", "叫我阿花就好", "我的外号叫熊"),
    ],
    Signal.HABITS: [
        *(
            "나는 항상 늦게 자",
            "매일 커피 마셔",
            "아침마다 뛰어",
            "절대 안 먹어",
            "한 번도 안 가봤어",
            "손톱 무는 습관이 있어",
        ),
        *("늘 혼자 먹어",),
        *(
            "いつも一人で食べる",
            "毎朝走ってる",
            "寝る前に必ず読む",
            "一度も行ったことがない",
            "絶対に食べない",
            "爪をかむ癖がある",
        ),
        *(
            "I always sleep late",
            "I never eat meat",
            "I run every morning",
            "a bad habit of mine",
            "on Sundays we bake",
            "every day after work",
        ),
        *("我每天跑步", "他总是迟到", "我从来没去过", "我有这个习惯"),
    ],
    Signal.FIRSTS: [
        *(
            "비행기 처음 타봤어",
            "첫 월급 받았다",
            "첫사랑이 생각나",
            "오늘이 마지막 날이야",
            "유일한 친구야",
            "난생 그런 건 못 봤어",
        ),
        *(
            "初めて飛行機に乗った",
            "初恋の人",
            "今日が最後の日",
            "唯一の友達",
            "たった一人の家族",
            "初給料をもらった",
        ),
        *(
            "my first marathon",
            "for the first time",
            "the last time I saw her",
            "my only friend",
            "it's our last day",
            "I'm an only child",
        ),
        *("第一次坐飞机", "最后一天上班", "唯一的朋友", "我的初恋"),
    ],
    Signal.WARMTH: [
        *("정말 고마워", "감사합니다", "사랑해", "할머니 보고 싶어", "너무 보고싶다", "고향이 그리워"),
        *("ありがとう", "感謝してる", "愛してる", "早く会いたい", "ふるさとが恋しい", "恋してるかも"),
        *(
            "thank you so much",
            "thanks!",
            "I love you",
            "I miss my grandma",
            "I love her so much",
            "I really appreciate it",
        ),
        *("谢谢你", "我爱你", "我想你了", "很感謝"),
    ],
    Signal.HARDSHIP: [
        *(
            "요즘 너무 힘들어",
            "혼자라 외로워",
            "시험이 걱정돼",
            "할아버지가 돌아가셨어",
            "어두운 게 무서워",
            "우울하고 슬퍼",
            "나 회사에서 잘렸어",
        ),
        *(
            "最近つらい",
            "一人は寂しい",
            "試験が不安",
            "母が亡くなった",
            "暗いのが怖い",
            "仕事が大変だ",
            "もう泣きそう",
        ),
        *(
            "I'm so lonely",
            "I'm scared of the dark",
            "my dog died",
            "I lost my job",
            "such a rough week",
            "I feel sad",
            "he is worried",
        ),
        *("我很孤独", "奶奶去世了", "压力好大", "我好难过"),
    ],
}
SILENT = {
    Signal.LIKES: [
        *("날씨가 좋아졌어", "좋아지겠지", "당근 안 좋아해", "물에 빠졌어", "프라이팬이야", "좋아하지 않아"),
        *(
            "好きにして",
            "好きじゃない",
            "好きなだけどうぞ",
            "お好み焼き食べた",
            "物が当てはまっている",
            "後押しされた",
        ),
        *(
            "It looks like rain",
            "most likely tomorrow",
            "Would you like tea?",
            "I feel like a walk",
            "I don't like it",
            "I was like what",
        ),
        *("不喜欢", "好可爱", "不爱吃"),
    ],
    Signal.DISLIKES: [
        *("싫지 않아", "좋아해", "별로 안 멀어", "점심 못 먹었어"),
        *("機嫌な顔", "好き嫌いはない", "負けず嫌いだね", "いや、行くよ", "嫌いじゃない"),
        *("I hate to bother you", "chatting all night", "I like it", "hats on", "not far"),
        *("我喜欢", "可爱", "好吃"),
    ],
    Signal.OCCASIONS: [
        *("학생일 때였어", "고생일 거야", "오늘 회의 있어", "선생일까"),
        *("新キャラ誕生", "会議がある", "業務が終わった", "明日は晴れ"),
        *("graduate student life", "Monday morning", "engaged in talks", "in the old days"),
        *("陌生日子", "今天开会", "生日子"),
    ],
    Signal.NAMES: [
        *("이름난 맛집", "빨리 오라고 불러", "노래를 불러줘", "전화 줘"),
        *("署名前に読む", "友達を呼んで飲んだ", "有名だね", "申し上げます"),
        *("call me tomorrow", "time goes by", "renamed files", "call me back", "an unnamed road"),
        *("妈妈叫我回家", "我叫了外卖", "叫车"),
    ],
    Signal.HABITS: [
        *("오늘 비 와", "하늘 봐", "절대평가래", "사람마다 달라", "버릇없네"),
        *("非常に暑い", "絶対的な差", "いつもありがとう", "潔癖だね", "日常に戻る"),
        *("never mind", "a natural habitat", "everyday life", "you're always welcome", "inhabited"),
        *("今天下雨", "学习", "天天向上"),
    ],
    Signal.FIRSTS: [
        *("처음부터 다시", "처음엔 몰랐어", "첫째로", "처음 뵙겠습니다", "막차 놓쳤어"),
        *("最初は迷った", "最初のうちは", "初めまして", "最後に一つ", "はじめてください"),
        *(
            "last night was cold",
            "first of all",
            "her first name",
            "my last name",
            "at first glance",
            "last week",
        ),
        *("第一个问题", "最后", "首都"),
    ],
    Signal.WARMTH: [
        *("영화 보고 싶어", "사랑니 뺐어", "감사팀이 왔어", "감사원"),
        *("いい人と出会いたい", "会った", "愛知に行く", "恋愛小説"),
        *("I missed the bus", "no thanks", "Thanksgiving dinner", "miss out", "love her new album"),
        *("可爱", "想你应该去", "亲爱"),
    ],
    Signal.HARDSHIP: [
        *("아파트 샀어", "아프리카 갔어", "걱정 마", "하나도 안 무서워", "안 힘들어"),
        *("辛いラーメン", "怖くない", "お疲れ様", "心配しないで", "塩辛いね"),
        *("no worries", "don't worry", "crypto went up", "I'm afraid not", "fearless", "de-stress", "sadly"),
        *("辛苦了", "解压力作", "别担心"),
    ],
}
LOW = [
    *("ㅋㅋㅋㅋ", "ㅎㅎ", "ㅇㅇ", "ㄴㄴ", "응", "네", "넵", "ㅇㅋ", "헐", "ㅠㅠ", ";;", "왜?"),
    *("www", "草", "うん", "はい", "なるほど", "笑", "え"),
    *("lol", "haha", "ok", "yeah", "k", "hmm"),
    *("嗯", "哈哈", "好的", "👍", "...", "[스티커]", "", " \n"),
]
DENSE = [
    *("나 임신했어", "이사했어!", "합격!", "나 암이래", "졌어ㅠㅠ"),
    *("母が亡くなった", "辞めた", "I quit.", "We moved", "我辞职了", "分手了", "癌"),
]


def cases(table: dict[Signal, list[str]]):
    return [
        pytest.param(signal, line, id=f"{signal}-{line}") for signal, all_ in table.items() for line in all_
    ]


@pytest.mark.proves("H7")
@pytest.mark.parametrize(("signal", "line"), cases(SIGNALLING))
def test_a_signal_fires(signal, line):
    assert signal in score(line, "").signals


@pytest.mark.proves("H7")
@pytest.mark.parametrize(("signal", "line"), cases(SILENT))
def test_a_signal_is_silent_inside_other_words_and_senses(signal, line):
    assert signal not in score(line, "").signals


@pytest.mark.proves("H7")
def test_a_plain_turn_has_the_base_score():
    assert score("집에 왔어", "수고했어") == Salience(score=0.3, signals=frozenset(), low=False)


@pytest.mark.proves("H7")
def test_one_kind_adds_fifteen_hundredths():
    turn = score("나 롤 게임 엄청 좋아해요!", "오, 어느 라인 가요?")
    assert turn == Salience(score=0.45, signals=frozenset({Signal.LIKES}), low=False)


@pytest.mark.proves("H27")
def test_a_long_line_about_a_game_scores_as_published():
    line = "나는 요즘 퇴근하고 집에 오면 친구들이랑 같이 롤이라는 게임을 하는데 그 게임을 진짜 엄청 좋아해요!"
    assert score(line, "오, 어느 라인 가요?").score == 0.55


@pytest.mark.proves("H7")
def test_signals_of_the_reply_count_and_each_kind_counts_once():
    turn = score("고양이 좋아해, 강아지도 좋아해", "나도 좋아해! 이름이 뭐야?")
    assert turn.signals == {Signal.LIKES, Signal.NAMES}
    assert turn.score == 0.6


@pytest.mark.proves("H7")
def test_two_languages_in_one_turn_both_count():
    assert score("내 고양이 너무 예쁘지", "I love cats! 名前は?").signals == {Signal.LIKES, Signal.NAMES}


@pytest.mark.proves("H7")
@pytest.mark.parametrize(("length", "expected"), [(50, 0.3), (51, 0.4)])
@pytest.mark.parametrize("character", ["방", "窓", "e\u0301", "👩‍👧"])
def test_more_than_fifty_characters_add_a_tenth(length, expected, character):
    assert score("방에" + character * (length - 2), "").score == expected
    assert score("방에 왔어", character * 200).score == 0.3


@pytest.mark.proves("H7")
def test_intensity_adds_a_fifth_of_itself():
    assert score("집에 왔어", "", intensity=1.0).score == 0.5
    assert score("집에 왔어", "", intensity=0.25).score == 0.35


@pytest.mark.proves("H7")
def test_the_score_is_capped():
    everything = " ".join(lines[0] for lines in SIGNALLING.values())
    turn = score(everything, "", intensity=1.0)
    assert turn.signals == set(Signal)
    assert turn.score == 1.0
    assert turn.importance == 10.0


@pytest.mark.proves("H7")
@pytest.mark.parametrize("line", LOW)
def test_a_line_that_says_nothing_is_low_whatever_the_reply(line):
    turn = score(line, "생일 축하해, 사랑해!", intensity=1.0)
    assert turn == Salience(score=0.05, signals=frozenset(), low=True)
    assert not turn.stored
    assert turn.importance == 1.0


@pytest.mark.proves("H7")
@pytest.mark.parametrize("line", DENSE)
def test_a_short_dense_line_is_stored(line):
    turn = score(line, "")
    assert turn.stored
    assert not turn.low


def test_importance_is_not_rounded():
    assert score("집에 왔어", "", intensity=0.33).importance == pytest.approx(3.66)


@pytest.mark.parametrize("intensity", [-0.1, 1.1, float("nan")])
def test_an_intensity_out_of_range_is_refused(intensity):
    with pytest.raises(InvalidInput, match="outside 0 to 1"):
        score("집에 왔어", "", intensity=intensity)


WORDS = st.sampled_from([line for lines in SIGNALLING.values() for line in lines] + LOW + DENSE)
TEXTS = st.lists(WORDS | st.text(max_size=10), max_size=4).map(" ".join)
UNIT = st.floats(0, 1)


@given(TEXTS, TEXTS, UNIT, UNIT)
def test_the_score_stays_in_range_and_grows_with_intensity(user_text, reply, one, other):
    less, more = sorted((one, other))
    weak, strong = score(user_text, reply, intensity=less), score(user_text, reply, intensity=more)
    assert 0.0 <= weak.score <= strong.score <= 1.0
    assert weak.signals == strong.signals
    assert weak.stored is not weak.low


@given(WORDS)
def test_a_kind_counts_once_however_often_it_matches(line):
    assert score(line, line).score == score(line, "").score


def full_width(text: str) -> str:
    return "".join(
        chr(ord(letter) + 0xFEE0) if letter.isascii() and letter.isalpha() else letter for letter in text
    )


@pytest.mark.parametrize("form", [lambda text: unicodedata.normalize("NFD", text), full_width, str.upper])
@pytest.mark.parametrize(("signal", "line"), cases(SIGNALLING))
def test_the_form_of_the_letters_changes_nothing(signal, line, form):
    assert score(form(line), "") == score(line, "")
