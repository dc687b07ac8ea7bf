import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.text import graphemes
from omoide.recall.widen import Query, widen

PREVIOUS = ["문법이 약해", "다음 주 시험이 걱정돼"]

ANAPHORIC = {
    "ko": [
        *(
            "그거 어떻게 됐어?",
            "걔 요즘 어때?",
            "그때 어디 갔었지?",
            "아까 뭐라고 했지?",
            "그 사람 누구였지?",
        ),
        *(
            "저번에 그거 말이야",
            "그건 왜?",
            "그 얘기 계속해 줘",
            "걔는 뭐 좋아해?",
            "그 영화 어땠어?",
            "거기 다시 가고 싶다",
        ),
        *("그거 기억나?", "저번에 그 사람 말이야", "그때 진짜 좋았는데 ㅋㅋ"),
    ],
    "ja": [
        *(
            "それどうなった?",
            "あれ覚えてる?",
            "さっきの話は?",
            "あの人誰だっけ?",
            "彼はどう?",
            "その時どこに行ったの?",
        ),
        *(
            "彼女は元気?",
            "あの映画どうだった?",
            "そのあとどうしたの?",
            "あれってなんだっけ",
            "あの店また行きたい",
            "この前のあれは?",
        ),
    ],
    "en": [
        *("what about him?", "That one again?", "Is she okay?", "What happened then?", "what was it?"),
        *("did he like it?", "the other one?", "how did that go?", "Did they come?", "earlier?"),
        *("do you like her?", "remember that?", "what’s that?"),
    ],
    "zh": ["那个怎么样了?", "刚才说什么?", "她还好吗?", "他是谁?", "那件事后来呢?", "那天去哪了"],
}
VAGUE = [
    "뭐부터 하지?",
    "응... 뭐부터 하지?",
    "언제였지?",
    "どうしよう",
    "何からしよう?",
    "Why?",
    "tell me more",
    "怎么办?",
]
NAMING = {
    "ko": [
        *(
            "내 강아지 이름은?",
            "그 영화 말고 제주도 여행",
            "토익 시험 언제지?",
            "우리 엄마 생신이 언제야?",
            "걔네 회사 어디야?",
        ),
        *(
            "부산 가고 싶다",
            "모찌 기억나?",
            "오늘 저녁 뭐 먹지?",
            "그거 말고 떡볶이",
            "나 임신했어",
            "하늘이 이름은?",
            "내 나이는?",
        ),
        *("그때 부산에서 뭐 했지", "고마워"),
    ],
    "ja": [
        *(
            "もちの名前は?",
            "犬の名前は?",
            "京都に行きたい",
            "母が亡くなった",
            "それより沖縄は?",
            "彼の誕生日いつ?",
        ),
        *("テスト終わった!", "ありがとう", "猫好き?", "明日何する?", "あの人の仕事は?", "引っ越した"),
    ],
    "en": [
        *(
            "Do you know Mochi?",
            "I quit.",
            "my dog's name?",
            "Who is Hana?",
            "Not him, Kenji",
            "I moved to Oslo",
        ),
        *("pizza tonight?", "her birthday?", "Is it raining?", "that bakery?", "I'm pregnant", "How is mom?"),
    ],
    "zh": ["我辞职了", "我的狗叫什么?", "想去北京", "她的生日?", "不是他,是小明", "你认识小雨吗?"],
}


def lines(table: dict[str, list[str]]):
    return [pytest.param(line, id=f"{language}-{line}") for language in table for line in table[language]]


@pytest.mark.proves("P12")
@pytest.mark.parametrize("message", lines(ANAPHORIC))
def test_a_short_message_that_points_back_is_widened(message):
    query = widen(message, previous=PREVIOUS)
    assert query == Query(
        text=f"문법이 약해\n다음 주 시험이 걱정돼\n{message}", search=True, widened=True, reason="anaphora"
    )


