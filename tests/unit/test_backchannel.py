import pytest

from omoide.domain.backchannel import backchannel, is_acknowledgement, is_laughter

LAUGHTER = [
    *(
        "ㅋㅋㅋㅋ",
        "ㅎㅎ",
        "ㅠㅠ",
        "ㅜㅜㅜ",
        "ㅋㅠㅋㅠ",
        "ㅋㅋ큐ㅠㅠ",
        "앜ㅋㅋㅋ",
        "하하하",
        "ㅠ_ㅠ",
        ";;",
        "ㅋㅋ!! 😂",
    ),
    *("www", "ｗｗｗ", "草", "笑", "(笑)", "あはは", "ふふっ", "ハハハ", "爆笑"),
    *("lol", "LOL", "loool", "haha", "hahahaha!", "lmao", "xD", "T_T", "😂😂", "😭"),
    *("哈哈", "哈哈哈哈", "呵呵", "嘿嘿", "233333", "笑死", "呜呜"),
]
ACKNOWLEDGEMENTS = [
    *(
        "ㅇㅇ",
        "ㄴㄴ",
        "응",
        "네",
        "넵!",
        "네네네",
        "ㅇㅋ",
        "ㅇㅋㅋㅋ",
        "헐...",
        "네ㅋㅋ",
        "응응 ㅋㅋ",
        "그렇구나",
        "왜?",
    ),
    *(
        "うん",
        "はい",
        "はいはい",
        "うーん",
        "へぇ",
        "なるほど",
        "なるほどねw",
        "そうなんだー",
        "え?",
        "了解です",
    ),
    *("ok", "OK!", "okkkk", "k", "yeah", "Yesss", "I see.", "Got it!", "hmmm", "ok lol"),
    *("嗯", "嗯嗯", "好的", "好的好的", "好吧哈哈", "是吗", "知道了"),
    *("👍", "👍🏽", "🍕", "...", "?", "!!", ":)", "[스티커]", "(sticker)"),
]
SAYING = [
    *(
        "나 임신했어",
        "이사했어!",
        "나 암",
        "코코",
        "네가 좋아",
        "오네",
        "고마워",
        "싫어",
        "졌어ㅠㅠ",
        "합격!",
    ),
    *("母が亡くなった", "辞めた", "もも", "はは、来る", "うんざり", "はいしゃ", "癌"),
    *("I quit.", "Mochi", "I go", "thanks", "hi", "3", "okra", "yesterday", "hahn"),
    *("我辞职了", "分手了", "好累", "不喜欢"),
]


@pytest.mark.proves("H7")
@pytest.mark.parametrize("text", LAUGHTER)
def test_laughter_and_crying_marks_are_laughter(text):
    assert is_laughter(text)
    assert not is_acknowledgement(text)


@pytest.mark.proves("H7")
@pytest.mark.parametrize("text", ACKNOWLEDGEMENTS)
def test_nods_and_what_holds_no_word_are_acknowledgements(text):
    assert is_acknowledgement(text)
    assert not is_laughter(text)


@pytest.mark.proves("H7")
@pytest.mark.parametrize("text", SAYING)
def test_a_short_line_that_says_something_is_no_backchannel(text):
    assert backchannel(text) is None


@pytest.mark.parametrize("text", ["", "  ", "\u200b\n"])
def test_a_blank_line_is_neither(text):
    assert backchannel(text) is None


@pytest.mark.parametrize("unit", ["ㅋㅎㅠ", "はい", "ha", "네", "ok ", "w", "哈"])
def test_a_long_line_is_told_in_linear_time(unit):
    assert backchannel(unit * 5000 + " 부산") is None


@pytest.mark.parametrize(
    "text",
    [
        "네 알겠습니다 그렇군요",
        "하하하 그래그래 우와",
        "そうなんですね なるほど 分かりました",
        "好的 知道了 原来如此",
        "[이모티콘: 고양이 회사] 네네",
    ],
)
def test_many_nods_are_no_more_than_one(text):
    assert backchannel(text) == "acknowledgement"