@pytest.mark.proves("P12")
@pytest.mark.parametrize("message", VAGUE)
def test_a_question_without_a_word_of_its_own_is_widened(message):
    query = widen(message, previous=PREVIOUS)
    assert (query.search, query.widened, query.reason) == (True, True, "vague")


@pytest.mark.proves("P12")
@pytest.mark.parametrize("message", lines(NAMING))
def test_a_short_message_that_names_something_is_not_widened(message):
    assert widen(message, previous=PREVIOUS) == Query(
        text=message, search=True, widened=False, reason="plain"
    )


@pytest.mark.proves("P12")
def test_a_message_of_twenty_characters_is_not_widened():
    short = "그때 그거 어떻게 됐는지 기억나"
    assert len(short) == 17
    assert widen(f"{short}?!", previous=PREVIOUS).widened
    assert not widen(f"{short}?!?", previous=PREVIOUS).widened


@pytest.mark.proves("H21")
@pytest.mark.parametrize("message", ["ㅋㅋㅋㅋ", "ㅠㅠ", ";;", "www", "笑", "lol", "哈哈哈", "😂"])
def test_laughter_never_searches(message):
    assert widen(message, previous=PREVIOUS) == Query(
        text=message, search=False, widened=False, reason="laughter"
    )


@pytest.mark.proves("H21")
@pytest.mark.parametrize("message", ["", "  \n", "\u200b"])
def test_a_blank_message_never_searches(message):
    query = widen(message, previous=PREVIOUS)
    assert (query.search, query.reason) == (False, "blank")


@pytest.mark.proves("P12")
@pytest.mark.proves("H21")
@pytest.mark.parametrize("message", ["응", "네ㅋㅋ", "うん", "なるほど", "ok", "I see.", "好的", "👍"])
def test_an_acknowledgement_is_widened_or_does_not_search(message):
    widened = widen(message, previous=PREVIOUS)
    assert (widened.search, widened.widened, widened.reason) == (True, True, "acknowledgement")
    assert widened.text.startswith("문법이 약해\n")
    alone = widen(message, previous=[])
    assert (alone.search, alone.widened, alone.reason) == (False, False, "acknowledgement")


@pytest.mark.proves("P12")
def test_a_message_that_points_back_to_nothing_is_searched_as_it_stands():
    query = widen("그거 뭐였지?", previous=["ㅋㅋㅋ", ""])
    assert (query.text, query.search, query.widened) == ("그거 뭐였지?", True, False)


@pytest.mark.proves("P12")
def test_the_last_two_messages_that_say_something_widen():
    previous = ["제주도 갈래", "시험 망했어", "ㅋㅋㅋ", "토익 다시 볼까", "응", " "]
    assert widen("그거 언제지?", previous=previous).text == "시험 망했어\n토익 다시 볼까\n그거 언제지?"


@pytest.mark.proves("P12")
def test_the_newest_words_are_kept_whole():
    previous = ["오래된 말", "첫마디 " + "가나다라 " * 30 + "새말"]
    context = widen("그건 왜?", previous=previous).text.removesuffix("\n그건 왜?")
    assert context.endswith("가나다라 새말")
    assert len(context) <= 120
    assert set(context.split()) == {"가나다라", "새말"}


@pytest.mark.proves("P12")
def test_text_without_spaces_is_cut_at_the_limit():
    context = widen("それはなぜ?", previous=["雨" * 300]).text.removesuffix("\nそれはなぜ?")
    assert context == "雨" * 120


@pytest.mark.proves("P12")
@given(
    st.lists(st.sampled_from(["가", "e\u0301", "👩‍👧", "🇰🇷", "か\u3099", "\u1112\u1161\u11ab"]), max_size=150)
)
def test_at_most_120_characters_widen_and_none_is_broken(characters):
    message = "시험" + "".join(characters)
    context = widen("그건 왜?", previous=[message]).text.removesuffix("\n그건 왜?")
    assert graphemes(context) == ["시", "험", *characters][-120:]
